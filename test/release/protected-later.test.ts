// What a column was used for first, and may it be protected afterwards: by a release, by a prior, by the budget.

import { describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.js';

const ROWS = Array.from({ length: 6 }, (_, i) => `${i + 1},${1 + (i % 2)},${3 * i},${20 + i}`);
const NOISE = ['--epsilon', '1', '--dataset', 'd', '--force'];

/** What uses the column `region` while nobody protects it. */
const FIRST = {
  'told parts': [
    ...['count', 'd.csv', '--by', 'key', '--domain', 'key=1..6', '--part', '1', '-o', 'c.csv', ...NOISE],
  ],
  'was counted by': ['count', 'd.csv', '--by', 'region', '--domain', 'region=1,2', '-o', 'c.csv', ...NOISE],
  'counted rows': [
    ...[
      'count',
      'd.csv',
      '--by',
      'key',
      '--domain',
      'key=1..6',
      '--counted',
      'region',
      '-o',
      'c.csv',
      ...NOISE,
    ],
  ],
  'left as it was': ['release', 'd.csv', '--column', 'visits', '-o', 'a.csv', ...NOISE],
  'was passed': ['release', 'd.csv', '--column', 'visits', '--pass', 'region', '-o', 'a.csv', ...NOISE],
  'was left out': ['release', 'd.csv', '--column', 'visits', '--drop', 'region', '-o', 'a.csv', ...NOISE],
  'told persons apart': [
    ...[
      'count',
      'd.csv',
      '--by',
      'age',
      '--domain',
      'age=20..25',
      '--person',
      'region',
      '-o',
      'c.csv',
      ...NOISE,
    ],
  ],
  'was not looked at': ['count', 'd.csv', '--by', 'age', '--domain', 'age=20..25', '-o', 'c.csv', ...NOISE],
} as const;
type Use = keyof typeof FIRST;

/** What protects it then: without a budget by a release or a prior, under one by a prior or another budget. */
const THEN = {
  release: [
    'release',
    'd.csv',
    '--column',
    'region',
    '--adjacency',
    '1',
    '--pass',
    'visits',
    '-o',
    'b.csv',
    ...NOISE,
  ],
  prior: ['prior', 'd.csv', '--column', 'region', '--range', '0,9', '-o', 'p.csv', ...NOISE],
  budget: [
    'ledger',
    'init',
    '--dataset',
    'd',
    '--epsilon',
    '9',
    '--adjacency',
    'visits=5',
    '--adjacency',
    'region=1',
  ],
} as const;
type Way = keyof typeof THEN;

const REFUSED: Readonly<Record<Use, RegExp | null>> = {
  'told parts': /tells the parts|was for a part of region|would change the part/,
  'was counted by': /counted by region, which was not protected then/,
  'counted rows': /counted rows by what region says/,
  'left as it was': /did not protect region, which may have left/,
  'was passed': /let region leave as it is/,
  'was left out': null,
  'told persons apart': /told persons apart by region/,
  'was not looked at': null,
};

/** What a budget says of persons whose rows are counted. */
const rowsOf = (use: Use) => (use === 'told persons apart' ? ['--per-person', '3'] : []);

function folderOf(use: Use, hasBudget: boolean): Scratch {
  const folder = scratch();
  folder.write('d.csv', `key,region,visits,age\n${ROWS.join('\n')}\n`);
  if (hasBudget)
    folder.json([
      ...['ledger', 'init', '--dataset', 'd', '--epsilon', '9', '--adjacency', 'visits=5'],
      ...(use === 'told parts' ? ['--partition', 'region=1,2'] : []),
      ...rowsOf(use),
    ]);
  const adjacency = FIRST[use][0] === 'release' && !hasBudget ? ['--adjacency', '5'] : [];
  const rows = hasBudget ? [] : rowsOf(use);
  expect(folder.run([...FIRST[use], ...adjacency, ...rows])).toMatchObject({ code: 0 });
  return folder;
}

const cases = (Object.keys(FIRST) as Use[]).flatMap((use) =>
  // A budget has its columns from the beginning: under one, a release can protect no other.
  (['release', 'prior', 'budget'] as const).flatMap((way) =>
    [true, false]
      .filter((hasBudget) => hasBudget === (way === 'budget' || use === 'told parts') || way === 'prior')
      .filter((hasBudget) => hasBudget || use !== 'told parts')
      .filter((hasBudget) => !(hasBudget && way === 'release'))
      .map((hasBudget) => ({ use, way: way as Way, hasBudget })),
  ),
);

describe('a column that nobody protected', () => {
  it.each(cases)('and $use, protected by a $way after it (budget: $hasBudget)', ({ use, way, hasBudget }) => {
    const folder = folderOf(use, hasBudget);
    const entries = () => folder.json<{ entries: unknown[] }>(['ledger', 'history']).entries.length;
    const before = entries();
    const change = way === 'budget' && use === 'told parts' ? ['--partition', 'region=1,2'] : [];
    const { code, stderr } = folder.run([
      ...THEN[way],
      ...change,
      ...(way === 'budget' ? [...rowsOf(use), '--change'] : []),
    ]);
    const why = REFUSED[use];
    expect([code, stderr]).toEqual([why ? 2 : 0, expect.stringMatching(why ?? /^/)]);
    if (why) expect(entries()).toBe(before);
  });

  it('tells parts no more once a prior protected it', () => {
    const folder = folderOf('was not looked at', false);
    expect(folder.run(THEN.prior)).toMatchObject({ code: 0 });
    expect(
      folder.run(['ledger', 'init', '--dataset', 'd', '--epsilon', '9', '--partition', 'region=1,2']),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('region, which is to tell parts, was protected'),
    });
  });

  it('is protected all the same in another input, which had not left', () => {
    const folder = folderOf('left as it was', false);
    folder.write('e.csv', 'key,region\n1,2\n');
    const args = THEN.release.map((word) => (word === 'd.csv' ? 'e.csv' : word));
    const without = args.filter((word) => word !== '--pass' && word !== 'visits');
    expect(folder.run(without)).toMatchObject({ code: 0 });
  });
});
