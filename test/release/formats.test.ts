// Releases of Parquet and JSON lines, and from one format to another.

import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cells } from '../scratch.js';
import { query, withMechanisms } from './mechanisms.js';

const here = withMechanisms();
const { at, write, read, run, release } = here;

describe('what passes and what changes', () => {
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
      ['{"visits":1', /^error: bad.jsonl: expected a JSON object on each line/],
      ['[1]', /^error: bad.jsonl: expected a JSON object on each line/],
      ['{"visits":1,"visits":2}', /on each line, each key once/],
      ['{"visit":1}', /--column: no line of bad.jsonl has the key "visits"\. Nothing/],
      ['{"visits":"true"}', /row 1/],
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
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^(?!.*line 1)error: double.jsonl: expected a JSON object on each line, each key once/s,
      ),
    });
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
