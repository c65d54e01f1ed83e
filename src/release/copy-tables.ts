// From PostgreSQL to PostgreSQL: binary rows, changed on the way, from one snapshot into one transaction.

import { isOurs } from '../error/index.js';
import { holdsDigit } from '../mechanism/index.js';
import {
  findColumn,
  findPart,
  noNumber,
  oddTexts,
  otherPart,
  tooManyRows,
  withoutDropped,
} from '../rows/index.js';
import { checkLeaving, checkOwnColumn, InDoubt, type Outcome } from '../terms/index.js';
import { checkNumber } from './checks.js';
import type { CopyEffects } from './effects.js';
import { postgresFailure } from './failure.js';
import type { Copy, Job } from './job.js';
import { typeSql } from './lattice-sql.js';
import { writeMechanismFiles } from './mechanism-files.js';
import { checkNewTable, type HeldTable, holdTable } from './output-table.js';
import type { TablePlace } from './places/index.js';
import { crowdedSql, identifier } from './sql.js';
import { type OpenTable, openTable, personColumn, strangerSql, type TableColumn } from './table.js';
import { rewriter } from './tuples.js';
import { BOOLEAN, type Sent, sentAs } from './types.js';

/** A job whose input and output are both tables. */
type TableJob = Job & { readonly input: TablePlace; readonly output: TablePlace };

export async function copyTables(job: TableJob, effects: CopyEffects): Promise<Copy> {
  const { shown, at } = job.input;
  const table = await openTable(at, effects.signal);
  let unchanged: string[];
  try {
    for (const { name } of job.columns) {
      const column = findColumn(table.columns, name, shown, 'columns');
      checkNumber({ name, noNumber: sentAs(column.base) === null ? column.type : null }, shown);
      checkOwnColumn(column, 'columns', shown);
    }
    if (job.person)
      checkOwnColumn(findColumn(table.columns, job.person.column, shown, 'person'), 'person', shown);
    if (job.part) checkOwnColumn(findPart(table.columns, job.part, shown), 'part', shown);
    unchanged = checkLeaving(job, withoutDropped(table.columns, job.dropped, shown), shown, true);
    await checkNewTable(job.output.at, job, table.origins);
  } catch (error) {
    await table.close();
    throw error;
  }
  let held: HeldTable | null = null;
  return {
    unchanged,
    hold: async () => {
      held = await holdTable(job.output.at, outputColumns(job, table), job, effects, table.origins);
    },
    run: () => run(job, table, held!, unchanged, effects),
    close: async () => {
      await held?.release();
      await table.close();
    },
  };
}

/** As they are, and the protected ones as their lattice writes them. */
function outputColumns(job: TableJob, { columns }: OpenTable): TableColumn[] {
  return withoutDropped(columns, job.dropped, job.input.shown).map(({ name, type }) => {
    const own = job.columns.find((column) => column.name === name);
    return { name, type: own ? typeSql(own.lattice) : type };
  });
}

/** A protected column as it is sent: booleans are 1 and 0. */
function sentSql({ name, base }: OpenTable['columns'][0], as: Sent): string {
  return `${identifier(name)}${base === BOOLEAN ? '::integer' : ''}::${as}`;
}

async function run(
  job: TableJob,
  table: OpenTable,
  output: HeldTable,
  unchanged: readonly string[],
  { entropy, signal, progress, note }: CopyEffects,
): Promise<Outcome> {
  const { shown, at } = job.input;
  await checkRows(job, table);
  const written = withoutDropped(table.columns, job.dropped, shown);
  const own = written.map(({ name }) => job.columns.find((column) => column.name === name) ?? null);
  const sent = written.map(({ base }) => sentAs(base) ?? 'text');
  const fields = own.map(
    (column, i) =>
      column && {
        ...{ pmf: column.mechanism.pmf, lattice: column.lattice, finish: column.finish },
        sent: sent[i]!,
      },
  );
  const odd = oddTexts(job.columns, job.reading);
  const rows = rewriter(fields, entropy, (field, row, text) => {
    const { name } = own[field]!;
    // Told when all is through, so that nothing shows where it is.
    if (holdsDigit(text))
      odd.add(
        job.columns.findIndex((column) => column.name === name),
        text,
      );
    else if (!job.skipInvalid) throw noNumber(shown, name, row, job.reading);
  });
  const made = await output.fill('binary');
  const messages = table.binary(
    written.map((column, i) => (own[i] ? sentSql(column, sent[i]!) : identifier(column.name))),
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
    odd.check(shown);
    undo = writeMechanismFiles(job.mechanismFiles, job.force, note);
  } catch (error) {
    await made.rollback();
    signal.throwIfAborted();
    throw isOurs(error) ? error : postgresFailure(at.address, error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  await made.commit().catch((error) => {
    // Where the table may be there, its readers need them.
    if (error instanceof InDoubt) throw error;
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
