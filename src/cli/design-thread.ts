// Runs a design in a thread of its own: Ctrl-C ends the search with the best so far, a second one ends the command.

import { Worker } from 'node:worker_threads';
import type { Alternative, Design } from '../design/index.js';
import { DiscreetError } from '../error/index.js';
import { certify } from '../mechanism/index.js';
import type { Word, Work } from './design-worker.js';

export interface Finished {
  readonly found: Design;
  readonly others: readonly Alternative[];
  /** In milliseconds. */
  readonly taken: number;
  readonly wasStopped: boolean;
}

export async function designInThread(
  work: Omit<Work, 'stop'>,
  progress: (message: string, gap: number) => void,
): Promise<Finished> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./design-worker.js', import.meta.url), {
    workerData: { ...work, stop } satisfies Work,
  });
  const interrupt = () => {
    if (Atomics.exchange(stop, 0, 1) !== 0) process.exit(130);
    process.stderr.write('\nstopping: the best noise so far is being certified (Ctrl-C again: give up)\n');
  };
  process.on('SIGINT', interrupt);
  try {
    return await new Promise<Finished>((resolve, reject) => {
      worker.on('message', (word: Word) => {
        if ('message' in word) progress(word.message, word.gap);
        else if ('error' in word) reject(new DiscreetError(...word.error));
        else {
          // Trusted as little as a file: the certificate is made from the integers that came over.
          const certificate = certify(word.found.mechanism);
          resolve({ ...word, found: { ...word.found, certificate } });
        }
      });
      worker.on('error', reject);
    });
  } finally {
    process.off('SIGINT', interrupt);
    await worker.terminate();
  }
}
