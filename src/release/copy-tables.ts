// From PostgreSQL to PostgreSQL: binary rows, changed on the way, from one snapshot into one transaction.

import { findColumn, findPart, tooManyRows } from './checks.js';
import { InputError, noNumber, otherPart, valueAsText } from './failure.js';
import { checkLeaving, checkOwnColumn } from './guard.js';
import type { Copy, Job, Outcome } from './job.js';
import { holdsDigit } from './lattice.js';
import { identifier, typeSql } from './lattice-sql.js';
import { type PostgresPlace, shownPlace } from './place.js';
import {
  checkNewTable,
  createTable,
  crowdedSql,
  type OpenTable,
  openTable,
  personColumn,
  postgresFailure,
  strangerSql,
} from './postgres.js';
import { rewriter } from './tuples.js';

export async function copyTables(job: Job): Promise<Copy> {
  const [input, output] = [job.input as PostgresPlace, job.output as PostgresPlace];
  const table = await openTable(input);
  const shown = shownPlace(input);
  let unchanged: string[];
  try {
    for (const { name } of job.columns) {
      const column = findColumn(table.columns, name, shown, '--column');
      if (!canBeProtected(column.type))
        throw new InputError(
          `${shown}: column ${JSON.stringify(name)} is of type ${column.type}; expected numbers`,
        );
      checkOwnColumn(column, '--column', shown);
    }
    if (job.person)
      checkOwnColumn(findColumn(table.columns, job.person.column, shown, '--person'), '--person', shown);
    if (job.part) checkOwnColumn(findPart(table.columns, job.part, shown), '--part', shown);
    unchanged = checkLeaving(job, table.columns, shown, true);
    await checkNewTable(output, job.force, table.origins);
  } catch (error) {
    await table.close();
    throw error;
  }
  return { unchanged, run: () => run(job, table, input, output, unchanged), close: table.close };
}

function canBeProtected(type: string): boolean {
  return /^(smallint|integer|bigint|real|double precision|text|numeric|character varying)/.test(type);
}

function isInteger(type: string): boolean {
  return ['smallint', 'integer', 'bigint'].includes(type);
}

async function run(
  job: Job,
  table: OpenTable,
  input: PostgresPlace,
  output: PostgresPlace,
  unchanged: readonly string[],
): Promise<Outcome> {
  const shown = shownPlace(input);
  await checkRows(job, table, shown, input);
  const own = table.columns.map(({ name }) => job.columns.find((column) => column.name === name) ?? null);
  const sent = table.columns.map(({ type }) => (isInteger(type) ? ('int8' as const) : ('text' as const)));
  const fields = own.map(
    (column, i) =>
      column && {
        pmf: column.mechanism.pmf,
        lattice: column.lattice,
        finish: column.finish,
        sent: sent[i]!,
      },
  );
  const rows = rewriter(fields, job.source, (field, row, text) => {
    const { name } = own[field]!;
    if (holdsDigit(text)) throw valueAsText(shown, name);
    if (!job.skipInvalid) throw noNumber(shown, name, row);
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
    table.columns.map(({ name }, i) => (own[i] ? `${identifier(name)}::${sent[i]}` : identifier(name))),
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
  return {
    rows: rows.rows(),
    unchanged,
    values: job.columns.map((column) => rows.values(own.indexOf(column))),
  };
}

/** In the same snapshot that is released. */
async function checkRows(
  { part, person }: Job,
  { connection, relation, columns }: OpenTable,
  shown: string,
  input: PostgresPlace,
) {
  try {
    if (part) {
      const { name } = findPart(columns, part, shown);
      const { rows } = await connection.query(strangerSql(relation, identifier(name), part.value));
      if (rows.length > 0) throw otherPart(shown, part);
    }
    if (person) {
      const column = personColumn(findColumn(columns, person.column, shown, '--person'));
      const { rows } = await connection.query(crowdedSql(relation, column, person.rows));
      if (rows.length > 0) throw tooManyRows(shown, person);
    }
  } catch (error) {
    throw postgresFailure(input.address, error);
  }
}
