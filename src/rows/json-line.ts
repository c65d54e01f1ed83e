// Lines of JSON, and where the values of their members are, so that some can be replaced and every other character stays.

import { badData } from '../error/index.js';
import { personOf } from './person.js';
import { brokenLine } from './refusals.js';
import { joinedBytes } from './utf8.js';

export interface Member {
  readonly key: string;
  /** Of the value: from its first character up to the one after its last. */
  readonly start: number;
  readonly end: number;
}

/** The members of the object on the line; null where it is not valid JSON or no object. */
export function membersOf(line: string): Member[] | null {
  if (!isObject(line)) return null;
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

function isObject(line: string): boolean {
  try {
    const parsed: unknown = JSON.parse(line);
    return parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

const JSON_WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/**
 * The line with its bare words that are no JSON, such as .5, 05, +5, 0x5 and NaN, as strings: they are the text of a cell, as they are
 * in CSV, for what is refused must not tell which row spells a value oddly. Null where a member does not begin as one.
 */
function withTexts(line: string): string | null {
  let at = skipSpace(line, 0);
  if (line[at++] !== '{') return null;
  let [out, from] = ['', 0];
  for (;;) {
    at = skipSpace(line, at);
    if (line[at] === '}') return out + line.slice(from);
    if (line[at] === ',') at = skipSpace(line, at + 1);
    if (line[at] !== '"') return null;
    at = skipSpace(line, stringEnd(line, at));
    if (line[at++] !== ':') return null;
    const start = skipSpace(line, at);
    at = valueEnd(line, start);
    const word = line.slice(start, at);
    if (/^["{[]/.test(word) || JSON_WORD.test(word)) continue;
    if (word === '' || /["{[]/.test(word)) return null;
    out += line.slice(from, start) + JSON.stringify(word);
    from = at;
  }
}

function skipSpace(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '\r' || line[at] === '\n') at++;
  return at;
}

function stringEnd(line: string, start: number): number {
  let at = start + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
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
  } while (depth > 0 && at < line.length);
  return at;
}

/** A line and its members. */
export interface Line {
  readonly line: string;
  readonly members: readonly Member[];
}

/** A line as it is read, with its members, or what is wrong with it. */
export function readLine(text: string, number: number, shown: string): Line {
  const plain = membersOf(text);
  const line = plain ? text : withTexts(text);
  const members = plain ?? (line === null ? null : membersOf(line));
  if (line === null || !members) throw brokenLine(shown, `line ${number}`);
  if (new Set(members.map(({ key }) => key)).size !== members.length)
    throw brokenLine(shown, `line ${number}: a key is there twice`);
  return { line, members };
}

export function isNested(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

/** All keys within a nested value, from its text: of a key that is there twice, what is read is the last, and what leaves is both. */
export function namesInside(text: string): string[] {
  const names: string[] = [];
  const next = /\S/g;
  for (const { 0: string, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g)) {
    next.lastIndex = index + string.length;
    if (next.exec(text)?.[0] === ':') names.push(JSON.parse(string) as string);
  }
  return names;
}

/** A string's characters; of all else the text itself. */
export function cellOf({ start, end }: Member, line: string): string | null {
  const text = line.slice(start, end);
  if (text === 'null') return null;
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** A boolean as the number that it counts as, where it is one by its type and no text. */
export function truth(text: 'true' | 'false'): '1' | '0' {
  return text === 'true' ? '1' : '0';
}

/** Whose row it is, by this member; null for nobody. */
export function personIn(member: Member, line: string): string | null {
  const cell = cellOf(member, line);
  return cell === null ? null : personOf(cell);
}

/** What is known of a key. */
export interface Key {
  /** The type that holds all its values as they are: null is text, undefined not known yet. */
  type: string | null | undefined;
  nested: boolean;
  /** Has each of its values one text? See `hasOneText`. */
  oneText: boolean;
  readonly inside: Set<string>;
}

/** All keys in the order they first come, from lines that are given one after the other. */
export function keyCollector(): {
  readonly keys: ReadonlyMap<string, Key>;
  readonly add: (members: readonly Member[], line: string) => void;
} {
  const keys = new Map<string, Key>();
  const add = (members: readonly Member[], line: string) => {
    for (const member of members) {
      const text = line.slice(member.start, member.end);
      const type = typeOf(text);
      const known = keys.get(member.key) ?? {
        type: undefined,
        nested: false,
        oneText: true,
        inside: new Set<string>(),
      };
      if (type !== undefined) known.type = known.type === undefined || known.type === type ? type : null;
      if (!hasOneText(text)) known.oneText = false;
      if (isNested(text)) {
        known.nested = true;
        for (const name of namesInside(text)) known.inside.add(name);
      }
      keys.set(member.key, known);
    }
  };
  return { keys, add };
}

/** Is it written as it would be everywhere: text, a whole number, or nothing at all? */
export function hasOneText(text: string): boolean {
  return text.startsWith('"') || text === 'null' || /^(?:0|-?[1-9]\d*)$/.test(text);
}

/** Undefined for null, which any type holds. */
function typeOf(text: string): string | null | undefined {
  if (text === 'null') return undefined;
  if (text === 'true' || text === 'false') return 'BOOLEAN';
  if (/^-?\d{1,18}$/.test(text)) return 'BIGINT';
  // A double only where it is written in the same digits again.
  return /^-?\d+\.\d+$/.test(text) && String(Number(text)) === text ? 'DOUBLE' : null;
}

const LONGEST_LINE = 1 << 28;

/** Whole lines of bytes that come in pieces, each with its line end; a byte order mark is left out. */
export function lineSplitter(shown: string) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest: Uint8Array = new Uint8Array();
  let first = true;
  const split = (bytes: Uint8Array): string[] => {
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      throw badData(`${shown}: the text is not UTF-8; convert the file first`);
    }
    const start = first && text.startsWith('\ufeff') ? 1 : 0;
    first = false;
    return text.slice(start).split(/(?<=\n)/);
  };
  return {
    push: (piece: Uint8Array): string[] => {
      const bytes = joinedBytes(rest, piece);
      if (bytes.length > LONGEST_LINE) throw badData(`${shown}: a line is longer than 256 MB`);
      const end = bytes.lastIndexOf(10) + 1;
      rest = bytes.slice(end);
      return end > 0 ? split(bytes.subarray(0, end)) : [];
    },
    finish: (): string[] => {
      const bytes = rest;
      rest = new Uint8Array();
      return bytes.length > 0 ? split(bytes) : [];
    },
  };
}
