// The shape of a mass function as a terminal chart: its middle part, gathered into few enough bars.

import { floor, integer, multiply, rational, toDecimal, toNumberNear } from '../exact/index.js';
import { errorQuantile, lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import { barChart } from './terminal.js';

const MOST_BARS = 25;

export function massChart(pmf: Pmf): string {
  const reach = errorQuantile(pmf, rational(99n, 100n));
  const steps = Number(floor({ num: reach.num * pmf.step.den, den: reach.den * pmf.step.num }));
  // One-sided noise is shown on its side only; an empty bar beyond an end shows that it is one.
  const low = pmf.left ? -steps : Math.max(-steps, pmf.from - 1);
  const high = pmf.right ? steps : Math.min(steps, lastIndex(pmf) + 1);
  const group = Math.ceil((high - low + 1) / MOST_BARS);
  const { p } = probabilities(pmf, Math.min(low, pmf.from) - group, Math.max(high, lastIndex(pmf)) + group);
  const first = Math.min(low, pmf.from) - group;
  const bars = [];
  // Groups are aligned so that a symmetric group or point stands at 0.
  const half = Math.floor((group - 1) / 2);
  for (let centre = Math.ceil(low / group) * group; centre <= high; centre += group) {
    let value = 0;
    for (let k = centre - half; k < centre - half + group; k++) value += p[k - first] ?? 0;
    bars.push({ label: label(pmf, centre), value });
  }
  const unit = group === 1 ? 'each bar one step' : `each bar ${group} steps`;
  return `${barChart(bars)}\n(${unit} of ${toDecimal(pmf.step)}; 99 % of the noise lies within ±${toNumberNear(reach)})`;
}

function label(pmf: Pmf, index: number): string {
  return toDecimal(multiply(integer(index), pmf.step));
}
