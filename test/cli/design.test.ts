import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { discreet as run } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'discreet-design-'));
const file = (name: string) => join(folder, name);
const discreet = (...args: string[]) => {
  const { code, ...rest } = run(args);
  return { status: code, ...rest };
};

describe('discreet design', () => {
  it('prints value, bound, gap, guarantee, error, stairs, chart and alternatives', () => {
    const { status, stdout, stderr } = discreet(
      'design',
      '--epsilon',
      '2',
      '--adjacency',
      '15',
      '--prior',
      'poisson:rate=5',
      '--clamp',
      '0,40',
    );
    expect(status).toBe(0);
    for (const text of [
      'value        4.98544',
      'lower bound  4.98544',
      ': optimal',
      'certified pure ε = 2 at adjacency 15',
      'E|θ| 6.37948, bias E θ',
      'A record is off by at most',
      'After clamping to 0,40',
      '15 steps wide, height 0.13534',
      'laplace:scale=7.5',
      'geometric:scale=7.5',
      'staircase:width=5',
      'staircase:width=20',
      'geng-viswanath:epsilon=2',
      'P2 (least E|θ|)',
      '│',
    ])
      expect(stdout).toContain(text);
    expect(stderr).toMatch(/solved in/);
  });

  it('gives the same in JSON, and writes a mechanism that verifies and names its prior', () => {
    const path = file('m.json');
    const { status, stdout } = discreet(
      'design',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--prior',
      'poisson:rate=3',
      '-o',
      path,
      '--json',
    );
    expect(status).toBe(0);
    const report = JSON.parse(stdout) as Record<string, unknown> & { alternatives: { name: string }[] };
    for (const key of [
      'objective',
      'value',
      'lowerBound',
      'gap',
      'epsilon',
      'delta',
      'meanAbs',
      'mean',
      'std',
      'window',
      'alternatives',
    ])
      expect(report).toHaveProperty(key);
    expect(report.epsilon).toBeLessThanOrEqual(1);
    expect(report.alternatives.length).toBeGreaterThanOrEqual(6);
    const mechanism = JSON.parse(readFileSync(path, 'utf8')) as {
      origin: { design: { prior: { spec: string } } };
    };
    expect(mechanism.origin.design.prior.spec).toBe('poisson:rate=3');
    expect(discreet('verify', path).status).toBe(0);
    expect(discreet('design', '--epsilon', '1', '--adjacency', '5', '-o', path).status).toBe(2);
  });

  it('shows (ε, δ) noise against the calibrated Gaussian', () => {
    const { status, stdout } = discreet(
      'design',
      '--epsilon',
      '1',
      '--delta',
      '1e-4',
      '--adjacency',
      '3',
      '--json',
    );
    expect(status).toBe(0);
    const report = JSON.parse(stdout) as {
      value: number;
      delta: number;
      closed: boolean;
      alternatives: { name: string; value: number }[];
    };
    expect(report.closed).toBe(true);
    expect(report.delta).toBeLessThanOrEqual(1e-4);
    const gaussian = report.alternatives.find(({ name }) => name === 'discrete-gaussian')!;
    expect(gaussian.value).toBeGreaterThan(report.value);
  });

  it('draws input, noise and output', () => {
    const path = file('picture.svg');
    expect(
      discreet('design', '--epsilon', '1', '--adjacency', '5', '--prior', 'poisson:rate=3', '--svg', path)
        .status,
    ).toBe(0);
    const svg = readFileSync(path, 'utf8');
    expect(svg.startsWith('<svg ')).toBe(true);
    for (const text of ['The noise', 'input', 'output', 'probability', 'in data units'])
      expect(svg).toContain(text);
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('takes a prior from a column only when it is said to be public, and records it', () => {
    const path = file('visits.csv');
    writeFileSync(path, 'visits\n1\n2\n2\n5\n');
    const spec = `column:${path}#visits`;
    const refused = discreet('design', '--epsilon', '1', '--adjacency', '2', '--prior', spec);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('--prior-is-public');
    const output = file('column.json');
    expect(
      discreet(
        'design',
        '--epsilon',
        '1',
        '--adjacency',
        '2',
        '--prior',
        spec,
        '--prior-is-public',
        '-o',
        output,
      ).status,
    ).toBe(0);
    expect(readFileSync(output, 'utf8')).toContain('#visits');
  });

  it('refuses bad input with the fix, and writes nothing', () => {
    const bad = file('never.json');
    const table = file('short.csv');
    writeFileSync(table, 'value,probability\n0,0.5\n1,0.2\n');
    const cases: [string[], RegExp][] = [
      [['--epsilon', '0', '--adjacency', '5'], /--epsilon.*above 0/],
      [['--epsilon', '-1', '--adjacency', '5'], /--epsilon/],
      [['--epsilon', '1e-7', '--adjacency', '15'], /10000000 steps.*larger epsilon/],
      [['--epsilon', '1', '--adjacency', '5', '--objective', 'entropy'], /--objective: unknown/],
      [['--epsilon', '1', '--adjacency', '5', '--objective', 'wasserstein'], /--prior/],
      [['--epsilon', '1', '--adjacency', '5', '--delta', '1'], /--delta.*below 1/],
      [
        ['--epsilon', '1', '--adjacency', '5', '--prior', 'poisson:rate=3', '--clamp', '5,5'],
        /--clamp.*low below high/,
      ],
      [['--epsilon', '1', '--adjacency', '5', '--clamp', '0,5'], /--clamp.*--prior/],
      [
        ['--epsilon', '1', '--adjacency', '5', '--prior', `table:${table}`],
        /expected probabilities that sum to 1, got 0.7/,
      ],
      [['--epsilon', '1', '--adjacency', '5', '--prior', 'poison:rate=3'], /poisson/],
    ];
    for (const [args, message] of cases) {
      const { status, stderr, stdout } = discreet('design', ...args, '-o', bad);
      expect([args.join(' '), status]).toEqual([args.join(' '), 2]);
      expect(stderr).toMatch(message);
      expect(stdout).toBe('');
      expect(existsSync(bad)).toBe(false);
    }
  });
});

describe('discreet design --gap', () => {
  it('goes on to the gap, and refuses what is none', () => {
    const args = ['design', '--epsilon', '2', '--delta', '1e-4', '--adjacency', '36', '--no-alternatives'];
    const found = JSON.parse(discreet(...args, '--gap', '0.0001', '--json').stdout) as {
      gap: number;
      interrupted: boolean;
    };
    expect(found.gap).toBeLessThan(1e-4);
    expect(found.interrupted).toBe(false);
    for (const gap of ['0', '1', '1e-12', 'x'])
      expect(discreet(...args, '--gap', gap)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--gap: expected'),
      });
  });

  it('Ctrl-C takes the best so far, certified', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'discreet-gap-'));
    const weights = Array.from({ length: 1000 }, (_, k) => 1 / (k + 1) ** 1.5);
    const whole = weights.reduce((a, b) => a + b);
    const lines = weights.map((weight, k) => `${k},${(weight / whole).toFixed(15)}`);
    writeFileSync(join(folder, 'zipf.csv'), ['value,probability', ...lines].join('\n'));
    const output = join(folder, 'mechanism.json');
    const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
    const child = spawn(process.execPath, [
      ...[main, 'design', '--epsilon', '3', '--adjacency', '50', '--gap', '1e-8', '--no-alternatives'],
      ...['--prior', `table:${join(folder, 'zipf.csv')}`, '--prior-is-public', '-o', output],
    ]);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString();
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString();
    });
    setTimeout(() => child.kill('SIGINT'), 3000);
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(stderr).toContain('stopping: the best noise so far is being certified');
    expect(code).toBe(0);
    expect(stdout).toContain('it was interrupted, and this is the best so far');
    expect(discreet('verify', output).status).toBe(0);
  }, 120_000);
});

