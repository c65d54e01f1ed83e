// Files as people have them: marks of absence, bounds, decimal commas, other encodings, many files, many columns. With ε = 200 for
// a step the noise is 0 but for a chance of 10^−86, so that what was read can be seen.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeEngine, openEngine } from '../../src/release/engine.js';
import { patternOf } from '../../src/release/places/index.js';
import { readSql, trimmedSql } from '../../src/release/reading-sql.js';
import { literal } from '../../src/release/sql.js';
import { oddityOf, type Reading, readCell, readingOf } from '../../src/terms/index.js';
import { scratch } from '../scratch.js';

const here = scratch();
const { run, write, read, at } = here;

const NONE: Reading = { na: [], map: new Map(), decimal: null };
const plainly = ['--epsilon', '200', '--adjacency', '1'];

/** The released file, which must be there, or the error. */
function released(name: string, text: string | Uint8Array, ...more: string[]) {
  write(name, text);
  const args = [
    'release',
    name,
    '--column',
    'visits',
    ...plainly,
    '-o',
    'out.csv',
    '--force',
    '--dataset',
    'd',
  ];
  const { code, stderr } = run([...args, ...more]);
  return { code, stderr, out: code === 0 ? read('out.csv') : '' };
}

describe('cells that are no plain numbers', () => {
  it('with a bound are told as such, and count as what is said', () => {
    const text = 'visits\n3\n85+\n<5\n';
    const refused = released('bound.csv', text);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/numbers with a bound, such as 85\+ or <5: .* --map '85\+=85'/);
    expect(refused.stderr).toMatch(/Nothing was released or charged/);
    expect(released('bound.csv', text, '--map', '85+=85', '--map', '<5=2').out).toBe('visits\n3\n85\n2\n');
  });

  it('that mean nothing are told as such, and come out empty', () => {
    const text = 'id,visits\n1,3\n2,NA\n3, - \n';
    expect(released('na.csv', text).stderr).toMatch(/data row 2: .* --na NA,-.*--skip-invalid/);
    expect(released('na.csv', text, '--na', 'NA,-').out).toBe('id,visits\n1,3\n2,\n3,\n');
    const skipped = released('na.csv', text, '--skip-invalid', '--report', 'r.html');
    expect(skipped.out).toBe('id,visits\n1,3\n2,\n3,\n');
    expect(skipped.stderr).toMatch(/"visits": 2 cells were no numbers.*told here only/);
    // Not in what is given away.
    for (const file of ['r.html', 'r.json'])
      expect(read(file)).not.toMatch(/2 cells|cells were no numbers, and/);
  });

  it('with a comma are told as such, and read as is said', () => {
    const decimals = 'region;visits\nN;1,5\nS;2,25\nE;7\n';
    expect(released('c.csv', decimals).stderr).toMatch(
      /such as 1,5 or 1,234: say with --decimal , .*--decimal \./,
    );
    const quarter = ['--step', '0.25', '--epsilon', '200', '--adjacency', '0.25'];
    const read = released('c.csv', decimals, '--decimal', ',', ...quarter.slice(0, 2));
    expect(read.out).toBe('region;visits\nN;1.50\nS;2.25\nE;7.00\n');
    const thousands = 'visits\n"1,234"\n"12,345,678"\n"1 234"\n9\n';
    expect(released('t.csv', thousands).stderr).toMatch(/--decimal/);
    expect(released('t.csv', thousands, '--decimal', '.').out).toBe('visits\n1234\n12345678\n1234\n9\n');
    // What does not fit is no number, and not another one.
    expect(released('t.csv', 'visits\n"1.5"\n', '--decimal', ',').code).toBe(2);
    expect(released('t.csv', 'visits\n"1,5"\n', '--decimal', '.').code).toBe(2);
    expect(released('t.csv', 'visits\n"1.234,5"\n', '--decimal', ',', '--step', '0.5').out).toBe(
      'visits\n1234.5\n',
    );
  });

  it('are read so from JSON lines, Parquet and standard input too', () => {
    write('a.jsonl', '{"visits": "85+"}\n{"visits": "NA"}\n{"visits": 4}\n');
    const flags = ['--map', '85+=85', '--na', 'NA'];
    const common = ['--column', 'visits', ...plainly, '--force', '--dataset', 'd', ...flags];
    expect(run(['release', 'a.jsonl', ...common, '-o', 'b.jsonl']).code).toBe(0);
    expect(read('b.jsonl')).toBe('{"visits": 85}\n{"visits": null}\n{"visits": 4}\n');
    expect(run(['release', 'a.jsonl', ...common, '-o', 'b.csv']).code).toBe(0);
    expect(read('b.csv')).toBe('visits\n85\n""\n4\n'.replace('""', ''));
    const piped = run(
      ['release', '-', '--input-format', 'csv', ...common, '-o', '-'],
      'visits\n85+\nNA\n4\n',
    );
    expect(piped.stdout).toBe('visits\n85\n""\n4\n'.replace('""', ''));
  });

  it('may not be emptied or moved where they are values', () => {
    expect(released('bound.csv', 'visits\n1\n', '--na', '<5').stderr).toMatch(
      /holds a digit, so it is a value/,
    );
    expect(released('bound.csv', 'visits\n1\n', '--na', '999').stderr).toMatch(/would tell who has it/);
    expect(released('bound.csv', 'visits\n1\n', '--map', '999=0').stderr).toMatch(/is a number already/);
    expect(released('bound.csv', 'visits\n1\n', '--map', '1,5=0', '--decimal', ',').stderr).toMatch(
      /a number already/,
    );
    expect(released('bound.csv', 'visits\n1\n', '--map', 'x=y').stderr).toMatch(/--map: expected a decimal/);
    expect(released('bound.csv', 'visits\n1\n', '--map', '=5').stderr).toMatch(/text=value/);
    expect(released('bound.csv', 'visits\n1\n', '--decimal', ';').stderr).toMatch(/expected \. or ,/);
    expect(released('bound.csv', 'visits\n1\n', '--map', 'NA=0', '--na', 'NA').stderr).toMatch(
      /one of the two/,
    );
  });

  it('are read alike in SQL and in JavaScript', async () => {
    const engine = await openEngine();
    const texts = fc.oneof(
      fc.stringMatching(/^[-+]?[0-9]{0,5}([., '][0-9]{0,4}){0,3}$/),
      fc.constantFrom(
        'NA',
        ' NA',
        'NA\u00a0',
        '85+',
        ' 85+\t',
        '1\u202f234',
        '1’234,5',
        '+1.234.567',
        '',
        ' ',
        'x',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const readings = fc.record({
      na: fc.subarray(['NA', '-', 'x', '']),
      map: fc
        .subarray([
          ['85+', '85'],
          ["o'n", '-1.5'],
          ['many', '1e3'],
        ])
        .map((pairs) => new Map(pairs as [string, string][])),
      decimal: fc.constantFrom('.' as const, ',' as const, null),
    });
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(texts, { minLength: 1, maxLength: 20 }),
          readings,
          async (cells, reading) => {
            const own = cells.filter((cell) => !cell.includes('\0') && Buffer.from(cell).toString() === cell);
            const values = own.map((cell, i) => `(${i}, ${literal(cell)})`).join(', ');
            if (own.length === 0) return;
            const found = await engine.rows(
              `SELECT ${readSql('t', reading)}, ${trimmedSql('t')} FROM (VALUES ${values}) AS v(i, t) ORDER BY i`,
            );
            expect(found).toEqual(own.map((cell) => [readCell(cell, reading), cell.trim()]));
          },
        ),
        { numRuns: 200 },
      );
    } finally {
      closeEngine(engine);
    }
  });

  it('never become another number, whatever is said', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 9), max: 10 ** 9 }),
        fc.integer({ min: 0, max: 999 }),
        (whole, part) => {
          for (const [mark, group] of [
            ['.', ','],
            [',', '.'],
          ] as const) {
            const reading = { ...NONE, decimal: mark };
            const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, group);
            expect(Number(readCell(grouped, reading))).toBe(whole);
            expect(readCell(`${whole}${mark}${part}`, reading)).toBe(`${whole}.${part}`);
          }
        },
      ),
    );
    expect(readingOf(NONE)).toBeNull();
  });

  it.each([
    ['85+', 'bound'],
    ['<5', 'bound'],
    ['≥ 10', 'bound'],
    ['10 or more', 'bound'],
    ['10-14', 'range'],
    ['5 – 9', 'range'],
    ['1,5', 'comma'],
    ['1,234', 'comma'],
    ['1.234,5', 'comma'],
    ["1'234", 'grouped'],
    ['1 234', 'grouped'],
    ['12 kg', 'unit'],
    ['€5', 'unit'],
    ['5 %', 'unit'],
    ['2024-05-01', 'text'],
    ['a1b2', 'text'],
  ])('%s is %s', (text, oddity) => {
    expect(oddityOf(text)).toBe(oddity);
  });
});

