// Noise that is made for a release: what one person spends in all, without bias unless asked, and what readers see of it.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { rational, toNumberNear } from '../../src/exact/index.js';
import { latticeOf, readMechanism } from '../../src/mechanism/index.js';
import { moments } from '../../src/pmf/index.js';
import { publishedError } from '../../src/report/index.js';
import { cells, type Scratch, scratch, visits } from '../scratch.js';

let here: Scratch;
beforeAll(() => {
  here = scratch();
  here.write('t.csv', 'id,visits,trips\n1,5,6\n2,7,8\n');
  expect(here.run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
});

interface Told {
  cost: { epsilon: string; delta: string };
  charges: { on: string; epsilon: string; delta: string }[];
  unit: string;
  mechanisms: string[];
}
const release = (output: string, ...more: string[]) =>
  here.json<Told>([
    'release',
    't.csv',
    ...(more.includes('--mechanism') ? [] : ['--adjacency', '5']),
    '-o',
    output,
    ...(more.includes('--dataset') ? [] : ['--dataset', 't']),
    ...more,
  ]);
const columns = ['--column', 'visits', '--column', 'trips'];

describe('ε is what one person spends in all', () => {
  it.each([
    ['1', '13'],
    ['0.7', '3'],
    ['1', '7'],
    ['2', '1'],
  ])('ε = %s over two columns and %s rows', (epsilon, rows) => {
    const { cost, charges } = release(
      's.csv',
      ...columns,
      '--epsilon',
      epsilon,
      '--per-person',
      rows,
      '--force',
    );
    expect(Number(cost.epsilon)).toBeLessThanOrEqual(Number(epsilon));
    expect(Number(cost.epsilon)).toBeCloseTo(Number(epsilon), 9);
    for (const charge of charges)
      expect(Number(charge.epsilon)).toBeCloseTo(Number(epsilon) / 2 / Number(rows), 9);
  });

  it('fits a budget of the same size, down to the last digit', () => {
    const folder = scratch();
    folder.write('t.csv', here.read('t.csv'));
    for (const rows of ['1', '3', '7', '13', '999']) {
      const name = `d${rows}`;
      folder.json([
        'ledger',
        'init',
        '--dataset',
        name,
        '--epsilon',
        '1',
        '--delta',
        '1e-6',
        '--adjacency',
        'visits=5',
        '--adjacency',
        'trips=3',
        '--per-person',
        rows,
      ]);
      for (const [i, more] of [['--family', 'geometric'], []].entries())
        expect(
          folder.run([
            'release',
            't.csv',
            ...columns,
            '--epsilon',
            '0.5',
            '--dataset',
            name,
            '-o',
            `${name}-${i}.csv`,
            ...more,
          ]),
        ).toMatchObject({ code: 0 });
      expect(
        folder.run([
          'release',
          't.csv',
          ...columns,
          '--epsilon',
          '0.1',
          '--dataset',
          name,
          '-o',
          `${name}-2.csv`,
        ]).code,
      ).toBe(3);
    }
  });

  it('is shared by column where that is said, and δ likewise', () => {
    const shares = (...more: string[]) =>
      release('c.csv', ...columns, ...more, '--force').charges.map(({ epsilon }) =>
        Number(epsilon).toFixed(6),
      );
    expect(shares('--epsilon', 'visits=0.7', '--epsilon', 'trips=0.3')).toEqual(['0.700000', '0.300000']);
    expect(shares('--epsilon', '1', '--epsilon', 'visits=0.75')).toEqual(['0.750000', '0.250000']);
    const { charges, cost } = release(
      'd.csv',
      ...columns,
      '--family',
      'gaussian',
      '--epsilon',
      '1',
      '--delta',
      '1e-6',
      '--per-person',
      '2',
    );
    expect(charges.map(({ delta }) => Number(delta))).toEqual([2.5e-7, 2.5e-7]);
    expect(Number(cost.delta)).toBe(1e-6);
    for (const [more, message] of [
      [['--epsilon', 'visits=0.7'], /expected a share for "trips" too/],
      [['--epsilon', '1', '--epsilon', 'visits=1.5'], /1.5 in all, more than the 1/],
      [['--epsilon', '1', '--epsilon', '2'], /given twice for all columns/],
      [['--epsilon', 'days=1'], /no noise is made for "days"/],
      [['--epsilon', '1', '--epsilon', 'visits=1'], /expected a value above 0 for "trips"/],
    ] as const)
      expect(
        here.run(['release', 't.csv', ...columns, '--adjacency', '5', '-o', 'x.csv', ...more]),
      ).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });

  it('is told column by column, and a trial says what it has not counted yet', () => {
    const told = here.run([
      'release',
      't.csv',
      ...columns,
      '--adjacency',
      '5',
      '--epsilon',
      '0.5',
      '--epsilon',
      'visits=0.3',
      '--per-person',
      '2',
      '--dataset',
      't',
      '-o',
      'told.csv',
    ]);
    expect(told.stdout).toMatch(/^shares {5}visits ε = 0\.3; trips ε = 0\.2$/m);
    const trial = here.run([
      'release',
      't.csv',
      ...columns,
      '--adjacency',
      '5',
      '--epsilon',
      '1',
      '--person',
      'id',
      '--dataset',
      't',
      '-o',
      'x.csv',
      '--dry-run',
    ]);
    expect(trial.stdout).toMatch(/for a person with up to 1 row \(to be counted\)/);
    expect(trial.stderr).toMatch(/note: "id" tells persons apart, and leaves as it is/);
  });

  it('leaves mechanism files what they cost, on top', () => {
    const { cost } = release(
      'f.csv',
      '--column',
      'visits=m.json',
      '--column',
      'trips',
      '--epsilon',
      '0.5',
      '--per-person',
      '2',
    );
    expect(Number(cost.epsilon)).toBeCloseTo(2 * 1 + 0.5, 9);
  });

  it('says for whom it is, wherever it is said', () => {
    const words = 'for one row; rows per person were not stated';
    const base = [
      'release',
      't.csv',
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--dataset',
      'who',
      '-o',
      'w.csv',
    ];
    expect(here.run([...base, '--dry-run']).stdout).toContain(words);
    expect(here.run([...base, '--report', 'w.html']).stdout).toContain(words);
    expect(here.read('w.html')).toContain(words);
    expect(here.run(['ledger', 'history', '--dataset', 'who']).stdout).toContain(words);
    expect(
      here.run([
        'count',
        't.csv',
        '--by',
        'id',
        '--domain',
        'id=1..2',
        '--epsilon',
        '1',
        '--dataset',
        'who',
        '-o',
        'k.csv',
      ]).stdout,
    ).toContain(words);
    expect(release('p.csv', ...columns, '--epsilon', '1', '--per-person', '1').unit).toBe(
      'for a person with up to 1 row (as asserted)',
    );
    expect(release('q.csv', ...columns, '--epsilon', '1', '--person', 'id').unit).toBe(
      'for a person with up to 1 row (counted)',
    );
    const folder = scratch();
    expect(
      folder.run(['ledger', 'init', '--dataset', 'd', '--epsilon', '1', '--adjacency', 'visits=5']).stdout,
    ).toContain(words);
    expect(
      folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '2', '--adjacency', 'visits=5']),
    ).toMatchObject({ unit: words, perPerson: null });
    expect(folder.run(['ledger', 'status']).stdout).toContain(words);
    folder.write('t.csv', here.read('t.csv'));
    expect(
      folder.run([
        'release',
        't.csv',
        '--column',
        'visits',
        '--epsilon',
        '1',
        '--dataset',
        'd',
        '-o',
        'o.csv',
        '--per-person',
        '3',
      ]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/for one row, got 3.*ledger init --per-person 3/),
    });
    expect(
      folder.run([
        'release',
        't.csv',
        '--column',
        'visits',
        '--epsilon',
        '1',
        '--dataset',
        'd',
        '-o',
        'o.csv',
        '--adjacency',
        '4',
      ]),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the budget protects "visits" up to 5, got 4/),
    });
  });
});

