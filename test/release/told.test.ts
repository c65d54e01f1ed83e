// What errors tell: nothing of a protected value, neither which row spells it oddly nor, in a file that is read wrongly, itself.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as arrow from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { main, scratch } from '../scratch.js';

const { at, folder, write, read, run } = scratch();

/** So little noise that there is none. */
const exact = ['--epsilon', '100', '--adjacency', '1', '--force'];
const acts = (input: string, column = 'visits'): readonly string[][] => [
  ['release', input, '--column', column, ...exact, '-o', 'o.csv'],
  ['release', input, '--column', column, ...exact, '-o', 'o.jsonl'],
  [...['prior', input, '--column', column, '--range', '0,9', '--epsilon', '1'], '-o', 'p.csv'],
];
const count = (input: string) => [
  ...['count', input, '--by', 'id', '--domain', 'id=1,2,3', '--epsilon', '1', '--force', '-o', 'c.csv'],
];

/** On a terminal of its own. */
function onTerminal(args: readonly string[]): string {
  const words = [process.execPath, main, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const { stdout } = spawnSync('script', ['-qec', words.join(' '), '/dev/null'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout;
}

describe('which row is spelt oddly', () => {
  it.each([
    [
      'csv',
      (value: string, i: number) => `${i},${value}`,
      'id,visits\n',
      '1,5',
      /^error: in: not valid CSV: /,
    ],
    [
      'csv',
      (value: string, i: number) => `${i},${value}`,
      'id,visits\n',
      '"1" 5',
      /^error: in: not valid CSV: /,
    ],
    [
      'jsonl',
      (value: string, i: number) => `{"id":${i},"visits":${value}}`,
      '',
      '1,5',
      /expected a JSON object on/,
    ],
    [
      'jsonl',
      (value: string, i: number) => `{"id":${i},"visits":${value}}`,
      '',
      '0x5',
      /such as 12 kg .* like T29/,
    ],
  ] as const)('is not told of %s', (format, row, header, odd, message) => {
    const told = [0, 2].map((place) => {
      const values = ['3', '4', '5'].map((value, i) => row(i === place ? odd : value, i + 1));
      const name = `odd.${format}`;
      write(name, `${header}${values.join('\n')}\n`);
      const all = odd === '0x5' ? acts(name) : [...acts(name), count(name)];
      return all.map((args) => {
        const { code, stdout, stderr } = run(args);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).not.toMatch(/\b(line|row) \d/);
        return stderr.replace(/^note: .*\n/gm, '');
      });
    });
    expect(told[0]).toEqual(told[1]);
    for (const stderr of told[0]!) expect(stderr.replaceAll(`odd.${format}`, 'in')).toMatch(message);
  });

  it('is told by --locate on a terminal, and nowhere else', () => {
    write('cells.csv', 'id,visits\n1,2\n2,1,5\n');
    const asked = [...acts('cells.csv')[0]!, '--locate'];
    expect(onTerminal(asked)).toMatch(/not valid CSV[\s\S]*located: line 3: expected 2 cells, got 3/);
    expect(onTerminal(acts('cells.csv')[0]!)).not.toMatch(/line 3|located/);
    expect(onTerminal([...asked, '--json'])).toMatch(/refused: --locate: .* on a terminal only/);
    expect(run(asked)).toMatchObject({ code: 3, stderr: expect.stringMatching(/told on a terminal only/) });
    write('line.jsonl', '{"visits":1}\n{"visits":1,5}\n');
    expect(onTerminal([...acts('line.jsonl')[1]!, '--locate'])).toMatch(/located: line 2/);
    expect(
      onTerminal(['release', 'cells.csv', '--column', 'cost', ...exact, '-o', 'o.csv', '--locate']),
    ).toMatch(/no column "cost", but 2 others[\s\S]*located: columns: "id", "visits"/);
  });
});

describe('a value of JSON that is no JSON', () => {
  it('is the text that it is in CSV: a number where that is one, and what is said of it else', () => {
    const lines = [
      '{"id":05,"visits":.5}',
      '{"id":2,"visits":+5}',
      '{"id":3,"visits":05}',
      '{"id":4,"visits":0x5}',
    ];
    write('t.jsonl', `${lines.join('\n')}\n`);
    const [csv, jsonl] = acts('t.jsonl').map((args) => [...args, '--map', '0x5=7', '--step', '0.5']);
    expect(run(csv!)).toMatchObject({ code: 0 });
    expect(read('o.csv')).toBe('id,visits\n05,0.5\n2,5.0\n3,5.0\n4,7.0\n');
    expect(run(jsonl!)).toMatchObject({ code: 0 });
    expect(read('o.jsonl')).toBe(
      '{"id":"05","visits":0.5}\n{"id":2,"visits":5.0}\n{"id":3,"visits":5.0}\n{"id":4,"visits":7.0}\n',
    );
    // Other columns are not looked at.
    expect(run(count('t.jsonl'))).toMatchObject({ code: 0 });
  });

  it('is a word without a digit', () => {
    write('nan.jsonl', '{"visits":1}\n{"visits":NaN}\n');
    for (const args of acts('nan.jsonl').slice(0, 2)) {
      expect(run(args).stderr).toMatch(/row 2: expected a number, got a word/);
      expect(run([...args, '--na', 'NaN'])).toMatchObject({ code: 0 });
    }
    expect(read('o.jsonl')).toBe('{"visits":1}\n{"visits":null}\n');
  });
});

describe('a file that is read wrongly', () => {
  const values = Array.from({ length: 30 }, (_, i) => 7001 + 13 * i);
  const lines = ['id,visits', ...values.map((value, i) => `p${i},${value}`)];
  const swapped = Buffer.from(`${lines.join('\n')}\n`, 'utf16le').swap16();

  /** None of the values, in whatever order of bytes. */
  function tellsNothing(told: string): void {
    const bytes = [told, Buffer.from(told, 'utf16le').swap16().toString('utf16le')];
    for (const text of bytes) for (const value of values) expect(text).not.toContain(String(value));
  }

  const wrong = (input: string, more: readonly string[]) => [
    ...acts(input),
    [...acts(input)[0]!, '--json'],
    [...acts(input)[0]!, '--dry-run'],
    [...acts(input)[0]!, '--dry-run', '--json'],
    ['release', input, '--column', 'p*', ...exact, '-o', 'o.csv'],
    ['release', input, '--column', 'id', ...exact, '-o', 'o.csv', '--dry-run', '--json'],
    count(input),
    ...(more.length === 0 ? [['choose', input, '--epsilon', '1', '--sensitivity', '1']] : []),
    ['advise', input, '--column', 'visits', '--epsilon', '1', '--adjacency', '1'],
  ];

  it.each([
    ['of another order of bytes', swapped, ['--encoding', 'utf-16le']],
    ['whose lines end with U+001E', Buffer.from(lines.join('\u001e')), []],
    ['whose lines end with U+0085', Buffer.from(lines.join('\u0085')), []],
    ['whose lines end with U+2028', Buffer.from(lines.join('\u2028')), []],
  ] as const)('%s is not told', (_, bytes, more) => {
    write('wrong.csv', bytes);
    for (const args of wrong('wrong.csv', more)) {
      const { code, stdout, stderr } = run([...args, ...more]);
      expect([args, code]).toEqual([args, 2]);
      tellsNothing(stdout + stderr);
    }
    tellsNothing(onTerminal([...acts('wrong.csv')[0]!, ...more, '--locate']));
  });

  it('without a header, its first row is not told', () => {
    for (const first of ['Bob;$4711', 'Bob,<4711', '4711,4711']) {
      write('bare.csv', `${first}\nEve,5\n`);
      for (const args of [acts('bare.csv')[0]!, acts('bare.csv', 'visits*')[0]!]) {
        const { code, stdout, stderr } = run(args);
        expect([args, code]).toEqual([args, 2]);
        expect(stdout + stderr).not.toMatch(/4711|Bob/);
      }
    }
  });

  it('is told what the column that is meant may be called', () => {
    write('near.csv', 'person,vists,age\n1,2,3\n');
    expect(run(acts('near.csv')[0]!).stderr).toMatch(/has no column "visits"; did you mean "vists"\?\n/);
    expect(run(acts('near.csv', 'cost')[0]!).stderr).toMatch(
      /has no column "cost", but 3 others; see their names with --locate, on a terminal/,
    );
  });
});

describe('text with digits', () => {
  it('is told of as units and as codes, in the same words whichever there are', () => {
    const told = ['T29', '12 kg', 'A12B3', '5 %'].map((text) => {
      write('codes.csv', `id,visits\n1,2\n2,${text}\n`);
      const jsonl = text.replace('%', '\\u0025');
      write('codes.jsonl', `{"id":1,"visits":2}\n{"id":2,"visits":"${jsonl}"}\n`);
      const stream = arrow.tableToIPC(
        new arrow.Table({ visits: arrow.vectorFromArray(['2', text], new arrow.Utf8()) }),
        'stream',
      );
      write('codes.arrow', stream);
      const ways = [
        acts('codes.csv')[0]!,
        acts('codes.csv')[2]!,
        acts('codes.jsonl')[0]!,
        acts('codes.jsonl')[1]!,
        ['release', 'codes.arrow', '--column', 'visits', ...exact, '-o', 'o.arrow'],
      ].map((args) =>
        run(args)
          .stderr.replace(/^note: .*\n/gm, '')
          .replace(/codes\.\w+/, 'codes')
          .replace(/\. Nothing.*/, '')
          .trim(),
      );
      expect(new Set(ways)).toEqual(new Set([ways[0]]));
      return ways[0]!;
    });
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toMatch(/numbers with a unit, .*; or categories such as codes, .* cannot protect yet/);
    expect(told[0]).toMatch(/discreet count, or leave the column out/);
  });

  it('with both marks is told as that', () => {
    write('marks.csv', 'visits\n"3.790,90"\n');
    expect(run(acts('marks.csv')[0]!).stderr).toMatch(
      /a point and a comma, such as 3\.790,90 .* --decimal ,/,
    );
  });
});

describe('a boolean', () => {
  it('is 1 or 0 by its type, whatever it comes in, and beside numbers and texts', () => {
    write('b.jsonl', '{"visits":true}\n{"visits":false}\n{"visits":null}\n{"visits":"7"}\n');
    write('typed.jsonl', '{"visits":true}\n{"visits":false}\n{"visits":null}\n');
    const table = new arrow.Table({ visits: arrow.vectorFromArray([true, false, null], new arrow.Bool()) });
    write('b.arrow', arrow.tableToIPC(table, 'file'));
    // A Parquet file of booleans, as our own copy leaves them.
    write('pass.jsonl', '{"id":1,"visits":true}\n{"id":1,"visits":false}\n{"id":1,"visits":null}\n');
    expect(run(['release', 'pass.jsonl', '--column', 'id', ...exact, '-o', 'b.parquet'])).toMatchObject({
      code: 0,
    });
    for (const [input, output, rest] of [
      ['b.jsonl', 'o.csv', 'visits\n1\n0\n\n7\n'],
      ['b.jsonl', 'o.jsonl', '{"visits":1}\n{"visits":0}\n{"visits":null}\n{"visits":7}\n'],
      ['typed.jsonl', 'o.csv', 'visits\n1\n0\n\n'],
      ['b.arrow', 'o.csv', 'visits\n1\n0\n\n'],
      ['b.parquet', 'o.csv', 'id,visits\n1,1\n1,0\n1,\n'],
      ['b.arrow', 'o.jsonl', '{"visits":1}\n{"visits":0}\n{"visits":null}\n'],
    ] as const) {
      expect([input, run(['release', input, '--column', 'visits', ...exact, '-o', output]).code]).toEqual([
        input,
        0,
      ]);
      expect([input, read(output)]).toEqual([input, rest]);
    }
    expect(run(['release', 'b.arrow', '--column', 'visits', ...exact, '-o', 'o.arrow'])).toMatchObject({
      code: 0,
    });
    const [visits] = arrow
      .tableFromIPC(readFileSync(at('o.arrow')))
      .toArray()
      .map((row) => row.visits);
    expect(visits).toBe(1n);
    for (const input of ['b.jsonl', 'b.arrow', 'b.parquet'])
      expect([input, run([...acts(input)[2]!, '--dataset', input, '--force']).code]).toEqual([input, 0]);
  });

  it('as text is a word, and the refusal says what it takes', () => {
    write('words.csv', 'visits\ntrue\nfalse\n');
    const [act] = acts('words.csv');
    expect(run(act!).stderr).toMatch(/row 1: .* --map true=1,false=0/);
    expect(run([...act!, '--map', 'true=1,false=0'])).toMatchObject({ code: 0 });
    expect(read('o.csv')).toBe('visits\n1\n0\n');
  });
});

describe('the code', () => {
  it('quotes names in messages in one way', () => {
    const source = fileURLToPath(new URL('../../', import.meta.url));
    const files = ['src', 'studio/src'].flatMap((room) =>
      readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => join(room, name)),
    );
    const own = files.filter((name) =>
      readFileSync(join(source, name), 'utf8')
        .split('\n')
        .some((line) =>
          /(badData|invalid|wrong|cannot|PrivacyError|note)\(.*\$\{[^}]*JSON\.stringify/.test(line),
        ),
    );
    expect(own).toEqual([]);
  });
});
