import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  divide,
  integer,
  multiply,
  normalCdf,
  parseDecimal,
  type Rational,
  rational,
  subtract,
  toDecimal,
  toNumberNear,
} from '../../src/exact/index.js';
import { lastIndex, type Pmf } from '../../src/pmf/index.js';
import type { Prior } from '../../src/prior/index.js';
import { parsePrior } from '../../src/spec/index.js';
import { probabilityAt } from '../arbitrary.js';

const one = rational(1n);
const none = () => {
  throw new Error('nothing to read here');
};
const prior = (text: string, step: Rational | string = one): Prior =>
  parsePrior(text, typeof step === 'string' ? parseDecimal(step) : step, {
    table: none,
    column: none,
    columnIsPublic: false,
  });
const massAt = (pmf: Pmf, index: number) => toNumberNear(probabilityAt(pmf, index));
const relative = (got: number, expected: number) => Math.abs(got / expected - 1);

/** What a prior says of its ends, and where they are. */
function expectCut({ pmf, cut }: Prior) {
  const at = (index: number) => toDecimal(multiply(integer(index), pmf.step));
  expect(cut).toBe(`cut to ${at(pmf.from)} … ${at(lastIndex(pmf))}, less than 1e-12 of it lies outside`);
}

describe('a prior at one point', () => {
  it('is there and nowhere else', () => {
    for (const [at, step, index] of [
      ['7', '1', 7],
      ['-0.75', '0.25', -3],
      ['0', '5', 0],
      ['1e3', '0.5', 2000],
    ] as const) {
      const text = `point:at=${at}`;
      expect(prior(text, step)).toEqual({
        pmf: { step: parseDecimal(step), from: index, weights: [1n], left: null, right: null },
        spec: text,
        cut: null,
      });
    }
  });
});

describe('a uniform prior', () => {
  it('has equal weights from low to high, both included', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 0, max: 50 }),
        fc.constantFrom('0.5', '1', '2.5'),
        (low, width, step) => {
          const at = (index: number) => toDecimal(multiply(integer(index), parseDecimal(step)));
          const { pmf, cut } = prior(`uniform:low=${at(low)},high=${at(low + width)}`, step);
          expect([pmf.from, lastIndex(pmf), cut]).toEqual([low, low + width, null]);
          expect(pmf.step).toEqual(parseDecimal(step));
          for (let k = low; k <= low + width; k++)
            expect(probabilityAt(pmf, k)).toEqual(rational(1n, BigInt(width + 1)));
          expect([massAt(pmf, low - 1), massAt(pmf, low + width + 1)]).toEqual([0, 0]);
        },
      ),
    );
  });

  it('is a point where low is high', () => {
    expect(prior('uniform:low=3,high=3').pmf).toEqual(prior('point:at=3').pmf);
  });
});

describe('a Poisson prior', () => {
  /** e^(−rate) rate^k / k!, by logarithms. */
  const poisson = (rate: number, k: number) => {
    let log = k * Math.log(rate) - rate;
    for (let i = 2; i <= k; i++) log -= Math.log(i);
    return Math.exp(log);
  };
  /** What lies outside of what was kept. */
  const outside = (rate: number, first: number, last: number) => {
    let sum = 0;
    for (let k = first - 1; k >= 0; k--) sum += poisson(rate, k);
    for (let k = last + 1; k <= last + 400; k++) sum += poisson(rate, k);
    return sum;
  };

  it.each(['0.001', '0.5', '1', '3', '5', '7.25', '40', '300'])(
    'of rate %s has the probabilities of the Poisson law, as many as matter',
    (text) => {
      const rate = Number(text);
      const found = prior(`poisson:rate=${text}`);
      const [first, last] = [found.pmf.from, lastIndex(found.pmf)];
      expectCut(found);
      expect(found.spec).toBe(`poisson:rate=${text}`);
      for (let k = first; k <= last; k++)
        expect(relative(massAt(found.pmf, k), poisson(rate, k))).toBeLessThan(1e-9);
      expect(outside(rate, first, last)).toBeLessThan(1e-12);
      // One point more would be too many.
      const next = Math.min(poisson(rate, first), poisson(rate, last));
      expect(outside(rate, first, last) + next).toBeGreaterThan(0.999e-12);
    },
  );

  it('has nothing between the counts where the step is smaller', () => {
    for (const rate of ['3', '100']) {
      const [coarse, fine] = [prior(`poisson:rate=${rate}`).pmf, prior(`poisson:rate=${rate}`, '0.25').pmf];
      expect([fine.from, lastIndex(fine)]).toEqual([4 * coarse.from, 4 * lastIndex(coarse)]);
      fine.weights.forEach((weight, i) => {
        expect(weight).toBe(i % 4 === 0 ? coarse.weights[i / 4]! : 0n);
      });
      expectCut(prior(`poisson:rate=${rate}`, '0.25'));
    }
  });

  it('may be next to nothing but 0, and may be large', () => {
    expect(prior('poisson:rate=1e-20').pmf).toMatchObject({ from: 0, weights: [expect.anything()] });
    const { pmf } = prior('poisson:rate=1000000');
    const sum = pmf.weights.reduce((a, b) => a + b);
    const mean = pmf.weights.reduce((a, b, i) => a + b * BigInt(pmf.from + i), 0n);
    expect(toNumberNear(rational(mean, sum))).toBeCloseTo(1_000_000, 4);
    expect(lastIndex(pmf) - pmf.from).toBeGreaterThan(2 * 6.9 * 1000);
    expect(lastIndex(pmf) - pmf.from).toBeLessThan(2 * 7.3 * 1000);
  });
});

