import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { cells, main, scratch, visits } from '../scratch.js';

const here = scratch();
const { at, write, read, run, json } = here;

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

async function query(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowsJson();
  connection.closeSync();
  return rows;
}

describe('what passes and what changes', () => {
  it('keeps rows, other cells and NULLs of a CSV as they are', () => {
    const text =
      'id,visits,note\n007,12,"a,b"\n1.50,,""\n,7,"x ""q"" y"\n4, 8 ,"two\nlines"\n5,+9.0,  spaced  \n6,1e1,NULL\n';
    write('in.csv', text);
    release('in.csv', 'out.csv');
    const shape = (csv: string) =>
      csv.replace(/^(\d*(?:\.\d+)?),([^,\n]*),/gm, (_, id, value) => `${id},${value === '' ? '' : '#'},`);
    expect(shape(read('out.csv'))).toBe(shape(text));
    for (const line of ['007', '4', '5', '6'])
      expect(read('out.csv')).toMatch(new RegExp(`^${line},-?\\d+,`, 'm'));
  });

  it('reads byte order marks, CRLF, other delimiters and quotes', () => {
    for (const [name, text] of [
      ['bom.csv', '\ufeffid,visits\n1,2\n'],
      ['crlf.csv', 'id,visits\r\n1,2\r\n'],
      ['semicolon.csv', 'id;visits\n1;2\n'],
      ['pipe.csv', 'id|visits\n1|2\n'],
      ['tab.tsv', 'id\tvisits\n1\t2\n'],
      ['quoted.csv', '"id","visits"\n"1","2"\n'],
      ['open-end.csv', 'id,visits\n1,2'],
    ] as const) {
      write(name, text);
      expect([name, release(name, `out-${name}`).rows]).toEqual([name, 1]);
      expect(read(`out-${name}`)).toMatch(/^id[,;|\t]visits\n1[,;|\t]-?\d+\n$/);
    }
    write('header.csv', 'id,visits\n');
    expect(release('header.csv', 'header-out.csv').rows).toBe(0);
    expect(read('header-out.csv')).toBe('id,visits\n');
    write('one.csv', 'visits\n1\n\n3\n');
    release('one.csv', 'one-out.csv');
    expect(read('one-out.csv')).toMatch(/^visits\n-?\d+\n\n-?\d+\n$/);
  });

  it('writes decimals with the digits of the step, and no float shows', () => {
    write(
      'price.csv',
      `visits\n${Array.from({ length: 2000 }, (_, i) => (i % 3 === 0 ? (i / 4).toString() : (i / 4).toFixed(4))).join('\n')}\n`,
    );
    release('price.csv', 'price-out.csv', '--mechanism', 'quarter.json');
    const values = read('price-out.csv').trim().split('\n').slice(1);
    expect(values).toHaveLength(2000);
    for (const value of values) expect(value).toMatch(/^-?\d+\.(00|25|50|75)$/);
    // 0.1 + 0.2 is 0.3 and nothing else.
    write('tenth.csv', 'visits\n0.1\n0.2\n0.30\n');
    release('tenth.csv', 'tenth-out.csv', '--epsilon', '1', '--adjacency', '0.5', '--step', '0.1');
    for (const value of read('tenth-out.csv').trim().split('\n').slice(1))
      expect(value).toMatch(/^-?\d+\.\d$/);
    expect(here.exists('tenth-out.csv.mechanism.json')).toBe(true);
    expect(run(['verify', 'tenth-out.csv.mechanism.json']).code).toBe(0);
  });

  it('keeps the types of Parquet and writes BIGINT or DECIMAL', async () => {
    await query(
      `COPY (SELECT range::INTEGER AS id, CASE WHEN range % 10 = 0 THEN NULL ELSE (range % 7)::TINYINT END AS visits, (range / 4)::DECIMAL(9, 3) AS price, (range * 0.25)::DOUBLE AS d, 'r' || range AS note, DATE '2020-01-01' AS day, [range, 1] AS list FROM range(5000)) TO '${at('in.parquet')}' (FORMAT parquet)`,
    );
    release(
      'in.parquet',
      'out.parquet',
      '--column',
      'visits',
      '--column',
      'price=quarter.json',
      '--column',
      'd=quarter.json',
      '--pass',
      'list',
    );
    const types = await query(`DESCRIBE SELECT * FROM '${at('out.parquet')}'`);
    expect(types.map(([name, type]) => `${name} ${type}`)).toEqual([
      'id INTEGER',
      'visits BIGINT',
      'price DECIMAL(18,2)',
      'd DECIMAL(18,2)',
      'note VARCHAR',
      'day DATE',
      'list BIGINT[]',
    ]);
    const [[same, nulls, moved, largest]] = (await query(
      `SELECT count(*) FILTER (a.note = b.note AND a.day = b.day AND a.list = b.list), count(*) FILTER ((a.visits IS NULL) = (b.visits IS NULL)), count(*) FILTER (a.visits <> b.visits), max(abs(a.d - b.d))::DOUBLE FROM '${at('in.parquet')}' a JOIN '${at('out.parquet')}' b USING (id)`,
    )) as [[string, string, string, number]];
    expect([Number(same), Number(nulls)]).toEqual([5000, 5000]);
    expect(Number(moved)).toBeGreaterThan(3500);
    expect(largest).toBeGreaterThan(1);
    const order = await query(
      `SELECT count(*) FROM (SELECT id, row_number() OVER () - 1 AS n FROM '${at('out.parquet')}') WHERE id <> n`,
    );
    expect(Number(order[0]![0])).toBe(0);
  });

  it('replaces values in JSON lines and leaves every other character', () => {
    const text =
      '{"id":"007", "visits" : 5 ,"x":1.50,"big":12345678901234567890123,"o":{"visits":1.0,"a":[1,2.50,"}"]}}\n{"visits":null,"x":1e5}\n\n{"e":"z\\u00e9 \\" }","visits":"7","new":true}\n{"other":1}';
    write('in.jsonl', text);
    expect(release('in.jsonl', 'out.jsonl', '--pass', 'o')).toMatchObject({
      rows: 4,
      columns: [{ name: 'visits', values: 2 }],
      unchanged: ['id', 'x', 'big', 'o', 'e', 'new', 'other'],
    });
    const shape = (lines: string) =>
      lines.replace(/"visits" : -?\d+ /, '#').replace(/"visits":("7"|-?\d+),"new"/, '##');
    expect(shape(read('out.jsonl'))).toBe(shape(text));
    for (const [line, message] of [
      ['{"visits":1', /line 1: expected a JSON object/],
      ['[1]', /line 1: expected a JSON object/],
      ['{"visits":1,"visits":2}', /twice/],
      ['{"visit":1}', /--column: no line of bad.jsonl has the key "visits"\. Nothing/],
      ['{"visits":true}', /row 1/],
    ] as const) {
      write('bad.jsonl', `${line}\n`);
      const { code, stderr } = run([
        'release',
        'bad.jsonl',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'bad-out.jsonl',
      ]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
      expect(here.exists('bad-out.jsonl')).toBe(false);
    }
  });

  it('goes from each format to each other', async () => {
    write('f.csv', 'id,visits,note\n1,2,a\n2,,b\n');
    for (const [from, to] of [
      ['f.csv', 'f.parquet'],
      ['f.parquet', 'f.jsonl'],
      ['f.jsonl', 'f.tsv'],
      ['f.tsv', 'f2.csv'],
      ['f.jsonl', 'f2.parquet'],
    ] as const)
      expect(release(from, to).rows).toBe(2);
    expect(read('f2.csv')).toMatch(/^id,visits,note\n1,-?\d+,a\n2,,b\n$/);
    expect(read('f.jsonl')).toMatch(
      /^\{"id":"1","visits":-?\d+,"note":"a"\}\n\{"id":"2","visits":null,"note":"b"\}\n$/,
    );
  });

  it('reads standard input and writes standard output', () => {
    const { code, stdout, stderr } = run(
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
        '-',
        '--output-format',
        'csv',
        '--dataset',
        'piped',
      ],
      'id,visits\n1,2\n2,\n',
    );
    expect([code, stderr.includes('2 rows')]).toEqual([0, true]);
    expect(stdout).toMatch(/^id,visits\n1,-?\d+\n2,\n$/);
    const lines = run(
      [
        'release',
        '-',
        '--input-format',
        'jsonl',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        '-',
        '--output-format',
        'jsonl',
        '--dataset',
        'piped',
      ],
      '{"visits":3}\n',
    );
    expect([lines.code, lines.stdout]).toEqual([0, expect.stringMatching(/^\{"visits":-?\d+\}\n$/)]);
    expect(
      run(['release', '-', '--column', 'visits', '--mechanism', 'm.json', '-o', 'x.csv'], 'visits\n1\n')
        .stderr,
    ).toMatch(/--input-format/);
    expect(
      run(
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
        ],
        'visits\n1\n',
      ).stderr,
    ).toMatch(/--dataset/);
    // What has left by standard output stays spent, even where the input turns out invalid.
    const bad = run(
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
        '-',
        '--output-format',
        'csv',
        '--dataset',
        'bad-pipe',
      ],
      'visits\n1\nmany\n',
    );
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/row 2/)]);
    expect(json(['ledger', 'history', '--dataset', 'bad-pipe']).entries).toMatchObject([
      { state: 'abort' },
      { kind: 'abort' },
    ]);
  });

  it('takes a quote inside a name for a part of it, as the engine does', () => {
    write('inner.csv', 'visits,na"me\n88,al"ice\n5,bob\n7,carl\n');
    expect(release('inner.csv', 'inner-out.csv')).toMatchObject({ rows: 3, unchanged: ['na"me'] });
    expect(read('inner-out.csv')).toMatch(/^visits,"na""me"\n-?\d+,"al""ice"\n-?\d+,bob\n-?\d+,carl\n$/);
  });

  it('treats names with quotes, spaces and patterns as names', () => {
    const name = `odd [1] *'"; drop.csv`;
    write(name, `"vi""s; --",it's\n1,2\n`);
    expect(release(name, `out of ${name}`, '--column', 'vi"s; --', '--column', "it's").rows).toBe(1);
    expect(cells(read(`out of ${name}`))).toHaveLength(2);
  });

  it('clamps and rounds afterwards, column by column', () => {
    write('two.csv', `a,b\n${Array.from({ length: 500 }, (_, i) => `${i},${i}`).join('\n')}\n`);
    release(
      'two.csv',
      'two-out.csv',
      '--column',
      'a',
      '--column',
      'b',
      '--clamp',
      'a=0,100',
      '--round-to',
      'b=10',
    );
    const rows = cells(read('two-out.csv'))
      .slice(1)
      .map((row) => row.map(Number)) as [number, number][];
    expect(rows.every(([a, b]) => a >= 0 && a <= 100 && b % 10 === 0)).toBe(true);
    expect(rows.some(([a]) => a === 100)).toBe(true);
    expect(rows.some(([, b]) => b > 100)).toBe(true);
  });
});

