// A prior that is paid for: what it charges, what it tells, and what it is good for.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { toNumberNear } from '../../src/exact/index.js';
import { readMechanism } from '../../src/mechanism/index.js';
import { supRatio } from '../../src/privacy/index.js';
import { cells, instead, scratch, visits } from '../scratch.js';

const { write, read, run, json, exists, start } = scratch();

interface Paid {
  readonly entry: number;
  readonly cost: { readonly epsilon: string; readonly delta: string };
  readonly charges: readonly { readonly on: string; readonly mechanism: string; readonly epsilon: string }[];
  readonly distribution: readonly { readonly value: number; readonly mass: number }[];
}

const truth = readFileSync(visits, 'utf8')
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => Number(line.split(',')[3]));

function distance(distribution: Paid['distribution'], values: readonly number[]): number {
  let [ahead, sum] = [0, 0];
  for (const { value, mass } of distribution) {
    ahead += mass - values.filter((v) => v === value).length / values.length;
    sum += Math.abs(ahead);
  }
  return sum;
}

const base = ['prior', visits, '--column', 'visits', '--range', '0,77', '--epsilon', '0.1'];

/** A ledger of its own, with a budget for one column. */
function ledger(name: string, column: string, more: readonly string[] = []): string[] {
  const own = ['--ledger', `${name}.db`, '--dataset', name];
  json(['ledger', 'init', ...own, '--epsilon', '9', '--adjacency', `${column}=5`, ...more]);
  return own;
}

beforeAll(() => {
  json(['ledger', 'init', '--dataset', 'v', '--epsilon', '50', '--adjacency', 'visits=5']);
});

describe('what a prior costs', () => {
  // Two changes for each row: a value that moves leaves one count for another. Below thresholds it changes one.
  it.each([
    [[], 2],
    [['--thresholds'], 1],
    [['--thresholds', '--adjacency', '9'], 1],
  ])('is charged for every count that a record can change: %j', (more, changes) => {
    const { cost, charges, entry } = json<Paid>([
      ...base,
      ...more,
      '--dataset',
      'v',
      '-o',
      `p-${more.length}.csv`,
    ]);
    expect(charges).toHaveLength(1);
    const each = Number(charges[0]!.epsilon);
    expect(each * changes).toBeGreaterThan(0.0999);
    expect(each * changes).toBeLessThanOrEqual(0.1 + 1e-12);
    expect(Number(cost.epsilon)).toBeCloseTo(0.1, 9);
    // And the noise that the ledger kept has this ε for a change of one.
    const { mechanisms } = json<{ mechanisms: Record<string, string> }>(['ledger', 'export']);
    const { pmf } = readMechanism(mechanisms[charges[0]!.mechanism]!);
    const ratio = supRatio(pmf, 1);
    expect(ratio.finite && toNumberNear(ratio.epsilon().upper)).toBeCloseTo(each, 9);
    const { entries } = json<{ entries: { sequence: number; act?: string; by?: string[] }[] }>([
      'ledger',
      'history',
    ]);
    expect(entries.find(({ sequence }) => sequence === entry)).toMatchObject({
      act: 'prior',
      by: ['visits'],
    });
  });

  it('is 2k for a person with k rows', () => {
    const people = Array.from({ length: 300 }, (_, i) => `p${i % 100},${i % 7}`).join('\n');
    write('people.csv', `who,visits\n${people}\n`);
    const own = ledger('people', 'visits', ['--per-person', '3']);
    const { charges, cost } = json<Paid>([
      ...['prior', 'people.csv', '--column', 'visits', '--range', '0,9', '--epsilon', '0.6'],
      ...['--person', 'who', ...own, '-o', 'people-prior.csv'],
    ]);
    expect(Number(charges[0]!.epsilon)).toBeCloseTo(0.1, 9);
    expect(Number(cost.epsilon)).toBeCloseTo(0.6, 9);
    const crowd = write('crowd.csv', 'who,visits\na,1\na,2\na,3\na,4\n');
    const { code, stderr } = run([
      ...['prior', crowd, '--column', 'visits', '--range', '0,9', '--epsilon', '0.6'],
      ...['--person', 'who', ...own, '-o', 'crowd-prior.csv'],
    ]);
    expect([code, exists('crowd-prior.csv')]).toEqual([2, false]);
    expect(stderr).toContain('more than 3 rows');
  });

  it('is refused beyond the budget, and then nothing is read', () => {
    const small = ['--ledger', 'small.db', '--dataset', 'd'];
    json([
      'ledger',
      'init',
      '--ledger',
      'small.db',
      '--dataset',
      'd',
      '--epsilon',
      '0.05',
      '--adjacency',
      'visits=5',
    ]);
    const { code, stderr } = run([...base, ...small, '-o', 'never.csv']);
    expect([code, exists('never.csv')]).toEqual([3, false]);
    expect(stderr).toContain('beyond its budget');
  });

  it('keeps later budgets from protecting wider moves than thresholds were charged for', () => {
    const own = ledger('wide', 'visits');
    json([...base, '--thresholds', ...own, '-o', 'wide.csv']);
    const wider = run(['ledger', 'init', ...own, '--epsilon', '9', '--adjacency', 'visits=6']);
    expect(wider.code).toBe(2);
    expect(wider.stderr).toContain('below thresholds 5 apart');
    expect(run(['ledger', 'init', ...own, '--epsilon', '10', '--adjacency', 'visits=5']).code).toBe(0);
  });

  it('makes the column one that does not leave as it is', () => {
    const own = ledger('left', 'record');
    json([...base, ...own, '-o', 'left.csv']);
    const { code, stderr } = run([
      ...['release', visits, '--column', 'record', '--epsilon', '1', ...own],
      ...['-o', 'out.csv'],
    ]);
    expect([code, exists('out.csv')]).toEqual([3, false]);
    expect(stderr).toContain('"visits" was protected in an earlier release');
  });
});

