// Columns that do not leave at all, on every way that rows go: not in the output, in the ledger, and no rule of what leaves for them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as arrow from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { connect } from '../../src/postgres/index.js';
import { cells, main } from '../scratch.js';
import { query, withMechanisms } from './mechanisms.js';

const { at, write, read, run, json, exists, release } = withMechanisms();

const rows = Array.from({ length: 200 }, (_, i) => ({ id: `p${i % 100}`, note: `n${i}`, visits: i % 7 }));
write('t.csv', `id,note,visits\n${rows.map((row) => Object.values(row).join(',')).join('\n')}\n`);
write('t.jsonl', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);

interface Told {
  readonly unchanged: readonly string[];
  readonly dropped: readonly string[];
  readonly entry: number;
}

const last = () =>
  json<{ entries: { kind: string; dropped?: string[] }[] }>(['ledger', 'history']).entries.findLast(
    ({ kind }) => kind === 'release',
  )!;

beforeAll(async () => {
  await query(`COPY (SELECT * FROM read_csv('${at('t.csv')}')) TO '${at('t.parquet')}' (FORMAT parquet)`);
  const table = new arrow.Table({
    id: arrow.vectorFromArray(
      rows.map(({ id }) => id),
      new arrow.Utf8(),
    ),
    note: arrow.vectorFromArray(
      rows.map(({ note }) => note),
      new arrow.Utf8(),
    ),
    visits: arrow.vectorFromArray(
      rows.map(({ visits }) => visits),
      new arrow.Int32(),
    ),
  });
  write('t.arrow', arrow.tableToIPC(table, 'file'));
});

/** The names of what was written, and its notes. */
async function written(output: string): Promise<{ names: readonly string[]; notes: readonly unknown[] }> {
  if (output.endsWith('.arrow')) {
    const table = arrow.tableFromIPC(readFileSync(at(output)));
    return {
      names: table.schema.fields.map(({ name }) => name),
      notes: [...(table.getChild('note') ?? [])],
    };
  }
  const from = `'${at(output)}'`;
  const names = (await query(`DESCRIBE SELECT * FROM ${from}`)).map(([name]) => String(name));
  return { names, notes: (await query(`SELECT note FROM ${from}`)).map(([note]) => note) };
}

