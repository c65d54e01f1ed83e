// Lines of JSON, and where the values of their members are, so that some can be replaced and every other character stays.

import { badData } from '../error/index.js';

export interface Member {
  readonly key: string;
  /** Of the value: from its first character up to the one after its last. */
  readonly start: number;
  readonly end: number;
}

/** The members of the object on the line; null where it is not valid JSON or no object. */
export function membersOf(line: string): Member[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return null;
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return null;
  // Valid from here on: nothing needs checking again.
  const members: Member[] = [];
  let at = skipSpace(line, 0) + 1;
  for (;;) {
    at = skipSpace(line, at);
    if (line[at] === '}') return members;
    if (line[at] === ',') {
      at++;
      continue;
    }
    const keyEnd = stringEnd(line, at);
    const key = JSON.parse(line.slice(at, keyEnd)) as string;
    const start = skipSpace(line, skipSpace(line, keyEnd) + 1);
    const end = valueEnd(line, start);
    members.push({ key, start, end });
    at = end;
  }
}

function skipSpace(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '\r' || line[at] === '\n') at++;
  return at;
}

function stringEnd(line: string, start: number): number {
  let at = start + 1;
  while (line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
  return at + 1;
}

function valueEnd(line: string, start: number): number {
  const first = line[start];
  if (first === '"') return stringEnd(line, start);
  let at = start;
  if (first !== '{' && first !== '[') {
    while (at < line.length && !/[\s,}\]]/.test(line[at]!)) at++;
    return at;
  }
  let depth = 0;
  do {
    const char = line[at];
    if (char === '"') {
      at = stringEnd(line, at);
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    at++;
  } while (depth > 0);
  return at;
}

const LONGEST_LINE = 1 << 28;

/** Whole lines, many at a time, each with its line end; a byte order mark is left out. */
export async function* jsonLines(
  stream: AsyncIterable<Uint8Array>,
  shown: string,
): AsyncGenerator<{ lines: string[]; bytes: number }> {
  let rest: Buffer = Buffer.alloc(0);
  let first = true;
  const split = (bytes: Buffer) => {
    const text = decoded(bytes, shown);
    const start = first && text.startsWith('\ufeff') ? 1 : 0;
    first = false;
    return text.slice(start).split(/(?<=\n)/);
  };
  for await (const piece of stream) {
    const bytes =
      rest.length === 0
        ? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
        : Buffer.concat([rest, piece]);
    if (bytes.length > LONGEST_LINE) throw badData(`${shown}: a line is longer than 256 MB`);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield { lines: split(bytes.subarray(0, end)), bytes: piece.length };
  }
  if (rest.length > 0) yield { lines: split(rest), bytes: 0 };
}

function decoded(bytes: Buffer, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badData(`${shown}: the text is not UTF-8; convert the file first`);
  }
}
