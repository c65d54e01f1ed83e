// A folder with two mechanisms and a release in it, and SQL to look at what was written.

import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, expect } from 'vitest';
import { scratch } from '../scratch.js';

/** `m.json` has the step 1, `quarter.json` the step 0.25. */
export function withMechanisms() {
  const here = scratch();
  const { run, json } = here;

  beforeAll(() => {
    expect(run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
    expect(
      run(['design', '--epsilon', '1', '--adjacency', '5', '--step', '0.25', '-o', 'quarter.json']).code,
    ).toBe(0);
  });

  /** A release that must succeed; its JSON. */
  function release(input: string, output: string, ...more: string[]) {
    return json([
      'release',
      input,
      '-o',
      output,
      ...(more.includes('--column') ? [] : ['--column', 'visits']),
      ...(more.some((flag) => /^--(mechanism|epsilon)$/.test(flag)) ? [] : ['--mechanism', 'm.json']),
      ...more,
    ]);
  }

  return { ...here, release };
}

export async function query(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowsJson();
  connection.closeSync();
  return rows;
}
