// The shape of a designed noise: runs of equal probability, from the middle outward.

import { exactText, integer, multiply, type Rational, toNumberNear } from '../exact/index.js';
import { lastIndex, type Pmf } from '../pmf/index.js';

export interface Stair {
  /** Lattice indices. */
  readonly from: number;
  readonly to: number;
  /** In steps. */
  readonly width: number;
  /** Relative to the highest stair. */
  readonly height: number;
}

/** All stairs of the window, from left to right; tails repeat the outermost ones. */
export function stairsOf(pmf: Pmf): Stair[] {
  const top = pmf.weights.reduce((a, b) => (b > a ? b : a));
  const stairs: Stair[] = [];
  for (let i = 0; i < pmf.weights.length; ) {
    let j = i;
    while (j + 1 < pmf.weights.length && pmf.weights[j + 1] === pmf.weights[i]) j++;
    const height = toNumberNear({ num: pmf.weights[i]!, den: top });
    stairs.push({ from: pmf.from + i, to: pmf.from + j, width: j - i + 1, height });
    i = j + 1;
  }
  return stairs;
}

const MOST_LISTED = 7;

/** The stairs in words, in data units. */
export function describeStairs(pmf: Pmf, parts: number): string[] {
  const stairs = stairsOf(pmf);
  const peak = stairs.findIndex(({ height }) => height === 1);
  const kind =
    parts === 1
      ? 'one level function: every probability is a power of e^−ε times the largest'
      : parts > 1
        ? `a mixture of ${parts} level functions`
        : pmf.left || pmf.right
          ? 'no mixture of a few level functions'
          : 'without tails: beyond its ends the noise has no mass';
  const [first, last] = [pmf.from, lastIndex(pmf)].map((k) => unit(k, pmf.step));
  const lines = [
    `${kind}; ${stairs.length} stairs from ${first} to ${last}${pmf.left || pmf.right ? `, then the last ${pmf.right?.period ?? pmf.left!.period} steps again and again, e^−ε times as high each time` : ''}`,
  ];
  const from = Math.max(0, Math.min(peak - Math.floor(MOST_LISTED / 2), stairs.length - MOST_LISTED));
  for (const { from: a, to: b, width, height } of stairs.slice(from, from + MOST_LISTED)) {
    const range = a === b ? unit(a, pmf.step) : `${unit(a, pmf.step)} … ${unit(b, pmf.step)}`;
    lines.push(
      `  ${range}: ${width} ${width === 1 ? 'step' : 'steps'} wide, height ${Number(height.toPrecision(5))}`,
    );
  }
  if (stairs.length > MOST_LISTED) lines.push(`  … (${stairs.length - MOST_LISTED} more)`);
  return lines;
}

function unit(index: number, step: Rational): string {
  return exactText(multiply(integer(index), step));
}
