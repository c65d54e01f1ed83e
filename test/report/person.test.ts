// The figure that a report begins with is a person's: of all columns, all rows, all cells and the prior, wherever it is told.

import { describe, expect, it } from 'vitest';
import { percentUp, type Report } from '../../src/report/index.js';
import { scratch } from '../scratch.js';

const { run, json, read, write } = scratch();
const other = scratch();
const rows = Array.from({ length: 300 }, (_, i) => `${i % 50},${i % 9},${(i % 40) + 20},${'NSE'[i % 3]}`);
write('v.csv', `id,v,age,region\n${rows.join('\n')}\n`);
write('scores.csv', 'candidate,score\na,1\nb,5\n');

interface Told {
  readonly bestGuess: number;
  readonly warnings: readonly string[];
  readonly cost: { readonly epsilon: string };
  readonly error: readonly { readonly bestGuess: number }[];
}

let made = 0;
const release = (...more: string[]) => [
  ...['release', 'v.csv', '--adjacency', '5', '-o', `o${made++}.csv`, '--dataset', `d${made}`],
  ...more,
];
const summaryOf = (page: string) =>
  /<ul class="summary">(.*?)<\/ul>/.exec(page.replaceAll('\u00a0', ' '))![1]!;

/** The guesses on a terminal, in their order. */
const guesses = (stdout: string) => [...stdout.matchAll(/^guess {6}(.*)$/gm)].map(([, words]) => words!);

describe('a release of two columns for a person with up to 6 rows', () => {
  const wanted = ['--column', 'v', '--column', 'age', '--epsilon', '1', '--per-person', '6'];

  it('begins with what all values of a person tell, and the single value’s stands below it', () => {
    const { code, stdout } = run(release(...wanted, '--report', 'two.html'));
    expect(code).toBe(0);
    const [person, single, ...rest] = guesses(stdout);
    expect(rest).toEqual([]);
    expect(person).toMatch(
      /^between two versions of a person with up to 6 rows, by 2 columns together, the best guess is right at most 55\.7 % of the time$/,
    );
    expect(single).toMatch(/^v, age: between two values 5 apart, the best guess is right at most 52\.1 %/);
    const report = JSON.parse(read('two.json')) as Report;
    expect(percentUp(report.guarantee.bestGuess)).toBe('55.7 %');
    const summary = summaryOf(read('two.html'));
    expect(summary).toMatch(/Guessed right: at most 55\.7 %.*a person with up to 6 rows.*alone.*52\.1 %/);
  });

  it('tells the same beforehand, to programs as well', () => {
    const trial = json<Told>(release(...wanted, '--dry-run'));
    const done = json<Told>(release(...wanted));
    expect(trial.bestGuess).toBe(done.bestGuess);
    expect(done.bestGuess).toBeGreaterThan(done.error[0]!.bestGuess + 0.03);
    // By the sum of ε alone it would be 73.2 %.
    expect(done.bestGuess).toBeLessThan(0.56);
    expect(guesses(run(release(...wanted, '--dry-run')).stdout)[0]).toMatch(/a person.* 55\.7 %/);
  });

  it('says nothing twice of one value', () => {
    const { stdout } = run(release('--column', 'v', '--epsilon', '1'));
    expect(guesses(stdout)).toEqual([
      'v: between two values 5 apart, the best guess is right at most 71.2 % of the time',
    ]);
    const one = json<Told>(release('--column', 'v', '--epsilon', '1'));
    expect(one.bestGuess).toBe(one.error[0]!.bestGuess);
  });
});

