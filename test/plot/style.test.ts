import { describe, expect, it } from 'vitest';
import { families } from '../../src/noise/index.js';
import { lookOf } from '../../src/plot/index.js';

describe('the look of a mechanism', () => {
  const together = [
    'optimum',
    'P2',
    'laplace',
    'laplace-paper',
    'geometric',
    'staircase:width=5',
    'staircase:width=20',
    'geng-viswanath',
    'canonical',
    'gaussian',
    'discrete-gaussian',
  ];

  it('is told from the others by its colour, by its dash and by its label', () => {
    const looks = together.map(lookOf);
    for (const part of ['colour', 'dash', 'label'] as const)
      expect(new Set(looks.map((look) => look[part])).size).toBe(together.length);
    for (const { colour, dash } of looks) {
      expect(colour).toMatch(/^#[0-9a-f]{6}$/);
      expect(dash).toMatch(/^(\d+( \d+)*)?$/);
    }
  });

  it('is known for every family', () => {
    for (const { name } of families) expect([name, lookOf(name).colour]).not.toEqual([name, '#000000']);
  });

  it('is black, without a dash and under its own name where it has none', () => {
    expect(lookOf('something else')).toEqual({ label: 'something else', colour: '#000000', dash: '' });
  });
});