describe('text that is not UTF-8', () => {
  const latin = Buffer.from('région,visits\nNîmes,3\n', 'latin1');

  it('is told as such, in the header and in rows, and read as is said', () => {
    expect(released('l.csv', latin).stderr).toMatch(/header line is not UTF-8; .* --encoding latin1/);
    const rows = Buffer.from('region,visits\nNîmes,3\n', 'latin1');
    expect(released('l.csv', rows).stderr).toMatch(/not UTF-8; say what it is, as in --encoding latin1/);
    expect(released('l.csv', latin, '--encoding', 'latin1').out).toBe('région,visits\nNîmes,3\n');
    const wide = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from('région,visits\nNîmes,3\n', 'utf16le'),
    ]);
    expect(released('wide.csv', wide).stderr).toMatch(/--encoding utf-16le/);
    expect(released('wide.csv', wide, '--encoding', 'utf-16le').out).toBe('région,visits\nNîmes,3\n');
    expect(released('l.csv.gz', gzipSync(latin), '--encoding', 'latin1').out).toBe(
      'région,visits\nNîmes,3\n',
    );
  });

  it('is refused where its name is not known, or the format has its own', () => {
    expect(released('l.csv', latin, '--encoding', 'nonsense').stderr).toMatch(
      /--encoding: expected a name such as/,
    );
    expect(released('a.jsonl', '{"visits": 1}', '--encoding', 'latin1').stderr).toMatch(
      /have one of their own/,
    );
    expect(released('l.csv', latin, '--encoding', 'utf-8').stderr).toMatch(/the text is not utf-8/);
  });
});

