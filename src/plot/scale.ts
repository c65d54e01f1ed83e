// From numbers to places, and the numbers that stand at an axis.

export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

export interface Span {
  readonly log: boolean;
  /** What must be seen. */
  readonly values: readonly number[];
  /** Where the lowest and the highest stand. */
  readonly from: number;
  readonly to: number;
  /** As many numbers as fit, and how far apart they must be. */
  readonly most: number;
  readonly apart: (value: number) => number;
  /** Does the axis begin at 0? */
  readonly zero: boolean;
  /** A share of the length that stays free at either end. */
  readonly room: number;
}

export function scaleOf({ log, values, from, to, most, apart, zero, room }: Span): Scale {
  const seen = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  const least = seen.reduce((a, b) => Math.min(a, b), zero && !log ? 0 : Number.POSITIVE_INFINITY);
  const greatest = seen.reduce((a, b) => Math.max(a, b), zero && !log ? 0 : Number.NEGATIVE_INFINITY);
  const own = log ? Math.log10 : (value: number) => value;
  const [low, high] = seen.length === 0 ? [0, 1] : [own(least), own(greatest)];
  const span = high - low || Math.abs(high) || 1;
  // What begins at 0 needs no room below it.
  const first = zero && !log && low === 0 ? 0 : low - room * span;
  const last = (high === low ? low + span : high) + room * span;
  const at = (value: number) => from + ((own(value) - first) / (last - first)) * (to - from);
  const back = (value: number) => (log ? 10 ** value : value);
  const there = [...new Set(seen)].sort((a, b) => a - b);
  const stand = (ticks: readonly number[]) =>
    ticks.every(
      (tick, i) =>
        i === 0 || Math.abs(at(tick) - at(ticks[i - 1]!)) >= (apart(tick) + apart(ticks[i - 1]!)) / 2,
    );
  // Where the data are, if those are few enough to be told apart.
  if (there.length > 1 && there.length <= 12 && stand(there)) return { at, ticks: there };
  const round = log ? decades(first, last, most) : steps(first, last, most);
  const ticks = log && round.length < 3 ? steps(back(first), back(last), most) : round;
  for (let every = 1; ; every++) {
    const fewer = ticks.filter((_, i) => i % every === 0);
    if (fewer.length < 3 || stand(fewer)) return { at, ticks: fewer };
  }
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function steps(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((by) => by >= rough * (1 - 1e-9))!;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Powers of ten, with 2 and 5 in between where there is room. */
function decades(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.floor(low), Math.ceil(high)];
  const within = (value: number) => Math.log10(value) >= low - 1e-9 && Math.log10(value) <= high + 1e-9;
  const every = Math.max(1, Math.ceil((last - first) / most));
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((k) => k % every === 0);
  const finer = powers.flatMap((k) => [1, 2, 5].map((by) => by * 10 ** k)).filter(within);
  return every === 1 && finer.length <= 2 * most ? finer : powers.map((k) => 10 ** k).filter(within);
}

/** A number at an axis: large and small ones as powers of ten. */
export function plain(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size < 1e5 && size >= 1e-3) return `${sign}${Number(size.toPrecision(4))}`;
  const [digits, exponent] = Number(size.toPrecision(3)).toExponential().split('e') as [string, string];
  const raised = String(Number(exponent)).replace(/./g, (mark) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(mark)] ?? '⁻');
  return `${sign}${digits === '1' ? '' : `${digits}·`}10${raised}`;
}
