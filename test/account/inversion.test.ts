// The bounds hold wherever they are asked for, also where the tilt and the estimates they are made for are wrong.

import { describe, expect, it } from 'vitest';
import { compose } from '../../src/account/composition.js';
import { invertBlurred, invertOnLattice } from '../../src/account/inversion.js';
import { lossesOf } from '../../src/account/losses.js';
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
    const invert = way === 'blurred' ? invertBlurred : invertOnLattice;
    for (const epsilon of epsilons) {
      const { lower, upper } = truth.deltaAt(epsilon);
      expect((upper - lower) / upper).toBeLessThan(1e-8);
      for (const factor of way === 'blurred' ? [0.7, 1, 1.4] : [0.02, 0.2, 0.7, 1, 1.4, 4])
        for (const logDelta of [0, Math.log(upper), Math.log(upper) - 8]) {
          const c = factor * tiltFor(components, epsilon);
          const found = invert(components, [progression], c, { epsilon, logDelta }).deltaAt(epsilon);
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