describe('counts', () => {
  const count = (...more: string[]) => {
    write('regions.csv', 'region\nnorth\nnorth \nNorth\nelse\n\nsouth\n');
    const args = [
      'count',
      'regions.csv',
      '--by',
      'region',
      '--domain',
      'region=north,south',
      '--epsilon',
      '200',
    ];
    const { code, stderr, stdout } = run([...args, '-o', 'c.csv', '--force', '--dataset', 'd', ...more]);
    return { code, stderr, stdout, out: code === 0 ? read('c.csv') : '' };
  };

  it('take values as they are, trimmed, as another, or as all others', () => {
    const plain = count();
    expect(plain.out).toBe('region,count\nnorth,1\nsouth,1\n');
    expect(plain.stdout).toMatch(/counted nowhere.*--trim.*--other/);
    expect(count('--trim').out).toBe('region,count\nnorth,2\nsouth,1\n');
    expect(count('--trim', '--map', 'North=north').out).toBe('region,count\nnorth,3\nsouth,1\n');
    const other = count('--trim', '--other', 'elsewhere');
    expect(other.out).toBe('region,count\nnorth,2\nsouth,1\nelsewhere,3\n');
    expect(count('--other', 'south').stderr).toMatch(/is a value of "region" too/);
  });

  it('of ranges have a cell for all others', () => {
    write('years.csv', 'year\n2019\n2020\n1999\nx\n');
    const args = ['count', 'years.csv', '--by', 'year', '--domain', 'year=2019..2020', '--epsilon', '200'];
    expect(run([...args, '--other', 'else', '-o', 'y.csv', '--dataset', 'd']).code).toBe(0);
    expect(read('y.csv')).toBe('year,count\n2019,1\n2020,1\nelse,2\n');
  });
});