describe('data that is odd', () => {
  it('comes from JSON lines as it stands, in every format', async () => {
    write(
      'odd.jsonl',
      '{"visits":5,"big":12345678901234567890123,"x":1.50,"t":"2020-01-01T05:00:00+05:00","n":{"a":[1,2.50]},"i":7,"b":true}\n{"visits":"6","t":"007","late":"x","i":null,"d":0.1}\n',
    );
    release('odd.jsonl', 'odd.csv', '--pass', 'n');
    expect(read('odd.csv').replace(/^-?\d+(?=,)/gm, '#')).toBe(
      'visits,big,x,t,n,i,b,late,d\n#,12345678901234567890123,1.50,2020-01-01T05:00:00+05:00,"{""a"":[1,2.50]}",7,true,,\n#,,,007,,,,x,0.1\n',
    );
    release('odd.jsonl', 'odd.parquet', '--pass', 'n');
    expect(await query(`SELECT big, x, t, n, i, b, late, d FROM '${at('odd.parquet')}'`)).toEqual([
      [
        '12345678901234567890123',
        '1.50',
        '2020-01-01T05:00:00+05:00',
        '{"a":[1,2.50]}',
        '7',
        true,
        null,
        null,
      ],
      [null, null, '007', null, null, null, 'x', 0.1],
    ]);
    // No float on the way: a digit too far away for one decides. This noise is 0 but for once in e^80.
    run(['calibrate', 'geometric', '--epsilon', '80', '--adjacency', '1', '-o', 'none.json']);
    write('close.jsonl', '{"visits":1.5}\n{"visits":1.49999999999999999999999999}\n{"visits":-1.5}\n');
    for (const output of ['close.csv', 'close-out.jsonl']) {
      release('close.jsonl', output, '--mechanism', 'none.json');
      expect([...read(output).matchAll(/-?\d+/g)].map(String)).toEqual(['2', '1', '-1']);
    }
    write('latin.jsonl', Buffer.from('{"visits":1,"n":"caf\xe9"}\n', 'latin1'));
    expect(
      run(['release', 'latin.jsonl', '--column', 'visits', '--mechanism', 'm.json', '-o', 'l.jsonl']).stderr,
    ).toMatch(/UTF-8/);
    write('double.jsonl', '{"visits":1,"a":1,"a":2}\n');
    expect(
      run(['release', 'double.jsonl', '--column', 'visits', '--mechanism', 'm.json', '-o', 'd.csv']),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/line 1: a key is there twice/) });
  });

  it('has names that meet those of the program, of folders or each other', async () => {
    await query(
      `COPY (SELECT 5 AS visits, 4242 AS "discreet index 0", 777 AS "discreet scaled 0", 1 AS "column 0", 'x' AS "discreet row" FROM range(500)) TO '${at('names.parquet')}' (FORMAT parquet)`,
    );
    release('names.parquet', 'names-out.parquet');
    const [[largest, same]] = (await query(
      `SELECT max(abs(visits - 5))::INTEGER, count(*) FILTER ("discreet index 0" = 4242 AND "discreet scaled 0" = 777 AND "column 0" = 1)::INTEGER FROM '${at('names-out.parquet')}'`,
    )) as [[number, number]];
    expect(largest).toBeLessThan(150);
    expect(same).toBe(500);
    mkdirSync(at('visits=99'));
    await query(
      `COPY (SELECT 100000 + range AS visits FROM range(5)) TO '${at('visits=99/p.parquet')}' (FORMAT parquet)`,
    );
    release('visits=99/p.parquet', 'hive.csv');
    for (const [value] of cells(read('hive.csv')).slice(1)) expect(Number(value)).toBeGreaterThan(99_000);
    write('case.csv', 'visits,Visits\n1,2\n');
    expect(
      run(['release', 'case.csv', '--column', 'visits', '--mechanism', 'm.json', '-o', 'x.csv']).stderr,
    ).toMatch(/upper and lower case/);
    write('script.csv', '数量,金额,a b,a.b\n1,2,3,4\n');
    const { mechanisms } = release(
      'script.csv',
      'script-out.csv',
      '--column',
      '数量',
      '--column',
      '金额',
      '--column',
      'a b',
      '--column',
      'a.b',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
    ) as unknown as { mechanisms: string[] };
    // One mechanism for all of them, and one file.
    expect(mechanisms).toEqual(['script-out.csv.mechanism.json']);
    expect(JSON.parse(read(mechanisms[0]!)).origin.release).toEqual({
      columns: ['数量', '金额', 'a b', 'a.b'],
      clamp: null,
      roundTo: null,
    });
    for (const file of mechanisms) expect(run(['verify', file]).code).toBe(0);
    write('equals.csv', 'a=b,visits\n1,2\n');
    expect(
      release('equals.csv', 'equals-out.csv', '--column', 'a=b', '--epsilon', '1', '--adjacency', '5').rows,
    ).toBe(1);
  });

  it('comes through a pipe in every format, and is appended where it should be', async () => {
    await query(`COPY (SELECT range AS visits FROM range(100)) TO '${at('pipe.parquet')}' (FORMAT parquet)`);
    const base = [
      'release',
      '-',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'piped',
      '-o',
      '-',
    ];
    const parquet = run(
      [...base, '--input-format', 'parquet', '--output-format', 'csv'],
      readFileSync(at('pipe.parquet')),
    );
    expect([parquet.code, cells(parquet.stdout).length]).toEqual([0, 101]);
    const lines = run(
      [...base, '--input-format', 'jsonl', '--output-format', 'csv'],
      '{"visits":1}\n{"visits":2,"a":"b"}\n',
    );
    expect([lines.code, lines.stdout]).toEqual([0, expect.stringMatching(/^visits,a\n-?\d+,\n-?\d+,b\n$/)]);
    write('log.csv', 'kept\n');
    spawnSync(
      'sh',
      [
        '-c',
        `"${process.execPath}" "${main}" release pipe.parquet --column visits --mechanism m.json -o - --output-format csv >> log.csv`,
      ],
      { cwd: here.folder },
    );
    expect(read('log.csv')).toMatch(/^kept\nvisits\n-?\d+\n/);
    write('own.csv', 'visits\n1\n2\n');
    const own = spawnSync(
      'sh',
      [
        '-c',
        `"${process.execPath}" "${main}" release - --input-format csv --column visits --epsilon 1 --adjacency 5 --prior column:own.csv#visits --prior-is-public --dataset own -o never.csv < own.csv`,
      ],
      { cwd: here.folder, encoding: 'utf8' },
    );
    expect([own.status, own.stderr]).toEqual([3, expect.stringMatching(/data to be protected/)]);
  });

  it('keeps its order through a pipe', () => {
    const lines = Array.from({ length: 400_000 }, (_, i) => `${i},${i % 50}`).join('\n');
    json(
      [
        'release',
        '-',
        '--input-format',
        'csv',
        '--dataset',
        'long',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'long.csv',
      ],
      `id,visits\n${lines}\n`,
    );
    const ids = cells(read('long.csv'))
      .slice(1)
      .map(([id]) => Number(id));
    expect(ids).toHaveLength(400_000);
    expect(ids.every((id, i) => id === i)).toBe(true);
  });

  it('has steps of many digits, written as JSON can be read', () => {
    write('fine.csv', 'visits\n0.000000000000000005\n');
    run([
      'calibrate',
      'geometric',
      '--epsilon',
      '1',
      '--adjacency',
      '0.000000000000000002',
      '--step',
      '0.000000000000000001',
      '-o',
      'fine.json',
    ]);
    release('fine.csv', 'fine.jsonl', '--mechanism', 'fine.json');
    expect(() => JSON.parse(read('fine.jsonl'))).not.toThrow();
    expect(read('fine.jsonl')).toMatch(/^\{"visits":-?0\.\d{18}\}\n$/);
  });
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
    ['value.csv', 'visits\n1\n85+\n', /column "visits" holds text with digits.*neither named nor emptied/],
    ['nan.csv', 'visits\n5\n5\nNaN\n', /row 3/],
    ['ragged.csv', 'id,visits\n1,2\n1\n', /line 3: expected 2 cells, got 1/],
    ['wide.csv', 'id,visits\n1,2\n1,2,3\n', /line 3: expected 2 cells, got 3/],
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
    ['inside.csv', 'id,vis"its\n4711,88\n', /no column "visits"; did you mean vis"its/],
    ['empty.csv', '', /the file is empty/],
    ['blank.csv', '\n\n', /is empty|no name/],
    ['twice.csv', 'visits,visits\n1,2\n', /two columns are called "visits"/],
    ['nameless.csv', ',visits\n1,2\n', /column 1 has no name/],
    ['utf16.csv', Buffer.from('\ufeffvisits\n1\n', 'utf16le'), /UTF-8/],
    ['latin.csv', Buffer.from('visits,n\n1,\xe9\n', 'latin1'), /UTF-8/],
    ['other.csv', 'id,visit\n1,2\n', /no column "visits"; did you mean visit\? \(it has id, visit\)/],
    ['headless.csv', '4711,a\n4712,b\n', /look like values/],
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

describe('people and parts', () => {
  it('counts the rows of each person, and refuses more', () => {
    write('people.csv', 'who,visits\na,1\nb,2\na,3\na,4\n');
    const two = run([
      'release',
      'people.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'p.csv',
      '--per-person',
      '2',
      '--person',
      'who',
    ]);
    expect(two).toMatchObject({ code: 2, stderr: expect.stringMatching(/more than 2 rows/) });
    expect(two.stderr).not.toMatch(/"a"/);
    const three = release(
      'people.csv',
      'p.csv',
      '--per-person',
      '3',
      '--person',
      'who',
      '--report',
      'p.html',
    ) as unknown as { cost: { epsilon: string }; perPersonEnforced: boolean };
    expect(Number(three.cost.epsilon)).toBeCloseTo(3, 9);
    expect(three.perPersonEnforced).toBe(true);
    expect(read('p.html')).toMatch(/was counted by the program/);
    release('people.csv', 'p2.csv', '--per-person', '3', '--report', 'p2.html');
    expect(read('p2.html')).toMatch(/is an assertion of the publisher/);
    write('people.jsonl', '{"who":1,"visits":1}\n{"who":1,"visits":2}\n');
    expect(
      run([
        'release',
        'people.jsonl',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'p.jsonl',
        '--person',
        'who',
      ]).stderr,
    ).toMatch(/more than 1 row;/);
  });

  it('holds a part to its own rows', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.write('north.csv', 'region,visits\nnorth,1\nnorth,2\n');
    folder.write('mixed.csv', 'region,visits\nnorth,1\nsouth,2\n');
    folder.json([
      'ledger',
      'init',
      '--dataset',
      'trips',
      '--epsilon',
      '1.5',
      '--adjacency',
      'visits=5',
      '--partition',
      'region=north,south',
    ]);
    const base = ['--column', 'visits', '--mechanism', 'm.json', '--dataset', 'trips'];
    expect(folder.run(['release', 'mixed.csv', ...base, '--part', 'north', '-o', 'x.csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/another "region" than the part north/),
    });
    expect(folder.run(['release', 'north.csv', ...base, '--part', 'north', '-o', 'n.csv']).code).toBe(0);
    expect(folder.run(['release', 'north.csv', ...base, '--part', 'north', '-o', 'n2.csv']).code).toBe(3);
    folder.write('bare.csv', 'visits\n1\n');
    expect(folder.run(['release', 'bare.csv', ...base, '--part', 'south', '-o', 's.csv'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/--part: bare.csv has no column "region"/),
    });
    folder.write('south.csv', 'Region ,visits\nsouth,1\n');
    expect(folder.run(['release', 'south.csv', ...base, '--part', 'south', '-o', 's.csv']).code).toBe(0);
    expect(folder.run(['release', 'south.csv', ...base, '-o', 'all.csv']).code).toBe(3);
  });
});

describe('what the budget protects', () => {
  it('has an adjacency that a mechanism can be charged at', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.write('t.csv', 'visits\n1\n');
    folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '9', '--adjacency', 'visits=1e19']);
    const far = folder.run([
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
    ]);
    expect([far.code, far.stderr]).toEqual([
      2,
      expect.stringMatching(/--column visits: its adjacency 10000000000000000000 .*larger step/),
    ]);
  });

  it('never leaves as it is', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.write('t.csv', 'id,visits,trips\n1,5,777001\n');
    folder.write('t.jsonl', '{"visits":5}\n{"visits":5,"trips":777001}\n');
    folder.json([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '9',
      '--adjacency',
      'visits=5',
      '--adjacency',
      'trips=3',
      '--adjacency',
      '__proto__=1',
    ]);
    const base = ['--column', 'visits', '--mechanism', 'm.json', '--dataset', 'd'];
    expect(folder.run(['release', 't.csv', ...base, '-o', 'o.csv'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/protects "trips", which would leave as it is/),
    });
    expect(folder.run(['release', 't.jsonl', ...base, '-o', 'o.jsonl'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/protects "trips".*Nothing was released or charged/),
    });
    expect(folder.run(['release', 't.csv', ...base, '-o', 'o.csv', '--dry-run']).code).toBe(3);
    expect(folder.run(['release', 't.csv', ...base, '--column', 'trips', '-o', 'o.csv']).code).toBe(0);
    expect(
      folder.run([
        'release',
        't.csv',
        '--column',
        'constructor',
        '--epsilon',
        '1',
        '--dataset',
        'd',
        '-o',
        'x.csv',
      ]),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/no adjacency for "constructor"/) });
  });
});

