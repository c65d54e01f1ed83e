// What leaves as it is: it is said, and what is protected does not, in whatever spelling.

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.js';

let here: Scratch;
beforeAll(() => {
  here = scratch();
  expect(here.run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
});

/** A folder of its own with a budget for `visits`, and a release in it. */
function withBudget(...more: string[]) {
  const folder = scratch();
  folder.write('m.json', here.read('m.json'));
  folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '99', '--adjacency', 'visits=5', ...more]);
  const release = (input: string, output: string, ...args: string[]) =>
    folder.run([
      'release',
      input,
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '-o',
      output,
      ...args,
    ]);
  return { ...folder, release };
}

describe('a column that reads like a protected one', () => {
  it.each(['Visits', ' visits', 'visits ', 'ＶＩＳＩＴＳ', 'vis\u200bits', 'VISITS\t'])(
    'is refused: %j',
    (name) => {
      const { write, release, exists, run } = withBudget();
      write('t.csv', `id,visits,"${name}"\n1,5,777001\n`);
      // DuckDB tells no columns apart by case: such a file is refused for that.
      expect(release('t.csv', 'o.csv').stderr).toMatch(
        /the budget protects "visits", which would leave as it is in column|upper and lower case/,
      );
      expect(release('t.csv', 'o.csv', '--pass', name).code).not.toBe(0);
      write('t.jsonl', `{"visits":5,${JSON.stringify(name)}:777001}\n`);
      expect(release('t.jsonl', 'o.jsonl').stderr).toMatch(
        /^(?!.*line 1).*the budget protects "visits", which would leave as it is in a key/s,
      );
      expect(release('t.jsonl', 'o2.csv').stderr).toMatch(
        /the budget protects "visits"|upper and lower case/,
      );
      expect(exists('o.csv') || exists('o.jsonl') || exists('o2.csv')).toBe(false);
      expect(run(['ledger', 'history']).stdout).not.toMatch(/complete/);
      // It can be protected itself, at the adjacency of the name it reads like.
      write('own.csv', `id,"${name}"\n1,5\n`);
      const own = run([
        'release',
        'own.csv',
        '--column',
        name,
        '--mechanism',
        'm.json',
        '--dataset',
        'd',
        '-o',
        'own-out.csv',
        '--json',
      ]);
      expect([own.code, JSON.parse(own.stdout || '{}').charges?.[0].adjacency]).toEqual([0, '5']);
    },
  );

  it('is refused without a budget too, unless it is allowed by name', () => {
    const folder = scratch();
    folder.write('m.json', here.read('m.json'));
    folder.write('t.csv', 'visits,visits \n1,777001\n');
    const base = ['release', 't.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'o.csv'];
    expect(folder.run(base)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/column "visits " reads like the protected "visits".*--pass "visits "/),
    });
    expect(folder.json([...base, '--pass', 'visits '])).toMatchObject({ unchanged: ['visits '] });
    const { entries } = folder.json<{ entries: { passed?: string[] }[] }>(['ledger', 'history']);
    expect(entries[0]!.passed).toEqual(['visits ']);
    expect(folder.run([...base, '--force', '--pass', 'visits ', '--pass', 'none']).stderr).toMatch(
      /--pass: t.csv has no column "none"/,
    );
    expect(folder.run([...base, '--force', '--pass', 'visits']).stderr).toMatch(
      /--pass: "visits" is protected with/,
    );
  });
});

