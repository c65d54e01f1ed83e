import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discreet, discreetJson } from './run.js';

let folder: string;
const at = (name: string) => join(folder, name);
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discreet-sampling-'));
  const compile = (...args: string[]) => expect(discreet(['compile', ...args]).code).toBe(0);
  compile('geometric:scale=3', '--adjacency', '3', '--claim-epsilon', '1', '-o', at('geometric.json'));
  compile(
    'laplace:scale=2,mu=0.3',
    '--step',
    '0.25',
    '--adjacency',
    '2',
    '--claim-epsilon',
    '1',
    '-o',
    at('quarter.json'),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('discreet sample', () => {
  it('prints draws in data units, as text and as csv', () => {
    const { code, stdout, stderr } = discreet(['sample', at('quarter.json'), '-n', '500']);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBe(500);
    expect(lines.every((line) => /^-?\d+(\.\d+)?$/.test(line) && Number.isInteger(Number(line) * 4))).toBe(
      true,
    );
    const csv = discreet(['sample', at('quarter.json'), '-n', '3', '--format', 'csv'])
      .stdout.trim()
      .split('\n');
    expect([csv[0], csv.length]).toEqual(['noise', 4]);
    expect(discreet(['sample', at('quarter.json'), '-n', '0']).stdout).toBe('');
  });

  it('writes little-endian steps, 32 and 64 bits wide, the same for the same seed', () => {
    const seeded = (format: string, name: string) => {
      const args = [
        'sample',
        at('quarter.json'),
        '-n',
        '200000',
        '--seed',
        '7',
        '--for-simulation',
        '--format',
        format,
      ];
      expect(discreet([...args, '-o', at(name)])).toMatchObject({ code: 0 });
      return readFileSync(at(name));
    };
    const [short, long] = [seeded('i32', 'simulated.i32'), seeded('i64', 'simulated.i64')];
    expect([short.length, long.length]).toEqual([800_000, 1_600_000]);
    for (let i = 0; i < 200_000; i += 997)
      expect(Number(long.readBigInt64LE(8 * i))).toBe(short.readInt32LE(4 * i));
    const text = discreet([
      'sample',
      at('quarter.json'),
      '-n',
      '200000',
      '--seed',
      '7',
      '--for-simulation',
    ]).stdout.split('\n');
    expect(text[0]).toMatch(/^# simulated noise, seed "7": not for release/);
    expect(Number(text[1])).toBe(short.readInt32LE(0) / 4);
    expect(Number(text[200_000])).toBe(short.readInt32LE(4 * 199_999) / 4);
  });

  it('shows drawn against certified with the p-value', () => {
    const { gTest } = discreetJson<{ gTest: { pValue: number } }>([
      'sample',
      at('geometric.json'),
      '-n',
      '2000000',
      '--histogram',
    ]);
    expect(gTest.pValue).toBeGreaterThan(1e-6);
    const { stdout } = discreet(['sample', at('geometric.json'), '-n', '100000', '--histogram']);
    expect(stdout).toMatch(/certified │█+/);
    expect(stdout).toMatch(/p = 0\.\d+|p = 1/);
  });

  it('keeps far values exact, refuses them in 32 bits, and does not replace what is not a file', () => {
    const far = readFileSync(at('geometric.json'), 'utf8').replace('"from": 0', '"from": 1099511627776');
    writeFileSync(at('far.json'), far);
    expect(
      discreetJson<{ gTest: { pValue: number } }>(['sample', at('far.json'), '-n', '100000', '--histogram'])
        .gTest.pValue,
    ).toBeGreaterThan(1e-6);
    expect(discreet(['sample', at('far.json'), '-n', '3', '--format', 'i32']).stderr).toMatch(
      /i32 cannot hold this noise.*use i64/,
    );
    expect(Number(discreet(['sample', at('far.json'), '-n', '1']).stdout) / 2 ** 40).toBeCloseTo(1, 6);
    spawnSync('mkfifo', [at('pipe')]);
    expect(discreet(['sample', at('geometric.json'), '-n', '3', '-o', at('pipe'), '--force']).stderr).toMatch(
      /expected a regular file/,
    );
    expect(statSync(at('pipe')).isFIFO()).toBe(true);
  });

  it('streams in constant memory and ends quietly when the reader has enough', () => {
    const command = `"${process.execPath}" "${main}" sample "${at('geometric.json')}" -n 9007199254740991 | head -n 5 | wc -l; exit \${PIPESTATUS[0]}`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', command], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect([stdout.trim(), stderr, status]).toEqual(['5', '', 0]);
  });

  it('leaves no half-written file where the disk is full', () => {
    const small = at('small-disk');
    const script = `mkdir -p "${small}" && mount -t tmpfs -o size=1m none "${small}" && "${process.execPath}" "${main}" sample "${at('geometric.json')}" -n 1000000 --format i32 -o "${small}/out.i32"; code=$?; ls -A "${small}"; exit $code`;
    const { stdout, stderr, status } = spawnSync('unshare', ['-rm', 'bash', '-c', script], {
      encoding: 'utf8',
    });
    if (/unshare|mount/.test(stderr) && !/no space/.test(stderr)) {
      // No private mounts here: standard output on a full device is the next best.
      const command = `"${process.execPath}" "${main}" sample "${at('geometric.json')}" -n 1000 > /dev/full`;
      const full = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
      expect([full.status, full.stderr]).toEqual([
        2,
        'error: standard output: no space left on the device\n',
      ]);
      return;
    }
    expect(stderr).toMatch(/out.i32: cannot be written: no space left/);
    expect([stdout, status]).toEqual(['', 2]);
  });

  it('refuses a mechanism whose claim does not hold with exit code 3', () => {
    const bold = readFileSync(at('geometric.json'), 'utf8').replace('"epsilon": "1"', '"epsilon": "0.9"');
    writeFileSync(at('bold.json'), bold);
    const { code, stdout, stderr } = discreet(['sample', at('bold.json'), '-n', '5']);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/does not hold.*nothing was drawn/);
  });

  it.each([
    ['a negative count', ['-n', '-5'], /-n: expected a whole number.*-5/],
    ['a fractional count', ['-n', '1.5'], /-n: expected a whole number.*1.5/],
    ['a count above 2^53', ['-n', '9007199254740993'], /-n: expected a whole number/],
    ['another format', ['-n', '1', '--format', 'i16'], /--format: expected text, csv, i32, i64, got i16/],
    ['a seed without saying what for', ['-n', '1', '--seed', '7'], /--for-simulation/],
    ['a simulation without a seed', ['-n', '1', '--for-simulation'], /--seed/],
  ])('refuses %s', (_, args, message) => {
    const { code, stdout, stderr } = discreet(['sample', at('geometric.json'), ...args]);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('refuses seeded noise in a binary file that does not say so, and an existing output', () => {
    const seeded = discreet([
      'sample',
      at('geometric.json'),
      '-n',
      '1',
      '--seed',
      '7',
      '--for-simulation',
      '--format',
      'i32',
      '-o',
      at('noise.i32'),
    ]);
    expect([seeded.code, existsSync(at('noise.i32'))]).toEqual([2, false]);
    expect(discreet(['sample', at('geometric.json'), '-n', '10', '-o', at('draws.txt')]).code).toBe(0);
    const size = statSync(at('draws.txt')).size;
    const again = discreet(['sample', at('geometric.json'), '-n', '1000', '-o', at('draws.txt')]);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/exists.*--force/);
    expect(statSync(at('draws.txt')).size).toBe(size);
    expect(
      discreet(['sample', at('geometric.json'), '-n', '1000', '-o', at('draws.txt'), '--force']).code,
    ).toBe(0);
    expect(statSync(at('draws.txt')).size).toBeGreaterThan(size);
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  });
});

describe('discreet choose', () => {
  const ledger = () => ['--ledger', at('discreet-ledger.db')];
  beforeAll(() => {
    // A ledger is begun where none is named.
    writeFileSync(at('first.csv'), 'candidate,score\na,0\n');
    const { stderr } = spawnSync(
      process.execPath,
      [main, 'choose', 'first.csv', '--epsilon', '1', '--sensitivity', '1'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stderr).toContain(`a new one is begun: ${at('discreet-ledger.db')}`);
    expect(stderr).toContain('for one row; rows per person were not stated');
  });

  it('is charged for the rows of a person, and refused beyond the budget', () => {
    writeFileSync(at('c.csv'), 'candidate,score\na,0\nb,3\n');
    const own = ['--ledger', at('budget.db')];
    discreet(['ledger', 'init', '--dataset', 'c', '--epsilon', '0.3', '--per-person', '2', ...own]);
    const choose = [
      'choose',
      at('c.csv'),
      '--epsilon',
      '0.2',
      '--sensitivity',
      '1',
      '--dataset',
      'c',
      ...own,
    ];
    expect(discreetJson(choose)).toMatchObject({
      cost: { epsilon: '0.2' },
      charges: [{ epsilon: '0.1' }],
      remaining: { epsilon: '0.1' },
      unit: 'for a person with up to 2 rows (as asserted)',
    });
    expect(discreet(choose)).toMatchObject({ code: 3, stdout: '' });
    expect(discreet(choose.filter((word) => word !== '--dataset' && word !== 'c'))).toMatchObject({
      code: 2,
    });
  });

  it('prefers better scores and prints the name alone', () => {
    writeFileSync(at('scores.csv'), 'candidate,score\n"north, upper",0\nsouth,30\n');
    const names = new Set(
      Array.from(
        { length: 5 },
        () =>
          discreet(['choose', at('scores.csv'), '--epsilon', '2', '--sensitivity', '1', ...ledger()]).stdout,
      ),
    );
    expect(names).toEqual(new Set(['south\n']));
    expect(
      discreetJson(['choose', at('scores.csv'), '--epsilon', '2', '--sensitivity', '1', ...ledger()]),
    ).toMatchObject({
      chosen: 'south',
      candidates: 2,
      dataset: 'scores',
      cost: { epsilon: '2', delta: '0' },
      spentAfter: { epsilon: '12' },
    });
  });

  it.each([
    [
      'other columns',
      'name,score\na,1\n',
      [],
      /expected the columns candidate and score in a header line, got 2 columns and no candidate/,
    ],
    ['no candidates', 'candidate,score\n', [], /at least one/],
    ['a candidate twice', 'candidate,score\na,1\na,2\n', [], /row 2.*each candidate once/],
    [
      'a score that is no number, without quoting it',
      'candidate,score\na,secret\n',
      [],
      /bad.csv: expected a score such as 12 or 0.5 in every row/,
    ],
    [
      'text that stands for a score, without its row',
      'candidate,score\na,85+\n',
      [],
      /bad.csv: a score is text/,
    ],
    ['a sensitivity of zero', 'candidate,score\na,1\n', ['--sensitivity', '0'], /sensitivity/],
    ['an ε of zero', 'candidate,score\na,1\n', ['--epsilon', '0'], /--epsilon/],
  ])('refuses %s', (_, csv, args, message) => {
    writeFileSync(at('bad.csv'), csv);
    const { code, stdout, stderr } = discreet([
      'choose',
      at('bad.csv'),
      '--epsilon',
      '1',
      '--sensitivity',
      '1',
      ...ledger(),
      ...args,
    ]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('secret');
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('discreet audit', () => {
  interface Report {
    epsilonLower: number;
    refuted: boolean;
    event: string;
  }
  /** A program that prints draws of x + noise; the body of `noise` is given. */
  const program = (name: string, noise: string) => {
    writeFileSync(
      at(name),
      `const x = Number(process.argv[2]);
const u = () => (Math.floor(Math.random() * 2 ** 30) + 0.5) / 2 ** 30;
const geometric = (scale) => Math.floor(-Math.log(u()) * scale);
const two = (scale) => geometric(scale) - geometric(scale);
const laplace = (scale) => (u() < 0.5 ? 1 : -1) * -Math.log(u()) * scale;
const lines = ['# draws follow'];
for (let i = 0; i < 60000; i++) lines.push(x + (${noise}));
console.log(lines.join('\\n'));`,
    );
    return at(name);
  };
  const run = (script: string, ...args: string[]) =>
    discreet([
      'audit',
      '--input',
      '0',
      '--input',
      '1',
      '--claim-epsilon',
      '1',
      '--json',
      ...args,
      '--',
      process.execPath,
      script,
      '{}',
    ]);

  it.each([
    ['a log base 10 in the calibration', 'two(1 / Math.LN10)', []],
    ['one-sided noise', 'geometric(1)', []],
    ['double mass at zero', '(() => { const m = geometric(1); return u() < 0.5 ? -m : m; })()', []],
  ])('refutes %s', (_, noise, args) => {
    const { code, stdout } = run(program('wrong.mjs', noise), ...args);
    const report = JSON.parse(stdout) as Report;
    expect(report.epsilonLower).toBeGreaterThan(1);
    expect([report.refuted, code]).toEqual([true, 3]);
  });

  it.each([
    ['a correct two-sided geometric', 'two(1)'],
    ['a correctly calibrated rounded Laplace, which is private', 'Math.round(laplace(1))'],
    ['a floored Laplace', 'Math.floor(laplace(1))'],
    ['a continuous Laplace', 'laplace(1)'],
  ])('does not refute %s', (_, noise) => {
    // A confidence at which a false alarm will not be seen in a lifetime of test runs.
    const { code, stdout } = run(program('right.mjs', noise), '--confidence', '0.999999');
    const report = JSON.parse(stdout) as Report;
    expect(report.epsilonLower).toBeLessThanOrEqual(1);
    expect(report.epsilonLower).toBeGreaterThan(0.5);
    expect([report.refuted, code]).toEqual([false, 0]);
  });

  it('finds our own sampler as private as it is, and subtracts δ', () => {
    writeFileSync(
      at('ours.sh'),
      `"${process.execPath}" "${main}" sample "${at('geometric.json')}" -n 60000 | awk -v x="$1" '{ print $1 + x }'`,
    );
    const report = JSON.parse(
      discreet([
        'audit',
        '--input',
        '0',
        '--input',
        '3',
        '--claim-epsilon',
        '1',
        '--confidence',
        '0.999999',
        '--json',
        '--',
        'bash',
        at('ours.sh'),
        '{}',
      ]).stdout,
    ) as Report;
    expect(report.refuted).toBe(false);
    expect(report.epsilonLower).toBeGreaterThan(0.3);
    // A uniform on ten values has δ = 0.1 between neighbours.
    const uniform = program('uniform.mjs', 'Math.floor(u() * 10)');
    expect(JSON.parse(run(uniform).stdout)).toMatchObject({ refuted: true });
    expect(JSON.parse(run(uniform, '--claim-delta', '0.1', '--confidence', '0.999999').stdout)).toMatchObject(
      { refuted: false },
    );
  });

  it('sees a leak in every other line, past an infinite value, and ends a pipeline that would go on', () => {
    const leak = 'for (let i = 0; i < 1000; i++) { console.log(process.argv[1]); console.log(7); }';
    const args = (draws: string, ...command: string[]) => [
      'audit',
      '--input',
      '0',
      '--input',
      '1',
      '--claim-epsilon',
      '1',
      '--draws',
      draws,
      '--json',
      '--',
      ...command,
    ];
    expect(JSON.parse(discreet(args('2000', process.execPath, '-e', leak, '{}')).stdout)).toMatchObject({
      refuted: true,
    });
    const infinite = program('infinite.mjs', 'i === 778 ? Infinity : laplace(0.2)');
    expect(JSON.parse(run(infinite).stdout)).toMatchObject({ refuted: true });
    expect(JSON.parse(discreet(args('2000', 'bash', '-c', 'yes {} | cat')).stdout)).toMatchObject({
      refuted: true,
    });
    expect(discreet(args('20', 'bash', '-c', 'echo {}; kill -SEGV $$')).stderr).toMatch(/ended with SIGSEGV/);
    expect(JSON.parse(discreet(args('2', 'echo', 'same', '{}')).stdout)).toMatchObject({ refuted: false });
  });

  it('works on names as well as numbers', () => {
    writeFileSync(
      at('names.mjs'),
      "const p = process.argv[2] === 'a' ? 0.9 : 0.1; for (let i = 0; i < 5000; i++) console.log(Math.random() < p ? 'yes' : 'no');",
    );
    const args = [
      'audit',
      '--input',
      'a',
      '--input',
      'b',
      '--draws',
      '5000',
      '--json',
      '--',
      process.execPath,
      at('names.mjs'),
      '{}',
    ];
    const report = JSON.parse(discreet(args).stdout) as Report;
    expect(report.epsilonLower).toBeGreaterThan(1.5);
  });

  it('says what is wrong with its own input', () => {
    const bad = (...args: string[]) => discreet(['audit', ...args]);
    expect(bad('--input', '0', '--', 'true', '{}').stderr).toMatch(/two inputs, got 1/);
    expect(bad('--input', '0', '--input', '1', '--', 'true').stderr).toMatch(/expected \{\} in the command/);
    expect(bad('--input', '0', '--input', '1', '--', 'true', '{}').stderr).toMatch(/printed no draw/);
    expect(bad('--input', '0', '--input', '1', '--', 'false', '{}').stderr).toMatch(/exit code 1/);
    expect(bad('--input', '0', '--input', '1', '--', 'no-such-program', '{}').stderr).toMatch(
      /cannot run no-such-program/,
    );
    expect(bad('--input', '0', '--input', '1', '--confidence', '2', '--', 'true', '{}').stderr).toMatch(
      /--confidence/,
    );
  });
});