describe('a prior that is killed', () => {
  it('is spent or never was, at random moments', async () => {
    const own = ledger('killed', 'visits');
    for (let i = 0; i < 10; i++) {
      const { child, ended } = start([...base, ...own, '-o', `killed-${i}.csv`]);
      if (i < 9) {
        await new Promise((done) => setTimeout(done, 250 + 70 * i));
        child.kill('SIGKILL');
      }
      await ended;
    }
    const { entries } = json<{ entries: { kind: string; output?: string; state?: string }[] }>([
      ...['ledger', 'history', '--ledger', 'killed.db'],
    ]);
    const spent = entries.filter(({ kind, state }) => kind === 'release' && state !== 'void');
    for (let i = 0; i < 10; i++)
      if (exists(`killed-${i}.csv`)) {
        expect(spent.map(({ output }) => output)).toContain(`killed-${i}.csv`);
        expect(read(`killed-${i}.csv`).trimEnd().split('\n')).toHaveLength(80);
      }
    expect(spent.map(({ output }) => output)).toContain('killed-9.csv');
  });
});

describe('what a prior tells', () => {
  it('is near the truth, sums to one, and says who paid for it', () => {
    const { distribution, entry } = json<Paid>([
      ...[...base.slice(0, -1), '2'],
      ...['--dataset', 'v', '-o', 'near.csv'],
    ]);
    expect(distribution).toHaveLength(78);
    // About 0.02 away at this ε; a distribution without the noise's scale in it is 1 and more.
    expect(distance(distribution, truth)).toBeLessThan(0.3);
    const [first, header, ...rows] = read('near.csv').trimEnd().split('\n');
    const [, format, receipt] = /^# (\S+) (.*)$/.exec(first!)!;
    expect(format).toBe('discreet/prior@1');
    expect(JSON.parse(receipt!)).toMatchObject({ dataset: 'v', column: 'visits', entry, delta: '0' });
    const { entries } = json<{ entries: { sequence: number; hash: string }[] }>(['ledger', 'history']);
    expect(entries.find(({ sequence }) => sequence === entry)!.hash).toBe(
      (JSON.parse(receipt!) as { hash: string }).hash,
    );
    expect(header).toBe('value,probability');
    const sum = rows.reduce((total, row) => total + BigInt(Math.round(Number(row.split(',')[1]) * 1e12)), 0n);
    expect(sum).toBe(10n ** 12n);
  });

  it('is carried on by design, its file and the report', () => {
    json([...base, '--dataset', 'v', '-o', 'carried.csv']);
    const out = run([
      'design',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--prior',
      'carried.csv',
      '-o',
      'm.json',
    ]);
    expect(out.stdout).toMatch(/carried\.csv, paid for by entry \d+ of v \(ε = 0\.1\)/);
    const { origin } = JSON.parse(read('m.json')) as {
      origin: { design: { prior: Record<string, unknown> } };
    };
    expect(origin.design.prior).toMatchObject({ spec: 'carried.csv', paid: { dataset: 'v' } });
    expect(origin.design.prior).not.toHaveProperty('declaredPublic');
    const told = run([
      ...['release', visits, '--column', 'visits', '--mechanism', 'm.json', '--dataset', 'v'],
      ...['-o', 'carried-out.csv', '--report', 'carried.html'],
    ]);
    expect(told.code).toBe(0);
    expect(read('carried.html')).toMatch(/carried\.csv, paid for by entry \d+ of v/);
    const other = ledger('other', 'visits');
    const elsewhere = run([
      ...['release', visits, '--column', 'visits', '--epsilon', '1', '--adjacency', '5', '--prior'],
      ...['carried.csv', ...other, '-o', 'o.csv'],
    ]);
    expect(elsewhere.stderr).toContain('which this ledger does not bear out');
  });

  it('is believed only as far as the ledger bears it out', () => {
    json([...base, '--dataset', 'v', '-o', 'true.csv']);
    const said = (name: string, text: string, column = 'visits') => {
      write(name, text);
      return run([
        ...['release', visits, '--column', column, '--epsilon', '1', '--adjacency', '5', '--dataset', 'v'],
        ...['--prior', name, '--dry-run', '-o', 'x.csv'],
      ]).stderr;
    };
    const text = read('true.csv');
    expect(said('copy.csv', text)).not.toContain('bear out');
    expect(said('cheaper.csv', text.replace(/"epsilon":"[^"]*"/, '"epsilon":"0.001"'))).toContain('bear out');
    const [first] = text.split('\n');
    expect(said('other.csv', `${first}\nvalue,probability\n3,0.5\n4,0.5\n`)).toContain('bear out');
    const { entries } = json<{ entries: { hash: string }[] }>(['ledger', 'history']);
    const moved = text.replace(/"hash":"[^"]*"/, `"hash":"${entries[0]!.hash}"`);
    expect(said('moved.csv', moved)).toContain('bear out');
    expect(said('damaged.csv', text.replace(/"entry":\d+/, '"entry":"x"'))).toContain('who paid for it');
  });

  it('counts what is outside the range at its ends, and rounds to the step', () => {
    const rows = [...Array(4000).fill('-50'), ...Array(4000).fill('1000'), ...Array(2000).fill('2.4')];
    write('ends.csv', `x\n${rows.join('\n')}\n,\n`.replace('\n,\n', '\n'));
    const found = json<Paid>([
      ...['prior', 'ends.csv', '--column', 'x', '--range', '0,4', '--step', '0.5', '--epsilon', '5'],
      ...[...ledger('ends', 'x'), '-o', 'ends-prior.csv'],
    ]).distribution;
    const at = (value: number) => found.find((share) => share.value === value)!.mass;
    expect(at(0)).toBeCloseTo(0.4, 1);
    expect(at(4)).toBeCloseTo(0.4, 1);
    expect(at(2.5)).toBeCloseTo(0.2, 1);
  });

  it('knows a wide range by groups', () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => 20_000 + ((i * 7919) % 5000));
    write('wide-range.csv', `x\n${rows.join('\n')}\n`);
    const found = json<Paid>([
      ...['prior', 'wide-range.csv', '--column', 'x', '--range', '0,50000', '--epsilon', '1'],
      ...[...ledger('groups', 'x'), '-o', 'groups.csv'],
    ]).distribution;
    expect(found).toHaveLength(50_001);
    const inside = found.filter(({ value }) => value >= 19_900 && value < 25_100);
    expect(inside.reduce((sum, { mass }) => sum + mass, 0)).toBeGreaterThan(0.9);
  });

  it('refuses what is no number, without a word of it', () => {
    const { code, stderr } = run([
      ...['prior', write('words.csv', 'x\n1\nmany\n'), '--column', 'x', '--range', '0,4', '--epsilon', '1'],
      ...[...ledger('words', 'x'), '-o', 'words-prior.csv'],
    ]);
    expect([code, exists('words-prior.csv')]).toEqual([2, false]);
    expect(stderr).toContain('expected a number');
    const text = run([
      ...['prior', write('text.csv', 'x\n1\n77+\n'), '--column', 'x', '--range', '0,4', '--epsilon', '1'],
      ...[...ledger('text', 'x'), '-o', 'text-prior.csv'],
    ]);
    expect(text.stderr).toContain('numbers with a bound');
    expect(text.stderr).not.toContain('77');
  });
});

