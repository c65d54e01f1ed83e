// Priors and recoveries from tables and queries of PostgreSQL.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { connect } from '../../src/postgres/index.js';
import { scratch } from '../scratch.js';

const { run, json, exists } = scratch();
let server: Awaited<ReturnType<typeof startServer>>;
let address = '';

beforeAll(async () => {
  server = await startServer();
  ({ address } = server);
  const client = await connect(address);
  await client.query(
    'CREATE TABLE trips AS SELECT i AS id, (i % 7)::int AS trips, (i % 5) / 2.0 AS hours FROM generate_series(1, 6000) AS i',
  );
  await client.end();
  json([
    'ledger',
    'init',
    '--dataset',
    't',
    '--epsilon',
    '90',
    '--adjacency',
    'trips=2',
    '--adjacency',
    'hours=1',
  ]);
});
afterAll(() => server.stop());

interface Found {
  readonly distribution: readonly { readonly value: number; readonly mass: number }[];
  readonly mean: { readonly guaranteed: readonly [number, number] };
}

const from = (more: readonly string[]) => [address, ...more, '--dataset', 't'];

describe('a table', () => {
  it('gives a prior of whole numbers, and of a numeric column with a step', () => {
    const whole = json<Found>([
      'prior',
      ...from(['--table', 'trips', '--column', 'trips', '--range', '0,6', '--epsilon', '5', '-o', 'a.csv']),
    ]).distribution;
    for (const { mass } of whole) expect(mass).toBeCloseTo(1 / 7, 1);
    const halves = json<Found>([
      'prior',
      ...from(['--table', 'trips', '--column', 'hours', '--range', '0,2', '--step', '0.5', '--epsilon', '5']),
      ...['-o', 'b.csv'],
    ]).distribution;
    expect(halves.map(({ value }) => value)).toEqual([0, 0.5, 1, 1.5, 2]);
    for (const { mass } of halves) expect(mass).toBeCloseTo(1 / 5, 1);
  });

  it('gives a prior by a query of its own columns alone', () => {
    const query = (sql: string, output: string) => [
      'prior',
      ...from(['--query', sql, '--rows-once', '--column', 'trips', '--range', '0,6', '--epsilon', '5']),
      ...['-o', output],
    ];
    expect(json<Found>(query('SELECT id, trips FROM trips', 'c.csv')).distribution).toHaveLength(7);
    const computed = run(query('SELECT id, 100 * trips AS trips FROM trips', 'd.csv'));
    expect([computed.code, exists('d.csv')]).toEqual([3, false]);
    expect(computed.stderr).toContain('no plain column of a table');
  });

  it('that was released is recovered, whole and by a query', () => {
    const { mechanisms } = json<{ mechanisms: string[] }>([
      'release',
      ...from(['--table', 'trips', '--column', 'trips', '--column', 'hours', '--epsilon', '1']),
      ...['-o', address, '--output-table', 'released'],
    ]);
    const file = mechanisms[0]!;
    const given = ['--column', 'trips', '--mechanism', file, '--range', '0,6'];
    // The noise is fresh every time: what holds but for one in ten million.
    const all = json<Found>([
      'recover',
      address,
      '--table',
      'released',
      ...given,
      '--confidence',
      '0.9999999',
    ]);
    expect(all.mean.guaranteed[0]).toBeLessThan(3.0);
    expect(all.mean.guaranteed[1]).toBeGreaterThan(2.99);
    const half = json<Found & { rows: number }>([
      ...['recover', address, '--query', 'SELECT trips FROM released WHERE id <= 3000', ...given],
    ]);
    expect(half.rows).toBe(3000);
  });
});
