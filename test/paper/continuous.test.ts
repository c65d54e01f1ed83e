import { describe, expect, it } from 'vitest';
import { sections } from '../../src/paper/index.js';

describe('before and after discretising', () => {
  it('shows the five families against Δ, none above its density', async () => {
    const { tables } = await sections.continuous!({ inputs: [], simulate: async () => new Float64Array() });
    const steps = tables.find(({ name }) => name === 'continuous-steps')!;
    expect(steps.header).toEqual(['noise', 'Δ', 'pure ε', 'δ(1)', 'over that of the density']);
    expect(steps.rows).toHaveLength(5 * 6);
    for (const [noise, step, , , ratio] of steps.rows) {
      expect([noise, step, Number(ratio) <= 1 + 1e-12]).toEqual([noise, step, true]);
      if (Number(step) === 0) expect(ratio).toBe(1);
    }
    // On finer lattices they come closer.
    const gaussian = steps.rows
      .filter(([noise]) => noise === 'gaussian:sigma=10')
      .map((row) => Number(row[4]));
    expect(1 - gaussian[4]!).toBeLessThan((1 - gaussian[0]!) / 20);
  });

  it('computes the three columns of Table I', async () => {
    const { tables } = await sections.continuous!({ inputs: [], simulate: async () => new Float64Array() });
    const { rows } = tables.find(({ name }) => name === 'continuous-table1')!;
    const at = (work: string, m: number) =>
      Number(rows.find((row) => row[0] === work && String(row[2]).includes('gaussian') && row[3] === m)![5]);
    // The discrete Gaussian is above the density, the rounded one below.
    expect(at('He et al.', 1)).toBeCloseTo(6.856582455838726e-9, 20);
    expect(at('Canonne et al.', 1)).toBeGreaterThan(at('He et al.', 1));
    expect(at('the paper', 1)).toBeLessThan(at('He et al.', 1));
  });
});
