// Noise from its text: `gaussian:sigma=10`, `table:noise.csv`, `cdf:density.csv`.

import { invalid, quote, wrong } from '../error/index.js';
import type { Rational } from '../exact/index.js';
import { cdfNoise, type Family, families, type Noise, type TableRow, tableNoise } from '../noise/index.js';
import { parsePairs, splitSpec, suggest } from './grammar.js';

/** How the rows of a table are found, of values and of what the column of this name says; the grammar itself reads no files. */
export type ReadTable = (path: string, column?: 'probability' | 'cdf') => readonly TableRow[];

/** The noise that a text such as `gaussian:sigma=10` stands for. */
export function parseNoise(text: string, step: Rational, readTable: ReadTable): Noise {
  const spec = splitSpec(text);
  if (spec.family === 'table') {
    if (spec.rest === '') throw wrong('table: expected a path, as in table:noise.csv');
    return tableNoise(readTable(spec.rest), step, spec.rest);
  }
  if (spec.family === 'cdf') {
    if (spec.rest === '') throw wrong('cdf: expected a path, as in cdf:density.csv');
    return cdfNoise(readTable(spec.rest, 'cdf'), step, spec.rest);
  }
  const { family, values } = parseFamily(text);
  const complete: Record<string, string> = {};
  for (const { key, default: fallback } of family.parameters) {
    const value = values[key] ?? fallback;
    if (value === undefined) {
      const form = family.parameters.map((entry) => `${entry.key}=…`).join(',');
      throw invalid(`${family.name}: expected the parameter ${key}, as in ${family.name}:${form}`);
    }
    complete[key] = value;
  }
  return family.build(complete, step);
}

/** A family and the parameters given with it, of which some may be missing. */
export function parseFamily(text: string): { family: Family; values: Record<string, string> } {
  const spec = splitSpec(text);
  if (spec.family === 'table' || spec.family === 'cdf')
    throw wrong(`${spec.family}: expected a family with a parameter to calibrate; a table has none`);
  const family = families.find(({ name }) => name === spec.family);
  if (!family) {
    const names = [...families.map(({ name }) => name), 'table', 'cdf'];
    throw wrong(`unknown noise family ${quote(spec.family)}; ${suggest(spec.family, names, 'known are')}`);
  }
  const values = parsePairs(
    spec,
    family.parameters.map(({ key }) => key),
  );
  return { family, values };
}
