// The counts themselves: true counts of the cells that occur, joined to all cells there are, with noise in each.

import { floor, rational, toDecimal } from '../exact/index.js';
import { type Lattice, MOST_STEPS } from '../mechanism/index.js';
import { errorQuantile } from '../pmf/index.js';
import { sampler } from '../random/index.js';
import { findPart } from '../rows/index.js';
import { checkOwnColumn, InDoubt, type Outcome } from '../terms/index.js';
import { checkNumber, checkPeople, findIn, readOnce } from './checks.js';
import type { Effects } from './effects.js';
import { type Engine, limitMemory } from './engine.js';
import { addLattice, addNoise, addSeen } from './engine-functions.js';
import { failureOf } from './failure.js';
import { fedTo } from './fed-to.js';
import type { Job } from './job.js';
import { indexSql, releasedSql, scaledSql, typeSql } from './lattice-sql.js';
import type { HeldTable } from './output-table.js';
import type { Domain } from './request.js';
import type { Column, Source } from './source.js';
import { identifier, literal } from './sql.js';
import type { TableColumn } from './table.js';

type CountJob = Job & { readonly by: readonly Domain[]; readonly counted: string | null };

/** The source's columns are checked at once; nothing is read before `run`. */
export function countCells(job: CountJob, engine: Engine, source: Source, effects: Effects) {
  for (const { column } of job.by) {
    const found = findIn(source, column, 'by');
    // What is computed may depend on a value that is protected now or later; a query's counts are charged for that.
    if (job.input.query === null) checkOwnColumn(found, 'by', source.shown);
  }
  if (job.counted !== null) checkCounted(findIn(source, job.counted, 'counted'), source);
  if (job.person) {
    checkOwnColumn(findIn(source, job.person.column, 'person'), 'person', source.shown);
    if (!source.crowded) throw readOnce();
  }
  if (job.part) checkOwnColumn(findPart(source.columns, job.part, source.shown), 'part', source.shown);
  let held: HeldTable | null = null;
  return {
    check: () => job.output.checkOutput(job),
    hold: async () => {
      held = await job.output.hold(tableColumns(job), job, effects);
    },
    run: () => run(job, engine, source, held, effects),
    release: async () => held?.release(),
  };
}

/** What no number can be is told from its type alone. Where each cell has its own, as in JSON lines, a list counts as other text does. */
function checkCounted(found: Column, { shown, named }: Source): void {
  const column = found.doubt === 'nested' && !named ? { ...found, doubt: null } : found;
  checkOwnColumn(column, 'counted', shown);
  checkNumber(column, shown, 'counted');
}

function tableColumns({ by, columns: [counts] }: CountJob): TableColumn[] {
  const { name, lattice } = counts!;
  return [
    ...by.map((domain) => ({ name: domain.column, type: isWhole(domain) ? 'bigint' : 'text' })),
    { name, type: typeSql(lattice) },
  ];
}

