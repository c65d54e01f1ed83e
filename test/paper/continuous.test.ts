import { describe, expect, it } from 'vitest';
import { sections } from '../../src/paper/index.js';

describe('before and after discretising', () => {
  it('shows the five families against Δ, none above its density', async () => {
    const { tables } = await sections.continuous!({
      inputs: [],
      seed: '1',
      simulate: async () => new Float64Array(),
    });
    const steps = tables.find(({ name }) => name === 'continuous-steps')!;
    expect(steps.header).toEqual(['noise', 'Δ', 'pure ε', 'δ(1)']);
    for (const family of ['gaussian', 'laplace', 'staircase', 'uniform', 'exponential']) {
      const rows = steps.rows.filter(([noise]) => String(noise).startsWith(`${family}:`));
      const [limit, ...lattices] = rows.map((row) => Number(row[3]));
      expect(rows[0]![1]).toBe(0);
      expect(lattices.length).toBeGreaterThanOrEqual(5);
      for (const delta of lattices) expect(delta).toBeLessThanOrEqual(limit! * (1 + 1e-12));
      // On the finest lattice it is close.
      expect(lattices[0]! / limit!).toBeGreaterThan(0.9999);
    }
  });

  it('computes the three columns of Table I', async () => {
    const { tables } = await sections.continuous!({
      inputs: [],
      seed: '1',
      simulate: async () => new Float64Array(),
    });
    const { rows } = tables.find(({ name }) => name === 'continuous-table1')!;
    const at = (work: string, m: number) =>
      Number(rows.find((row) => row[0] === work && String(row[2]).includes('gaussian') && row[3] === m)![5]);
    // The discrete Gaussian is above the density, the rounded one below.
    expect(at('He et al.', 1)).toBeCloseTo(6.856582455838726e-9, 20);
    expect(at('Canonne et al.', 1)).toBeGreaterThan(at('He et al.', 1));
    expect(at('the paper', 1)).toBeLessThan(at('He et al.', 1));
  });
});
