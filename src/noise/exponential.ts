// One-sided exponential noise on step, 2·step, …, normalised.
// Differs from [QHFL, Eq. 23]: η·e^(−ηk) does not sum to one; (e^(η·step) − 1)·e^(−ηk) does. One-sided
// noise is not ε-DP for any ε: δ(ε) = 1 − e^(−ηm) throughout.

import { exponentialDensity } from '../density/index.js';
import {
  divide,
  exactText,
  integer,
  log,
  multiply,
  negate,
  one,
  subtract,
  toDecimalDown,
  zero,
} from '../exact/index.js';
import { makePmf } from '../pmf/index.js';
import { ratioUp, tailError } from './_geometric-tail.js';
import { type Family, isPositive, parameter } from './noise.js';

export const exponential: Family = {
  name: 'exponential',
  meaning: 'one-sided exponential noise on positive values',
  parameters: [{ key: 'rate', meaning: 'η: p(k) ∝ e^(−η·k) for k above 0' }],
  dial: {
    key: 'rate',
    grows: false,
    notPure:
      'it is one-sided, so some outputs are impossible for one of two neighbours; use geometric instead',
    // 1 − e^(−rate·m) ≤ δ
    solve: ({ delta, adjacency }, _values, step) => {
      const loss = negate(log(subtract(one, delta), 128).upper);
      return { rate: toDecimalDown(divide(loss, multiply(integer(adjacency), step)), 15) };
    },
    guess: () => 1,
    range: { lower: 0, upper: Infinity },
  },
  build(values, step) {
    const rate = parameter('exponential', values, 'rate', 'above 0', isPositive);
    return {
      family: 'exponential',
      parameters: { rate: exactText(rate) },
      step,
      approximate: () => {
        const rounded = ratioUp(multiply(rate, step), 'exponential: rate');
        const tail = { period: 1, ratio: rounded.ratio };
        return {
          pmf: makePmf({ step, from: 1, weights: [1n], left: null, right: tail }),
          error: tailError(rounded, zero),
        };
      },
      pureEpsilon: () => null,
      // P(⌈ϑ⌉ = k) = e^(−η(k − 1)) − e^(−ηk)
      continuous: {
        density: exponentialDensity(rate),
        rounding: 'up',
        at: (finer) => exponential.build(values, finer),
      },
    };
  },
};