async function run(
  job: CountJob,
  engine: Engine,
  source: Source,
  held: HeldTable | null,
  effects: Effects,
): Promise<Outcome> {
  const { signal, progress, entropy } = effects;
  const [{ mechanism, lattice }] = job.columns as [Job['columns'][0]];
  let drawn = 0;
  let broken: unknown = null;
  await limitMemory(engine, 'large');
  addNoise(engine, 'noise_0', sampler(mechanism.pmf, entropy), (rows) => {
    drawn += rows;
    try {
      progress(drawn, null);
    } catch (error) {
      // Whoever listens has failed: that ends the count, in their words.
      broken ??= error;
      engine.interrupt();
    }
  });
  // What stands for no number counts as 0, and nobody is told: no error depends on a cell.
  addLattice(engine, 'rows_lattice', lattice, { value: () => undefined });
  // What is published, after all that is done to it.
  const within = errorQuantile(mechanism.pmf, rational(9n, 10n));
  const reach = floor(within);
  let near = 0;
  addSeen(engine, 'published', (value) => {
    if (value >= -reach && value <= reach) near++;
  });
  const stop = () => {
    engine.interrupt();
    if (!source.rereadable) void source.close();
  };
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    await checkPeople(job.person, source);
    for (const [i, { values }] of job.by.entries()) {
      await engine.run(`CREATE TABLE domain_${i} (place BIGINT, value VARCHAR)`);
      for (let from = 0; from < values.length; from += 10_000) {
        const rows = values
          .slice(from, from + 10_000)
          .map((value, at) => `(${from + at}, ${literal(value)})`);
        await engine.run(`INSERT INTO domain_${i} VALUES ${rows.join(', ')}`);
      }
    }
    const rows = await fedTo(source, job, effects, (beforePublish) =>
      job.output.write(
        engine,
        countSql(job, source),
        {
          ...{ force: job.force, delimiter: source.delimiter, check: source.check, held },
          beforePublish: async () => {
            if (broken) throw broken;
            await beforePublish();
          },
        },
        effects,
      ),
    );
    return { rows, unchanged: [], values: [rows], nearZero: { within: toDecimal(within), cells: near } };
  } catch (error) {
    if (error instanceof InDoubt) throw error;
    signal.throwIfAborted();
    if (broken) throw broken;
    throw failureOf(error, source.shown, job.output.shown);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Are its values written as whole numbers? */
function isWhole({ isRange, other }: Domain): boolean {
  return isRange && other === null;
}

/** In the domain's order. */
function countSql({ by, part, columns, counted: of }: CountJob, source: Source): string {
  const [{ name, lattice, finish }] = columns as [Job['columns'][0]];
  const texts = by.map(({ column, isRange, other }, i) => {
    const text = cellSql(source.columns.find((own) => own.name === column)!, isRange);
    if (other === null) return text;
    return `CASE WHEN ${text} IN (SELECT value FROM domain_${i}) THEN ${text} ELSE ${literal(other)} END`;
  });
  const partColumn = part && findPart(source.columns, part, source.shown);
  const inside = [
    ...texts.map((text, i) => `${text} IN (SELECT value FROM domain_${i})`),
    ...(part && partColumn
      ? [`CAST(${partColumn.own ?? partColumn.sql} AS VARCHAR) = ${literal(part.value)}`]
      : []),
  ].join(' AND ');
  const counted = `SELECT ${texts.map((text, i) => `${text} AS v${i}`).join(', ')}, ${of === null ? 'count(*)' : rowsSql(findIn(source, of, 'counted'), lattice)} AS n FROM ${source.relation()} WHERE ${inside} GROUP BY ALL`;
  const cells = `SELECT ${by.map((_, i) => `d${i}.value AS v${i}, d${i}.place AS p${i}`).join(', ')} FROM ${by.map((_, i) => `domain_${i} AS d${i}`).join(', ')}`;
  const places = by.map((_, i) => `p${i}`);
  const ordered = `SELECT cells.*, coalesce(n, 0)::BIGINT AS n FROM (${cells}) AS cells LEFT JOIN (${counted}) AS counted ON ${by.map((_, i) => `cells.v${i} = counted.v${i}`).join(' AND ')} ORDER BY ${places.join(', ')}`;
  const list = by.map(
    (domain, i) => `${isWhole(domain) ? `CAST(v${i} AS BIGINT)` : `v${i}`} AS ${identifier(domain.column)}`,
  );
  const published = `published(${releasedSql('n', 'noise_0()', lattice, finish)})`;
  return `SELECT ${list.join(', ')}, ${published} AS ${name} FROM (${ordered})`;
}

/** How many rows there are, where each says how many it stands for: the nearest whole number from 0 on, and a sum that is held in bounds. */
function rowsSql({ sql, type }: Column, lattice: Lattice): string {
  const exact = `coalesce(rows_lattice(CAST(${sql} AS VARCHAR)), 0)`;
  const index = indexSql(sql, type, scaledSql(sql, type, lattice), lattice, exact);
  return `least(coalesce(sum(CAST(greatest(coalesce(${index}, 0), 0) AS HUGEINT)), 0), ${MOST_STEPS})`;
}

/** A value's text, by which it is matched; whole numbers have no point, whatever their type. */
function cellSql({ sql, type, text: form }: Column, isRange: boolean): string {
  const text =
    isRange || form === 'decimal'
      ? `regexp_replace(CAST(${sql} AS VARCHAR), '^([+-]?[0-9]+)\\.0+$', '\\1')`
      : form === 'padded'
        ? `rtrim(CAST(${sql} AS VARCHAR), ' ')`
        : `CAST(${sql} AS VARCHAR)`;
  if (!/^(FLOAT|DOUBLE|DECIMAL)/.test(type)) return text;
  return `CASE WHEN ${sql} = trunc(${sql}) AND abs(${sql}) < 1e15 THEN CAST(CAST(${sql} AS BIGINT) AS VARCHAR) ELSE ${text} END`;
}
