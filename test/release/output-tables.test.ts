// Tables that are written: what they would lose is refused, they are held before anything is charged, and a lost answer is no answer.

import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { type Connection, connect } from '../../src/postgres/index.js';
import { scratch } from '../scratch.js';

const here = scratch();
const { run, json, start, exists } = here;
let server: Awaited<ReturnType<typeof startServer>>;
let db: Connection;

beforeAll(async () => {
  server = await startServer();
  db = await connect(server.address);
  await db.query(`
    CREATE SCHEMA pub; CREATE ROLE reader; CREATE ROLE other;
    CREATE TABLE trips (id int, region text, visits int);
    INSERT INTO trips SELECT g, 'N', g % 9 FROM generate_series(1, 500) g;`);
  here.write('trips.csv', 'id,region,visits\n1,N,5\n2,N,3\n');
  expect(run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
  json(['ledger', 'init', '--dataset', 'd', '--epsilon', '1000', '--adjacency', 'visits=5']);
});
afterAll(async () => {
  await db.end();
  await server.stop();
});

const releasing = ['--column', 'visits', '--mechanism', 'm.json', '--dataset', 'd'];
/** From a table, which PostgreSQL's own rows take, and from a file, which the engine does. */
const ways = () =>
  [
    ['table', ['release', server.address, '--table', 'trips', ...releasing]],
    ['file', ['release', 'trips.csv', ...releasing]],
    [
      'count',
      ['count', 'trips.csv', '--by', 'region', '--domain', 'region=N,S', '--epsilon', '1', '--dataset', 'd'],
    ],
  ] as const;
const to = (table: string) => ['-o', server.address, '--output-table', table];
const one = async (sql: string): Promise<unknown> =>
  (await db.query({ text: sql, rowMode: 'array' })).rows[0]?.[0];

interface Entry {
  readonly kind: string;
  readonly state?: string;
}
const entries = () =>
  json<{ entries: Entry[] }>(['ledger', 'history']).entries.filter(({ kind }) => kind === 'release');

describe('a table that is overwritten', () => {
  const cases: readonly (readonly [sql: string, lost: RegExp])[] = [
    [
      "CREATE TABLE pub.t (id int, day date) PARTITION BY RANGE (day); CREATE TABLE pub.t_1 PARTITION OF pub.t FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
      /partitions \(pub\.t_1\)/,
    ],
    [
      'CREATE TABLE pub.whole (id int) PARTITION BY RANGE (id); CREATE TABLE pub.t PARTITION OF pub.whole FOR VALUES FROM (0) TO (9)',
      /its place below \(pub\.whole\)/,
    ],
    [
      'CREATE TABLE pub.k (id int PRIMARY KEY); CREATE TABLE pub.t (id int CONSTRAINT to_k REFERENCES pub.k)',
      /foreign keys \(to_k\)/,
    ],
    ['CREATE TABLE pub.t (id int CONSTRAINT positive CHECK (id > 0))', /constraints \(positive\)/],
    [
      'CREATE TABLE pub.t (id int); ALTER TABLE pub.t ENABLE ROW LEVEL SECURITY; CREATE POLICY mine ON pub.t USING (true)',
      /policies \(mine\), row security \(on\)/,
    ],
    [
      'CREATE TABLE pub.t (id int); CREATE FUNCTION pub.f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; CREATE TRIGGER told BEFORE INSERT ON pub.t EXECUTE FUNCTION pub.f()',
      /triggers \(told\)/,
    ],
    [
      'CREATE TABLE pub.t (id int); CREATE RULE nothing AS ON DELETE TO pub.t DO INSTEAD NOTHING',
      /rules \(nothing\)/,
    ],
    ['CREATE TABLE pub.t (id int); GRANT SELECT ON pub.t TO reader', /grants \(SELECT to reader\)/],
    ['CREATE TABLE pub.t (id int); GRANT SELECT (id) ON pub.t TO PUBLIC', /grants \(SELECT to PUBLIC\)/],
    ['CREATE TABLE pub.t (id int); ALTER TABLE pub.t OWNER TO other', /its owner \(other\)/],
    ['CREATE TABLE pub.t (id int); CREATE INDEX fast ON pub.t (id)', /indexes \(pub\.fast\)/],
    [
      'CREATE TABLE pub.t (id int DEFAULT 7, n int GENERATED ALWAYS AS IDENTITY)',
      /defaults \(id, n\), NOT NULL \(n\)/,
    ],
    ["CREATE TABLE pub.t (id int); COMMENT ON COLUMN pub.t.id IS 'who'", /comments \(id\)/],
    ['CREATE TABLE pub.t (id int); CREATE PUBLICATION told FOR TABLE pub.t', /publications \(told\)/],
    [
      'CREATE TABLE pub.t (id int, n int); CREATE STATISTICS pub.both ON id, n FROM pub.t',
      /statistics \(both\)/,
    ],
    ['CREATE UNLOGGED TABLE pub.t (id int) WITH (fillfactor = 70)', /settings \(fillfactor=70, unlogged\)/],
  ];

  it('keeps what it has beside its rows, unless it is said that it is meant', async () => {
    const [, way] = ways()[1];
    for (const [sql, lost] of cases) {
      await db.query('DROP SCHEMA pub CASCADE; DROP PUBLICATION IF EXISTS told; CREATE SCHEMA pub');
      await db.query(sql);
      const before = await one("SELECT 'pub.t'::regclass::oid");
      const refused = run([...way, ...to('pub.t'), '--force']);
      expect([sql, refused.code, refused.stderr]).toEqual([sql, 2, expect.stringMatching(lost)]);
      expect(refused.stderr).toMatch(/Nothing was released or charged.*--recreate/s);
      expect([sql, await one("SELECT 'pub.t'::regclass::oid")]).toEqual([sql, before]);
    }
    expect(entries()).toEqual([]);
  }, 300_000);

  it('is refused so on every way, and in a trial', async () => {
    await db.query('DROP SCHEMA pub CASCADE; CREATE SCHEMA pub; CREATE TABLE pub.t (id int PRIMARY KEY)');
    for (const [name, way] of ways())
      for (const more of [[], ['--dry-run']])
        expect([name, run([...way, ...to('pub.t'), '--force', ...more])]).toMatchObject([
          name,
          { code: 2, stderr: expect.stringMatching(/constraints \(t_pkey\)/) },
        ]);
    const priors = ['--epsilon', '1', '--prior-share', '0.1', '--range', '0,9', '--dataset', 'd'];
    expect(
      run(['release', 'trips.csv', '--column', 'visits', ...priors, ...to('pub.t'), '--force']),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/constraints \(t_pkey\)/) });
    expect(entries()).toEqual([]);
  });

  it('is made anew where that is said, which tells what is gone', async () => {
    const made = ways().map(([name, way]) => [name, way] as const);
    for (const [name, way] of made) {
      await db.query(
        'DROP SCHEMA pub CASCADE; CREATE SCHEMA pub; CREATE TABLE pub.t (id int) PARTITION BY RANGE (id); CREATE TABLE pub.t_1 PARTITION OF pub.t FOR VALUES FROM (0) TO (9); GRANT SELECT ON pub.t TO reader',
      );
      const done = run([...way, ...to('pub.t'), '--force', '--recreate']);
      expect([name, done]).toMatchObject([
        name,
        {
          code: 0,
          stderr: expect.stringMatching(
            /note: pub\.t was made anew, without what it had: partitions \(pub\.t_1\), grants \(SELECT to reader\)/,
          ),
        },
      ]);
      expect(await one("SELECT relkind FROM pg_class WHERE oid = 'pub.t'::regclass")).toBe('r');
      // Once more there is nothing to lose.
      expect([name, run([...way, ...to('pub.t'), '--force']).code]).toEqual([name, 0]);
    }
    const alone = run([...made[0]![1], ...to('pub.t'), '--recreate']);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringMatching(/--recreate: .*--force/) });
    const file = run([...made[1]![1], '-o', 'x.csv', '--force', '--recreate']);
    expect(file).toMatchObject({ code: 2, stderr: expect.stringMatching(/--recreate: .*table/) });
  });

  it('does not take away what others have made of it, whatever is said', async () => {
    const cases: readonly (readonly [sql: string, name: RegExp])[] = [
      ['CREATE TABLE pub.t (id int); CREATE VIEW pub.seen AS SELECT * FROM pub.t', /view pub\.seen/],
      [
        'CREATE TABLE pub.t (id int); CREATE MATERIALIZED VIEW pub.kept AS SELECT * FROM pub.t',
        /materialized view pub\.kept/,
      ],
      [
        'CREATE TABLE pub.t (id int PRIMARY KEY); CREATE TABLE pub.o (id int CONSTRAINT to_t REFERENCES pub.t)',
        /constraint to_t on table pub\.o/,
      ],
      ['CREATE TABLE pub.t (id int); CREATE TABLE pub.child () INHERITS (pub.t)', /table pub\.child/],
      [
        'CREATE TABLE pub.t (id int); CREATE FUNCTION pub.g(pub.t) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
        /function pub\.g\(pub\.t\)/,
      ],
    ];
    const before = entries().length;
    for (const [sql, name] of cases) {
      await db.query('DROP SCHEMA pub CASCADE; CREATE SCHEMA pub');
      await db.query(sql);
      for (const more of [[], ['--recreate']])
        expect([sql, run([...ways()[0][1], ...to('pub.t'), '--force', ...more])]).toMatchObject([
          sql,
          { code: 2, stderr: expect.stringMatching(name) },
        ]);
    }
    expect(entries()).toHaveLength(before);
  });

  it('loses no grant that every new table of this user gets', async () => {
    await db.query(
      'DROP SCHEMA pub CASCADE; CREATE SCHEMA pub; ALTER DEFAULT PRIVILEGES IN SCHEMA pub GRANT SELECT ON TABLES TO reader',
    );
    for (const [name, way] of ways()) {
      expect([name, run([...way, ...to(`pub.${name}`)]).code]).toEqual([name, 0]);
      expect([name, run([...way, ...to(`pub.${name}`), '--force']).code]).toEqual([name, 0]);
      expect(await one(`SELECT has_table_privilege('reader', 'pub.${name}', 'SELECT')`)).toBe(true);
    }
    await db.query('ALTER DEFAULT PRIVILEGES IN SCHEMA pub REVOKE SELECT ON TABLES FROM reader');
  });
});

