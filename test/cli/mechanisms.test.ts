import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discreet, discreetJson } from './run.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discreet-mechanisms-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

describe('compile and verify', () => {
  it('write a file that verifies from its integers alone', () => {
    const args = [
      'compile',
      'laplace:scale=15',
      '--adjacency',
      '15',
      '--claim-epsilon',
      '1',
      '-o',
      at('laplace.json'),
    ];
    expect(discreet(args).code).toBe(0);
    const { code, stdout } = discreet(['verify', at('laplace.json')]);
    expect(code).toBe(0);
    expect(stdout).toContain('The claim holds');
    const report = discreetJson<{ holds: boolean; pure: { epsilon: number } }>([
      'verify',
      at('laplace.json'),
    ]);
    expect(report).toMatchObject({ holds: true, pure: { epsilon: 1 } });
    const fromStdin = discreet(['verify', '-'], readFileSync(at('laplace.json'), 'utf8'));
    expect(fromStdin.code).toBe(0);
  });

  it('refuse a claim that does not hold with exit code 3 and write nothing', () => {
    const { code, stdout, stderr } = discreet([
      'compile',
      'laplace:scale=14',
      '--adjacency',
      '15',
      '--claim-epsilon',
      '1',
      '-o',
      at('no.json'),
    ]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/does not hold: its pure ε is 1.07142/);
    expect(existsSync(at('no.json'))).toBe(false);
    const gaussian = discreet([
      'compile',
      'gaussian:sigma=10',
      '--adjacency',
      '15',
      '--claim-epsilon',
      '3',
      '-o',
      at('no.json'),
    ]);
    expect(gaussian.code).toBe(3);
    expect(gaussian.stderr).toMatch(/not pure/);
  });

  it('exit with 3 where the file claims too much, and say what is true', () => {
    const text = readFileSync(at('laplace.json'), 'utf8').replace('"epsilon": "1"', '"epsilon": "0.999"');
    writeFileSync(at('bold.json'), text);
    const { code, stdout } = discreet(['verify', at('bold.json')]);
    expect(code).toBe(3);
    expect(stdout).toContain('does NOT hold');
    expect(stdout).toContain('certified pure ε = 1');
  });

  it('exit with 2 and one sentence where the file is no mechanism', () => {
    const cases: [string, RegExp][] = [
      [`${readFileSync(at('laplace.json'), 'utf8')}garbage`, /bad.json: expected one JSON object/],
      [
        readFileSync(at('laplace.json'), 'utf8').replace('"weights"', '"weight"'),
        /bad.json: the file: expected no field but/,
      ],
      [
        readFileSync(at('laplace.json'), 'utf8').replace(/"1",\s*"1"/, '"1","-1"'),
        /bad.json: weights\[1\].*-1/,
      ],
    ];
    for (const [text, message] of cases) {
      writeFileSync(at('bad.json'), text);
      const { code, stdout, stderr } = discreet(['verify', at('bad.json')]);
      expect(stderr).toMatch(message);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr.trim().split('\n').length).toBe(1);
    }
    expect(discreet(['verify', at('absent.json')])).toMatchObject({ code: 2 });
    expect(discreet(['verify', folder]).stderr).toMatch(/is a directory/);
  });

  it('do not overwrite a file unless told to, and leave nothing half-written', () => {
    const args = [
      'compile',
      'geometric:scale=5',
      '--adjacency',
      '5',
      '--claim-epsilon',
      '1',
      '-o',
      at('geometric.json'),
    ];
    expect(discreet(args).code).toBe(0);
    const before = readFileSync(at('geometric.json'), 'utf8');
    const again = discreet([...args.map((a) => a.replace('scale=5', 'scale=6'))]);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/exists.*--force/);
    expect(readFileSync(at('geometric.json'), 'utf8')).toBe(before);
    expect(discreet([...args.map((a) => a.replace('scale=5', 'scale=6')), '--force']).code).toBe(0);
    expect(readFileSync(at('geometric.json'), 'utf8')).not.toBe(before);
    expect(discreet([...args.slice(0, -1), join(folder, 'none', 'x.json')]).stderr).toMatch(
      /the folder .* does not exist; make it first/,
    );
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });
});

