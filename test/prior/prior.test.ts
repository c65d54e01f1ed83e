import { describe, expect, it } from 'vitest';
import { parseDecimal, rational, toNumberNear } from '../../src/exact/index.js';
import { moments } from '../../src/pmf/index.js';
import { buildPrior, columnPmf, priorFamilies } from '../../src/prior/index.js';

const one = rational(1n);
const family = (name: string) => priorFamilies.find((found) => found.name === name)!;

describe('families of priors', () => {
  it('have names, meanings and parameters of their own', () => {
    expect(priorFamilies.map(({ name }) => name)).toEqual(['gaussian', 'poisson', 'uniform', 'point']);
    for (const { meaning, parameters } of priorFamilies) {
      expect(meaning).not.toBe('');
      for (const { meaning: of } of parameters) expect(of).not.toBe('');
    }
  });

  it('have the moments that their names promise', () => {
    const mean = (name: string, values: Record<string, string>) =>
      toNumberNear(moments(buildPrior(family(name), values, one).pmf).mean);
    expect(mean('poisson', { rate: '3.5' })).toBeCloseTo(3.5, 9);
    // Rounded down to the lattice: half a step low.
    expect(mean('gaussian', { sigma: '4', mu: '7' })).toBeCloseTo(6.5, 9);
    expect(mean('uniform', { low: '-2', high: '8' })).toBe(3);
    expect(mean('point', { at: '4' })).toBe(4);
  });

  it('ask for what is missing', () => {
    expect(() => buildPrior(family('poisson'), {}, one)).toThrow(
      /^prior poisson: expected the parameter rate$/,
    );
    expect(() => buildPrior(family('uniform'), { low: '1' }, one)).toThrow(/parameter high/);
  });

  it('of a column are its counts, whatever the step', () => {
    const pmf = columnPmf(['1', '2.5', '', '1.0', '-0.5'], parseDecimal('0.5'));
    expect([pmf.from, pmf.weights]).toEqual([-1, [1n, 0n, 0n, 2n, 0n, 0n, 1n]]);
    expect(() => columnPmf(['', ''], one)).toThrow(/at least one value/);
    expect(() => columnPmf(['0.5'], one)).toThrow(/multiple of the step 1, got 0\.5/);
  });
});
