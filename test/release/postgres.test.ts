import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { type Connection, connect } from '../../src/postgres/index.js';
import { numericField } from '../../src/release/tuples.js';
import { scratch } from '../scratch.js';

const here = scratch();
const { run, json, read, at } = here;
let server: Awaited<ReturnType<typeof startServer>>;
let db: Connection;

beforeAll(async () => {
  server = await startServer();
  db = await connect(server.address);
  await db.query(`
    CREATE TYPE mood AS ENUM ('calm', 'odd');
    CREATE SCHEMA "Odd Schema";
    CREATE TABLE trips (id int, visits int, price numeric(10,2), score float8, words text, note text, day date, at timestamptz, flag boolean, mood mood, raw bytea, tags int[], big int8, small int2, flagged text);
    INSERT INTO trips SELECT g, CASE WHEN g % 10 = 0 THEN NULL ELSE g % 20 END, (g % 400) * 0.25, g * 0.25, (g % 9)::text, CASE WHEN g % 7 = 0 THEN NULL WHEN g % 7 = 1 THEN '' ELSE 'n,"' || g || E'\\n' END, date '2020-01-01' + g, timestamptz '2020-01-01 00:00:00+00' + g * interval '1 second', g % 2 = 0, CASE WHEN g % 2 = 0 THEN 'calm' ELSE 'odd' END::mood, decode('00ff', 'hex'), ARRAY[g, NULL], 9000000000000000 + g, g % 100, CASE WHEN g % 10 = 0 THEN 'none' ELSE (g % 5)::text END FROM generate_series(1, 3000) g;
    CREATE TABLE "Odd Schema"."Mixed ""Case" AS SELECT id, visits AS "Visits! ""x""" FROM trips;`);
  run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
  run(['design', '--epsilon', '1', '--adjacency', '5', '--step', '0.25', '-o', 'quarter.json']);
});
afterAll(async () => {
  await db.end();
  await server.stop();
});

const release = (...args: string[]) =>
  json([
    ...['release', server.address, '--mechanism', 'm.json'],
    ...(args.includes('--dataset') ? [] : ['--dataset', 'trips']),
    ...args,
  ]);
/** The example table, whose list must be allowed to pass. */
const trips = ['--table', 'trips', '--pass', 'tags'];
const toTable = (name: string) => ['-o', server.address, '--output-table', name];
const one = async (sql: string): Promise<unknown[]> =>
  (await db.query({ text: sql, rowMode: 'array' })).rows[0]!;

