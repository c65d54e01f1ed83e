// Gzipped text, in and out.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cells, main, scratch, visits } from '../scratch.js';

const here = scratch();
const { write, run, json, at, exists, names } = here;
const args = (text: string) => text.split(' ');
const noise = args('--column visits --epsilon 1 --adjacency 5 --dataset d');
const unpacked = (name: string) => gunzipSync(readFileSync(at(name))).toString('utf8');

const spent = () =>
  json<{ datasets: { dataset: string; spent: { epsilon: string } }[] }>(['ledger', 'status']).datasets.find(
    ({ dataset }) => dataset === 'd',
  )!.spent.epsilon;

describe('gzipped text', () => {
  it('is released as the same text is that is not', () => {
    write('v.csv.gz', gzipSync(readFileSync(visits)));
    expect(json(['release', 'v.csv.gz', ...noise, '-o', 'out.csv.gz'])).toMatchObject({
      rows: 20_190,
      unchanged: ['record', 'health', 'limitation'],
    });
    const [plain, out] = [cells(readFileSync(visits, 'utf8')), cells(unpacked('out.csv.gz'))];
    const others = (rows: string[][]) => rows.map((row) => row.slice(0, 3).join());
    expect(others(out)).toEqual(others(plain));
    const moved = out.slice(1).filter((row, i) => row[3] !== plain[i + 1]![3]).length;
    expect(moved / 20_190).toBeGreaterThan(0.5);
    // The input's name is without both endings.
    expect(
      json(
        args(
          'release v.csv.gz --column visits --epsilon 1 --adjacency 5 -o a.csv --dry-run --ledger new.db',
        ).slice(0, -2),
      ),
    ).toMatchObject({ dataset: 'v' });
  });

  it('goes through every format, pipes and counts', () => {
    write('t.tsv.gz', gzipSync('region\tvisits\nN;x\t1\nS\t2\n'));
    run(['release', 't.tsv.gz', ...noise, '-o', 't.parquet']);
    run(['release', 't.parquet', ...noise, '-o', 't2.tsv.gz']);
    expect(cells(unpacked('t2.tsv.gz').replaceAll('\t', ',')).map(([region]) => region)).toEqual([
      'region',
      'N;x',
      'S',
    ]);
    const packed = gzipSync('region,visits\n"a\nb",1\n');
    const piped = run(
      ['release', '-', '--input-format', 'csv.gz', '--output-format', 'csv', ...noise, '-o', '-'],
      packed,
    );
    const out = spawnSync(process.execPath, [main, 'release', 't.tsv.gz', ...noise, '-o', '-'], {
      cwd: at('.'),
    });
    expect([out.status, gunzipSync(out.stdout).toString('utf8').split('\t')[0]]).toEqual([0, 'region']);
    expect([piped.code, piped.stdout.startsWith('region,visits\n"a\nb",')]).toEqual([0, true]);
    expect(
      json(args('count t.tsv.gz --by region --domain region=S,E --epsilon 1 --dataset d -o c.csv.gz')),
    ).toMatchObject({ rows: 2 });
  });

  it('counts the rows of each person by a reading of its own', () => {
    write('p.csv.gz', gzipSync('who,visits\n7,1\n7.0,2\n8,3\n'));
    const people = ['--person', 'who', '--per-person', '1'];
    const told = run(['release', 'p.csv.gz', ...noise, ...people, '-o', 'p.csv']);
    expect([told.code, told.stderr]).toEqual([
      2,
      expect.stringMatching(/a value of "who" has more than 1 row.*Nothing was released or charged/),
    ]);
    expect(
      run(['release', 'p.csv.gz', ...noise, '--person', 'who', '--per-person', '2', '-o', 'p.csv']).code,
    ).toBe(0);
  });

  it('that is damaged, cut off or none is refused, and nothing of it is left or charged', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `${i},${(i * 7919) % 1000}`).join('\n');
    const whole = gzipSync(`id,visits\n${rows}\n`);
    const middle = Buffer.from(whole);
    middle.fill(0, whole.length / 2, whole.length / 2 + 64);
    const before = spent();
    write('cut.csv.gz', whole.subarray(0, whole.length - 1000));
    write('middle.csv.gz', middle);
    write('checksum.csv.gz', Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]));
    write('none.csv.gz', 'id,visits\n1,2\n');
    write('between.csv.gz', Buffer.concat([whole, Buffer.alloc(1), whole]));
    for (const [name, ...more] of [
      ...[['cut'], ['middle'], ['checksum'], ['none'], ['between']],
      ['cut', '--person', 'id', '--per-person', '1'],
      ['middle', '--person', 'id', '--per-person', '1'],
    ]) {
      const told = run(['release', `${name}.csv.gz`, ...noise, ...more, '-o', `${name}.csv`]);
      expect([name, told.code, told.stderr]).toEqual([
        name,
        2,
        expect.stringMatching(/not a gzip file, or a damaged one; name its format with --input-format/),
      ]);
      expect(exists(`${name}.csv`)).toBe(false);
    }
    expect(spent()).toBe(before);
    // Nothing goes to standard output before the whole input is known to be sound.
    const out = spawnSync(
      process.execPath,
      [main, ...args('release - --input-format csv.gz --output-format csv.gz -o -'), ...noise],
      { cwd: at('.'), input: whole.subarray(0, whole.length - 1000) },
    );
    expect(out.status).toBe(2);
    expect(out.stdout).toHaveLength(0);
    expect(spent()).toBe(before);
    expect(names().filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('under another name is recognised', () => {
    write('x.csv', gzipSync('visits\n1\n'));
    expect(run(['release', 'x.csv', ...noise, '-o', 'y.csv']).stderr).toMatch(
      /this file is compressed; say so with --input-format csv\.gz/,
    );
    expect(run(['release', 'x.csv', '--input-format', 'csv.gz', ...noise, '-o', 'y.csv']).code).toBe(0);
  });
});
