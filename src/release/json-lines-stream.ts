// Lines of JSON from a stream, many at a time.

import { lineSplitter } from '../rows/index.js';

/** Whole lines, each with its line end, and how many bytes were read for them. */
export async function* jsonLines(
  stream: AsyncIterable<Uint8Array>,
  shown: string,
): AsyncGenerator<{ lines: string[]; bytes: number }> {
  const splitter = lineSplitter(shown);
  for await (const piece of stream) {
    const lines = splitter.push(piece);
    if (lines.length > 0) yield { lines, bytes: piece.length };
  }
  const rest = splitter.finish();
  if (rest.length > 0) yield { lines: rest, bytes: 0 };
}
