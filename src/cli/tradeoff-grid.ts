// The points of a curve over ε or over the adjacency.

import { invalid, wrong } from '../error/index.js';
import { exactText, parseRational, type Rational, rational, toNumberNear } from '../exact/index.js';
import { readDistance, readPositiveEpsilon, readSteps } from '../spec/index.js';

/** A value, or two that are the ends of a range. */
export interface Range {
  readonly from: string;
  readonly to: string | null;
}

export function range(text: string, field: string): Range {
  const [from = '', to, ...rest] = text.split('..');
  if (rest.length > 0) throw invalid(`${field}: expected a value or a range as in 0.1..4, got ${text}`);
  const [a, b] = [from, to ?? from].map((part) => toNumberNear(parseRational(part, field))) as [
    number,
    number,
  ];
  if (to !== undefined && a >= b)
    throw invalid(`${field}: expected a range that rises, as in 0.1..4, got ${text}`);
  return { from, to: to ?? null };
}

/** Evenly spaced on a logarithmic scale, both ends included; so many digits in between, each value once. */
function spaced(from: string, to: string, count: number, digits: number): string[] {
  const [a, b] = [from, to].map((text) => toNumberNear(readPositiveEpsilon(text))) as [number, number];
  const all = Array.from({ length: count }, (_, i) =>
    i === 0
      ? from
      : i === count - 1
        ? to
        : String(Math.min(b, Math.max(a, Number((a * (b / a) ** (i / (count - 1))).toPrecision(digits))))),
  );
  return [...new Set(all)];
}

/** Multiples of the step, as many as there are up to the count. */
function multiples(a: number, b: number, count: number, step: Rational): string[] {
  const all = Array.from({ length: count }, (_, i) => Math.round(a + ((b - a) * i) / (count - 1)));
  return [...new Set(all)].map((m) => exactText(rational(BigInt(m) * step.num, step.den)));
}

/** How many points a curve has. */
export function pointsOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 2 || count > 1000)
    throw invalid(`points: expected a whole number from 2 to 1000, got ${text}`);
  return count;
}

/** ε and adjacency at every point: one of them is a range. */
export function gridOf(
  epsilons: Range,
  adjacencies: Range,
  count: number,
  step: string,
  digits = 8,
): (readonly [epsilon: string, adjacency: string])[] {
  if (epsilons.to && adjacencies.to)
    throw wrong('{epsilon} and {adjacency}: expected a range for one of them, got two');
  if (epsilons.to)
    return spaced(epsilons.from, epsilons.to, count, digits).map(
      (epsilon) => [epsilon, adjacencies.from] as const,
    );
  if (!adjacencies.to)
    throw invalid('epsilon: expected a range, as in 0.1..4, or a range for {adjacency}, as in 1..40');
  const stepsOf = (adjacency: string) => readSteps({ step, adjacency }).adjacency;
  return multiples(stepsOf(adjacencies.from), stepsOf(adjacencies.to), count, readDistance(step, 'step')).map(
    (m) => [epsilons.from, m] as const,
  );
}
