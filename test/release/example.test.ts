// The example data, from the command to the ledger.

import { describe, expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';

describe('the example data', () => {
  it('is released by one command, with a report and a ledger', () => {
    const folder = scratch();
    const released = folder.json([
      'release',
      visits,
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--prior',
      'poisson:rate=3',
      '-o',
      'out.csv',
      '--report',
      'r.html',
    ]);
    expect(released).toMatchObject({
      rows: 20_190,
      dataset: 'doctor-visits',
      unchanged: ['record', 'health', 'limitation'],
      unit: 'for one row; rows per person were not stated',
    });
    expect(folder.names()).toEqual([
      'discreet-ledger.db',
      'out.csv',
      'out.csv.mechanism.json',
      'r.html',
      'r.json',
    ]);
    expect(folder.run(['verify', 'out.csv.mechanism.json']).code).toBe(0);
    expect(folder.run(['ledger', 'check', '--head', released.head as string]).code).toBe(0);
  });
});