describe('without bias unless asked otherwise', () => {
  const meanOf = (path: string) => {
    const { pmf } = readMechanism(here.read(path));
    return toNumberNear(moments(pmf).mean) / toNumberNear(pmf.step);
  };
  const made = (...more: string[]) => {
    release('u.csv', '--dataset', 'u', '--column', 'visits', '--epsilon', '1', '--force', ...more);
    return meanOf('u.csv.mechanism.json');
  };

  it.each([
    [[]],
    [['--prior', 'poisson:rate=3']],
    [['--prior', 'poisson:rate=3', '--delta', '1e-5']],
    [['--family', 'laplace']],
    [['--family', 'geometric']],
    [['--family', 'staircase:width=3']],
    [['--family', 'geng-viswanath']],
    [['--family', 'gaussian', '--delta', '1e-5']],
    [['--family', 'discrete-gaussian', '--delta', '1e-5']],
    [['--family', 'uniform', '--delta', '0.3']],
    [['--family', 'exponential', '--delta', '0.3']],
    [['--family', 'laplace:mu=12.3']],
    [['--family', 'laplace', '--step', '0.25']],
  ])('the noise of %j has the mean 0, and keeps its claim', (more) => {
    expect(Math.abs(made(...more))).toBeLessThan(1e-9);
    expect(here.run(['verify', 'u.csv.mechanism.json']).code).toBe(0);
  });

  it('is asked otherwise by --allow-bias', () => {
    expect(made('--prior', 'poisson:rate=3', '--allow-bias')).toBeCloseTo(0.448343, 4);
    expect(made('--family', 'laplace', '--allow-bias')).toBeCloseTo(-0.5, 9);
    expect(made('--family', 'staircase:width=3', '--allow-bias')).toBeCloseTo(-0.5, 9);
  });

  it('costs next to nothing, and the mean of the example stays where it is', () => {
    const w = (...more: string[]) => {
      here.json([
        'release',
        visits,
        '--column',
        'visits',
        '--epsilon',
        '1',
        '--adjacency',
        '5',
        '--prior',
        'poisson:rate=3',
        '-o',
        'e.csv',
        '--force',
        ...more,
      ]);
      return JSON.parse(here.read('e.csv.mechanism.json')).origin.design.value as number;
    };
    const [biased, unbiased] = [w('--allow-bias'), w()];
    expect((unbiased - biased) / biased).toBeLessThan(0.0005);
    const mean = (text: string) => {
      const values = cells(text)
        .slice(1)
        .map((row) => Number(row[3]));
      return values.reduce((a, b) => a + b, 0) / values.length;
    };
    // The noise has a standard deviation of 7: the mean of 20,190 moves by 0.25 once in a million.
    expect(Math.abs(mean(here.read('e.csv')) - 2.86)).toBeLessThan(0.25);
  });
});

