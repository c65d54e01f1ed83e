// Input, outputs, mechanisms and options that are refused, with the fix; nothing is charged.

import { linkSync, readdirSync, symlinkSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { query, withMechanisms } from './mechanisms.js';

const here = withMechanisms();
const { at, write, read, run, json, release } = here;

/** There is a ledger before anything is refused. */
beforeAll(() => {
  write('first.csv', 'visits\n1\n');
  release('first.csv', 'first-out.csv');
});

describe('bad input', () => {
  const refused = (name: string, text: string | Uint8Array, more: string[] = []) => {
    write(name, text);
    const before = run(['ledger', 'status', '--json']).stdout;
    const result = run([
      'release',
      name,
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'never.csv',
      ...more,
    ]);
    expect(here.exists('never.csv')).toBe(false);
    expect(readdirSync(here.folder).filter((file) => file.endsWith('.partial'))).toEqual([]);
    const spentOf = (status: string) =>
      (JSON.parse(status).datasets as { dataset: string; spent: { epsilon: string } }[])
        .filter(({ dataset }) => dataset === name.replace(/\.\w+$/, ''))
        .map(({ spent }) => spent.epsilon);
    expect(spentOf(run(['ledger', 'status', '--json']).stdout)).toEqual(
      spentOf(before).length === 0
        ? expect.toSatisfy((spent: string[]) => spent.length === 0 || spent[0] === '0')
        : spentOf(before),
    );
    return result;
  };

  it.each([
    ['word.csv', 'visits\n1\nmany\n', /"visits", data row 2: expected a number.*--skip-invalid/],
    [
      'value.csv',
      'visits\n1\n85+\n',
      /column "visits" holds numbers with a bound.*--map.*neither named nor emptied/,
    ],
    ['nan.csv', 'visits\n5\n5\nNaN\n', /row 3/],
    [
      'ragged.csv',
      'id,visits\n1,2\n1\n',
      /^error: ragged.csv: not valid CSV: .* a row has more or fewer cells/,
    ],
    [
      'wide.csv',
      'id,visits\n1,2\n1,2,3\n',
      /^error: wide.csv: not valid CSV: .* a row has more or fewer cells/,
    ],
    ['unclosed.csv', 'id,visits\n1,"2\n', /quote/],
    ['open-quote.csv', 'visits,"id\n4711,1\n4712,2\n', /a quote in the header line is not closed/],
    [
      'lines.csv',
      'visits,"id\n4711,1\n"\n4712,2\n',
      /a quote in the header line is not closed, or a name goes over several lines/,
    ],
    [
      'after-quote.csv',
      '"visits"4711,id\n4712,2\n',
      /a quote in the header line is not closed, or stands beside a name/,
    ],
    ['inside.csv', 'id,vis"its\n4711,88\n', /no column "visits"; did you mean "vis\\"its"\?/],
    ['empty.csv', '', /the file is empty/],
    ['blank.csv', '\n\n', /is empty|no name/],
    ['twice.csv', 'visits,visits\n1,2\n', /two columns have the same name/],
    ['nameless.csv', ',visits\n1,2\n', /column 1 has no name/],
    ['utf16.csv', Buffer.from('\ufeffvisits\n1\n', 'utf16le'), /UTF-8/],
    ['latin.csv', Buffer.from('visits,n\n1,\xe9\n', 'latin1'), /UTF-8/],
    ['other.csv', 'id,visit\n1,2\n', /no column "visits"; did you mean "visit"\?/],
    ['headless.csv', '4711,a\n4712,b\n', /no column "visits", but 2 others; see their names with --locate/],
    ['gz.csv', Buffer.from([0x1f, 0x8b, 8, 0]), /compressed/],
    ['really.csv', Buffer.from('PAR1abcdefgh'), /this is a Parquet file/],
    ['text.parquet', 'visits\n1\n', /not a Parquet file/],
  ] as const)('%s is refused with the fix, and nothing is charged', (name, text, message) => {
    const { code, stderr, stdout } = refused(name, text);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
    expect(stderr).not.toContain('4711');
  });

  it('tells the row in a pipe and in Parquet too', async () => {
    await query(
      `COPY (SELECT CASE WHEN range = 4000 THEN 'nan'::DOUBLE ELSE range END AS visits FROM range(5000)) TO '${at('half.parquet')}' (FORMAT parquet)`,
    );
    expect(
      run(['release', 'half.parquet', '--column', 'visits', '--mechanism', 'm.json', '-o', 'never.csv'])
        .stderr,
    ).toMatch(/row 4001/);
    const lines = Array.from({ length: 30_000 }, (_, i) => (i === 25_000 ? 'x' : i)).join('\n');
    expect(
      run(
        [
          'release',
          '-',
          '--input-format',
          'csv',
          '--dataset',
          'row-pipe',
          '--column',
          'visits',
          '--mechanism',
          'm.json',
          '-o',
          'never.csv',
        ],
        `visits\n${lines}\n`,
      ).stderr,
    ).toMatch(/row 25001/);
    expect(here.exists('never.csv')).toBe(false);
    const [entry] = json<{ entries: { state: string }[] }>([
      'ledger',
      'history',
      '--dataset',
      'row-pipe',
    ]).entries;
    expect(entry!.state).toBe('void');
  });

  it('empties what is no number when asked, and rounds every number', () => {
    write('mix.csv', `visits\n${'0.5\n-0.5\n1e400\nx\n3\n\n'.repeat(300)}`);
    expect(
      run(['release', 'mix.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'snap.csv', '--snap'])
        .stderr,
    ).toMatch(/row 4: expected a number/);
    release('mix.csv', 'skip.csv', '--skip-invalid', '--report', 'skip.html');
    const values = read('skip.csv').split('\n').slice(1, -1);
    expect(values).toHaveLength(1800);
    expect(values.every((value, i) => ([3, 5].includes(i % 6) ? /^$/ : /^-?\d+$/).test(value))).toBe(true);
    expect(read('skip.html')).toMatch(/Cells that were no numbers at all were emptied/);
  });

  it('refuses an output that is the input, exists or cannot be', () => {
    write('same.csv', 'visits\n1\n');
    symlinkSync(at('same.csv'), at('link.csv'));
    linkSync(at('same.csv'), at('hard.csv'));
    for (const output of ['same.csv', './same.csv', 'link.csv', 'hard.csv'])
      expect(
        run(['release', 'same.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', output, '--force']),
      ).toMatchObject({ code: 2, stderr: expect.stringMatching(/the output is the input/) });
    expect(read('same.csv')).toBe('visits\n1\n');
    write('there.csv', 'precious');
    expect(
      run(['release', 'same.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'there.csv']),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/exists/) });
    expect(read('there.csv')).toBe('precious');
    expect(
      run(['release', 'same.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'no/where.csv'])
        .stderr,
    ).toMatch(/folder no does not exist/);
    expect(
      run(['release', 'missing.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'x.csv']).stderr,
    ).toMatch(/no such file/);
    expect(
      run(['release', 'same.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'x.xlsx']).stderr,
    ).toMatch(/--output-format/);
  });

  it('refuses a mechanism that does not keep its claim, a seed, and a prior from the data itself', () => {
    write('same2.csv', 'visits\n1\n');
    const forged = JSON.parse(read('m.json'));
    write('forged.json', JSON.stringify({ ...forged, claim: { epsilon: '0.5', delta: '0' } }));
    const base = ['release', 'same2.csv', '--column', 'visits', '-o', 'x.csv'];
    expect(run([...base, '--mechanism', 'forged.json'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/refused/),
    });
    expect(run([...base, '--mechanism', 'm.json', '--seed', '7'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/seeded noise protects nobody/),
    });
    symlinkSync(at('same2.csv'), at('alias.csv'));
    for (const path of ['same2.csv', './same2.csv', 'alias.csv'])
      expect(
        run([
          ...base,
          '--epsilon',
          '1',
          '--adjacency',
          '5',
          '--prior',
          `column:${path}#visits`,
          '--prior-is-public',
        ]),
      ).toMatchObject({ code: 3, stderr: expect.stringMatching(/data to be protected/) });
    // Nothing of it is read before that is known.
    write('broken.csv', 'visits\nnothing\n');
    expect(
      run([
        ...[
          'release',
          'broken.csv',
          '-o',
          'never.csv',
          '--column',
          'visits',
          '--epsilon',
          '1',
          '--adjacency',
          '5',
        ],
        ...['--prior', 'column:broken.csv#visits', '--prior-is-public'],
      ]),
    ).toMatchObject({ code: 3, stderr: expect.stringMatching(/data to be protected/) });
    write('census.csv', 'visits\n1\n2\n');
    expect(
      run([...base, '--epsilon', '1', '--adjacency', '5', '--prior', 'column:census.csv#visits']).code,
    ).toBe(2);
    expect(
      run([
        ...base,
        '--epsilon',
        '1',
        '--adjacency',
        '5',
        '--prior',
        'column:census.csv#visits',
        '--prior-is-public',
      ]).code,
    ).toBe(0);
  });

  it('says which options are missing or do not go together', () => {
    write('o.csv', 'visits\n1\n');
    for (const [args, message] of [
      [['o.csv', '-o', 'y.csv', '--mechanism', 'm.json'], /--column: expected a column/],
      [['o.csv', '-o', 'y.csv', '--column', 'visits'], /--epsilon and, without a budget, --adjacency/],
      [['o.csv', '-o', 'y.csv', '--column', 'visits', '--epsilon', '1'], /--adjacency: expected/],
      [['o.csv', '--column', 'visits', '--mechanism', 'm.json'], /-o: expected where/],
      [
        ['o.csv', '-o', 'y.csv', '--column', 'visits', '--mechanism', 'm.json', '--epsilon', '2'],
        /--epsilon: the mechanism is given/,
      ],
      [
        ['o.csv', '-o', 'y.csv', '--column', 'visits', '--mechanism', 'm.json', '--step', '0.5'],
        /--step: the mechanism is given by a file/,
      ],
      [
        ['o.csv', '-o', 'y.csv', '--column', 'visits', '--column', 'visits', '--mechanism', 'm.json'],
        /named twice/,
      ],
      [
        ['o.csv', '-o', 'y.csv', '--column', 'visits', '--mechanism', 'm.json', '--per-person', '0'],
        /--per-person/,
      ],
      [['o.csv', '-o', 'y.csv', '--column', 'visits', '--mechanism', 'm.json', '--clamp', '5'], /low,high/],
      [['o.csv', '-o', 'y.csv', '--column', 'visits', '--mechanism', 'm.json', '--table', 't'], /postgres/],
      [
        ['o.csv', '-o', 'y.csv', '--column', 'visits', '--mechanism', 'm.json', '--report', 'r.pdf'],
        /\.html/,
      ],
    ] as const)
      expect([args.join(' '), run(['release', ...args])]).toMatchObject([
        args.join(' '),
        { code: 2, stderr: expect.stringMatching(message) },
      ]);
    expect(here.exists('y.csv')).toBe(false);
  });
});
