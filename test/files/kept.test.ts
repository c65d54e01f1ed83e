// What no command overwrites, whatever is said: the settings that name a ledger, and ledgers.

import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';

const SPELT = ['discreet.json', './kept/../discreet.json', 'link.json', 'hard.json'];
const SETTINGS = '{"ledger": "kept/own.db"}';

/** Every command that writes a file that is named, up to the name. */
const COMMANDS: readonly (readonly [name: string, ...args: string[]])[] = [
  ['design', 'design', '--epsilon', '1', '--adjacency', '5', '-o'],
  ['calibrate', 'calibrate', 'geometric', '--epsilon', '1', '--adjacency', '5', '-o'],
  ['compile', 'compile', 'laplace:scale=15', '--adjacency', '15', '--claim-epsilon', '1', '-o'],
  ['picture', 'design', '--epsilon', '1', '--adjacency', '5', '--svg'],
  ['recover', 'recover', 'in.csv', '--column', 'visits', '--mechanism', 'm.json', '--csv'],
  ['sample', 'sample', 'm.json', '-n', '10', '-o'],
  [
    'release',
    'release',
    'in.csv',
    '--column',
    'visits',
    '--mechanism',
    'm.json',
    '--dataset',
    'd',
    '--output-format',
    'csv',
    '-o',
  ],
  [
    'JSON lines',
    'release',
    'in.jsonl',
    '--column',
    'visits',
    '--mechanism',
    'm.json',
    '--dataset',
    'd',
    '--output-format',
    'jsonl',
    '-o',
  ],
  [
    'count',
    'count',
    'in.csv',
    '--by',
    'visits',
    '--domain',
    'visits=1..3',
    '--epsilon',
    '1',
    '--dataset',
    'd',
    '--output-format',
    'csv',
    '-o',
  ],
  [
    'driver',
    'pipe',
    '--drive',
    'in.csv',
    '--column',
    'visits',
    '--mechanism',
    'm.json',
    '--id',
    'id',
    '--dataset',
    'd',
    '--dry-run',
    '-o',
  ],
  ['ledger export', 'ledger', 'export', '-o'],
];

function prepared() {
  const here = scratch();
  here.write('in.csv', 'id,visits\n1,2\n2,3\n');
  here.write('in.jsonl', '{"visits":2}\n');
  mkdirSync(here.at('kept'));
  here.write('discreet.json', SETTINGS);
  expect(here.run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
  here.json([
    'ledger',
    'init',
    '--ledger',
    'kept/own.db',
    '--dataset',
    'd',
    '--epsilon',
    '3',
    '--adjacency',
    'visits=5',
  ]);
  return here;
}

describe('settings that name a ledger', () => {
  it('are no output of any command, under whatever name', () => {
    const { run, read, at, json } = prepared();
    symlinkSync(at('discreet.json'), at('link.json'));
    linkSync(at('discreet.json'), at('hard.json'));
    for (const [name, ...args] of COMMANDS)
      for (const output of name === 'release' ? SPELT : ['discreet.json']) {
        const { code, stderr } = run([...args, output, '--force']);
        expect([name, output, code, stderr]).toEqual([
          name,
          output,
          2,
          expect.stringMatching(/holds the settings that name the ledger/),
        ]);
      }
    // A prior's name ends in .csv, and so may a link's.
    symlinkSync(at('discreet.json'), at('link.csv'));
    const prior = ['prior', 'in.csv', '--column', 'visits', '--range', '0,9', '--epsilon', '1'];
    expect(run([...prior, '--dataset', 'd', '-o', 'link.csv', '--force'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/holds the settings that name the ledger/),
    });
    expect(read('discreet.json')).toBe(SETTINGS);
    const report = [
      'release',
      'in.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '-o',
      'o.csv',
    ];
    // Its figures would be written there.
    expect(run([...report, '--report', 'discreet.html', '--force'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/discreet\.json holds the settings that name the ledger/),
    });
    expect(read('discreet.json')).toBe(SETTINGS);
    expect(json<{ entries: unknown[] }>(['ledger', 'history']).entries).toHaveLength(1);
  });

  it('are none where there are none yet, which would hide a ledger', () => {
    const { run, exists } = scratch();
    const design = ['design', '--epsilon', '1', '--adjacency', '5', '-o', 'discreet.json'];
    expect(run(design)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/settings that name the ledger/),
    });
    expect(exists('discreet.json')).toBe(false);
    // A name that only looks like it is free.
    expect(run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'my-discreet.json']).code).toBe(0);
  });
});

describe('a ledger', () => {
  it('is no output of any command, whether it is the one that is meant or another', () => {
    const { run, read, json } = prepared();
    json([
      'ledger',
      'init',
      '--ledger',
      'another.db',
      '--dataset',
      'd',
      '--epsilon',
      '3',
      '--adjacency',
      'visits=5',
    ]);
    const ledgers = ['kept/own.db', 'another.db'];
    const before = ledgers.map(read);
    for (const [name, ...args] of COMMANDS)
      for (const output of name === 'release' ? [...ledgers, 'another.db-journal'] : ['another.db']) {
        const { code, stderr } = run([...args, output, '--force']);
        expect([name, output, code, stderr]).toEqual([
          name,
          output,
          2,
          expect.stringMatching(/this is the ledger/),
        ]);
      }
    expect(ledgers.map(read)).toEqual(before);
    // What is no database is overwritten as ever.
    expect(
      run([
        'release',
        visits,
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '--dataset',
        'd',
        '-o',
        'in.csv',
        '--force',
      ]).code,
    ).toBe(0);
  });
});
