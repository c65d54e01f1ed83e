// A file in pieces, unpacked where it is compressed: never the whole of it at once.

import { badData, cannot } from 'discreet-dp/error';
import { joinedBytes } from 'discreet-dp/rows';

const PIECE = 1 << 22;
const HEAD = 1 << 16;

/** Hears how many bytes of the file were read. */
export type At = (read: number) => void;

/** Its bytes, one piece after the other. */
export async function* pieces(file: File, at: At = () => {}): AsyncGenerator<Uint8Array> {
  if (await isGzip(file)) {
    yield* unpacked(file, at);
    return;
  }
  for (let from = 0; from < file.size; from += PIECE) {
    yield await bytesOf(file, from, from + PIECE);
    at(Math.min(file.size, from + PIECE));
  }
}

/** The beginning of what is in it, and whether that is all. */
export async function headOf(file: File): Promise<{ readonly bytes: Uint8Array; readonly whole: boolean }> {
  if (!(await isGzip(file))) return { bytes: await bytesOf(file, 0, HEAD), whole: file.size <= HEAD };
  let bytes: Uint8Array = new Uint8Array();
  for await (const piece of unpacked(file, () => {})) {
    bytes = joinedBytes(bytes, piece);
    if (bytes.length > HEAD) return { bytes, whole: false };
  }
  return { bytes, whole: true };
}

export async function isGzip(file: File): Promise<boolean> {
  const [first, second] = await bytesOf(file, 0, 2);
  return first === 0x1f && second === 0x8b;
}

export async function bytesOf(file: File, from: number, to: number): Promise<Uint8Array> {
  return new Uint8Array(await readable(file, () => file.slice(from, to).arrayBuffer()));
}

/** All of a file that is small by its nature. */
export function textOf(file: File): Promise<string> {
  return readable(file, () => file.text());
}

async function readable<T>(file: File, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw cannot(
      `${file.name}: the browser could not read it; if it was moved or changed since, choose it again`,
    );
  }
}

async function* unpacked(file: File, at: At): AsyncGenerator<Uint8Array> {
  let read = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (piece, out) => {
      read += piece.length;
      at(read);
      out.enqueue(piece);
    },
  });
  const reader = file.stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch {
    throw badData(`${file.name}: the file is compressed and does not unpack; it is cut off or damaged`);
  } finally {
    await reader.cancel().catch(() => {});
  }
}
