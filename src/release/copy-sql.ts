// The query of a copy: the index of every protected value, noise, and what fails on a cell that must not be there.

import { findPart } from './checks.js';
import type { Job } from './job.js';
import { indexSql, releasedSql, scaledSql } from './lattice-sql.js';
import type { Column, Source } from './source.js';
import { identifier, literal } from './sql.js';

export const ROW = '"discreet row"';

export function selectSql(job: Job, source: Source, protectedAt: readonly Column[], mark: string): string {
  const typed = job.output.format?.typed === true;
  const list = source.columns.map((column) => {
    const i = protectedAt.indexOf(column);
    const name = identifier(column.name);
    if (i < 0)
      return `${typed && column.cast !== null ? `CAST(${column.sql} AS ${column.cast})` : column.sql} AS ${name}`;
    const { lattice, finish } = job.columns[i]!;
    return `${releasedSql(`"discreet index ${i}"`, `noise_${i}()`, lattice, finish)} AS ${name}`;
  });
  const fail = (i: number) => {
    const word = job.skipInvalid
      ? 'NULL'
      : `error('${mark} word ${i} ' || ${source.rereadable ? "''" : ROW})`;
    return `coalesce(held_${exactly(protectedAt[i]!, i)}, ${word})`;
  };
  return `SELECT ${list.join(', ')} FROM ${indexed(job, source, protectedAt, fail)}${partFilter(job, source, mark)}`;
}

/** The exact rule, for what SQL does not recognise. */
export function exactly({ sql }: Column, i: number): string {
  return `lattice_${i}(CAST(${sql} AS VARCHAR))`;
}

/** Does text that is no number hold a digit of any script? As `holdsDigit` in lattice.ts. */
export function isValue({ sql }: Column): string {
  return `regexp_matches(CAST(${sql} AS VARCHAR), '\\p{N}')`;
}

function indexed(
  job: Job,
  source: Source,
  protectedAt: readonly Column[],
  otherwise: (i: number) => string,
): string {
  const scaled = protectedAt.map(
    (column, i) => `${scaledSql(column.sql, column.type, job.columns[i]!.lattice)} AS "discreet scaled ${i}"`,
  );
  const indices = protectedAt.map(
    (column, i) =>
      `${indexSql(column.sql, column.type, `"discreet scaled ${i}"`, job.columns[i]!.lattice, otherwise(i))} AS "discreet index ${i}"`,
  );
  const numbered = source.rereadable
    ? source.relation()
    : `(SELECT *, row_number() OVER () AS ${ROW} FROM ${source.relation()})`;
  return `(SELECT *, ${indices.join(', ')} FROM (SELECT *, ${scaled.join(', ')} FROM ${numbered}))`;
}

/** Fails on a row of another part. */
function partFilter({ part }: Job, source: Source, mark: string): string {
  if (!part) return '';
  const { sql } = findPart(source.columns, part, source.shown);
  return ` WHERE CASE WHEN CAST(${sql} AS VARCHAR) IS NOT DISTINCT FROM ${literal(part.value)} THEN true ELSE error('${mark} part ') END`;
}
