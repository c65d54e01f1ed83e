import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  divide,
  type Enclosure,
  exp,
  integer,
  multiply,
  negate,
  normalCdf,
  parseDecimal,
  type Rational,
  rational,
  subtract,
  toNumberNear,
  toNumberUp,
} from '../../src/exact/index.js';
import {
  canonical,
  families,
  gaussian,
  gengViswanath,
  laplace,
  type Noise,
  specOf,
  tableNoise,
} from '../../src/noise/index.js';
import { type Approximation, discretize, moments, total } from '../../src/pmf/index.js';
import { supRatio } from '../../src/privacy/index.js';
import { parseNoise } from '../../src/spec/index.js';
import { probabilityAt } from '../arbitrary.js';

const decimal = (from: number, to: number) =>
  fc.integer({ min: Math.ceil(from * 1000), max: Math.floor(to * 1000) }).map((n) => toText(n));
const toText = (thousandths: number) =>
  `${thousandths < 0 ? '-' : ''}${Math.floor(Math.abs(thousandths) / 1000)}.${String(Math.abs(thousandths) % 1000).padStart(3, '0')}`;
const noTable = () => {
  throw new Error('no tables here');
};

/** Do two approximations of one ideal agree within what both say of their errors? */
function expectAgreement(a: Approximation, b: Approximation) {
  const [x, y] = [a, b].map(({ error }) => error(rational(1n)));
  const slack = toNumberNear(add(x!.relative, y!.relative)) + 1e-300;
  const [massA, massB] = [total(a.pmf), total(b.pmf)];
  for (let i = 0; i < a.pmf.weights.length; i++) {
    const j = a.pmf.from + i - b.pmf.from;
    const other = b.pmf.weights[j];
    if (other === undefined || other === 0n) continue;
    const p = { num: a.pmf.weights[i]! * massA.den, den: massA.num };
    const q = { num: other * massB.den, den: massB.num };
    const off = subtract(divide(p, q), rational(1n));
    expect(Math.abs(toNumberNear(off))).toBeLessThanOrEqual(2 * slack);
  }
}

describe('Gaussian weights', () => {
  it('agree with the floor discretisation of the normal distribution function', () => {
    fc.assert(
      fc.property(
        decimal(0.05, 12),
        decimal(-3, 3),
        fc.constantFrom('0.25', '1', '1.5'),
        (sigma, mu, step) => {
          const noise = gaussian.build({ sigma, mu }, parseDecimal(step));
          const [s, m] = [parseDecimal(sigma), parseDecimal(mu)];
          const cdf = (x: Rational) => normalCdf(divide(subtract(x, m), s), 400);
          const reach = multiply(integer(12), s);
          const window = {
            step: parseDecimal(step),
            low: subtract(m, reach),
            high: add(m, reach),
            bits: 400,
          };
          expectAgreement(noise.approximate({ adjacency: 1, cut: 400 }), discretize(cdf, window));
        },
      ),
      { numRuns: 10 },
    );
  });

  it('are as accurate as they say: a relative error of 2^−118 shows', () => {
    const noise = gaussian.build({ sigma: '7', mu: '0.4' }, rational(1n));
    const { error } = noise.approximate({ adjacency: 3, cut: 400 });
    expect(toNumberUp(error(rational(1n)).relative)).toBeLessThan(2 ** -117);
  });

  it('keep 128 bits at the edges of the window, far beyond a mass of 1e-100', () => {
    for (const spec of [
      'gaussian:sigma=10',
      'discrete-gaussian:sigma=10',
      'gaussian:sigma=0.2',
      'discrete-gaussian:sigma=0.4',
    ]) {
      const { pmf } = parseNoise(spec, rational(1n), noTable).approximate({ adjacency: 15, cut: 400 });
      expect(pmf.weights[0]! >= 1n << 126n).toBe(true);
      expect(pmf.weights[pmf.weights.length - 1]! >= 1n << 126n).toBe(true);
    }
    const { pmf } = parseNoise('gaussian:sigma=10', rational(1n), noTable).approximate({
      adjacency: 15,
      cut: 400,
    });
    expect(toNumberUp(divide(rational(pmf.weights[0]!), total(pmf)))).toBeLessThan(1e-130);
  });

  it('follow e^(−k²/2σ²) for the discrete Gaussian', () => {
    const { pmf } = parseNoise('discrete-gaussian:sigma=3,mu=0.5', rational(1n), noTable).approximate({
      adjacency: 1,
      cut: 400,
    });
    const at = (k: number) => probabilityAt(pmf, k);
    for (const k of [-20, -3, 0, 1, 5, 30]) {
      const expected = exp(divide(rational(BigInt(-k * k + k), 1n), integer(18)), 150);
      const ratio = divide(at(k), at(0));
      expect(Math.abs(toNumberNear(subtract(divide(ratio, expected.lower), rational(1n))))).toBeLessThan(
        1e-35,
      );
    }
  });

  it('refuse a window that would not fit, and a sigma that is nothing beside the step', () => {
    expect(() =>
      parseNoise('gaussian:sigma=1e9', rational(1n), noTable).approximate({ adjacency: 1, cut: 400 }),
    ).toThrow(/use a step of 6626 or more/);
    expect(() => parseNoise('gaussian:sigma=1e-9', rational(1n), noTable)).toThrow(/smaller step/);
  });
});

