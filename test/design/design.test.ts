import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alternatives,
  clamped,
  design,
  leastMagnitude,
  type Objective,
  objectiveValue,
  outputDistance,
  parseObjective,
  stairsOf,
} from '../../src/design/index.js';
import { parseDecimal, type Rational, rational, toNumberNear } from '../../src/exact/index.js';
import { certify } from '../../src/mechanism/index.js';
import {
  lastIndex,
  makePmf,
  moments,
  outputOf,
  type Pmf,
  probabilities,
  wasserstein,
} from '../../src/pmf/index.js';
import { privacyProfile } from '../../src/privacy/index.js';
import { parsePrior } from '../../src/spec/index.js';

const step = rational(1n);
const prior = (text: string, at = step): Pmf =>
  parsePrior(text, at, { table: () => [], column: () => [], columnIsPublic: false }).pmf;
const finite = (from: number, weights: readonly (number | bigint)[]): Pmf =>
  makePmf({ step, from, weights: weights.map(BigInt), left: null, right: null });

interface Asked {
  readonly epsilon: string;
  readonly adjacency: number;
  readonly delta?: string;
  readonly prior?: Pmf;
  readonly objective?: string;
  readonly unbiased?: boolean;
  readonly symmetric?: boolean;
  readonly step?: Rational;
}

const publicPrior = (pmf: Pmf) => ({ pmf, spec: 'input', cut: null });

function solve(asked: Asked) {
  const at = asked.step ?? step;
  return design(
    {
      epsilon: parseDecimal(asked.epsilon),
      delta: parseDecimal(asked.delta ?? '0'),
      adjacency: asked.adjacency,
    },
    {
      objective: parseObjective(asked.objective ?? (asked.prior ? 'wasserstein' : 'magnitude'), at),
      prior: asked.prior ? publicPrior(asked.prior) : null,
      unbiased: asked.unbiased === true,
      symmetric: asked.symmetric === true,
    },
    at,
  );
}

/** The floored Gaussian and the Poisson input on the errata's ranges. */
function cutTo(pmf: Pmf, low: number, high: number): Pmf {
  return makePmf({ ...pmf, from: low, weights: pmf.weights.slice(low - pmf.from, high - pmf.from + 1) });
}
const gaussian = cutTo(prior('gaussian:sigma=10'), -60, 60);
const wholePoisson = prior('poisson:rate=5');
const poisson = lastIndex(wholePoisson) > 40 ? cutTo(wholePoisson, 0, 40) : wholePoisson;

describe('the paper’s inputs, m = 15', () => {
  const table = [
    [gaussian, '1', 9.0689, 9.05849],
    [gaussian, '2', 2.7983, 2.7983],
    [gaussian, '3', 1.21338, 1.13785],
    [gaussian, '4', 0.61314, 0.51231],
    [poisson, '2', 4.98544, 4.98544],
    [poisson, '3', 2.42223, 2.36854],
  ] as const;
  for (const [input, epsilon, relaxed, exact] of table) {
    it(`P₂ ${relaxed} and P₁ ${exact} at ε = ${epsilon} on ${input === gaussian ? 'the Gaussian' : 'the Poisson'} input`, () => {
      const found = solve({ epsilon, adjacency: 15, prior: input });
      expect(found.value).toBeCloseTo(exact, 5);
      expect(found.gap).toBeLessThan(1e-6);
      const target = { epsilon: parseDecimal(epsilon), delta: rational(0n), adjacency: 15 };
      const w = wasserstein(input, outputOf(input, leastMagnitude(target, step)));
      expect(w).toBeCloseTo(relaxed, 5);
      expect(found.value).toBeLessThanOrEqual(w * (1 + 1e-12));
    });
  }

  it('P₂ is E|θ|, whatever the input, and so P₁ equals P₂ for a point', () => {
    const target = { epsilon: parseDecimal('2'), delta: rational(0n), adjacency: 15 };
    const relaxed = toNumberNear(moments(leastMagnitude(target, step)).meanAbsolute);
    expect(relaxed).toBeCloseTo(6.37948, 5);
    expect(solve({ epsilon: '2', adjacency: 15, prior: prior('point:at=3') }).value).toBeCloseTo(relaxed, 6);
  });
});

