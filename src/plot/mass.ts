// The shape of a mass function as a terminal chart: its middle part, gathered into few enough bars.

import {
  floor,
  integer,
  multiply,
  type Rational,
  rational,
  toDecimal,
  toNumberNear,
} from '../exact/index.js';
import { lastIndex, type Pmf, probabilities, quantile } from '../pmf/index.js';
import { barChart } from './terminal.js';

const MOST_BARS = 25;

/** More lattice points than this are not gathered. */
const WIDEST = 5_000_000;

export function massChart(pmf: Pmf): string {
  const index = (value: Rational) =>
    Number(floor({ num: value.num * pmf.step.den, den: value.den * pmf.step.num }));
  const [lowest, highest] = [quantile(pmf, rational(1n, 200n)), quantile(pmf, rational(199n, 200n))];
  // An empty bar beyond an end shows that it is one.
  const low = pmf.left ? index(lowest) : Math.max(index(lowest), pmf.from) - 1;
  const high = pmf.right ? index(highest) : Math.min(index(highest), lastIndex(pmf)) + 1;
  const within = `99 % of the noise lies from ${toNumberNear(lowest)} to ${toNumberNear(highest)}`;
  const group = Math.ceil((high - low + 1) / MOST_BARS);
  const first = Math.min(low, pmf.from) - group;
  const last = Math.max(high, lastIndex(pmf)) + group;
  if (last - first > WIDEST) return `(${within}: too many steps of ${toDecimal(pmf.step)} to draw)`;
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
  return `${barChart(bars)}\n(${unit} of ${toDecimal(pmf.step)}; ${within})`;
}

function label(pmf: Pmf, index: number): string {
  return toDecimal(multiply(integer(index), pmf.step));
}
