// A release: reserve, write, settle. The spending is in the ledger before the first noisy byte exists.

import { ceiling, divide, integer, multiply, toDecimal } from '../exact/index.js';
import {
  adjacencyOf,
  type Budget,
  type Charge,
  type Ledger,
  mechanismCost,
  mechanismHash,
  type Quote,
  type Reservation,
  refuseBeyond,
  type Wish,
} from '../ledger/index.js';
import { certify, PrivacyError } from '../mechanism/index.js';
import { copyJsonLines } from './copy-json-lines.js';
import { copyTables } from './copy-tables.js';
import { copyWithDuckdb } from './copy-with-duckdb.js';
import { InputError, Interrupted, unprotected } from './failure.js';
import type { Copy, Job, Outcome, ProtectedColumn } from './job.js';
import { nameOf, samePlace, shownPlace } from './place.js';

/** What the ledger needs to know beside the job. */
export interface Account {
  readonly dataset: string | null;
  readonly part: string | null;
  readonly perPerson: number | null;
}

export interface Released {
  readonly outcome: Outcome;
  readonly reservation: Reservation;
  /** All columns of the input, as far as they are known from its header. */
  readonly columns: readonly string[];
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
  const { budget, spending } = quote;
  const full = withBudget(job, budget, spending.part, spending.perPerson);
  const copy = await orAborted(job.signal, openCopy(full));
  try {
    refuseBare(full, copy);
    return { ...(await paid(ledger, wish, full, copy.run, budget)), columns: copy.columns };
  } finally {
    await copy.close();
  }
}

/** No column that the budget protects leaves as it is. */
function refuseBare({ input, guarded }: Job, { columns }: Copy): void {
  const bare = columns.find((name) => guarded.includes(name));
  if (bare !== undefined) throw new PrivacyError(unprotected(shownPlace(input), bare));
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

/** Cost and remaining budget, from headers and types alone. */
export async function tryRelease(job: Job, account: Account, ledger: Ledger): Promise<Quote> {
  checkJob(job);
  const quote = await ledger.quote(wishOf(job, account));
  // A pipe is read once, and keys of JSON lines are on every line: neither has a header to look at.
  if (job.input.kind === 'pipe' || (job.input.kind === 'file' && job.input.format === 'jsonl')) return quote;
  const full = withBudget(job, quote.budget, quote.spending.part, quote.spending.perPerson);
  const copy = await openCopy(full);
  try {
    refuseBare(full, copy);
  } finally {
    await copy.close();
  }
  return quote;
}

/** Reserve, do the work, settle: void only where the input was invalid and nothing has left. */
export async function paid(
  ledger: Ledger,
  wish: Wish,
  { output }: Pick<Job, 'output'>,
  work: () => Promise<Outcome>,
  budget: Budget | null,
): Promise<Omit<Released, 'columns'>> {
  const reservation = await ledger.reserve(wish, budget);
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
  if (samePlace(job.input, job.output))
    throw new RangeError(
      `${shownPlace(job.output)}: the output is the input; choose another name, for the true values would be gone`,
    );
  const twice = job.columns.find(
    ({ name }, i) => job.columns.findIndex((other) => other.name === name) !== i,
  );
  if (twice) throw new RangeError(`--column: ${JSON.stringify(twice.name)} is named twice`);
  if (job.columns.length === 0) throw new RangeError('--column: expected at least one column to protect');
  for (const { name, mechanism } of job.columns)
    if (!certify(mechanism).holds)
      throw new PrivacyError(
        `the mechanism for ${JSON.stringify(name)} does not keep its claim; see discreet verify. Nothing was released or charged`,
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

/** The dataset's own partition and rows per person are what is enforced. */
function withBudget(job: Job, budget: Budget | null, part: string | null, perPerson: number): Job {
  return {
    ...job,
    part: part !== null && budget?.partition ? { column: budget.partition.column, value: part } : null,
    person: job.person && { ...job.person, rows: perPerson },
    guarded: Object.keys(budget?.adjacency ?? {}).filter(
      (name) => !job.columns.some((column) => column.name === name),
    ),
  };
}

function wishOf(job: Job, account: Account): Wish {
  const charge = rememberingCharges();
  return {
    act: 'release',
    dataset: account.dataset,
    inputName: nameOf(job.input),
    part: account.part,
    input: shownPlace(job.input),
    output: shownPlace(job.output),
    perPerson: account.perPerson,
    perPersonEnforced: job.person !== null,
    price: (budget) => job.columns.map((column) => charge(column, budget)),
  };
}

/** In steps: what a mechanism may be made for. */
const MOST_ADJACENCY = 1_000_000n;

/** A column's charge at the adjacency of the budget, or at the mechanism's own. Profiles take time: each is computed once. */
function rememberingCharges(): (column: ProtectedColumn, budget: Budget | null) => Charge {
  const known = new Map<string, Charge>();
  return ({ name, mechanism }, budget) => {
    const { step } = mechanism.pmf;
    const distance = adjacencyOf(budget, name, multiply(integer(mechanism.adjacency), step));
    const key = `${name} ${toDecimal(distance)}`;
    let charge = known.get(key);
    if (!charge) {
      // Rounded up: values that are snapped to the lattice can be that far apart.
      const steps = ceiling(divide(distance, step));
      if (steps > MOST_ADJACENCY)
        throw new RangeError(
          `--column ${name}: its adjacency ${toDecimal(distance)} is ${steps} steps of ${toDecimal(step)}; expected at most ${MOST_ADJACENCY}, so use a mechanism with a larger step`,
        );
      const cost = mechanismCost(mechanism, Number(steps));
      charge = {
        on: name,
        mechanism: mechanismHash(mechanism),
        adjacency: toDecimal(distance),
        epsilon: toDecimal(cost.epsilon),
        delta: toDecimal(cost.delta),
      };
      known.set(key, charge);
    }
    return charge;
  };
}