describe('numerical traps', () => {
  const traps: readonly [string, Asked][] = [
    ['ε = 0.01 with long tails', { epsilon: '0.01', adjacency: 15 }],
    ['ε = 0.01 with a prior', { epsilon: '0.01', adjacency: 15, prior: poisson }],
    ['ε = 20', { epsilon: '20', adjacency: 15 }],
    ['ε = 20 with a prior', { epsilon: '20', adjacency: 15, prior: poisson }],
    ['ε = 60, beyond what doubles tell from 0', { epsilon: '60', adjacency: 2 }],
    [
      'm = 1, ε = 5 and a hundred points, where plain doubles overflow',
      {
        epsilon: '5',
        adjacency: 1,
        prior: finite(
          0,
          Array.from({ length: 150 }, (_, i) => 1 + ((i * 7919) % 101)),
        ),
      },
    ],
    [
      'two atoms far apart',
      { epsilon: '1', adjacency: 3, prior: finite(0, [3, ...new Array(2000).fill(0), 5]) },
    ],
    [
      'a step of a quarter',
      {
        epsilon: '1',
        adjacency: 20,
        prior: prior('poisson:rate=5', rational(1n, 4n)),
        step: rational(1n, 4n),
      },
    ],
  ];
  for (const [name, asked] of traps) {
    it(`closes the gap for ${name}`, () => {
      const { value, gap, certificate } = solve(asked);
      expect(value).toBeGreaterThan(0);
      expect(gap).toBeLessThan(1e-6);
      expect(certificate.holds).toBe(true);
    });
  }

  it('takes a prior of 10⁵ points', () => {
    const { gap, certificate } = solve({
      epsilon: '2',
      adjacency: 7000,
      prior: prior('gaussian:sigma=7000'),
    });
    expect(gap).toBeLessThan(1e-6);
    expect(certificate.holds).toBe(true);
  }, 120_000);

  it('keeps every shift under δ > 0, not only the largest', () => {
    const { mechanism, certificate } = solve({ epsilon: '0.5', adjacency: 6, delta: '0.05' });
    expect(certificate.holds).toBe(true);
    // A comb of period 6 satisfies the shift 6 alone and nothing else.
    const { p } = probabilities(mechanism.pmf, mechanism.pmf.from, lastIndex(mechanism.pmf));
    for (let s = 1; s <= 6; s++) {
      let sum = 0;
      for (let k = -s; k < p.length; k++) sum += Math.max(0, (p[k + s] ?? 0) - Math.exp(0.5) * (p[k] ?? 0));
      expect(sum).toBeLessThanOrEqual(0.05 * (1 + 1e-9));
    }
    const comb = finite(
      0,
      Array.from({ length: 61 }, (_, i) => (i % 6 === 0 ? 1 : 0)),
    );
    expect(toNumberNear(privacyProfile(comb, 6).deltaAt(parseDecimal('0.5')).lower)).toBeGreaterThan(0.5);
  });

  it('refuses noise that would reach too far', () => {
    expect(() => solve({ epsilon: '0.000001', adjacency: 100 })).toThrow(
      /at most 10000000 steps across.*larger epsilon/,
    );
  });
});

describe('no noise beats the bound', () => {
  /** Any positive numbers made ε-DP on the window by their closure, tails by steady descent. */
  function feasible(values: readonly number[], m: number, epsilon: number): Float64Array {
    const wide = values.length + 300 * m;
    const q = Math.exp(-epsilon);
    return Float64Array.from({ length: wide }, (_, i) => {
      const k = i - 150 * m;
      return values.reduce((most, v, j) => Math.max(most, v * q ** Math.ceil(Math.abs(k - j) / m)), 0);
    });
  }

  it('found by a random search on small problems', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc
          .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 9 })
          .filter((w) => w[0]! > 0 && w[w.length - 1]! > 0),
        fc.array(fc.array(fc.double({ min: 1e-6, max: 1, noNaN: true }), { minLength: 3, maxLength: 15 }), {
          minLength: 20,
          maxLength: 20,
        }),
        (m, rate, weights, tries) => {
          const epsilon = rate.toFixed(4);
          const input = finite(0, weights);
          const { lowerBound, value } = solve({ epsilon, adjacency: m, prior: input });
          expect(lowerBound).toBeLessThanOrEqual(value);
          const px = probabilities(input, 0, weights.length - 1).p;
          for (const raw of tries) {
            const p = feasible(raw, m, Number(epsilon));
            const mass = p.reduce((a, b) => a + b, 0);
            const from = -150 * m - Math.floor(raw.length / 2);
            let [w, fx, fout] = [0, 0, 0];
            for (let k = from; k < from + p.length + weights.length; k++) {
              fx += px[k] ?? 0;
              for (let x = 0; x < weights.length; x++) fout += ((p[k - x - from] ?? 0) / mass) * px[x]!;
              w += Math.abs(fx - fout);
            }
            expect(w).toBeGreaterThan(lowerBound * (1 - 1e-6));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of its alternatives, at the same guarantee, pure or not', () => {
    for (const delta of ['0', '0.0001']) {
      const target = { epsilon: parseDecimal('1'), delta: parseDecimal(delta), adjacency: 5 };
      const options = {
        objective: parseObjective('wasserstein', step),
        prior: publicPrior(poisson),
        unbiased: false,
        symmetric: false,
      };
      const found = design(target, options, step);
      const others = alternatives(target, options, step);
      expect(others.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'P2',
          'laplace',
          'geometric',
          'staircase:width=5',
          'staircase:width=20',
          'geng-viswanath',
        ]),
      );
      if (delta !== '0')
        expect(others.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['discrete-gaussian', 'canonical']),
        );
      for (const other of others) expect(other.value).toBeGreaterThanOrEqual(found.lowerBound);
    }
  });
});

