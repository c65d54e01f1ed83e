// What a release needs from its surroundings: streams, chance, time, and somebody who listens.

import type { Writable } from 'node:stream';
import type { Ledger } from '../ledger/index.js';
import type { EntropySource } from '../random/index.js';

/** What copying rows needs of it. */
export interface CopyEffects {
  readonly entropy: EntropySource;
  /** What `-` stands for as an input and as an output. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Told of the rows so far, and of their share where that is known. */
  readonly progress: (rows: number, fraction: number | null) => void;
  /** Told what the user should know and nothing fails for. */
  readonly note: (text: string) => void;
}

export interface Effects extends CopyEffects {
  readonly ledger: Ledger;
  /** What time it is. */
  readonly clock: () => Date;
}

/** What is waited for may never come, as on a silent pipe: an abort ends the waiting. What comes too late is given `late`. */
export function orAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
  late: (value: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work
      .then((value) => (signal.aborted ? late(value) : resolve(value)), reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** All of the bytes, however slow the reader is. */
export function pour(stream: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
