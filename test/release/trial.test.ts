// A trial: what a release would cost, without the data.

import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

describe('a trial', () => {
  it('tells cost, budget and error, reads only the header and writes nothing', () => {
    const folder = scratch();
    // Rows that could not be released: a trial does not see them.
    folder.write('trial.csv', 'id,visits\n1,not a number\n1,2,3\n');
    const told = folder.json([
      'release',
      'trial.csv',
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '-o',
      'x.csv',
      '--dry-run',
    ]) as { cost: { epsilon: string }; fits: boolean; error: { meanAbs: number }[] };
    expect(Number(told.cost.epsilon)).toBeCloseTo(1, 9);
    expect(told.fits).toBe(true);
    expect(told.error[0]!.meanAbs).toBeCloseTo(4.786, 2);
    expect(folder.names()).toEqual(['trial.csv']);
    expect(
      folder.run([
        'release',
        'trial.csv',
        '--column',
        'visit',
        '--epsilon',
        '1',
        '--adjacency',
        '5',
        '-o',
        'x.csv',
        '--dry-run',
      ]).stderr,
    ).toMatch(/no column "visit"/);
    folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '0.5', '--adjacency', 'visits=5']);
    const over = folder.run([
      'release',
      'trial.csv',
      '--column',
      'visits',
      '--epsilon',
      '1',
      '-o',
      'x.csv',
      '--dry-run',
      '--dataset',
      'd',
    ]);
    expect([over.code, over.stdout]).toEqual([3, expect.stringMatching(/would be refused/)]);
  });
});