describe('laws', () => {
  it('more δ never hurts, and none is worse than the pure optimum', () => {
    const values = ['0', '1e-9', '1e-4', '0.01', '0.2'].map(
      (delta) => solve({ epsilon: '1', adjacency: 3, delta, prior: poisson }).value,
    );
    for (let i = 1; i < values.length; i++)
      expect(values[i]).toBeLessThanOrEqual(values[i - 1]! * (1 + 1e-6));
    expect(values[4]).toBeLessThan(values[0]! * 0.9);
  });

  it('W falls with ε and grows with m', () => {
    const at = (epsilon: string, adjacency: number) => solve({ epsilon, adjacency, prior: gaussian }).value;
    expect(at('1', 15)).toBeGreaterThan(at('1.5', 15));
    expect(at('2', 16)).toBeGreaterThan(at('2', 15));
  });

  it('E|θ| without a prior is Geng and Viswanath’s', () => {
    for (const [epsilon, m] of [
      ['0.5', 7],
      ['2', 15],
      ['4', 3],
    ] as const) {
      const options = {
        objective: parseObjective('magnitude', step),
        prior: null,
        unbiased: false,
        symmetric: false,
      };
      const target = { epsilon: parseDecimal(epsilon), delta: rational(0n), adjacency: m };
      const known = alternatives(target, options, step).find(({ name }) => name === 'geng-viswanath')!;
      expect(design(target, options, step).value / known.value).toBeCloseTo(1, 9);
    }
  });

  it('unbiased noise has mean 0 and symmetric noise is its own mirror image', () => {
    const skewed = finite(
      0,
      Array.from({ length: 40 }, (_, k) => Math.round(1e9 / (k + 1) ** 1.5)),
    );
    const free = solve({ epsilon: '1', adjacency: 4, prior: skewed });
    const unbiased = solve({ epsilon: '1', adjacency: 4, prior: skewed, unbiased: true });
    const symmetric = solve({ epsilon: '1', adjacency: 4, prior: skewed, symmetric: true });
    expect(Math.abs(toNumberNear(moments(free.mechanism.pmf).mean))).toBeGreaterThan(0.01);
    expect(Math.abs(toNumberNear(moments(unbiased.mechanism.pmf).mean))).toBeLessThan(1e-9);
    const { weights, from } = symmetric.mechanism.pmf;
    expect([...weights].reverse()).toEqual([...weights]);
    expect(from).toBe(-(weights.length - 1) / 2);
    expect(free.value).toBeLessThanOrEqual(unbiased.value * (1 + 1e-6));
    expect(unbiased.value).toBeLessThanOrEqual(symmetric.value * (1 + 1e-6));
  });

  it('a mix lies between its terms', () => {
    const objective = (text: string): Objective => parseObjective(text, step);
    const mixed = solve({
      epsilon: '1',
      adjacency: 5,
      prior: poisson,
      objective: 'wasserstein,magnitude=0.1',
    });
    const w = solve({ epsilon: '1', adjacency: 5, prior: poisson });
    const { pmf } = mixed.mechanism;
    expect(objectiveValue(pmf, objective('wasserstein'), poisson)).toBeGreaterThanOrEqual(w.lowerBound);
    expect(
      objectiveValue(pmf, objective('wasserstein'), poisson) +
        0.1 * objectiveValue(pmf, objective('magnitude'), null),
    ).toBeCloseTo(mixed.value, 9);
  });

  it('large windows under δ > 0 go by blocks, certified and bounded', () => {
    const { certificate, gap, grain, value, lowerBound } = solve({
      epsilon: '0.5',
      adjacency: 150,
      delta: '0.05',
    });
    expect(certificate.holds).toBe(true);
    expect(grain).toBeGreaterThan(1);
    expect(gap).toBeLessThan(0.05);
    expect(lowerBound).toBeLessThan(value);
  }, 60_000);

  it('claims no bound where blocks would be wider than the adjacency', () => {
    const found = solve({ epsilon: '0.02', adjacency: 1, delta: '0.001', prior: prior('gaussian:sigma=10') });
    const symmetric = solve({
      epsilon: '0.02',
      adjacency: 1,
      delta: '0.001',
      prior: prior('gaussian:sigma=10'),
      symmetric: true,
    });
    expect(found.certificate.holds).toBe(true);
    expect(found.lowerBound).toBeLessThanOrEqual(symmetric.value);
  }, 60_000);

  it('falls back to pure noise that is left out with probability δ, which is better than pure', () => {
    for (const [epsilon, adjacency, delta] of [
      ['0.01', 1, '1e-6'],
      ['50', 1, '0.001'],
      ['1', 1, '1e-300'],
      ['1', 5, '0.99'],
    ] as const) {
      const found = solve({ epsilon, adjacency, delta });
      expect(found.certificate.holds).toBe(true);
      expect(found.value).toBeLessThanOrEqual(solve({ epsilon, adjacency }).value);
    }
  });

  it('keeps the digits of tiny values', () => {
    const tail = solve({ epsilon: '5', adjacency: 1, objective: 'tail:20' });
    expect(tail.value).toBeGreaterThan(0);
    expect(tail.gap).toBeLessThan(1e-6);
    const w = solve({ epsilon: '38', adjacency: 2, prior: poisson });
    expect(w.value).toBeLessThan(toNumberNear(moments(w.mechanism.pmf).meanAbsolute) * (1 + 1e-9));
    expect(w.gap).toBeLessThan(1e-6);
    expect(outputDistance(poisson, w.mechanism.pmf)).toBe(w.value);
  });

  it('certifies what it compiles, at once and again from the mechanism', () => {
    const { mechanism } = solve({ epsilon: '1.3', adjacency: 6, prior: poisson });
    const again = certify(mechanism);
    expect(again.holds).toBe(true);
    expect(toNumberNear(again.epsilonUpper!)).toBeLessThanOrEqual(1.3);
    expect(toNumberNear(again.epsilonUpper!)).toBeGreaterThan(1.3 * (1 - 1e-9));
  });
});

