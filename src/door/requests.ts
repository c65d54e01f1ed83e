// Options of the front door as requests: figures read, places named, domains written out.

import { invalid, quote } from '../error/index.js';
import type { Ledger } from '../ledger/index.js';
import {
  type CountRequest,
  countColumn,
  type PriorRequest,
  placeOf,
  type ReleaseRequest,
  type ReportPaths,
  type Request,
} from '../release/index.js';
import { type Decimal, readDelta, readPositive, readPositiveEpsilon } from '../spec/index.js';
import { type ColumnRequest, checkStep } from '../terms/index.js';
import { afterwardsOf, checkColumns, entriesOf, own } from './by-column.js';
import { domainOf } from './domains.js';
import { noiseOf, rangeOf } from './noise.js';
import type { Common, CountOptions, PriorOptions, ReleaseOptions } from './options.js';
import { cellReading, countReading } from './reading.js';
import { checkOptions } from './target.js';

/** What all take: texts, flags, and the rest, which is looked at where it is read. */
const INPUT_TEXTS = [
  'input',
  'output',
  'dataset',
  'part',
  'person',
  'table',
  'query',
  'delimiter',
  'encoding',
];
const TEXTS = [...INPUT_TEXTS, 'outputTable', 'report', 'family', 'counted', 'decimal', 'other'];
const INPUT = [
  ...[...INPUT_TEXTS, 'inputFormat', 'rowsOnce', 'force', 'perPerson', 'ledger', 'reads'],
  ...['signal', 'progress', 'note'],
];
const COMMON = [
  ...INPUT,
  ...['outputTable', 'recreate', 'report', 'family', 'outputFormat', 'clamp', 'roundTo', 'epsilon', 'delta'],
];
const MADE = ['epsilon', 'delta', 'adjacency', 'step', 'prior', 'priorShare', 'range', 'family'] as const;
const CELLS = ['na', 'map', 'decimal'];
const RELEASE = [
  ...COMMON,
  ...MADE,
  'columns',
  'mechanism',
  'allowBias',
  'pass',
  'drop',
  'skipInvalid',
  ...CELLS,
];

/** Kinds that would otherwise fail somewhere deep. */
function checkKinds(options: Common): void {
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
  for (const field of ['pass', 'drop', 'reads']) {
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
        `mechanism: expected a mechanism for ${quote(name)}, got ${typeof own}; see readMechanism`,
      );
  // Options for making a mechanism do not go with mechanisms that are given.
  if (columns.length > 0 && columns.every(({ mechanism: own }) => own))
    for (const field of MADE)
      if (entriesOf<unknown>(options[field]).length > 0)
        throw invalid(
          `${field}: the mechanism is given${options.reads ? ' by a file' : ''}, which has its own; leave this out, or the mechanism`,
        );
  const noise = noiseOf(options, columns);
  return {
    ...requestOf(options),
    columns,
    noise: epsilon === undefined ? null : noise,
    pass: options.pass ?? [],
    drop: [...new Set(options.drop ?? [])],
    skipInvalid: options.skipInvalid === true,
    reading: cellReading(options),
  };
}

export function countRequest(options: CountOptions): CountRequest {
  checkOptions(options, "{ input: 'a.csv', output: 'b.csv', by: { region: ['N', 'S'] }, epsilon: 1 }", [
    ...COMMON,
    ...['by', 'counted', 'map', 'trim', 'other'],
  ]);
  checkKinds(options);
  if (options.counted !== undefined && options.person !== undefined)
    throw invalid('person: rows that are counted already tell no persons apart; leave it out');
  if (options.by === null || typeof options.by !== 'object' || Array.isArray(options.by))
    throw invalid("by: expected columns with their values, as in { region: ['N', 'S'] }");
  const by = (options.by instanceof Map ? [...options.by] : Object.entries(options.by)).map((entry) =>
    domainOf(entry, options.other ?? null),
  );
  if (by.length === 0) throw invalid(`by: expected columns with their values, as in { region: ['N', 'S'] }`);
  return {
    ...requestOf(options),
    by,
    counted: options.counted ?? null,
    reading: countReading(options),
    epsilon: readPositiveEpsilon(options.epsilon),
    delta: readDelta(options.delta ?? 0),
    ...afterwardsOf(options, [countColumn])(countColumn),
  };
}

export function priorRequest(options: PriorOptions): PriorRequest {
  checkOptions(
    options,
    "{ input: 'a.csv', output: 'prior.csv', column: 'visits', range: [0, 77], epsilon: 0.1 }",
    [
      ...INPUT,
      'epsilon',
      'delta',
      'column',
      'range',
      'step',
      'thresholds',
      'skipInvalid',
      'adjacency',
      ...CELLS,
    ],
  );
  checkKinds(options);
  if (typeof options.column !== 'string')
    throw invalid(`column: expected the name of a column, got ${typeof options.column}`);
  if (typeof options.output === 'string' && !/\.csv$/i.test(options.output))
    throw invalid(`output: expected a file that ends in .csv, got ${options.output}`);
  if (options.adjacency !== undefined && !options.thresholds)
    throw invalid(
      'adjacency: a value that moves changes two counts, however little it moves; leave it out, or count below {thresholds}',
    );
  const adjacency = options.adjacency === undefined ? null : readPositive(options.adjacency, 'adjacency');
  const [range, step] = [rangeOf(options.range), readPositive(options.step ?? 1, 'step')];
  const reach = { range, ...(adjacency ? { adjacency } : {}), alone: true };
  checkStep(options.column, { value: step, own: options.step !== undefined }, reach);
  return {
    ...requestOf(options),
    column: options.column,
    range,
    step,
    epsilon: readPositiveEpsilon(options.epsilon),
    delta: readDelta(options.delta ?? 0),
    thresholds: options.thresholds === true,
    skipInvalid: options.skipInvalid === true,
    reading: cellReading(options),
    adjacency,
  };
}

/** Standard output takes the input's format where none is named. */
function requestOf(options: Common): Request {
  const { input: from, output: to } = options;
  if (typeof from !== 'string')
    throw invalid(`input: expected a file, - or postgres://…, got ${typeof from}`);
  if (typeof to !== 'string')
    throw invalid('output: expected where to write the released data: a file, - or postgres://…');
  const query = { query: options.query ?? null, rowsOnce: options.rowsOnce === true };
  const input = placeOf(
    {
      ...{ address: from, format: options.inputFormat ?? null, table: options.table ?? null, ...query },
      encoding: options.encoding ?? null,
    },
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
    recreate: options.recreate === true,
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
export function delimiterOf(text: string): string {
  const char = text === '\\t' ? '\t' : text;
  // Cut at a digit, values would show in how many cells a row has.
  if (char.length !== 1 || /["\n\r.+-]|[\p{L}\p{N}]/u.test(char))
    throw invalid(
      `delimiter: expected one character that is part of no number or word, such as ; or \\t, got ${quote(text)}`,
    );
  return char;
}
