// Uniform noise on {low, …, high}: δ = min(1, m / (high − low + step)) at every ε.

import { uniformDensity } from '../density/index.js';
import { invalid } from '../error/index.js';
import {
  add,
  ceiling,
  divide,
  exactText,
  integer,
  isInteger,
  multiply,
  type Rational,
  subtract,
  toNumberUp,
} from '../exact/index.js';
import { windowPmf, withoutError } from '../pmf/index.js';
import { type Family, parameter } from './noise.js';

const WIDEST = 10_000_000;

export const uniform: Family = {
  name: 'uniform',
  meaning: 'uniform noise on the lattice points from low to high',
  parameters: [
    { key: 'low', meaning: 'the least noise value' },
    { key: 'high', meaning: 'the greatest noise value' },
  ],
  dial: {
    key: 'width',
    grows: true,
    notPure: 'its support is bounded, so some outputs are impossible for one of two neighbours',
    solve: ({ delta, adjacency }, _values, step) => narrowest(delta, adjacency, step),
    guess: () => 1,
    range: { lower: 0, upper: Infinity },
  },
  build(values, step) {
    const onLattice = (value: Rational) => isInteger(divide(value, step));
    const low = parameter('uniform', values, 'low', `a multiple of the step ${exactText(step)}`, onLattice);
    const high = parameter('uniform', values, 'high', `a multiple of the step ${exactText(step)}`, onLattice);
    const steps = divide(subtract(high, low), step);
    if (steps.num < 0n)
      throw invalid(
        `uniform: expected low not above high, got low=${exactText(low)}, high=${exactText(high)}`,
      );
    const points = toNumberUp(steps) + 1;
    if (points > WIDEST)
      throw invalid(`uniform: expected at most ${WIDEST} points, got ${points}; use a larger step`);
    return {
      family: 'uniform',
      parameters: { low: exactText(low), high: exactText(high) },
      step,
      approximate: () =>
        withoutError(windowPmf(step, toNumberUp(divide(low, step)), new Array<bigint>(points).fill(1n))),
      pureEpsilon: () => null,
      continuous: {
        density: uniformDensity(low, add(high, step)),
        rounding: 'down',
        at: (finer) =>
          uniform.build({ low: exactText(low), high: exactText(subtract(add(high, step), finer)) }, finer),
      },
    };
  },
};

/** The narrowest uniform noise with δ at most the given one, as near to centred as its width allows. */
function narrowest(delta: Rational, adjacency: number, step: Rational): Record<string, string> {
  const wanted = divide(integer(adjacency), delta);
  const points = ceiling(wanted);
  const low = -(points / 2n);
  return {
    low: exactText(multiply(integer(low), step)),
    high: exactText(multiply(add(integer(low), integer(points - 1n)), step)),
  };
}