describe('counts', () => {
  const count = (...more: string[]) => [
    ...['count', 'v.csv', '--by', 'region', '--domain', 'region=N,S,E', '--epsilon', '1'],
    ...['-o', `c${made++}.csv`, '--dataset', `d${made}`, ...more],
  ];

  it('are guessed by all cells that a person moves, not by one of them that moves by 1', () => {
    const { stdout } = run(count('--per-person', '6', '--report', 'c.html'));
    const [person, single] = guesses(stdout);
    // 1 − e^(−1/2): six changes of geometric noise at ε = 1/6 each.
    expect(person).toBe(
      `whether a person with up to 6 rows was counted, by all counts together, the best guess is right at most 69.7 % of the time`,
    );
    expect(single).toMatch(/^count: between two values 1 apart, the best guess is right at most 54\.2 %/);
    expect(summaryOf(read('c.html'))).toMatch(
      /Guessed right: at most 69\.7 %.*whether a person with up to 6 rows was counted.*one count alone, two of 1 apart: at most 54\.2 %/,
    );
  });

  it('move twice as often where the column that is counted by is protected', () => {
    other.write('v.csv', read('v.csv'));
    const terms = ['--dataset', 'd', '--epsilon', '9', '--adjacency', 'region=1', '--per-person', '1'];
    expect(other.run(['ledger', 'init', ...terms]).code).toBe(0);
    const { stdout, code } = other.run([...count().slice(0, -2), '--dataset', 'd']);
    expect(code).toBe(0);
    expect(guesses(stdout)[0]).toMatch(
      /^between two versions of a person with one row, by all counts together, .* 69\.7 %/,
    );
  });
});

describe('a prior and a choice', () => {
  it('tell it as well', () => {
    const prior = [
      ...['prior', 'v.csv', '--column', 'v', '--range', '0,9', '--epsilon', '1', '--per-person', '3'],
      ...['--dataset', 'p', '-o', 'p.csv'],
    ];
    const { stdout } = run(prior);
    expect(guesses(stdout)).toEqual([
      'between two versions of a person with up to 3 rows, by the prior, the best guess is right at most 69.7 % of the time',
    ]);
    expect(guesses(run([...prior, '--force', '--dry-run']).stdout)[0]).toMatch(/by the prior.* 69\.7 %/);
    const choose = ['choose', 'scores.csv', '--epsilon', '1', '--sensitivity', '1', '--per-person', '6'];
    const { stderr } = run(choose);
    expect(guesses(stderr)[0]).toMatch(/up to 6 rows, by the choice, .* 73\.2 %/);
    expect(json<Told>(choose).bestGuess).toBeCloseTo(Math.E / (1 + Math.E), 9);
  });

  it('are in the figure of a release that paid for the prior, whose noise alone is guessed less often', () => {
    const shared = ['--column', 'v', '--epsilon', '1', '--prior-share', '0.8', '--range', '0,9'];
    const args = release(...shared, '--report', 's.html');
    const trial = json<Told>([...args, '--dry-run']);
    const { stdout } = run(args);
    const [person, single] = guesses(stdout);
    expect(person).toMatch(
      /^between two versions of one row, by one column and the prior’s file together, the best guess is right at most/,
    );
    const report = JSON.parse(read('s.json')) as Report;
    const { bestGuess } = report.guarantee;
    // By the prior alone, ε = 0.8 for two counts: (2 − e^−0.4) / 2; by ε = 1 alone e / (1 + e).
    expect(bestGuess).toBeGreaterThan((2 - Math.exp(-0.4)) / 2);
    expect(bestGuess).toBeGreaterThan(report.columns[0]!.bestGuess + 0.05);
    expect(bestGuess).toBeLessThanOrEqual(Math.E / (1 + Math.E) + 1e-9);
    expect(trial.bestGuess).toBeGreaterThanOrEqual(bestGuess);
    expect(single).toMatch(/^v: between two values 5 apart/);
    expect(summaryOf(read('s.html'))).toContain(`Guessed right: at most ${percentUp(bestGuess)}`);
  });
});