describe('a trial', () => {
  it('tells cost, budget and error, reads only the header and writes nothing', () => {
    const folder = scratch();
    // Rows that could not be released: a trial does not see them.
    folder.write('trial.csv', 'id,visits\n1,not a number\n1,2,3\n');
    const told = folder.json([
      'release',
      'trial.csv',
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '-o',
      'x.csv',
      '--dry-run',
    ]) as { cost: { epsilon: string }; fits: boolean; error: { meanAbs: number }[] };
    expect(Number(told.cost.epsilon)).toBeCloseTo(1, 9);
    expect(told.fits).toBe(true);
    expect(told.error[0]!.meanAbs).toBeCloseTo(4.786, 2);
    expect(folder.names()).toEqual(['trial.csv']);
    expect(
      folder.run([
        'release',
        'trial.csv',
        '--column',
        'visit',
        '--epsilon',
        '1',
        '--adjacency',
        '5',
        '-o',
        'x.csv',
        '--dry-run',
      ]).stderr,
    ).toMatch(/no column "visit"/);
    folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '0.5', '--adjacency', 'visits=5']);
    const over = folder.run([
      'release',
      'trial.csv',
      '--column',
      'visits',
      '--epsilon',
      '1',
      '-o',
      'x.csv',
      '--dry-run',
      '--dataset',
      'd',
    ]);
    expect([over.code, over.stdout]).toEqual([3, expect.stringMatching(/would be refused/)]);
  });
});

