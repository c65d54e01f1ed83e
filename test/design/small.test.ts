// Small designs with δ > 0: closed, never worse than a family of their own table, and unbiased to the last digit.

import { describe, expect, it } from 'vitest';
import { alternatives, design, parseObjective } from '../../src/design/index.js';
import { parseDecimal, rational } from '../../src/exact/index.js';
import { moments } from '../../src/pmf/index.js';
import { parsePrior } from '../../src/spec/index.js';

const step = rational(1n);
const prior = (text: string) =>
  parsePrior(text, step, { table: () => [], column: () => [], columnIsPublic: true });
const solve = (
  [epsilon, delta, adjacency]: readonly [string, string, number],
  { objective, input, unbiased = false }: { objective: string; input?: string; unbiased?: boolean },
) => {
  const target = { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta), adjacency };
  const options = {
    objective: parseObjective(objective, step),
    prior: input === undefined ? null : prior(input),
    unbiased,
    symmetric: false,
  };
  return { target, options, ...design(target, options, step) };
};

describe('a small design with δ > 0', () => {
  it('is the optimum where δ is large beside ε', () => {
    const { value, gap, certificate } = solve(['0.1', '0.1', 5], { objective: 'variance' });
    expect(value).toBeCloseTo(133.037, 2);
    expect(gap).toBeLessThan(1e-5);
    expect(certificate.holds).toBe(true);
  });

  // Canonical noise is the optimum at one step, in closed form (proofs/canonical.md); the design knows nothing of it.
  it.each([
    ['0.01', '1e-9', 'magnitude'],
    ['0.1', '1e-6', 'variance'],
    ['0.5', '0.2', 'magnitude'],
    ['1', '1e-3', 'tail:3'],
    ['2', '0.1', 'variance'],
    ['5', '1e-9', 'magnitude'],
    ['20', '1e-6', 'magnitude'],
  ])('at one step is canonical noise: ε = %s, δ = %s, %s', (epsilon, delta, objective) => {
    const found = solve([epsilon, delta, 1], { objective });
    const others = alternatives(found.target, found.options, step);
    const { value } = others.find(({ name }) => name === 'canonical')!;
    expect(found.value / value).toBeGreaterThan(1 - 1e-9);
    expect(found.value / value).toBeLessThan(1 + 1e-6);
    expect(found.lowerBound / value).toBeGreaterThan(1 - 1e-6);
    expect(found.lowerBound).toBeLessThanOrEqual(value * (1 + 1e-12));
  });

  it.each([
    ['0.1', '1e-9', 'magnitude'],
    ['0.01', '1e-6', 'magnitude'],
    ['20', '1e-6', 'magnitude'],
    ['0.05', '1e-9', 'variance'],
    ['2', '1e-9', 'magnitude'],
  ])('has its bound, at five steps: ε = %s, δ = %s, %s', (epsilon, delta, objective) => {
    const { gap, value, lowerBound, certificate } = solve([epsilon, delta, 5], { objective });
    expect(gap).toBeLessThan(1e-6);
    expect(lowerBound).toBeLessThanOrEqual(value);
    expect(certificate.holds).toBe(true);
  });

  it.each([
    ['0.0421', '0.3', 1, 'magnitude'],
    ['0.1', '0.3', 2, 'variance'],
    ['0.05', '0.05', 3, 'magnitude'],
    ['5', '1e-9', 3, 'variance'],
    ['8', '1e-12', 2, 'magnitude'],
    ['0.5', '0.1', 7, 'tail:9'],
    ['3', '1e-6', 40, 'variance'],
  ])(
    'never loses to a family of its own table: ε = %s, δ = %s, m = %d, %s',
    (epsilon, delta, m, objective) => {
      const { value, lowerBound, target, options } = solve([epsilon, delta, m], { objective });
      const others = alternatives(target, options, step).map((other) => other.value);
      expect(others.length).toBeGreaterThan(0);
      expect(value).toBeLessThanOrEqual(Math.min(...others) * (1 + 1e-12));
      expect(lowerBound).toBeLessThanOrEqual(value);
    },
  );

  it.each([
    ['1', '0.4', 1, 'tail:1', false],
    ['1', '0.4', 1, 'tail:1', true],
    ['1.5', '0.4', 3, 'tail:4', true],
    ['1', '0.4', 2, 'tail:4', true],
    ['2', '0.01', 3, 'tail:9,tail:20=3', false],
  ])(
    'has no tail where that is possible: ε = %s, δ = %s, m = %d, %s',
    (epsilon, delta, m, objective, unbiased) => {
      const { value, gap, certificate } = solve([epsilon, delta, m], { objective, unbiased });
      expect([value, gap, certificate.holds]).toEqual([0, 0, true]);
    },
  );

  it.each([
    ['0', 'poisson:rate=3'],
    ['1e-6', 'poisson:rate=3'],
    ['0.01', 'poisson:rate=1'],
  ])('is unbiased exactly where it says so: δ = %s, %s', (delta, input) => {
    const { mechanism, certificate } = solve(['1', delta, 3], {
      objective: 'wasserstein',
      input,
      unbiased: true,
    });
    expect(moments(mechanism.pmf).mean.num).toBe(0n);
    expect(certificate.holds).toBe(true);
  });
});