describe('Laplace weights', () => {
  const cdf =
    (mu: Rational, scale: Rational) =>
    (x: Rational): Enclosure => {
      const away = divide(subtract(x, mu), scale);
      const tail = exp(away.num < 0n ? away : negate(away), 900);
      const half = { lower: divide(tail.lower, integer(2)), upper: divide(tail.upper, integer(2)) };
      return away.num < 0n
        ? half
        : { lower: subtract(rational(1n), half.upper), upper: subtract(rational(1n), half.lower) };
    };

  it('agree with the floor discretisation of its distribution function', () => {
    fc.assert(
      fc.property(
        decimal(0.1, 20),
        decimal(-3, 3),
        fc.constantFrom('0.25', '1', '2.5'),
        (scale, mu, step) => {
          const noise = laplace.build({ scale, mu }, parseDecimal(step));
          const [s, m] = [parseDecimal(scale), parseDecimal(mu)];
          const own = noise.approximate({ adjacency: 1, cut: 400 });
          const reach = multiply(integer(2), s);
          const other = discretize(cdf(m, s), {
            step: parseDecimal(step),
            low: subtract(m, reach),
            high: add(m, reach),
            bits: 900,
          });
          // Compare ratios of neighbours, which do not see the window's end.
          for (let k = other.pmf.from; k + 1 < other.pmf.from + other.pmf.weights.length; k++) {
            const [a, b] = [own.pmf, other.pmf].map((pmf) => {
              const [p, q] = [probabilityAt(pmf, k + 1), probabilityAt(pmf, k)];
              return { num: p.num * q.den, den: p.den * q.num };
            }) as [Rational, Rational];
            const off = { num: a.num * b.den - b.num * a.den, den: a.den * b.num };
            expect(Math.abs(toNumberNear(off))).toBeLessThan(1e-100);
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  it('have a compiled ε of at most m / scale, and next to nothing below it', () => {
    fc.assert(
      fc.property(decimal(0.1, 50), decimal(-3, 3), fc.integer({ min: 1, max: 400 }), (scale, mu, m) => {
        const noise = laplace.build({ scale, mu }, rational(1n));
        const found = supRatio(noise.approximate({ adjacency: m, cut: 400 }).pmf, m);
        if (!found.finite) throw new Error('finite expected');
        const ideal = divide(integer(m), parseDecimal(scale));
        const bound = found.epsilon(700);
        expect(compare(bound.upper, ideal)).toBeLessThanOrEqual(0);
        expect(toNumberNear(subtract(rational(1n), divide(bound.lower, ideal)))).toBeLessThan(1e-120);
      }),
      { numRuns: 60 },
    );
  });
});

describe('every family', () => {
  const examples = [
    'laplace:scale=7.5,mu=0.3',
    'geometric:scale=3.25',
    'staircase:width=4,ratio=0.37',
    'geng-viswanath:epsilon=1.3,adjacency=6',
    'geng-viswanath:epsilon=0.2,adjacency=9,objective=variance',
  ];
  it.each(examples)(
    '%s rounds toward less privacy loss: the compiled ε is not above the ideal one',
    (spec) => {
      const noise: Noise = parseNoise(spec, rational(1n), noTable);
      for (const m of [1, 2, 5, 6, 7, 30]) {
        const found = supRatio(noise.approximate({ adjacency: m, cut: 400 }).pmf, m);
        if (!found.finite) throw new Error('finite expected');
        const ideal = noise.pureEpsilon(m)!;
        expect(compare(found.epsilon(600).lower, ideal.upper)).toBeLessThanOrEqual(0);
        expect(toNumberNear(found.epsilon().upper)).toBeCloseTo(toNumberNear(ideal.lower), 12);
      }
    },
  );

  it('has a spec that reads back as itself', () => {
    for (const spec of [
      ...examples,
      'gaussian:sigma=10',
      'uniform:low=-3,high=4',
      'exponential:rate=0.2',
      'discrete-gaussian:sigma=2,mu=1',
      'canonical:epsilon=1,delta=0.001,adjacency=4',
    ]) {
      const noise = parseNoise(spec, rational(1n), noTable);
      expect(specOf(parseNoise(specOf(noise), rational(1n), noTable))).toBe(specOf(noise));
    }
    expect(families.length).toBe(9);
  });
});

describe('Geng and Viswanath', () => {
  it('is the best of its stairs: no other first stair has a smaller cost', () => {
    for (const objective of ['magnitude', 'variance'] as const) {
      for (const [epsilon, m] of [
        ['0.1', 7],
        ['1', 7],
        ['2', 15],
        ['5', 4],
      ] as const) {
        const noise = gengViswanath.build({ epsilon, adjacency: String(m), objective }, rational(1n));
        const { pmf } = noise.approximate({ adjacency: m, cut: 400 });
        const cost = (weights: bigint[]) => {
          const own = moments({ ...pmf, weights });
          return toNumberNear(objective === 'magnitude' ? own.meanAbsolute : own.meanSquare);
        };
        const { num, den } = pmf.right!.ratio;
        const stairs = (r: number) =>
          Array.from({ length: 2 * m - 1 }, (_, i) => (Math.abs(i - m + 1) < r ? den : num));
        const all = Array.from({ length: m }, (_, i) => cost(stairs(i + 1)));
        expect(cost([...pmf.weights])).toBeCloseTo(Math.min(...all), 10);
      }
    }
  });

  it('at adjacency 1 is the two-sided geometric', () => {
    const own = gengViswanath
      .build({ epsilon: '0.8', adjacency: '1' }, rational(1n))
      .approximate({ adjacency: 1, cut: 400 });
    expect(own.pmf.weights.length).toBe(1);
    expect(toNumberNear(own.pmf.right!.ratio)).toBeCloseTo(Math.exp(-0.8), 14);
  });
});

describe('canonical noise', () => {
  const build = (epsilon: string, delta: string, m: number) =>
    canonical
      .build({ epsilon, delta, adjacency: String(m) }, rational(1n))
      .approximate({ adjacency: m, cut: 400 });
  const anyTarget = [
    fc.constantFrom('0.03', '0.4', '1', '2.5', '9'),
    fc.constantFrom('1e-12', '1e-5', '0.001', '0.07', '0.5', '0.9'),
    fc.integer({ min: 1, max: 8 }),
  ] as const;

  it('keeps its (ε, δ) at every shift, and wastes none of δ', () => {
    fc.assert(
      fc.property(...anyTarget, (epsilon, delta, m) => {
        const { pmf } = build(epsilon, delta, m);
        const claim = parseDecimal(delta);
        // Written out with what differs from 0 alone, by another rule than that of the room `privacy`.
        const growth = exp(parseDecimal(epsilon), 600).lower;
        const mass = total(pmf);
        const w = (k: number) => pmf.weights[k] ?? 0n;
        const deltas = Array.from({ length: m }, (_, i) => {
          let sum = 0n;
          for (let k = 0; k < pmf.weights.length; k++) {
            const term = w(k) * growth.den - growth.num * w(k + i + 1);
            if (term > 0n) sum += term;
          }
          return rational(sum * mass.den, growth.den * mass.num);
        });
        for (const own of deltas) expect(compare(own, claim)).toBeLessThanOrEqual(0);
        // An even number of points has no middle: there the mean of two such noises may keep more than is asked.
        if (m % 2 === 1) expect(toNumberNear(divide(deltas.at(-1)!, claim))).toBeCloseTo(1, 12);
        expect([...pmf.weights].reverse()).toEqual([...pmf.weights]);
      }),
      { numRuns: 60 },
    );
  });

  it('is a geometric law that is cut off: as δ falls, it becomes that law', () => {
    const { pmf } = build('0.8', '1e-30', 1);
    const middle = (pmf.weights.length - 1) / 2;
    for (const k of [0, 1, 17])
      expect(toNumberNear(rational(pmf.weights[middle + k + 1]!, pmf.weights[middle + k]!))).toBeCloseTo(
        Math.exp(-0.8),
        14,
      );
    expect(pmf.left).toBeNull();
  });

  it('refuses what it cannot be', () => {
    expect(() => build('1', '0', 1)).toThrow(/delta to be above 0 and below 1/);
    expect(() => build('0', '0.1', 1)).toThrow(/epsilon to be above 0/);
    expect(() => build('1e-9', '1e-9', 1)).toThrow(/at most 1000000 points.*larger step/);
    const values = { epsilon: '1', delta: '0.1', adjacency: '0.5' };
    expect(() => canonical.build(values, rational(1n))).toThrow(/multiple of the step/);
  });
});

describe('a table', () => {
  const rows = (text: string) =>
    text.split(' ').map((pair) => ({ value: pair.split(':')[0]!, probability: pair.split(':')[1]! }));

  it('is kept exactly, fractions included', () => {
    const { pmf } = tableNoise(rows('-1:1/3 0:0.5 2:1/6'), rational(1n), 't').approximate({
      adjacency: 1,
      cut: 400,
    });
    expect(pmf.from).toBe(-1);
    expect([-1, 0, 1, 2].map((k) => probabilityAt(pmf, k))).toEqual([
      rational(1n, 3n),
      rational(1n, 2n),
      rational(0n),
      rational(1n, 6n),
    ]);
  });

  it('is normalised where its sum misses one by less than 1e-9', () => {
    const { pmf } = tableNoise(
      rows('0:0.3333333333 1:0.3333333333 2:0.3333333333'),
      rational(1n),
      't',
    ).approximate({ adjacency: 1, cut: 400 });
    expect(probabilityAt(pmf, 1)).toEqual(rational(1n, 3n));
  });

  it.each([
    ['no rows', [], /at least one row/],
    ['a negative probability', rows('0:-0.5 1:1.5'), /row 1.*at least 0.*-0.5/],
    ['a sum of 0.99', rows('0:0.5 1:0.49'), /off by -0.01/],
    ['a sum of 1.5', rows('0:0.5 1:1'), /off by \+0.5/],
    ['a value twice', rows('0:0.5 0:0.5'), /row 2.*each value once.*0 again/],
    ['a value off the lattice', rows('0:0.5 0.5:0.5'), /row 2.*multiple of the step.*0.5/],
    ['a value that is no number', rows('x:0.5 1:0.5'), /row 1, value.*"x"/],
  ])('refuses %s', (_, table, message) => {
    expect(() => tableNoise(table, rational(1n), 't')).toThrow(message);
  });
});
