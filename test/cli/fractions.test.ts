// A step that no decimal is: Δ may be any positive rational [QHFL, Section III].

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

const { run, json, read, write, at } = scratch();
const verifier = fileURLToPath(new URL('../../docs/verify.py', import.meta.url));

describe('a step of 1/3', () => {
  it('is analysed as a step of 1 is, with all distances three times as large', () => {
    type Analysis = { step: number; pure: { epsilonDecimal: string; witness: { k: number } } };
    const third = json<Analysis>(['analyze', 'laplace:scale=10/3', '--adjacency', '5/3', '--step', '1/3']);
    const whole = json<Analysis>(['analyze', 'laplace:scale=10', '--adjacency', '5']);
    expect(third.pure.epsilonDecimal).toBe(whole.pure.epsilonDecimal);
    expect(third.pure.epsilonDecimal).toBe('0.5');
    expect(third.step).toBe(1 / 3);
    expect(third.pure.witness.k).toBeCloseTo(whole.pure.witness.k / 3, 12);
  });

  it('goes through design, file, both verifiers, sample, compare and account', () => {
    const lattice = ['--step', '1/3', '--adjacency', '5/3'];
    const args = [
      'design',
      '--epsilon',
      '1',
      ...lattice,
      '--prior',
      'uniform:low=0,high=4/3',
      '-o',
      'm.json',
    ];
    const designed = json<{ value: number; stairs: unknown[] }>(args);
    const scaled = json<{ value: number }>([
      ...['design', '--epsilon', '1', '--adjacency', '5', '--prior', 'uniform:low=0,high=4'],
    ]);
    expect(designed.value).toBeCloseTo(scaled.value / 3, 9);
    expect(JSON.parse(read('m.json'))).toMatchObject({ step: '1/3', adjacency: 5 });
    expect(run(['verify', 'm.json']).stdout).toMatch(/holds: .* 5 steps of 1\/3/);
    const told = spawnSync('python3', [verifier, at('m.json')], { encoding: 'utf8' });
    expect([told.status, told.stdout]).toEqual([0, expect.stringMatching(/: holds$/m)]);
    const draws = run(['sample', 'm.json', '-n', '60', '--seed', 'a', '--for-simulation'])
      .stdout.trim()
      .split('\n')
      .slice(1);
    for (const draw of draws) expect(draw).toMatch(/^-?\d+(\/3)?$/);
    expect(draws.some((draw) => draw.endsWith('/3'))).toBe(true);
    const compared = run(['compare', 'm.json', 'canonical:epsilon=1,delta=0.001,adjacency=5/3', ...lattice]);
    expect([compared.code, compared.stdout]).toEqual([0, expect.stringMatching(/adjacency=5\/3/)]);
    expect(run(['account', 'geometric:scale=5/3', ...lattice, '--delta', '0']).code).toBe(0);
    expect(run(['calibrate', 'gaussian', '--epsilon', '1', '--delta', '1e-6', ...lattice]).code).toBe(0);
    const tried = ['tradeoff', '--paper', '--epsilon', '1..2', '--points', '2', ...lattice];
    expect(run(tried).code).toBe(0);
  });

  it('is refused where values are written as decimals, before anything is charged', () => {
    write('in.csv', 'id,visits\n1,5\n2,7\n');
    run(['ledger', 'init', '--dataset', 'd', '--epsilon', '3', '--adjacency', 'visits=5']);
    const release = ['release', 'in.csv', '--column', 'visits', '--dataset', 'd', '-o', 'out.csv'];
    run(['design', '--epsilon', '1', '--step', '1/3', '--adjacency', '5', '-o', 'third.json']);
    for (const args of [
      [...release, '--mechanism', 'third.json'],
      [...release, '--epsilon', '1', '--step', '1/3'],
    ]) {
      const { code, stderr } = run(args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--step: expected a decimal.*got "?1\/3/)]);
    }
    const { datasets } = json<{ datasets: { releases: number }[] }>(['ledger', 'status', '--dataset', 'd']);
    expect(datasets[0]!.releases).toBe(0);
  });

  it.each(['1/0', '0/3', '-1/3', '1/-3', '1/3/5', '0x1/3', '1.5/3', '1e3/7', ''])('is none: %j', (step) => {
    const { code, stderr } = run(['analyze', 'geometric:scale=3', '--adjacency', '1', '--step', step]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --step: expected a /)]);
  });
});