describe('several files', () => {
  const part = (from: number, rows: number) =>
    `id,visits\n${Array.from({ length: rows }, (_, i) => `${from + i},${(from + i) % 9}\n`).join('')}`;
  const whole = `id,visits\n${Array.from({ length: 30_000 }, (_, i) => `${i},${i % 9}\n`).join('')}`;

  it('are one input, by folder and by pattern, in the order of their names', () => {
    mkdirSync(at('parts'));
    for (let i = 0; i < 3; i++) write(`parts/part-${i}.csv`, part(10_000 * i, 10_000));
    write('parts/_SUCCESS', '');
    write('parts/.hidden.csv', 'nonsense');
    for (const input of ['parts', 'parts/', 'parts/part-*.csv', '*/part-[012].csv', '**/part-?.csv']) {
      const args = [
        'release',
        input,
        '--column',
        'visits',
        ...plainly,
        '-o',
        'all.csv',
        '--force',
        '--dataset',
        'd',
      ];
      const { code, stderr } = run(args);
      expect({ input, code, stderr: stderr.replace(/note:.*\n/g, '') }).toEqual({
        input,
        code: 0,
        stderr: '',
      });
      expect(read('all.csv')).toBe(whole);
    }
    // What is released can be read back so.
    mkdirSync(at('packed'));
    for (let i = 0; i < 3; i++) write(`packed/part-${i}.csv.gz`, gzipSync(part(10_000 * i, 10_000)));
    const args = ['--column', 'visits', ...plainly, '--dataset', 'd'];
    expect(run(['release', 'packed', ...args, '-o', 'all.parquet']).code).toBe(0);
    expect(run(['release', 'all.parquet', ...args, '-o', 'unpacked.csv']).code).toBe(0);
    expect(read('unpacked.csv')).toBe(whole);
    mkdirSync(at('out'));
    for (const name of ['a', 'b'])
      expect(
        run([
          'release',
          'parts',
          '--column',
          'visits',
          '--epsilon',
          '1',
          '--adjacency',
          '1',
          '-o',
          `out/${name}.csv`,
          '--dataset',
          'd',
        ]).code,
      ).toBe(0);
    const recovered = run([
      'recover',
      'out/*.csv',
      '--column',
      'visits',
      '--mechanism',
      'out/a.csv.mechanism.json',
      '--json',
    ]);
    expect(recovered.stderr).toBe('');
    expect(JSON.stringify(JSON.parse(recovered.stdout))).toContain('60000');
  }, 60_000);

  it('must be alike, and be there', () => {
    mkdirSync(at('odd'));
    write('odd/a.csv', 'id,visits\n1,2\n');
    write('odd/b.csv', 'visits,id\n1,2\n');
    const refused = (input: string) =>
      run(['release', input, '--column', 'visits', ...plainly, '-o', 'never.csv', '--dataset', 'd']).stderr;
    expect(refused('odd')).toMatch(/b\.csv: its columns are not those of a\.csv/);
    write('odd/b.csv', '');
    expect(refused('odd')).toMatch(/b\.csv: the file is empty/);
    write('odd/b.tsv', 'id\tvisits\n');
    expect(refused('odd/*')).toMatch(/a\.csv is csv, and b\.tsv is tsv/);
    expect(refused('nothing-*.csv')).toMatch(/no file has such a name/);
    mkdirSync(at('hollow'));
    expect(refused('hollow')).toMatch(/no files in this folder/);
    mkdirSync(at('laid/region=N'), { recursive: true });
    write('laid/region=N/a.csv', 'id,visits\n1,2\n');
    expect(refused('laid')).toMatch(/there are folders in it/);
    expect(refused('laid/*/a.csv')).toMatch(/named like a column and its value/);
    expect(refused('odd/*.nothing')).toMatch(/no file/);
    // None of them is overwritten.
    write('odd/b.csv', 'id,visits\n1,2\n');
    expect(
      run([
        'release',
        'odd/*.csv',
        '--column',
        'visits',
        ...plainly,
        '-o',
        'odd/a.csv',
        '--force',
        '--dataset',
        'd',
      ]).stderr,
    ).toMatch(/the output is the input/);
    expect(here.exists('never.csv')).toBe(false);
  });
});

