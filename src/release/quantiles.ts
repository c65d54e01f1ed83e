// Quantiles of what was released, read back from the output.

import { resolve } from 'node:path';
import { closeEngine, openEngine } from './engine.js';
import { identifier, literal } from './lattice-sql.js';
import type { Place } from './place.js';
import { openTable } from './postgres.js';
import { globless } from './source.js';

const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Beyond this many rows a sketch of constant size is used. */
const EXACT_ROWS = 1_000_000;

export type ColumnQuantiles = readonly { readonly share: number; readonly value: string }[] | null;

/** Null where the output cannot be read back, as from a pipe, or holds no value. */
export async function releasedQuantiles(
  output: Place,
  columns: readonly string[],
  rows: number,
): Promise<ColumnQuantiles[]> {
  if (output.kind === 'pipe') return columns.map(() => null);
  const shares = SHARES.join(', ');
  if (output.kind === 'postgres') {
    const table = await openTable(output);
    try {
      const list = columns.map(
        (name, i) =>
          `percentile_disc(ARRAY[${shares}]) WITHIN GROUP (ORDER BY ${identifier(name)})::text[] AS q${i}`,
      );
      const { rows: found } = await table.connection.query(
        `SELECT ${list.join(', ')} FROM ${table.relation}`,
      );
      return columns.map((_, i) => withShares(found[0]?.[`q${i}`] ?? null));
    } finally {
      await table.close();
    }
  }
  const engine = await openEngine();
  try {
    const path = literal(globless(resolve(output.path)));
    const relation =
      output.format === 'parquet'
        ? `read_parquet(${path}, hive_partitioning = false)`
        : output.format === 'jsonl'
          ? `read_json(${path}, format = 'newline_delimited', hive_partitioning = false)`
          : `read_csv(${path}, all_varchar = true, header = true, hive_partitioning = false${output.format === 'tsv' ? ", delim = '\\t'" : ''})`;
    const list = columns.map((name) => {
      const value = `CAST(${identifier(name)} AS DECIMAL(38, 18))`;
      const found =
        rows <= EXACT_ROWS
          ? `quantile_disc(${value}, [${shares}])`
          : `approx_quantile(CAST(${value} AS DOUBLE), [${shares}])`;
      return `CAST(${found} AS VARCHAR[])`;
    });
    const [found] = (await engine.runAndReadAll(`SELECT ${list.join(', ')} FROM ${relation}`)).getRowsJson();
    return columns.map((_, i) => withShares((found?.[i] as string[] | null) ?? null));
  } catch {
    // The release stands without them.
    return columns.map(() => null);
  } finally {
    closeEngine(engine);
  }
}

function withShares(values: readonly string[] | null): ColumnQuantiles {
  return values && SHARES.map((share, i) => ({ share, value: trimmed(values[i]!) }));
}

function trimmed(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
