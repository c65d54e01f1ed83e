// A released column as its reader sees it: how often each value occurs, for each group where that is asked for.

import { badData } from '../error/index.js';
import { indexOfText, type Lattice, textOfIndex } from '../mechanism/index.js';
import { quote } from '../spec/index.js';
import { checkNumber, findIn } from './checks.js';
import type { Effects } from './effects.js';
import { closeEngine, limitMemory, openEngine } from './engine.js';
import { failureOf } from './failure.js';
import type { Place } from './places/index.js';
import { fed } from './poured.js';

export interface Histogram {
  /** The group's value; null for all rows, and for rows that have none. */
  readonly by: string | null;
  /** By index, in steps. */
  readonly counts: ReadonlyMap<number, number>;
  readonly nulls: number;
}

export interface HistogramRequest {
  readonly input: Place;
  readonly column: string;
  readonly by: string | null;
  readonly delimiter: string | null;
  readonly lattice: Lattice;
}

/** Only counts are kept. Groups come in the order of their values. */
export async function histograms(
  { input, column, by, delimiter, lattice }: HistogramRequest,
  effects: Pick<Effects, 'input' | 'signal'>,
): Promise<readonly Histogram[]> {
  const engine = await openEngine();
  try {
    const source = await input.open({ engine, delimiter }, effects);
    try {
      const value = findIn(source, column, 'column');
      checkNumber(value, input.shown, 'column');
      const group = by === null ? null : findIn(source, by, 'by');
      await limitMemory(engine, 'large');
      const texts = [group ? `CAST(${group.sql} AS VARCHAR)` : 'NULL', `CAST(${value.sql} AS VARCHAR)`];
      const rows = (await fed(source, () =>
        engine.rows(
          `SELECT ${texts[0]} AS g, ${texts[1]} AS v, count(*) AS n FROM ${source.relation()} GROUP BY ALL ORDER BY g NULLS LAST`,
        ),
      )) as [string | null, string | null, bigint][];
      source.check();
      return grouped(rows, input.shown, column, lattice);
    } catch (error) {
      throw failureOf(error, input.shown, '');
    } finally {
      await source.close();
    }
  } finally {
    closeEngine(engine);
  }
}

function grouped(
  rows: readonly (readonly [string | null, string | null, bigint])[],
  shown: string,
  column: string,
  lattice: Lattice,
): Histogram[] {
  const groups = new Map<string | null, { counts: Map<number, number>; nulls: number }>();
  for (const [by, text, count] of rows) {
    const group = groups.get(by) ?? { counts: new Map<number, number>(), nulls: 0 };
    groups.set(by, group);
    if (text === null || text === '') {
      group.nulls += Number(count);
      continue;
    }
    const index = indexOnLattice(text, lattice, shown, column);
    group.counts.set(index, (group.counts.get(index) ?? 0) + Number(count));
  }
  return [...groups].map(([by, { counts, nulls }]) => ({ by, counts, nulls }));
}

/** What was released is public, and may be named. */
function indexOnLattice(text: string, lattice: Lattice, shown: string, column: string): number {
  const index = indexOfText(text, lattice);
  if (index === null)
    throw badData(
      `${shown}: column ${quote(column)} has ${quote(text)}; expected numbers and empty cells`,
      'column',
    );
  if (Number(textOfIndex(index, lattice)) !== Number(text))
    throw badData(
      `${shown}: column ${quote(column)} has ${quote(text)}, which is no multiple of the mechanism's step ${textOfIndex(1n, lattice)}; name the mechanism that the column was released with`,
      'mechanism',
    );
  return Number(index);
}
