import { describe, expect, it } from 'vitest';
import { successive } from '../../src/account/index.js';
import { rational, toNumberNear } from '../../src/exact/index.js';
import { readMechanism } from '../../src/mechanism/index.js';
import { privacyProfile } from '../../src/privacy/index.js';
import { shareOf } from '../../src/release/index.js';
import { cells, scratch } from '../scratch.js';

const { write, read, run, json, exists, at } = scratch();

const rows = Array.from(
  { length: 4000 },
  (_, i) => `${['N', 'S', 'E', 'X', ''][i % 5]},${2018 + (i % 3)},p${i % 1000}`,
);
write('trips.csv', `region,year,person\n${rows.join('\n')}\n`);
const base = [
  'count',
  'trips.csv',
  '--by',
  'region,year',
  '--domain',
  'region=N,S,E,W',
  '--domain',
  'year=2018..2021',
];

describe('noisy counts', () => {
  it('cover every cell of the domain, in its order, and nothing else', () => {
    expect(json([...base, '--epsilon', '1', '-o', 'c.csv'])).toMatchObject({ rows: 16, dataset: 'trips' });
    const [header, ...found] = cells(read('c.csv'));
    expect(header).toEqual(['region', 'year', 'count']);
    expect(found.map(([region, year]) => `${region}${year}`)).toEqual(
      ['N', 'S', 'E', 'W'].flatMap((region) => [2018, 2019, 2020, 2021].map((year) => `${region}${year}`)),
    );
    for (const [region, year, count] of found) {
      const truth = rows.filter((row) => row.startsWith(`${region},${year},`)).length;
      // ε = 1: beyond 60 with a probability of e^−60.
      expect(Math.abs(Number(count) - truth)).toBeLessThan(60);
    }
  });

  it('say nothing of rows outside the domain, or of cells that are empty', () => {
    write('none.csv', 'region,year,person\n');
    write('outside.csv', `region,year,person\n${'Q,1999,p\n'.repeat(500)}`);
    const told = ['none.csv', 'outside.csv'].map((name) => {
      const { code, stdout, stderr } = run([
        'count',
        name,
        ...base.slice(2),
        '--epsilon',
        '1',
        '-o',
        `c-${name}`,
        '--dataset',
        `same-${name}`,
      ]);
      expect(code).toBe(0);
      // How many of the published counts are near 0 is told, and drawn.
      return `${stdout.replace(/head.*|.*spent.*|c-\S+/g, '')}${stderr.replace(/\d+ of the 16 published/, '')}`;
    });
    expect(told[0]).toBe(told[1]);
    expect(cells(read('c-none.csv'))).toHaveLength(17);
  });

  it('are of rows that an engine has counted, where a column says how many', () => {
    write('cells.csv', 'region,n\nN,5000\nS,7\nN,300\nX,9\n');
    const own = ['--by', 'region', '--domain', 'region=N,S,E', '--counted', 'n', '--epsilon', '1'];
    json(['count', 'cells.csv', ...own, '--dataset', 'trips', '-o', 'counted.csv']);
    // ε = 1: beyond 60 with a probability of e^−60.
    const found = cells(read('counted.csv')).slice(1);
    [5300, 7, 0].forEach((truth, i) => {
      expect(Math.abs(Number(found[i]![1]) - truth)).toBeLessThan(60);
    });
    expect(run(['count', 'cells.csv', ...own, '--person', 'region', '-o', 'p.csv']).stderr).toContain(
      '--person',
    );
  });

  it('cost ε for a person with k rows: each cell gets noise for one at ε/k', () => {
    const { cost } = json([...base, '--epsilon', '1', '--per-person', '4', '-o', 'k.csv']) as {
      cost: { epsilon: string };
    };
    expect(Number(cost.epsilon)).toBeCloseTo(1, 9);
    expect(Number(cost.epsilon)).toBeLessThanOrEqual(1);
    const { pmf, adjacency } = readMechanism(read('k.csv.mechanism.json'));
    expect(adjacency).toBe(1);
    const { supRatio } = privacyProfile(pmf, 1);
    expect(supRatio.finite && toNumberNear(supRatio.epsilon(100).upper)).toBeCloseTo(0.25, 9);
  });

  it('have a δ that holds for k successive changes', () => {
    for (const k of [1, 3, 10]) {
      const target = { epsilon: rational(1n), delta: rational(1n, 100_000n) };
      const share = shareOf(target, k);
      const whole = successive(share, k);
      expect(toNumberNear(whole.epsilon)).toBeCloseTo(1, 9);
      expect(toNumberNear(whole.epsilon)).toBeLessThanOrEqual(1);
      expect(toNumberNear(whole.delta)).toBeCloseTo(1e-5, 9);
      expect(toNumberNear(whole.delta)).toBeLessThanOrEqual(1e-5);
    }
    const { cost } = json([
      ...base,
      '--epsilon',
      '1',
      '--delta',
      '1e-5',
      '--per-person',
      '2',
      '-o',
      'd.csv',
    ]) as { cost: { epsilon: string; delta: string } };
    expect(Number(cost.epsilon)).toBeLessThanOrEqual(1);
    expect(Number(cost.delta)).toBeLessThanOrEqual(1e-5);
    const { pmf } = readMechanism(read('d.csv.mechanism.json'));
    expect(privacyProfile(pmf, 2).satisfies(rational(1n), rational(1n, 100_000n))).toBe(true);
  });

  it('count the rows of each person where asked', () => {
    expect(
      run([...base, '--epsilon', '1', '--per-person', '3', '--person', 'person', '-o', 'p.csv']),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/more than 3 rows/) });
    expect(exists('p.csv')).toBe(false);
    expect(
      run([...base, '--epsilon', '1', '--per-person', '4', '--person', 'person', '-o', 'p.csv']).code,
    ).toBe(0);
  });

  it('cost twice by a column whose values the budget protects', () => {
    const folder = scratch();
    folder.write('trips.csv', `region,year,person\n${rows.join('\n')}\n`);
    folder.json([
      'ledger',
      'init',
      '--dataset',
      'trips',
      '--epsilon',
      '2',
      '--adjacency',
      'year=1',
      '--partition',
      'region=N,S',
    ]);
    const { cost } = folder.json([...base, '--epsilon', '1', '-o', 'y.csv', '--dataset', 'trips']) as {
      cost: { epsilon: string };
    };
    expect(Number(cost.epsilon)).toBeCloseTo(1, 9);
    const { supRatio } = privacyProfile(readMechanism(folder.read('y.csv.mechanism.json')).pmf, 1);
    expect(supRatio.finite && toNumberNear(supRatio.epsilon(100).upper)).toBeCloseTo(0.5, 9);
    // A part counts its own rows only.
    folder.json([...base, '--epsilon', '1', '-o', 'n.csv', '--dataset', 'trips', '--part', 'N']);
    const south = cells(folder.read('n.csv')).filter(([region]) => region === 'S');
    for (const [, , count] of south) expect(Math.abs(Number(count))).toBeLessThan(100);
    expect(folder.run([...base, '--epsilon', '1', '-o', 'z.csv', '--dataset', 'trips']).code).toBe(3);
  });

  it('match whole numbers of every type, quoted values, and text by text', async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(
      `COPY (SELECT 2019::DOUBLE AS d, 2019::DECIMAL(6,2) AS c, 'N, x' AS r FROM range(1000)) TO '${at('types.parquet')}' (FORMAT parquet)`,
    );
    connection.closeSync();
    for (const [column, domain] of [
      ['d', 'd=2018..2020'],
      ['c', 'c=2018..2020'],
      ['r', 'r=S,"N, x"'],
    ] as const) {
      json([
        'count',
        'types.parquet',
        '--by',
        column,
        '--domain',
        domain,
        '--epsilon',
        '1',
        '-o',
        `by-${column}.csv`,
      ]);
      const counts = read(`by-${column}.csv`)
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => Number(line.split(',').at(-1)));
      expect([column, Math.abs(counts[1]! - 1000) < 60]).toEqual([column, true]);
    }
    expect(
      run(['count', 'types.parquet', '--by', 'r', '--domain', 'r=', '--epsilon', '1', '-o', 'x.csv']).stderr,
    ).toMatch(/expected the values/);
  });

  it('have a report of their own', () => {
    json([...base, '--epsilon', '1', '--per-person', '2', '-o', 'r.csv', '--report', 'r.html']);
    expect(read('r.html')).toMatch(/one person with up to 2 rows had not been counted/);
    expect(JSON.parse(read('r.json'))).toMatchObject({ act: 'count', rows: 16 });
  });

  it('are clamped and written in any format, and refuse what is not said', () => {
    json([...base, '--epsilon', '0.01', '--clamp', '0,5', '-o', 'clamped.csv']);
    expect(
      cells(read('clamped.csv'))
        .slice(1)
        .every(([, , count]) => Number(count) >= 0 && Number(count) <= 5),
    ).toBe(true);
    expect(json([...base, '--epsilon', '1', '-o', 'c.parquet'])).toMatchObject({ rows: 16 });
    for (const [args, message] of [
      [['--by', 'region', '--domain', 'year=2018..2021'], /"year" is not counted by/],
      [['--by', 'region,year', '--domain', 'region=N'], /expected all values that "year" may have/],
      [['--by', 'regio', '--domain', 'regio=N'], /no column "regio"; did you mean "region"\?/],
      [['--by', 'region', '--domain', 'region=N,N'], /"N" is named twice/],
      [['--by', 'year', '--domain', 'year=2021..2018'], /range upward/],
      [['--by', 'region', '--domain', 'region'], /column=values/],
    ] as const)
      expect(run(['count', 'trips.csv', ...args, '--epsilon', '1', '-o', 'x.csv'])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(message),
      });
    expect(run([...base, '--epsilon', '1', '--seed', '1', '-o', 'x.csv']).code).toBe(3);
  });
});
