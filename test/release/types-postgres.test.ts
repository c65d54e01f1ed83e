// What is read from PostgreSQL is what is in it, in every type that holds numbers; every other one is refused by its name. And a float of
// 32 bits is the same number on every way.

import { readFileSync } from 'node:fs';
import * as arrow from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { type Connection, connect } from '../../src/postgres/index.js';
import { cells, scratch } from '../scratch.js';
import { query } from './mechanisms.js';

interface Column {
  readonly name: string;
  readonly values: readonly (string | null)[];
  readonly released: Readonly<Record<string, readonly (string | null)[]>>;
}
/** As pyarrow has them (test/vectors/generate-types.py). */
const vectors = JSON.parse(readFileSync(new URL('../vectors/types.json', import.meta.url), 'utf8')) as {
  readonly arrow: { readonly columns: readonly Column[] };
};
const vector = (name: string) => vectors.arrow.columns.find((column) => column.name === name)!;

/** Types of PostgreSQL, each with the values of one of pyarrow's. */
const NUMBERS = {
  smallint: 'int16',
  integer: 'int32',
  bigint: 'int64',
  real: 'float32',
  'double precision': 'float64',
  numeric: 'decimal128(38, 19)',
  'numeric(9,2)': 'decimal128(9, 2)',
  'numeric(20)': 'uint64',
  'numeric(38,38)': 'decimal128(38, 38)',
  'numeric(76,2)': 'decimal256(76, 2)',
  'numeric(5,-2)': 'decimal128(5, -2)',
  text: 'decimal128(9, 2)',
  'character(40)': 'decimal128(9, 2)',
  'character varying(40)': 'decimal128(9, 2)',
  whole: 'int32',
  'whole of whole': 'int32',
  small: 'float32',
  price: 'decimal128(9, 2)',
  word: 'decimal128(9, 2)',
} as const;
const ODD = {
  money: '5',
  oid: '5',
  'bit(4)': '0101',
  'bit varying(4)': '0101',
  textual: '1',
  realm: '1',
  integers: '1',
  numericals: '1',
  date: '2020-01-01',
  interval: '5',
  uuid: '00000000-0000-0000-0000-000000000005',
  bytea: '5',
  'integer[]': '{5}',
  int4range: '[5,6)',
  json: '5',
  '"char"': '5',
  cash: '5',
} as const;
/** A type as SQL names it. */
const sql = (type: string) => (type.includes('whole of') ? '"whole of whole"' : type);

const here = scratch();
let server: Awaited<ReturnType<typeof startServer>>;
let db: Connection;

beforeAll(async () => {
  server = await startServer();
  db = await connect(server.address);
  const names = Object.keys(NUMBERS);
  const columns = names.map((type, k) => `c${k} ${sql(type)}`);
  await db.query(`
    CREATE TYPE textual AS ENUM ('1'); CREATE TYPE realm AS ENUM ('1'); CREATE TYPE integers AS ENUM ('1'); CREATE TYPE numericals AS ENUM ('1');
    CREATE DOMAIN whole AS integer; CREATE DOMAIN "whole of whole" AS whole CHECK (VALUE IS NULL OR VALUE = VALUE); CREATE DOMAIN small AS real;
    CREATE DOMAIN price AS numeric(9,2); CREATE DOMAIN word AS varchar(40); CREATE DOMAIN cash AS money;
    CREATE TABLE numbers (${columns.join(', ')});
    CREATE TABLE odd (n integer, ${Object.keys(ODD)
      .map((type, k) => `o${k} ${type}`)
      .join(', ')});
    INSERT INTO odd VALUES (1, ${Object.values(ODD)
      .map((value) => `'${value}'`)
      .join(', ')});
    CREATE TABLE floats (f real); INSERT INTO floats SELECT -496992384 FROM generate_series(1, 200);
    CREATE TABLE pass (n integer, f real, g real); INSERT INTO pass SELECT 1, -496992384, 0.1 FROM generate_series(1, 3);`);
  const all = names.map((type) => vector(NUMBERS[type as keyof typeof NUMBERS]).values);
  for (let row = 0; row < all[0]!.length; row++)
    await db.query(
      `INSERT INTO numbers VALUES (${all.map((_, k) => `$${k + 1}`).join(', ')})`,
      all.map((values) => values[row]),
    );
  for (const step of ['0.01', '1', '100'])
    expect(
      here.run([
        ...['calibrate', 'geometric', '--epsilon', '80', '--adjacency', step, '--step', step],
        ...['-o', `step${step}.json`],
      ]).code,
    ).toBe(0);
});
afterAll(async () => {
  await db.end();
  await server.stop();
});

