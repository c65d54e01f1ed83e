import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discreet, discreetJson } from './run.js';

interface Analysis {
  noise: string;
  step: number;
  adjacency: number;
  pure: { epsilon: number; witness: { k: number; m0: number } } | null;
  profile: { epsilon: number; delta: number; deltaDecimal: string }[];
  epsilonAt: { delta: number; epsilon: number | null }[];
  paper: { source: string; epsilon: number; delta: number; exactDelta: number; verdict: string }[];
  moments: { mean: number; meanAbs: number; std: number };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discreet-analyze-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('discreet analyze', () => {
  it('Gaussian: the exact δ, and the verdict on both readings of the paper', () => {
    const found = discreetJson<Analysis>([
      'analyze',
      'gaussian:sigma=10',
      '--adjacency',
      '15',
      '--epsilon',
      '3.68',
      '--paper-cut',
      '30',
    ]);
    expect(found.noise).toBe('gaussian:sigma=10,mu=0');
    expect([found.step, found.adjacency, found.pure]).toEqual([1, 15, null]);
    expect(found.profile[0]!.delta).toBeCloseTo(0.0173229, 7);
    expect(found.paper.map(({ source, verdict }) => [source, verdict])).toEqual([
      ['Table V', 'unsound'],
      ['Theorem 3', 'loose'],
    ]);
    expect(found.paper[0]).toMatchObject({ epsilon: 3.68 });
    expect(found.paper[1]!.epsilon).toBeCloseTo(6.08, 12);
    expect(found.paper[1]!.exactDelta).toBeCloseTo(1.37e-4, 6);
  });

  it.each([
    // The table of the paper's errata: σ, m, M, Table V, exact δ, Theorem 3, exact δ.
    ['10', '1', '21', 0.42, 0.0357, 3.48e-7, 'loose', 0.44, 0.0406, 1.37e-7],
    ['10', '5', '15', 0.78, 0.134, 0.0184, 'loose', 1.08, 0.148, 0.00458],
    ['10', '15', '30', 3.68, 0.0027, 0.0173, 'unsound', 6.08, 0.00322, 1.37e-4],
    ['5', '15', '25', 11.52, 5.7e-7, 0.00484, 'unsound', 21.12, 1.08e-6, 4.8e-9],
    ['2', '5', '10', 12, 5.7e-7, 7.2e-5, 'unsound', 19.5, 3.68e-6, 6.9e-12],
  ] as const)('σ = %s, m = %s, M = %s', (sigma, m, cut, e1, d1, x1, verdict, e2, d2, x2) => {
    const { paper } = discreetJson<Analysis>([
      'analyze',
      `gaussian:sigma=${sigma}`,
      '--adjacency',
      m,
      '--paper-cut',
      cut,
    ]);
    const near = (x: number, y: number) => expect(Math.abs(x / y - 1)).toBeLessThan(0.01);
    near(paper[0]!.epsilon, e1);
    near(paper[0]!.delta, d1);
    near(paper[0]!.exactDelta, x1);
    expect(paper.map((row) => row.verdict)).toEqual([verdict, 'loose']);
    near(paper[1]!.epsilon, e2);
    near(paper[1]!.delta, d2);
    near(paper[1]!.exactDelta, x2);
  });

  it('exponential: not pure, the same δ at every ε, and the paper unsound', () => {
    const found = discreetJson<Analysis>([
      'analyze',
      'exponential:rate=0.2',
      '--adjacency',
      '5',
      '--epsilon',
      '0',
      '--epsilon',
      '1',
      '--epsilon',
      '40',
    ]);
    expect(found.pure).toBeNull();
    for (const { delta } of found.profile) expect(delta).toBeCloseTo(0.6321205588285577, 14);
    expect(found.paper[0]).toMatchObject({ epsilon: 1, delta: 0, verdict: 'unsound' });
  });

  it('uniform: m / (b − a + Δ), where the paper has mΔ', () => {
    const found = discreetJson<Analysis>([
      'analyze',
      'uniform:low=-10,high=10',
      '--step',
      '0.5',
      '--adjacency',
      '3',
      '--epsilon',
      '0',
    ]);
    expect(found.profile[0]!.delta).toBeCloseTo(0.1463414634146341, 14);
    expect(found.paper[0]!.verdict).toBe('unsound');
    const whole = discreetJson<Analysis>(['analyze', 'uniform:low=-10,high=10', '--adjacency', '3']);
    expect(whole.paper[0]!.verdict).toBe('tight');
    const wide = discreetJson<Analysis>([
      'analyze',
      'uniform:low=-10,high=10',
      '--step',
      '2',
      '--adjacency',
      '4',
    ]);
    expect(wide.paper[0]!.verdict).toBe('loose');
  });

  it('Laplace: m / λ for every μ, where the paper is loose', () => {
    const found = discreetJson<Analysis>([
      'analyze',
      'laplace:scale=6.2,mu=0.3',
      '--step',
      '0.25',
      '--adjacency',
      '3',
    ]);
    expect(found.pure!.epsilon).toBeCloseTo(0.4838709677419355, 15);
    expect(Math.abs(found.pure!.witness.m0)).toBe(3);
    expect(found.paper[0]!.verdict).toBe('loose');
  });

  it('staircase: the paper tight in its table and unsound in the sentence before it', () => {
    const found = discreetJson<Analysis>(['analyze', 'staircase:width=5,ratio=0.5', '--adjacency', '15']);
    expect(found.paper.map((row) => row.verdict)).toEqual(['tight', 'unsound']);
    expect(discreetJson<Analysis>(['analyze', 'geometric:scale=5', '--adjacency', '15']).paper).toEqual([]);
  });

  it('gives decimals where a double underflows', () => {
    const found = discreetJson<Analysis>([
      'analyze',
      'discrete-gaussian:sigma=10',
      '--adjacency',
      '1',
      '--epsilon',
      '5',
    ]);
    expect(found.profile[0]!.delta).toBe(5e-324);
    expect(found.profile[0]!.deltaDecimal).toMatch(/^\d\.\d+e-5\d\d$/);
  });

  it('inverts the profile, and says where no ε suffices', () => {
    const found = discreetJson<Analysis>([
      'analyze',
      'uniform:low=-10,high=10',
      '--adjacency',
      '3',
      '--delta',
      '0.2',
      '--delta',
      '0.01',
    ]);
    expect(found.epsilonAt.map(({ epsilon }) => epsilon)).toEqual([0, null]);
    const gaussian = discreetJson<Analysis>([
      'analyze',
      'gaussian:sigma=10',
      '--adjacency',
      '15',
      '--delta',
      '1e-6',
    ]);
    const back = discreetJson<Analysis>([
      'analyze',
      'gaussian:sigma=10',
      '--adjacency',
      '15',
      '--epsilon',
      String(gaussian.epsilonAt[0]!.epsilon),
    ]);
    expect(back.profile[0]!.delta / 1e-6).toBeCloseTo(1, 9);
  });

  it('answers far from 0, far apart and with long tails', () => {
    const delta = (...args: string[]) => discreetJson<Analysis>(['analyze', ...args]).profile[0]!.delta;
    expect(delta('gaussian:sigma=1,mu=10000', '--adjacency', '1', '--epsilon', '1')).toBeCloseTo(
      0.09681398,
      7,
    );
    expect(delta('gaussian:sigma=1', '--adjacency', '200', '--epsilon', '22000') / 7.2534e-24).toBeCloseTo(
      1,
      4,
    );
    expect(delta('geometric:scale=1', '--adjacency', '100000', '--epsilon', '1')).toBe(1);
    expect(delta('laplace:scale=10,mu=1000000', '--adjacency', '1', '--epsilon', '0.05')).toBeCloseTo(
      0.0243852,
      6,
    );
  });

  it('reads a table, in CSV with or without a header and in JSON', () => {
    const csv = file('a.csv', 'value,probability\r\n-1,0.25\r\n0,0.5\r\n1,0.25\r\n');
    const bare = file('b.csv', '-1,0.25\n0,0.5\n1,1/4\n');
    const json = file(
      'c.json',
      '[{"value":-1,"probability":0.25},[0,"0.5"],{"value":"1","probability":"1/4"}]',
    );
    const deltas = [csv, bare, json].map(
      (path) =>
        discreetJson<Analysis>(['analyze', `table:${path}`, '--adjacency', '1', '--epsilon', '0.5'])
          .profile[0]!.delta,
    );
    const expected = Math.max(0.25 + (0.5 - Math.exp(0.5) * 0.25), 0.25);
    for (const delta of deltas) expect(delta).toBeCloseTo(expected, 14);
  });

  it('prints for people what the JSON says', () => {
    const { code, stdout, stderr } = discreet([
      'analyze',
      'laplace:scale=7.5',
      '--adjacency',
      '15',
      '--epsilon',
      '1',
      '--delta',
      '1e-9',
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Pure ε-DP with ε = 2');
    expect(stdout).toMatch(/off by at most .*\(95 %\)/);
    expect(stdout).toMatch(/│█+/);
    expect(discreet(['analyze', 'gaussian:sigma=10', '--adjacency', '15']).stdout).toContain(
      'Not ε-DP with δ = 0',
    );
    expect(discreet(['analyze', 'exponential:rate=0.2', '--adjacency', '5']).stdout).toMatch(
      /p\(0\) = 0 while p\(1\) > 0/,
    );
  });
});

describe('bad input gets one sentence and exit code 2', () => {
  const table = (rows: string) => () => ['analyze', `table:${file('bad.csv', rows)}`, '--adjacency', '1'];
  const plain =
    (...args: string[]) =>
    () => ['analyze', ...args];
  it.each<[string, () => string[], RegExp]>([
    [
      'step zero',
      plain('laplace:scale=1', '--adjacency', '1', '--step', '0'),
      /--step: expected a positive decimal, got 0/,
    ],
    ['step negative', plain('laplace:scale=1', '--adjacency', '1', '--step', '-1'), /--step.*-1/],
    ['step no decimal', plain('laplace:scale=1', '--adjacency', '1', '--step', 'one'), /--step.*"one"/],
    [
      'adjacency zero',
      plain('laplace:scale=1', '--adjacency', '0'),
      /--adjacency: expected a positive decimal, got 0/,
    ],
    ['adjacency negative', plain('laplace:scale=1', '--adjacency', '-2'), /--adjacency.*-2/],
    ['adjacency no number', plain('laplace:scale=1', '--adjacency', '1,2'), /--adjacency.*"1,2"/],
    [
      'adjacency a fraction off the lattice',
      plain('laplace:scale=1', '--adjacency', '1/2'),
      /--adjacency.*multiple of the step 1, got 1\/2/,
    ],
    [
      'adjacency off the lattice',
      plain('laplace:scale=1', '--adjacency', '1', '--step', '0.3'),
      /--adjacency.*multiple of the step 0.3.*got 1/,
    ],
    ['unknown family', plain('gausian:sigma=1', '--adjacency', '1'), /"gausian".*did you mean gaussian\?/],
    ['unknown key', plain('gaussian:sigme=1', '--adjacency', '1'), /"sigme".*did you mean sigma\?/],
    ['missing key', plain('gaussian:mu=1', '--adjacency', '1'), /expected the parameter sigma/],
    ['key without value', plain('gaussian:sigma=', '--adjacency', '1'), /sigma=value/],
    ['key twice', plain('gaussian:sigma=1,sigma=2', '--adjacency', '1'), /sigma once/],
    ['sigma zero', plain('gaussian:sigma=0', '--adjacency', '1'), /sigma to be above 0, got 0/],
    [
      'sigma negative',
      plain('discrete-gaussian:sigma=-1', '--adjacency', '1'),
      /sigma to be above 0, got -1/,
    ],
    [
      'ratio one',
      plain('staircase:width=2,ratio=1', '--adjacency', '1'),
      /ratio to be above 0 and below 1, got 1/,
    ],
    [
      'ratio zero',
      plain('staircase:width=2,ratio=0', '--adjacency', '1'),
      /ratio to be above 0 and below 1, got 0/,
    ],
    [
      'width fractional',
      plain('staircase:width=2.5,ratio=0.5', '--adjacency', '1'),
      /width to be a whole number/,
    ],
    [
      'low above high',
      plain('uniform:low=3,high=1', '--adjacency', '1'),
      /low not above high.*low=3, high=1/,
    ],
    ['rate zero', plain('exponential:rate=0', '--adjacency', '1'), /rate to be above 0/],
    ['an empty table', table(''), /at least one row/],
    ['a negative probability', table('0,-0.5\n1,1.5\n'), /row 1.*at least 0.*-0.5/],
    ['a sum off by a tenth', table('0,0.5\n1,0.4\n'), /sum to 1.*off by -0.1/],
    ['a repeated value', table('0,0.5\n0,0.5\n'), /each value once/],
    ['a value off the lattice', table('0,0.5\n0.5,0.5\n'), /multiple of the step/],
    [
      'a table that is not there',
      plain('table:no-such-file.csv', '--adjacency', '1'),
      /no-such-file.csv: no such file/,
    ],
    ['a negative ε', plain('laplace:scale=1', '--adjacency', '1', '--epsilon', '-1'), /--epsilon.*-1/],
    ['a δ of one', plain('laplace:scale=1', '--adjacency', '1', '--delta', '1'), /--delta.*below 1/],
    ['no adjacency', plain('laplace:scale=1'), /--adjacency/],
    ['an unknown option', plain('laplace:scale=1', '--adjacency', '1', '--epsilom', '1'), /--epsilon/],
    ['an unknown command', () => ['analyse'], /analyze/],
  ])('%s', (_, args, message) => {
    const { code, stdout, stderr } = discreet(args());
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('analyze of several noises', () => {
  it('gives the figures of a vector, and the coordinate that has them', () => {
    const args = ['analyze', 'laplace:scale=7.5', 'uniform:low=-50,high=50', '--adjacency', '15'];
    const asked = [...args, '--epsilon', '0.5', '--epsilon', '2', '--delta', '0.2'];
    const found = discreetJson<{
      pure: { epsilon: null; coordinate: number };
      profile: { delta: number; coordinate: number }[];
      epsilonAt: { epsilon: number; coordinate: number }[];
    }>(asked);
    expect(found.pure).toMatchObject({ epsilon: null, coordinate: 2 });
    expect(found.profile.map(({ coordinate }) => coordinate)).toEqual([1, 2]);
    expect(found.profile[1]!.delta).toBeCloseTo(15 / 101, 12);
    expect(found.epsilonAt[0]).toMatchObject({ coordinate: 1 });
    const { stdout } = discreet(asked);
    expect(stdout).toMatch(/Not ε-DP with δ = 0 for any ε, by coordinate 2/);
    expect(stdout).toMatch(/the vector +none/);
    const { code, stderr } = discreet([...args, '--continuous']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--continuous: expected one noise, got 2/)]);
  });
});
