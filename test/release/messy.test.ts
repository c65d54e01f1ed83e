// Cells as people write them: marks of absence, bounds, decimal commas, other encodings, spaces. With ε = 200 for
// a step the noise is 0 but for a chance of 10^−86, so that what was read can be seen.

import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeEngine, openEngine } from '../../src/release/engine.js';
import { readSql, trimmedSql } from '../../src/release/reading-sql.js';
import { literal } from '../../src/release/sql.js';
import { oddityOf, type Reading, readCell, readingOf } from '../../src/terms/index.js';
import { scratch } from '../scratch.js';

const here = scratch();
const { run, write, read } = here;

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
    expect(readingOf(NONE, false)).toBeNull();
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
    ['1.234,5', 'marks'],
    ['3.790,90', 'marks'],
    ['3,790.90', 'marks'],
    ['3790,90', 'comma'],
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
    expect(released('l.csv', latin).stderr).toMatch(/header line is not UTF-8; .* --encoding windows-1252/);
    const rows = Buffer.from('region,visits\nNîmes,3\n', 'latin1');
    expect(released('l.csv', rows).stderr).toMatch(
      /not UTF-8; say what it is, as in --encoding windows-1252/,
    );
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

describe('what is read otherwise', () => {
  it('keeps parts and numbers what they are', () => {
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
