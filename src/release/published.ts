// What readers see: the error of a published value after it was clamped and rounded, which depends on the true value. Computed
// from the noise alone, in doubles: these are figures of utility.

import { rational, toNumberNear } from '../exact/index.js';
import { lastIndex, moments, probabilities, quantile } from '../pmf/index.js';
import type { ProtectedColumn } from './job.js';

/** Of a value that is truly `value`, in data units. */
export interface PublishedError {
  readonly value: number;
  readonly bias: number;
  readonly meanAbsolute: number;
  readonly std: number;
}

export interface Published {
  readonly at: readonly PublishedError[];
  readonly leastBias: number;
  readonly greatestBias: number;
  readonly greatestStd: number;
  /** Where averages of published values are misleading; null where they are not. */
  readonly warning: string | null;
}

/** True values that are looked at. */
const POINTS = 41;
/** Beyond this share of the noise's own mean error a bias is worth a warning. */
const SMALL = 0.1;

/** Null where nothing is done afterwards: then the noise's own figures hold for every value. */
export function publishedError({ mechanism, lattice, finish }: ProtectedColumn): Published | null {
  const clamped = finish.low > -lattice.limit || finish.high < lattice.limit;
  if (!clamped && finish.roundTo === 1n) return null;
  const { pmf } = mechanism;
  const unit = toNumberNear(pmf.step);
  const index = (num: bigint) => Math.round(toNumberNear(quantile(pmf, rational(num, 10n ** 9n))) / unit);
  const [first, last] = [Math.min(index(1n), pmf.from), Math.max(index(10n ** 9n - 1n), lastIndex(pmf))];
  const { p } = probabilities(pmf, first, last);
  const [low, high, round] = [finish.low, finish.high, finish.roundTo].map(Number) as [
    number,
    number,
    number,
  ];
  const outcome = (sum: number) => {
    const rounded = round === 1 ? sum : Math.floor(sum / round + 0.5) * round;
    return Math.min(Math.max(rounded, low), high);
  };
  const errorAt = (x: number): PublishedError => {
    let [mass, sum, absolute, square] = [0, 0, 0, 0];
    for (let i = 0; i < p.length; i++) {
      const off = outcome(x + first + i) - x;
      mass += p[i]!;
      sum += p[i]! * off;
      absolute += p[i]! * Math.abs(off);
      square += p[i]! * off * off;
    }
    const bias = sum / mass;
    return {
      value: x * unit,
      bias: bias * unit,
      meanAbsolute: (absolute / mass) * unit,
      std: Math.sqrt(Math.max(0, square / mass - bias * bias)) * unit,
    };
  };
  const reach = Math.max(1, 2 * (index(998_000_000n) - index(2_000_000n)));
  const at = trueValues(clamped ? { low, high } : { low: 0, high: round - 1 }, reach).map(errorAt);
  const [leastBias, greatestBias] = [
    Math.min(...at.map(({ bias }) => bias)),
    Math.max(...at.map(({ bias }) => bias)),
  ];
  // Of two that are as bad, the first.
  const worst = at.reduce((a, b) => (Math.abs(b.bias) > (1 + 1e-9) * Math.abs(a.bias) ? b : a));
  const large = Math.abs(worst.bias) > SMALL * toNumberNear(moments(pmf).meanAbsolute);
  return {
    at,
    leastBias,
    greatestBias,
    greatestStd: Math.max(...at.map(({ std }) => std)),
    warning: large
      ? `${clamped ? 'clamping' : 'rounding'} moves averages: a true value of ${short(worst.value)} comes out ${short(Math.abs(worst.bias))} too ${worst.bias > 0 ? 'high' : 'low'} on average, and sums and means with it; leave it out where readers compute them`
      : null,
  };
}

/** All that may be, or some of them: near both ends where the range is wide. */
function trueValues({ low, high }: { low: number; high: number }, reach: number): number[] {
  const evenly = (from: number, to: number, count: number) => {
    const points = Math.min(count, to - from + 1);
    return Array.from({ length: points }, (_, i) =>
      points === 1 ? from : Math.round(from + (i * (to - from)) / (points - 1)),
    );
  };
  if (high - low <= 2 * reach) return evenly(low, high, POINTS);
  return [...evenly(low, low + reach, (POINTS - 1) / 2), ...evenly(high - reach, high, (POINTS - 1) / 2)];
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}
