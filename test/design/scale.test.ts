// Designs with δ > 0 on many points: near the optimum, with a bound that holds; and rough inputs.

import { describe, expect, it } from 'vitest';
import { ladderOf, solveApproximate } from '../../src/design/approximate.js';
import type { ApproximateProblem } from '../../src/design/cells.js';
import { alternatives, describeStairs, design, parseObjective } from '../../src/design/index.js';
import { tiedLayout } from '../../src/design/layout.js';
import { mirrored } from '../../src/design/mirrored.js';
import { parseDecimal, rational } from '../../src/exact/index.js';
import { windowPmf } from '../../src/pmf/index.js';
import { parsePrior } from '../../src/spec/index.js';

const step = rational(1n);
const prior = (text: string) =>
  parsePrior(text, step, { table: () => [], column: () => [], columnIsPublic: true });
const optionsOf = (objective: string, input?: string) => ({
  objective: parseObjective(objective, step),
  prior: input === undefined ? null : prior(input),
  unbiased: false,
  symmetric: false,
});
const targetOf = (epsilon: string, delta: string, adjacency: number) => ({
  ...{ epsilon: parseDecimal(epsilon), delta: parseDecimal(delta), adjacency },
});

describe('a design with δ > 0 at scale', () => {
  it.each([
    ['wasserstein', '2', '1e-6', 50, 'gaussian:sigma=50'],
    ['magnitude', '0.5', '1e-3', 200, undefined],
    ['variance', '1', '1e-6', 1000, undefined],
  ])('%s, ε = %s, δ = %s, m = %d: within 0.3 % of its bound', (objective, epsilon, delta, m, input) => {
    const target = targetOf(epsilon, delta, m);
    const options = optionsOf(objective, input);
    const { gap, certificate, value, lowerBound } = design(target, options, step);
    expect(certificate.holds).toBe(true);
    expect(gap).toBeLessThan(3e-3);
    expect(lowerBound).toBeGreaterThan(0);
    for (const other of alternatives(target, options, step)) expect(value).toBeLessThanOrEqual(other.value);
  });

  it('goes on to the gap that is asked for', () => {
    const target = targetOf('2', '1e-3', 36);
    const options = optionsOf('magnitude');
    expect(design(target, { ...options, gap: 1e-4 }, step).gap).toBeLessThan(1e-4);
  });

  it('ends where it is told to, with noise that is certified', () => {
    let asked = 0;
    const isStopped = () => asked++ > 10;
    const found = design(targetOf('1', '1e-6', 60), { ...optionsOf('variance'), isStopped }, step);
    expect(found.certificate.holds).toBe(true);
    expect(found.lowerBound).toBeLessThanOrEqual(found.value);
  });

  // Cells, ties and fractions of steps may only lower the bound, and never the value.
  it.each([
    ['magnitude', 1, 1e-3, 12, [4, 5, 6, 12]],
    ['variance', 2, 1e-6, 12, [3, 4, 5, 6, 12]],
    ['wasserstein', 1, 1e-4, 8, [3, 4, 8]],
  ])('%s: no bound of fewer cells is above the optimum', (text, epsilon, delta, m, counts) => {
    const even = mirrored(prior('gaussian:sigma=6').pmf, 1e-9)!;
    const growth = Math.exp(epsilon);
    const problem: ApproximateProblem = {
      adjacency: m,
      epsilon,
      growth: growth * (1 - 2 ** -42),
      growthUp: growth * (1 + 2 ** -50),
      delta,
      asked: delta,
      objective: parseObjective(text, step),
      prior: text === 'wasserstein' ? even.pmf : null,
      unbiased: false,
      symmetric: true,
    };
    const exact = solveApproximate(problem, ladderOf(problem, 1e12)[0]!.layout);
    expect(exact.grain).toBe(1);
    const stairs = Math.log1p(Math.expm1(epsilon) / (2 * delta)) / epsilon;
    for (const cells of counts) {
      const layout = tiedLayout(
        cells,
        {
          centre: 1.5 * cells,
          end: cells * (stairs - 2.5),
          reach: cells * (stairs + 1.5),
          growth: problem.growth,
        },
        true,
      );
      const { lowerBound } = solveApproximate(problem, layout);
      expect(lowerBound).toBeLessThanOrEqual(exact.lowerBound * (1 + 1e-6));
      expect(lowerBound).toBeGreaterThan(0.5 * exact.lowerBound);
    }
  });
});

