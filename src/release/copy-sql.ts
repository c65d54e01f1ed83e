// The query of a copy: the index of every protected value, noise, and what fails on a cell that must not be there.

import { findColumn, findPart } from '../rows/index.js';
import type { Keyed } from './identities.js';
import type { Job } from './job.js';
import { indexSql, releasedSql, scaledSql } from './lattice-sql.js';
import type { Column, Source } from './source.js';
import { identifier, literal } from './sql.js';

export const ROW = '"discreet row"';
const IDENTITY = '"discreet identity"';

export function selectSql(job: Job, source: Source, protectedAt: readonly Column[], mark: string): string {
  const typed = job.output.format?.typed === true;
  const list = source.columns.map((column) => {
    const i = protectedAt.indexOf(column);
    const name = identifier(column.name);
    if (i < 0)
      return `${typed && column.cast !== null ? `CAST(${column.sql} AS ${column.cast})` : column.sql} AS ${name}`;
    const { lattice, finish } = job.columns[i]!;
    const index = `"discreet index ${i}"`;
    const noise = job.keyed ? `noise_${i}(${IDENTITY}, coalesce(${index}, 0))` : `noise_${i}()`;
    return `${releasedSql(index, noise, lattice, finish)} AS ${name}`;
  });
  const fail = (i: number) => {
    const word = job.skipInvalid
      ? 'NULL'
      : `error('${mark} word ${i} ' || ${source.rereadable ? "''" : ROW})`;
    return `coalesce(held_${exactly(protectedAt[i]!, i)}, ${word})`;
  };
  return `SELECT ${list.join(', ')} FROM ${indexed(job, source, protectedAt, fail, mark)}${partFilter(job, source, mark)}`;
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
  mark: string,
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
  const identity = job.keyed ? `, ${identitySql(job.keyed, source, mark)} AS ${IDENTITY}` : '';
  return `(SELECT *, ${indices.join(', ')} FROM (SELECT *, ${scaled.join(', ')}${identity} FROM ${numbered}))`;
}

/** What a row is: its id as text, or all its cells, each after its length, so that no two lists of cells read alike. */
function identitySql({ by }: Keyed, { columns, shown }: Source, mark: string): string {
  if ('id' in by) {
    const { sql } = findColumn(columns, by.id, shown, 'id');
    return `coalesce(CAST(${sql} AS VARCHAR), error('${mark} id '))`;
  }
  const cells = columns.map(({ sql }) => {
    const text = `CAST(${sql} AS VARCHAR)`;
    return `coalesce(length(${text}) || ':' || ${text}, '-')`;
  });
  return `row_identity(${cells.join(' || ')})`;
}

/** Fails on a row of another part. */
function partFilter({ part }: Job, source: Source, mark: string): string {
  if (!part) return '';
  const { sql } = findPart(source.columns, part, source.shown);
  return ` WHERE CASE WHEN CAST(${sql} AS VARCHAR) IS NOT DISTINCT FROM ${literal(part.value)} THEN true ELSE error('${mark} part ') END`;
}