describe('from table to table', () => {
  it('adds noise to protected columns and keeps every other type and byte', async () => {
    release(
      ...trips,
      '--column',
      'visits',
      '--column',
      'price=quarter.json',
      '--column',
      'score=quarter.json',
      '--column',
      'words',
      '--column',
      'big',
      '--column',
      'small',
      '--dataset',
      'all',
      ...toTable('out'),
    );
    const { rows } = await db.query(
      "SELECT column_name || ' ' || data_type AS c FROM information_schema.columns WHERE table_name = 'out' ORDER BY ordinal_position",
    );
    expect(rows.map(({ c }) => c)).toEqual([
      'id integer',
      'visits bigint',
      'price numeric',
      'score numeric',
      'words bigint',
      'note text',
      'day date',
      'at timestamp with time zone',
      'flag boolean',
      'mood USER-DEFINED',
      'raw bytea',
      'tags ARRAY',
      'big bigint',
      'small bigint',
      'flagged text',
    ]);
    const same = ['note', 'day', 'at', 'flag', 'mood', 'raw', 'tags']
      .map((name) => `o.${name} IS NOT DISTINCT FROM t.${name}`)
      .join(' AND ');
    expect((await one(`SELECT count(*)::int FROM out o JOIN trips t USING (id) WHERE ${same}`))[0]).toBe(
      3000,
    );
    for (const [column, unit] of [
      ['visits', 1],
      ['price', 0.25],
      ['score', 0.25],
      ['words', 1],
      ['big', 1],
      ['small', 1],
    ] as const) {
      const [mean, deviation, off, nulls] = (await one(
        `SELECT avg(d)::float8, stddev(d)::float8, count(*) FILTER (WHERE mod(d, ${unit}) <> 0)::int, count(*) FILTER (WHERE (n IS NULL) <> (o IS NULL))::int FROM (SELECT o.${column}::numeric - t.${column}::text::numeric AS d, t.${column} AS n, o.${column} AS o FROM out o JOIN trips t USING (id)) x`,
      )) as [number, number, number, number];
      // The noise has a standard deviation of 6.9; the mean of 3000 is off by more than 0.8 once in a billion.
      expect([column, Math.abs(mean) < 0.8, deviation > 6 && deviation < 8, off, nulls]).toEqual([
        column,
        true,
        true,
        0,
        0,
      ]);
    }
  });

  it('takes queries, schemas and odd names', async () => {
    json([
      'release',
      server.address,
      '--table',
      'Odd Schema.Mixed "Case',
      '--column',
      'Visits! "x"',
      '--mechanism',
      'm.json',
      '--dataset',
      'trips',
      ...toTable('Odd Schema.Out; --'),
    ]);
    expect(await one('SELECT count(*)::int FROM "Odd Schema"."Out; --"')).toEqual([3000]);
    release(
      '--query',
      'SELECT id, visits FROM trips WHERE id <= 10',
      '--rows-once',
      '--column',
      'visits',
      ...toTable('ten'),
    );
    expect(await one('SELECT count(*)::int, count(visits)::int FROM ten')).toEqual([10, 9]);
    release(
      '--query',
      'SELECT visits FROM trips WHERE false',
      '--rows-once',
      '--column',
      'visits',
      ...toTable('nothing'),
    );
    expect(await one('SELECT count(*)::int FROM nothing')).toEqual([0]);
  });

  it('leaves no table behind an invalid row, and charges nothing', async () => {
    const refused = (column: string, ...more: string[]) =>
      run([
        'release',
        server.address,
        ...trips,
        '--column',
        column,
        '--mechanism',
        'm.json',
        '--dataset',
        'invalid',
        ...toTable('never'),
        ...more,
      ]);
    // Texts such as n,"2 stand for values; the empty ones are no numbers.
    expect(refused('note')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"note" holds text with digits|"note", data row 1: expected a number/),
    });
    expect(refused('flagged')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"flagged", data row 10: expected a number/),
    });
    expect(refused('day')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is of type date; expected numbers/),
    });
    expect(refused('visitz')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no column "visitz"; did you mean "visits"\?/),
    });
    expect((await one("SELECT to_regclass('never')"))[0]).toBeNull();
    expect(json(['ledger', 'status', '--dataset', 'invalid']).datasets).toMatchObject([
      { releases: 0, spent: { epsilon: '0' } },
    ]);
    const skipped = json([
      'release',
      server.address,
      ...trips,
      '--column',
      'flagged',
      '--mechanism',
      'm.json',
      '--dataset',
      'skipped',
      '--skip-invalid',
      ...toTable('skipped'),
    ]);
    expect(skipped).toMatchObject({ rows: 3000, columns: [{ values: 2700 }] });
    json([
      'release',
      server.address,
      ...trips,
      '--column',
      'price',
      '--mechanism',
      'm.json',
      '--dataset',
      'snapped',
      '--snap',
      ...toTable('snapped'),
    ]);
    expect(await one('SELECT count(*)::int FROM snapped WHERE price IS NOT NULL')).toEqual([3000]);
  });

  it('refuses an existing table, a missing one, and a password in the address', () => {
    const base = [
      'release',
      server.address,
      ...trips,
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'trips',
    ];
    expect(run([...base, ...toTable('out')])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the table exists/),
    });
    expect(run([...base, ...toTable('trips'), '--force'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the output is the input/),
    });
    expect(run([...base, ...toTable('out'), '--force']).code).toBe(0);
    expect(
      run(['release', server.address, '--table', 'nope', ...base.slice(6), '-o', 'x.csv']),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/nope/) });
    const secret = server.address.replace('tester@', 'tester:hunter2@');
    const { code, stderr } = run(['release', secret, ...base.slice(2), '-o', 'x.csv']);
    expect([code, stderr.includes('hunter2'), stderr]).toEqual([
      2,
      false,
      expect.stringMatching(/PGPASSWORD/),
    ]);
    expect(
      run(['release', 'postgres://tester@127.0.0.1:1/x', ...base.slice(2), '-o', 'x.csv']),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/no server answers/) });
  });

  it('shows no cell in a message of the server, and never takes the ledger for an output', async () => {
    const leak = run([
      'release',
      server.address,
      '--query',
      "SELECT visits, ('sentinel_' || id)::regclass::text AS s FROM trips",
      '--rows-once',
      '--pass',
      's',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'trips',
      '-o',
      'leak.csv',
    ]);
    expect([leak.code, leak.stderr.includes('sentinel_')]).toEqual([2, false]);
    for (const name of ['discreet_ledger', 'public.discreet_ledger', 'discreet.ledger', 'discreet.other'])
      expect(
        run([
          'release',
          server.address,
          ...trips,
          '--column',
          'visits',
          '--mechanism',
          'm.json',
          '--dataset',
          'trips',
          ...toTable(name),
          '--force',
        ]).stderr,
      ).toMatch(/ledger's table/);
    expect(
      run([
        'release',
        server.address,
        ...trips,
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'trips',
        ...toTable('nowhere.x'),
      ]).stderr,
    ).toMatch(/no schema nowhere/);
    await db.query('CREATE TABLE cased (visits int, "Visits" int)');
    expect(
      run([
        'release',
        server.address,
        '--table',
        'cased',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'trips',
        '-o',
        'cased.csv',
      ]),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/upper and lower case/) });
  });

  it('counts people and keeps to a part within the snapshot', () => {
    const base = [
      'release',
      server.address,
      ...trips,
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'trips',
    ];
    expect(run([...base, '--person', 'flag', '--per-person', '2', ...toTable('p')])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/more than 2 rows/),
    });
    expect(run([...base, '--person', 'id', ...toTable('p')]).code).toBe(0);
  });
});