describe('a release that pays for its prior', () => {
  const shared = (...more: string[]) => [
    ...['release', visits, '--column', 'visits', '--epsilon', '1', '--prior-share', '0.2', '--range', '0,77'],
    ...['--dataset', 'v', ...more],
  ];

  it('spends both, and says what was gained', () => {
    const done = json<{
      cost: { epsilon: string };
      spentBefore: { epsilon: string };
      spentAfter: { epsilon: string };
      priors: { column: string; file: string; epsilon: string; wasserstein: Record<string, number> }[];
    }>(shared('-o', 'both.csv', '--report', 'both.html'));
    expect(Number(done.cost.epsilon)).toBeCloseTo(1, 6);
    expect(done.priors).toMatchObject([{ column: 'visits', file: 'both.csv.prior.csv' }]);
    expect(Number(done.priors[0]!.epsilon)).toBeCloseTo(1, 6);
    expect(Number(done.priors[0]!.epsilon)).toBeLessThanOrEqual(1);
    expect(exists('both.csv.prior.csv')).toBe(true);
    expect(cells(read('both.csv'))).toHaveLength(truth.length + 1);
    const page = read('both.html');
    expect(page).toMatch(/Total cost:\n<b>ε\s=\s1<\/b>/);
    expect(page).toContain('What a reader will be able to recover');
    expect(page).toMatch(/What the prior was good for|Nothing was gained/);
    const { columns } = JSON.parse(read('both.json')) as {
      columns: { recoverable: { wasserstein: number; mean: { usual: number[] } } }[];
    };
    expect(columns[0]!.recoverable.wasserstein).toBeLessThan(1);
  });

  it('has a prior for each of several columns', () => {
    const rows = Array.from({ length: 500 }, (_, i) => `${i % 10},${i % 9}`).join('\n');
    write('two.csv', `a,b\n${rows}\n`);
    const own = ledger('two', 'a', ['--adjacency', 'b=2']);
    const { priors, cost, spentAfter } = json<{
      priors: { column: string }[];
      cost: { epsilon: string };
      spentAfter: { epsilon: string };
    }>([
      ...['release', 'two.csv', '--column', 'a', '--column', 'b', '--epsilon', '1', '--prior-share', '0.25'],
      ...['--range', 'a=0,9', '--range', 'b=0,8', ...own, '-o', 'two-out.csv'],
    ]);
    expect(priors.map(({ column }) => column)).toEqual(['a', 'b']);
    expect(Number(cost.epsilon)).toBeCloseTo(1, 6);
    expect(Number(spentAfter.epsilon)).toBeCloseTo(1, 6);
  });

  it('refuses rows of another part as a release does, and then nothing is spent', () => {
    const rows = Array.from({ length: 300 }, (_, i) => `${'NS'[i % 2]},${i % 20}`).join('\n');
    write('parts.csv', `region,visits\n${rows}\n`);
    const own = ledger('parts', 'visits', ['--partition', 'region=N,S']);
    const { code, stderr } = run([
      ...['release', 'parts.csv', '--column', 'visits', '--epsilon', '1', '--prior-share', '0.1'],
      ...['--range', '0,19', '--part', 'N', ...own, '-o', 'parts-out.csv'],
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('another "region"');
    const { entries } = json<{ entries: { kind: string; state?: string }[] }>([
      ...['ledger', 'history', '--ledger', 'parts.db'],
    ]);
    expect(entries.filter(({ kind, state }) => kind === 'release' && state !== 'void')).toEqual([]);
  });

  it('passes over cells that are no numbers where the release does', () => {
    const cellsOf = Array.from({ length: 400 }, (_, i) => (i % 50 === 0 ? 'n/a' : String(i % 20))).join('\n');
    write('skip.csv', `visits\n${cellsOf}\n`);
    const own = ledger('skip', 'visits');
    json([
      ...['release', 'skip.csv', '--column', 'visits', '--epsilon', '1', '--prior-share', '0.1'],
      ...['--range', '0,19', '--skip-invalid', ...own, '-o', 'skip-out.csv'],
    ]);
    expect(exists('skip-out.csv.prior.csv')).toBe(true);
  });

  it('tries both without reading, and refuses both together beyond the budget', () => {
    const trial = json<{ cost: { epsilon: string } }>(shared('-o', 'trial.csv', '--dry-run'));
    expect(Number(trial.cost.epsilon)).toBeCloseTo(1, 6);
    expect(exists('trial.csv.prior.csv')).toBe(false);
    json([
      'ledger',
      'init',
      '--ledger',
      'tight.db',
      '--dataset',
      'v',
      '--epsilon',
      '0.9',
      '--adjacency',
      'visits=5',
    ]);
    const { code } = run(shared('-o', 'tight.csv', '--ledger', 'tight.db'));
    expect([code, exists('tight.csv'), exists('tight.csv.prior.csv')]).toEqual([3, false, false]);
    const { entries } = json<{ entries: unknown[] }>(['ledger', 'history', '--ledger', 'tight.db']);
    expect(entries).toHaveLength(1);
  });

  it.each([
    [['--prior', 'poisson:rate=3'], 'leave out one of the two'],
    [['--family', 'laplace'], 'leave out one of the two'],
  ])('goes with no other way to make noise: %j', (more, words) => {
    const { code, stderr } = run(shared('-o', 'never.csv', ...more));
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('needs a range, and an input that can be read again', () => {
    const bare = ['release', visits, '--column', 'visits', '--epsilon', '1', '--prior-share', '0.2'];
    expect(run([...bare, '--dataset', 'v', '-o', 'never.csv']).stderr).toContain(
      'expected the lowest and the highest',
    );
    const piped = run(
      shared('-o', 'never.csv', '--input-format', 'csv').map((word) => (word === visits ? '-' : word)),
      readFileSync(visits),
    );
    expect(piped.stderr).toContain('second reading');
    expect(exists('never.csv')).toBe(false);
  });
});

describe('bad input', () => {
  it.each([
    [['--range', '5,5'], 'low below high'],
    [['--range', '0'], 'low,high'],
    [['--range', '0,1000000'], 'at most 100000 steps'],
    [['--range', '0.5,9'], 'multiples of the step'],
    [['--adjacency', '5'], 'count below --thresholds'],
    [['--thresholds', '--adjacency', '99'], 'none lies within the range'],
    [['-o', 'prior.parquet'], 'ends in .csv'],
    [['-o', '-'], 'ends in .csv'],
    [['--column', 'visit'], 'did you mean "visits"'],
    [['--seed', '7'], 'protects nobody'],
  ])('gets a word on what to do: %j', (more, words) => {
    const given = instead([...base, '--dataset', 'v', '-o', 'bad.csv'], more);
    const { code, stderr } = run(given);
    expect([2, 3]).toContain(code);
    expect(stderr).toContain(words);
    expect(exists('bad.csv')).toBe(false);
  });

  it('names the range that is missing', () => {
    const { code, stderr } = run(['prior', visits, '--column', 'visits', '--epsilon', '1', '-o', 'x.csv']);
    expect(code).toBe(2);
    expect(stderr).toContain('--range');
  });
});
