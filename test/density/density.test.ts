// Densities against integrals of another language, and against the noise that is made from them.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, multiply, parseDecimal, rational, subtract, toNumberNear } from '../../src/exact/index.js';
import { beforeAndAfter, guaranteeOf } from '../../src/mechanism/index.js';
import { cdfNoise, type Noise } from '../../src/noise/index.js';
import { parseNoise } from '../../src/spec/index.js';

interface Row {
  readonly noise: string;
  readonly adjacency: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly rows?: readonly (readonly [string, string])[];
}

const vectors = JSON.parse(
  readFileSync(fileURLToPath(new URL('../vectors/density.json', import.meta.url)), 'utf8'),
) as Row[];

const cdf = (rows: readonly (readonly [string, string])[], step = '1') =>
  cdfNoise(
    rows.map(([value, probability]) => ({ value, probability })),
    parseDecimal(step),
    'own.csv',
  );
const noiseOf = (text: string, step = '1') => parseNoise(text, parseDecimal(step), () => []);
const densityOf = (noise: Noise) => noise.continuous!.density;

describe('δ(ε) of a density', () => {
  it.each(vectors)('is that of another language: $noise, m = $adjacency, ε = $epsilon', (row) => {
    const noise = row.rows ? cdf(row.rows) : noiseOf(row.noise);
    const { lower, upper } = densityOf(noise).deltaAt(parseDecimal(row.adjacency), parseDecimal(row.epsilon));
    const truth = parseDecimal(row.delta);
    // 40 digits, of which the last may be off.
    const slack = parseDecimal('1e-36');
    expect(compare(subtract(lower, slack), truth)).toBeLessThanOrEqual(0);
    expect(
      compare(truth, multiply(upper, parseDecimal('1.000000000000000000000000001'))),
    ).toBeLessThanOrEqual(upper.num === 0n ? 1 : 0);
    expect(toNumberNear(subtract(upper, lower))).toBeLessThan(1e-12);
  });

  it('is between 0 and 1 and falls with ε, far out as well', () => {
    const { deltaAt } = densityOf(noiseOf('gaussian:sigma=1'));
    let before = rational(1n);
    for (const epsilon of ['0', '1', '10', '100', '1000']) {
      const { lower, upper } = deltaAt(rational(3n), parseDecimal(epsilon));
      expect(compare(upper, before)).toBeLessThanOrEqual(0);
      expect(compare(lower, upper)).toBeLessThanOrEqual(0);
      expect(lower.num).toBeGreaterThan(0n);
      before = upper;
    }
  });
});

describe('the pure ε of a density', () => {
  it.each([
    ['laplace:scale=7.5', '15', 2],
    ['staircase:width=4,ratio=0.5', '15', 4 * Math.LN2],
    ['staircase:width=4,ratio=0.5', '16', 4 * Math.LN2],
    ['staircase:width=4,ratio=0.5', '0.5', Math.LN2],
  ])('of %s at %s', (text, adjacency, epsilon) => {
    const { pure } = densityOf(noiseOf(text));
    expect(toNumberNear(pure(parseDecimal(adjacency)).epsilon!.upper)).toBeCloseTo(epsilon, 12);
  });

  it.each(['gaussian:sigma=2', 'uniform:low=-3,high=3', 'exponential:rate=1'])('%s has none', (text) => {
    expect(densityOf(noiseOf(text)).pure(rational(1n)).epsilon).toBeNull();
  });
});

