// Recovery as its users call it: values in data units, the mechanism's own clamp and rounding, figures with two intervals each.

import { badData, invalid } from '../error/index.js';
import {
  ceiling,
  compare,
  divide,
  isInteger,
  type Rational,
  rational,
  toDecimal,
  toNumberNear,
} from '../exact/index.js';
import {
  type Finish,
  finishOf,
  indexOfText,
  type Lattice,
  latticeOf,
  type Mechanism,
  textOfIndex,
} from '../mechanism/index.js';
import { type Decimal, readDecimal, readPositive, suggest } from '../spec/index.js';
import { outputsOf } from './cells.js';
import { type Recovered, recoverColumn } from './column.js';
import type { Figure, Interval } from './figures.js';
import { groupAt } from './kernel.js';

export interface RecoverOptions {
  /** The lowest and the highest true value there can be. Without it only the mean has a guaranteed interval. */
  readonly range?: readonly [low: Decimal, high: Decimal] | undefined;
  /** What was done to noisy values; by default what the mechanism's file says of its release. `null`: nothing. */
  readonly clamp?: readonly [low: Decimal, high: Decimal] | null | undefined;
  readonly roundTo?: Decimal | null | undefined;
  /** `none` for the plain maximum of the likelihood, a handful of spikes. */
  readonly smooth?: 'none' | undefined;
  /** 0.95 by default. */
  readonly confidence?: Decimal | undefined;
  /** ½ by default. */
  readonly quantiles?: readonly Decimal[] | undefined;
  readonly atLeast?: readonly Decimal[] | undefined;
  /** Is there a guaranteed interval for each value's share? True by default; they take the longest. */
  readonly bins?: boolean | undefined;
  /** Where no column within the range would come out like this: fail, or warn and have nothing guaranteed. To fail by default. */
  readonly impossible?: 'fail' | 'warn' | undefined;
  /** Cells without a value; they are told, and nothing else. */
  readonly nulls?: number | undefined;
}

export interface Share {
  readonly value: number;
  /** The last value of a group, where values are told by groups. */
  readonly through?: number;
  readonly mass: number;
  /** The usual interval. */
  readonly low: number;
  readonly high: number;
  readonly guaranteed: Interval | null;
}

/** A group of values and its share, with the usual interval. */
export type Bar = Required<Omit<Share, 'guaranteed'>>;

export interface Recovery {
  readonly rows: number;
  readonly nulls: number;
  /** The mean logarithm of the likelihood, less its penalty, is at most this below the largest possible. */
  readonly gap: number;
  /** How much roughness weighs, and the degrees of freedom that are left; null where nothing is smoothed. */
  readonly smoothing: { readonly weight: number; readonly degrees: number } | null;
  readonly confidence: number;
  readonly distribution: readonly Share[];
  /** The same in groups that are wide enough for their shares to be told: what may be drawn of it. */
  readonly shape: readonly Bar[];
  readonly mean: Figure;
  readonly variance: Figure;
  readonly quantiles: Readonly<Record<string, Figure>>;
  readonly atLeast: Readonly<Record<string, Figure>>;
  /** What contradicts itself, and why that may be; null where nothing does. */
  readonly warning: string | null;
}

/**
 * The statistics of a column behind known noise, from nothing but the released values: how often each occurs, and the mechanism. The
 * distribution is a likely one, smoothed as the noisy data themselves ask for; every figure has a usual interval and one that
 * is guaranteed for any column (proofs/recover.md).
 *
 * @example recover(new Map([[3, 120], [4, 160], [5, 131]]), mechanism, { range: [0, 20], atLeast: [10] }).mean
 */
export function recover(
  histogram: Iterable<readonly [value: Decimal, count: number]>,
  mechanism: Mechanism,
  options: RecoverOptions = {},
): Recovery {
  const pairs = checkGiven(histogram, mechanism, options);
  const lattice = latticeOf(mechanism.pmf.step);
  const counts = new Map<number, number>();
  for (const [value, count] of pairs) {
    const index = indexOf(
      value,
      lattice,
      'histogram',
      'name the mechanism that the column was released with',
    );
    counts.set(index, (counts.get(index) ?? 0) + count);
  }
  return recoverCounts(counts, mechanism, options);
}

const OPTIONS = Object.keys({
  ...{ range: 0, clamp: 0, roundTo: 0, smooth: 0, confidence: 0, quantiles: 0 },
  ...{ atLeast: 0, bins: 0, impossible: 0, nulls: 0 },
} satisfies Record<keyof RecoverOptions, 0>);

