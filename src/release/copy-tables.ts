// From PostgreSQL to PostgreSQL: binary rows, changed on the way, from one snapshot into one transaction.

import { badData, isOurs } from '../error/index.js';
import { holdsDigit } from '../mechanism/index.js';
import { findColumn, findPart, noNumber, otherPart, tooManyRows, valueAsText } from '../rows/index.js';
import { checkLeaving, checkOwnColumn, type Outcome } from '../terms/index.js';
import type { CopyEffects } from './effects.js';
import { postgresFailure } from './failure.js';
import type { Copy, Job } from './job.js';
import { typeSql } from './lattice-sql.js';
import { writeMechanismFiles } from './mechanism-files.js';
import type { TablePlace } from './places/index.js';
import { crowdedSql, identifier } from './sql.js';
import { checkNewTable, createTable, type OpenTable, openTable, personColumn, strangerSql } from './table.js';
import { rewriter } from './tuples.js';

/** A job whose input and output are both tables. */
type TableJob = Job & { readonly input: TablePlace; readonly output: TablePlace };

export async function copyTables(job: TableJob, effects: CopyEffects): Promise<Copy> {
  const { shown, at } = job.input;
  const table = await openTable(at, effects.signal);
  let unchanged: string[];
  try {
    for (const { name } of job.columns) {
      const column = findColumn(table.columns, name, shown, 'columns');
      if (!canBeProtected(column.type))
        throw badData(`${shown}: column ${JSON.stringify(name)} is of type ${column.type}; expected numbers`);
      checkOwnColumn(column, 'columns', shown);
    }
    if (job.person)
      checkOwnColumn(findColumn(table.columns, job.person.column, shown, 'person'), 'person', shown);
    if (job.part) checkOwnColumn(findPart(table.columns, job.part, shown), 'part', shown);
    unchanged = checkLeaving(job, table.columns, shown, true);
    await checkNewTable(job.output.at, job.force, table.origins);
  } catch (error) {
    await table.close();
    throw error;
  }
  return { unchanged, run: () => run(job, table, unchanged, effects), close: table.close };
}

function canBeProtected(type: string): boolean {
  return /^(smallint|integer|bigint|real|double precision|text|numeric|character varying)/.test(type);
}

function isInteger(type: string): boolean {
  return ['smallint', 'integer', 'bigint'].includes(type);
}

async function run(
  job: TableJob,
  table: OpenTable,
  unchanged: readonly string[],
  { entropy, signal, progress, note }: CopyEffects,
): Promise<Outcome> {
  const { shown, at } = job.input;
  await checkRows(job, table);
  const own = table.columns.map(({ name }) => job.columns.find((column) => column.name === name) ?? null);
  const sent = table.columns.map(({ type }) => (isInteger(type) ? ('int8' as const) : ('text' as const)));
  const fields = own.map(
    (column, i) =>
      column && { pmf: column.mechanism.pmf, lattice: column.lattice, finish: column.finish, sent: sent[i]! },
  );
  let held: string | null = null;
  const rows = rewriter(fields, entropy, (field, row, text) => {
    const { name } = own[field]!;
    // Told when all is through, so that nothing shows where it is.
    if (holdsDigit(text)) held ??= name;
    else if (!job.skipInvalid) throw noNumber(shown, name, row);
  });
  const made = await createTable(
    job.output.at,
    table.columns.map(({ name, type }, i) => ({
      name,
      type: own[i] ? typeSql(own[i].lattice) : type,
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
  signal.addEventListener('abort', stop);
  let undo = () => {};
  try {
    for await (const chunk of messages) {
      signal.throwIfAborted();
      await made.write(rows.push(chunk));
      progress(rows.rows(), table.rows === null ? null : Math.min(1, rows.rows() / table.rows));
    }
    signal.throwIfAborted();
    if (held !== null) throw valueAsText(shown, held);
    undo = writeMechanismFiles(job.mechanismFiles, job.force, note);
  } catch (error) {
    await made.rollback();
    signal.throwIfAborted();
    throw isOurs(error) ? error : postgresFailure(at.address, error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  await made.commit().catch((error) => {
    undo();
    throw error;
  });
  return {
    rows: rows.rows(),
    unchanged,
    values: job.columns.map((column) => rows.values(own.indexOf(column))),
  };
}

/** In the same snapshot that is released. */
async function checkRows({ part, person, input }: TableJob, { connection, relation, columns }: OpenTable) {
  const { shown, at } = input;
  try {
    if (part) {
      const { name } = findPart(columns, part, shown);
      const { rows } = await connection.query(strangerSql(relation, identifier(name), part.value));
      if (rows.length > 0) throw otherPart(shown, part);
    }
    if (person) {
      const column = personColumn(findColumn(columns, person.column, shown, 'person'));
      const { rows } = await connection.query(crowdedSql(relation, column, person.rows));
      if (rows.length > 0) throw tooManyRows(shown, person);
    }
  } catch (error) {
    throw postgresFailure(at.address, error);
  }
}
