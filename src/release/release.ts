// A release: what is asked for and the budget give a job; it is quoted, paid for and copied.

import { invalid, isOurs, quote, wrong } from '../error/index.js';
import { checkKept, checkOutputs, checkPaths, heldBack } from '../files/index.js';
import { type Quote, refuseBeyond, type Spending } from '../ledger/index.js';
import { findColumn, type Part } from '../rows/index.js';
import { readsLike } from '../spec/index.js';
import { agreedOn, checkColumns, checkEntropy, mechanismFiles, paid, type Released } from '../terms/index.js';
import { columnNames } from './column-names.js';
import { copyArrow } from './copy-arrow.js';
import { copyJsonLines, tryJsonLines } from './copy-json-lines.js';
import { copyTables } from './copy-tables.js';
import { copyWithDuckdb } from './copy-with-duckdb.js';
import { type CopyEffects, type Effects, orAborted, pour } from './effects.js';
import { systemFailure } from './failure.js';
import type { Copy, Job } from './job.js';
import { checkMechanismFiles, stemOf } from './mechanism-files.js';
import { isTable } from './places/index.js';
import { checkPaid } from './prior-paid.js';
import type { ReleaseRequest, Request } from './request.js';

/** A request with what follows from it and from its dataset's budget. */
export interface Prepared<J> {
  readonly job: J;
  readonly quote: Quote;
}

/** A trial: what it would cost, and what would leave as it is; null where only reading would tell. */
export interface Trial<J = Job> extends Prepared<J> {
  readonly unchanged: readonly string[] | null;
  /** Priors that part of ε would pay for first, and how far a value would be off with all of ε for noise without one. */
  readonly priors?: readonly {
    readonly column: string;
    readonly epsilon: string;
    readonly file: string;
    readonly without: number;
  }[];
}

/**
 * A copy of the input in which every value of the protected columns has noise of its own. The cost, an upper bound on what one
 * person loses, is on the ledger's disk before the first noisy byte exists (proofs/release.md).
 */
export async function release(request: ReleaseRequest, effects: Effects): Promise<Released & Prepared<Job>> {
  const { job, quote } = await prepareRelease(request, effects);
  // First of all, so that nothing is read for what cannot be paid.
  refuseBeyond(quote);
  const copy = await orAborted(effects.signal, openCopy(job, effects), (late) => void late.close());
  try {
    if (copy.unchanged) remark(job, quote, copy.unchanged, effects);
    const mechanisms = job.columns.map(({ mechanism }) => mechanism);
    await copy.hold();
    const released = await paid(effects.ledger, quote, mechanisms, null, copy.run);
    if (!copy.unchanged) remark(job, quote, released.outcome.unchanged, effects);
    return { ...released, job, quote };
  } finally {
    await copy.close();
  }
}

/** Refuses columns that must not leave, and an output that cannot be had, where something else is charged first. */
export async function tryHold(job: Job, effects: Effects): Promise<void> {
  const copy = await orAborted(effects.signal, openCopy(job, effects), (late) => void late.close());
  try {
    await copy.hold();
  } finally {
    await copy.close();
  }
}

/** Cost and remaining budget, from headers, types and keys alone. */
export async function tryRelease(request: ReleaseRequest, effects: Effects): Promise<Trial> {
  const { job, quote } = await prepareRelease(request, effects);
  const unchanged = await trialColumns(job, effects);
  if (unchanged) remark(job, quote, unchanged, effects);
  return { job, quote, unchanged };
}

/** A pipe is read once; keys of JSON lines are on every line. */
async function trialColumns(job: Job, effects: Effects): Promise<readonly string[] | null> {
  if (job.input.kind === 'pipe') return null;
  if (job.input.path !== null && job.input.format?.keyed) return tryJsonLines(job, job.input.path);
  const copy = await openCopy(job, effects);
  await copy.close();
  return copy.unchanged;
}

export async function prepareRelease(
  request: ReleaseRequest,
  effects: Effects,
  keyed: Spending['keyed'] = undefined,
): Promise<Prepared<Job>> {
  const { ledger, entropy } = effects;
  checkEntropy(entropy);
  checkRequest(request, ledger.address);
  checkColumns(request);
  const { input, output } = request;
  const { quote, columns, guard } = await agreedOn(
    {
      ...request,
      inputName: input.name,
      input: input.shown,
      output: output.shown,
      query: input.query,
      ...(keyed ? { keyed } : {}),
    },
    ledger,
  ).catch(async (error) => {
    await checkThere(request, error, effects);
    throw error;
  });
  const files = mechanismFiles(columns, stemOf(output, input), ledger.mechanismHash);
  checkRequest(request, ledger.address, files);
  await checkPaid(request, effects);
  const { pass: passed, drop: dropped, skipInvalid, reading } = request;
  return {
    quote,
    job: { ...jobOf(request, quote, files), columns, passed, dropped, skipInvalid, reading, guard },
  };
}

