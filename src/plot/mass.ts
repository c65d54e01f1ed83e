// The shape of a mass function: its middle part as a terminal chart, and as points to draw.

import {
  exactText,
  floor,
  integer,
  multiply,
  type Rational,
  rational,
  toNumberNear,
} from '../exact/index.js';
import { lastIndex, type Pmf, probabilities, quantile } from '../pmf/index.js';
import type { Point } from './series.js';
import { barChart } from './terminal.js';

const MOST_BARS = 25;

/** More lattice points than this are not gathered. */
const WIDEST = 5_000_000;

/** As bars, one line each. */
export function massChart(pmf: Pmf): string {
  const index = (value: Rational) =>
    Number(floor({ num: value.num * pmf.step.den, den: value.den * pmf.step.num }));
  const [lowest, highest] = [quantile(pmf, rational(1n, 200n)), quantile(pmf, rational(199n, 200n))];
  // An empty bar beyond an end shows that it is one.
  const low = pmf.left ? index(lowest) : Math.max(index(lowest), pmf.from) - 1;
  const high = pmf.right ? index(highest) : Math.min(index(highest), lastIndex(pmf)) + 1;
  const within = `99 % of the noise lies from ${exactText(lowest)} to ${exactText(highest)}`;
  const group = Math.ceil((high - low + 1) / MOST_BARS);
  const first = Math.min(low, pmf.from) - group;
  const last = Math.max(high, lastIndex(pmf)) + group;
  if (last - first > WIDEST) return `(${within}: too many steps of ${exactText(pmf.step)} to plot)`;
  const { p } = probabilities(pmf, first, last);
  const bars = [];
  // Groups are aligned so that a symmetric group or point stands at 0.
  const half = Math.floor((group - 1) / 2);
  for (let centre = Math.ceil(low / group) * group; centre <= high; centre += group) {
    let value = 0;
    for (let k = centre - half; k < centre - half + group; k++) value += p[k - first] ?? 0;
    bars.push({ label: label(pmf, centre), value });
  }
  const unit = group === 1 ? 'each bar one step' : `each bar ${group} steps`;
  return `${barChart(bars)}\n(${unit} of ${exactText(pmf.step)}; ${within})`;
}

function label(pmf: Pmf, index: number): string {
  return exactText(multiply(integer(index), pmf.step));
}

/** As many as can be told apart. */
const MOST_POINTS = 4000;

/** The bulk of a mass function, all but 0.2 % at either end: where it lies, in steps, and its points in data units. */
export function bulkOf(pmf: Pmf) {
  const unit = toNumberNear(pmf.step);
  const index = (num: bigint) => Math.round(toNumberNear(quantile(pmf, rational(num, 1000n))) / unit);
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
