// The least noise of a family with which a whole plan meets a wanted total.

import { invalid, isOurs, PrivacyError } from '../error/index.js';
import { exactText, fromNumber, type Rational, toDecimalDown, toDecimalUp } from '../exact/index.js';
import { CUT, defaults } from '../mechanism/index.js';
import { type Family, type Noise, specOf } from '../noise/index.js';
import type { Named } from './plan.js';
import { type Repeated, totalOf } from './total.js';

/** A release whose noise is still to be found. */
export interface Wanted extends Omit<Repeated, 'pmf'> {
  readonly family: Family;
  /** Parameters that are given. */
  readonly values: Readonly<Record<string, string>>;
  readonly step: Rational;
}

/** Relative width at which the search stops, and the digits its answer is written with. */
const CLOSE = 1e-7;
const DIGITS = 9;

/** The noise, beside releases that are fixed, whose total is at most (ε, δ): checked, not only searched for. */
export function calibrateTotal(
  wanted: Wanted,
  others: readonly Named[],
  target: { readonly epsilon: number; readonly delta: number },
  group = 1,
  progress: (trial: string) => void = () => {},
): { readonly noise: Noise; readonly release: Named } {
  const { family, values, step, adjacency, times } = wanted;
  const { dial } = family;
  if (!dial) throw invalid(`${family.name}: expected a family with a parameter to calibrate`);
  if (values[dial.key] !== undefined)
    throw invalid(`calibrate: ${dial.key} is what is looked for; leave it out`);
  if (!family.parameters.some(({ key }) => key === dial.key))
    throw invalid(`calibrate: ${family.name} has no single parameter to look for; choose another family`);
  if (others.length > 0) {
    const alone = totalOf(others, group).deltaAt(target.epsilon).lower;
    if (alone > target.delta)
      throw new PrivacyError(
        `the releases that are fixed have δ = ${alone.toPrecision(3)} at ε = ${target.epsilon} by themselves, more than ${target.delta}; allow more, or release less`,
        'calibrate',
      );
  }
  const given = { ...defaults(family), ...values };
  const own = family.parameters.some(({ key }) => key === 'adjacency') && given.adjacency === undefined;
  const extra = own ? { adjacency: exactText({ num: step.num * BigInt(adjacency), den: step.den }) } : {};
  const text = (x: number) => (dial.grows ? toDecimalUp : toDecimalDown)(fromNumber(x), DIGITS);
  const made = (x: number) => {
    const noise = family.build({ ...given, ...extra, [dial.key]: text(x) }, step);
    const reach = wanted.of === 'counts' ? adjacency * group : adjacency;
    const { pmf } = noise.approximate({ adjacency: reach, cut: CUT });
    return { noise, release: { ...wanted, pmf, name: specOf(noise), noise: specOf(noise) } };
  };
  const meets = (x: number): boolean => {
    progress(`${dial.key}=${text(x)}`);
    let release: Named;
    try {
      release = made(x).release;
    } catch (error) {
      // With too little noise a family may not be defined any more.
      if (isOurs(error, 'argument')) return false;
      throw error;
    }
    return totalOf([...others, release], group).deltaAt(target.epsilon).upper <= target.delta;
  };
  const more = (x: number, factor: number) => {
    const up = dial.grows ? factor : 1 / factor;
    if (!Number.isFinite(dial.range.upper)) return x * up;
    return up > 1 ? (x + dial.range.upper) / 2 : x / factor;
  };
  const share = { epsilon: target.epsilon / Math.sqrt(times), delta: target.delta / times };
  const guess = dial.guess(
    {
      epsilon: fromNumber(Math.max(share.epsilon, 1e-9)),
      delta: fromNumber(Math.max(share.delta, 1e-200)),
      adjacency,
    },
    given,
    step,
  );
  let met = Number.isFinite(guess) && guess > 0 ? guess : 1;
  for (let i = 0; !meets(met); i++) {
    if (i > 80)
      throw new PrivacyError(
        `no ${dial.key} up to ${text(met)} meets ε = ${target.epsilon}, δ = ${target.delta}`,
        family.name,
      );
    met = more(met, 1.5);
  }
  let failed = more(met, 1 / 1.5);
  for (let i = 0; i < 80 && meets(failed); i++) [met, failed] = [failed, more(failed, 1 / 1.5)];
  for (let i = 0; i < 80 && Math.abs(met - failed) > CLOSE * met; i++) {
    const middle = (met + failed) / 2;
    if (meets(middle)) met = middle;
    else failed = middle;
  }
  return made(met);
}