describe('discreet tradeoff', () => {
  it('gives curves over ε with all mechanisms, as table, CSV and picture', () => {
    const [csv, svg] = [file('curve.csv'), file('curve.svg')];
    const { status, stdout } = discreet(
      'tradeoff',
      '--paper',
      '--prior',
      'poisson:rate=5',
      '--epsilon',
      '1..4',
      '--points',
      '3',
      '--adjacency',
      '15',
      '--csv',
      csv,
      '--svg',
      svg,
    );
    expect(status).toBe(0);
    expect(stdout).toContain('1.1651');
    const lines = readFileSync(csv, 'utf8').trim().split('\n');
    expect(lines[0]).toBe('epsilon,adjacency,mechanism,noise,w,mean_abs,lower_bound');
    expect(lines.length).toBe(1 + 3 * 7);
    expect(readFileSync(svg, 'utf8')).toContain('Laplacian');
  });

  it('gives curves over m', () => {
    const { status, stdout } = discreet(
      'tradeoff',
      '--paper',
      '--epsilon',
      '2',
      '--adjacency',
      '1..3',
      '--json',
    );
    expect(status).toBe(0);
    const { rows } = JSON.parse(stdout) as {
      rows: { mechanism: string; adjacency: number; meanAbs: number }[];
    };
    const optimum = rows.filter(({ mechanism }) => mechanism === 'optimum');
    expect(optimum.map(({ adjacency }) => adjacency)).toEqual([1, 2, 3]);
    expect(optimum[2]!.meanAbs).toBeGreaterThan(optimum[0]!.meanAbs);
  });

  it('finds the smallest ε for a wanted W, and says when there is none', () => {
    const args = ['tradeoff', '--prior', 'poisson:rate=5', '--adjacency', '15', '--target-w', '2.36854'];
    const found = JSON.parse(discreet(...args, '--epsilon', '0.5..6', '--json').stdout) as {
      epsilon: number;
      w: number;
      smallest: boolean;
      notEnough: { epsilon: number; lowerBound: number };
    };
    expect(found.epsilon).toBeCloseTo(3, 4);
    expect(found.w).toBeLessThanOrEqual(2.36854);
    // Proved: at the ε before no noise is good enough.
    expect(found.smallest).toBe(true);
    expect(found.notEnough.lowerBound).toBeGreaterThan(2.36854);
    expect(found.notEnough.epsilon).toBeLessThan(found.epsilon);
    expect(discreet(...args, '--epsilon', '0.5..6').stdout).toMatch(
      /is the smallest that is enough for W ≤ 2\.36854/,
    );
    const none = discreet(...args, '--epsilon', '0.5..2');
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/no ε up to 2/);
  });

  it('refuses what is not a range', () => {
    for (const args of [
      ['--epsilon', '1', '--adjacency', '5'],
      ['--epsilon', '4..1', '--adjacency', '5'],
      ['--epsilon', '1..2', '--adjacency', '1..2'],
      ['--epsilon', '0..2', '--adjacency', '5'],
    ])
      expect([args.join(' '), discreet('tradeoff', ...args).status]).toEqual([args.join(' '), 2]);
  });
});