describe('a Gaussian prior', () => {
  it('is the normal law rounded down to the lattice, but for less than 1e-12', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 800 }),
        fc.integer({ min: -500, max: 500 }),
        fc.constantFrom('0.5', '1', '2.5'),
        (sigma100, mu100, step) => {
          const [sigma, mu] = [sigma100, mu100].map((n) => rational(BigInt(n), 100n)) as [Rational, Rational];
          const found = prior(`gaussian:mu=${toDecimal(mu)},sigma=${toDecimal(sigma)}`, step);
          const [first, last] = [found.pmf.from, lastIndex(found.pmf)];
          expectCut(found);
          const below = Array.from({ length: last - first + 2 }, (_, i) => {
            const edge = multiply(integer(first + i), parseDecimal(step));
            return normalCdf(divide(subtract(edge, mu), sigma), 150).lower;
          });
          const cells = below.slice(1).map((upTo, i) => toNumberNear(subtract(upTo, below[i]!)));
          cells.forEach((cell, i) => {
            expect(relative(massAt(found.pmf, first + i), cell)).toBeLessThan(1e-11);
          });
          const dropped =
            toNumberNear(below[0]!) + toNumberNear(subtract(rational(1n), below[below.length - 1]!));
          expect(dropped).toBeLessThan(1e-12);
          // One point more would be too many.
          expect(dropped + Math.min(cells[0]!, cells[cells.length - 1]!)).toBeGreaterThan(0.999e-12);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('has its mean at 0 where none is given', () => {
    expect(prior('gaussian:sigma=4').pmf).toEqual(prior('gaussian:sigma=4,mu=0').pmf);
    expect(prior('gaussian:sigma=4,mu=3').pmf).toEqual({
      ...prior('gaussian:sigma=4').pmf,
      from: prior('gaussian:sigma=4').pmf.from + 3,
    });
  });
});

describe('a prior from a table', () => {
  it('is what the table says, and the path may hold anything', () => {
    const asked: string[] = [];
    const read = {
      table: (path: string) => {
        asked.push(path);
        return [
          { value: '2', probability: '0.25' },
          { value: '-1', probability: '0.75' },
        ];
      },
      column: none,
      columnIsPublic: false,
    };
    const text = 'table:my:own, #prior.csv';
    const { pmf, cut, spec } = parsePrior(text, one, read);
    expect([asked, cut, spec]).toEqual([['my:own, #prior.csv'], null, text]);
    expect([-2, -1, 0, 1, 2, 3].map((k) => massAt(pmf, k))).toEqual([0, 0.75, 0, 0, 0.25, 0]);
    expect(() => parsePrior('table:p.csv', rational(3n), read)).toThrow(
      /^prior table p\.csv, row 1: expected a value that is a multiple of the step 3, got 2/,
    );
  });
});