describe('noise that is rounded to the lattice', () => {
  const families = fc.oneof(
    fc
      .record({ sigma: fc.integer({ min: 5, max: 40 }), mu: fc.integer({ min: -9, max: 9 }) })
      .map(({ sigma, mu }) => `gaussian:sigma=${sigma / 10},mu=${mu / 10}`),
    fc
      .record({ scale: fc.integer({ min: 5, max: 60 }), mu: fc.integer({ min: -9, max: 9 }) })
      .map(({ scale, mu }) => `laplace:scale=${scale / 10},mu=${mu / 10}`),
    fc
      .record({ width: fc.integer({ min: 1, max: 6 }), ratio: fc.integer({ min: 1, max: 9 }) })
      .map(({ width, ratio }) => `staircase:width=${width},ratio=0.${ratio}`),
    fc.integer({ min: 1, max: 9 }).map((rate) => `exponential:rate=0.${rate}`),
    fc
      .record({ low: fc.integer({ min: -9, max: 0 }), high: fc.integer({ min: 1, max: 9 }) })
      .map(({ low, high }) => `uniform:low=${low},high=${high}`),
  );
  const tables = fc
    .array(fc.record({ gap: fc.integer({ min: 1, max: 30 }), mass: fc.integer({ min: 0, max: 9 }) }), {
      minLength: 1,
      maxLength: 8,
    })
    .filter((pieces) => pieces.some(({ mass }) => mass > 0))
    .map((pieces) => {
      const whole = pieces.reduce((sum, { mass }) => sum + mass, 0);
      let [x, sum] = [-20, 0];
      const rows: [string, string][] = [['-2', '0']];
      for (const { gap, mass } of pieces) {
        x += gap;
        sum += mass;
        rows.push([String(x / 10), sum === whole ? '1' : (sum / whole).toFixed(12)]);
      }
      return rows;
    });
  const epsilons = ['0', '0.3', '1', '2.5'].map((text) => parseDecimal(text));

  const isNeverLessPrivate = (noise: Noise, adjacency: number) => {
    const { mayBeUsed, profile, discrete } = beforeAndAfter(noise, adjacency, epsilons);
    expect(mayBeUsed).toBe(true);
    // An upper bound each: they may differ by what they are rounded up, 2^−46 for noise with several peaks.
    for (const { deltas } of discrete)
      for (const [i, delta] of deltas.entries())
        expect(toNumberNear(subtract(delta, profile[i]!.delta.upper))).toBeLessThan(1e-12);
  };

  it('is never less private than its density', () => {
    fc.assert(
      fc.property(families, fc.integer({ min: 1, max: 5 }), (text, adjacency) => {
        isNeverLessPrivate(noiseOf(text), adjacency);
      }),
      { numRuns: 60 },
    );
  });

  it('is never less private than its density, whatever that is', () => {
    fc.assert(
      fc.property(
        tables,
        fc.constantFrom('1', '0.5', '0.3'),
        fc.integer({ min: 1, max: 4 }),
        (rows, step, adjacency) => {
          isNeverLessPrivate(cdf(rows, step), adjacency);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['gaussian:sigma=3', 2],
    ['laplace:scale=2.5', 3],
    ['staircase:width=3,ratio=0.6', 4],
    ['uniform:low=-5,high=5', 2],
    ['exponential:rate=0.3', 2],
  ])('comes close to its density on fine lattices: %s', (text, adjacency) => {
    const noise = noiseOf(text);
    const { density, at } = noise.continuous!;
    const finest = guaranteeOf(at(rational(1n, 64n)), adjacency * 64);
    for (const epsilon of epsilons) {
      const own = toNumberNear(finest.deltaAt(epsilon));
      const limit = toNumberNear(density.deltaAt(rational(BigInt(adjacency)), epsilon).upper);
      // With steps of 1/64 a cell holds less than 1/64 of the highest density, here below 0.35.
      expect(Math.abs(own - limit)).toBeLessThan(0.35 / 64);
    }
  });

  it('is told apart from noise that has the heights of a density', () => {
    for (const text of ['discrete-gaussian:sigma=1', 'geometric:scale=2'])
      expect(beforeAndAfter(noiseOf(text), 1, epsilons).mayBeUsed).toBe(false);
    // The discrete Gaussian can be the worse of the two.
    const { profile, discrete } = beforeAndAfter(noiseOf('discrete-gaussian:sigma=0.4'), 1, epsilons);
    const worse = discrete[0]!.deltas.filter((delta, i) => compare(delta, profile[i]!.delta.upper) > 0);
    expect(worse.length).toBeGreaterThan(0);
    expect(() => beforeAndAfter(noiseOf('geng-viswanath:epsilon=1,adjacency=1'), 1, [])).toThrow(
      /comes from no density/,
    );
  });
});

describe('a table of a distribution function', () => {
  it('becomes the probabilities of its cells', () => {
    const { pmf } = cdf([
      ['-1', '0'],
      ['0.5', '0.25'],
      ['2', '1'],
    ]).approximate({ adjacency: 1, cut: 200 });
    // [−1, 0): ⅙; [0, 1): 1/12 + ¼; [1, 2): ½
    expect(pmf.from).toBe(-1);
    const whole = Number(pmf.weights.reduce((sum, weight) => sum + weight, 0n));
    expect(pmf.weights.map((weight) => Number(weight) / whole)).toEqual([
      expect.closeTo(1 / 6, 14),
      expect.closeTo(1 / 3, 14),
      expect.closeTo(1 / 2, 14),
    ]);
  });

  it.each([
    [[['0', '0']], /at least two rows/],
    [
      [
        ['0', '0'],
        ['0', '1'],
      ],
      /rising values, got 0 after 0/,
    ],
    [
      [
        ['0', '0'],
        ['1', '0.6'],
        ['2', '0.5'],
        ['3', '1'],
      ],
      /does not fall, got 0.5 after 0.6/,
    ],
    [
      [
        ['0', '0.1'],
        ['1', '1'],
      ],
      /from 0 in its first row to 1 in its last, got 0.1 and 1/,
    ],
    [
      [
        ['0', 'x'],
        ['1', '1'],
      ],
      /row 1, cdf/,
    ],
  ] as const)('says what is wrong with it', (rows, message) => {
    expect(() => cdf(rows as unknown as [string, string][])).toThrow(message);
  });
});
