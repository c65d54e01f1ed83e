// Staircase noise [QHFL, Eq. 20]: stairs of `width` steps, each `ratio` times as high as the one before,
// mirrored about −step/2. ε = ⌈m / (width·step)⌉·log(1 / ratio).

import { staircaseDensity } from '../density/index.js';
import {
  divide,
  type Enclosure,
  exactText,
  exp,
  integer,
  isInteger,
  log,
  multiply,
  negate,
  type Rational,
  rational,
  toDecimalUp,
  toNumberUp,
} from '../exact/index.js';
import { makePmf, withoutError } from '../pmf/index.js';
import { type Family, parameter, type Target } from './noise.js';

const WIDEST = 5_000_000;

export const staircase: Family = {
  name: 'staircase',
  meaning: 'stairs of equal width, each lower than the one before by the same factor',
  parameters: [
    { key: 'width', meaning: 'a, the width of a stair in steps' },
    { key: 'ratio', meaning: 'ρ, the height of a stair over that of the one before' },
  ],
  dial: {
    key: 'ratio',
    grows: true,
    // ⌈m / width⌉·log(1 / ratio) ≤ ε
    solve: (target, values) => {
      if (target.delta.num > 0n) return null;
      return { ratio: toDecimalUp(exp(negate(lossPerStair(target, values)), 128).upper, 25) };
    },
    guess: (target, values) => Math.exp(-toNumberUp(lossPerStair(target, values))),
    range: { lower: 0, upper: 1 },
  },
  build(values, step) {
    const width = readWidth(values);
    const inside = (value: Rational) => value.num > 0n && value.num < value.den;
    const ratio = parameter('staircase', values, 'ratio', 'above 0 and below 1', inside);
    return {
      family: 'staircase',
      parameters: { width: String(width), ratio: exactText(ratio) },
      step,
      approximate: () => {
        const tail = { period: width, ratio };
        const weights = new Array<bigint>(2 * width).fill(1n);
        return withoutError(makePmf({ step, from: -width, weights, left: tail, right: tail }));
      },
      pureEpsilon: (adjacency) => levels(Math.ceil(adjacency / width), ratio),
      continuous: {
        density: staircaseDensity(multiply(integer(width), step), ratio),
        rounding: 'down',
        at: (finer) => {
          const steps = divide(multiply(integer(width), step), finer);
          return staircase.build({ ...values, width: exactText(steps) }, finer);
        },
      },
    };
  },
};

function lossPerStair({ epsilon, adjacency }: Target, values: Readonly<Record<string, string>>): Rational {
  return divide(epsilon, integer(Math.ceil(adjacency / readWidth(values))));
}

function readWidth(values: Readonly<Record<string, string>>): number {
  const whole = (value: Rational) => isInteger(value) && value.num > 0n && toNumberUp(value) <= WIDEST;
  return toNumberUp(
    parameter('staircase', values, 'width', `a whole number of steps from 1 to ${WIDEST}`, whole),
  );
}

/** count·log(1 / ratio) */
function levels(count: number, ratio: Rational): Enclosure {
  const loss = log(rational(ratio.den, ratio.num), 160);
  return { lower: multiply(integer(count), loss.lower), upper: multiply(integer(count), loss.upper) };
}