describe('nested columns', () => {
  it('are refused without --pass, and never hold what the budget protects', async () => {
    const { write, release, json, at, read } = withBudget();
    write('sub.jsonl', '{"visits":1,"sub":{"visits":88}}\n');
    write('list.jsonl', '{"visits":1,"list":[88]}\n');
    for (const output of ['o.jsonl', 'o.csv', 'o.parquet']) {
      expect(release('sub.jsonl', output).stderr).toMatch(
        /the budget protects "visits".*inside of a nested key/,
      );
      expect(release('sub.jsonl', output, '--pass', 'sub').stderr).toMatch(
        /the budget protects "visits".*inside of a nested key/,
      );
      expect(release('list.jsonl', output).stderr).toMatch(/a key is nested.*--pass/);
      expect(release('list.jsonl', output).stderr).not.toMatch(/list\b(?!,)(?!.jsonl)/);
    }
    write('twice.jsonl', '{"visits":5,"sub":{"a":{"visits":88},"a":1}}\n');
    expect(release('twice.jsonl', 'o.jsonl', '--pass', 'sub').stderr).toMatch(/the budget protects "visits"/);
    expect(release('list.jsonl', 'o.jsonl', '--pass', 'list').code).toBe(0);
    expect(read('o.jsonl')).toMatch(/^\{"visits":-?\d+,"list":\[88\]\}\n$/);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    for (const [name, value] of [
      ['struct', "{'visits': 88}"],
      ['other', "{'age': 88}"],
      ['list', '[88]'],
      ['map', "MAP {'visits': 88}"],
    ] as const)
      await connection.run(
        `COPY (SELECT 1 AS visits, ${value} AS inner_column) TO '${at(`${name}.parquet`)}' (FORMAT parquet)`,
      );
    connection.closeSync();
    expect(release('struct.parquet', 's.csv', '--pass', 'inner_column').stderr).toMatch(
      /the budget protects "visits"/,
    );
    for (const name of ['other', 'list', 'map']) {
      expect(release(`${name}.parquet`, `${name}.csv`)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/column "inner_column" is nested/),
      });
      expect(release(`${name}.parquet`, `${name}.csv`, '--pass', 'inner_column').code).toBe(0);
    }
    expect(json(['ledger', 'check'])).toMatchObject({ whole: true });
  });
});

describe('names', () => {
  it('that the engine changes are told by what the file says', async () => {
    const folder = scratch();
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    // Two columns that differ in case only, and the name that the engine gives the second one inside of a third.
    await connection.run(
      `COPY (SELECT 1 AS visits, 900000 AS "Xisits", {'Visits_1': 1} AS s) TO '${folder.at('p.parquet')}' (FORMAT parquet)`,
    );
    connection.closeSync();
    const bytes = Buffer.from(
      readFileSync(folder.at('p.parquet')).toString('latin1').replaceAll('Xisits', 'Visits'),
      'latin1',
    );
    folder.write('p.parquet', bytes);
    folder.write('m.json', here.read('m.json'));
    expect(
      folder.run([
        'release',
        'p.parquet',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'o.csv',
        '--pass',
        's',
      ]),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/upper and lower case/) });
  });

  it('cannot be taken for other lines of the terminal', () => {
    const folder = scratch();
    folder.write('m.json', here.read('m.json'));
    folder.write('t.jsonl', `${JSON.stringify({ visits: 1, 'x\nunchanged  no column\u001b[1A': 2 })}\n`);
    const { stdout } = folder.run([
      'release',
      't.jsonl',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'o.jsonl',
    ]);
    expect(stdout.match(/^unchanged/gm)).toHaveLength(1);
    expect(stdout).not.toContain('\u001b');
  });
});

describe('what an earlier entry protected', () => {
  it('is refused unless it is allowed, which is recorded; a void entry protects nothing', () => {
    const folder = scratch();
    folder.write('m.json', here.read('m.json'));
    folder.write('t.csv', 'id,visits,trips,word\n1,5,6,x\n');
    const release = (column: string, output: string, ...more: string[]) =>
      folder.run(['release', 't.csv', '--column', column, '--mechanism', 'm.json', '-o', output, ...more]);
    expect(release('word', 'w.csv').stderr).toMatch(/row 1: expected a number/);
    expect(release('visits', 'a.csv', '--drop', 'trips').code).toBe(0);
    for (const more of [[], ['--dry-run']])
      expect(release('trips', 'b.csv', ...more)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(
          /"visits" was protected in an earlier release of this dataset.*--pass "visits"/,
        ),
      });
    expect(release('trips', 'b.csv', '--pass', 'visits', '--report', 'b.html').code).toBe(0);
    const { entries } = folder.json<{ entries: { passed?: string[]; state?: string }[] }>([
      'ledger',
      'history',
    ]);
    expect(entries.filter(({ state }) => state === 'complete').map(({ passed }) => passed)).toEqual([
      [],
      ['visits'],
    ]);
    expect(folder.read('b.html')).toMatch(/although something spoke against it \(--pass\): visits/);
    folder.write('t.jsonl', '{"id":1,"trips":6,"Visits":5}\n');
    expect(
      folder.run([
        'release',
        't.jsonl',
        '--dataset',
        't',
        '--column',
        'trips',
        '--mechanism',
        'm.json',
        '-o',
        'c.jsonl',
      ]).stderr,
    ).toMatch(/"visits" was protected in an earlier release/);
  });

  it('in another dataset of the ledger is remarked on', () => {
    const { write, json, run } = withBudget();
    write('t.csv', 'id,visits,trips\n1,5,6\n');
    json(['ledger', 'init', '--dataset', 'e', '--epsilon', '9', '--adjacency', 'trips=3']);
    const { code, stderr } = run([
      'release',
      't.csv',
      '--column',
      'trips',
      '--epsilon',
      '1',
      '--dataset',
      'e',
      '-o',
      'e.csv',
    ]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/note: "visits" is protected in the dataset d of this ledger, and leaves/),
    ]);
  });

  it('is never lifted where the budget protects it', () => {
    const { write, run } = withBudget('--adjacency', 'trips=3');
    write('t.csv', 'id,visits,trips\n1,5,6\n');
    expect(
      run([
        'release',
        't.csv',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'd',
        '-o',
        'o.csv',
        '--pass',
        'trips',
      ]),
    ).toMatchObject({ code: 3, stderr: expect.stringMatching(/the budget protects "trips"/) });
  });
});

