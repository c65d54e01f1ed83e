// Noisy counts of every cell of a public domain. The domain is never read from the data: which cells are empty, and which
// rows fall outside, must not show.

import {
  divide,
  integer,
  parseDecimal,
  type Rational,
  toDecimal,
  toDecimalDown,
  zero,
} from '../exact/index.js';
import {
  type Budget,
  type Charge,
  growthUpper,
  type Ledger,
  mechanismCost,
  mechanismHash,
  protects,
  refuseBeyond,
  successive,
  type Wish,
} from '../ledger/index.js';
import { type Mechanism, PrivacyError } from '../mechanism/index.js';
import { sampler } from '../random/index.js';
import { checkPeople, findPart, readOnce } from './checks.js';
import { fedTo, findIn } from './copy-with-duckdb.js';
import { addNoise, closeEngine, type Engine, limitMemory, openEngine } from './engine.js';
import { failureOf } from './failure.js';
import { checkOwnColumn } from './guard.js';
import type { Job, Outcome } from './job.js';
import type { Finish, Lattice } from './lattice.js';
import { identifier, literal, releasedSql, typeSql } from './lattice-sql.js';
import { nameOf, type Place, samePlace, shownPlace } from './place.js';
import { checkNewTable } from './postgres.js';
import {
  type Account,
  checkQuery,
  orAborted,
  paid,
  partIn,
  queryOf,
  type Released,
  type Trial,
} from './release.js';
import { writeRows } from './sink.js';
import { type Column, openSource, type Source } from './source.js';

/** The values that a column may have, in the order in which they are written. */
export interface Domain {
  readonly column: string;
  readonly values: readonly string[];
  /** Whole numbers, and written as such. */
  readonly isRange: boolean;
}

export interface CountJob extends Omit<Job, 'columns' | 'skipInvalid' | 'passed' | 'part' | 'guard'> {
  readonly by: readonly Domain[];
  /** For a change of one count by one. */
  readonly mechanism: Mechanism;
  readonly lattice: Lattice;
  readonly finish: Finish;
}

const MOST_CELLS = 100_000_000;
/** The name of the column of counts. */
export const countColumn = 'count';

/**
 * How many counts change by one, at most, when a person with so many rows comes or goes. A record whose value changes in a
 * column that is counted by leaves one cell for another: two changes. What a query computes may depend on any column.
 */
export function changes(
  perPerson: number,
  by: readonly Domain[],
  budget: Budget | null,
  input: Place,
): number {
  const moves = queryOf(input)
    ? Object.keys(budget?.adjacency ?? {}).length > 0
    : by.some(({ column }) => protects(budget, column));
  return perPerson * (moves ? 2 : 1);
}

/** The (ε, δ) of one change such that so many in a row cost no more than the target; rounded down. */
export function shareOf(target: { readonly epsilon: Rational; readonly delta: Rational }, count: number) {
  const epsilon = parseDecimal(toDecimalDown(divide(target.epsilon, integer(count)), 15));
  if (target.delta.num === 0n) return { epsilon, delta: zero };
  const growth = growthUpper(epsilon, count);
  if (growth === null)
    throw new RangeError('--epsilon: expected at most 20000 with a δ above 0; there is no privacy beyond');
  return { epsilon, delta: parseDecimal(toDecimalDown(divide(target.delta, growth), 15)) };
}

export async function count(job: CountJob, account: Account, ledger: Ledger): Promise<Released> {
  const wish = checked(job, account);
  const quote = await ledger.quote(wish);
  refuseBeyond(quote);
  const { spending, budget } = quote;
  const part = partIn(budget, spending.part);
  const engine = await openEngine();
  let source: Source | null = null;
  try {
    source = await orAborted(job.signal, openSource(engine, job.input, job.delimiter));
    const opened = source;
    checkColumns(job, opened, part);
    if (job.output.kind === 'postgres') await checkNewTable(job.output, job.force);
    return await paid(
      ledger,
      wish,
      job,
      () => run(job, engine, opened, spending.perPerson ?? 1, part),
      quote,
    );
  } finally {
    await source?.close();
    closeEngine(engine);
  }
}

export async function tryCount(job: CountJob, account: Account, ledger: Ledger): Promise<Trial> {
  const quote = await ledger.quote(checked(job, account));
  const trial = { quote, unchanged: [] };
  if (job.input.kind === 'pipe' || (job.input.kind === 'file' && job.input.format === 'jsonl')) return trial;
  const engine = await openEngine();
  try {
    const source = await openSource(engine, job.input, job.delimiter);
    try {
      checkColumns(job, source, partIn(quote.budget, quote.spending.part));
    } finally {
      await source.close();
    }
  } finally {
    closeEngine(engine);
  }
  return trial;
}

function checked(job: CountJob, account: Account): Wish {
  if (job.source.kind !== 'entropy')
    throw new PrivacyError(
      'a release draws its noise from the operating system; seeded noise protects nobody',
    );
  checkQuery(job.input);
  if (samePlace(job.input, job.output))
    throw new RangeError(`${shownPlace(job.output)}: the output is the input; choose another name`);
  const cells = job.by.reduce((product, { values }) => product * values.length, 1);
  if (cells > MOST_CELLS)
    throw new RangeError(`--domain: expected at most ${MOST_CELLS} cells, got ${cells}; use smaller domains`);
  if (job.by.some(({ column }) => column === countColumn))
    throw new RangeError(
      `--by: the counts are written to a column ${countColumn}; rename the input's column first`,
    );
  const cost = mechanismCost(job.mechanism, 1);
  return {
    act: 'count',
    dataset: account.dataset,
    inputName: nameOf(job.input),
    part: account.part,
    input: shownPlace(job.input),
    output: shownPlace(job.output),
    query: queryOf(job.input),
    perPerson: account.perPerson,
    perPersonEnforced: job.person !== null,
    by: job.by.map(({ column }) => column),
    price: (): Charge[] => [
      {
        on: `count by ${job.by.map(({ column }) => column).join(', ')}`,
        mechanism: mechanismHash(job.mechanism),
        adjacency: '1',
        epsilon: toDecimal(cost.epsilon),
        delta: toDecimal(cost.delta),
      },
    ],
    forPerson: (perPerson, budget) => successive(cost, changes(perPerson, job.by, budget, job.input)),
  };
}