/** A column that is not there is told first: what else speaks against it helps nobody. */
async function checkThere(
  { input, columns, delimiter }: ReleaseRequest,
  error: unknown,
  effects: Pick<Effects, 'input' | 'signal'>,
): Promise<void> {
  if (!isOurs(error, 'argument')) return;
  const names = await columnNames(input, delimiter, effects).catch(() => null);
  const there = names?.map((name) => ({ name }));
  if (there) for (const { name } of columns) findColumn(there, name, input.shown, 'columns');
}

/** The dataset's own partition and rows per person are what is enforced. */
export function jobOf(request: Request, quote: Quote, files: Job['mechanismFiles']) {
  const { input, output, delimiter, force, recreate, person } = request;
  return {
    input,
    output,
    delimiter,
    force,
    recreate,
    part: partOf(quote),
    person: person === null ? null : { column: person, rows: quote.spending.perPerson ?? 1 },
    keyed: null,
    mechanismFiles: files,
  };
}

/** What holds for releases and counts alike: once for what is said, and again with the files that go beside the output. */
export function checkRequest(request: Request, ledger: string, files: Job['mechanismFiles'] = []): void {
  const { input, output, reads, writes, force, recreate } = request;
  // Of a query nothing is known but what the publisher states.
  if (input.query && !input.query.rowsOnce)
    throw invalid(
      'query: expected {rowsOnce} with it, by which you state that each record is in the result at most once, and that rows are chosen and ordered without looking at protected columns',
    );
  if (recreate && !(isTable(output) && force))
    throw invalid(
      'recreate: it says that a table of PostgreSQL that is overwritten with {force} may lose what it has beside its rows; leave it out, or give {force} with it',
    );
  if (input.isSame(output))
    throw wrong(
      `${output.shown}: the output is the input; choose another name, for the true values would be gone`,
    );
  const paths = (own: string | null) => (own === null ? [] : [own]);
  const inputs = input.paths ?? paths(input.path);
  const beside = files.map(({ path }) => path);
  checkPaths([...inputs, ...reads], [...paths(output.path), ...writes, ...beside], ledger);
  checkOutputs([...paths(output.path), ...writes], force);
  // What others write.
  if (output.beside) checkKept(output.beside);
  checkMechanismFiles(files, force);
}

/** The part that is enforced, as the budget's partition has it. */
export function partOf({ account: { budget }, spending: { part } }: Quote): Part | null {
  return part !== null && budget?.partition ? { column: budget.partition.column, value: part } : null;
}

/**
 * The copy of a job. Nothing goes to standard output before all rows are through: where an output ends would tell which row was
 * refused.
 */
export async function openCopy(job: Job, effects: CopyEffects): Promise<Copy> {
  if (job.output.kind !== 'pipe') return copyOf(job, effects);
  const held = heldBack();
  try {
    const copy = await copyOf(job, { ...effects, output: held.stream });
    return {
      ...copy,
      run: async () => {
        const outcome = await copy.run();
        await held
          .letGo((bytes) => pour(effects.output, bytes))
          .catch((error) => {
            throw systemFailure(error, job.output.shown);
          });
        return outcome;
      },
      close: () => copy.close().finally(held.close),
    };
  } catch (error) {
    held.close();
    throw error;
  }
}

/** Four ways for rows: from table to table, JSON lines to JSON lines, Arrow to Arrow, and through the engine. */
function copyOf(job: Job, effects: CopyEffects): Promise<Copy> {
  const { input, output, reading } = job;
  if (reading && (isTable(input) || input.format?.writeRows))
    throw invalid(
      `map: {na}, {map} and {decimal} are for text files, and ${input.shown} has types of its own; write plain numbers there, or export it as CSV`,
    );
  if (reading?.decimal === ',' && input.format?.keyed && !output.format?.keyed)
    throw invalid(
      'decimal: numbers in JSON have a point, which would be taken for one between thousands; leave it out, or write JSON lines',
    );
  if (isTable(input) && isTable(output)) return copyTables({ ...job, input, output }, effects);
  if (input.format?.keyed && output.format?.keyed) return copyJsonLines(job, effects);
  if (input.format?.writeRows && output.format?.writeRows) return copyArrow(job, effects);
  return copyWithDuckdb(job, effects);
}

/** What is allowed, and yet worth a thought. */
function remark(
  { person, input, columns }: Job,
  { account }: Quote,
  unchanged: readonly string[],
  { note }: Effects,
): void {
  if (person && unchanged.includes(person.column))
    note(`${quote(person.column)} tells persons apart, and leaves as it is`);
  for (const { column, dataset } of account.elsewhere)
    if (unchanged.some((name) => readsLike(name, column)))
      note(
        `${quote(column)} is protected in the dataset ${dataset} of this ledger, and leaves as it is here`,
      );
  const names = [...columns.map(({ name }) => name), ...Object.keys(account.budget?.adjacency ?? {})];
  const sql = input.query?.sql ?? '';
  for (const name of new Set(names)) {
    const word = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    const mentions = [...sql.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'giu'))]
      .length;
    if (mentions > (columns.some((column) => readsLike(column.name, name)) ? 1 : 0))
      note(
        `the query mentions the protected ${quote(name)} beside selecting it; you state that rows are neither chosen nor ordered by it`,
      );
  }
}