describe('beyond the budget', () => {
  it('is refused before the data is read', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '0.5', '--adjacency', 'visits=5']);
    // The file does not even exist.
    expect(
      folder.run([
        'release',
        'none.csv',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'x.csv',
        '--dataset',
        'd',
      ]),
    ).toMatchObject({ code: 3, stderr: expect.stringMatching(/ε = 0.5, δ = 0 is left/) });
    // Charged at the budget's adjacency, not at the mechanism's.
    folder.json(['ledger', 'init', '--dataset', 'e', '--epsilon', '5', '--adjacency', 'visits=2']);
    folder.write('e.csv', 'visits\n1\n');
    const { cost } = folder.json([
      'release',
      'e.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'e-out.csv',
      '--dataset',
      'e',
    ]) as { cost: { epsilon: string } };
    expect(Number(cost.epsilon)).toBeCloseTo(1, 9); // a staircase: its ratios are e or 1, whatever the distance
    folder.json(['ledger', 'init', '--dataset', 'f', '--epsilon', '10', '--adjacency', 'visits=10']);
    const wide = folder.json([
      'release',
      'e.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'f-out.csv',
      '--dataset',
      'f',
    ]) as { cost: { epsilon: string } };
    expect(Number(wide.cost.epsilon)).toBeCloseTo(2, 6);
    expect(
      folder.run([
        'release',
        'e.csv',
        '--column',
        'trips',
        '--mechanism',
        'm.json',
        '-o',
        'g.csv',
        '--dataset',
        'f',
      ]),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/no adjacency for "trips"/) });
  });
});

