// The query of a copy: the index of every protected value, noise, and what fails on a cell that must not be there.

import { findColumn, findPart, withoutDropped } from '../rows/index.js';
import type { Format } from './formats/index.js';
import type { Keyed } from './identities.js';
import type { Job } from './job.js';
import { indexSql, releasedSql, scaledSql } from './lattice-sql.js';
import type { Column, Source } from './source.js';
import { identifier, literal } from './sql.js';

export const ROW = '"discreet row"';
const IDENTITY = '"discreet identity"';

export function selectSql(job: Job, source: Source, protectedAt: readonly Column[], mark: string): string {
  const { format } = job.output;
  const written = withoutDropped(source.columns, job.dropped, source.shown);
  // A line without anything is no row to some readers: of a single column that is left, what is empty is written in quotes.
  const left = written.length === 1 && written.length < source.columns.length;
  const lone = left && format !== null && !format.typed && !format.keyed;
  const list = written.map((column) => {
    const i = protectedAt.indexOf(column);
    const name = identifier(column.name);
    if (i < 0) return `${passingSql(column, job.output.format)} AS ${name}`;
    const { lattice, finish } = job.columns[i]!;
    const index = `"discreet index ${i}"`;
    const noise = job.keyed ? `noise_${i}(${IDENTITY}, coalesce(${index}, 0))` : `noise_${i}()`;
    const released = releasedSql(index, noise, lattice, finish);
    return `${lone ? `coalesce(CAST(${released} AS VARCHAR), '')` : released} AS ${name}`;
  });
  const fail = (i: number) => {
    const word = job.skipInvalid
      ? 'NULL'
      : `error('${mark} word ${i} ' || ${source.rereadable ? "''" : ROW})`;
    return `coalesce(held_${exactly(protectedAt[i]!, i)}, ${word})`;
  };
  return `SELECT ${list.join(', ')} FROM ${indexed(job, source, protectedAt, fail, mark)}${partFilter(job, source, mark)}`;
}

/** As it is; of a type of its own where the output has types. A float is no double, but the number that it says is one. */
function passingSql({ sql, raw, cast }: Column, format: Format | null): string {
  if (!format?.typed || cast === null) return sql;
  if (cast === 'FLOAT' && format.keyed) return `CAST(${sql} AS DOUBLE)`;
  return raw ?? `CAST(${sql} AS ${cast})`;
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
  const indices = protectedAt.map(({ sql, type }, i) => {
    const index = indexSql(sql, type, `"discreet scaled ${i}"`, job.columns[i]!.lattice, otherwise(i));
    return `coalesce(${index}, ${emptySql(i)}) AS "discreet index ${i}"`;
  });
  const numbered = source.rereadable
    ? source.relation()
    : `(SELECT *, row_number() OVER () AS ${ROW} FROM ${source.relation()})`;
  const identity = job.keyed ? `, ${identitySql(job.keyed, source, mark)} AS ${IDENTITY}` : '';
  return `(SELECT *, ${indices.join(', ')} FROM (SELECT *, ${scaled.join(', ')}${identity} FROM ${numbered}))`;
}

/** NULL, for cells that are empty, which are counted by it. */
function emptySql(i: number): string {
  return `nullif(empty_${i}(), 0)`;
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
