// Utility against privacy: W and E|θ| of the optimum and of every alternative along a grid, and the ε that a wanted W needs.

import { invalid, isOurs } from '../error/index.js';
import {
  parseDecimal,
  type Rational,
  rational,
  toDecimal,
  toDecimalUp,
  toNumberNear,
} from '../exact/index.js';
import { utilityOf } from '../mechanism/index.js';
import type { Target } from '../noise/index.js';
import type { Pmf } from '../pmf/index.js';
import { alternatives } from './alternatives.js';
import { type Design, design } from './design.js';
import { outputDistance } from './distances.js';
import type { DesignOptions } from './options.js';

/** One mechanism at a target: `optimum` with its proved bound, or an alternative with its calibrated noise; no W without a prior. */
export type Tradeoff = ReturnType<typeof tradeoffAt>[number];

/** The optimum at a target and all alternatives, each with the same guarantee. */
export function tradeoffAt(
  target: Target,
  options: DesignOptions,
  step: Rational,
  progress: (message: string) => void = () => {},
) {
  const found = design(target, options, step, progress);
  const entry = (mechanism: string, noise: string | null, pmf: Pmf, lowerBound: number | null) => ({
    mechanism,
    noise,
    w: options.prior && outputDistance(options.prior.pmf, pmf),
    meanAbs: utilityOf(pmf).meanAbs,
    lowerBound,
  });
  return [
    entry('optimum', null, found.mechanism.pmf, found.lowerBound),
    ...alternatives(target, options, step).map(({ name, noise, pmf }) => entry(name, noise, pmf, null)),
  ];
}

/** An ε with its design, and the largest ε that was looked at where the value is proved out of reach; `isFirst` of the range. */
export type LeastEpsilon = ReturnType<typeof leastEpsilon>;

/** An ε of a range whose design has a value of at most `most`: the smallest, to six digits, as far as designs are optimal. */
export function leastEpsilon(
  range: { readonly from: Rational; readonly to: Rational },
  most: number,
  at: (epsilon: Rational) => Design,
) {
  let [low, high] = [range.from, range.to];
  let best = at(high);
  if (!(best.value <= most))
    throw invalid(
      `targetW: no ε up to ${toDecimal(high)} reaches W = ${most}; there the optimum has ${short(best.value)}, and no noise has less than ${short(best.lowerBound)}; allow a larger ε or W`,
    );
  // At the range's low end the noise may be too wide to design; then that is not enough either.
  const attempt = (epsilon: Rational): Design | null => {
    try {
      return at(epsilon);
    } catch (error) {
      if (isOurs(error, 'argument')) return null;
      throw error;
    }
  };
  const first = attempt(low);
  if (first && first.value <= most) return { epsilon: low, design: first, notEnough: null, isFirst: true };
  let notEnough: Refused = null;
  const refuse = (epsilon: Rational, found: Design | null) => {
    if (found && found.lowerBound > most) notEnough = { epsilon, lowerBound: found.lowerBound };
  };
  refuse(low, first);
  const near = toNumberNear;
  while (near(high) - near(low) > 1e-6 * near(high)) {
    const middle = parseDecimal(
      toDecimalUp(rational(low.num * high.den + high.num * low.den, 2n * low.den * high.den), 9),
    );
    if (near(middle) >= near(high) || near(middle) <= near(low)) break;
    const found = attempt(middle);
    if (found && found.value <= most) [high, best] = [middle, found];
    else {
      low = middle;
      refuse(middle, found);
    }
  }
  return { epsilon: high, design: best, notEnough: notEnough as Refused, isFirst: false };
}

/** The largest ε that was found not to be enough, and what no noise with it comes below; null where there is none. */
export type Refused = { readonly epsilon: Rational; readonly lowerBound: number } | null;

function short(x: number): string {
  return String(Number(x.toPrecision(6)));
}