describe('the list of what leaves', () => {
  it('is on the terminal, in the JSON and first in the report, and in a trial', () => {
    const { write, release, read } = withBudget();
    write('t.csv', 'id,visits,name\n1,5,Ann\n');
    write('t.jsonl', '{"id":1,"visits":5}\n{"visits":6,"name":"Ann"}\n');
    for (const input of ['t.csv', 't.jsonl']) {
      const output = `out-${input}`;
      const trial = release(input, output, '--dry-run');
      expect(trial.stdout).toMatch(/unchanged {2}id, name: they leave as they are/);
      expect(JSON.parse(release(input, output, '--dry-run', '--json').stdout).unchanged).toEqual([
        'id',
        'name',
      ]);
      const done = release(input, output, '--report', `${input}.html`);
      expect(done.stdout).toMatch(/unchanged {2}id, name: they leave as they are, and nothing protects them/);
      const page = read(`${input}.html`);
      expect(page.indexOf('What left as it is')).toBeGreaterThan(0);
      expect(page.indexOf('What left as it is')).toBeLessThan(page.indexOf('What is guaranteed'));
      expect(page).toContain('<b>id</b>, <b>name</b>');
    }
    const piped = here.run(
      [
        'release',
        '-',
        '--input-format',
        'csv',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'x.csv',
        '--dataset',
        'p',
        '--dry-run',
        '--json',
      ],
      'visits\n1\n',
    );
    expect(JSON.parse(piped.stdout).unchanged).toBeNull();
  });
});

describe('parts', () => {
  it('are told by a column of the input, however it is spelt, in every format', () => {
    const { write, release, json, run } = withBudget('--partition', 'region=north,south');
    write('bare.csv', 'visits\n1\n');
    write('bare.jsonl', '{"visits":1}\n');
    write('half.jsonl', '{"region":"north","visits":1}\n{"visits":1}\n');
    write('listed.jsonl', '{"region":["north"],"visits":1}\n');
    expect(release('listed.jsonl', 'l.jsonl', '--part', 'north', '--pass', 'region').stderr).toMatch(
      /another "region"/,
    );
    write('alias.csv', 'Region ,visits\nnorth,1\n');
    write('mixed.csv', 'REGION,visits\nnorth,1\nsouth,2\n');
    for (const [input, output] of [
      ['bare.csv', 'b.csv'],
      ['bare.jsonl', 'b.jsonl'],
      ['bare.jsonl', 'b2.csv'],
      ['half.jsonl', 'h.jsonl'],
    ] as const)
      expect([input, release(input, output, '--part', 'north').stderr]).toEqual([
        input,
        expect.stringMatching(/has no column "region", so nothing shows which part/),
      ]);
    expect(release('mixed.csv', 'm.csv', '--part', 'north').stderr).toMatch(
      /another "region" than the part north/,
    );
    expect(release('alias.csv', 'a.csv', '--part', 'north').code).toBe(0);
    const count = [
      'count',
      'bare.csv',
      '--by',
      'visits',
      '--domain',
      'visits=1..3',
      '--epsilon',
      '1',
      '--dataset',
      'd',
      '-o',
      'c.csv',
    ];
    expect(run([...count, '--part', 'south'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/has no column "region"/),
    });
    write('scores.csv', 'candidate,score\na,1\n');
    write('own.csv', 'candidate,score,region\na,1,south\n');
    const choose = (input: string) =>
      run(['choose', input, '--epsilon', '1', '--sensitivity', '1', '--dataset', 'd', '--part', 'south']);
    expect(choose('scores.csv')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/has no column "region"/),
    });
    expect(choose('own.csv').code).toBe(0);
    expect(json(['ledger', 'check'])).toMatchObject({ whole: true });
  });
});
