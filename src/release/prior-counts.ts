// The counts of a prior: how many values fall into each cell, or below each threshold, with noise. True counts stay here.

import type { Lattice, Mechanism } from '../mechanism/index.js';
import { sampler } from '../random/index.js';
import { findPart, noNumber, otherPart, valueAsText } from '../rows/index.js';
import { checkOwnColumn, guardedBy, type Oddity, oddityOf } from '../terms/index.js';
import { checkNumber, checkPeople, findIn, readOnce } from './checks.js';
import { type Effects, orAborted } from './effects.js';
import { closeEngine, type Engine, limitMemory, openEngine } from './engine.js';
import { addLattice } from './engine-functions.js';
import { failureOf } from './failure.js';
import type { Job } from './job.js';
import { indexSql, scaledSql } from './lattice-sql.js';
import { fed } from './poured.js';
import { readAs } from './reading-sql.js';
import type { Source } from './source.js';
import { literal } from './sql.js';

export interface PriorJob extends Job {
  readonly column: string;
  readonly counts: Counts;
  readonly mechanism: Mechanism;
}

/** What is counted, in steps: values in cells side by side, or below thresholds. */
export interface Counts {
  readonly lattice: Lattice;
  readonly range: readonly [low: number, high: number];
  /** The first value of every cell but the first, or every threshold. */
  readonly edges: readonly number[];
  readonly below: boolean;
}

interface Open {
  readonly engine: Engine;
  readonly source: Source;
}

/** The source is opened and its columns are checked; no row is read. */
export async function withValues<T>(
  job: PriorJob,
  effects: Effects,
  work: (open: Open) => Promise<T>,
): Promise<T> {
  const engine = await openEngine();
  let source: Source | null = null;
  try {
    const opened = job.input.open({ engine, delimiter: job.delimiter, guarded: guardedBy(job) }, effects);
    const found = await orAborted(effects.signal, opened, (late) => void late.close());
    source = readAs(found, [job.column], job.reading);
    check(job, source);
    return await work({ engine, source });
  } finally {
    await source?.close();
    closeEngine(engine);
  }
}

function check({ column, person, part }: PriorJob, source: Source): void {
  const found = findIn(source, column, 'column');
  checkNumber(found, source.shown, 'column');
  checkOwnColumn(found, 'column', source.shown);
  if (person) {
    checkOwnColumn(findIn(source, person.column, 'person'), 'person', source.shown);
    if (!source.crowded) throw readOnce();
  }
  if (part) checkOwnColumn(findPart(source.columns, part, source.shown), 'part', source.shown);
}

/** What is no number, and rows of another part, by places that no value has. */
const WORD = -(2n ** 60n);
const OTHER = WORD + 1n;

/** Noisy counts; the number of rows where a change of a value does not change it and it is needed. */
export async function countValues(
  job: PriorJob,
  { engine, source }: Open,
  effects: Effects,
): Promise<{ readonly counts: number[]; readonly rows: number | null }> {
  const { signal, entropy } = effects;
  const { edges, below } = job.counts;
  const oddities = new Set<Oddity>();
  addLattice(engine, 'held_lattice', job.counts.lattice, { value: (text) => oddities.add(oddityOf(text)) });
  const stop = () => {
    engine.interrupt();
    if (!source.rereadable) void source.close();
  };
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    await limitMemory(engine, 'large');
    await checkPeople(job.person, source);
    const found = (await fed(source, () => engine.rows(countSql(job, source)))) as [bigint, bigint][];
    source.check();
    signal.throwIfAborted();
    if (found.some(([cell]) => cell === OTHER)) throw otherPart(source.shown, job.part!);
    if (oddities.size > 0) throw valueAsText(source.shown, job.column, oddities, job.reading);
    if (found.some(([cell]) => cell === WORD)) throw noNumber(source.shown, job.column, null, job.reading);
    const cells = new Array<number>(edges.length + 1).fill(0);
    for (const [cell, count] of found) cells[Number(cell)] = Number(count);
    const rows = cells.reduce((sum, count) => sum + count, 0);
    const own = below ? sums(cells).slice(0, -1) : cells;
    const noise = new BigInt64Array(own.length);
    sampler(job.mechanism.pmf, entropy).fill(noise, 'saturate');
    return { counts: own.map((count, j) => count + Number(noise[j]!)), rows: below ? rows : null };
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, source.shown, job.output.shown);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function sums(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

/** Which cell, and how many values are in it; what is beyond the range is at its end. */
function countSql({ column, counts, part, skipInvalid }: PriorJob, source: Source): string {
  const { lattice, range, edges } = counts;
  const { sql, type } = source.columns.find(({ name }) => name === column)!;
  const own = part
    ? `CAST(${findPart(source.columns, part, source.shown).sql} AS VARCHAR) IS NOT DISTINCT FROM ${literal(part.value)}`
    : 'true';
  const otherwise = `coalesce(held_lattice(CAST(${sql} AS VARCHAR)), ${skipInvalid ? 'NULL' : WORD})`;
  const index = indexSql(sql, type, '"discreet scaled"', lattice, otherwise);
  const apart = edges[0]! - range[0];
  const cell = `CASE WHEN NOT own THEN ${OTHER} WHEN i = ${WORD} THEN i ELSE least(greatest(i - ${range[0]}, 0) // ${apart}, ${edges.length}) END`;
  return `SELECT ${cell} AS c, count(*) AS n FROM (SELECT ${index} AS i, ${own} AS own FROM (SELECT *, ${scaledSql(sql, type, lattice)} AS "discreet scaled" FROM ${source.relation()})) WHERE i IS NOT NULL OR NOT own GROUP BY c`;
}
