// The least noise of a family that meets a target: in closed form where there is one, else by a search
// over the family's dial. Either way the answer is compiled and certified before it is returned.

import { invalid, isOurs, PrivacyError } from '../error/index.js';
import type { Rational } from '../exact/index.js';
import {
  compare,
  exactText,
  fromNumber,
  toDecimalDown,
  toDecimalUp,
  toNumberUp,
  zero,
} from '../exact/index.js';
import type { Dial, Family, Noise, Target } from '../noise/index.js';
import { privacyProfile } from '../privacy/index.js';
import { type Certificate, certify } from './certify.js';
import { closedFormOf } from './closed-form.js';
import { compile, type Mechanism } from './mechanism.js';

export interface Calibrated {
  readonly noise: Noise;
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
}

/** `values` holds the parameters that are given, such as a staircase's width; `progress` is told each trial. */
export function calibrate(
  family: Family,
  values: Readonly<Record<string, string>>,
  target: Target,
  step: Rational,
  progress: (trial: string) => void = () => {},
): Calibrated {
  const { dial } = family;
  if (!dial) throw invalid(`${family.name}: expected a family with a parameter to calibrate`);
  if (target.epsilon.num <= 0n && target.delta.num === 0n && !dial.notPure)
    throw invalid('epsilon: expected a value above 0 where δ = 0; no noise has ε = 0 and δ = 0');
  if (target.delta.num === 0n && dial.notPure)
    throw new PrivacyError(
      `${family.name} noise cannot be ε-DP with δ = 0 for any ${dial.key}: ${dial.notPure}`,
    );
  const given = { ...defaults(family), ...values };
  const solved = dial.solve(target, given, step) ?? search(family, dial, given, target, step, progress);
  const noise = family.build({ ...given, ...solved }, step);
  const mechanism = compile(noise, target.adjacency, { epsilon: target.epsilon, delta: target.delta });
  const certificate = certify(mechanism);
  if (!certificate.holds)
    throw new PrivacyError(
      `the calibrated mechanism could not be certified at ε = ${exactText(target.epsilon)}, δ = ${exactText(target.delta)}`,
      family.name,
    );
  return { noise, mechanism, certificate };
}

/** The parameters of a family that have a default. */
export function defaults(family: Family): Record<string, string> {
  return Object.fromEntries(
    family.parameters.flatMap((entry) => (entry.default === undefined ? [] : [[entry.key, entry.default]])),
  );
}

/** Relative width at which the search stops, and the digits its answer is written with. */
const CLOSE = 1e-12;
const DIGITS = 13;

/**
 * Regula falsi (Illinois) on δ against the dial's value, halving where that is slow or δ is out of range; the
 * answer is the end of the bracket that is certified.
 */
