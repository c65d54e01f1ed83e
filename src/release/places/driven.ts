// What a driver only knows by name: inputs that others read, and an output that others write.

import { basename } from 'node:path';
import type { Place } from './place.js';

/** `beside` is where others write: a file or a folder, which is theirs to make. */
export function drivenPlace(name: string | null, shown: string, beside: string | null): Place {
  const never = async () => {
    throw new Error('a driver copies no rows itself');
  };
  return {
    kind: 'pipe',
    name,
    shown: beside === null ? shown : basename(beside),
    path: null,
    beside,
    format: null,
    query: null,
    isSame: () => false,
    open: never,
    checkOutput: async () => undefined,
    hold: async () => null,
    write: never,
    quantiles: async () => null,
  };
}
