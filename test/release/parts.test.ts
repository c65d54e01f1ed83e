// A part is known by one text, byte by byte, whatever its rows are read from: under two names it would have its budget twice.

import { DuckDBInstance } from '@duckdb/node-api';
import * as arrow from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { type Connection, connect } from '../../src/postgres/index.js';
import { cells, scratch } from '../scratch.js';

const { at, write, read, run, json } = scratch();
let server: Awaited<ReturnType<typeof startServer>>;
let db: Connection;
let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>;

beforeAll(async () => {
  server = await startServer();
  db = await connect(server.address);
  duckdb = await (await DuckDBInstance.create()).connect();
  expect(run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
  const parts = '1,1.0,1.00,true,t,cote,coté,12345678901234567000';
  json([
    'ledger',
    'init',
    '--dataset',
    'd',
    '--epsilon',
    '99',
    '--adjacency',
    'visits=5',
    '--partition',
    `region=${parts}`,
  ]);
});
afterAll(async () => {
  duckdb.closeSync();
  await db.end();
  await server.stop();
});

let outputs = 0;
const release = (part: string, ending: string, ...input: string[]) =>
  run([
    ...['release', ...input, '--column', 'visits', '--mechanism', 'm.json', '--dataset', 'd', '--part', part],
    ...(ending === 'table'
      ? ['-o', server.address, '--output-table', `out_${outputs++}`]
      : ['-o', `out-${outputs++}.${ending}`]),
  ]);
const count = (part: string, ...input: string[]) =>
  run([
    ...['count', ...input, '--by', 'visits', '--domain', 'visits=5', '--epsilon', '1', '--dataset', 'd'],
    ...['--part', part, '-o', 'count.csv', '--force'],
  ]);
interface Entry {
  readonly kind: string;
  readonly state?: string;
  readonly part?: string;
}
/** Entries that are spent. */
const spent = () =>
  json<{ entries: Entry[] }>(['ledger', 'history']).entries.filter(
    ({ kind, state }) => kind === 'release' && state !== 'void',
  ).length;
const refusal = expect.stringMatching(
  /"region" is of a type in which one value can be written in several ways/,
);

describe('a part whose column has a type with several texts for a value', () => {
  it('is refused of every table, on every way, before anything is charged', async () => {
    const before = spent();
    for (const type of ['char(4)', 'numeric', 'numeric(4,0)', 'real', 'float8', 'boolean']) {
      await db.query(
        `DROP TABLE IF EXISTS typed; CREATE TABLE typed (region ${type}, visits int); INSERT INTO typed VALUES (${type === 'boolean' ? true : "'1'"}, 5)`,
      );
      const input = [server.address, '--table', 'typed'];
      const part = type === 'boolean' ? 'true' : '1';
      const ways = /^char|^numeric$/.test(type) ? ['table', 'csv', 'count'] : ['table'];
      for (const way of ways) {
        const done = way === 'count' ? count(part, ...input) : release(part, way, ...input);
        expect([type, way, done]).toMatchObject([type, way, { code: 2, stderr: refusal }]);
      }
    }
    expect(spent()).toBe(before);
  });

  it('is refused of every file', async () => {
    const before = spent();
    for (const type of ['DOUBLE', 'FLOAT', 'DECIMAL(4, 1)', 'BOOLEAN', 'DATE']) {
      const value = type === 'DATE' ? "DATE '2026-01-01'" : `1::${type}`;
      await duckdb.run(
        `COPY (SELECT ${value} AS region, 5 AS visits) TO '${at('typed.parquet')}' (FORMAT parquet)`,
      );
      expect([type, release('1', 'csv', 'typed.parquet')]).toMatchObject([
        type,
        { code: 2, stderr: refusal },
      ]);
    }
    expect(count('1', 'typed.parquet')).toMatchObject({ code: 2, stderr: refusal });
    const typed = {
      double: arrow.vectorFromArray([1], new arrow.Float64()),
      yes: arrow.vectorFromArray([true], new arrow.Bool()),
      day: arrow.vectorFromArray([new Date(0)], new arrow.DateDay()),
    };
    const visits = arrow.vectorFromArray([5], new arrow.Int32());
    for (const [type, region] of Object.entries(typed)) {
      write('typed.arrow', arrow.tableToIPC(new arrow.Table({ region, visits } as never), 'file'));
      for (const ending of ['arrow', 'csv'])
        expect([type, ending, release('1', ending, 'typed.arrow')]).toMatchObject([
          type,
          ending,
          { code: 2, stderr: refusal },
        ]);
    }
    for (const token of ['1.0', '1e0', '10e-1', 'true', '-0'])
      for (const ending of token === '1.0' ? ['jsonl', 'csv'] : ['jsonl']) {
        write('typed.jsonl', `{"region":"1","visits":5}\n{"region":${token},"visits":5}\n`);
        expect([token, ending, release('1', ending, 'typed.jsonl')]).toMatchObject([
          token,
          ending,
          { code: 2, stderr: refusal },
        ]);
      }
    expect(count('1', 'typed.jsonl')).toMatchObject({ code: 2, stderr: refusal });
    // What a driver is told of, it refuses; and where it is not, the files say it.
    write('drive.jsonl', '{"id":1,"region":1.0,"visits":5}\n');
    const drive = [
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '--part',
      '1',
      '--id',
      'id',
      '--dry-run',
    ];
    expect(run(['pipe', '--drive', 'drive.jsonl', ...drive])).toMatchObject({ code: 2, stderr: refusal });
    const schema =
      '[{"name":"id","of":"id"},{"name":"region","of":"region","oneText":false},{"name":"visits","of":"visits"}]';
    expect(run(['pipe', '--drive', '--pinned', 'version 7', '--schema', schema, ...drive])).toMatchObject({
      code: 2,
      stderr: refusal,
    });
    expect(spent()).toBe(before);
  });
});

describe('a part with one text', () => {
  it('is that of text and of whole numbers, whatever they are read from', async () => {
    await db.query("CREATE TYPE kind AS ENUM ('1')");
    for (const type of ['text', 'varchar(9)', 'smallint', 'bigint', 'kind']) {
      await db.query(
        `DROP TABLE IF EXISTS plain; CREATE TABLE plain (region ${type}, visits int); INSERT INTO plain VALUES ('1', 5)`,
      );
      for (const ending of type === 'text' ? ['table', 'csv'] : ['table'])
        for (const [part, code] of [
          ['1', 0],
          ['1.0', 2],
        ] as const)
          expect([
            type,
            ending,
            part,
            release(part, ending, server.address, '--table', 'plain').code,
          ]).toEqual([type, ending, part, code]);
    }
    await duckdb.run(
      `COPY (SELECT 1::UTINYINT AS region, 5 AS visits) TO '${at('one.parquet')}' (FORMAT parquet)`,
    );
    write(
      'one.arrow',
      arrow.tableToIPC(
        new arrow.Table({
          region: arrow.vectorFromArray(['1']),
          visits: arrow.vectorFromArray([5], new arrow.Int32()),
        } as never),
        'file',
      ),
    );
    write('one.jsonl', '{"region":1,"visits":5}\n{"region":"1","visits":5}\n');
    write('one.csv', 'region,visits\n1,5\n');
    for (const [input, ...endings] of [
      ['one.parquet', 'csv'],
      ['one.arrow', 'arrow', 'csv'],
      ['one.jsonl', 'jsonl', 'csv'],
      ['one.csv', 'csv'],
    ] as const)
      for (const ending of endings) {
        expect([input, ending, release('1', ending, input).code]).toEqual([input, ending, 0]);
        expect([input, ending, release('1.0', ending, input).stderr]).toEqual([
          input,
          ending,
          expect.stringMatching(/another "region" than the part 1\.0/),
        ]);
      }
  });

  it('is compared byte by byte, whatever collation a column has', async () => {
    await db.query(`
      CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
      CREATE TABLE sides (region text COLLATE loose, visits int); INSERT INTO sides VALUES ('coté', 5), ('coté', 7)`);
    const input = [server.address, '--table', 'sides'];
    for (const ending of ['table', 'csv'])
      expect([ending, release('cote', ending, ...input)]).toMatchObject([
        ending,
        { code: 2, stderr: expect.stringMatching(/another "region" than the part cote/) },
      ]);
    expect(release('coté', 'table', ...input).code).toBe(0);
    // Of those that are counted none is of this part: what is printed is noise.
    const ledger = ['--ledger', 'sides.db'];
    json([
      'ledger',
      'init',
      ...ledger,
      '--dataset',
      's',
      '--epsilon',
      '999',
      '--adjacency',
      'visits=5',
      '--partition',
      'region=cote,coté',
    ]);
    const counted = (part: string) => {
      const by = ['--by', 'visits', '--domain', 'visits=5,6', '--epsilon', '100', '--dataset', 's'];
      json(['count', ...input, ...by, '--part', part, ...ledger, '-o', 'sides.csv', '--force']);
      return Number(cells(read('sides.csv'))[1]![1]);
    };
    expect([counted('cote'), counted('coté')]).toEqual([0, 1]);
  });

  it('is no other number that a program would round to it', () => {
    write('long.jsonl', '{"region":12345678901234567891,"visits":5}\n');
    for (const ending of ['jsonl', 'csv'])
      expect([ending, release('12345678901234567000', ending, 'long.jsonl')]).toMatchObject([
        ending,
        { code: 2, stderr: expect.stringMatching(/another "region"/) },
      ]);
  });
});