describe('between tables and files', () => {
  it('takes a boolean for 1 or 0, wherever it goes', async () => {
    await db.query(
      'CREATE TABLE yes AS VALUES (true), (false), (NULL); ALTER TABLE yes RENAME column1 TO flag',
    );
    const exact = ['--table', 'yes', '--column', 'flag', '--epsilon', '100', '--adjacency', '1'];
    const act = ['release', server.address, ...exact];
    expect(run([...act, '-o', 'yes.csv'])).toMatchObject({ code: 0 });
    expect(read('yes.csv')).toBe('flag\n1\n0\n\n');
    expect(run([...act, ...toTable('yes_out')])).toMatchObject({ code: 0 });
    const { rows } = await db.query('SELECT flag FROM yes_out');
    expect(rows.map(({ flag }) => flag)).toEqual(['1', '0', null]);
  });

  it('goes to CSV, Parquet and JSON lines and back', async () => {
    const columns = 'id, visits, price, words, note, day, flag';
    for (const name of ['t.csv', 't.parquet', 't.jsonl']) {
      expect(
        release('--query', `SELECT ${columns} FROM trips`, '--rows-once', '--column', 'visits', '-o', name),
      ).toMatchObject({ rows: 3000 });
      json([
        'release',
        name,
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'trips',
        '-o',
        server.address,
        '--output-table',
        `back_${name.slice(2)}`,
      ]);
      const same = ['price', 'words', 'note', 'day', 'flag'].map(
        (column) => `o.${column}::text IS NOT DISTINCT FROM t.${column}::text`,
      );
      const kept =
        name === 't.csv'
          ? same.slice(0, 4).concat('left(o.flag, 1) = left(t.flag::text, 1)')
          : name === 't.jsonl'
            ? same.slice(1)
            : same;
      const [count, nulls] = (await one(
        `SELECT count(*)::int, count(*) FILTER (WHERE o.visits IS NULL)::int FROM back_${name.slice(2)} o JOIN trips t ON o.id::int = t.id WHERE ${kept.join(' AND ')}`,
      )) as [number, number];
      expect([name, count, nulls]).toEqual([name, 3000, 300]);
    }
    expect(read('t.csv').split('\n')[0]).toBe('id,visits,price,words,note,day,flag');
  });

  it('counts a table', () => {
    json([
      'count',
      server.address,
      '--table',
      'trips',
      '--by',
      'flag',
      '--domain',
      'flag=t,f',
      '--epsilon',
      '1',
      '--dataset',
      'trips',
      '-o',
      'counts.csv',
    ]);
    for (const line of read('counts.csv').trim().split('\n').slice(1))
      expect(Math.abs(Number(line.split(',')[1]) - 1500)).toBeLessThan(60);
  });

  it('keeps its ledger there too', () => {
    expect(run(['ledger', 'status', '--ledger', server.address]).stderr).toMatch(
      /there is none; correct the name/,
    );
    json([
      'ledger',
      'init',
      '--ledger',
      server.address,
      '--dataset',
      'trips',
      '--epsilon',
      '1.5',
      '--adjacency',
      'visits=5',
    ]);
    const base = [
      'release',
      server.address,
      ...trips,
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'trips',
      '--ledger',
      server.address,
    ];
    const { head } = json<{ head: string }>([...base, '-o', 'l.csv', '--report', 'l.html']);
    expect(run([...base, '-o', 'l2.csv'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/beyond its budget/),
    });
    expect(run(['ledger', 'check', '--ledger', server.address, '--head', head]).code).toBe(0);
    expect(run(['ledger', 'history', '--ledger', server.address]).stdout).toMatch(/visits/);
  });
});

