import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discreet, discreetJson } from './run.js';

interface Analysis {
  noise: string;
  profile: { epsilon: number; delta: number }[];
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discreet-continuous-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

interface Continuous {
  continuous: {
    pure: { epsilon: number } | null;
    profile: { epsilon: number; delta: number; deltaDecimal: string }[];
    steps: { step: number; profile: { delta: number; difference: number }[] }[];
    verdict: string;
  };
}

describe('discreet analyze --continuous', () => {
  it('tells the density beside the noise, and whether its figures may be used', () => {
    const args = ['analyze', 'gaussian:sigma=10', '--adjacency', '15', '--epsilon', '1', '--continuous'];
    const { continuous } = discreetJson<Continuous>(args);
    expect(continuous.pure).toBeNull();
    expect(continuous.profile[0]).toMatchObject({ epsilon: 1, delta: expect.closeTo(0.320392, 6) });
    expect(continuous.steps.map(({ step }) => step)).toEqual([1, 0.5, 0.25, 0.125]);
    for (const { profile } of continuous.steps) expect(profile[0]!.difference).toBeLessThanOrEqual(0);
    expect(continuous.verdict).toBe('the figures of the density may be used');
    expect(discreet(args).stdout).toMatch(/The figures of the density may be used: the noise is its value/);
  });

  it('Laplace: the same pure ε; the discrete Gaussian: its own figure', () => {
    const laplace = discreetJson<Continuous>([
      'analyze',
      'laplace:scale=7.5',
      '--adjacency',
      '15',
      '--continuous',
    ]);
    expect(laplace.continuous.pure).toMatchObject({ epsilon: 2 });
    const found = discreetJson<Continuous>([
      'analyze',
      'discrete-gaussian:sigma=0.4',
      '--adjacency',
      '1',
      '--epsilon',
      '0',
      '--continuous',
    ]);
    expect(found.continuous.verdict).toBe('the figures of the density may not be used');
    expect(found.continuous.steps[0]!.profile[0]!.difference).toBeGreaterThan(0);
  });

  it('takes any density, by a table of its distribution function', () => {
    const path = file('own.csv', 'value,cdf\n-3,0\n-1,0.25\n1,0.75\n3,1\n');
    const args = ['analyze', `cdf:${path}`, '--adjacency', '1', '--epsilon', '0'];
    const found = discreetJson<Analysis & Continuous>([...args, '--continuous']);
    // Shifted by 1: 1/8 is out of reach, and another 1/8 twice as high.
    expect(found.continuous.profile[0]!.delta).toBeCloseTo(0.25, 12);
    expect(found.profile[0]!.delta).toBeCloseTo(0.25, 12);
    expect(discreetJson<Analysis>(args).noise).toBe(`cdf:${path}`);
    const json = file('own.json', '[[-3, 0], [-1, 0.25], [1, 0.75], [3, 1]]');
    expect(discreetJson<Analysis>(['analyze', `cdf:${json}`, ...args.slice(2)]).profile).toEqual(
      found.profile,
    );
  });

  it('says what has no density, and what is wrong with a table', () => {
    const table = file('table.csv', 'value,probability\n0,0.5\n1,0.5\n');
    expect(discreet(['analyze', `table:${table}`, '--adjacency', '1', '--continuous'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('comes from no density'),
    });
    expect(discreet(['analyze', `cdf:${table}`, '--adjacency', '1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected the columns value and cdf, got 2 with other names'),
    });
  });
});