describe('an input that is the same from both ends', () => {
  it('is found whatever its window, and what it is off by is counted', () => {
    const weights = [1n, 5n, 20n, 5n, 1n];
    expect(mirrored(windowPmf(step, 3, weights), 0)).toMatchObject({ away: 0 });
    // One more point of next to nothing on one side.
    const longer = windowPmf(step, 0, [...weights.map((w) => w << 60n), 1n]);
    expect(mirrored(longer, 1e-15)!.away).toBeGreaterThan(0);
    expect(mirrored(longer, 0)).toBeNull();
    expect(mirrored(windowPmf(step, 0, [1n, 2n, 4n]), 0.01)).toBeNull();
  });
});

describe('rough inputs', () => {
  const zipf = (points: number) => ({
    pmf: windowPmf(
      step,
      0,
      Array.from({ length: points }, (_, k) => BigInt(Math.round(1e15 / (k + 1) ** 1.5))),
    ),
    spec: 'zipf',
    cut: null,
  });

  // Values of the compact programme, solved by an interior point method of another program.
  it.each([
    ['0.7', 4, 3.5117794],
    ['1.5', 9, 3.4319329],
    ['2.5', 12, 2.1545317],
    ['3', 20, 2.8837752],
  ])('Zipf 1.5 on 200 points, ε = %s, m = %d, is closed', (epsilon, m, optimum) => {
    const options = { ...optionsOf('wasserstein'), prior: zipf(200) };
    const { value, gap, certificate, parts, mechanism } = design(targetOf(epsilon, '0', m), options, step);
    // Written out, it is no mixture of a few, and has tails all the same.
    if (parts === 0) expect(describeStairs(mechanism.pmf, parts)[0]).not.toContain('without tails');
    expect(certificate.holds).toBe(true);
    expect(gap).toBeLessThan(1e-6);
    expect(Math.abs(value / optimum - 1)).toBeLessThan(1e-6);
  });

  it('a smooth input of a hundred thousand points needs no programme in its probabilities', () => {
    const { gap, certificate } = design(
      targetOf('2', '0', 10_000),
      optionsOf('wasserstein', 'gaussian:sigma=10000'),
      step,
    );
    expect(certificate.holds).toBe(true);
    expect(gap).toBeLessThan(1e-6);
  });

  it('goes on with finer knots until the gap asked for is reached', () => {
    const options = { ...optionsOf('wasserstein'), prior: zipf(1000), gap: 1e-6 };
    expect(design(targetOf('0.3', '0', 3), options, step).gap).toBeLessThan(1e-6);
  });
});

describe('targets that are out of the way', () => {
  // The duals are passed on outward for as long as e^ε takes.
  it.each([
    ['0.01', '1e-5', 1, 98.7602],
    ['0.001', '1e-3', 1, 189.142],
  ])('ε = %s, δ = %s, m = %d has a bound', (epsilon, delta, m, value) => {
    const found = design(targetOf(epsilon, delta, m), optionsOf('magnitude'), step);
    expect(found.gap).toBeLessThan(1e-6);
    expect(Math.abs(found.value / value - 1)).toBeLessThan(1e-5);
  });

  it('data further apart than the noise reaches has one as well', () => {
    const weights = [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 986].map(BigInt);
    const options = {
      ...optionsOf('wasserstein'),
      prior: { pmf: windowPmf(step, 1, weights), spec: 'far', cut: null },
    };
    expect(design(targetOf('2', '0.3', 2), options, step).gap).toBeLessThan(1e-6);
  });

  it('noise with too many small peaks to be certified is freed of them', () => {
    const { gap, certificate } = design(targetOf('0.5', '1e-3', 3000), optionsOf('magnitude'), step);
    expect(certificate.holds).toBe(true);
    expect(gap).toBeLessThan(1e-3);
  });
});
