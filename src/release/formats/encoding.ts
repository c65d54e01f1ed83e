// Text that is not UTF-8, turned to it on the way to the engine.

import { badData, invalid, quote } from '../../error/index.js';
import type { Format } from './format.js';

/** An encoding that is known here, of a format that is delimited text. By the names of the web, on which latin1 is windows-1252. */
export function checkEncoding(encoding: string, { name, typed, keyed }: Format): void {
  if (typed || keyed)
    throw invalid(
      `encoding: ${name} files have one of their own; leave it out, or name another {inputFormat}`,
    );
  try {
    new TextDecoder(encoding);
  } catch {
    throw invalid(
      `encoding: expected a name such as windows-1252, windows-1250 or utf-16le, got ${quote(encoding)}`,
    );
  }
}

/** The same text in UTF-8. What is no text in its encoding fails, and nothing of it is published. */
export async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string,
  shown: string,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const text = (piece?: Uint8Array) => {
    try {
      return Buffer.from(decoder.decode(piece, { stream: piece !== undefined }));
    } catch {
      throw badData(`${shown}: the text is not ${encoding}; name its {encoding}`);
    }
  };
  for await (const piece of bytes) yield text(piece);
  yield text();
}
