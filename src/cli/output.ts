// What the commands give back: figures for people, JSON, and files that appear whole or not at all.

import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  integer,
  multiply,
  type Rational,
  toDecimal,
  toDecimalUp,
  toNumberNear,
  toNumberUp,
} from '../exact/index.js';
import { remembered } from '../mechanism/index.js';
import { errorQuantile, moments, type Pmf, standardDeviation } from '../pmf/index.js';
import type { RatioWitness } from '../privacy/index.js';
import { type HiddenFile, hiddenFile, leftBehind, writeAll } from '../release/index.js';
import { reason } from './input.js';

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

/** A privacy figure for programs: the least double not below it, and all its digits as text. */
export function jsonFigure<Key extends string>(key: Key, x: Rational | null) {
  return {
    [key]: x === null ? null : toNumberUp(x),
    [`${key}Decimal`]: x === null ? null : toDecimalUp(x, 17),
  } as Record<Key | `${Key}Decimal`, number | string | null>;
}

export interface Utility {
  readonly mean: number;
  readonly meanAbs: number;
  readonly meanSquare: number;
  readonly variance: number;
  readonly std: number;
}

export const utilityOf: (pmf: Pmf) => Utility = remembered((pmf) => {
  const exact = moments(pmf);
  return {
    mean: toNumberNear(exact.mean),
    meanAbs: toNumberNear(exact.meanAbsolute),
    meanSquare: toNumberNear(exact.meanSquare),
    variance: toNumberNear(exact.variance),
    std: standardDeviation(exact),
  };
});

const SHARES = ['0.5', '0.9', '0.95', '0.99'] as const;

/** How far off a record is at most, with each of a few probabilities. */
export const errorQuantiles: (pmf: Pmf) => { probability: number; error: number }[] = remembered((pmf) =>
  SHARES.map((share) => {
    const [num, den] = [BigInt(Math.round(Number(share) * 100)), 100n];
    return { probability: Number(share), error: toNumberNear(errorQuantile(pmf, { num, den })) };
  }),
);

/** A witness for programs: p(k − m0) / p(k), in data units. */
export function jsonWitness(witness: RatioWitness, step: Rational): { k: number; m0: number } {
  const { k, shift } = inUnits(witness, step);
  return { k: Number(k), m0: Number(shift) };
}

/** A witness in data units. */
export function inUnits({ k, shift }: RatioWitness, step: Rational): { k: string; shift: string } {
  return { k: toDecimal(multiply(integer(k), step)), shift: toDecimal(multiply(integer(shift), step)) };
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Write a text; see streamTo. */
export function writeOutput(path: string, text: string, force: boolean): void {
  checkOutput(path, force);
  streamTo(path, force, (write) => write(Buffer.from(text)));
}

/** Write in pieces to standard output (`-` or nothing), or to a file that appears under its name only when it is complete. */
export function streamTo(
  path: string | undefined,
  force: boolean,
  produce: (write: (bytes: Uint8Array) => void) => void,
): void {
  if (path === undefined || path === '-') {
    try {
      produce((bytes) => writeAll(1, bytes));
    } catch (error) {
      // A reader that has seen enough (head, less) closes the pipe: that is no error.
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE')
        throw new RangeError(`standard output: ${reason(error)}`);
    }
    return;
  }
  let file: HiddenFile | null = null;
  try {
    file = hiddenFile(path, force);
    const { file: target, others } = file;
    for (const other of others) process.stderr.write(`note: ${leftBehind(other)}\n`);
    produce((bytes) => writeAll(target, bytes));
    file.publish();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new RangeError(`${path}: cannot be written: ${reason(error)}`);
  } finally {
    file?.discard();
  }
}

/** Several outputs: each writable, no two the same, and standard output for one document only. */
export function checkOutputs(paths: readonly (string | undefined)[], force: boolean, json: boolean): void {
  const given = paths.filter((path) => path !== undefined);
  if (given.filter((path) => path === '-').length + (json ? 1 : 0) > 1)
    throw new RangeError('-: standard output takes one document; name a file for the others');
  const files = given.filter((path) => path !== '-').map((path) => resolve(path));
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined)
    throw new RangeError(`${twice}: two outputs have this name; choose another for one`);
  for (const path of given) checkOutput(path, force);
}

/** Refuse an output that exists or cannot be written before any work is done. */
export function checkOutput(path: string | undefined, force: boolean): void {
  if (path === '') throw new RangeError('-o: expected a file name, got none');
  if (path !== undefined && path !== '-' && !existsSync(dirname(path)))
    throw new RangeError(`${path}: the folder ${dirname(path)} does not exist; make it first`);
  if (path !== undefined && path !== '-' && !existsSync(path) && lstatSync(path, { throwIfNoEntry: false }))
    throw new RangeError(`${path}: this link leads nowhere; remove it or choose another name`);
  if (path !== undefined && path !== '-' && existsSync(path) && !statSync(path).isFile())
    throw new RangeError(`${path}: expected a regular file, got a folder or a device`);
  if (path !== undefined && path !== '-' && !force && existsSync(path)) {
    throw new RangeError(`${path}: the file exists; choose another name or overwrite it with --force`);
  }
}
