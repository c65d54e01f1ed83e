// Queries: protected columns are a table's own, each selected once, and what is computed leaves only where it is said.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { connect } from '../../src/postgres/index.js';
import { type Scratch, scratch } from '../scratch.js';

let here: Scratch;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  here = scratch();
  server = await startServer();
  const client = await connect(server.address);
  await client.query(`
    CREATE TABLE t (id int, visits int, region text, twice int GENERATED ALWAYS AS (visits * 2) STORED, doc jsonb, who text);
    INSERT INTO t (id, visits, region, doc, who) SELECT g, g % 10, 'north', '{"visits": 88}', 'p' || g FROM generate_series(1, 50) g;
    CREATE TABLE parted (id int, visits int) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (100);
    INSERT INTO parted SELECT g, g FROM generate_series(1, 20) g;
    CREATE VIEW v AS SELECT id, visits FROM t;
    CREATE MATERIALIZED VIEW mv AS SELECT id, visits FROM t;
    CREATE TABLE people (who text); INSERT INTO people VALUES ('7'), ('7.0'), (' 7'), ('07');
    CREATE TABLE counted AS SELECT who, 1 AS visits FROM people;
    CREATE SCHEMA postgres;`);
  await client.end();
  expect(here.run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
  here.json([
    'ledger',
    'init',
    '--dataset',
    'd',
    '--epsilon',
    '999',
    '--adjacency',
    'visits=5',
    '--partition',
    'region=north,south',
  ]);
});
afterAll(() => server.stop());

const base = ['--mechanism', 'm.json', '--dataset', 'd'];
const query = (sql: string, ...more: string[]) =>
  here.run([
    'release',
    server.address,
    '--query',
    sql,
    '--rows-once',
    '--column',
    'visits',
    ...base,
    '-o',
    'q.csv',
    '--force',
    ...more,
  ]);
const toTable = (sql: string, ...more: string[]) =>
  here.run([
    'release',
    server.address,
    '--query',
    sql,
    '--rows-once',
    '--column',
    'visits',
    ...base,
    '-o',
    server.address,
    '--output-table',
    'q',
    '--force',
    ...more,
  ]);

describe('a protected column', () => {
  it.each([
    [
      'selected twice',
      'select visits as v2, visits from t',
      /"v2" and "visits" are the same column of one table/,
    ],
    [
      'of a self-join, twice',
      'select a.visits, b.visits as other from t a join t b using (id)',
      /the same column of one table/,
    ],
    ['scaled', 'select id, visits*1000000 as visits from t', /"visits" of .* is no plain column of a table/],
    ['of a function', 'select generate_series(1,3) as visits', /is no plain column/],
    ['of a view', 'select id, visits from v', /is no plain column/],
    ['of a materialised view', 'select id, visits from mv', /is no plain column/],
    [
      'that is another, renamed',
      'select visits as v2, id as visits from t',
      /the budget protects "visits"|is called "id" in its table/,
    ],
    ['of a union', 'select visits from t union all select visits from t', /is no plain column/],
    ['that is generated', 'select id, twice as visits from t', /is no plain column/],
    ['cast', 'select id, visits::numeric as visits from t', /is no plain column/],
  ])('%s is refused', (_, sql, message) => {
    for (const run of [query, toTable])
      expect(run(sql)).toMatchObject({
        code: expect.toSatisfy((code) => code === 2 || code === 3),
        stderr: expect.stringMatching(message),
      });
  });

  it.each([
    'select id, visits from t',
    'select visits, id from (select * from t) s where id < 10 order by id',
    'with s as (select id, visits from t) select * from s',
    'select a.id, a.visits from t a join parted b using (id)',
    'select id, visits from parted',
    'select id, visits from t;',
  ])('of a table passes through %j', (sql) => {
    expect(query(sql)).toMatchObject({ code: 0 });
    expect(toTable(sql)).toMatchObject({ code: 0 });
  });

  it('is not lifted by --pass, as a column of a view, a row, or a part of one', () => {
    for (const [sql, name] of [
      ['select a.id, a.visits, v.visits as v2 from t a join v using (id)', 'v2'],
      ['select id, visits, t as whole from t', 'whole'],
      ['select id, visits, array[t] as rows from t', 'rows'],
    ] as const)
      for (const run of [query, toTable])
        expect(run(sql, '--pass', name)).toMatchObject({
          code: 3,
          stderr: expect.stringMatching(/the budget protects "visits"/),
        });
  });

  it('leaves nowhere under another name', () => {
    expect(query('select id as visits2, visits as v2 from t', '--column', 'visits2').stderr).toMatch(
      /no adjacency|no column/,
    );
    expect(query('select visits, id as "VISITS " from t').stderr).toMatch(/the budget protects "visits"/);
  });
});

