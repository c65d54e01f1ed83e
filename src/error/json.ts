// JSON from people: where it is wrong, in words.

import { wrong } from './error.js';

/** Brackets within brackets at most: readers in other languages give up on some thousand, each at another number. */
const DEEPEST = 100;

/** The value; `what` it should be and what is wrong are told, with the line where that is known. */
export function parseJson(text: string, what: string): unknown {
  // Some editors put a mark in front that JSON does not know.
  const value = parsed(text.replace(/^\uFEFF/, ''), text, what);
  if (isDeeper(value)) throw wrong(`expected ${what}: its brackets are more than ${DEEPEST} deep`);
  return value;
}

/** Are there brackets too deep for some reader? */
export function isDeeper(value: unknown, than = DEEPEST): boolean {
  if (value === null || typeof value !== 'object') return false;
  return than === 0 || Object.values(value).some((own) => isDeeper(own, than - 1));
}

function parsed(bare: string, text: string, what: string): unknown {
  try {
    return JSON.parse(bare);
  } catch (error) {
    const comma = trailingComma(text);
    if (comma !== null)
      throw wrong(
        `expected ${what}: line ${lineOf(text, comma)} ends with a comma before a closing bracket; leave the comma out`,
      );
    throw wrong(`expected ${what}: ${whatIsWrong((error as Error).message, text)}`);
  }
}

/** What the engine expected, and the line; not what is there, for a file that is no JSON may be data. */
function whatIsWrong(message: string, text: string): string {
  const position = /position (\d+)/.exec(message);
  const place = position ? `line ${lineOf(text, Number(position[1]))}: ` : '';
  if (/^Unexpected end/.test(message)) return `${place}it ends too early`;
  const expected = /^Expected ([^"]*?) in JSON/.exec(message);
  return `${place}${expected ? `expected ${expected[1]}` : 'it is not JSON'}`;
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/** Where a comma comes before a closing bracket, outside of texts. */
function trailingComma(text: string): number | null {
  let comma: number | null = null;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (sign === '"') for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
    if (comma !== null && (sign === ']' || sign === '}')) return comma;
    if (!/\s/.test(sign)) comma = sign === ',' ? i : null;
  }
  return null;
}
