// Rows that are poured in and written at once, with the mechanism files beside them.

import { InDoubt } from '../terms/index.js';
import type { CopyEffects } from './effects.js';
import type { Job } from './job.js';
import { writeMechanismFiles } from './mechanism-files.js';
import { fed } from './poured.js';
import type { Source } from './source.js';

/** Rows poured in while they are written: nothing is published before the source says that it is done. */
export function fedTo<T>(
  source: Source,
  { mechanismFiles, force }: Pick<Job, 'mechanismFiles' | 'force'>,
  { signal, note }: CopyEffects,
  write: (beforePublish: () => Promise<void>) => Promise<T>,
): Promise<T> {
  let undo = () => {};
  return fed(source, (all) =>
    write(async () => {
      await all;
      signal.throwIfAborted();
      source.check();
      undo = writeMechanismFiles(mechanismFiles, force, note);
    }),
  ).catch((error) => {
    // Where the output may be there, its readers need them.
    if (error instanceof InDoubt) throw error;
    undo();
    throw error;
  });
}
