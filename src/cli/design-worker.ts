// A design in a thread of its own, so that the command can listen for Ctrl-C while it runs.

import { parentPort, workerData } from 'node:worker_threads';
import { type Alternative, alternatives, type Design, type DesignOptions, design } from '../design/index.js';
import { type DiscreetError, isOurs } from '../error/index.js';
import type { Rational } from '../exact/index.js';
import type { Target } from '../noise/index.js';

/** What the thread is given. */
export interface Work {
  readonly target: Target;
  readonly wanted: Omit<DesignOptions, 'isStopped'>;
  readonly step: Rational;
  readonly withAlternatives: boolean;
  /** Not 0: end the search with the best so far. */
  readonly stop: Int32Array;
}

/** What it says: all that can be said of a design but its certificate, which is made again from the integers. */
export type Word =
  | { readonly message: string; readonly gap: number }
  | {
      readonly found: Omit<Design, 'certificate'>;
      readonly others: readonly Alternative[];
      readonly taken: number;
      readonly wasStopped: boolean;
    }
  | { readonly error: ReturnType<DiscreetError['parts']> };

const { target, wanted, step, withAlternatives, stop } = workerData as Work;
const say = (word: Word) => parentPort!.postMessage(word);
try {
  const isStopped = () => Atomics.load(stop, 0) !== 0;
  const started = performance.now();
  const { certificate: _, ...found } = design(target, { ...wanted, isStopped }, step, (message, gap) =>
    say({ message, gap }),
  );
  const taken = performance.now() - started;
  const wasStopped = isStopped();
  const others = withAlternatives && !wasStopped ? alternatives(target, wanted, step) : [];
  say({ found, others, taken, wasStopped });
} catch (error) {
  if (!isOurs(error)) throw error;
  say({ error: error.parts() });
}
