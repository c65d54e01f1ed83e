// `discreet account`, as a user calls it.

import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

const here = scratch();
const { run, json, write, read } = here;

interface Answer {
  readonly unit: string;
  readonly lower: number;
  readonly upper: number;
  readonly method: string;
  readonly error: string;
  readonly comparison: Readonly<Record<string, number | null>>;
  readonly attacker: { readonly lower: number; readonly upper: number };
  readonly fits?: number;
  readonly noise?: string;
  readonly releases: readonly { readonly adjacency: string; readonly moreFit?: number }[];
  readonly profile: readonly { readonly epsilon: number; readonly lower: number; readonly upper: number }[];
  readonly fitsInstead?: number;
  readonly tradeOff: readonly { readonly first: number; readonly second: number }[];
}

const gaussian = ['discrete-gaussian:sigma=10', '--adjacency', '1'];

describe('account', () => {
  it('adds up a noise that is released many times', () => {
    const found = json<Answer>(['account', ...gaussian, '--times', '1000', '--delta', '1e-6']);
    expect(found).toMatchObject({ unit: 'epsilon', method: 'native' });
    expect(found.upper).toBeCloseTo(19.423665, 6);
    expect(found.lower).toBeLessThan(found.upper);
    expect(Object.keys(found.comparison)).toEqual(['basic', 'advanced', 'zcdp', 'renyi', 'gdp']);
    const { stdout } = run(['account', ...gaussian, '--times', '1e3', '--delta', '1e-6']);
    expect(stdout).toMatch(/1000 releases, together at δ = 0\.000001/);
    expect(stdout).toMatch(/at most 19\.42366\d+, at least 19\.42366/);
    expect(stdout).toMatch(/apart at most 94\.31 % of the time/);
  });

  it('takes mechanism files, several, for a group', () => {
    for (const [name, epsilon] of [
      ['m1.json', '0.1'],
      ['m2.json', '0.2'],
    ] as const)
      expect(run(['calibrate', 'geometric', '--epsilon', epsilon, '--adjacency', '1', '-o', name]).code).toBe(
        0,
      );
    const args = ['account', 'm1.json', 'm2.json', '--times', '12', '--epsilon', '3'];
    const one = json<Answer>(args);
    const two = json<Answer>([...args, '--group', '2']);
    expect(one.unit).toBe('delta');
    expect(two.lower).toBeGreaterThan(one.upper);
    // 24 releases of each, in all.
    const twice = json<Answer>(['account', 'm1.json', 'm2.json', '--times', '24', '--epsilon', '3']);
    expect(two.upper).toBeCloseTo(twice.upper, 15);
    const counts = json<Answer>([...args, '--group', '2', '--of', 'counts']);
    expect(counts.lower).toBeGreaterThan(two.upper);
  });

  it('takes a plan, and draws its profile', () => {
    write(
      'plan.json',
      JSON.stringify({
        releases: [
          { name: 'weekly', noise: 'geometric:scale=20', adjacency: '1', times: 52 },
          { noise: 'discrete-gaussian:sigma=30', adjacency: 1, times: 12, of: 'counts' },
          { mechanism: 'm1.json', times: 2 },
        ],
      }),
    );
    const found = json<Answer>(['account', 'plan.json', '--delta', '1e-6', '--svg', 'profile.svg']);
    expect((found.upper - found.lower) / found.upper).toBeLessThan(1e-4);
    const svg = read('profile.svg');
    for (const label of ['this account', 'basic', 'advanced', 'Rényi', 'GDP']) expect(svg).toContain(label);
    expect(found.tradeOff[0]).toEqual({ first: 0, second: expect.closeTo(1, 2) });
    expect(found.tradeOff.at(-1)).toEqual({ first: 1, second: 0 });
  });

  it('tells by how much a budget is too small, and what would fit', () => {
    const args = ['account', 'geometric:scale=20', '--adjacency', '1', '--times', '100'];
    const over = run([...args, '--epsilon', '2', '--delta', '1e-6']);
    expect(over.code).toBe(3);
    expect(over.stdout).toMatch(/does not suffice: ε is 0\.2075\d+ above it; it does for 84 of them/);
    const { stdout } = run([...args, '--epsilon', '2', '--delta', '1e-6', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ fits: 0, fitsInstead: 84 });
    write(
      'over.json',
      JSON.stringify({ releases: [{ noise: 'geometric:scale=20', adjacency: 1, times: 100 }] }),
    );
    const found = run([
      'account',
      'over.json',
      '--calibrate',
      'geometric',
      '--adjacency',
      '1',
      '--epsilon',
      '1',
      '--delta',
      '1e-6',
    ]);
    expect(found).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/the releases that are fixed have δ = 0\.00\d+ at ε = 1 by themselves/),
    });
  });

  it('gives the profile, from which a chord is never too low', () => {
    const args = ['account', 'geometric:scale=20', '--adjacency', '1', '--times', '52'];
    const { profile, releases } = json<Answer>([...args, '--delta', '1e-6', '--profile']);
    expect(releases[0]).toMatchObject({ noise: 'geometric:scale=20', adjacency: '1' });
    expect(profile[0]!.epsilon).toBe(0);
    for (const i of [3, 40, 90]) {
      const [from, to] = [profile[i]!, profile[i + 1]!];
      const epsilon = (from.epsilon + to.epsilon) / 2;
      const part = Math.expm1(epsilon - from.epsilon) / Math.expm1(to.epsilon - from.epsilon);
      const { lower } = json<Answer>([...args, '--epsilon', String(epsilon)]);
      expect(from.upper + (to.upper - from.upper) * part).toBeGreaterThanOrEqual(lower);
    }
  });

  it('takes the adjacency of a mechanism from its file, and says how a group is meant', () => {
    expect(
      run(['calibrate', 'geometric', '--epsilon', '1', '--adjacency', '5', '-o', 'own-five.json']).code,
    ).toBe(0);
    expect(run(['account', 'own-five.json', '--adjacency', '1', '--delta', '1e-6'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--adjacency: a mechanism file has its own; leave it out, or write a plan',
      ),
    });
    write('one.json', JSON.stringify({ releases: [{ mechanism: 'own-five.json', adjacency: 1 }] }));
    expect(json<Answer>(['account', 'one.json', '--delta', '1e-6']).upper).toBeLessThan(0.21);
    const group = ['account', 'geometric:scale=20', '--adjacency', '1', '--group', '3', '--delta', '1e-6'];
    expect(run(group).stderr).toMatch(/note: .* taken for rows; a count moves by all of a group at once/);
    expect(run([...group, '--of', 'counts']).stderr).toBe('');
  });

  it.each([
    ['{"release": []}', /unknown key "release"; did you mean releases\?/],
    [
      '{"releases": [\n{"noise": "geometric:scale=2", "adjacency": 1},\n]}',
      /line 2 ends with a comma before a closing bracket/,
    ],
    ['[]', /expected \{"releases": \[/],
    ['{"releases": [\n\n{noise}]}', /expected a plan as JSON/],
    [
      '{"releases": [{"noise": "geometric:scale=2", "adjacency": 1}, {"name": "b", "noise": "geometric:scale=2", "adjacency": 1, "sampling": 0.1}]}',
      /wrong\.json, release 2 \(b\): sampling: a release of rows shows who was sampled/,
    ],
  ])('says what is wrong with the plan %s', (text, message) => {
    write('wrong.json', text);
    expect(run(['account', 'wrong.json', '--delta', '1e-6'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    });
  });

  it('writes pictures as SVG only', () => {
    expect(run(['account', ...gaussian, '--delta', '1e-6', '--svg', 'x.png'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--svg: expected a name that ends with .svg, got x.png'),
    });
  });

  it('tells how often all of it fits, and finds the noise with which it does', () => {
    const fits = json<Answer>(['account', ...gaussian, '--epsilon', '1', '--delta', '1e-6']).fits!;
    expect(fits).toBeGreaterThan(1);
    const within = (n: number) =>
      json<Answer>(['account', ...gaussian, '--times', String(n), '--epsilon', '1']).upper;
    expect(within(fits)).toBeLessThanOrEqual(1e-6);
    expect(within(fits + 1)).toBeGreaterThan(1e-6);
    const target = ['--epsilon', '1', '--delta', '1e-6'];
    const found = json<Answer>([
      'account',
      '--calibrate',
      'geometric',
      '--adjacency',
      '1',
      '--times',
      '40',
      ...target,
    ]);
    expect(found.upper).toBeLessThanOrEqual(1);
    expect(found.upper).toBeGreaterThan(0.999999);
    expect(found.noise).toMatch(/^geometric:scale=/);
  });

  it('keeps the adjacency of a file beside noises, and refuses what is said twice', () => {
    expect(run(['design', '--epsilon', '0.1', '--adjacency', '5', '-o', 'five.json']).code).toBe(0);
    const beside = json<Answer>([
      ...[
        'account',
        'five.json',
        'geometric:scale=20',
        '--adjacency',
        '1',
        '--times',
        '12',
        '--delta',
        '1e-6',
      ],
    ]);
    expect(beside.releases.map(({ adjacency }) => adjacency)).toEqual(['5', '1']);
    expect(run(['account', ...gaussian, '--times', '3', '--times', '4', '--delta', '1e-6'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--times: given twice; for releases that differ, write a plan/),
    });
  });

  it('reads the files of a plan beside it, looks for noise beside it, and tells how many more fit', () => {
    mkdirSync(here.at('sub'));
    expect(
      run(['calibrate', 'geometric', '--epsilon', '0.1', '--adjacency', '1', '-o', 'sub/own.json']).code,
    ).toBe(0);
    // With the mark some editors put first.
    write('sub/plan.json', '\uFEFF{"releases": [{"mechanism": "own.json", "times": 20}]}');
    const both = ['sub/plan.json', '--epsilon', '2', '--delta', '1e-6'];
    const moreFit = json<Answer>(['account', ...both]).releases[0]!.moreFit!;
    write('sub/more.json', JSON.stringify({ releases: [{ mechanism: 'own.json', times: 20 + moreFit }] }));
    expect(json<Answer>(['account', 'sub/more.json', '--epsilon', '2']).upper).toBeLessThanOrEqual(1e-6);
    write('sub/more.json', JSON.stringify({ releases: [{ mechanism: 'own.json', times: 21 + moreFit }] }));
    expect(json<Answer>(['account', 'sub/more.json', '--epsilon', '2']).upper).toBeGreaterThan(1e-6);
    const found = json<Answer>([
      'account',
      ...both,
      '--calibrate',
      'geometric',
      '--adjacency',
      '1',
      '--times',
      '5',
    ]);
    expect(found.releases).toHaveLength(2);
    expect(found.upper).toBeLessThanOrEqual(2);
    // A budget that does not suffice is told by the exit code too.
    expect(run(['account', 'sub/plan.json', '--epsilon', '0.1', '--delta', '1e-6'])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/does not suffice/),
    });
  });

  it.each([
    [['--times', '0'], /--times: expected a whole number from 1 on, got 0/],
    [['--times', '-3'], /--times: expected a whole number from 1 on, got -3/],
    [['--times', '2.5'], /--times: expected a whole number/],
    [['--sampling', '0', '--of', 'counts'], /--sampling: expected/],
    [['--sampling', '1.5', '--of', 'counts'], /--sampling: expected a probability above 0 and at most 1/],
    [['--sampling', '0.5'], /--sampling: a release of rows shows who was sampled/],
    [['--of', 'cells'], /--of: expected rows or counts/],
    [['--delta', '0'], /--delta: discrete-gaussian:sigma=10 has no ε at δ = 0/],
    [['--delta', '2'], /--delta: expected a value of at least 0 and below 1/],
    [['--group', '0'], /--group: expected a whole number of at least 1/],
  ])('refuses %j', (more, words) => {
    const delta = more.includes('--delta') ? [] : ['--delta', '1e-6'];
    const { code, stderr, stdout } = run(['account', ...gaussian, ...delta, ...more]);
    expect([code, stderr, stdout]).toEqual([2, expect.stringMatching(words), '']);
  });

  it('refuses what is not there, and what is no plan', () => {
    write('odd.json', '{"releases": [{"mechanism": "gone.json"}]}');
    write('stray.json', '{"releases": [], "budget": 1}');
    for (const [args, words] of [
      [['nothing.json', '--delta', '1e-6'], /nothing\.json: there is no such file/],
      [['odd.json', '--delta', '1e-6'], /gone\.json/],
      [['stray.json', '--delta', '1e-6'], /stray\.json: unknown key "budget"/],
      [['geometrik:scale=1', '--adjacency', '1', '--delta', '1e-6'], /did you mean geometric/],
      [['geometric:scale=1', '--delta', '1e-6'], /--adjacency: expected how far/],
      [gaussian, /--delta: expected a δ/],
      [['--delta', '1e-6'], /expected noises, mechanism files or a plan/],
    ] as const) {
      const { code, stderr } = run(['account', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    }
  });
});
