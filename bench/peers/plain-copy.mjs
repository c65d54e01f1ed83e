// The same copy by plain DuckDB, in a process of its own: plain-copy.mjs <in> <out> types|text

import { rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [, , input, output, how] = process.argv;
rmSync(output, { force: true });
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const from =
  how === 'text'
    ? `read_csv('${input}', columns = {'id': 'VARCHAR', 'visits': 'VARCHAR', 'region': 'VARCHAR', 'score': 'VARCHAR'}, auto_detect = false, header = true, delim = ',')`
    : `'${input}'`;
await connection.run(`COPY (FROM ${from}) TO '${output}'`);