describe('true values', () => {
  it('are in no message, report, ledger or file that is left behind', () => {
    const folder = scratch();
    // Noise far wider than these values are apart: a released value is one of them with probability below 10^-4.
    expect(
      folder.run(['calibrate', 'geometric', '--epsilon', '0.001', '--adjacency', '10', '-o', 'wide.json'])
        .code,
    ).toBe(0);
    const sentinels = ['734501923', '734501924.5', '734501925', 'secret734501926'];
    folder.write('s.csv', `id,visits\n1,${sentinels[0]}\n2,${sentinels[2]}\n`);
    folder.write('off.csv', `id,visits\n1,${sentinels[0]}\n2,${sentinels[1]}\n`);
    folder.write('word.csv', `id,visits\n1,${sentinels[0]}\n2,${sentinels[3]}\n`);
    folder.write('ragged.csv', `id,visits\n1,${sentinels[0]}\n${sentinels[2]}\n`);
    folder.write('off.jsonl', `{"visits":${sentinels[1]}}\n{"visits":${sentinels[0]}\n`);
    const said = ['s.csv', 'off.csv', 'word.csv', 'ragged.csv', 'off.jsonl'].map((name) => {
      const { stdout, stderr } = folder.run([
        'release',
        name,
        '--column',
        'visits',
        '--mechanism',
        'wide.json',
        '-o',
        `out-${name}`,
        '--report',
        `${name}.html`,
      ]);
      return stdout + stderr;
    });
    folder.run([
      'release',
      's.csv',
      '--column',
      'visits',
      '--mechanism',
      'wide.json',
      '-o',
      'c.parquet',
      '--clamp',
      '0,1000',
      '--json',
    ]);
    folder.run([
      'count',
      's.csv',
      '--by',
      'visits',
      '--domain',
      'visits=1..3',
      '--epsilon',
      '1',
      '-o',
      'count.csv',
    ]);
    const inputs = new Set(['s.csv', 'off.csv', 'word.csv', 'ragged.csv', 'off.jsonl']);
    const left = folder
      .names()
      .filter((name) => !inputs.has(name))
      .map((name) => readFileSync(folder.at(name), 'latin1'));
    expect(left.length).toBeGreaterThan(5);
    for (const text of [...said, ...left])
      for (const sentinel of sentinels) expect(text.includes(sentinel)).toBe(false);
  });
});

describe('the example data', () => {
  it('is released by one command, with a report and a ledger', () => {
    const folder = scratch();
    const released = folder.json([
      'release',
      visits,
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--prior',
      'poisson:rate=3',
      '-o',
      'out.csv',
      '--report',
      'r.html',
    ]);
    expect(released).toMatchObject({
      rows: 20_190,
      dataset: 'doctor-visits',
      unchanged: ['record', 'health', 'limitation'],
      unit: 'for one row; rows per person were not stated',
    });
    expect(folder.names()).toEqual([
      'discreet-ledger.db',
      'out.csv',
      'out.csv.mechanism.json',
      'r.html',
      'r.json',
    ]);
    expect(folder.run(['verify', 'out.csv.mechanism.json']).code).toBe(0);
    expect(folder.run(['ledger', 'check', '--head', released.head as string]).code).toBe(0);
  });
});
