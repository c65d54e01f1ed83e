import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { design, GAP, parseObjective } from '../../src/design/index.js';
import { parseDecimal, rational, toNumberNear } from '../../src/exact/index.js';
import { makePmf, moments } from '../../src/pmf/index.js';

interface Case {
  readonly kind: string;
  readonly epsilon: string;
  readonly delta?: string;
  readonly adjacency: number;
  readonly from: number;
  readonly weights: readonly number[];
  readonly objective: string;
  readonly unbiased?: boolean;
  readonly symmetric?: boolean;
  readonly value: number;
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/design.json', import.meta.url), 'utf8'),
) as Record<'wasserstein' | 'variants' | 'approximate', Case[]>;
const step = rational(1n);

function solve(problem: Case) {
  const prior = makePmf({
    step,
    from: problem.from,
    weights: problem.weights.map(BigInt),
    left: null,
    right: null,
  });
  return design(
    {
      epsilon: parseDecimal(problem.epsilon),
      delta: parseDecimal(problem.delta ?? '0'),
      adjacency: problem.adjacency,
    },
    {
      objective: parseObjective(problem.objective, step),
      prior: { pmf: prior, spec: 'vector', cut: null },
      unbiased: problem.unbiased === true,
      symmetric: problem.symmetric === true,
    },
    step,
  );
}

/** Equal to the independent programme's certified value, with a bound that is none above it. */
function check(problem: Case) {
  const { value, lowerBound, gap, certificate, mechanism } = solve(problem);
  if (problem.unbiased) expect(Math.abs(toNumberNear(moments(mechanism.pmf).mean))).toBeLessThan(1e-9);
  expect(certificate.holds).toBe(true);
  expect(Math.abs(value / problem.value - 1)).toBeLessThan(1e-6);
  expect(lowerBound).toBeLessThanOrEqual(problem.value * (1 + 1e-9));
  expect(gap).toBeLessThan(GAP);
}

describe('the optimum agrees with a linear programme of all rows, solved by another program', () => {
  const kinds = [...new Set(vectors.wasserstein.map(({ kind }) => kind))];
  it('has enough problems', () => {
    expect(vectors.wasserstein.length).toBeGreaterThanOrEqual(200);
    expect(kinds.length).toBeGreaterThanOrEqual(7);
  });
  for (const kind of kinds) {
    it(`on W for ${kind} inputs`, () => {
      for (const problem of vectors.wasserstein.filter((one) => one.kind === kind)) check(problem);
    });
  }
  for (const problem of vectors.variants) {
    const flags = `${problem.unbiased ? ', unbiased' : ''}${problem.symmetric ? ', symmetric' : ''}`;
    it(`on ${problem.objective}${flags}, ε = ${problem.epsilon}, m = ${problem.adjacency}`, () =>
      check(problem));
  }
  for (const problem of vectors.approximate) {
    it(`on ${problem.objective}, ε = ${problem.epsilon}, δ = ${problem.delta}, m = ${problem.adjacency}`, () =>
      check(problem));
  }
});
