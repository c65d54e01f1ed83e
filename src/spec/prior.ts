// Priors from their text: what is publicly known of the data's distribution.

import {
  divide,
  floor,
  integer,
  isInteger,
  multiply,
  parseDecimal,
  type Rational,
  rational,
  toDecimal,
  toNumberUp,
} from '../exact/index.js';
import { families, tablePmf } from '../noise/index.js';
import { makePmf, type Pmf, total } from '../pmf/index.js';
import { parsePairs, quote, splitSpec, suggest } from './grammar.js';
import type { ReadTable } from './noise.js';

export interface Prior {
  readonly pmf: Pmf;
  readonly spec: string;
  /** What was cut off an infinite prior, in words; null where nothing was. */
  readonly cut: string | null;
}

/** The values of a column, as they stand in the file. */
export type ReadColumn = (path: string, name: string) => readonly string[];

const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  gaussian: ['mu', 'sigma'],
  poisson: ['rate'],
  uniform: ['low', 'high'],
  point: ['at'],
};
/** An infinite prior is cut where less than this is left. */
const CUT = 1_000_000_000_000n;
const LARGEST_RATE = 1_000_000;

export function parsePrior(
  text: string,
  step: Rational,
  read: { table: ReadTable; column: ReadColumn; columnIsPublic: boolean },
): Prior {
  const spec = splitSpec(text);
  if (spec.family === 'table') {
    if (spec.rest === '') throw new RangeError('prior table: expected a path, as in table:prior.csv');
    return { pmf: tablePmf(read.table(spec.rest), step, `prior table ${spec.rest}`), spec: text, cut: null };
  }
  if (spec.family === 'column') return { pmf: columnPrior(spec.rest, step, read), spec: text, cut: null };
  const keys = FAMILIES[spec.family];
  if (!keys) {
    const names = [...Object.keys(FAMILIES), 'table', 'column'];
    throw new RangeError(`unknown prior ${quote(spec.family)}; ${suggest(spec.family, names, 'known are')}`);
  }
  const values = parsePairs(spec, keys);
  const decimal = (key: string, fallback?: string) => {
    const value = values[key] ?? fallback;
    if (value === undefined) throw new RangeError(`prior ${spec.family}: expected the parameter ${key}`);
    return parseDecimal(value, `prior ${spec.family}: ${key}`);
  };
  switch (spec.family) {
    case 'gaussian':
      return { ...gaussianPrior(decimal('mu', '0'), decimal('sigma'), step), spec: text };
    case 'poisson':
      return { ...poissonPrior(decimal('rate'), step), spec: text };
    case 'point':
      return {
        pmf: pointMass(onLattice(decimal('at'), step, 'prior point: at'), 1, step),
        spec: text,
        cut: null,
      };
    default: {
      const low = onLattice(decimal('low'), step, 'prior uniform: low');
      const high = onLattice(decimal('high'), step, 'prior uniform: high');
      if (low > high)
        throw new RangeError(`prior uniform: expected low not above high, got ${quote(spec.rest)}`);
      return { pmf: pointMass(low, high - low + 1, step), spec: text, cut: null };
    }
  }
}

function gaussianPrior(mu: Rational, sigma: Rational, step: Rational): { pmf: Pmf; cut: string | null } {
  const family = families.find(({ name }) => name === 'gaussian')!;
  const noise = family.build({ mu: toDecimal(mu), sigma: toDecimal(sigma) }, step);
  return trim(noise.approximate({ adjacency: 1, cut: 64 }).pmf);
}