describe('several packed files, and what is read otherwise', () => {
  it('go through one pipe, however many they are, and are told by name', () => {
    mkdirSync(at('six'));
    const part = (i: number) => `\ufeffid,v\r\n${i},"a\nb"\r\n${i + 10},4${i % 2 ? '' : '\r\n'}`;
    for (let i = 0; i < 6; i++) write(`six/${i}.csv.gz`, gzipSync(part(i).replace('"a\nb"', '3')));
    const args = ['six', '--column', 'v', ...plainly, '--dataset', 'd'];
    expect(run(['release', ...args, '-o', 'six.csv']).code).toBe(0);
    const rows = Array.from({ length: 6 }, (_, i) => `${i},3\n${i + 10},4\n`);
    expect(read('six.csv')).toBe(`id,v\n${rows.join('')}`);
    expect(run(['release', ...args, '-o', 'six2.csv', '--person', 'id', '--per-person', '1']).code).toBe(0);
    const count = ['count', 'six', '--by', 'v', '--domain', 'v=3..4', '--epsilon', '200', '--dataset', 'd'];
    expect(run([...count, '-o', 'sixes.csv']).code).toBe(0);
    expect(read('sixes.csv')).toBe('v,count\n3,6\n4,6\n');
    mkdirSync(at('latin'));
    for (let i = 0; i < 6; i++) write(`latin/${i}.csv`, Buffer.from(`é,v\n${i},3\n`, 'latin1'));
    expect(run(['release', 'latin', ...args.slice(1), '--encoding', 'latin1', '-o', 'l6.csv']).code).toBe(0);
    expect(read('l6.csv')).toBe(`é,v\n${[0, 1, 2, 3, 4, 5].map((i) => `${i},3\n`).join('')}`);
    const refused = () => run(['release', ...args, '-o', 'never.csv']).stderr;
    write('six/4.csv.gz', gzipSync('v,id\n1,2\n'));
    expect(refused()).toMatch(/4\.csv\.gz: its columns are not those of 0\.csv\.gz/);
    write('six/4.csv.gz', gzipSync('id,v\n1,"2\n'));
    expect(refused()).toMatch(/4\.csv\.gz: not valid CSV: a quote is not closed/);
    write('six/4.csv.gz', gzipSync(''));
    expect(refused()).toMatch(/4\.csv\.gz: the file is empty/);
    write('six/4.csv.gz', 'nonsense');
    expect(refused()).toMatch(/4\.csv\.gz: not a gzip file/);
    expect(here.exists('never.csv')).toBe(false);
  }, 60_000);

  it('are each there once, and not where the output goes', () => {
    mkdirSync(at('links'));
    write('links/a.csv', 'id,visits\n1,2\n');
    symlinkSync('a.csv', at('links/b.csv'));
    const args = ['--column', 'visits', ...plainly, '--dataset', 'd'];
    expect(run(['release', 'links', ...args, '-o', 'never.csv']).stderr).toMatch(/once more/);
    rmSync(at('links/b.csv'));
    expect(run(['release', 'links', ...args, '-o', 'links/c.csv']).stderr).toMatch(/the output is the input/);
    symlinkSync('nowhere', at('links/dangling.csv'));
    symlinkSync('.', at('links/loop'));
    expect(run(['release', 'links/**/*.csv', ...args, '-o', 'linked.csv']).code).toBe(0);
    expect(read('linked.csv')).toBe('id,visits\n1,2\n');
    expect(run(['release', 'links/[z-a].csv', ...args, '-o', 'never.csv']).stderr).toMatch(
      /expected a pattern/,
    );
  });

  it('keep parts and numbers what they are', () => {
    write('parts.csv', 'region,v\nnorth,1\nsouth,2\nsouth,3\n');
    const begin = [
      'ledger',
      'init',
      '--ledger',
      'pt.db',
      '--dataset',
      'pt',
      '--epsilon',
      '900',
      '--adjacency',
      'v=5',
      '--per-person',
      '1',
    ];
    expect(run([...begin, '--partition', 'region=north,south']).code).toBe(0);
    const count = [
      'count',
      'parts.csv',
      '--ledger',
      'pt.db',
      '--dataset',
      'pt',
      '--by',
      'region',
      '--domain',
      'region=north',
    ];
    const more = ['--part', 'north', '--map', 'south=north', '--epsilon', '200', '-o', 'pc.csv'];
    expect(run([...count, ...more]).code).toBe(0);
    expect(read('pc.csv')).toBe('region,count\nnorth,1\n');
    write('j.jsonl', '{"visits": 1.234}\n');
    const lines = [
      'release',
      'j.jsonl',
      '--column',
      'visits',
      ...plainly,
      '--decimal',
      ',',
      '--dataset',
      'd',
    ];
    expect(run([...lines, '-o', 'never.csv']).stderr).toMatch(/numbers in JSON have a point/);
    write('nohead.csv', '5,104233\n6,7\n');
    const none = run(['release', 'nohead.csv', '--column', 'x*', ...plainly, '-o', 'never.csv']).stderr;
    expect(none).not.toContain('104233');
    expect(released('t.csv', 'visits\n"1.5"\n', '--decimal', ',').stderr).toMatch(
      /numbers with a point, although --decimal ,/,
    );
    expect(released('t.csv', 'visits\n1\n', '--na', '999').stderr).not.toMatch(/--map/);
    // A prior whose ends are next to nothing.
    write('peak.csv', `v\n${'512\n'.repeat(400)}`);
    const prior = [
      'prior',
      'peak.csv',
      '--column',
      'v',
      '--range',
      '0,600',
      '--epsilon',
      '20',
      '--dataset',
      'd',
    ];
    expect(run([...prior, '-o', 'peak-prior.csv']).code).toBe(0);
  });
});

