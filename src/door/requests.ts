// Options of the front door as requests: figures read, places named, domains written out.

import { invalid } from '../error/index.js';
import type { Rational } from '../exact/index.js';
import type { Ledger } from '../ledger/index.js';
import {
  type Afterwards,
  type ColumnRequest,
  type CountRequest,
  countColumn,
  type Domain,
  placeOf,
  type ReleaseRequest,
  type ReportPaths,
  type Request,
  type Shares,
} from '../release/index.js';
import {
  type Decimal,
  parseFamily,
  readDecimal,
  readDelta,
  readEpsilon,
  readPositive,
  readPositiveEpsilon,
  suggest,
} from '../spec/index.js';
import type { ByColumn, CountOptions, DomainOf, ReleaseOptions } from './options.js';
import { checkOptions, readPrior } from './target.js';

/** What both take: texts, flags, and the rest, which is looked at where it is read. */
const TEXTS = [
  'input',
  'output',
  'dataset',
  'part',
  'person',
  'table',
  'query',
  'outputTable',
  'report',
  'delimiter',
  'family',
];
const COMMON = [
  ...TEXTS,
  ...['inputFormat', 'outputFormat', 'rowsOnce', 'force', 'perPerson', 'clamp', 'roundTo', 'ledger', 'reads'],
  ...['signal', 'progress', 'note', 'epsilon', 'delta'],
];
const MADE = ['epsilon', 'delta', 'adjacency', 'step', 'prior', 'family'] as const;
const RELEASE = [...COMMON, ...MADE, 'columns', 'mechanism', 'allowBias', 'pass', 'skipInvalid'];

/** Kinds that would otherwise fail somewhere deep. */
function checkKinds(options: ReleaseOptions | CountOptions): void {
  const given = options as unknown as Readonly<Record<string, unknown>>;
  for (const field of TEXTS)
    if (given[field] !== undefined && typeof given[field] !== 'string')
      throw invalid(`${field}: expected a text, got ${typeof given[field]}`);
  const { ledger, signal } = given;
  if (
    ledger !== undefined &&
    typeof ledger !== 'string' &&
    typeof (ledger as Ledger | null)?.reserve !== 'function'
  )
    throw invalid(`ledger: expected an address, or what openLedger gives, got ${typeof ledger}`);
  for (const field of ['pass', 'reads']) {
    const names = given[field];
    if (names !== undefined && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
      throw invalid(`${field}: expected a list of names, got ${typeof names}`);
  }
  for (const field of ['progress', 'note'])
    if (given[field] !== undefined && typeof given[field] !== 'function')
      throw invalid(`${field}: expected a function, got ${typeof given[field]}`);
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== 'function')
    throw invalid(`signal: expected that of an AbortController, got ${typeof signal}`);
}

export function releaseRequest(options: ReleaseOptions): ReleaseRequest {
  checkOptions(
    options,
    "{ input: 'a.csv', output: 'b.csv', columns: ['visits'], epsilon: 1, adjacency: 5 }",
    RELEASE,
  );
  checkKinds(options);
  const { columns: names, mechanism, epsilon } = options;
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
    throw invalid(
      `columns: expected a list of names, got ${Array.isArray(names) ? 'other things in it' : typeof names}`,
    );
  const afterwards = afterwardsOf(options, names);
  checkColumns('mechanism', mechanism, names);
  const columns = names.map(
    (name: string): ColumnRequest => ({ name, mechanism: own(mechanism, name) ?? null, ...afterwards(name) }),
  );
  for (const { name, mechanism: own } of columns)
    if (own && !(typeof own === 'object' && own.pmf && own.claim))
      throw invalid(
        `mechanism: expected a mechanism for ${JSON.stringify(name)}, got ${typeof own}; see readMechanism`,
      );
  // Options for making a mechanism do not go with mechanisms that are given.
  if (columns.length > 0 && columns.every(({ mechanism: own }) => own))
    for (const field of MADE)
      if (entriesOf<unknown>(options[field]).length > 0)
        throw invalid(
          `${field}: the mechanism is given${options.reads ? ' by a file' : ''}, which has its own; leave this out, or the mechanism`,
        );
  const step = readPositive(options.step ?? 1, 'step');
  const noise = {
    epsilon: shares(epsilon, (value) => readEpsilon(value)),
    delta: shares(options.delta, (value) => readDelta(value)),
    adjacency: options.adjacency === undefined ? null : readPositive(options.adjacency, 'adjacency'),
    step,
    prior: readPrior(options.prior, step),
    family: options.family === undefined ? null : parseFamily(options.family),
    unbiased: options.allowBias !== true,
  };
  return {
    ...requestOf(options),
    columns,
    noise: epsilon === undefined ? null : noise,
    pass: options.pass ?? [],
    skipInvalid: options.skipInvalid === true,
  };
}

export function countRequest(options: CountOptions): CountRequest {
  checkOptions(options, "{ input: 'a.csv', output: 'b.csv', by: { region: ['N', 'S'] }, epsilon: 1 }", [
    ...COMMON,
    'by',
  ]);
  checkKinds(options);
  if (options.by === null || typeof options.by !== 'object' || Array.isArray(options.by))
    throw invalid("by: expected columns with their values, as in { region: ['N', 'S'] }");
  const by = (options.by instanceof Map ? [...options.by] : Object.entries(options.by)).map(domainOf);
  if (by.length === 0) throw invalid(`by: expected columns with their values, as in { region: ['N', 'S'] }`);
  return {
    ...requestOf(options),
    by,
    epsilon: readPositiveEpsilon(options.epsilon),
    delta: readDelta(options.delta ?? 0),
    ...afterwardsOf(options, [countColumn])(countColumn),
  };
}