describe('a table that another session holds', () => {
  it('is waited for before anything is charged, and costs nothing where it is not had', async () => {
    await db.query('DROP SCHEMA pub CASCADE; CREATE SCHEMA pub; CREATE TABLE pub.t (id int)');
    const holder = await connect(server.address);
    await holder.query('BEGIN; LOCK TABLE pub.t IN ACCESS SHARE MODE; CREATE TABLE pub.new (id int)');
    const before = entries().length;
    const found = await Promise.all(
      ways().flatMap(([, way]) => [
        start([...way, ...to('pub.t'), '--force']).ended,
        // Somebody else is making a table of that name.
        start([...way, ...to('pub.new')]).ended,
      ]),
    );
    for (const { code, stderr } of found)
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(
          /another session has held this table for 10 s.*Nothing was released or charged/s,
        ),
      ]);
    expect(entries()).toHaveLength(before);
    // What is given back in time is had.
    const waiting = start([...ways()[0][1], ...to('pub.t'), '--force']);
    await new Promise((done) => setTimeout(done, 2500));
    expect(entries()).toHaveLength(before);
    await holder.query('ROLLBACK');
    await holder.end();
    expect((await waiting.ended).code).toBe(0);
    expect(await one('SELECT count(*)::int FROM pub.t')).toBe(500);
  });

  it('is not locked by a trial, and an interrupted wait costs nothing', async () => {
    const holder = await connect(server.address);
    await holder.query('BEGIN; LOCK TABLE pub.t IN ACCESS SHARE MODE');
    const before = entries().length;
    for (const [name, way] of ways())
      expect([name, run([...way, ...to('pub.t'), '--force', '--dry-run']).code]).toEqual([name, 0]);
    const { child, ended } = start([...ways()[0][1], ...to('pub.t'), '--force']);
    await new Promise((done) => setTimeout(done, 2500));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/nothing was released or charged/),
    });
    expect(entries()).toHaveLength(before);
    await holder.query('ROLLBACK');
    await holder.end();
  });

  it('is free again where the release fails', async () => {
    here.write('odd.csv', 'id,region,visits\n1,N,none\n');
    const failed = run(['release', 'odd.csv', ...releasing, ...to('pub.t'), '--force']);
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringMatching(/expected a number/)]);
    expect(await one('SELECT count(*)::int FROM pub.t')).toBe(500);
  });
});

