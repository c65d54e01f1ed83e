// True values stay inside.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

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