/** Standard output takes the input's format where none is named. */
function requestOf(options: ReleaseOptions | CountOptions): Request {
  const { input: from, output: to } = options;
  if (typeof from !== 'string')
    throw invalid(`input: expected a file, - or postgres://…, got ${typeof from}`);
  if (typeof to !== 'string')
    throw invalid('output: expected where to write the released data: a file, - or postgres://…');
  const query = { query: options.query ?? null, rowsOnce: options.rowsOnce === true };
  const input = placeOf(
    { address: from, format: options.inputFormat ?? null, table: options.table ?? null, ...query },
    'input',
  );
  const format = options.outputFormat ?? (to === '-' ? (input.format?.name ?? 'csv') : null);
  const output = placeOf(
    { address: to, format, table: options.outputTable ?? null, query: null, rowsOnce: false },
    'output',
  );
  const reports = options.report === undefined ? null : reportPaths(options.report);
  return {
    input,
    output,
    dataset: options.dataset ?? null,
    part: options.part ?? null,
    perPerson: options.perPerson === undefined ? null : rowsOf(options.perPerson),
    person: options.person ?? null,
    delimiter: options.delimiter === undefined ? null : delimiterOf(options.delimiter),
    force: options.force === true,
    reads: options.reads ?? [],
    writes: reports ? [reports.html, reports.json] : [],
  };
}

/** The page and its figures. */
export function reportPaths(html: string): ReportPaths {
  if (!/\.html?$/i.test(html)) throw invalid(`report: expected a name that ends in .html, got ${html}`);
  return { html, json: html.replace(/\.html?$/i, '.json') };
}

export function rowsOf(perPerson: Decimal): number {
  if (!/^[1-9]\d{0,8}$/.test(String(perPerson)))
    throw invalid(`perPerson: expected a whole number of rows from 1 on, got ${perPerson}`);
  return Number(perPerson);
}

/** One character; \\t is a tab. */
function delimiterOf(text: string): string {
  const char = text === '\\t' ? '\t' : text;
  if (char.length !== 1 || char === '"' || char === '\n' || char === '\r')
    throw invalid(`delimiter: expected one character, such as ; or \\t, got ${JSON.stringify(text)}`);
  return char;
}

/** What is given for each column, and for all under null. */
function entriesOf<T>(given: ByColumn<T> | undefined): [string | null, T][] {
  if (given === undefined) return [];
  if (given instanceof Map) return [...given];
  const isOne = typeof given !== 'object' || given === null || Array.isArray(given) || 'pmf' in given;
  return isOne ? [[null, given as T]] : Object.entries(given as Readonly<Record<string, T>>);
}

function own<T>(given: ByColumn<T> | undefined, column: string): T | undefined {
  const values = new Map(entriesOf(given));
  return values.get(column) ?? values.get(null);
}

function shares(given: ByColumn<Decimal> | undefined, read: (value: Decimal) => Rational): Shares {
  const values = new Map(entriesOf(given).map(([column, value]) => [column, read(value)]));
  const all = values.get(null) ?? null;
  values.delete(null);
  return { all, own: values as Map<string, Rational> };
}

function checkColumns(field: string, given: ByColumn<unknown> | undefined, columns: readonly string[]): void {
  for (const [column] of entriesOf(given))
    if (column !== null && !columns.includes(column))
      throw invalid(
        `${field}: ${JSON.stringify(column)} is not released; ${suggest(column, columns, 'released are')}`,
      );
}

/** What is done afterwards to the values of each of the columns. */
function afterwardsOf(
  { clamp, roundTo }: Pick<ReleaseOptions, 'clamp' | 'roundTo'>,
  columns: readonly string[],
): (column: string) => Afterwards {
  checkColumns('clamp', clamp, columns);
  checkColumns('roundTo', roundTo, columns);
  return (column) => {
    const bounds = own<readonly [Decimal, Decimal]>(clamp, column);
    if (bounds !== undefined && !(Array.isArray(bounds) && bounds.length === 2))
      throw invalid('clamp: expected [low, high], as in [0, 100]');
    const unit = own<Decimal>(roundTo, column);
    return {
      clamp: bounds ? { low: readDecimal(bounds[0], 'clamp'), high: readDecimal(bounds[1], 'clamp') } : null,
      roundTo: unit === undefined ? null : readPositive(unit, 'roundTo'),
    };
  };
}

const LARGEST_RANGE = 10_000_000;

function domainOf([column, values]: [string, DomainOf]): Domain {
  const field = `domain ${column}`;
  if (Array.isArray(values)) {
    const odd = values.find((value) => !['string', 'number'].includes(typeof value));
    if (odd !== undefined || values.includes(undefined as never))
      throw invalid(`${field}: expected texts or numbers, got ${typeof odd}`);
    const texts = values.map(String);
    const twice = texts.find((value, i) => texts.indexOf(value) !== i);
    if (twice !== undefined) throw invalid(`${field}: ${JSON.stringify(twice)} is named twice`);
    if (texts.length === 0 || (texts.length === 1 && texts[0] === ''))
      throw invalid(`${field}: expected the values that it may have, as in ${column}=a,b,c`);
    return { column, values: texts, isRange: false };
  }
  const { from, to } = (values ?? {}) as { from: number; to: number };
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to < from || to - from >= LARGEST_RANGE)
    throw invalid(`${field}: expected a range upward of at most ${LARGEST_RANGE} values, got ${from}..${to}`);
  const range = Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  return { column, values: range, isRange: true };
}