describe('calibrate', () => {
  interface Calibration {
    noise: string;
    certified: { epsilon: number | null; delta: number };
    moments: { meanAbs: number };
  }

  it('finds the least noise and writes a mechanism that verifies', () => {
    const found = discreetJson<Calibration>([
      'calibrate',
      'gaussian',
      '--epsilon',
      '1',
      '--delta',
      '1e-6',
      '--adjacency',
      '15',
      '-o',
      at('g.json'),
    ]);
    expect(found.noise).toMatch(/^gaussian:sigma=63\.3/);
    expect(found.certified.delta).toBeLessThanOrEqual(1e-6);
    expect(found.certified.delta).toBeGreaterThan(0.999999e-6);
    expect(discreet(['verify', at('g.json')]).code).toBe(0);
  });

  it('calibrates each pure family at δ = 0', () => {
    for (const family of ['laplace', 'geometric', 'staircase:width=5', 'geng-viswanath']) {
      const found = discreetJson<Calibration>([
        'calibrate',
        family,
        '--epsilon',
        '0.5',
        '--adjacency',
        '6',
        '--step',
        '0.5',
      ]);
      expect(found.certified.epsilon).toBeLessThanOrEqual(0.5);
      expect(found.certified.epsilon).toBeGreaterThan(0.4999999);
    }
  });

  it.each(['gaussian', 'uniform', 'exponential', 'discrete-gaussian'])(
    'refuses %s at δ = 0 with a reason',
    (family) => {
      const { code, stderr } = discreet(['calibrate', family, '--epsilon', '1', '--adjacency', '3']);
      expect(code).toBe(3);
      expect(stderr).toMatch(/cannot be ε-DP with δ = 0 for any (sigma|width|rate): /);
    },
  );

  it('meets small ε with δ, and gives the least noise there is where hardly any is needed', () => {
    expect(
      discreetJson<Calibration>([
        'calibrate',
        'gaussian',
        '--epsilon',
        '0',
        '--delta',
        '0.01',
        '--adjacency',
        '1',
      ]).noise,
    ).toMatch(/sigma=39\.8/);
    expect(
      discreetJson<Calibration>([
        'calibrate',
        'geometric',
        '--epsilon',
        '0',
        '--delta',
        '0.1',
        '--adjacency',
        '1',
      ]).noise,
    ).toMatch(/scale=4\.98/);
    expect(
      discreet(['calibrate', 'laplace', '--epsilon', '1', '--delta', '0.6', '--adjacency', '1']).code,
    ).toBe(0);
  });

  it('asks for what it needs', () => {
    expect(discreet(['calibrate', 'staircase', '--epsilon', '1', '--adjacency', '3'])).toMatchObject({
      code: 2,
    });
    expect(discreet(['calibrate', 'laplace', '--epsilon', '0', '--adjacency', '3'])).toMatchObject({
      code: 2,
    });
    expect(discreet(['calibrate', 'table', '--epsilon', '1', '--adjacency', '3']).code).toBe(2);
  });
});