describe('numeric on the wire', () => {
  it('is what the server itself would write', async () => {
    const places = [1, 2, 3, 4, 5, 9, 18];
    const values = [0n, 1n, -1n, 25n, -75n, 9999n, 10_000n, -10_001n, 123_456_789n, 2n ** 60n, -(10n ** 18n)];
    for (const scale of places) {
      const fields = values.map((value) => numericField(value, scale));
      const rows = Buffer.concat([
        Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex'),
        ...fields.flatMap((field) => [Buffer.from([0, 1]), field]),
        Buffer.from([0xff, 0xff]),
      ]);
      writeFileSync(at('rows.bin'), rows, { mode: 0o644 });
      await db.query(
        'CREATE TEMP TABLE IF NOT EXISTS wire (n serial, x numeric); TRUNCATE wire RESTART IDENTITY',
      );
      const { copyIn, framed } = await import('../../src/release/copy-protocol.js');
      const stream = await copyIn(db, 'COPY wire (x) FROM STDIN (FORMAT binary)');
      await stream.write(framed(rows));
      await stream.end();
      const { rows: found } = await db.query('SELECT x::text FROM wire ORDER BY n');
      const expected = await db.query(
        `SELECT (v::numeric * '1e-${scale}'::numeric)::numeric(38, ${scale})::text AS x FROM unnest($1::text[]) WITH ORDINALITY AS t(v, n) ORDER BY n`,
        [values.map(String)],
      );
      expect([scale, found.map(({ x }) => x)]).toEqual([scale, expected.rows.map(({ x }) => x)]);
    }
  });
});

