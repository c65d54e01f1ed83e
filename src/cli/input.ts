// What the commands take from the user: options, specs and the files behind them, checked once, here.

import { readFileSync } from 'node:fs';
import { divide, isInteger, parseDecimal, type Rational, toNumberUp } from '../exact/index.js';
import { type Mechanism, readMechanism } from '../mechanism/index.js';
import type { TableRow } from '../noise/index.js';
import { type Prior, parseNoise, parsePrior, quote } from '../spec/index.js';
import { parseCsv } from './csv.js';

export interface Lattice {
  readonly step: Rational;
  /** In steps. */
  readonly adjacency: number;
}

export const MOST_STEPS = 1_000_000;

/** --step and --adjacency. */
export function readLattice(options: { step: string; adjacency: string }): Lattice {
  const step = parseDecimal(options.step, '--step');
  if (step.num <= 0n) throw new RangeError(`--step: expected a positive decimal, got ${options.step}`);
  const distance = parseDecimal(options.adjacency, '--adjacency');
  if (distance.num <= 0n)
    throw new RangeError(`--adjacency: expected a positive decimal, got ${options.adjacency}`);
  const steps = divide(distance, step);
  if (!isInteger(steps)) {
    throw new RangeError(
      `--adjacency: expected a multiple of the step ${options.step}, got ${options.adjacency}; change it or set --step`,
    );
  }
  const adjacency = toNumberUp(steps);
  if (adjacency > MOST_STEPS) {
    throw new RangeError(
      `--adjacency: expected at most ${MOST_STEPS} steps, got ${adjacency}; use a larger --step`,
    );
  }
  return { step, adjacency };
}

export function readEpsilon(text: string, flag = '--epsilon'): Rational {
  const value = parseDecimal(text, flag);
  if (value.num < 0n) throw new RangeError(`${flag}: expected a value of at least 0, got ${text}`);
  if (value.num > 1_000_000n * value.den)
    throw new RangeError(`${flag}: expected a value of at most 1000000, got ${text}`);
  return value;
}

export function readDelta(text: string, flag = '--delta'): Rational {
  const value = parseDecimal(text, flag);
  if (value.num < 0n || value.num >= value.den) {
    throw new RangeError(`${flag}: expected a value of at least 0 and below 1, got ${text}`);
  }
  return value;
}

/** The paper's constant M. */
export function readPaperCut(text: string): Rational {
  const cut = parseDecimal(text, '--paper-cut');
  if (cut.num <= 0n) throw new RangeError(`--paper-cut: expected a positive decimal, got ${text}`);
  return cut;
}

export function readNoise(text: string, step: Rational) {
  return parseNoise(text, step, readTable);
}

export function readPrior(text: string, step: Rational, columnIsPublic: boolean): Prior {
  return parsePrior(text, step, { table: readTable, column: readColumn, columnIsPublic });
}

/** A mechanism; what is wrong with its file is said with the file's name. */
export function readMechanismFile(path: string): Mechanism {
  const text = readText(path);
  try {
    return readMechanism(text);
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`${path}: ${error.message}`);
    throw error;
  }
}

/** A file's text; `-` is standard input. */
export function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new RangeError(`${path}: ${reason(error)}`);
  }
}

/** Rows of value and probability from CSV (with or without a header) or JSON. */
function readTable(path: string): TableRow[] {
  const text = readText(path);
  if (/\.json$/i.test(path)) return readJsonTable(text, path);
  const rows = parseCsv(text);
  const [first] = rows;
  const header = first && !/^\s*[-+]?\d/.test(first[0] ?? '');
  const columns = header ? first.map((name) => name.trim().toLowerCase()) : ['value', 'probability'];
  const [value, probability] = ['value', 'probability'].map((name) => columns.indexOf(name)) as [
    number,
    number,
  ];
  if (value < 0 || probability < 0) {
    throw new RangeError(`${path}: expected the columns value and probability, got ${columns.join(', ')}`);
  }
  return (header ? rows.slice(1) : rows).map((row, i) => {
    if (row.length < 2 || row[value] === undefined || row[probability] === undefined) {
      throw new RangeError(
        `${path}, row ${i + 1}: expected a value and a probability, got ${quote(row.join(','))}`,
      );
    }
    return { value: row[value].trim(), probability: row[probability].trim() };
  });
}

/** [{"value": …, "probability": …}, …] or [[value, probability], …]; numbers are read by their shortest decimal. */
function readJsonTable(text: string, path: string): TableRow[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new RangeError(`${path}: expected JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(data))
    throw new RangeError(`${path}: expected an array of {"value", "probability"} rows`);
  return data.map((row: unknown, i) => {
    const entry = Array.isArray(row)
      ? { value: row[0], probability: row[1] }
      : (row as Record<string, unknown> | null);
    const [value, probability] = [entry?.value, entry?.probability];
    const usable = (cell: unknown) => typeof cell === 'string' || typeof cell === 'number';
    if (!usable(value) || !usable(probability)) {
      throw new RangeError(
        `${path}, row ${i + 1}: expected {"value", "probability"}, got ${quote(JSON.stringify(row) ?? '')}`,
      );
    }
    return { value: String(value), probability: String(probability) };
  });
}

function readColumn(path: string, name: string): string[] {
  const [header, ...rows] = parseCsv(readText(path));
  const index = header?.indexOf(name) ?? -1;
  if (index < 0)
    throw new RangeError(`${path}: no column ${quote(name)}; it has ${(header ?? []).join(', ')}`);
  return rows.map((row) => (row[index] ?? '').trim());
}

/** A system error in the user's words. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    ENOENT: 'no such file or directory',
    EISDIR: 'is a directory, expected a file',
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left on the device',
    ENOTDIR: 'a part of the path is not a directory',
    ENAMETOOLONG: 'the name is too long; choose a shorter one',
    ERR_STRING_TOO_LONG: 'the file is too large to read at once',
    ERR_FS_FILE_TOO_LARGE: 'the file is too large to read at once',
  };
  return words[code ?? ''] ?? message;
}