describe('compare', () => {
  interface Comparison {
    rows: {
      noise: string;
      property: string;
      epsilon: number;
      delta: number;
      meanAbs: number;
      w: number;
      kl: number;
      js: number;
      verdict: string;
    }[];
  }

  it("has the paper's distances for its Gaussian and Poisson inputs", () => {
    const w = (prior: string, scale: string) =>
      discreetJson<Comparison>(['compare', `laplace:scale=${scale}`, '--adjacency', '15', '--prior', prior])
        .rows[0]!.w;
    // Table of the errata, with the exact scale λ = m / ε; its priors are cut at 6σ, which moves the fifth digit.
    expect(w('gaussian:mu=0,sigma=10', '15')).toBeCloseTo(9.4741, 3);
    expect(w('gaussian:mu=0,sigma=10', '7.5')).toBeCloseTo(3.3598, 3);
    expect(w('poisson:rate=5', '7.5')).toBeCloseTo(6.0426, 3);
    expect(w('poisson:rate=5', '5')).toBeCloseTo(3.6621, 3);
  });

  it('takes long priors with noise of any tail', () => {
    for (const prior of ['gaussian:sigma=1000', 'uniform:low=0,high=100000', 'poisson:rate=10000']) {
      const { rows } = discreetJson<Comparison>([
        'compare',
        'laplace:scale=7.5',
        'geometric:scale=3',
        '--adjacency',
        '15',
        '--prior',
        prior,
      ]);
      for (const { w } of rows) expect(w).toBeLessThan(1);
    }
  });

  it('has distances of noise too wide for a table of its own in the figures', () => {
    const args = ['compare', 'gaussian:sigma=5000', '--adjacency', '1', '--prior', 'uniform:low=0,high=9'];
    const [{ w, meanAbs }] = discreetJson<Comparison>(args).rows as [Comparison['rows'][number]];
    // Added to ten points, so wide a noise moves the output by its own E|θ|, to what ten points are.
    expect(Math.abs(w - meanAbs)).toBeLessThan(5);
    expect(meanAbs / (5000 * Math.sqrt(2 / Math.PI))).toBeCloseTo(1, 5);
  });

  it('states each noise at its own kind of guarantee', () => {
    const { rows } = discreetJson<Comparison>([
      'compare',
      'laplace:scale=5',
      'gaussian:sigma=20',
      '--adjacency',
      '10',
      '--delta',
      '1e-6',
      '--prior',
      'uniform:low=0,high=9',
    ]);
    expect(rows[0]).toMatchObject({ property: 'pure', epsilon: 2, delta: 0 });
    expect(rows[1]).toMatchObject({ property: 'approximate' });
    expect(rows[1]!.delta).toBeCloseTo(1e-6, 18);
    for (const row of rows) for (const value of [row.w, row.kl, row.js]) expect(value).toBeGreaterThan(0);
  });

  it('reads a prior from a public column, and only then', () => {
    const args = [
      'compare',
      'laplace:scale=5',
      '--adjacency',
      '5',
      '--prior',
      'column:examples/doctor-visits.csv#visits',
    ];
    expect(discreet(args)).toMatchObject({ code: 2 });
    expect(discreet(args).stderr).toMatch(/--prior-is-public/);
    expect(discreet([...args, '--prior-is-public']).code).toBe(0);
    expect(
      discreet([...args.slice(0, -1), 'column:examples/doctor-visits.csv#visit', '--prior-is-public']).stderr,
    ).toMatch(/no column "visit".*visits/);
  });

  it("prints the paper's Table V with the verdicts", () => {
    const { rows } = discreetJson<Comparison>(['compare', '--paper', '--adjacency', '15']);
    expect(rows.map(({ noise, verdict }) => [noise.split(':')[0], verdict])).toEqual([
      ['gaussian', 'unsound'],
      ['gaussian', 'loose'],
      ['laplace', 'loose'],
      ['staircase', 'tight'],
      ['staircase', 'unsound'],
      ['uniform', 'tight'],
      ['exponential', 'unsound'],
    ]);
    expect(discreet(['compare', '--paper', '--adjacency', '3', '--step', '0.3']).code).toBe(0);
    expect(discreet(['compare', '--adjacency', '3']).stderr).toMatch(/at least one noise/);
  });

  it.each([
    ['poison:rate=5', /did you mean poisson/],
    ['poisson:rate=0', /rate above 0/],
    ['gaussian:sigma=0', /sigma to be above 0/],
    ['uniform:low=3,high=1', /low not above high/],
    ['uniform:low=0.5,high=1', /multiple of the step/],
    ['point', /expected the parameter at/],
  ])('refuses the prior %s', (prior, message) => {
    const { code, stderr } = discreet(['compare', 'laplace:scale=5', '--adjacency', '5', '--prior', prior]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('help', () => {
  it.each([[], ['analyze'], ['calibrate'], ['compare'], ['compile'], ['verify']])(
    '%s has examples',
    (...command) => {
      const { code, stdout } = discreet([...command, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stdout).toContain('  discreet ');
    },
  );
});