describe('what goes wrong with a table', () => {
  const released = (...args: string[]) =>
    run(['release', server.address, '--mechanism', 'm.json', '--dataset', 'wrong', ...args]);

  it('leaves no mechanism beside an output that did not appear', async () => {
    await db.query(
      "CREATE TABLE m1 (visits int, mood mood); INSERT INTO m1 SELECT 1, 'odd' FROM generate_series(1, 10)",
    );
    const other = server.address.replace(/\/postgres$/, '/elsewhere');
    await db.query('CREATE DATABASE elsewhere');
    const there = await connect(other);
    await there.query("CREATE TYPE mood AS ENUM ('calm')");
    await there.end();
    const copy = ['--table', 'm1', '--column', 'visits', '-o', other, '--output-table', 'm1_r'];
    expect(released(...copy).stderr).toMatch(/stays charged/);
    expect(here.exists('m1_r.mechanism.json')).toBe(false);
    here.write('m1_r.mechanism.json', 'an earlier one\n');
    expect(released(...copy, '--force').stderr).toMatch(/stays charged/);
    expect(read('m1_r.mechanism.json')).toBe('an earlier one\n');
  });

  it('refuses an output that cannot be made before anything is charged', async () => {
    await db.query(`CREATE TABLE plain (visits int); INSERT INTO plain VALUES (1);
      CREATE VIEW seen AS SELECT * FROM trips; CREATE TABLE rested (visits int); CREATE VIEW resting AS SELECT * FROM rested;
      CREATE ROLE guest LOGIN; GRANT SELECT ON plain TO guest; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    const guest = server.address.replace(/\/\/[^@]*@/, '//guest@');
    const copy = ['--table', 'plain', '--column', 'visits', '--force', '-o'];
    for (const [output, words] of [
      [[server.address, '--output-table', 'seen'], /no table but a view/],
      [[server.address, '--output-table', 'resting'], /no table but a view/],
      [[server.address, '--output-table', 'rested'], /this rests on it: view resting/],
      [[guest, '--output-table', 'plain_r'], /permission denied/],
      [[guest, '--output-table', 'plain'], /permission denied/],
    ] as const) {
      const { code, stderr } = released(...copy, ...output);
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
      expect(stderr).not.toMatch(/charged, as entry/);
      expect(released(...copy, ...output, '--dry-run').code).toBe(2);
    }
  });

  it('counts persons as the column tells them apart', async () => {
    await db.query(`CREATE EXTENSION citext; CREATE TABLE ct (who citext, visits int); INSERT INTO ct VALUES ('Bob', 1), ('bob', 2);
      CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE lo (who text COLLATE loose, visits int); INSERT INTO lo VALUES ('Bob', 1), ('bob', 2)`);
    for (const [table, words] of [
      ['ct', /more than 1 row/],
      ['lo', /takes different texts for equal/],
    ] as const)
      for (const output of [['crowd.csv'], [server.address, '--output-table', 'crowd']]) {
        const person = ['--person', 'who', '--per-person', '1', '-o', ...output];
        const { code, stderr } = released('--table', table, '--column', 'visits', ...person);
        expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
        expect(stderr).toMatch(/Nothing was released or charged/);
      }
  });

  it('counts whole numbers and padded texts by what they are', async () => {
    await db.query(
      "CREATE TABLE cn (y numeric(6,1), z numeric, r char(5)); INSERT INTO cn SELECT 2019.0, 7.00, 'N' FROM generate_series(1, 5000)",
    );
    for (const [column, domain, first] of [
      ['y', '2019,2020', '2019'],
      ['z', '7,8', '7'],
      ['r', 'N,S', 'N'],
    ] as const) {
      const by = ['--table', 'cn', '--by', column, '--domain', `${column}=${domain}`];
      run(['count', server.address, ...by, '--epsilon', '9', '--dataset', 'wrong', '-o', `${column}.csv`]);
      const [, line] = read(`${column}.csv`).split('\n');
      expect(line).toMatch(new RegExp(`^"?${first}"?,(49[5-9]|50[0-4])\\d$`));
    }
  });

  it('lets go of a table that it waits for when it is stopped', async () => {
    const holder = await connect(server.address);
    await holder.query('BEGIN; LOCK TABLE plain IN ACCESS EXCLUSIVE MODE');
    const { child, ended } = here.start([
      ...['release', server.address, '--table', 'plain', '--column', 'visits', '--mechanism', 'm.json'],
      ...['--dataset', 'wrong', '-o', 'stopped.csv'],
    ]);
    const waiting = async () =>
      (await one("SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))[0];
    while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGINT');
    expect((await ended).stderr).toMatch(/nothing was released or charged/);
    await holder.end();
    expect(here.exists('stopped.csv')).toBe(false);
  });

  it('shows no password, whatever is in it', () => {
    for (const address of [
      'postgres://me:ab/cd@127.0.0.1/db',
      'postgres://me:a@b@127.0.0.1/db',
      'postgres://me@127.0.0.1/db?pass%77ord=ab/cd',
    ]) {
      const { code, stderr } = run(['ledger', 'status', '--ledger', address]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/take the password out of the address/)]);
      expect(stderr).not.toMatch(/ab\/cd|a@b/);
    }
  });
});
