// A document to draw SVG charts in, for a process that has none, and mass functions as points to draw.

import { toNumberNear } from '../exact/index.js';
import { type Point, svgCharts } from '../plot/index.js';
import { lastIndex, type Pmf, probabilities, quantile } from '../pmf/index.js';

/** As many as can be told apart. */
const MOST_POINTS = 4000;

export async function picture() {
  const [charts, { JSDOM }] = await Promise.all([svgCharts(), import('jsdom')]);
  return { charts, document: new JSDOM('').window.document as unknown };
}

/** The bulk of a mass function, all but 0.4 % of it: where it lies, in steps, and its points in data units. */
export function bulkOf(pmf: Pmf): { low: number; high: number; points: Point[] } {
  const unit = toNumberNear(pmf.step);
  const index = (num: bigint) => Math.round(toNumberNear(quantile(pmf, { num, den: 1000n })) / unit);
  const [low, high] = [index(2n) - 2, index(998n) + 2];
  const from = Math.min(low, pmf.from);
  const { p } = probabilities(pmf, from, Math.max(high, lastIndex(pmf)));
  return { low, high, points: pointsOf(p, from, low, high, unit) };
}

/** Values from index `first` on as points from `low` to `high`, every nth where there are more than a picture shows. */
export function pointsOf(
  values: Float64Array,
  first: number,
  low: number,
  high: number,
  unit: number,
): Point[] {
  const every = Math.ceil((high - low + 1) / MOST_POINTS);
  return Array.from({ length: Math.ceil((high - low + 1) / every) }, (_, i) => {
    const at = low + i * every;
    return { x: at * unit, y: values[at - first] ?? 0 };
  });
}