describe('a prior that was paid for by its own command', () => {
  const summary = () => summaryOf(read('own.html'));
  const out = ['--column', 'v', '-o', 'own.csv', '--report', 'own.html', '--force'];
  const paidFor = (epsilon: string, dataset: string, ...more: string[]) => {
    const prior = ['prior', 'v.csv', '--column', 'v', '--range', '0,8', '--epsilon', epsilon];
    expect(run([...prior, '--dataset', dataset, '-o', `${dataset}-p.csv`, ...more]).code).toBe(0);
    return `${dataset}-p.csv`;
  };

  it('is in the figure of a release whose noise was designed for it, by a file or on the spot', () => {
    const file = paidFor('2', 'own');
    const design = [
      '--epsilon',
      '0.1',
      '--adjacency',
      '5',
      '--prior',
      file,
      '--unbiased',
      '-o',
      'own-m.json',
    ];
    expect(run(['design', ...design]).code).toBe(0);
    // By the prior alone, two counts of which each costs half: (2 − e^−1) / 2.
    const least = (2 - Math.exp(-1)) / 2;
    for (const noise of [
      ['--mechanism', 'own-m.json'],
      ['--epsilon', '0.1', '--adjacency', '5', '--prior', file],
    ]) {
      const args = ['release', 'v.csv', ...noise, ...out, '--dataset', 'own'];
      const trial = json<Told>([...args, '--dry-run']);
      expect(guesses(run(args).stdout)[0]).toMatch(
        /by one column and the prior’s file together, .* 82\.\d %/,
      );
      expect(summary()).toMatch(/Guessed right: at most 82\.\d %.*and the prior’s file/);
      const report = JSON.parse(read('own.json')) as Report;
      expect(report.guarantee.bestGuess).toBeGreaterThan(least);
      expect(trial.bestGuess).toBe(report.guarantee.bestGuess);
      // The release itself has cost no more for it.
      expect(Number(report.guarantee.epsilon)).toBeLessThanOrEqual(0.1);
      expect(report.notes.join()).toMatch(
        /paid for by entry \d+ of own \(ε = 2\)\. That is not in the total/,
      );
    }
    const shared = ['--epsilon', '2.1', '--prior-share', `${2 / 2.1}`, '--range', '0,8', '--adjacency', '5'];
    const { bestGuess } = json<Told>(['release', 'v.csv', ...shared, ...out, '--dataset', 'shared']);
    const { guarantee } = JSON.parse(read('own.json')) as Report;
    expect(guarantee.bestGuess).toBeCloseTo(bestGuess, 6);
  });

  it('counts once for several columns, and not where it is of another dataset', () => {
    const file = paidFor('2', 'twice');
    const noise = ['--epsilon', '0.1', '--adjacency', '5', '--prior', file];
    const both = [...noise, '--column', 'age', ...out];
    const own = json<Told>(['release', 'v.csv', ...both, '--dataset', 'twice']);
    const other = json<Told>(['release', 'v.csv', ...both, '--dataset', 'elsewhere']);
    expect(own.bestGuess).toBeLessThan(0.84);
    expect(other.bestGuess).toBeLessThan(0.53);
  });

  it('of counts below thresholds is guessed by the one that a person changes', () => {
    const file = paidFor('1', 'below', '--thresholds', '--adjacency', '2');
    const args = ['--epsilon', '0.01', '--adjacency', '2', '--prior', file, ...out, '--dataset', 'below'];
    const { bestGuess } = json<Told>(['release', 'v.csv', ...args]);
    expect(bestGuess).toBeGreaterThanOrEqual(Math.E / (1 + Math.E) - 1e-9);
  });

  it('is in the warning of all that is published', () => {
    const file = paidFor('3.5', 'much');
    const args = ['release', 'v.csv', '--epsilon', '0.1', '--adjacency', '5', '--prior', file, ...out];
    expect(run([...args, '--dataset', 'much']).stdout).toMatch(/^warning {4}ε = 3\.6 in all/m);
  });
});

