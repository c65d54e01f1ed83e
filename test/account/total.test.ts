// The account of many releases against brute force over all outcomes, and against another language.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Repeated, totalOf } from '../../src/account/index.js';
import { rational } from '../../src/exact/index.js';
import { makePmf } from '../../src/pmf/index.js';
import { noise, pmfOf, release, step } from './releases.js';

type Outcomes = readonly (readonly [here: number, there: number])[];

/** P and Q at every output, for a record that moves the value by `shift`. */
function outcomes(
  weights: readonly number[],
  shift: number,
  sampling: number | null,
  goes: boolean,
): Outcomes {
  const whole = weights.reduce((a, b) => a + b, 0);
  const p = (i: number) => (weights[i] ?? 0) / whole;
  return Array.from({ length: weights.length + 2 * Math.abs(shift) }, (_, n) => {
    const i = n - Math.abs(shift);
    const [here, there] = [p(i), p(i - shift)];
    if (sampling === null) return [here, there] as const;
    const mixed = (1 - sampling) * here + sampling * there;
    return goes ? ([mixed, here] as const) : ([here, mixed] as const);
  });
}

function product(a: Outcomes, b: Outcomes): Outcomes {
  return a.flatMap(([p, q]) => b.map(([r, s]) => [p * r, q * s] as const));
}

const deltaOf = (all: Outcomes, epsilon: number) =>
  all.reduce((sum, [p, q]) => sum + Math.max(0, p - Math.exp(epsilon) * q), 0);

interface Small {
  readonly weights: readonly number[];
  readonly adjacency: number;
  readonly times: number;
  readonly sampling?: number | null;
}

/** The worst over every mix of shifts, and of coming and going. */
function bruteForce(kinds: readonly Small[], epsilon: number): number {
  let worst = 0;
  for (const goes of kinds.some(({ sampling }) => sampling) ? [false, true] : [false]) {
    const steps = kinds.flatMap(({ weights, adjacency, times, sampling = null }) => {
      const shifts = Array.from({ length: 2 * adjacency + 1 }, (_, i) => i - adjacency).filter(
        (s) => s !== 0,
      );
      return Array.from({ length: times }, () =>
        shifts.map((shift) => outcomes(weights, shift, sampling, goes)),
      );
    });
    const walk = (n: number, so: Outcomes): void => {
      if (n === steps.length) worst = Math.max(worst, deltaOf(so, epsilon));
      else for (const law of steps[n]!) walk(n + 1, product(so, law));
    };
    walk(0, [[1, 1]]);
  }
  return worst;
}

const kindOf = ({ weights, adjacency, times, sampling = null }: Small): Repeated =>
  release(pmfOf(weights), adjacency, times, { of: 'counts', sampling });

const inside = ({ lower, upper }: { lower: number; upper: number }, truth: number) => {
  expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-11) + 1e-14);
  expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-11) - 1e-14);
};

/** Weights without zeros at the ends. */
const weightsOf = (most: number) =>
  fc
    .array(fc.integer({ min: 0, max: 20 }), { minLength: 2, maxLength: most })
    .map((all) => all.map((weight, i) => (i === 0 || i === all.length - 1 ? Math.max(1, weight) : weight)));

