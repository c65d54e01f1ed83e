// What the commands take from the user beside figures: specs and the files behind them.

import { readFileSync, statSync } from 'node:fs';
import { cannot, invalid, isOurs, wrong } from '../error/index.js';
import { compare, exactText, type Rational } from '../exact/index.js';
import { systemWords } from '../files/index.js';
import { type Mechanism, readMechanism } from '../mechanism/index.js';
import { type Noise, pmfNoise, type TableRow } from '../noise/index.js';
import { type Paid, type Prior, splitPaid } from '../prior/index.js';
import {
  columnList,
  missingColumn,
  parseCsv,
  parseNoise,
  parsePrior,
  quote,
  tableRows,
} from '../spec/index.js';

/** A noise of the grammar, or a mechanism's file: `mechanism:m.json`, or `m.json` alone. */
export function readNoise(text: string, step: Rational): Noise {
  const path = mechanismPath(text);
  if (path === null) return parseNoise(text, step, readTable);
  const { pmf } = readMechanismFile(path);
  if (compare(pmf.step, step) !== 0)
    throw invalid(
      `noise: the mechanism in ${path} has the step ${exactText(pmf.step)}, not ${exactText(step)}; say so with {step}`,
    );
  return pmfNoise(pmf, 'mechanism', path);
}

function mechanismPath(text: string): string | null {
  if (text.startsWith('mechanism:')) return text.slice('mechanism:'.length);
  return /\.json$/i.test(text) && !text.includes(':') ? text : null;
}

export function readPrior(
  { prior: text, priorIsPublic }: { readonly prior?: string; readonly priorIsPublic?: boolean },
  step: Rational,
): Prior | null {
  if (text === undefined) return null;
  let paid: Paid | null = null;
  const prior = parsePrior(text, step, {
    // Its first line may say who paid for it.
    table: (path) => {
      const whole = readText(path);
      const split = inFile(path, () => splitPaid(whole));
      paid = split.paid;
      return tableRows(split.rest, path, 'probability');
    },
    column: readColumn,
    columnIsPublic: priorIsPublic === true,
  });
  return paid ? { ...prior, paid } : prior;
}

/** A mechanism; what is wrong with its file is said with the file's name. */
export function readMechanismFile(path: string): Mechanism {
  const text = readText(path);
  return inFile(path, () => readMechanism(text));
}

/** What is wrong with a file is told with its name. */
export function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isOurs(error) ? error.in(path) : error;
  }
}

/** A text that is longer does not fit. */
const LARGEST = 500_000_000;

/** A file's text; `-` is standard input. */
export function readText(path: string): string {
  try {
    if (path !== '-' && statSync(path).size > LARGEST)
      throw cannot(`${path}: it is larger than ${LARGEST / 1e6} MB, too large to read at once`);
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    if (isOurs(error)) throw error;
    throw cannot(`${path}: ${systemWords(error)}`);
  }
}

/** A whole number of at least `least`. */
export function readWhole(text: string, field: string, least = 1): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw invalid(`${field}: expected a whole number of at least ${least}, got ${text}`);
  return value;
}

/** An option that is repeated. */
export function collect(value: string, all: string[] | undefined): string[] {
  return [...(all ?? []), value];
}

/** Rows of value and probability, or cdf, from CSV (with or without a header) or JSON. */
export function readTable(path: string, column: 'probability' | 'cdf' = 'probability'): TableRow[] {
  return tableRows(readText(path), path, column);
}

function readColumn(path: string, name: string): string[] {
  const [header, ...rows] = parseCsv(readText(path));
  const index = header?.indexOf(name) ?? -1;
  if (index < 0)
    throw wrong(`${path} has no column ${quote(name)}${missingColumn(name, header ?? [])}`).at(
      columnList(header ?? []),
    );
  return rows.map((row) => (row[index] ?? '').trim());
}