describe('a dataset that has spent before', () => {
  const spend = (epsilon: string, ...more: string[]) => [
    ...['release', 'v.csv', '--column', 'v', '--adjacency', '5', '--epsilon', epsilon, '--dataset', 'past'],
    ...['-o', 'past.csv', '--force', '--report', 'past.html', ...more],
  ];
  interface InAll extends Told {
    readonly inAll: { readonly epsilon: string; readonly bestGuess: number } | null;
  }

  it('has that said beside the figure of this publication alone, with a warning of all of it', () => {
    const first = json<InAll>(spend('2.2'));
    expect([first.inAll, first.warnings]).toEqual([null, []]);
    expect(read('past.html')).not.toContain('one publication alone');

    // Not above 3 in all: said, and not warned of.
    const small = json<InAll>(spend('0.1'));
    expect(small.warnings).toEqual([]);
    expect(Number(small.inAll!.epsilon)).toBeCloseTo(2.3, 6);

    const count = ['count', 'v.csv', '--by', 'region', '--domain', 'region=N,S,E', '--epsilon', '1'];
    const args = [...count, '--dataset', 'past', '-o', 'past-c.csv', '--force', '--report', 'past.html'];
    const trial = json<InAll>([...args, '--dry-run']);
    const { stdout } = run(args);
    const { guarantee, warnings, ledger } = JSON.parse(read('past.json')) as Report;
    expect(guarantee.inAll).toEqual(trial.inAll);
    expect(trial.inAll!.epsilon).toBe(ledger.spent.epsilon);
    const odds = Math.exp(Number(ledger.spent.epsilon));
    expect(guarantee.inAll!.bestGuess).toBeGreaterThanOrEqual((odds / (1 + odds)) * (1 - 1e-12));
    expect(guarantee.inAll!.bestGuess).toBeLessThan(odds / (1 + odds) + 1e-9);
    // What the count alone tells stays the first figure.
    expect(guarantee.bestGuess).toBeLessThan(0.74);
    const words =
      /one publication alone: past has spent ε = 3\.3 in all, .* right at most 96\.5 % of the time/;
    expect(stdout).toMatch(words);
    expect(summaryOf(read('past.html'))).toMatch(words);
    expect(warnings).toEqual([
      expect.stringMatching(/^ε = 3\.3 in all, over all that was published of past,/),
    ]);
    expect(trial.warnings).toEqual(warnings);
    expect(stdout).toMatch(/^warning {4}ε = 3\.3 in all/m);
  });
});

describe('a warning of all that is published', () => {
  it('is of the whole cost, by one rule on the terminal, in --json and in the report', () => {
    // The noise alone costs 3.2 of 4, or 2.8 of 3.5.
    for (const [epsilon, warned] of [
      ['4', true],
      ['3.5', true],
      ['3', false],
    ] as const) {
      const columns = ['--column', 'v', '--column', 'age', '--epsilon', epsilon];
      const shared = release(
        ...columns,
        '--prior-share',
        '0.2',
        '--range',
        '0,9',
        '--report',
        'w.html',
        '--force',
      );
      const words = `ε = ${epsilon} in all, over all that is published of a person`;
      const trial = json<Told>([...shared, '--dry-run']);
      const stdout = run(shared).stdout;
      expect(stdout).toContain(`cost       ε = ${epsilon},`);
      const report = JSON.parse(read('w.json')) as Report;
      for (const told of [
        stdout,
        report.warnings.join(),
        read('w.html').replaceAll('\u00a0', ' '),
        trial.warnings.join(),
      ])
        expect(told.includes(words)).toBe(warned);
      expect(stdout).not.toMatch(/ε = (3\.2|2\.8) in all/);
    }
  });

  it('is told of one column whose prior was paid for, and not twice of one value', () => {
    const shared = release('--column', 'v', '--epsilon', '3.5', '--prior-share', '0.2', '--range', '0,9');
    expect(run(shared).stdout).toContain('warning    ε = 3.5 in all');
    const one = run(release('--column', 'v', '--epsilon', '3.5')).stdout;
    expect(one).toContain('warning    ε = 3.5 for one value');
    expect(one).not.toContain('in all');
  });
});

describe('advice', () => {
  it('is about a person with all rows', () => {
    const advise = ['advise', 'v.csv', '--column', 'v', '--adjacency', '5', '--times', '1', '--epsilon', '1'];
    const { strengths } = json<{ strengths: { epsilon: string; bestGuess: number; oneValue: number }[] }>([
      ...advise,
      ...['--per-person', '6', '--person', 'id'],
    ]);
    for (const { bestGuess, oneValue } of strengths) expect(bestGuess).toBeGreaterThan(oneValue);
    const found = json<Told & { columns: { bestGuess: number }[] }>([
      ...[
        'tradeoff',
        '--adjacency',
        'v=5',
        '--adjacency',
        'age=5',
        '--target-error',
        '20',
        '--per-person',
        '6',
      ],
    ]);
    expect(found.bestGuess).toBeGreaterThan(found.columns[0]!.bestGuess + 0.05);
  });
});