/** Outward from the mode, where the weights are largest, until they no longer matter. */
function poissonPrior(rate: Rational, step: Rational): { pmf: Pmf; cut: string | null } {
  if (rate.num <= 0n || toNumberUp(rate) > LARGEST_RATE) {
    throw new RangeError(
      `prior poisson: expected a rate above 0 and up to ${LARGEST_RATE}, got ${toDecimal(rate)}`,
    );
  }
  const spacing = onLattice(rational(1n), step, 'prior poisson: the distance 1 between counts');
  const mode = floor(rate);
  const weights = new Map<bigint, bigint>([[mode, 1n << 128n]]);
  for (let k = mode + 1n, w = 1n << 128n; w > 0n; k++) {
    w = (w * rate.num) / (rate.den * k);
    weights.set(k, w);
  }
  for (let k = mode, w = 1n << 128n; k > 0n && w > 0n; k--) {
    w = (w * rate.den * k) / rate.num;
    weights.set(k - 1n, w);
  }
  const counts = [...weights].filter(([, w]) => w > 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  const [first, last] = [Number(counts[0]![0]), Number(counts[counts.length - 1]![0])];
  const spread = new Array<bigint>((last - first) * spacing + 1).fill(0n);
  for (const [k, w] of counts) spread[(Number(k) - first) * spacing] = w;
  return trim(makePmf({ step, from: first * spacing, weights: spread, left: null, right: null }));
}

function columnPrior(
  rest: string,
  step: Rational,
  read: { column: ReadColumn; columnIsPublic: boolean },
): Pmf {
  const hash = rest.lastIndexOf('#');
  if (hash <= 0 || hash === rest.length - 1) {
    throw new RangeError('prior column: expected a path and a column name, as in column:visits.csv#visits');
  }
  if (!read.columnIsPublic) {
    throw new RangeError(
      'prior column: a prior read from data that is to be protected leaks it; if the column is public, say so with --prior-is-public',
    );
  }
  const counts = new Map<string, bigint>();
  for (const text of read.column(rest.slice(0, hash), rest.slice(hash + 1))) {
    if (text !== '') counts.set(text, (counts.get(text) ?? 0n) + 1n);
  }
  if (counts.size === 0) throw new RangeError('prior column: expected at least one value, got none');
  const byIndex = new Map<number, bigint>();
  for (const [text, count] of counts) {
    const index = onLattice(parseDecimal(text, 'prior column: value'), step, 'prior column: value');
    byIndex.set(index, (byIndex.get(index) ?? 0n) + count);
  }
  const indices = [...byIndex.keys()];
  const low = indices.reduce((a, b) => Math.min(a, b));
  const high = indices.reduce((a, b) => Math.max(a, b));
  const weights = new Array<bigint>(checkWidth(high - low + 1)).fill(0n);
  for (const [index, count] of byIndex) weights[index - low] = count;
  return makePmf({ step, from: low, weights, left: null, right: null });
}

function pointMass(from: number, count: number, step: Rational): Pmf {
  const weights = new Array<bigint>(checkWidth(count)).fill(1n);
  return makePmf({ step, from, weights, left: null, right: null });
}

function checkWidth(points: number): number {
  if (points > 10_000_000)
    throw new RangeError(`prior: expected at most 10000000 lattice points, got ${points}; use a larger step`);
  return points;
}

function onLattice(value: Rational, step: Rational, name: string): number {
  const index = divide(value, step);
  if (!isInteger(index)) {
    throw new RangeError(
      `${name}: expected a multiple of the step ${toDecimal(step)}, got ${toDecimal(value)}`,
    );
  }
  return toNumberUp(index);
}

/** Drop the ends as long as what is dropped in all stays below 1e-12. */
function trim(pmf: Pmf): { pmf: Pmf; cut: string | null } {
  const mass = total(pmf);
  const allowed = mass.num / mass.den / CUT;
  let [first, last, dropped] = [0, pmf.weights.length - 1, 0n];
  for (;;) {
    const left = pmf.weights[first]! <= pmf.weights[last]!;
    dropped += pmf.weights[left ? first : last]!;
    if (dropped >= allowed) break;
    if (left) first++;
    else last--;
  }
  while (pmf.weights[first] === 0n) first++;
  while (pmf.weights[last] === 0n) last--;
  const at = (i: number) => toDecimal(multiply(integer(pmf.from + i), pmf.step));
  return {
    pmf: makePmf({ ...pmf, from: pmf.from + first, weights: pmf.weights.slice(first, last + 1) }),
    cut: `cut to ${at(first)} … ${at(last)}, less than 1e-12 of it lies outside`,
  };
}
