// Quantiles of what was released, read back from the output.

import { closeEngine, openEngine, single } from './engine.js';
import { identifier } from './sql.js';
import { openTable, type TableAddress } from './table.js';

const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Beyond this many rows a sketch of constant size is used. */
const EXACT_ROWS = 1_000_000;

/** From a file, by what names it after FROM; null where it cannot be read: the release stands without them. */
export async function fileQuantiles(relation: string, columns: readonly string[], rows: number) {
  const engine = await openEngine();
  try {
    const list = columns.map((name) => {
      const value = `CAST(${identifier(name)} AS DECIMAL(38, 18))`;
      const found =
        rows <= EXACT_ROWS
          ? `quantile_disc(${value}, [${SHARES.join(', ')}])`
          : `approx_quantile(CAST(${value} AS DOUBLE), [${SHARES.join(', ')}])`;
      return `CAST(${found} AS VARCHAR[])`;
    });
    const text = await single<string>(
      engine,
      `SELECT to_json([${list.join(', ')}])::VARCHAR FROM ${relation}`,
    );
    return (JSON.parse(text) as (string[] | null)[]).map(withShares);
  } catch {
    return null;
  } finally {
    closeEngine(engine);
  }
}

export async function tableQuantiles(at: TableAddress, columns: readonly string[]) {
  const table = await openTable(at);
  try {
    const list = columns.map(
      (name, i) =>
        `percentile_disc(ARRAY[${SHARES.join(', ')}]) WITHIN GROUP (ORDER BY ${identifier(name)})::text[] AS q${i}`,
    );
    const { rows } = await table.connection.query(`SELECT ${list.join(', ')} FROM ${table.relation}`);
    return columns.map((_, i) => withShares(rows[0]?.[`q${i}`] ?? null));
  } finally {
    await table.close();
  }
}

function withShares(values: readonly string[] | null) {
  return values && SHARES.map((share, i) => ({ share, value: trimmed(values[i]!) }));
}

function trimmed(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
