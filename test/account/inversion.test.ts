// The bounds hold wherever they are asked for, also where the tilt and the estimates they are made for are wrong.

import { describe, expect, it } from 'vitest';
import type { Around } from '../../src/account/aliases.js';
import { invertBlurred } from '../../src/account/blurred.js';
import { compose } from '../../src/account/composition.js';
import { invertOnLattice } from '../../src/account/lattice.js';
import { lossesOf } from '../../src/account/losses.js';
import { composeMixes, mixed, mixesOf } from '../../src/account/mixes.js';
import { progressionOf } from '../../src/account/progression.js';
import { tiltFor } from '../../src/account/tilt.js';
import { rational } from '../../src/exact/index.js';
import { parseNoise } from '../../src/spec/index.js';

const lossesFor = (text: string, shift = 1) =>
  lossesOf(parseNoise(text, rational(1n), () => []).approximate({ adjacency: 1, cut: 400 }).pmf, shift);

describe.each([
  ['discrete-gaussian:sigma=10', 100, [2, 8, 12]],
  ['geometric:scale=3', 40, [3, 9, 12]],
  ['laplace:scale=2', 300, [60, 100, 140]],
] as const)('%s, %d times', (text, times, epsilons) => {
  const losses = lossesFor(text);
  const components = [{ losses, times }];
  const progression = progressionOf(losses)!;
  const truth = compose(components);

  it.each(['on its progression', 'blurred'])('%s', (way) => {
    const deltaAt = (c: number, around: Around) => {
      const invert = way === 'blurred' ? invertBlurred : invertOnLattice;
      const { lowerAt, upperAt } = invert([{ laws: [losses], times }], [progression], c, around);
      return { lower: lowerAt([times], around.epsilon), upper: upperAt([times], around.epsilon) };
    };
    for (const epsilon of epsilons) {
      const { lower, upper } = truth.deltaAt(epsilon);
      expect((upper - lower) / upper).toBeLessThan(1e-8);
      for (const factor of way === 'blurred' ? [0.7, 1, 1.4] : [0.02, 0.2, 0.7, 1, 1.4, 4])
        for (const logDelta of [0, Math.log(upper), Math.log(upper) - 8]) {
          const c = factor * tiltFor(components, epsilon);
          const found = deltaAt(c, { epsilon, logDelta });
          const told = [text, epsilon, factor, logDelta];
          expect([...told, found.lower <= upper, found.upper >= lower]).toEqual([...told, true, true]);
        }
    }
  });
});

describe('a progression', () => {
  it('is found where there is one, with gaps', () => {
    const law = (loss: number[]) => ({
      ...lossesFor('geometric:scale=3'),
      loss: Float64Array.from(loss),
      mass: Float64Array.from(loss, () => 1 / loss.length),
    });
    expect(progressionOf(law([-0.3, 0.1, 0.2, 0.9]))?.spacing).toBeCloseTo(0.1, 12);
    expect(progressionOf(law([-0.3, 0, 0.2]))?.spacing).toBeCloseTo(0.1, 12);
    expect(progressionOf(law([-0.3, 0.1, 0.2 + 1e-6, 0.9]))).toBeNull();
    expect(progressionOf(law([0.3]))).toBeNull();
    expect(progressionOf(lossesFor('gaussian:sigma=10'))).toBeNull();
  });
});

describe('many mixes of laws', () => {
  const lawsOf = (text: string) => [1, -1].map((shift) => lossesFor(text, shift));
  it.each([
    ['one kind', [['discrete-gaussian:sigma=1.5,mu=0.3', 50]]],
    ['one kind, often', [['discrete-gaussian:sigma=4,mu=0.1', 120]]],
    ['one kind on no progression', [['gaussian:sigma=3,mu=0.3', 44]]],
    [
      'two kinds',
      [
        ['discrete-gaussian:sigma=2,mu=0.3', 9],
        ['discrete-gaussian:sigma=2,mu=0.2', 7],
      ],
    ],
  ] as const)('cost what the worst of them costs: %s', (_, kinds) => {
    const choices = kinds.map(([text, times]) => ({ laws: lawsOf(text), times }));
    const all = Array.from(mixesOf(choices), (mix) => compose(mixed(choices, mix)));
    expect(all).toHaveLength(kinds.reduce((count, [, times]) => count * (times + 1), 1));
    const together = composeMixes(choices, () => ({ ...all[0]!, deltaAt: () => ({ lower: 0, upper: 1 }) }));
    const most = (values: readonly number[]) => Math.max(...values);
    for (const epsilon of [0.5, 2.001, 10, 25]) {
      const each = all.map(({ deltaAt }) => deltaAt(epsilon));
      const { lower, upper } = together.deltaAt(epsilon);
      expect(lower).toBeLessThanOrEqual(most(each.map((one) => one.upper)));
      expect(upper).toBeGreaterThanOrEqual(most(each.map((one) => one.lower)));
      expect((upper - lower) / upper).toBeLessThan(together.method === 'native' ? 1e-8 : 1e-2);
      expect(together.quickly(epsilon)).toBeGreaterThanOrEqual(lower);
    }
    for (const delta of [1e-3, 1e-6, 1e-12]) {
      const each = all.map(({ epsilonAt }) => epsilonAt(delta));
      const { lower, upper } = together.epsilonAt(delta);
      expect(lower).toBeLessThanOrEqual(most(each.map((one) => one.upper)));
      expect(upper).toBeGreaterThanOrEqual(most(each.map((one) => one.lower)));
      expect((upper - lower) / upper).toBeLessThan(together.method === 'native' ? 1e-9 : 1e-4);
    }
    expect(together.epsilonAt(0).upper).toBe(Infinity);
    // Beyond all losses only the infinite one is left.
    for (const epsilon of [1e3, 1e9]) {
      const each = all.map(({ deltaAt }) => deltaAt(epsilon));
      const { lower, upper } = together.deltaAt(epsilon);
      expect(lower).toBeGreaterThan(0);
      expect(lower).toBeLessThanOrEqual(most(each.map((one) => one.upper)));
      expect(upper).toBeGreaterThanOrEqual(most(each.map((one) => one.lower)));
    }
  });
});