/** The histogram, read once; what would otherwise fail somewhere deep, or be passed over, is told. */
function checkGiven(
  histogram: Iterable<readonly [Decimal, number]>,
  mechanism: unknown,
  options: RecoverOptions,
): readonly (readonly [Decimal, number])[] {
  const isIterable = typeof (histogram as { [Symbol.iterator]?: unknown } | null)?.[Symbol.iterator];
  const pairs = isIterable === 'function' ? [...histogram] : [];
  if (isIterable !== 'function' || pairs.some((pair) => !Array.isArray(pair)))
    throw invalid('histogram: expected pairs of value and count, as in new Map([[3, 120], [4, 160]])');
  if (!(mechanism as Mechanism | null)?.pmf?.step)
    throw invalid(`mechanism: expected a mechanism, got ${typeof mechanism}; see readMechanism`);
  const stray = Object.keys(options).find((key) => !OPTIONS.includes(key));
  if (stray !== undefined) throw invalid(`${stray}: is no option; ${suggest(stray, OPTIONS, 'there are')}`);
  for (const field of ['range', 'clamp'] as const) {
    const pair: unknown = options[field];
    if (pair !== undefined && pair !== null && !(Array.isArray(pair) && pair.length === 2))
      throw invalid(`${field}: expected [low, high], as in [0, 77]`);
  }
  return pairs;
}

/** The same of counts by index, in steps. */
export function recoverCounts(
  counts: ReadonlyMap<number, number>,
  mechanism: Mechanism,
  options: RecoverOptions,
): Recovery {
  const { pmf } = mechanism;
  const lattice = latticeOf(pmf.step);
  const shown = (index: number) => textOfIndex(BigInt(index), lattice);
  const outputs = outputsOf(counts, finishFor(mechanism, lattice, options), lattice, shown);
  const quantiles = (options.quantiles ?? ['0.5']).map(readQuantile);
  const atLeast = (options.atLeast ?? []).map((t) => ({ text: String(t), value: readDecimal(t, 'atLeast') }));
  const confidence = readConfidence(options.confidence ?? '0.95');
  const found = recoverColumn(outputs, pmf, {
    range: options.range ? rangeOf(options.range, lattice) : null,
    smooth: options.smooth ?? 'chosen',
    confidence,
    bins: options.bins !== false,
    impossible: options.impossible ?? 'fail',
    quantiles: quantiles.map(({ value }) => value),
    // Between two values, the next one.
    atLeast: atLeast.map(({ value }) => Number(ceiling(divide(value, pmf.step)))),
  });
  const named = (keys: readonly { text: string }[], figures: readonly Figure[]) =>
    Object.fromEntries(keys.map(({ text }, i) => [text, figures[i]!]));
  const unit = toNumberNear(pmf.step);
  const told = {
    ...{ rows: found.rows, nulls: options.nulls ?? 0, gap: found.gap, confidence },
    smoothing: found.smoothing && { weight: found.smoothing.smoothing, degrees: found.smoothing.degrees },
    distribution: sharesOf(found, shown),
    shape: found.shape().map(({ first, last, mass, usual: [low, high] }) => ({
      ...{ value: Number(shown(first)), through: Number(shown(last)), mass, low, high },
    })),
    mean: scaled(found.mean, unit),
    variance: scaled(found.variance, unit * unit),
    quantiles: named(
      quantiles,
      found.quantiles.map((figure) => scaled(figure, unit)),
    ),
    atLeast: named(atLeast, found.atLeast),
  };
  const odd =
    found.impossible ??
    warningOf([
      ['mean', found.mean],
      ['variance', found.variance],
      ...quantiles.map(({ text }, i) => [`quantile ${text}`, found.quantiles[i]!] as const),
      ...atLeast.map(({ text }, i) => [`share of ${text} or more`, found.atLeast[i]!] as const),
    ]);
  return {
    ...told,
    warning: [odd, missedWords(found.missed())].filter((text) => text !== null).join('; ') || null,
  };
}

function missedWords(ends: number): string | null {
  if (ends === 0) return null;
  return `${ends === 1 ? 'one end of a usual interval' : `${ends} ends of usual intervals`} could not be found, and what is told instead lies further out`;
}