describe('columns by pattern', () => {
  it('are written out from the header: one line, one file, one section', () => {
    const weeks = Array.from({ length: 12 }, (_, i) => `2024-W${String(i + 1).padStart(2, '0')}`);
    write('weeks.csv', `id,${weeks.join(',')}\n${['a', ...weeks.map(() => 5)].join(',')}\n`);
    const args = [
      'release',
      'weeks.csv',
      '--column',
      '2024-W*',
      '--clamp',
      '2024-W0*=0,9',
      '--epsilon',
      '2400',
    ];
    const { code, stdout, stderr } = run([
      ...args,
      '--adjacency',
      '1',
      '-o',
      'clamped.csv',
      '--dataset',
      'w',
      '--report',
      'w.html',
    ]);
    expect({ code, stderr: stderr.replace(/^note:.*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    expect(read('clamped.csv')).toBe(read('weeks.csv'));
    // Two groups: nine are clamped.
    expect(stdout.match(/^noise/gm)).toHaveLength(2);
    expect(stdout).not.toContain('2024-W05');
    const plain = ['release', 'weeks.csv', '--column', '2024-W*', ...plainly, '--dataset', 'w'];
    const one = run([...plain, '-o', 'v.csv', '--report', 'v.html']).stdout;
    expect(one).toMatch(/: 2024-W01 … 2024-W12 \(12 columns\) protected/);
    expect(one.match(/^noise/gm)).toHaveLength(1);
    expect(one.match(/^mechanism/gm)).toHaveLength(1);
    expect(here.names().filter((name) => name.startsWith('v.csv.'))).toEqual(['v.csv.mechanism.json']);
    const sections = (page: string) => read(page).match(/<h2>\d+ columns with the same noise/g)?.length;
    expect([sections('v.html'), sections('w.html')]).toEqual([1, 2]);
    const refused = run([
      ...args.slice(0, 2),
      '--column',
      'x*',
      '--epsilon',
      '1',
      '--adjacency',
      '1',
      '-o',
      'n.csv',
    ]);
    expect(refused.stderr).toMatch(/no column has a name like x\*; there are id, 2024-W01/);
    const piped = run([
      'release',
      '-',
      '--input-format',
      'csv',
      '--column',
      'x*',
      '--epsilon',
      '1',
      '--adjacency',
      '1',
      '-o',
      'n.csv',
    ]);
    expect(piped.stderr).toMatch(/name every column/);
  });

  it('stand for characters of one name', () => {
    expect(patternOf('2024-W*').test('2024-W01')).toBe(true);
    expect(patternOf('a.b').test('axb')).toBe(false);
    expect(patternOf('a[0-9]').test('a7')).toBe(true);
    expect(patternOf('a[!0-9]').test('a7')).toBe(false);
    expect(patternOf('a[').test('a[')).toBe(true);
    expect(patternOf('(x)*').test('(x) y')).toBe(true);
  });
});
