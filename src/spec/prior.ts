// Priors from their text: `poisson:rate=3`, `prior.csv`, `column:visits.csv#visits`.

import { invalid, quote, wrong } from '../error/index.js';
import type { Rational } from '../exact/index.js';
import { tablePmf } from '../noise/index.js';
import { buildPrior, columnPmf, type Prior, priorFamilies } from '../prior/index.js';
import { parsePairs, type Spec, splitSpec, suggest } from './grammar.js';
import type { ReadTable } from './noise.js';

/** The values of a column, as they stand in the file. */
export type ReadColumn = (path: string, name: string) => readonly string[];

/** How what a prior names is found; the grammar itself reads no files. */
export interface PriorFiles {
  readonly table: ReadTable;
  readonly column: ReadColumn;
  readonly columnIsPublic: boolean;
}

/** The prior that a text such as `poisson:rate=3` stands for. */
export function parsePrior(text: string, step: Rational, files: PriorFiles): Prior {
  const path = priorPath(text);
  if (path === '') throw invalid('prior table: expected a path, as in table:prior.csv');
  if (path !== null)
    return { pmf: tablePmf(files.table(path), step, `prior table ${path}`), spec: text, cut: null };
  const spec = splitSpec(text);
  if (spec.family === 'column') return { pmf: columnPmf(columnOf(spec, files), step), spec: text, cut: null };
  const family = priorFamilies.find(({ name }) => name === spec.family);
  if (!family) {
    const names = [...priorFamilies.map(({ name }) => name), 'table', 'column'];
    throw wrong(`unknown prior ${quote(spec.family)}; ${suggest(spec.family, names, 'known are')}`);
  }
  const values = parsePairs(
    spec,
    family.parameters.map(({ key }) => key),
  );
  return { ...buildPrior(family, values, step), spec: text };
}

/** The path of a prior that is a table: `table:prior.csv`, or `prior.csv` alone; null where it is none. */
export function priorPath(text: string): string | null {
  const { family, rest } = splitSpec(text);
  if (family === 'table') return rest;
  const isSpec = [...priorFamilies.map(({ name }) => name), 'column'].includes(family);
  return !isSpec && /\.(csv|json)$/i.test(text) ? text : null;
}

function columnOf({ rest }: Spec, { column, columnIsPublic }: PriorFiles): readonly string[] {
  const hash = rest.lastIndexOf('#');
  if (hash <= 0 || hash === rest.length - 1)
    throw invalid('prior column: expected a path and a column name, as in column:visits.csv#visits');
  if (!columnIsPublic)
    throw invalid(
      'prior column: a prior read from data that is to be protected leaks it; if the column is public, say so with {priorIsPublic}',
    );
  return column(rest.slice(0, hash), rest.slice(hash + 1));
}