describe('a column that is dropped', () => {
  const inputs = ['t.csv', 't.jsonl', 't.parquet', 't.arrow'];
  const ways = inputs.flatMap((input) => [[input, 'csv'] as const, [input, input.split('.')[1]!] as const]);
  it.each([...ways.slice(1), ['t.csv', 'jsonl'], ['t.csv', 'parquet'], ['t.csv', 'arrow']] as const)(
    'is not in what is written of %s as %s, and all else is',
    async (input, ending) => {
      const output = `${input}.${ending}`;
      const told = release(input, output, '--drop', 'id', '--dataset', 'd') as unknown as Told;
      expect([told.unchanged, told.dropped]).toEqual([['note'], ['id']]);
      expect(last().dropped).toEqual(['id']);
      const { names, notes } = await written(output);
      expect([...names].sort()).toEqual(['note', 'visits']);
      expect(notes).toEqual(rows.map(({ note }) => note));
      expect(readFileSync(at(output)).includes('p42')).toBe(false);
    },
  );

  it('may be one of several, by a pattern too', () => {
    const told = release('t.csv', 'none.csv', '--drop', 'n*', '--drop', 'id', '--dataset', 'd');
    expect(told).toMatchObject({ unchanged: [], dropped: ['note', 'id'] });
    expect(read('none.csv').split('\n')[0]).toBe('visits');
    expect(cells(read('none.csv'))).toHaveLength(201);
  });

  it('leaves a row for every row, where a single one is left that has empty cells', () => {
    write('gaps.csv', 'id,visits\n1,3\n2,\n3,4\n');
    for (const ending of ['csv', 'tsv']) {
      release('gaps.csv', `gaps-out.${ending}`, '--drop', 'id', '--dataset', 'd');
      expect(read(`gaps-out.${ending}`)).toMatch(/^visits\n-?\d+\n""\n-?\d+\n$/);
    }
    const found = json<{ rows: number }>([
      'recover',
      'gaps-out.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
    ]);
    expect(found.rows).toBe(2);
  });

  it('is told in a trial, on the terminal, in the report and in the history', () => {
    const args = ['release', 't.csv', '--column', 'visits', '--mechanism', 'm.json', '--drop', 'id'];
    const trial = run([...args, '--dataset', 'd', '-o', 'told.csv', '--dry-run']);
    expect(trial.stdout).toMatch(/unchanged\s+note: it leaves/);
    expect(trial.stdout).toMatch(/dropped\s+id: it does not leave/);
    expect(json<Told>([...args, '--dataset', 'd', '-o', 'told.csv', '--dry-run']).dropped).toEqual(['id']);
    const done = run([...args, '--dataset', 'd', '-o', 'told.csv', '--report', 'told.html']);
    expect(done.stdout).toMatch(/dropped\s+id: it does not leave/);
    expect(read('told.html')).toContain('left out: <b>id</b>');
    expect(JSON.parse(read('told.json'))).toMatchObject({ dropped: ['id'], unchanged: ['note'] });
    expect(run(['ledger', 'history']).stdout.replace(/\s+/g, ' ')).toContain('left out: id');
    // Where none is, the entry says nothing of it.
    release('t.csv', 'whole.csv', '--dataset', 'd');
    expect('dropped' in last()).toBe(false);
    expect(run(['ledger', 'check']).code).toBe(0);
  });

  it('may be one that would not be let out', () => {
    json([
      'ledger',
      'init',
      '--ledger',
      'g.db',
      '--dataset',
      'g',
      '--epsilon',
      '50',
      '--adjacency',
      'visits=5',
      '--adjacency',
      'note=1',
    ]);
    const args = ['release', 't.csv', '--column', 'visits', '--mechanism', 'm.json', '--dataset', 'g'];
    const own = [...args, '--ledger', 'g.db'];
    expect(run([...own, '-o', 'g.csv'])).toMatchObject({ code: 3, stderr: expect.stringContaining('note') });
    json([...own, '--drop', 'note', '-o', 'g.csv']);
    expect(read('g.csv').split('\n')[0]).toBe('id,visits');
    write('nested.jsonl', '{"visits":1,"o":{"note":3}}\n{"visits":2,"o":null}\n');
    const nested = ['release', 'nested.jsonl', ...own.slice(2)];
    expect(run([...nested, '-o', 'n.jsonl']).code).toBe(2);
    json([...nested, '--drop', 'o', '-o', 'n.jsonl']);
    expect(read('n.jsonl')).toMatch(/^\{"visits":-?\d+\}\n\{"visits":-?\d+\}\n$/);
  });

  it('must be there, and be neither protected nor let out', () => {
    for (const input of inputs)
      for (const [more, words] of [
        [['--drop', 'ids'], /--drop: .*(no column|no line).*"ids"/],
        [['--drop', 'visits'], /--drop: "visits" is protected with --column/],
        [['--drop', 'id', '--pass', 'id'], /--drop: "id" is with --pass too/],
      ] as const) {
        const output = `never.${input.split('.')[1]}`;
        const { code, stderr } = run([
          ...['release', input, '--column', 'visits', '--mechanism', 'm.json', '--dataset', 'd'],
          ...['-o', output, ...more],
        ]);
        expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
        expect(exists(output)).toBe(false);
      }
  });

  it('is counted first where it tells persons apart', () => {
    for (const input of inputs) {
      const output = `people.${input.split('.')[1]}`;
      const args = ['release', input, '--column', 'visits', '--mechanism', 'm.json', '--dataset', 'd'];
      const more = ['--person', 'id', '--drop', 'id', '-o', output];
      const { code, stderr } = run([...args, ...more, '--per-person', '1']);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/"id" has more than 1 row/)]);
      expect(exists(output)).toBe(false);
      expect(json([...args, ...more, '--per-person', '2'])).toMatchObject({ perPersonEnforced: true });
    }
  });

  it('is looked at all the same where it tells parts apart', () => {
    json([
      ...[
        'ledger',
        'init',
        '--ledger',
        'p.db',
        '--dataset',
        'p',
        '--epsilon',
        '90',
        '--adjacency',
        'visits=5',
      ],
      ...['--partition', 'region=N,S'],
    ]);
    const parts = (name: string, other: string) => [
      write(`${name}.csv`, `region,visits\nN,1\n${other},2\n`),
      write(`${name}.jsonl`, `{"region":"N","visits":1}\n{"region":"${other}","visits":2}\n`),
    ];
    const of = (input: string, ending: string) => [
      ...[
        'release',
        input,
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'p',
        '--ledger',
        'p.db',
      ],
      ...['--part', 'N', '--drop', 'region', '--force', '-o', `part.${ending}`],
    ];
    for (const input of parts('mixed', 'S'))
      expect(run(of(input, input.split('.')[1]!))).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/another "region"/),
      });
    for (const input of parts('pure', 'N')) json(of(input, input.split('.')[1]!));
    expect(read('part.csv')).toMatch(/^visits\n-?\d+\n-?\d+\n$/);
  });
});

