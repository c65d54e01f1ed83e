// JSON from people: where it is wrong, in words.

import { wrong } from './error.js';

/** The value; `what` it should be and what is wrong are told, with the line where that is known. */
export function parseJson(text: string, what: string): unknown {
  try {
    // Some editors put a mark in front that JSON does not know.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
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
