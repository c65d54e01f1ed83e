// Designs on KL and JS: against a conic programme by another solver, and against other noise.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { design, type Objective, objectiveValue, parseObjective } from '../../src/design/index.js';
import { isOurs } from '../../src/error/index.js';
import { parseDecimal, rational } from '../../src/exact/index.js';
import { compile } from '../../src/mechanism/index.js';
import { isUnimodal, makePmf, type Pmf } from '../../src/pmf/index.js';
import { parseNoise } from '../../src/spec/index.js';

interface Case {
  readonly objective: 'kl' | 'js';
  readonly prior: readonly string[];
  readonly epsilon: string;
  readonly adjacency: number;
  readonly symmetric: boolean;
  readonly value: number;
}

const { cases } = JSON.parse(
  readFileSync(new URL('../vectors/divergences.json', import.meta.url), 'utf8'),
) as { cases: readonly Case[] };
const step = rational(1n);
const inputOf = (masses: readonly number[]): Pmf => {
  const weights = masses.map((mass) => BigInt(Math.round(mass * 1e9)));
  const from = weights.findIndex((weight) => weight > 0n);
  const to = weights.findLastIndex((weight) => weight > 0n);
  return makePmf({ step, from, weights: weights.slice(from, to + 1), left: null, right: null });
};
const asked = (objective: Objective, prior: Pmf, symmetric = false) => ({
  ...{ objective, prior: { pmf: prior, spec: 'vector', cut: null } },
  ...{ unbiased: false, symmetric },
});

describe('the least divergence', () => {
  it.each(cases)('$objective, ε = $epsilon, m = $adjacency, symmetric $symmetric, agrees', (one) => {
    const { epsilon, adjacency, symmetric } = one;
    const found = design(
      { epsilon: parseDecimal(epsilon), delta: rational(0n), adjacency },
      asked(parseObjective(one.objective, step), inputOf(one.prior.map(Number)), symmetric),
      step,
    );
    expect(found.certificate.holds).toBe(true);
    expect(found.gap).toBeLessThan(1e-6);
    expect(Math.abs(found.value - one.value)).toBeLessThan(1e-6 * one.value);
    expect(found.lowerBound).toBeLessThanOrEqual(one.value * (1 + 1e-6));
    if (symmetric) expect(found.mechanism.pmf.from).toBe(-(found.mechanism.pmf.weights.length - 1) / 2);
  });

  it('is above its lower bound for any noise with the same guarantee', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 1000 }), { minLength: 1, maxLength: 12 }).filter((w) => w.some((v) => v > 0)),
        fc.constantFrom('kl', 'js', 'kl,magnitude=0.05', 'js,kl=2,variance=0.001'),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('0.3', '1', '2.5'),
        (weights, goal, adjacency, epsilon) => {
          const objective = parseObjective(goal, step);
          const prior = inputOf(weights.map((v) => v / 1e9));
          const target = { epsilon: parseDecimal(epsilon), delta: rational(0n), adjacency };
          const { value, lowerBound } = design(target, asked(objective, prior), step);
          expect(lowerBound).toBeLessThanOrEqual(value);
          for (const noise of [
            `geometric:scale=${adjacency / Number(epsilon)}`,
            `geng-viswanath:epsilon=${epsilon},adjacency=${adjacency}`,
          ]) {
            const { pmf } = compile(
              parseNoise(noise, step, () => []),
              adjacency,
              target,
            );
            expect(objectiveValue(pmf, objective, prior)).toBeGreaterThanOrEqual(lowerBound);
            expect(objectiveValue(pmf, objective, prior)).toBeGreaterThan(value * (1 - 1e-6));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of a smooth wide input keeps its digits, though it is next to nothing', () => {
    const masses = Array.from({ length: 3201 }, (_, k) => Math.exp(-(((k - 1600) / 200) ** 2) / 2));
    const prior = makePmf({
      ...{ step, from: -1600, left: null, right: null },
      weights: masses.map((v) => BigInt(Math.round(v * 1e15)) + 1n),
    });
    for (const goal of ['kl', 'js']) {
      const { value, gap, mechanism } = design(
        { epsilon: rational(1n), delta: rational(0n), adjacency: 2 },
        asked(parseObjective(goal, step), prior),
        step,
      );
      expect(gap).toBeLessThan(1e-3);
      // To second order (E θ² / 4σ²)² for KL, a fourth of it for JS.
      expect(value).toBeGreaterThan(1e-11);
      expect(value).toBeLessThan(1e-7);
      expect(isUnimodal(mechanism.pmf)).toBe(true);
    }
  });

  it('is refused with δ, with W, without an input, and with no bias that is not symmetry', () => {
    const target = { epsilon: rational(1n), delta: rational(1n, 1000n), adjacency: 2 };
    const pure = { ...target, delta: rational(0n) };
    const goal = parseObjective('kl', step);
    const prior = inputOf([0.5, 0.5]);
    const refused = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        if (isOurs(error, 'argument')) return `${error.field}: ${error.message}`;
        throw error;
      }
      return 'taken';
    };
    expect(refused(() => design(target, asked(goal, prior), step))).toMatch(/^objective.*pure ε/);
    expect(refused(() => design(pure, { ...asked(goal, prior), prior: null }, step))).toMatch(/`prior`/);
    expect(refused(() => design(pure, { ...asked(goal, prior), unbiased: true }, step))).toMatch(/symmetric/);
    expect(refused(() => parseObjective('kl,wasserstein', step))).toMatch(/without wasserstein/);
  });
});
