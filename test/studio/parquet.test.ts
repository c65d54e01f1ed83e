// Parquet in the page, against DuckDB: what is not protected comes out as it went in, whatever its type, and what is has its noise.

import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';
import { choose, release, saved, studio } from './studio.js';

const { open } = studio();
const own = scratch();

const COLUMNS = {
  id: 'i::INTEGER',
  name: "CASE WHEN i % 9 = 0 THEN NULL ELSE 'péople ' || (i % 7) END",
  visits: 'CASE WHEN i % 5 = 0 THEN NULL ELSE (i * 37 % 50)::SMALLINT END',
  score: 'CASE WHEN i % 11 = 0 THEN NULL ELSE i / 3.0 END::DOUBLE',
  single: '(i / 8)::FLOAT',
  money: '(i * 0.25)::DECIMAL(12, 2)',
  wide: '((i::HUGEINT - 500) * 1000000000000000007)::DECIMAL(38, 3)',
  day: "DATE '2024-01-01' + i::INTEGER",
  moment: "TIMESTAMP '1969-12-31 23:59:59.999999' + INTERVAL (i) MICROSECOND",
  hour: "TIME '00:00:00' + INTERVAL (i % 80000) SECOND",
  flag: 'i % 3 = 0',
  key: 'uuid()',
  small: '(i % 200)::UTINYINT',
  large: '(18446744073709551615 - i)::UBIGINT',
  bytes: "encode('x' || i)",
  json: `('{"a":' || i || '}')::JSON`,
};

async function query(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
  }
}

describe('a Parquet file', () => {
  it.each(['snappy', 'zstd', 'gzip', 'uncompressed'])(
    'packed by %s keeps all but the protected columns',
    async (codec) => {
      const rows = 25_000;
      const select = Object.entries(COLUMNS)
        .map(([name, sql]) => `${sql} AS ${name}`)
        .join(', ');
      await query(
        `COPY (SELECT ${select} FROM range(${rows}) t(i)) TO '${own.at(`${codec}.parquet`)}' (FORMAT parquet, ROW_GROUP_SIZE 10000, COMPRESSION ${codec})`,
      );
      const { page } = await open();
      await choose(page, own.at(`${codec}.parquet`), 'visits');
      await release(page);
      await page.waitForSelector('[data-result=released]', { timeout: 60_000 });
      const [before, after] = [own.at(`${codec}.parquet`), await saved(page, '[data-action=save-data]', own)];
      const others = Object.keys(COLUMNS).filter((name) => name !== 'visits');
      const types = async (path: string) =>
        await query(`DESCRIBE SELECT ${others.join(', ')} FROM '${path}'`);
      expect(await types(after)).toEqual(await types(before));
      const numbered = (path: string) => `(SELECT *, row_number() OVER () AS row FROM '${path}')`;
      const same = others.map((name) => `a.${name} IS NOT DISTINCT FROM b.${name}`).join(' AND ');
      const [[count, equal, nulls, moved, off]] = (await query(
        `SELECT count(*), count_if(${same}), count_if((a.visits IS NULL) = (b.visits IS NULL)), count_if(a.visits <> b.visits), avg(b.visits - a.visits) FROM ${numbered(before)} a JOIN ${numbered(after)} b USING (row)`,
      )) as [[string, string, string, string, number]];
      expect([count, equal, nulls]).toEqual([rows, rows, rows].map(String));
      expect(Number(moved)).toBeGreaterThan(0.8 * 0.8 * rows);
      expect(Math.abs(off)).toBeLessThan(0.5);
      // Nothing of the old file's statistics is left, and none of the new ones tell what was not released.
      const [[stats]] = (await query(
        `SELECT count_if(stats_min IS NOT NULL OR stats_max IS NOT NULL) FROM parquet_metadata('${after}')`,
      )) as [[string]];
      expect(Number(stats)).toBe(0);
    },
  );

  it('protects decimals, unsigned numbers and texts by their values', async () => {
    const sql =
      'SELECT (i * 0.25)::DECIMAL(12, 2) AS money, 18446744073709551615::UBIGINT AS large, (i % 9)::VARCHAR AS text, 2147483648::UINTEGER AS half';
    await query(`COPY (${sql} FROM range(20000) t(i)) TO '${own.at('kinds.parquet')}' (FORMAT parquet)`);
    const { page } = await open();
    await choose(page, own.at('kinds.parquet'), 'money', '1');
    for (const name of ['text', 'half']) {
      await page.check(`[data-field=column][data-value=${name}]`);
      await page.fill(`[data-field=adjacency][data-column=${name}]`, '1');
    }
    await page.click('summary:has-text("More about the noise")');
    await page.fill('[data-field=step]', '0.01');
    await page.waitForSelector('[data-result=guess][data-column=half]');
    await page.waitForSelector('[data-field=looked]');
    await release(page);
    await page.waitForSelector('[data-result=released]', { timeout: 60_000 });
    const after = await saved(page, '[data-action=save-data]', own);
    const [[money, text, half]] = (await query(
      `SELECT avg(money), avg(text), avg(half) FROM '${after}'`,
    )) as [[number, number, number]];
    expect(Math.abs(money - (19_999 * 0.25) / 2)).toBeLessThan(1);
    expect(Math.abs(text - 4)).toBeLessThan(1);
    expect(Math.abs(half - 2 ** 31)).toBeLessThan(1);
  });

  it('is refused where a column holds no numbers, before anything is made', async () => {
    await query(
      `COPY (SELECT DATE '2024-01-01' AS day, 1 AS n, [1, 2] AS list) TO '${own.at('days.parquet')}' (FORMAT parquet)`,
    );
    const { page } = await open();
    await page.setInputFiles('[data-field=input] >> nth=0', own.at('days.parquet'));
    await page.check('[data-field=column][data-value=n]');
    await page.fill('[data-field=adjacency]', '1');
    await page.waitForSelector('[data-result=refusal]:has-text("is nested")');
    expect(await page.isEnabled('[data-action=release]')).toBe(false);
  });
});
