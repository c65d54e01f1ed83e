// A release: reserve, write, settle. The spending is in the ledger before the first noisy byte exists.

import { ceiling, divide, integer, multiply, toDecimal } from '../exact/index.js';
import {
  adjacencyOf,
  type Budget,
  type Charge,
  type Cost,
  type Ledger,
  mechanismCost,
  mechanismHash,
  type Query,
  type Quote,
  type Reservation,
  refuseBeyond,
  type Wish,
} from '../ledger/index.js';
import { certify, type Mechanism, PrivacyError, remembered } from '../mechanism/index.js';
import { readsLike } from '../spec/index.js';
import { copyJsonLines, tryJsonLines } from './copy-json-lines.js';
import { copyTables } from './copy-tables.js';
import { copyWithDuckdb } from './copy-with-duckdb.js';
import { InputError, Interrupted } from './failure.js';
import type { Copy, Job, Outcome, ProtectedColumn } from './job.js';
import { nameOf, type Place, samePlace, shownPlace } from './place.js';

/** What the ledger needs to know beside the job. */
export interface Account {
  readonly dataset: string | null;
  readonly part: string | null;
  readonly perPerson: number | null;
}

export interface Released {
  readonly outcome: Outcome;
  readonly reservation: Reservation;
  /** The ledger's head after it. */
  readonly head: string;
  /** False where the ledger could not be told that it is complete: the entry stays open, which counts as spent. */
  readonly settled: boolean;
  readonly who: string;
}

export async function release(job: Job, account: Account, ledger: Ledger): Promise<Released> {
  checkJob(job);
  const wish = wishOf(job, account);
  // First of all, so that nothing is read for what cannot be paid.
  const quote = await ledger.quote(wish);
  refuseBeyond(quote);
  const copy = await orAborted(job.signal, openCopy(withBudget(job, quote)));
  try {
    if (copy.unchanged) remark(job, quote, copy.unchanged);
    const released = await paid(ledger, wish, job, copy.run, quote);
    if (!copy.unchanged) remark(job, quote, released.outcome.unchanged);
    return released;
  } finally {
    await copy.close();
  }
}

/** What is allowed, and yet worth a thought. */
function remark({ person, input, columns, note }: Job, quote: Quote, unchanged: readonly string[]): void {
  if (person && unchanged.includes(person.column))
    note(`${JSON.stringify(person.column)} tells persons apart, and leaves as it is`);
  for (const { column, dataset } of quote.elsewhere)
    if (unchanged.some((name) => readsLike(name, column)))
      note(
        `${JSON.stringify(column)} is protected in the dataset ${dataset} of this ledger, and leaves as it is here`,
      );
  const names = [...columns.map(({ name }) => name), ...Object.keys(quote.budget?.adjacency ?? {})];
  const sql = queryOf(input)?.sql ?? '';
  for (const name of new Set(names)) {
    const word = name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    const mentions = [...sql.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'giu'))]
      .length;
    if (mentions > (columns.some((column) => readsLike(column.name, name)) ? 1 : 0))
      note(
        `the query mentions the protected ${JSON.stringify(name)} beside selecting it; by --rows-once you state that rows are neither chosen nor ordered by it`,
      );
  }
}

/** What is waited for may never come, as on a silent pipe: an abort ends the waiting. */
export function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** A trial: what it would cost, and what would leave as it is; null where only reading would tell. */
export interface Trial {
  readonly quote: Quote;
  readonly unchanged: readonly string[] | null;
}

/** Cost and remaining budget, from headers, types and keys alone. */
export async function tryRelease(job: Job, account: Account, ledger: Ledger): Promise<Trial> {
  checkJob(job);
  const quote = await ledger.quote(wishOf(job, account));
  const full = withBudget(job, quote);
  const remarked = (unchanged: readonly string[] | null): Trial => {
    if (unchanged) remark(job, quote, unchanged);
    return { quote, unchanged };
  };
  // A pipe is read once; keys of JSON lines are on every line.
  if (job.input.kind === 'pipe') return { quote, unchanged: null };
  if (job.input.kind === 'file' && job.input.format === 'jsonl') return remarked(await tryJsonLines(full));
  const copy = await openCopy(full);
  await copy.close();
  return remarked(copy.unchanged);
}

/** Reserve, do the work, settle: void only where the input was invalid and nothing has left. */
export async function paid(
  ledger: Ledger,
  wish: Wish,
  { output }: Pick<Job, 'output'>,
  work: () => Promise<Outcome>,
  quote: Quote,
): Promise<Released> {
  const reservation = await ledger.reserve(wish, quote);
  let outcome: Outcome;
  try {
    outcome = await work();
  } catch (error) {
    throw await settledFailure(ledger, reservation.sequence, error, output.kind === 'pipe');
  }
  // From here on the output is there and paid for: what fails now must not look like a release that failed.
  const { head, settled } = await ledger
    .settle(reservation.sequence, 'complete', `${outcome.rows} rows`)
    .then(
      (hash) => ({ head: hash, settled: true }),
      () => ({ head: reservation.head, settled: false }),
    );
  return { outcome, reservation, head, settled, who: reservation.who };
}