describe('stairs and clamps', () => {
  it('tells the stairs of the optimum', () => {
    const { mechanism } = solve({ epsilon: '2', adjacency: 15, prior: gaussian });
    const stairs = stairsOf(mechanism.pmf);
    expect(stairs.map(({ width }) => width)).toEqual([5, 15, 9, 15, 5]);
    expect(stairs[2]).toMatchObject({ from: -4, to: 4, height: 1 });
    expect(stairs[1]!.height).toBeCloseTo(Math.exp(-2), 9);
  });

  it('clamps as brute force does', () => {
    const input = finite(1, [2, 0, 3, 4, 1]);
    const noise = solve({ epsilon: '1', adjacency: 2, prior: input }).mechanism.pmf;
    const [low, high] = [2, 4];
    const { p } = probabilities(noise, -200, 200);
    const px = probabilities(input, 1, 5).p;
    const out = new Map<number, number>();
    let error = 0;
    for (let x = 1; x <= 5; x++) {
      for (let j = -200; j <= 200; j++) {
        const v = Math.min(high, Math.max(low, x + j));
        out.set(v, (out.get(v) ?? 0) + px[x - 1]! * p[j + 200]!);
        error += px[x - 1]! * p[j + 200]! * Math.abs(v - x);
      }
    }
    let [w, fx, fo] = [0, 0, 0];
    for (let k = 1; k <= 5; k++) {
      fx += px[k - 1]!;
      fo += out.get(k) ?? 0;
      w += Math.abs(fx - fo);
    }
    const found = clamped(input, noise, low, high);
    expect(found.wasserstein).toBeCloseTo(w, 10);
    expect(found.meanAbs).toBeCloseTo(error, 10);
  });
});

describe('objectives', () => {
  it('reads them, and says what is wrong', () => {
    expect(parseObjective('wasserstein,magnitude=0.1', step)).toMatchObject({
      wasserstein: 1,
      magnitude: 0.1,
    });
    expect(parseObjective('tail:3.5', rational(1n, 2n)).tails).toEqual([{ beyond: 7, weight: 1 }]);
    expect(() => parseObjective('wassertein', step)).toThrow(/unknown "wassertein".*wasserstein/);
    expect(() => parseObjective('tail', step)).toThrow(/tail:t/);
    expect(() => parseObjective('variance=-1', step)).toThrow(/weight above 0/);
    expect(() => solve({ epsilon: '0', adjacency: 3 })).toThrow(/above 0/);
  });
});