describe('a column that is dropped in PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer();
    const client = await connect(server.address);
    await client.query(
      "CREATE TABLE trips AS SELECT 'p' || i % 100 AS id, 'n' || i AS note, (i % 7)::int AS visits FROM generate_series(0, 199) AS i",
    );
    await client.end();
  });
  afterAll(() => server.stop());

  it('is in no table and no file that is made of it, and is counted and looked for first', async () => {
    const args = [
      'release',
      server.address,
      '--table',
      'trips',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
    ];
    const own = [...args, '--dataset', 'd'];
    json([...own, '--drop', 'id', '-o', server.address, '--output-table', 'out']);
    json([...own, '--drop', 'id', '-o', 'pg.csv']);
    expect(cells(read('pg.csv'))[0]!.map((name) => name.replaceAll('"', ''))).toEqual(['note', 'visits']);
    const client = await connect(server.address);
    const { rows: found } = await client.query('SELECT * FROM out ORDER BY substr(note, 2)::int');
    expect(found.map(({ note }) => note)).toEqual(rows.map(({ note }) => note));
    expect(Object.keys(found[0])).toEqual(['note', 'visits']);
    await client.end();
    for (const to of [
      ['-o', server.address, '--output-table', 'never'],
      ['-o', 'never.csv'],
    ]) {
      expect(run([...own, '--drop', 'ids', ...to]).stderr).toMatch(/--drop: .*no column "ids"/);
      expect(run([...own, '--drop', 'id', '--person', 'id', '--per-person', '1', ...to])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/more than 1 row/),
      });
    }
    json([
      ...own,
      '--drop',
      'id',
      '--person',
      'id',
      '--per-person',
      '2',
      '-o',
      server.address,
      '--output-table',
      'people',
    ]);
  });
});

describe('a column that is dropped by a driver', () => {
  const driver = (...more: string[]) => [
    ...['pipe', '--drive', 'in/a.csv', '--column', 'visits', '--epsilon', '1', '--adjacency', '5'],
    ...['--dataset', 'd', '--id', 'id', ...more],
  ];
  it('stands in the ticket, and is in no partition', () => {
    mkdirSync(at('in'));
    writeFileSync(
      at('in/a.csv'),
      `id,note,visits\n${rows.map(({ note, visits }, i) => `${i},${note},${visits}`).join('\n')}\n`,
    );
    const pipe = `"${process.execPath}" "${main}" pipe --key-fd 3 --input-format csv`;
    const job = `mkdir -p driven && cp "$DISCREET_JOB" ticket.json && ${pipe} -o driven/a.csv < in/a.csv`;
    const { code, stderr } = run([...driver('--drop', 'note', '-o', 'driven'), '--', 'sh', '-c', job]);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(read('ticket.json')).dropped).toEqual(['note']);
    expect(read('driven/a.csv').split('\n')[0]).toBe('id,visits');
    expect(last().dropped).toEqual(['note']);
  });

  it('is refused where an engine keeps the other columns', () => {
    const engine = [
      'pipe',
      '--drive',
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--dataset',
      'd',
    ];
    const schema = [
      '--schema',
      '[{"name":"id"},{"name":"note"},{"name":"visits"}]',
      '--pinned',
      'v1',
      '--id',
      'id',
    ];
    const { code, stderr } = run([...engine, ...schema, '--drop', 'note', '--dry-run', '-o', 'x']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--drop: the engine keeps all columns/)]);
  });
});