function search(
  family: Family,
  dial: Dial,
  given: Readonly<Record<string, string>>,
  target: Target,
  step: Rational,
  progress: (trial: string) => void,
): Record<string, string> {
  const text = (x: number) => (dial.grows ? toDecimalUp : toDecimalDown)(fromNumber(x), DIGITS);
  const own = family.parameters.some(({ key }) => key === 'adjacency') && given.adjacency === undefined;
  const extra: Record<string, string> = own
    ? { adjacency: exactText({ num: step.num * BigInt(target.adjacency), den: step.den }) }
    : {};
  const wanted = toNumberUp(target.delta);
  // Cut deep enough to decide at δ; the answer is compiled and certified at full depth.
  const cut = Math.max(96, 64 - Math.floor(Math.log2(toNumberUp(target.delta))));
  const mostEpsilon = toNumberUp(target.epsilon);
  /** Null where that is not known; a family without enough noise to be compiled says so. */
  const inClosedForm = (noise: Noise) => {
    const pure = noise.pureEpsilon(target.adjacency);
    if (pure) noise.approximate({ adjacency: target.adjacency, cut, mostEpsilon });
    if (pure && compare(pure.upper, target.epsilon) <= 0) return { delta: zero, isMet: true };
    const closed = closedFormOf(noise, target.adjacency);
    if (!closed) return null;
    const delta = closed.deltaAt(target.epsilon);
    return { delta, isMet: compare(delta, target.delta) <= 0 };
  };
  const fromIntegers = (noise: Noise) => {
    const { pmf } = noise.approximate({ adjacency: target.adjacency, cut, mostEpsilon });
    const profile = privacyProfile(pmf, target.adjacency);
    return {
      delta: profile.deltaAt(target.epsilon).upper,
      isMet: profile.satisfies(target.epsilon, target.delta),
    };
  };
  /** How far δ is above the target, relative to it, by its logarithm where it is above: at most 0 where the target is met. */
  const excess = (x: number): number => {
    progress(`${dial.key}=${text(x)}`);
    const noise = family.build({ ...given, ...extra, [dial.key]: text(x) }, step);
    const { delta, isMet } = inClosedForm(noise) ?? fromIntegers(noise);
    const times = toNumberUp(delta) / wanted;
    const off = times > 1 ? Math.log(times) : times - 1;
    return isMet ? Math.min(-1e-15, off) : Math.max(1e-15, off);
  };
  /** With too little noise a family may not be defined any more: then the target is not met. */
  const excessOfLess = (x: number): number => {
    try {
      return excess(x);
    } catch (error) {
      if (isOurs(error, 'argument')) return Infinity;
      throw error;
    }
  };
  const inside = (x: number) => Math.min(Math.max(x, dial.range.lower), dial.range.upper * (1 - 1e-13));
  /** One step toward more or less noise, that never leaves the range. */
  const move = (x: number, more: boolean) => {
    const up = more === dial.grows;
    if (Number.isFinite(dial.range.upper)) return up ? (x + dial.range.upper) / 2 : x / 2;
    return up ? 1.5 * x : x / 1.5;
  };
  let met = inside(dial.guess(target, given, step));
  let metExcess = excess(met);
  let failed = met;
  let failedExcess = metExcess;
  for (let i = 0; metExcess > 0; i++) {
    if (i > 200) throw new PrivacyError(`no ${dial.key} up to ${met} meets the target`, family.name);
    [failed, failedExcess] = [met, metExcess];
    met = move(met, true);
    metExcess = excess(met);
  }
  for (let i = 0; failedExcess <= 0; i++) {
    if (i > 60) return { ...extra, [dial.key]: text(failed) };
    [met, metExcess] = [failed, failedExcess];
    failed = move(failed, false);
    failedExcess = excessOfLess(failed);
  }
  let [weightMet, weightFailed] = [metExcess, failedExcess];
  // The side of the last trial, and how wide the bracket was three trials ago.
  let before = 0;
  const widths = [Infinity, Infinity, Infinity];
  for (let i = 0; i < 200 && Math.abs(met - failed) > CLOSE * met; i++) {
    widths.push(Math.abs(met - failed));
    const falsi = (failed * weightMet - met * weightFailed) / (weightMet - weightFailed);
    const slow = widths.shift()! < 8 * Math.abs(met - failed);
    const useful = Number.isFinite(falsi) && !slow && (falsi - met) * (falsi - failed) < 0;
    if (slow) widths.fill(Infinity);
    const x = useful ? nudge(falsi, met, failed) : (met + failed) / 2;
    const value = excessOfLess(x);
    if (value <= 0) {
      [met, metExcess, weightMet] = [x, value, value];
      if (before < 0) weightFailed /= 2;
      before = -1;
    } else {
      [failed, failedExcess, weightFailed] = [x, value, value];
      if (before > 0) weightMet /= 2;
      before = 1;
    }
  }
  return { ...extra, [dial.key]: text(met) };
}

/** Keep a trial point a little away from the ends, so that the bracket always shrinks. */
function nudge(x: number, a: number, b: number): number {
  const margin = 0.01 * CLOSE * Math.max(Math.abs(a), Math.abs(b));
  const [low, high] = a < b ? [a, b] : [b, a];
  return Math.min(Math.max(x, low + margin), high - margin);
}
