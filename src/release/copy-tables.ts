// From PostgreSQL to PostgreSQL: binary rows, changed on the way, from one snapshot into one transaction.

import { findColumn, tooManyRows } from './checks.js';
import { InputError, invalidRow, otherPart } from './failure.js';
import type { Copy, Job, Outcome } from './job.js';
import { textOfIndex } from './lattice.js';
import { identifier, postgresIndexSql, typeSql } from './lattice-sql.js';
import { type PostgresPlace, shownPlace } from './place.js';
import {
  checkNewTable,
  createTable,
  crowdedSql,
  type OpenTable,
  openTable,
  postgresFailure,
  strangerSql,
} from './postgres.js';
import { rewriter } from './tuples.js';

export async function copyTables(job: Job): Promise<Copy> {
  const [input, output] = [job.input as PostgresPlace, job.output as PostgresPlace];
  const table = await openTable(input);
  try {
    for (const { name } of job.columns) {
      const { type } = findColumn(table.columns, name, shownPlace(input), '--column');
      if (!canBeProtected(type))
        throw new InputError(
          `${shownPlace(input)}: column ${JSON.stringify(name)} is of type ${type}; expected numbers`,
        );
    }
    if (job.person) findColumn(table.columns, job.person.column, shownPlace(input), '--person');
    await checkNewTable(output, job.force, table.identity);
  } catch (error) {
    await table.close();
    throw error;
  }
  return {
    columns: table.columns.map(({ name }) => name),
    run: () => run(job, table, input, output),
    close: table.close,
  };
}

function canBeProtected(type: string): boolean {
  return /^(smallint|integer|bigint|real|double precision|text|numeric|character varying)/.test(type);
}

async function run(
  job: Job,
  table: OpenTable,
  input: PostgresPlace,
  output: PostgresPlace,
): Promise<Outcome> {
  const shown = shownPlace(input);
  await checkRows(job, table, shown, input);
  const own = table.columns.map(({ name }) => job.columns.find((column) => column.name === name) ?? null);
  const fields = own.map(
    (column) => column && { pmf: column.mechanism.pmf, lattice: column.lattice, finish: column.finish },
  );
  const rows = rewriter(fields, job.source, (field, row) => {
    if (job.skipInvalid) return;
    const column = own[field]!;
    throw invalidRow(shown, column.name, row, textOfIndex(1n, column.lattice));
  });
  const made = await createTable(
    output,
    table.columns.map(({ name, type }, i) => ({
      name,
      type: own[i] ? typeSql(own[i].lattice, 'postgres') : type,
    })),
    'binary',
    job.force,
  );
  const messages = table.binary(
    table.columns.map(({ name, type }, i) =>
      own[i] ? postgresIndexSql(identifier(name), type, own[i].lattice, job.snap) : identifier(name),
    ),
  );
  // Whatever is waited for then fails, and the abort is told instead.
  const stop = () => {
    table.destroy();
    void made.rollback();
  };
  job.signal.addEventListener('abort', stop);
  try {
    for await (const chunk of messages) {
      job.signal.throwIfAborted();
      await made.write(rows.push(chunk));
      job.progress(rows.rows(), table.rows === null ? null : Math.min(1, rows.rows() / table.rows));
    }
    job.signal.throwIfAborted();
    job.beforePublish();
  } catch (error) {
    await made.rollback();
    job.signal.throwIfAborted();
    throw error instanceof RangeError ? error : postgresFailure(input.address, error);
  } finally {
    job.signal.removeEventListener('abort', stop);
  }
  await made.commit();
  return { rows: rows.rows(), values: job.columns.map((column) => rows.values(own.indexOf(column))) };
}

/** In the same snapshot that is released. */
async function checkRows(
  { part, person }: Job,
  { connection, relation, columns }: OpenTable,
  shown: string,
  input: PostgresPlace,
) {
  try {
    if (part && columns.some(({ name }) => name === part.column)) {
      const { rows } = await connection.query(strangerSql(relation, identifier(part.column), part.value));
      if (rows.length > 0) throw otherPart(shown, part);
    }
    if (person) {
      const { rows } = await connection.query(crowdedSql(relation, identifier(person.column), person.rows));
      if (rows.length > 0) throw tooManyRows(shown, person);
    }
  } catch (error) {
    throw postgresFailure(input.address, error);
  }
}