describe('small supports', () => {
  it('have the brute force over all outcomes and all mixes of directions between bounds that are 1e-12 apart', () => {
    fc.assert(
      fc.property(
        weightsOf(5),
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (weights, adjacency, times, epsilon) => {
          const found = totalOf([kindOf({ weights, adjacency, times })]).deltaAt(epsilon);
          inside(found, bruteForce([{ weights, adjacency, times }], epsilon));
          expect(found.upper - found.lower).toBeLessThanOrEqual(1e-12);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are sampled in secret, coming or going', () => {
    fc.assert(
      fc.property(
        weightsOf(4),
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 10 }).map((n) => n / 10),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (weights, adjacency, times, sampling, epsilon) => {
          const found = totalOf([kindOf({ weights, adjacency, times, sampling })]).deltaAt(epsilon);
          inside(found, bruteForce([{ weights, adjacency, times, sampling }], epsilon));
          expect(found.upper - found.lower).toBeLessThanOrEqual(1e-12);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('mix with others, sampled or not', () => {
    fc.assert(
      fc.property(
        weightsOf(4),
        weightsOf(3),
        fc.constantFrom(null, 0.3),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (first, second, sampling, epsilon) => {
          const kinds = [
            { weights: first, adjacency: 1, times: 2, sampling },
            { weights: second, adjacency: 1, times: 1 },
          ];
          inside(totalOf(kinds.map(kindOf)).deltaAt(epsilon), bruteForce(kinds, epsilon));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('have the least ε at a δ where δ(ε) falls to it', () => {
    fc.assert(
      fc.property(
        weightsOf(5),
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 1e-6, max: 0.9 }),
        (weights, times, delta) => {
          const total = totalOf([kindOf({ weights, adjacency: 1, times })]);
          const { lower, upper } = total.epsilonAt(delta);
          const truth = (epsilon: number) => bruteForce([{ weights, adjacency: 1, times }], epsilon);
          if (upper < Infinity) expect(truth(upper)).toBeLessThanOrEqual(delta * (1 + 1e-9));
          if (lower > 0)
            expect(truth(Math.min(50, lower) * (1 - 1e-9))).toBeGreaterThanOrEqual(delta * (1 - 1e-9));
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('groups', () => {
  const weights = [1, 3, 2];
  it('of records have noise of their own each: as many releases', () => {
    const one = release(pmfOf(weights), 1, 1);
    const found = totalOf([one], 3).deltaAt(0.7);
    inside(found, bruteForce([{ weights, adjacency: 1, times: 3 }], 0.7));
    expect(found.lower).toBeGreaterThan(totalOf([one], 1).deltaAt(0.7).upper);
  });

  it('move a count together: a larger shift', () => {
    const found = totalOf([release(pmfOf(weights), 1, 1, { of: 'counts' })], 2).deltaAt(0.7);
    inside(found, bruteForce([{ weights, adjacency: 2, times: 1 }], 0.7));
  });
});

describe('noise with an infinite loss', () => {
  it('carries it exactly', () => {
    const uniform = noise('uniform:low=-10,high=10');
    for (const times of [1, 3, 1000]) {
      const { lower, upper } = totalOf([release(uniform, 1, times)]).deltaAt(1);
      const truth = 1 - (20 / 21) ** times;
      inside({ lower, upper }, truth);
      expect(upper - lower).toBeLessThan(1e-13);
    }
    // Exponential noise: in one direction an output may be impossible, in the other none is.
    const exponential = noise('exponential:rate=0.1');
    const { lower, upper } = totalOf([release(exponential, 1, 4)]).deltaAt(0.35);
    const gone = 1 - Math.exp(-0.1);
    // k of 4 downward: any infinite loss, or the finite ones add up to (4 − k − k)·0.1.
    const truth = Math.max(
      ...[0, 1, 2, 3, 4].map((k) => {
        const finite = (1 - gone) ** k;
        const loss = 0.1 * (4 - 2 * k);
        return 1 - finite + finite * Math.max(0, 1 - Math.exp(0.35 - loss));
      }),
    );
    inside({ lower, upper }, truth);
  });
});

interface Vector {
  readonly noise: string;
  readonly adjacency: number;
  readonly times: number;
  readonly rows: readonly { readonly epsilon: string; readonly delta: string }[];
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/account.json', import.meta.url), 'utf8'),
) as Vector[];
const stairs = makePmf({
  ...{ step, from: -2, weights: [1n, 1n, 2n, 1n, 1n] },
  left: { period: 2, ratio: rational(1n, 2n) },
  right: { period: 2, ratio: rational(1n, 2n) },
});

describe('many releases', () => {
  it.each(vectors)(
    'of $noise, $times times, as another language has it',
    ({ noise: text, adjacency, times, rows }) => {
      const pmf = text === 'stairs' ? stairs : noise(text, adjacency);
      const total = totalOf([release(pmf, adjacency, times)]);
      for (const { epsilon, delta } of rows) {
        const { lower, upper } = total.deltaAt(Number(epsilon));
        const truth = Number(delta);
        expect([epsilon, lower <= truth * (1 + 1e-15), upper >= truth * (1 - 1e-15)]).toEqual([
          epsilon,
          true,
          true,
        ]);
        expect(upper - lower).toBeLessThanOrEqual(1e-8 * truth + 1e-280);
      }
    },
  );

  it.each([
    ['discrete-gaussian:sigma=10', 100, 1e-6, 4.886571],
    ['discrete-gaussian:sigma=10', 1000, 1e-6, 19.423665],
    ['discrete-gaussian:sigma=100', 10_000, 1e-6, 4.886554],
    ['geometric:scale=10', 100, 1e-6, 4.774568],
  ] as const)('of %s, %d times', (text, times, delta, expected) => {
    const { lower, upper } = totalOf([release(noise(text), 1, times)]).epsilonAt(delta);
    expect(lower).toBeLessThan(expected + 5e-7);
    expect(upper).toBeGreaterThan(expected - 5e-7);
    expect((upper - lower) / upper).toBeLessThan(1e-7);
    expect(upper - expected).toBeLessThan(1e-6);
  });

  it('keep their digits down to δ = 1e-50', () => {
    const { lower, upper } = totalOf([release(noise('discrete-gaussian:sigma=10'), 1, 100)]).epsilonAt(1e-50);
    expect((upper - lower) / upper).toBeLessThan(1e-10);
    // Of the normal distributions one apart, δ(15.2478700…) is 1e-50 to six digits.
    expect(upper).toBeCloseTo(15.24787, 3);
  });

  it('are bracketed a millionth apart however many they are', () => {
    for (const [text, times] of [
      ['discrete-gaussian:sigma=1000', 1_000_000],
      ['discrete-gaussian:sigma=3', 7],
      ['discrete-gaussian:sigma=0.7', 50],
      ['geometric:scale=1000', 1_000_000],
      ['geometric:scale=0.5', 40],
    ] as const)
      for (const delta of [1e-3, 1e-9]) {
        const { lower, upper } = totalOf([release(noise(text), 1, times)]).epsilonAt(delta);
        expect([text, lower > 0, (upper - lower) / upper < 1e-6]).toEqual([text, true, true]);
      }
  });

  it('of different noises are bracketed within 1e-4, and the blurred losses agree with those on one progression', () => {
    const list = [
      release(noise('discrete-gaussian:sigma=10'), 1, 20),
      release(noise('geometric:scale=7'), 1, 10),
      release(noise('gaussian:sigma=12'), 1, 5),
      release(noise('laplace:scale=9', 2), 2, 3),
    ];
    const total = totalOf(list);
    expect(total.method).toBe('grid');
    const { lower, upper } = total.epsilonAt(1e-6);
    expect((upper - lower) / upper).toBeLessThan(1e-4);
    expect(lower).toBeGreaterThan(totalOf(list.slice(1)).epsilonAt(1e-6).upper);
  });

  it('of discrete Gaussian noise off the lattice are as close, however many mixes there are', () => {
    for (const times of [10, 1_000, 20_000]) {
      const total = totalOf([release(noise('discrete-gaussian:sigma=50,mu=0.3'), 1, times)]);
      expect(total.dominated).toBe(false);
      const { lower, upper } = total.epsilonAt(1e-6);
      expect((upper - lower) / upper).toBeLessThan(1e-8);
    }
  });

  it('of noise with one side are told beyond the largest loss, too', () => {
    // Up and down are as different as can be: one has infinite loss, the other none.
    const side = pmfOf([500, 300, 150, 60, 20]);
    for (const times of [3, 60, 2_000])
      for (const epsilon of [0.1, 5, 500, 1e9]) {
        const { lower, upper } = totalOf([release(side, 1, times)]).deltaAt(epsilon);
        // All up: the smallest value has no counterpart.
        expect(upper).toBeGreaterThanOrEqual((1 - (1 - 500 / 1030) ** times) * (1 - 1e-12));
        expect(lower).toBeLessThanOrEqual(upper);
        expect(lower).toBeGreaterThan(0);
      }
  });

  it('have an upper bound in which no direction is left out', () => {
    // Asymmetric noise, often enough that mixes are not looked at one by one.
    const skew = pmfOf([1, 8, 4, 3, 2, 1]);
    const [up, down] = [skew, pmfOf([1, 2, 3, 4, 8, 1])].map((pmf) => totalOf([release(pmf, 1, 60)]));
    for (const epsilon of [0.5, 5, 20]) {
      const [a, b] = [up!.deltaAt(epsilon), down!.deltaAt(epsilon)];
      expect(a.upper).toBeGreaterThanOrEqual(b.lower);
      expect(b.upper).toBeGreaterThanOrEqual(a.lower);
    }
  });

  it('need no less when there are more of them', () => {
    const pmf = noise('geometric:scale=10');
    let before = 0;
    for (const times of [1, 2, 10, 11, 100, 1000]) {
      const { lower, upper } = totalOf([release(pmf, 1, times)]).epsilonAt(1e-6);
      expect(upper).toBeGreaterThanOrEqual(before);
      before = lower;
    }
  });
});

describe('what cannot be', () => {
  const pmf = pmfOf([1, 2, 1]);
  it.each([
    [{ times: 0 }, /times: expected a whole number/],
    [{ times: 1.5 }, /times: expected a whole number/],
    [{ times: -1 }, /times: expected a whole number/],
    [{ of: 'counts', sampling: 0 }, /sampling: expected a probability/],
    [{ of: 'counts', sampling: 1.1 }, /sampling: expected a probability/],
    [{ sampling: 0.5 }, /a release of rows shows who was sampled/],
  ] as const)('%j', (more, words) => {
    expect(() => totalOf([release(pmf, 1, 1, more as Partial<Repeated>)])).toThrow(words);
  });

  it('is a group that is sampled', () => {
    expect(() => totalOf([release(pmf, 1, 1, { of: 'counts', sampling: 0.5 })], 2)).toThrow(
      /group: expected 1/,
    );
  });
});