/** Void or abort the entry, and the error with what became of it. */
async function settledFailure(
  ledger: Ledger,
  entry: number,
  error: unknown,
  left: boolean,
): Promise<unknown> {
  const given = error instanceof InputError && !left;
  const reason = given
    ? 'the input is invalid'
    : error instanceof Interrupted
      ? `interrupted by ${error.signal}`
      : 'it failed';
  // Where even this cannot be written, the entry stays open, which counts as spent.
  const settled = await ledger.settle(entry, given ? 'void' : 'abort', reason).then(
    () => true,
    () => false,
  );
  if (error instanceof Interrupted) return new Interrupted(error.signal, entry);
  const fate =
    given && settled
      ? 'Nothing was released or charged'
      : `${left ? 'What has gone to standard output' : 'The attempt'} stays charged, as entry ${entry} of the ledger`;
  const message = `${error instanceof Error ? error.message : String(error)}. ${fate}`;
  return error instanceof RangeError ? new RangeError(message) : new Error(message);
}

function checkJob(job: Job): void {
  if (job.source.kind !== 'entropy')
    throw new PrivacyError(
      'a release draws its noise from the operating system; seeded noise protects nobody',
    );
  checkQuery(job.input);
  if (samePlace(job.input, job.output))
    throw new RangeError(
      `${shownPlace(job.output)}: the output is the input; choose another name, for the true values would be gone`,
    );
  const names = new Set<string>();
  for (const { name } of job.columns) {
    if (names.has(name)) throw new RangeError(`--column: ${JSON.stringify(name)} is named twice`);
    names.add(name);
  }
  if (job.columns.length === 0) throw new RangeError('--column: expected at least one column to protect');
  for (const { name, mechanism } of job.columns)
    if (!keepsClaim(mechanism))
      throw new PrivacyError(
        `the mechanism for ${JSON.stringify(name)} does not keep its claim; see discreet verify. Nothing was released or charged`,
      );
}

const keepsClaim = remembered((mechanism: Mechanism) => certify(mechanism).holds);

/** Of a query nothing is known but what the publisher states. */
export function checkQuery(input: Place): void {
  if (input.kind === 'postgres' && input.query !== null && !input.rowsOnce)
    throw new RangeError(
      '--query: expected --rows-once with it, by which you state that each record is in the result at most once, and that rows are chosen and ordered without looking at protected columns',
    );
}

export function openCopy(job: Job): Promise<Copy> {
  const [input, output] = [job.input, job.output];
  if (input.kind === 'postgres' && output.kind === 'postgres') return copyTables(job);
  if (
    input.kind !== 'postgres' &&
    output.kind !== 'postgres' &&
    input.format === 'jsonl' &&
    output.format === 'jsonl'
  )
    return copyJsonLines(job);
  return copyWithDuckdb(job);
}

/** The dataset's own partition, rows per person and protected columns are what is enforced. */
function withBudget(job: Job, { budget, spending, earlier }: Quote): Job {
  return {
    ...job,
    part: partIn(budget, spending.part),
    person: job.person && { ...job.person, rows: spending.perPerson ?? 1 },
    guard: { budget: Object.keys(budget?.adjacency ?? {}), earlier },
  };
}

export function partIn(budget: Budget | null, part: string | null): Job['part'] {
  return part !== null && budget?.partition ? { column: budget.partition.column, value: part } : null;
}

function wishOf(job: Job, account: Account): Wish {
  return {
    act: 'release',
    dataset: account.dataset,
    inputName: nameOf(job.input),
    part: account.part,
    input: shownPlace(job.input),
    output: shownPlace(job.output),
    query: queryOf(job.input),
    passed: job.passed,
    perPerson: account.perPerson,
    perPersonEnforced: job.person !== null,
    price: (budget) => job.columns.map((column) => chargeOf(column, budget)),
  };
}

/** For the ledger: what was asked, and what the publisher states of it. */
export function queryOf(input: Place): Query | null {
  return input.kind === 'postgres' && input.query !== null
    ? { sql: input.query, rowsOnce: input.rowsOnce }
    : null;
}

/** In steps: what a mechanism may be made for. */
const MOST_ADJACENCY = 1_000_000n;

/** What a mechanism costs by the steps that a record may move. */
const costsOf = remembered((_mechanism: Mechanism) => new Map<bigint, Cost>());

/** A column's charge at the adjacency of the budget, or at the mechanism's own. Profiles take time: each is computed once. */
function chargeOf({ name, mechanism }: ProtectedColumn, budget: Budget | null): Charge {
  const { step } = mechanism.pmf;
  const distance = adjacencyOf(budget, name, multiply(integer(mechanism.adjacency), step));
  // Rounded up: values that are rounded to the lattice can be that far apart.
  const steps = ceiling(divide(distance, step));
  if (steps > MOST_ADJACENCY)
    throw new RangeError(
      `--column ${name}: its adjacency ${toDecimal(distance)} is ${steps} steps of ${toDecimal(step)}; expected at most ${MOST_ADJACENCY}, so use a mechanism with a larger step`,
    );
  const costs = costsOf(mechanism);
  const cost = costs.get(steps) ?? mechanismCost(mechanism, Number(steps));
  costs.set(steps, cost);
  return {
    on: name,
    mechanism: mechanismHash(mechanism),
    adjacency: toDecimal(distance),
    epsilon: toDecimal(cost.epsilon),
    delta: toDecimal(cost.delta),
  };
}