describe('a prior from a column', () => {
  const column = (values: readonly string[], text = 'column:visits.csv#visits', step = one) =>
    parsePrior(text, step, { table: none, column: () => values, columnIsPublic: true });

  it('has the frequencies of its values, however they are written', () => {
    const { pmf, cut, spec } = column(['3', '1', '', '3.0', '+3', '-1', '', '1e0', '3']);
    expect([cut, spec]).toEqual([null, 'column:visits.csv#visits']);
    expect(pmf).toEqual({ step: one, from: -1, weights: [1n, 0n, 2n, 0n, 4n], left: null, right: null });
  });

  it('counts as one does by hand', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 60 }), (values) => {
        const { pmf } = column(
          values.map((value) => toDecimal(rational(BigInt(value), 2n))),
          undefined,
          rational(1n, 2n),
        );
        for (let k = -10; k <= 10; k++) {
          const count = values.filter((value) => value === k).length;
          expect(probabilityAt(pmf, k)).toEqual(rational(BigInt(count), BigInt(values.length)));
        }
      }),
    );
  });

  it('is read from the path before the last # and the name after it', () => {
    const asked: string[][] = [];
    parsePrior('column:data#2/a:b,c.csv#my column', one, {
      table: none,
      column: (...args) => {
        asked.push(args);
        return ['1'];
      },
      columnIsPublic: true,
    });
    expect(asked).toEqual([['data#2/a:b,c.csv', 'my column']]);
  });

  it('is not even read unless it is said to be public', () => {
    expect(() => prior('column:visits.csv#visits')).toThrow(/leaks it; .*`priorIsPublic`/);
  });

  it.each([
    [['', ''], /^prior column: expected at least one value, got none$/],
    [[], /expected at least one value/],
    [['1', 'many'], /^prior column: value: expected a decimal such as 0\.25 or 1e-6, got "many"$/],
    [['1', '0.5'], /^prior column: value: expected a multiple of the step 1, got 0\.5$/],
    [['0', '10000000'], /^prior: expected at most 10000000 lattice points, got 10000001; use a larger step$/],
  ])('refuses the values %j', (values, message) => {
    expect(() => column(values)).toThrow(message);
  });
});

describe('a prior that is no prior', () => {
  it.each([
    [
      'poison:rate=3',
      /^unknown prior "poison"; did you mean poisson\? \(known are gaussian, poisson, uniform, point, table, column\)$/,
    ],
    ['colum:a#b', /did you mean column\?/],
    ['', /^unknown prior ""; /],
    ['laplace:scale=3', /^unknown prior "laplace"; known are/],
    ['poisson', /^prior poisson: expected the parameter rate$/],
    ['poisson:', /^prior poisson: expected the parameter rate$/],
    ['gaussian:mu=3', /^prior gaussian: expected the parameter sigma$/],
    ['uniform:low=3', /^prior uniform: expected the parameter high$/],
    ['uniform:high=3', /^prior uniform: expected the parameter low$/],
    ['point', /^prior point: expected the parameter at$/],
    ['poisson:lambda=3', /^poisson: unknown parameter "lambda"; .*it takes rate/],
    ['poisson:rate', /^poisson: expected rate=value, got "rate"$/],
    ['poisson:rate=3,rate=3', /^poisson: expected rate once, got it twice$/],
    ['poisson:rate=many', /^prior poisson: rate: expected a decimal.*"many"$/],
    ['poisson:rate=0', /^prior poisson: expected a rate above 0 and up to 1000000, got 0$/],
    ['poisson:rate=-2.5', /above 0 and up to 1000000, got -2\.5$/],
    ['poisson:rate=1000000.5', /above 0 and up to 1000000, got 1000000\.5$/],
    ['gaussian:sigma=0', /expected sigma to be above 0, got 0/],
    ['uniform:low=4,high=3', /^prior uniform: expected low not above high, got low=4, high=3$/],
    ['uniform:low=0.5,high=3', /^prior uniform: low: expected a multiple of the step 1, got 0\.5$/],
    ['uniform:low=0,high=3.5', /^prior uniform: high: expected a multiple of the step 1, got 3\.5$/],
    [
      'uniform:low=0,high=10000000',
      /^prior: expected at most 10000000 lattice points, got 10000001; use a larger step$/,
    ],
    ['point:at=0.25', /^prior point: at: expected a multiple of the step 1, got 0\.25$/],
    ['table', /^prior table: expected a path, as in table:prior\.csv$/],
    ['table:', /^prior table: expected a path/],
    [
      'column:visits.csv',
      /^prior column: expected a path and a column name, as in column:visits\.csv#visits$/,
    ],
    ['column:#visits', /expected a path and a column name/],
    ['column:visits.csv#', /expected a path and a column name/],
    ['column', /expected a path and a column name/],
  ] as const)('%j is refused', (text, message) => {
    expect(() => prior(text)).toThrow(RangeError);
    expect(() => prior(text)).toThrow(message);
  });

  it('needs a step that divides the distance of its counts', () => {
    expect(() => prior('poisson:rate=3', '2')).toThrow(
      /^prior poisson: the distance 1 between counts: expected a multiple of the step 2, got 1$/,
    );
    expect(() => prior('poisson:rate=3', '0.3')).toThrow(/multiple of the step 0\.3, got 1$/);
  });
});
