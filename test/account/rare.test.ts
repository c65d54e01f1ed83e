// Secret samples that are drawn very often: losses that hardly ever happen, and are a thousand times all others.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { totalOf } from '../../src/account/index.js';
import { withoutRare } from '../../src/account/rare.js';
import { sampledLosses } from '../../src/account/sampling.js';
import { noise } from './releases.js';

interface Case {
  readonly sigma: string;
  readonly sampling: number;
  readonly times: number;
  readonly epsilon: string;
}

const url = new URL('../vectors/account-rare.json', import.meta.url);
const CASES = JSON.parse(readFileSync(url, 'utf8')) as readonly Case[];

/** What the vectors are right to. */
const OFF = 2e-8;

function sampled({ sigma, sampling, times }: Omit<Case, 'epsilon'>, family = 'discrete-gaussian') {
  return totalOf([
    { pmf: noise(`${family}:sigma=${sigma}`, 1), adjacency: 1, times, of: 'counts' as const, sampling },
  ]);
}

describe('losses that hardly ever happen', () => {
  it.each(CASES)('σ = $sigma, $times samples of $sampling, by another program', (one) => {
    const { lower, upper } = sampled(one).epsilonAt(1e-6);
    const truth = Number(one.epsilon);
    expect(lower).toBeLessThanOrEqual(truth + OFF);
    expect(upper).toBeGreaterThanOrEqual(truth - OFF);
    expect(upper - lower).toBeLessThanOrEqual(1e-4 * upper);
  });

  it.each(CASES)('σ = $sigma, $times samples: δ at that ε is the δ that it came from', (one) => {
    const { lower, upper } = sampled(one).deltaAt(Number(one.epsilon));
    expect(lower).toBeLessThanOrEqual(1e-6 * (1 + 1e-5));
    expect(upper).toBeGreaterThanOrEqual(1e-6 * (1 - 1e-5));
    expect(upper / lower).toBeLessThan(1.01);
  });

  it('of normal noise rounded down, at a small δ', () => {
    for (const [sigma, sampling, times] of [
      ['1', 0.01, 1000],
      ['2', 0.0001, 100_000],
    ] as const) {
      const { lower, upper } = sampled({ sigma, sampling, times }, 'gaussian').epsilonAt(1e-10);
      expect(lower).toBeGreaterThan(0);
      expect(upper - lower).toBeLessThanOrEqual(1e-4 * upper);
    }
  });
});

describe('what is set apart', () => {
  it('is all that was taken off: no mass is lost from above, and none is added from below', () => {
    const pmf = noise('discrete-gaussian:sigma=1', 1);
    const losses = sampledLosses(pmf, 1, 1e-4, 'goes');
    const [kept] = withoutRare([{ losses, times: 100_000 }], Math.log(1e-6))!;
    const sum = (mass: Float64Array) => mass.reduce((all, p) => all + p, 0);
    const taken = losses.mass.slice(kept!.losses.mass.length);
    expect(taken.length).toBeGreaterThan(3);
    expect(kept!.losses.infinite.upper - losses.infinite.upper).toBeGreaterThanOrEqual(sum(taken));
    expect(kept!.losses.infinite.lower).toBe(losses.infinite.lower);
    expect(sum(taken) * 100_000).toBeLessThanOrEqual(1e-15);
    expect([...kept!.losses.mass]).toEqual([...losses.mass.slice(0, kept!.losses.mass.length)]);
  });
});
