// The rules that others use: parameters, and what they make of a list.

import { describe, expect, it } from 'vitest';
import { gaussianMu } from '../../src/account/gdp.js';
import {
  account,
  type Named,
  readPlan,
  readReleases,
  timesWithin,
  totalOf,
} from '../../src/account/index.js';
import { type Losses, lossesOf } from '../../src/account/losses.js';
import { concentratedRho, renyiAt } from '../../src/account/renyi.js';
import { rational } from '../../src/exact/index.js';
import { parseNoise } from '../../src/spec/index.js';

const noFiles = {
  mechanism: (path: string): never => {
    throw new Error(path);
  },
  table: () => [],
};
const list = (noise: string, times: number, adjacency = 1): Named[] =>
  readReleases([{ noise, adjacency, times }], noFiles);
const rhoOf = (law: Losses) => concentratedRho([{ laws: [law], times: 1 }]);
const lawOf = (text: string) =>
  lossesOf(parseNoise(text, rational(1n), () => []).approximate({ adjacency: 1, cut: 400 }).pmf, 1);

describe('parameters of one release', () => {
  it('GDP of a discrete Gaussian, from its window', () => {
    expect(gaussianMu(lawOf('discrete-gaussian:sigma=10'), 1e-15)).toBeCloseTo(0.1000417, 7);
    expect(gaussianMu(lawOf('discrete-gaussian:sigma=100'), 1e-15)).toBeCloseTo(0.01000004, 8);
    // Rounded down, normal noise is post-processing: never worse than μ = 1/σ.
    expect(gaussianMu(lawOf('gaussian:sigma=10'), 1e-15)).toBeLessThan(0.1 + 1e-9);
  });

  it('GDP of noise that has none', () => {
    expect(gaussianMu(lawOf('uniform:low=-10,high=10'), 1e-15)).toBeNull();
  });

  it('Rényi and zCDP of a discrete Gaussian, which is as concentrated as a normal distribution', () => {
    const law = lawOf('discrete-gaussian:sigma=10');
    for (const order of [1.5, 2, 8, 30]) expect(renyiAt(law, order) / (order / 200)).toBeCloseTo(1, 9);
    expect(rhoOf(law) / 0.005).toBeCloseTo(1, 4);
    expect(rhoOf(law)).toBeGreaterThanOrEqual(0.005);
  });

  it('zCDP of pure noise is at most ε²/2', () => {
    expect(rhoOf(lawOf('geometric:scale=2'))).toBeLessThanOrEqual(0.125);
  });
});

describe('an account', () => {
  it('beside the other rules', () => {
    const found = account(list('discrete-gaussian:sigma=10', 100), { delta: 1e-6 });
    expect(found.unit).toBe('epsilon');
    expect(found.method).toBe('native');
    expect(found.upper).toBeCloseTo(4.886571, 6);
    expect(found.comparison.gdp).toBeCloseTo(4.88887, 5);
    expect(found.comparison.renyi).toBeCloseTo(5.2215, 4);
    expect(found.comparison.zcdp).toBeCloseTo(5.2216, 3);
    for (const value of Object.values(found.comparison)) expect(value).toBeGreaterThan(found.upper);
    expect(found.attacker.upper).toBeCloseTo(0.69146, 5);
    expect(found.parameters.mu).toBeCloseTo(1.000417, 6);
  });

  it('of δ at an ε is the inverse', () => {
    const releases = list('geometric:scale=10', 100);
    const { upper } = account(releases, { delta: 1e-6 });
    const back = account(releases, { epsilon: upper });
    expect(back.unit).toBe('delta');
    expect(back.upper / 1e-6).toBeCloseTo(1, 9);
    for (const value of Object.values(back.comparison)) expect(value ?? 1).toBeGreaterThan(back.lower);
  });

  it('no rule is below the lower bound, whatever the noise', () => {
    for (const noise of [
      'laplace:scale=6',
      'gaussian:sigma=9',
      'staircase:width=2,ratio=0.6',
      'exponential:rate=0.02',
    ])
      for (const delta of [1e-3, 0.2]) {
        const { lower, comparison } = account(list(noise, 6), { delta });
        for (const [rule, value] of Object.entries(comparison))
          if (value !== null)
            expect([noise, rule, value >= lower * (1 - 1e-12)]).toEqual([noise, rule, true]);
      }
  });

  it('at δ = 0 is the sum of the largest losses, or says which release has none', () => {
    expect(account(list('geometric:scale=4', 3), { delta: 0 }).upper).toBeCloseTo(0.75, 12);
    expect(() => account(list('discrete-gaussian:sigma=4', 3), { delta: 0 })).toThrow(
      /discrete-gaussian:sigma=4 has no ε at δ = 0/,
    );
  });

  it('tells how often a list fits', () => {
    const releases = list('discrete-gaussian:sigma=10', 1);
    const times = timesWithin(releases, 1, 1e-6);
    const delta = (n: number) => totalOf([{ ...releases[0]!, times: n }]).deltaAt(1).upper;
    expect(delta(times)).toBeLessThanOrEqual(1e-6);
    expect(delta(times + 1)).toBeGreaterThan(1e-6);
  });
});

describe('a plan', () => {
  const read = (releases: unknown) => readPlan(JSON.stringify({ releases }), noFiles);
  it('has releases of several kinds', () => {
    const plan = read([
      { name: 'a', noise: 'geometric:scale=10', adjacency: '1', times: 3 },
      { noise: 'geometric:scale=2', adjacency: 0.5, step: 0.25, of: 'counts', sampling: '0.1' },
    ]);
    expect(plan).toMatchObject([
      { name: 'a', adjacency: 1, times: 3, of: 'rows', sampling: null },
      { name: 'geometric:scale=2', adjacency: 2, times: 1, of: 'counts', sampling: 0.1 },
    ]);
  });

  it.each([
    [[{ adjacency: 1 }], /expected either "noise" or "mechanism"/],
    [
      [{ noise: 'geometric:scale=1', adjacency: 1, times: 0 }],
      /times: expected a whole number from 1 on, got 0/,
    ],
    [[{ noise: 'geometric:scale=1', adjacency: 1, times: 2.5 }], /times: expected a whole number/],
    [[{ noise: 'geometric:scale=1' }], /adjacency: expected how far/],
    [
      [{ noise: 'geometrik:scale=1', adjacency: 1 }],
      /unknown noise family "geometrik"; did you mean geometric\?/,
    ],
    [[{ noise: 'geometric:scale=1', adjacency: 1, of: 'cells' }], /of: expected rows or counts/],
    [[{ noise: 'geometric:scale=1', adjacency: 1, time: 3 }], /unknown key "time"; did you mean times\?/],
    [[], /expected at least one release/],
  ])('%j', (releases, words) => {
    expect(() => read(releases)).toThrow(words);
  });

  it('says which release is wrong', () => {
    const right = { noise: 'geometric:scale=1', adjacency: 1 };
    expect(() => read([right, { ...right, times: -1 }])).toThrow(/^release 2: times: expected/);
  });
});