describe('what readers see', () => {
  it('is told after clamping and rounding, by the true value', () => {
    const told = here.json<{
      error: {
        bias: number;
        published: { at: { value: number; bias: number; meanAbsolute: number }[]; warning: string };
      }[];
    }>([
      'release',
      visits,
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--clamp',
      '0,20',
      '-o',
      'k20.csv',
      '--report',
      'k20.html',
      '--dataset',
      'k',
    ]);
    const { at, warning } = told.error[0]!.published;
    expect(at[0]!.value).toBe(0);
    expect(at.at(-1)!.value).toBe(20);
    expect(warning).toMatch(/clamping moves averages: a true value of 0 comes out 2\.3\d+ too high/);
    // Against the data: what the figures say of each true value is what is found.
    const truth = cells(readFileSync(visits, 'utf8'))
      .slice(1)
      .map((row) => Number(row[3]));
    const found = cells(here.read('k20.csv'))
      .slice(1)
      .map((row) => Number(row[3]));
    for (const value of [0, 1, 2, 5]) {
      const off = found.filter((_, i) => truth[i] === value).map((x) => x - value);
      const mean = off.reduce((a, b) => a + b, 0) / off.length;
      const expected = at.find((point) => point.value === value)!;
      // Five standard errors of at most 7 / √n.
      expect(Math.abs(mean - expected.bias)).toBeLessThan(35 / Math.sqrt(off.length));
    }
    const page = here.read('k20.html');
    expect(page).toMatch(/What was published, by the true value/);
    expect(page).toMatch(/Mind:<\/b> clamping moves averages/);
    expect(page).toMatch(
      /their mean is off by<\/th><td>−2\.\d+ to 2\.\d+ \(for values that are truly within 0 … 20; it depends on them\)/,
    );
    expect(page.match(/<svg/g)!.length).toBeGreaterThan(1);
  });

  it('is exact for small noise', () => {
    // −1, 0, 1 with probabilities 1/4, 1/2, 1/4.
    const pmf = { step: rational(1n), from: -1, weights: [1n, 2n, 1n], left: null, right: null };
    const mechanism = {
      pmf,
      adjacency: 1,
      claim: { epsilon: rational(1n), delta: rational(1n) },
      origin: {},
    };
    const lattice = latticeOf(rational(1n));
    const of = (low: bigint, high: bigint, roundTo: bigint) =>
      publishedError({ name: 'x', mechanism, lattice, finish: { low, high, roundTo } });
    expect(of(-lattice.limit, lattice.limit, 1n)).toBeNull();
    const clamped = of(0n, 2n, 1n)!;
    expect(clamped.at).toEqual([
      { value: 0, bias: 0.25, meanAbsolute: 0.25, std: Math.sqrt(0.25 - 0.0625) },
      { value: 1, bias: 0, meanAbsolute: 0.5, std: Math.sqrt(0.5) },
      { value: 2, bias: -0.25, meanAbsolute: 0.25, std: Math.sqrt(0.25 - 0.0625) },
    ]);
    // Far out, where doubles count by hundreds, and in the middle of a period, where rounding is worst.
    const far = of(0n, 10n ** 18n, 1n)!;
    expect([far.leastBias, far.greatestBias, far.bounds]).toEqual([
      -0.25,
      0.25,
      ['0', '1000000000000000000'],
    ]);
    for (const wide of [of(-lattice.limit, lattice.limit, 1000n)!, of(0n, 100_000n, 1000n)!]) {
      expect(wide.greatestBias).toBeGreaterThan(400);
      expect(wide.leastBias).toBeLessThan(-400);
    }
    // Rounded to even numbers, halves up: 0 → {0, 0, 2}, 1 → {0, 2, 2}.
    expect(of(-lattice.limit, lattice.limit, 2n)!.at.map(({ value, bias }) => [value, bias])).toEqual([
      [0, 0.5],
      [1, 0.5],
    ]);
  });

  it('comes with a mechanism file, also for a mechanism that was given, one for columns that share it', () => {
    const { mechanisms } = release(
      'g.csv',
      ...columns,
      '--mechanism',
      'm.json',
      '--clamp',
      '0,100',
      '--round-to',
      '5',
    );
    expect(mechanisms).toEqual(['g.csv.mechanism.json']);
    const used = JSON.parse(here.read('g.csv.mechanism.json'));
    expect(used.origin.release).toEqual({ columns: ['visits', 'trips'], clamp: ['0', '100'], roundTo: '5' });
    const { origin: own, ...integers } = JSON.parse(here.read('m.json'));
    expect(used).toMatchObject(integers);
    expect(used.origin).toMatchObject(own);
    expect(here.run(['verify', 'g.csv.mechanism.json']).code).toBe(0);
    const apart = release('h.csv', ...columns, '--mechanism', 'm.json', '--clamp', 'visits=0,100');
    expect(apart.mechanisms).toEqual(['h.csv.visits.mechanism.json', 'h.csv.trips.mechanism.json']);
    expect(JSON.parse(here.read('h.csv.trips.mechanism.json')).origin.release).toEqual({
      columns: ['trips'],
      clamp: null,
      roundTo: null,
    });
    here.json([
      'count',
      't.csv',
      '--by',
      'id',
      '--domain',
      'id=1..2',
      '--epsilon',
      '1',
      '--dataset',
      't',
      '--clamp',
      '0,9',
      '-o',
      'n.csv',
    ]);
    expect(JSON.parse(here.read('n.csv.mechanism.json')).origin.release).toEqual({
      columns: ['count'],
      clamp: ['0', '9'],
      roundTo: null,
    });
  });
});
