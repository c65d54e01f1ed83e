// Inputs that stay as they are: a changed one would be a second release that nobody paid for.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { badData, quote } from '../../error/index.js';
import { bytesOf, openFile } from '../../files/index.js';
import { formatOf } from '../formats/index.js';

export interface Pinned {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** As which it is read. */
  readonly format: string;
}

/** Files as they are now. */
export async function pin(paths: readonly string[], format: string | null): Promise<Pinned[]> {
  const found: Pinned[] = [];
  for (const path of paths) {
    const name = basename(path);
    if (found.some((other) => other.name === name))
      throw badData(`two inputs are called ${quote(name)}; give each a name of its own`, 'drive');
    const opened = openFile(path, name);
    try {
      const hash = createHash('sha256');
      for await (const piece of bytesOf(opened)) hash.update(piece);
      opened.check();
      const { name: read } = formatOf(path, format, 'inputFormat');
      found.push({ name, bytes: opened.size, sha256: hash.digest('hex'), format: read });
    } finally {
      opened.close();
    }
  }
  return found;
}

/** For the ledger and the report: how many. Their digests, and even their sizes, would tell of a record to whoever knows all others. */
export function pinnedWords(pinned: readonly Pinned[]): string {
  return `${pinned.length} ${pinned.length === 1 ? 'file' : 'files'}, compared by digest before and after`;
}

/** The same bytes; its end fails where they are none of the inputs, or not the one of this partition. */
export async function* onlyPinned(
  input: AsyncIterable<Uint8Array>,
  pinned: readonly Pinned[],
  partition: string | null,
  format: string,
  onFound: (file: Pinned | null) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of input) {
    hash.update(piece);
    yield piece;
  }
  const sha256 = hash.digest('hex');
  const found = pinned.find(
    (file) =>
      file.sha256 === sha256 && file.format === format && (partition === null || file.name === partition),
  );
  if (found) {
    onFound(found);
    return;
  }
  onFound(null);
  throw badData(
    partition === null
      ? 'standard input is none of the inputs that the driver was given; feed each of them whole to a pipe of its own'
      : `standard input is not ${partition} as the driver found it; name partitions by their input's name, and feed it whole`,
  );
}
