// A caller as the one who carries out a release: it is told on a line when that can be paid, says when it is ready, is told the job,
// and says when it is done.

import { fstatSync, type Stats, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { badData, cannot, invalid } from '../../error/index.js';
import { type Effects, orAborted, pour } from '../effects.js';
import type { Work } from './drive.js';

/** The key goes to a descriptor that the caller has opened; everything else is lines of JSON. */
export function sessionWork(keyFd: number, { input, output, signal }: Effects): Work {
  checkDescriptor(keyFd);
  const tell = (message: object) => pour(output, Buffer.from(`${JSON.stringify(message)}\n`));
  const stream = input instanceof Readable ? input : Readable.from(input);
  let lines: AsyncIterator<string> | null = null;
  const hear = async <T>(): Promise<T> => {
    // Not before it is waited for: whoever reads standard input keeps the process.
    lines ??= createInterface({ input: stream })[Symbol.asyncIterator]();
    const { value, done } = await orAborted(signal, lines.next());
    if (done) throw cannot('the caller ended without a word');
    try {
      const told = JSON.parse(value) as T | null;
      if (told !== null && typeof told === 'object') return told;
    } catch {}
    throw badData('expected an object of JSON on a line from the caller');
  };
  return {
    ready: async ({ spending: { epsilon, delta }, account: { budget, earlier } }) => {
      // By which no rows may be chosen: only the engine knows how its rows come about.
      const names = [...new Set([...Object.keys(budget?.adjacency ?? {}), ...earlier])];
      await tell({ ready: true, cost: { epsilon, delta }, protected: names });
      const { go } = await hear<{ go?: boolean }>().catch((error: unknown) => {
        stream.destroy();
        throw error;
      });
      if (go !== true) throw cannot('the caller was not ready; nothing was released or charged');
    },
    run: async ({ ticket, key, entry }) => {
      writeSync(keyFd, key);
      await tell({ entry, ticket });
      const told = await hear<{ complete?: boolean; rows?: number; reason?: string }>().finally(() =>
        stream.destroy(),
      );
      const { rows = null } = told;
      if (rows !== null && !(Number.isSafeInteger(rows) && rows >= 0))
        throw badData('expected a whole number of rows from the caller');
      if (told.complete !== true) throw cannot(`the job failed${told.reason ? `: ${told.reason}` : ''}`);
      return { rows };
    },
  };
}

/** A key that goes to a file would be kept there; into a file of this program, it would destroy that. */
export function checkDescriptor(keyFd: number): void {
  let kind: Stats | null = null;
  try {
    kind = fstatSync(keyFd);
  } catch {}
  if (keyFd < 3 || !kind || !(kind.isFIFO() || kind.isSocket()))
    throw invalid(
      `keyFd: expected a pipe that the caller has opened for the key, from descriptor 3 on, got ${keyFd}`,
    );
}
