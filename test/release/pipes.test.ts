// Releases from standard input and to standard output.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cells, main } from '../scratch.js';
import { query, withMechanisms } from './mechanisms.js';

const here = withMechanisms();
const { at, write, read, run, json } = here;

describe('what passes and what changes', () => {
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
    // Nothing has left by standard output where the input turns out invalid, and nothing is spent.
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
    expect(bad).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/row 2/) });
    expect(json(['ledger', 'history', '--dataset', 'bad-pipe']).entries).toMatchObject([
      { state: 'void' },
      { kind: 'void' },
    ]);
  });
});

describe('data that is odd', () => {
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
});
