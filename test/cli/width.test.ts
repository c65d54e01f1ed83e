// Tables of the terminal at 80 columns: no row is wider, so that none is broken.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';

const { run } = scratch();
const { COLUMNS } = process.env;

beforeAll(() => {
  process.env.COLUMNS = '80';
});
afterAll(() => {
  if (COLUMNS === undefined) delete process.env.COLUMNS;
  else process.env.COLUMNS = COLUMNS;
});

it.each([
  [
    [
      'compare',
      'gaussian:sigma=10',
      'laplace:scale=5',
      'staircase:width=5,ratio=0.4',
      '--adjacency',
      '5',
      '--prior',
      'poisson:rate=5',
    ],
  ],
  [
    [
      'tradeoff',
      '--paper',
      '--epsilon',
      '0.1..4',
      '--points',
      '3',
      '--adjacency',
      '5',
      '--prior',
      'poisson:rate=5',
    ],
  ],
  [['design', '--epsilon', '1', '--adjacency', '5', '--prior', 'poisson:rate=3']],
  [['analyze', 'gaussian:sigma=3', '--adjacency', '2', '--continuous']],
  [
    [
      'account',
      'geometric:scale=30',
      'discrete-gaussian:sigma=12.5',
      '--times',
      '100',
      '--delta',
      '1e-6',
      '--adjacency',
      '1',
    ],
  ],
  [
    [
      'advise',
      visits,
      '--column',
      'visits',
      '--adjacency',
      '5',
      '--per-person',
      '1',
      '--times',
      '4',
      '--epsilon',
      '1',
    ],
  ],
  [['ledger', 'history']],
  [['ledger', 'status']],
])('%j', (args) => {
  if (args[0] === 'ledger')
    run([
      'release',
      visits,
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '-o',
      `${args[1]}.csv`,
      '--dataset',
      'trips-of-2024',
    ]);
  const { code, stdout, stderr } = run(args);
  expect(code).toBe(0);
  const lines = `${stderr}\n${stdout}`.split('\n');
  // Rows have cells that stand apart, other than words behind a label; of the history all lines are rows.
  const rows = lines.filter(
    (line) => args[1] === 'history' || /\S {2,}\S/.test(line.replace(/^[a-z]+(?: [a-z]+)? {2,}/, '')),
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((line) => [...line].length > 80)).toEqual([]);
});
