// What is released minus what was there follows the mechanism, row by row and column by column.

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { emptyHistogram, gTest, histogramRange } from '../../src/audit/index.js';
import { rational } from '../../src/exact/index.js';
import { compile, readMechanism } from '../../src/mechanism/index.js';
import type { Pmf } from '../../src/pmf/index.js';
import { parseNoise } from '../../src/spec/index.js';
import { cells, scratch, visits } from '../scratch.js';

const here = scratch();
const { at, run, read, json } = here;

const truth = cells(readFileSync(visits, 'utf8'))
  .slice(1)
  .map((row) => Number(row[3]));

function released(name: string, column: number): number[] {
  return cells(read(name))
    .slice(1)
    .map((row) => Number(row[column]));
}

function pValue(pmf: Pmf, noise: readonly number[]): number {
  const histogram = emptyHistogram(histogramRange(pmf));
  for (const value of noise) {
    const i = value - histogram.from;
    if (i < 0) histogram.below++;
    else if (i >= histogram.counts.length) histogram.above++;
    else histogram.counts[i]!++;
  }
  return gTest(pmf, histogram).pValue;
}

/** Pearson's correlation; under independence within ±5/√n but once in two million. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (x: readonly number[]) => x.reduce((sum, value) => sum + value, 0) / x.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, i) => {
    ab += (value - ma) * (b[i]! - mb);
    aa += (value - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  });
  return ab / Math.sqrt(aa * bb);
}

describe('noise in released data', () => {
  it('follows the mechanism on the example data, and a scale off by a few per cent is rejected', () => {
    run(['design', '--epsilon', '1', '--adjacency', '5', '--prior', 'poisson:rate=3', '-o', 'm.json']);
    json(['release', visits, '--column', 'visits', '--mechanism', 'm.json', '-o', 'a.csv']);
    json(['release', visits, '--column', 'visits', '--mechanism', 'm.json', '-o', 'b.csv']);
    const { pmf } = readMechanism(read('m.json'));
    const [a, b] = ['a.csv', 'b.csv'].map((name) =>
      released(name, 3).map((value, i) => value - truth[i]!),
    ) as [number[], number[]];
    expect(a).toHaveLength(20_190);
    expect(pValue(pmf, a)).toBeGreaterThan(1e-6);
    expect(pValue(pmf, b)).toBeGreaterThan(1e-6);
    // The test can fail: the same noise, a little stretched or shifted.
    expect(
      pValue(
        pmf,
        a.map((value) => Math.round(value * 1.05)),
      ),
    ).toBeLessThan(1e-6);
    expect(
      pValue(
        pmf,
        a.map((value, i) => (i % 3 === 0 ? value + 1 : value)),
      ),
    ).toBeLessThan(1e-6);
    // Two runs are independent, and so is the noise of a value.
    const limit = 5 / Math.sqrt(a.length);
    expect(Math.abs(correlation(a, b))).toBeLessThan(limit);
    expect(Math.abs(correlation(a, truth))).toBeLessThan(limit);
    expect(Math.abs(correlation(a.slice(1), a.slice(0, -1)))).toBeLessThan(limit);
  });

  it('is drawn once for every row and column of a large file, in both formats, and 1 % off is rejected', async () => {
    const n = 2_000_000;
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
    await connection.run(
      `COPY (SELECT range AS id, (hash(range) % 50)::INTEGER AS a, CASE WHEN range % 9 = 0 THEN NULL ELSE hash(range + 1) % 50 END AS b FROM range(${n})) TO '${at('big.parquet')}' (FORMAT parquet)`,
    );
    await connection.run(`COPY (FROM '${at('big.parquet')}') TO '${at('big.csv')}'`);
    const law = (scale: string) =>
      compile(
        parseNoise(`geometric:scale=${scale}`, rational(1n), () => []),
        3,
        { epsilon: rational(1n), delta: rational(0n) },
      ).pmf;
    run(['compile', 'geometric:scale=3', '--adjacency', '3', '--claim-epsilon', '1.0001', '-o', 'g.json']);
    for (const format of ['parquet', 'csv']) {
      json([
        'release',
        `big.${format}`,
        '--column',
        'a',
        '--column',
        'b',
        '--mechanism',
        'g.json',
        '-o',
        `out.${format}`,
      ]);
      await connection.run(
        `CREATE OR REPLACE TABLE noise AS SELECT x.id, y.a - x.a AS da, y.b - x.b AS db, x.a FROM '${at('big.parquet')}' x JOIN '${at(`out.${format}`)}' y USING (id)`,
      );
      const count = (column: string) =>
        rows(`SELECT ${column}::INTEGER, count(*) FROM noise WHERE ${column} IS NOT NULL GROUP BY ALL`);
      const p = (pmf: Pmf, counts: unknown[][]) => {
        const histogram = emptyHistogram(histogramRange(pmf));
        for (const [value, times] of counts as [number, bigint][]) {
          const i = value - histogram.from;
          if (i < 0) histogram.below += Number(times);
          else if (i >= histogram.counts.length) histogram.above += Number(times);
          else histogram.counts[i]! += Number(times);
        }
        return gTest(pmf, histogram).pValue;
      };
      for (const column of ['da', 'db']) {
        const counts = await count(column);
        expect(p(law('3'), counts)).toBeGreaterThan(1e-6);
        expect(p(law('3.03'), counts)).toBeLessThan(1e-6);
        expect(counts.reduce((sum, [, times]) => sum + Number(times), 0)).toBe(
          column === 'da' ? n : n - Math.ceil(n / 9),
        );
      }
      // Between columns, with the value itself, and with rows near and several chunks of the engine away, where a buffer
      // that is used twice would show.
      const lags = [1, 2, 2048, 4096, 16_384, 122_880];
      const [found] = await rows(
        `SELECT corr(da, db), corr(da, a), ${lags.map((lag) => `corr(da, l${lag})`).join(', ')} FROM (SELECT *, ${lags.map((lag) => `lag(da, ${lag}) OVER (ORDER BY id) AS l${lag}`).join(', ')} FROM noise)`,
      );
      for (const value of found as number[])
        expect(Math.abs(value)).toBeLessThan(5 / Math.sqrt(n - 122_880 - n / 9));
    }
    connection.closeSync();
  });
});