/** Between the command and the server: hands everything on, until COMMIT is said. */
async function between(atCommit: 'lost before' | 'lost after', then: 'open' | 'closed') {
  const { port: real } = new URL(server.address);
  let over = false;
  const proxy: Server = createServer((client: Socket) => {
    if (over && then === 'closed') return client.destroy();
    const upstream = dial(Number(real), '127.0.0.1');
    let lost = false;
    client.on('data', (bytes) => {
      const ends = bytes.includes('COMMIT\0');
      lost ||= ends;
      over ||= ends;
      if (ends && atCommit === 'lost before') {
        client.destroy();
        upstream.destroy();
      } else upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!lost) client.write(bytes);
      // The server has done it, and nobody hears of it.
      else client.destroy();
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as { port: number };
  const address = server.address.replace(real, String(port));
  return { address, close: () => new Promise((done) => proxy.close(done)) };
}

describe('an answer to COMMIT that is lost', () => {
  const released = async (
    way: readonly string[],
    table: string,
    ...how: Parameters<typeof between>
  ): Promise<{ code: number; stderr: string }> => {
    const proxy = await between(...how);
    const { ended } = start([...way, '-o', proxy.address, '--output-table', table]);
    const done = await ended;
    await proxy.close();
    return done;
  };
  const rowsOf = (name: string) => (name === 'table' ? 500 : 2);

  it('is asked for again, and what the server says is what counts', async () => {
    await db.query('DROP SCHEMA pub CASCADE; CREATE SCHEMA pub');
    for (const [name, way] of ways()) {
      const there = await released(way, `pub.${name}`, 'lost after', 'open');
      expect([name, there]).toMatchObject([
        name,
        { code: 0, stderr: expect.stringMatching(/asked again, it says that the table is there/) },
      ]);
      expect([name, entries().at(-1)!.state]).toEqual([name, 'complete']);
      expect(await one(`SELECT count(*)::int FROM pub.${name}`)).toBe(rowsOf(name));
      expect(exists(`pub.${name}.mechanism.json`)).toBe(true);
      const gone = await released(way, `pub.${name}_gone`, 'lost before', 'open');
      expect([name, gone]).toMatchObject([name, { code: 2 }]);
      expect([name, entries().at(-1)!.state]).toEqual([name, 'abort']);
      expect(await one(`SELECT to_regclass('pub.${name}_gone')`)).toBeNull();
      expect(exists(`pub.${name}_gone.mechanism.json`)).toBe(false);
    }
  });

  it('leaves the entry open and the mechanism where it is, where nobody can be asked', async () => {
    const found = await Promise.all(
      ways().map(
        async ([name, way]) =>
          [name, await released(way, `pub.${name}_lost`, 'lost after', 'closed')] as const,
      ),
    );
    for (const [name, { code, stderr }] of found) {
      expect([name, code, stderr]).toEqual([
        name,
        2,
        expect.stringMatching(
          /nobody knows whether the table is there.*stays charged, as entry \d+.*left open/s,
        ),
      ]);
      expect(await one(`SELECT count(*)::int FROM pub.${name}_lost`)).toBe(rowsOf(name));
      expect([name, exists(`pub.${name}_lost.mechanism.json`)]).toEqual([name, true]);
    }
    expect(
      entries()
        .slice(-3)
        .map(({ state }) => state),
    ).toEqual(['open', 'open', 'open']);
  });
});
