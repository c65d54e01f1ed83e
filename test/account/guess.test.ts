// The best guess by all that is published of a person, against brute force over what she may change and over all outcomes.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Changes, guessUpper, readCost, totalOf, type Values } from '../../src/account/index.js';
import { profiledLaw } from '../../src/account/profiled.js';
import { design, parseObjective } from '../../src/design/index.js';
import { parseDecimal, rational } from '../../src/exact/index.js';
import { noise, pmfOf, release } from './releases.js';

/** An upper bound that says nothing by itself. */
const cost = readCost({ epsilon: '1000', delta: '0' });
const byValues = (...values: Values[]) => guessUpper({ values, changes: [], cost });
const byChanges = (...changes: Changes[]) => guessUpper({ values: [], changes, cost });

/** The masses of weights. */
const masses = (weights: readonly number[]) => {
  const whole = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / whole);
};

/** Σ |P − Q| / 2 of results with noise of their own each, which move by these shifts. */
function apart(p: readonly number[], shifts: readonly number[]): number {
  let pairs: (readonly [number, number])[] = [[1, 1]];
  for (const shift of shifts) {
    const reach = Math.abs(shift);
    const own = Array.from({ length: p.length + 2 * reach }, (_, n): readonly [number, number] => {
      const i = n - reach;
      return [p[i] ?? 0, p[i - shift] ?? 0];
    });
    pairs = pairs.flatMap(([a, b]) => own.map(([c, d]) => [a * c, b * d] as const));
  }
  return pairs.reduce((sum, [a, b]) => sum + Math.max(0, a - b), 0);
}

/** Every way to move results by `left` in all, up or down. */
function moves(left: number, most = left): number[][] {
  if (left === 0) return [[]];
  const found: number[][] = [];
  for (let part = Math.min(left, most); part >= 1; part--)
    for (const rest of moves(left - part, part)) found.push([part, ...rest], [-part, ...rest]);
  return found;
}

const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 5 });

describe('the best guess by values', () => {
  it('is never below that of any shifts of them, and is theirs where noise is the worst at its largest', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 }), (w, m, k) => {
        const bound = byValues({ pmf: pmfOf(w), adjacency: m, times: k });
        const shifts = Array.from({ length: 2 * m + 1 }, (_, i) => i - m);
        let all: number[][] = [[]];
        for (let i = 0; i < k; i++) all = all.flatMap((some) => shifts.map((shift) => [...some, shift]));
        const worst = Math.max(...all.map((some) => apart(masses(w), some)));
        expect(bound).toBeGreaterThanOrEqual((1 + worst) / 2 - 1e-13);
        const isUnimodal = w.every(
          (x, i) => i === 0 || i === w.length - 1 || x >= Math.min(w[i - 1]!, w[i + 1]!),
        );
        if (isUnimodal && m === 1 && k === 1) expect(bound).toBeCloseTo((1 + worst) / 2, 9);
      }),
      { numRuns: 60 },
    );
  });

  it('is what the account of the same releases says', () => {
    const [a, b] = [noise('geometric:scale=60', 5), noise('gaussian:sigma=30', 7)];
    const found = byValues({ pmf: a, adjacency: 5, times: 6 }, { pmf: b, adjacency: 7, times: 6 });
    const { lower, upper } = totalOf([release(a, 5, 6), release(b, 7, 6)]).deltaAt(0);
    expect(found).toBeGreaterThanOrEqual((1 + lower) / 2);
    expect(found).toBeCloseTo((1 + upper) / 2, 6);
  });
});

it('is bounded one by one where noise is too wide to be added up', () => {
  const pmf = noise('discrete-gaussian:sigma=8000', 5);
  expect(pmf.weights.length).toBeGreaterThan(200_000);
  const found = byValues({ pmf, adjacency: 5, times: 6 });
  // Of six together, and six times that of one.
  const [all, one] = [(5 / 8000 / Math.sqrt(2 * Math.PI)) * Math.sqrt(6), 5 / 8000 / Math.sqrt(2 * Math.PI)];
  expect(2 * found - 1).toBeGreaterThan(all);
  expect(2 * found - 1).toBeLessThan(6.01 * one);
});