describe('numbers of PostgreSQL', () => {
  const names = Object.keys(NUMBERS).map((_, k) => `c${k}`);
  const protectedAll = (step: string, dataset: string) => [
    ...['release', server.address, '--table', 'numbers', '--mechanism', `step${step}.json`],
    ...['--dataset', dataset, '--force', ...names.flatMap((name) => ['--column', name])],
  ];

  it.each(['0.01', '1'])('are those that it holds, at the step %s', async (step) => {
    here.json([...protectedAll(step, `csv ${step}`), '-o', 'out.csv']);
    const [, ...rows] = cells(here.read('out.csv'));
    here.json([...protectedAll(step, `table ${step}`), '-o', server.address, '--output-table', 'out']);
    const { rows: own } = await db.query({
      text: `SELECT ${names.map((name) => `${name}::text`).join(', ')} FROM out`,
      rowMode: 'array',
    });
    for (const [k, [type, name]] of Object.entries(NUMBERS).entries()) {
      const expected = vector(name).released[step]!;
      expect([type, rows.map((row) => row[k] || null)]).toEqual([type, expected]);
      expect([type, (own as string[][]).map((row) => row[k])]).toEqual([type, expected]);
    }
  });

  it.each(Object.keys(ODD).map((type, k) => [type, k] as const))(
    'are not read from %s, whatever its name begins with',
    (type, k) => {
      const ask = [
        ...['release', server.address, '--table', 'odd', '--mechanism', 'step1.json', '--dataset', 'odd'],
        ...['--column', `o${k}`],
      ];
      const outputs = [
        ['-o', 'no.csv'],
        ['-o', server.address, '--output-table', 'no'],
      ];
      // The server says what a domain rests on.
      const shown = type === 'cash' ? 'money' : type;
      for (const output of outputs.slice(0, type === 'textual' ? 2 : 1))
        expect(here.run([...ask, ...output])).toMatchObject({
          code: 2,
          stderr: expect.stringContaining(`column "o${k}" is of type ${shown}; expected numbers`),
        });
    },
  );

  it('are not read from an enum for a prior, and nothing of all this is charged', () => {
    const prior = ['prior', server.address, '--table', 'odd', '--column', 'o4', '--range', '0,9'];
    expect(here.run([...prior, '--epsilon', '1', '-o', 'no.csv', '--dataset', 'odd']).stderr).toMatch(
      /column "o4" is of type textual; expected numbers/,
    );
    const { code, stdout } = here.run(['ledger', 'status', '--json']);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('"odd"')]);
    expect(here.exists('no.csv')).toBe(false);
  });
});

describe('booleans of PostgreSQL', () => {
  it('are 1 and 0', async () => {
    await db.query('CREATE TABLE flags (yes boolean, no boolean); INSERT INTO flags VALUES (true, false)');
    const protectedBoth = ['--column', 'yes', '--column', 'no', '--mechanism', 'step1.json'];
    const from = [server.address, '--table', 'flags', '--dataset', 'flags'];
    here.json(['release', ...from, ...protectedBoth, '-o', 'flags.csv']);
    expect(here.read('flags.csv')).toBe('yes,no\n1,0\n');
    here.json(['release', ...from, ...protectedBoth, '-o', server.address, '--output-table', 'flagged']);
    expect((await db.query('SELECT yes::text, no::text FROM flagged')).rows).toEqual([{ yes: '1', no: '0' }]);
  });
});

describe('a float of 32 bits', () => {
  const sources = ['f.parquet', 'f.arrow', 'table'];
  const from = (source: string) => (source === 'table' ? [server.address, '--table', 'floats'] : [source]);

  beforeAll(async () => {
    await query(
      `COPY (SELECT (-496992384)::FLOAT AS f FROM range(200)) TO '${here.at('f.parquet')}' (FORMAT parquet)`,
    );
    const floats = arrow.makeVector(new Float32Array(200).fill(-496992384));
    here.write('f.arrow', arrow.tableToIPC(new arrow.Table({ f: floats }), 'file'));
  });

  it.each(sources)(
    'is its shortest decimal, in %s: released, counted, in a prior, and recovered',
    (source) => {
      const common = [...from(source), '--dataset', `floats ${source}`, '--force'];
      here.json(['release', ...common, '--column', 'f', '--mechanism', 'step1.json', '-o', 'out.csv']);
      expect(new Set(here.read('out.csv').trim().split('\n').slice(1))).toEqual(new Set(['-496992400']));
      const domain = ['--domain', 'f=-496992400,-496992384,-496992380'];
      here.json(['count', ...common, '--by', 'f', ...domain, '--epsilon', '80', '-o', 'counts.csv']);
      expect(cells(here.read('counts.csv')).map(([, count]) => count)).toEqual(['count', '200', '0', '0']);
      const range = ['--range=-496992410,-496992380', '--step', '1'];
      here.json(['prior', ...common, '--column', 'f', ...range, '--epsilon', '80', '-o', 'p.csv']);
      const masses = cells(here.read('p.csv').replace(/^#.*\n/gm, ''));
      const [likeliest] = masses.slice(1).sort((a, b) => Number(b[1]) - Number(a[1]));
      expect(likeliest![0]).toBe('-496992400');
      const own = from(source);
      const { code, stderr } = here.run([
        ...[
          'recover',
          ...own,
          '--column',
          'f',
          '--mechanism',
          'step100.json',
          '--range=-496992500,-496992300',
        ],
      ]);
      expect([code, stderr]).toEqual([0, expect.anything()]);
    },
  );

  it.each(sources)('passes as its shortest decimal, in %s', async (source) => {
    const own = source === 'table' ? [server.address, '--table', 'pass'] : [source.replace('f.', 'g.')];
    await query(
      `COPY (SELECT 1 AS n, (-496992384)::FLOAT AS f, 0.1::FLOAT AS g FROM range(3)) TO '${here.at('g.parquet')}' (FORMAT parquet)`,
    );
    const [f, g] = [-496992384, 0.1].map((value) => arrow.makeVector(new Float32Array(3).fill(value)));
    const n = arrow.makeVector(new Int32Array(3).fill(1));
    here.write('g.arrow', arrow.tableToIPC(new arrow.Table({ n, f: f!, g: g! }), 'file'));
    for (const output of ['pass.csv', 'pass.jsonl']) {
      here.json([
        ...['release', ...own, '--column', 'n', '--mechanism', 'step1.json'],
        ...['--dataset', `passing ${source}`, '-o', output, '--force'],
      ]);
      expect([output, here.read(output)]).toEqual([output, expect.stringContaining('-496992400')]);
      if (source !== 'table') expect(here.read(output).trim().split('\n').at(-1)).toMatch(/[,:]0\.1\}?$/);
    }
  });
});
