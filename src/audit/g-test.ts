// Does a histogram follow a mass function? The likelihood-ratio test (G-test), cells with a small expectation
// joined with their neighbours.

import { toNumberNear } from '../exact/index.js';
import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import { chiSquareTail } from './special.js';

export interface GTest {
  readonly statistic: number;
  readonly degrees: number;
  /** The chance of a statistic as large as this one if the draws follow the mass function. */
  readonly pValue: number;
}

/** Counts of lattice indices from `from` on; what fell below or above counts at the ends. */
export interface Histogram {
  readonly from: number;
  readonly counts: Float64Array;
  readonly below: number;
  readonly above: number;
}

/** Cells of less are joined: the statistic follows its law only for large expectations. */
const LEAST_EXPECTED = 25;

/** A range with all but about 1e-12 of the mass, of at most `most` points around the middle. */
export function histogramRange(pmf: Pmf, most = 4_000_000): { from: number; to: number } {
  const reach = (tail: Pmf['left']) => {
    if (!tail) return 0;
    const decay = -Math.log1p(-toNumberNear({ num: tail.ratio.den - tail.ratio.num, den: tail.ratio.den }));
    return tail.period * Math.ceil(28 / decay);
  };
  return {
    from: pmf.from - Math.min(most / 2, reach(pmf.left)),
    to: lastIndex(pmf) + Math.min(most / 2, reach(pmf.right)),
  };
}

/** A histogram without draws. */
export function emptyHistogram({ from, to }: { from: number; to: number }): {
  from: number;
  counts: Float64Array;
  below: number;
  above: number;
} {
  return { from, counts: new Float64Array(to - from + 1), below: 0, above: 0 };
}

/** The p-value of the hypothesis that the draws follow the mass function; 0 where one of them cannot come from it. */
export function gTest(pmf: Pmf, histogram: Histogram): GTest {
  const { from, counts, below, above } = histogram;
  const { p, beyond } = probabilities(pmf, from, from + counts.length - 1);
  const draws = counts.reduce((a, b) => a + b, 0) + below + above;
  const impossible =
    counts.some((count, i) => count > 0 && p[i] === 0) ||
    (below > 0 && beyond.left.mass === 0) ||
    (above > 0 && beyond.right.mass === 0);
  let statistic = 0;
  let degrees = -1;
  let [observed, expected] = [below, beyond.left.mass * draws];
  const cells: { observed: number; expected: number }[] = [];
  for (let i = 0; i < counts.length; i++) {
    observed += counts[i]!;
    expected += p[i]! * draws;
    if (expected < LEAST_EXPECTED) continue;
    cells.push({ observed, expected });
    [observed, expected] = [0, 0];
  }
  observed += above;
  expected += beyond.right.mass * draws;
  // What is left over joins the last cell.
  const last = cells.pop() ?? { observed: 0, expected: 0 };
  cells.push({ observed: last.observed + observed, expected: last.expected + expected });
  let inverse = 0;
  for (const cell of cells) {
    if (cell.observed > 0) statistic += 2 * cell.observed * Math.log(cell.observed / cell.expected);
    inverse += draws / cell.expected;
    degrees++;
  }
  // Williams' correction: the statistic is a little too large on average where expectations are small.
  if (degrees > 0) statistic /= 1 + (inverse - 1) / (6 * draws * degrees);
  if (impossible) return { statistic: Infinity, degrees, pValue: 0 };
  return { statistic, degrees, pValue: degrees > 0 ? chiSquareTail(Math.max(0, statistic), degrees) : 1 };
}