/** An estimate that is not possible: the range or the mechanism is another, or this is the case that confidence leaves. */
function warningOf(figures: readonly (readonly [name: string, figure: Figure])[]): string | null {
  const odd = figures.filter(([, { estimate, guaranteed }]) => {
    if (!guaranteed) return false;
    const slack = 1e-9 * (1 + Math.abs(estimate));
    return estimate < guaranteed[0] - slack || estimate > guaranteed[1] + slack;
  });
  if (odd.length === 0) return null;
  return `the ${odd.map(([name]) => name).join(', ')} that ${odd.length === 1 ? 'is' : 'are'} most likely lie${odd.length === 1 ? 's' : ''} outside of what is possible: the range is too narrow, or the mechanism, its clamp or its rounding another`;
}

function sharesOf({ support, masses }: Recovered, shown: (index: number) => string): Share[] {
  return masses().map(({ estimate, usual, guaranteed }, k) => {
    const [first, last] = groupAt(support, k);
    return {
      value: Number(shown(first)),
      ...(support.apart > 1 ? { through: Number(shown(last)) } : {}),
      ...{ mass: estimate, low: usual[0], high: usual[1], guaranteed },
    };
  });
}

export function scaled({ estimate, usual, guaranteed }: Figure, unit: number): Figure {
  const both = ([low, high]: Interval): Interval => [tidy(low * unit), tidy(high * unit)];
  return { estimate: tidy(estimate * unit), usual: both(usual), guaranteed: guaranteed && both(guaranteed) };
}

/** 3·0.1 is 0.3, for people. */
function tidy(value: number): number {
  return Number(value.toPrecision(15));
}

/** What was done to noisy values: as it is said, else as the mechanism's file has it. */
function finishFor({ origin }: Mechanism, lattice: Lattice, { clamp, roundTo }: RecoverOptions): Finish {
  const own = releaseIn(origin);
  const ends = clamp === undefined ? own?.clamp : clamp;
  const unit = roundTo === undefined ? own?.roundTo : roundTo;
  return finishOf(
    lattice,
    ends ? { low: readDecimal(ends[0], 'clamp'), high: readDecimal(ends[1], 'clamp') } : null,
    unit === null || unit === undefined ? null : readPositive(unit, 'roundTo'),
  );
}

/** What a mechanism's file says of its release: the columns, and what was done to their values. */
export function releaseIn(origin: Mechanism['origin']) {
  const { release } = origin;
  if (release === undefined) return null;
  const { columns, clamp = null, roundTo = null } = (release ?? {}) as Readonly<Record<string, unknown>>;
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isPair = Array.isArray(clamp) && clamp.length === 2 && clamp.every(isText);
  if (!Array.isArray(columns) || !(clamp === null || isPair) || !(roundTo === null || isText(roundTo)))
    throw badData(
      'origin.release of the mechanism: expected columns, clamp and roundTo as a release writes them; name {clamp} and {roundTo} with a mechanism file without it',
      'mechanism',
    );
  return { columns: columns as readonly unknown[], clamp: clamp as [string, string] | null, roundTo };
}

function rangeOf([low, high]: readonly [Decimal, Decimal], lattice: Lattice): readonly [number, number] {
  const ends = [low, high].map((end) => indexOf(end, lattice, 'range', 'name multiples of it'));
  if (ends[0]! > ends[1]!)
    throw invalid(`range: expected low,high with low not above high, got ${low},${high}`);
  if (ends[1]! - ends[0]! >= WIDEST)
    throw invalid(
      `range: expected at most ${WIDEST} steps, got ${ends[1]! - ends[0]! + 1}; name a narrower one, or none: then the mean alone has a guaranteed interval`,
    );
  return ends as [number, number];
}

/** True values that are looked at one by one, for what is guaranteed of them. */
const WIDEST = 1_000_000;

function indexOf(value: Decimal, lattice: Lattice, field: string, fix: string): number {
  const exact = readDecimal(value, field);
  if (!isInteger(divide(exact, lattice.step)))
    throw invalid(
      `${field}: expected multiples of the mechanism's step ${textOfIndex(1n, lattice)}, got ${toDecimal(exact)}; ${fix}`,
    );
  return Number(indexOfText(toDecimal(exact), lattice));
}

function readQuantile(value: Decimal): { readonly text: string; readonly value: number } {
  return { text: String(value), value: between(value, 'quantiles', rational(0n), rational(1n)) };
}

function readConfidence(value: Decimal): number {
  return between(value, 'confidence', rational(1n, 2n), rational(1n));
}

function between(value: Decimal, field: string, low: Rational, high: Rational): number {
  const exact = readDecimal(value, field);
  if (compare(exact, low) <= 0 || compare(exact, high) >= 0)
    throw invalid(
      `${field}: expected a number between ${toDecimal(low)} and ${toDecimal(high)}, got ${value}`,
    );
  return toNumberNear(exact);
}