describe('the best guess by counts', () => {
  /** The least ε of a change by one, either way; infinite where an outcome tells it. */
  const lossOf = (p: readonly number[]) =>
    Math.max(...p.slice(1).map((mass, i) => Math.abs(Math.log(mass / p[i]!))));
  /** δ at an ε of a change by one. */
  const deltaOf = (p: readonly number[], epsilon: number) =>
    Math.max(
      ...[1, -1].map((shift) =>
        Array.from({ length: p.length + 2 }, (_, n) => n - 1).reduce(
          (sum, i) => sum + Math.max(0, (p[i] ?? 0) - Math.exp(epsilon) * (p[i - shift] ?? 0)),
          0,
        ),
      ),
    );

  it('is never below that of any spread of the changes over counts, up or down', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 4 }), (w, times) => {
        const p = masses(w);
        const epsilon = lossOf(p) + 1e-9;
        const delta = deltaOf(p, epsilon);
        const bound = byChanges({
          cost: readCost({ epsilon: epsilon.toFixed(15), delta: (delta + 1e-12).toFixed(15) }),
          times,
        });
        for (const shifts of moves(times))
          expect(bound).toBeGreaterThanOrEqual((1 + apart(p, shifts)) / 2 - 1e-11);
      }),
      { numRuns: 40 },
    );
  });

  it('is that of geometric noise, all changes in one count', () => {
    for (const [epsilon, times] of [
      [0.2, 1],
      [0.2, 6],
      [0.5, 7],
    ] as const) {
      const r = Math.exp(-epsilon);
      const p = masses(Array.from({ length: 801 }, (_, i) => r ** Math.abs(i - 400)));
      const found = byChanges({ cost: readCost({ epsilon: String(epsilon), delta: '0' }), times });
      expect(found).toBeCloseTo((1 + apart(p, [times])) / 2, 9);
    }
  });

  it('is hardly more where changes are too many to be told one by one, and never less', () => {
    for (const times of [33, 1000, 1001]) {
      const exact = (2 - Math.exp(-Math.floor(times / 2) * 0.01)) / 2;
      const found = byChanges({ cost: readCost({ epsilon: '0.01', delta: '0' }), times });
      expect(found).toBeGreaterThanOrEqual(exact);
      expect(found).toBeLessThan(exact + 0.02);
    }
  });

  it('is never above what the cost allows, and half where nothing is told', () => {
    const one = readCost({ epsilon: '1', delta: '0.01' });
    const found = guessUpper({
      values: [],
      changes: [{ cost: readCost({ epsilon: '3', delta: '0' }), times: 9 }],
      cost: one,
    });
    expect(found).toBeCloseTo((Math.E + 0.01) / (1 + Math.E), 9);
    expect(guessUpper({ values: [], changes: [], cost })).toBeCloseTo(0.5, 9);
  });
});

describe('noise that is too wide for its losses to be looked at shift by shift', () => {
  it('is dominated at every ε by the chords of its profile', () => {
    fc.assert(
      fc.property(
        weights,
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: -4, max: 4, noNaN: true }),
        (w, m, at) => {
          const { loss, mass, infinite } = profiledLaw(pmfOf(w), m);
          const p = masses(w);
          const x = Math.exp(at);
          const bound = loss.reduce(
            (sum, l, i) => sum + mass[i]! * Math.max(0, 1 - x * Math.exp(-l)),
            infinite.upper,
          );
          for (let shift = -m; shift <= m; shift++) {
            let own = 0;
            for (let i = -m; i < p.length + m; i++) own += Math.max(0, (p[i] ?? 0) - x * (p[i - shift] ?? 0));
            expect(bound).toBeGreaterThanOrEqual(own * (1 - 1e-12));
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is guessed as often on a fine lattice as on a coarse one', () => {
    const objective = parseObjective('magnitude', rational(1n));
    const options = { objective, prior: null, unbiased: true, symmetric: false };
    const guessAt = (adjacency: number) => {
      const target = { epsilon: parseDecimal('0.333'), delta: rational(0n), adjacency };
      const { pmf } = design(target, options, rational(1n)).mechanism;
      return byValues({ pmf, adjacency, times: 3 });
    };
    const [coarse, fine] = [guessAt(200), guessAt(10_000)];
    expect(Math.abs(fine - coarse)).toBeLessThan(0.002);
    // Three results apart one by one would be 1 − (1 − 0.163)³, and the guess 0.707.
    expect(fine).toBeLessThan(0.63);
  });
});

it('covers values and counts together: more than either alone, less than both apart', () => {
  const values = [{ pmf: noise('geometric:scale=20', 5), adjacency: 5, times: 1 }];
  const changes = [{ cost: readCost({ epsilon: '0.25', delta: '0' }), times: 2 }];
  const [one, other] = [byValues(...values), byChanges(...changes)];
  const both = guessUpper({ values, changes, cost });
  expect(both).toBeGreaterThan(Math.max(one, other));
  expect(1 - (2 * both - 1)).toBeGreaterThanOrEqual((1 - (2 * one - 1)) * (1 - (2 * other - 1)) - 1e-12);
});