function checkColumns(job: CountJob, source: Source, part: Job['part']): void {
  for (const { column } of job.by) {
    const found = findIn(source, column, '--by');
    // What is computed may depend on a value that is protected now or later; a query's counts are charged for that.
    if (queryOf(job.input) === null) checkOwnColumn(found, '--by', source.shown);
  }
  if (job.person) {
    checkOwnColumn(findIn(source, job.person.column, '--person'), '--person', source.shown);
    if (!source.crowded) throw readOnce();
  }
  if (part) checkOwnColumn(findPart(source.columns, part, source.shown), '--part', source.shown);
}

async function run(
  job: CountJob,
  engine: Engine,
  source: Source,
  perPerson: number,
  part: Job['part'],
): Promise<Outcome> {
  let drawn = 0;
  await limitMemory(engine, 'large');
  addNoise(engine, 'noise_0', sampler(job.mechanism.pmf, job.source), (rows) => {
    drawn += rows;
    job.progress(drawn, null);
  });
  const stop = () => {
    engine.interrupt();
    if (!source.rereadable) void source.close();
  };
  job.signal.addEventListener('abort', stop);
  const shownOutput = shownPlace(job.output);
  try {
    job.signal.throwIfAborted();
    await checkPeople(job.person && { ...job.person, rows: perPerson }, source);
    for (const [i, { values }] of job.by.entries()) {
      await engine.run(`CREATE TABLE domain_${i} (place BIGINT, value VARCHAR)`);
      for (let from = 0; from < values.length; from += 10_000) {
        const rows = values
          .slice(from, from + 10_000)
          .map((value, at) => `(${from + at}, ${literal(value)})`);
        await engine.run(`INSERT INTO domain_${i} VALUES ${rows.join(', ')}`);
      }
    }
    const rows = await fedTo(source, job, (beforePublish) =>
      writeRows(engine, countSql(job, source, part), job.output, {
        force: job.force,
        delimiter: source.delimiter,
        note: job.note,
        check: source.check,
        columns: [
          ...job.by.map(({ column, isRange }) => ({ name: column, type: isRange ? 'bigint' : 'text' })),
          { name: countColumn, type: typeSql(job.lattice, 'postgres') },
        ],
        beforePublish,
      }),
    );
    return { rows, unchanged: [], values: [rows] };
  } catch (error) {
    job.signal.throwIfAborted();
    throw failureOf(error, source.shown, shownOutput);
  } finally {
    job.signal.removeEventListener('abort', stop);
  }
}

/** True counts of the cells that occur, joined to all cells there are, in the domain's order. */
function countSql(job: CountJob, source: Source, part: Job['part']): string {
  const texts = job.by.map(({ column, isRange }) =>
    cellSql(source.columns.find(({ name }) => name === column)!, isRange),
  );
  const partColumn = part && findPart(source.columns, part, source.shown);
  const inside = [
    ...texts.map((text, i) => `${text} IN (SELECT value FROM domain_${i})`),
    ...(part && partColumn ? [`CAST(${partColumn.sql} AS VARCHAR) = ${literal(part.value)}`] : []),
  ].join(' AND ');
  const counted = `SELECT ${texts.map((text, i) => `${text} AS v${i}`).join(', ')}, count(*) AS n FROM ${source.relation()} WHERE ${inside} GROUP BY ALL`;
  const cells = `SELECT ${job.by.map((_, i) => `d${i}.value AS v${i}, d${i}.place AS p${i}`).join(', ')} FROM ${job.by.map((_, i) => `domain_${i} AS d${i}`).join(', ')}`;
  const places = job.by.map((_, i) => `p${i}`);
  const ordered = `SELECT cells.*, coalesce(n, 0)::BIGINT AS n FROM (${cells}) AS cells LEFT JOIN (${counted}) AS counted ON ${job.by.map((_, i) => `cells.v${i} = counted.v${i}`).join(' AND ')} ORDER BY ${places.join(', ')}`;
  const list = job.by.map(
    ({ column, isRange }, i) => `${isRange ? `CAST(v${i} AS BIGINT)` : `v${i}`} AS ${identifier(column)}`,
  );
  return `SELECT ${list.join(', ')}, ${releasedSql('n', 'noise_0()', job.lattice, job.finish)} AS ${countColumn} FROM (${ordered})`;
}

/** A value's text, by which it is matched; whole numbers have no point, whatever their type. */
function cellSql({ sql, type }: Column, isRange: boolean): string {
  const text = isRange
    ? `regexp_replace(CAST(${sql} AS VARCHAR), '^([+-]?[0-9]+)\\.0+$', '\\1')`
    : `CAST(${sql} AS VARCHAR)`;
  if (!/^(FLOAT|DOUBLE|DECIMAL)/.test(type)) return text;
  return `CASE WHEN ${sql} = trunc(${sql}) AND abs(${sql}) < 1e15 THEN CAST(CAST(${sql} AS BIGINT) AS VARCHAR) ELSE ${text} END`;
}