describe('what is computed', () => {
  it.each([
    ['an expression', 'select visits, id + 1 as next from t', 'next'],
    ['an expression of a protected column', 'select visits, id * 0 + 1 as more from t', 'more'],
    ['a generated column', 'select visits, twice from t', 'twice'],
    ['a document', 'select visits, doc from t', 'doc'],
    ['a row', 'select t.visits, p as whole from t join people p using (who)', 'whole'],
    ['a system column', 'select visits, ctid from t', 'ctid'],
    ['a column of a view', 'select t.visits, v.id from t join v using (id)', 'id'],
  ])('%s leaves only with --pass', (_, sql, name) => {
    for (const run of [query, toTable]) {
      expect(run(sql)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(new RegExp(`column "${name}" is (no column|nested).*--pass "${name}"`)),
      });
    }
    expect(query(sql, '--pass', name).code).toBe(0);
    const { entries } = here.json<{
      entries: { kind: string; passed?: string[]; query?: { sql: string; rowsOnce: boolean } }[];
    }>(['ledger', 'history']);
    const last = entries.filter(({ kind }) => kind === 'release').at(-1)!;
    expect([last.passed, last.query]).toEqual([[name], { sql, rowsOnce: true }]);
  });

  it('is not counted by, but in a query', () => {
    const count = (...from: string[]) =>
      here.run([
        'count',
        server.address,
        ...from,
        '--by',
        'twice',
        '--domain',
        'twice=0..20',
        '--epsilon',
        '1',
        '--dataset',
        'd',
        '-o',
        'n.csv',
      ]);
    expect(count('--table', 't')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/--by: "twice" of .* is no plain column/),
    });
    expect(count('--query', 'select twice from t', '--rows-once').code).toBe(0);
  });

  it('of a table that is a view, or has generated columns, is told as well', () => {
    expect(
      here.run(['release', server.address, '--table', 'v', '--column', 'visits', ...base, '-o', 'v.csv'])
        .stderr,
    ).toMatch(/no plain column/);
    expect(
      here.run([
        'release',
        server.address,
        '--table',
        't',
        '--column',
        'visits',
        ...base,
        '-o',
        't.csv',
        '--pass',
        'doc',
      ]).stderr,
    ).toMatch(/column "twice" is no column of a table itself/);
  });
});

describe('an output', () => {
  it('is never the ledger, nor a table that the query reads', async () => {
    here.json([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '9',
      '--adjacency',
      'visits=5',
      '--ledger',
      server.address,
    ]);
    const release = (table: string, ...from: string[]) =>
      here.run([
        'release',
        server.address,
        ...from,
        '--column',
        'visits',
        ...base,
        '--ledger',
        server.address,
        '-o',
        server.address,
        '--output-table',
        table,
        '--force',
      ]);
    for (const name of ['postgres.discreet.ledger', 'discreet.ledger', 'a.b.c.d', 'x.'])
      expect(release(name, '--table', 'parted')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/ledger's table|expected a table, or schema.table/),
      });
    expect(release('parted', '--query', 'select id, visits from parted', '--rows-once')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the output is the input/),
    });
    expect(here.run(['ledger', 'check', '--ledger', server.address]).code).toBe(0);
    expect(here.run(['ledger', 'history', '--ledger', server.address]).stdout).not.toMatch(/release/);
  });
});

describe('--rows-once', () => {
  it('is required with a query, recorded, and shown in the report', () => {
    const sql = 'select id, visits from t where id < 20';
    expect(
      here.run(['release', server.address, '--query', sql, '--column', 'visits', ...base, '-o', 'r.csv']),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--rows-once/),
    });
    const count = [
      'count',
      server.address,
      '--query',
      sql,
      '--by',
      'id',
      '--domain',
      'id=1..3',
      '--epsilon',
      '1',
      '--dataset',
      'd',
      '-o',
      'c.csv',
    ];
    expect(here.run(count)).toMatchObject({ code: 2, stderr: expect.stringMatching(/--rows-once/) });
    expect(
      here.run([
        'release',
        server.address,
        '--table',
        't',
        '--rows-once',
        '--column',
        'visits',
        ...base,
        '-o',
        'r.csv',
      ]).stderr,
    ).toMatch(/--rows-once: this is a statement about --query/);
    expect(query(sql, '--report', 'q.html')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^stated {5}each record is in the query’s result at most once/m),
    });
    expect(query('select id, visits from t where visits > 5').stderr).toMatch(
      /the query mentions the protected "visits" beside selecting it/,
    );
    expect(here.read('q.html')).toContain('<pre>select id, visits from t where id &lt; 20</pre>');
    expect(JSON.parse(here.read('q.json')).query).toEqual({ sql, rowsOnce: true });
    // What a query computes may depend on any column: its counts are charged for both kinds of neighbours.
    const { charges, cost } = here.json<{ charges: { epsilon: string }[]; cost: { epsilon: string } }>([
      ...count,
      '--rows-once',
    ]);
    expect(Number(cost.epsilon) / Number(charges[0]!.epsilon)).toBeCloseTo(2, 6);
  });

  it('takes one statement', () => {
    expect(query('select id, visits from t) as input; select 1 as visits, (select 2').code).not.toBe(0);
  });
});

describe('parts and persons of a query', () => {
  it('are told by a column of the table', () => {
    expect(
      query("select visits, 'north' as region from t", '--part', 'north', '--pass', 'region').stderr,
    ).toMatch(/--part: "region" of .* is no plain column/);
    expect(query('select visits, who as region from t', '--part', 'north').stderr).toMatch(
      /--part: "region" of .* is called "who" in its table/,
    );
    expect(query('select visits, region from t', '--part', 'north').code).toBe(0);
    expect(query('select visits, id::text as who from t', '--person', 'who', '--pass', 'who').stderr).toMatch(
      /--person: "who" of .* is no plain column/,
    );
  });

  it('are counted however their numbers are written', () => {
    for (const output of [
      ['-o', 'p.csv'],
      ['-o', server.address, '--output-table', 'p'],
    ])
      expect(
        here.run([
          'release',
          server.address,
          '--table',
          'counted',
          '--column',
          'visits',
          '--mechanism',
          'm.json',
          '--dataset',
          'd',
          '--person',
          'who',
          ...output,
        ]),
      ).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/more than 1 row/),
      });
  });
});
