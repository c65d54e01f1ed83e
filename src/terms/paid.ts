// Reserve, do the work, settle: the spending is in the ledger before the first noisy byte exists.

import { DiscreetError, isOurs, PrivacyError, quote } from '../error/index.js';
import { type Ledger, type Quote, type Reservation, refuseBeyond } from '../ledger/index.js';
import { certify, type Mechanism, remembered } from '../mechanism/index.js';
import type { EntropySource } from '../random/index.js';

export interface Outcome {
  readonly rows: number;
  /** Columns that left as they are. */
  readonly unchanged: readonly string[];
  /** Released values of each protected column: its rows without NULL. */
  readonly values: readonly number[];
  /** Of counts: how many of those that were published are at most so far from 0, where noise alone leaves nine of ten of them. */
  readonly nearZero?: { readonly within: string; readonly cells: number };
  /** For the ledger, instead of the number of rows. */
  readonly words?: string;
}

export interface Released {
  readonly outcome: Outcome;
  readonly reservation: Reservation;
  /** The ledger's head after it. */
  readonly head: string;
  /** False where the ledger could not be told that it is complete: the entry stays open, which counts as spent. */
  readonly settled: boolean;
}

/** The user stopped it. */
export class Interrupted extends Error {
  /** `entry` is the one that stays spent; null where none was written yet. `kept` is what was paid for before it. */
  constructor(
    readonly signal: 'SIGINT' | 'SIGTERM',
    readonly entry: number | null = null,
    readonly kept: string | null = null,
  ) {
    super('interrupted');
  }
}

/** Nobody knows whether the output is there: what belongs to it is kept, and its entry stays open. */
export class InDoubt extends DiscreetError {
  constructor(problem: string, fix: string) {
    super('system', null, problem, fix);
  }
}

/** Seeded noise protects nobody. */
export function checkEntropy(entropy: EntropySource): void {
  if (entropy.kind !== 'entropy')
    throw new PrivacyError(
      'a release draws its noise from the operating system; seeded noise protects nobody',
    );
}

const keepsClaim = remembered((mechanism: Mechanism) => certify(mechanism).holds);

/** What is released must keep its claim, whoever made it. */
export function checkClaim(mechanism: Mechanism, name: string): void {
  if (!keepsClaim(mechanism))
    throw new PrivacyError(
      `the mechanism for ${quote(name)} does not keep its claim; see {verify}. Nothing was released or charged`,
    );
}

/** The work of a quote, once it is paid for; `void` only where the input was invalid and nothing has left. */
export async function paid(
  ledger: Ledger,
  quote: Quote,
  mechanisms: readonly Mechanism[],
  /** What leaves before all is done, in words; null where nothing does. */
  leaves: string | null,
  work: (reservation: Reservation) => Promise<Outcome>,
): Promise<Released> {
  refuseBeyond(quote);
  const reservation = await ledger.reserve(quote, mechanisms);
  let outcome: Outcome;
  try {
    outcome = await work(reservation);
  } catch (error) {
    throw await settledFailure(ledger, reservation.sequence, error, leaves);
  }
  // From here on the output is there and paid for: what fails now must not look like a release that failed.
  const { head, settled } = await ledger
    .settle(reservation.sequence, 'complete', outcome.words ?? `${outcome.rows} rows`)
    .then(
      (hash) => ({ head: hash, settled: true }),
      () => ({ head: reservation.head, settled: false }),
    );
  return { outcome, reservation, head, settled };
}

/** Void or abort the entry, and the error with what became of it. */
async function settledFailure(
  ledger: Ledger,
  entry: number,
  error: unknown,
  left: string | null,
): Promise<unknown> {
  if (error instanceof InDoubt)
    return error.and(`. It stays charged, as entry ${entry} of the ledger, which is left open`);
  const given = isOurs(error, 'data') && left === null;
  const reason = given
    ? 'the input is invalid'
    : error instanceof Interrupted
      ? `interrupted by ${error.signal}`
      : isOurs(error, 'interrupted')
        ? 'interrupted'
        : 'it failed';
  // Where even this cannot be written, the entry stays open, which counts as spent.
  const settled = await ledger.settle(entry, given ? 'void' : 'abort', reason).then(
    () => true,
    () => false,
  );
  if (error instanceof Interrupted) return new Interrupted(error.signal, entry);
  const fate =
    given && settled
      ? '. Nothing was released or charged'
      : `. ${left ?? 'The attempt'} stays charged, as entry ${entry} of the ledger`;
  if (isOurs(error)) return error.and(fate);
  const { name = 'Error', message = String(error) } = error instanceof Error ? error : {};
  return Object.assign(new Error(`${message}${fate}`, { cause: error }), { name });
}
