// What the commands give back: figures for people, JSON, and files that appear whole or not at all.

import { cannot, wrong } from '../error/index.js';
import {
  exactText,
  integer,
  multiply,
  parseRational,
  type Rational,
  toDecimalUp,
  toNumberNear,
  toNumberUp,
} from '../exact/index.js';
import { checkOutputs, systemWords, writeAll, writeFile, writeText } from '../files/index.js';
import type { ErrorQuantile } from '../mechanism/index.js';
import { textTable } from '../plot/index.js';
import type { RatioWitness } from '../privacy/index.js';

/** A privacy figure for people: seven digits, rounded up. */
export function figure(x: Rational | null): string {
  return x === null ? '∞' : toDecimalUp(x, 7);
}

/** A utility figure for people. */
export function rough(x: number | null): string {
  if (x === null) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '–∞';
  return String(Number(x.toPrecision(6)));
}

/** What JSON has no number for, as text. */
export function finite(value: number | null): number | string | null {
  return value === Infinity ? 'Infinity' : value;
}

/** A decimal or a fraction as a number for programs: the nearest double. */
export function jsonNumber(text: string): number {
  return toNumberNear(parseRational(text));
}

/** Three digits, where a look is enough. */
export function glance(x: number): string {
  return String(Number(x.toPrecision(3)));
}

/** A privacy figure for programs: the least double not below it, and all its digits as text. */
export function jsonFigure<Key extends string>(key: Key, x: Rational | null) {
  return {
    [key]: x === null ? null : toNumberUp(x),
    [`${key}Decimal`]: x === null ? null : toDecimalUp(x, 17),
  } as Record<Key | `${Key}Decimal`, number | string | null>;
}

/** How far off a record is at most, in words. */
export function quantileWords(found: readonly ErrorQuantile[]): string {
  const quantiles = found.map(
    // A bound is not rounded down: whole numbers are told whole.
    ({ probability, error }) => `${Number.isInteger(error) ? error : rough(error)} (${probability * 100} %)`,
  );
  return `A record is off by at most ${quantiles.join(', ')}`;
}

/** A witness for programs: p(k − m0) / p(k), in data units. */
export function jsonWitness(witness: RatioWitness, step: Rational): { k: number; m0: number } {
  const { k, shift } = inUnits(witness, step);
  return { k: jsonNumber(k), m0: jsonNumber(shift) };
}

/** A witness in data units. */
export function inUnits({ k, shift }: RatioWitness, step: Rational): { k: string; shift: string } {
  return { k: exactText(multiply(integer(k), step)), shift: exactText(multiply(integer(shift), step)) };
}

/** How wide the terminal is; what goes elsewhere is as wide as most. */
function terminalWidth(elsewhere = 80): number {
  const columns = process.stdout.isTTY ? process.stdout.columns : Number(process.env.COLUMNS);
  return columns >= 40 ? columns : elsewhere;
}

/** A table that no row of is broken by the terminal. */
export function tableText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return textTable(header, rows, terminalWidth());
}

/** Is a line no wider than the terminal? What goes elsewhere may be as wide as is said. */
export function fits(line: string, elsewhere = 80): boolean {
  return [...line].length <= terminalWidth(elsewhere);
}

/** Words in lines that fit, each after the indent. */
export function paragraph(text: string, indent: string, first = indent): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    const longer = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (line.trim() === '' || line === first || fits(longer))
      line = line === first ? `${line}${word}` : longer;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line].join('\n');
}

/** On a terminal, what follows a label goes on below itself. */
export function labelled(line: string): string {
  const [, label, words] = /^([a-z]+ {2,})(.*)$/.exec(line) ?? [];
  if (!process.stdout.isTTY || label === undefined || fits(line)) return line;
  return paragraph(words!, ' '.repeat(label.length), label);
}

/** Lines for people. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.map(labelled).join('\n')}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** What the user should know, and nothing fails for. */
export function note(text: string): void {
  process.stderr.write(`note: ${text}\n`);
}

/** Write a text to standard output (`-`) or to a file. */
export function writeOutput(path: string, text: string, force: boolean): void {
  if (path === '-') streamTo(path, force, (write) => write(Buffer.from(text)));
  else writeText(path, text, force, note);
}

/** Write in pieces to standard output (`-` or nothing), or to a file that appears under its name only when it is complete. */
export function streamTo(
  path: string | undefined,
  force: boolean,
  produce: (write: (bytes: Uint8Array) => void) => void,
): void {
  if (path !== undefined && path !== '-') {
    writeFile(path, force, note, produce);
    return;
  }
  try {
    produce((bytes) => writeAll(1, bytes));
  } catch (error) {
    // A reader that has seen enough (head, less) closes the pipe: that is no error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE')
      throw cannot(`standard output: ${systemWords(error)}`);
  }
}

/** Several outputs: each writable, no two the same, and standard output for one document only. */
export function checkDocuments(paths: readonly (string | undefined)[], force: boolean, json: boolean): void {
  if (paths.filter((path) => path === '-').length + (json ? 1 : 0) > 1)
    throw wrong('-: standard output takes one document; name a file for the others');
  checkOutputs(paths, force);
}
