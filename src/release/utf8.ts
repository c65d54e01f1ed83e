// Is text UTF-8? Looked at before the engine sees it, which does not say so in words; and of every column, whichever are read.

import { isUtf8 } from 'node:buffer';
import { notUtf8 } from '../rows/index.js';

export interface Utf8Watch {
  readonly push: (bytes: Uint8Array) => void;
  /** A character may not be cut off. */
  readonly end: () => void;
}

export function watchUtf8(shown: string): Utf8Watch {
  let rest: Buffer = Buffer.alloc(0);
  const refuse = (isRight: boolean) => {
    if (!isRight) throw notUtf8(shown);
  };
  return {
    push(piece) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
      const end = bytes.length - unfinished(bytes);
      refuse(isUtf8(bytes.subarray(0, end)));
      // Copied: the piece may be written to again.
      rest = Buffer.from(bytes.subarray(end));
    },
    end: () => refuse(rest.length === 0),
  };
}

/** Bytes at the end of a character that goes on in the next piece. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
