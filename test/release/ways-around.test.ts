// Ways around the checks of columns: names in names, persons in nested columns, lists of numbers that are none, and messages that quote.

import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.js';

const NOISE = ['--epsilon', '1', '--dataset', 'd', '--force'];
const BUDGET = ['ledger', 'init', '--dataset', 'd', '--epsilon', '90', '--adjacency', 'visits=5'];

function protectedFolder(...more: readonly string[]): Scratch {
  const folder = scratch();
  folder.json([...BUDGET, ...more]);
  return folder;
}

interface Entry {
  readonly kind: string;
  readonly state?: string;
  readonly person?: string;
}
const releasesOf = (folder: Scratch) =>
  folder.json<{ entries: Entry[] }>(['ledger', 'history']).entries.filter(({ kind }) => kind === 'release');

describe('names that were glued together', () => {
  const cases: readonly (readonly [what: string, text: string, name: string, more: readonly string[]])[] = [
    ['blanks', 'grp visits\na 3\na 3\nb 9\n', 'grp visits', []],
    ['colons', 'grp:visits\na:3\na:3\nb:9\n', 'grp:visits', []],
    ['another delimiter', 'grp;visits\na;3\na;3\nb;9\n', 'grp;visits', ['--delimiter', '|']],
    ['quotes', 'grp;"visits"\na;"3"\na;"3"\nb;"9"\n', 'grp;"visits"', ['--delimiter', ',']],
    ['a rare mark', 'grp^visits\na^3\na^3\nb^9\n', 'grp^visits', []],
    ['one of several columns', 'key,grp;VISITS\n1,a;3\n2,b;9\n', 'grp;VISITS', []],
  ];

  it.each(cases)('by %s are no columns of their own, in any act', (_, text, name, more) => {
    const folder = protectedFolder('--adjacency', 'age=1');
    folder.write('d.csv', text);
    const acts = [
      ['count', 'd.csv', '--by', name, '--domain', `${name}=a 3,b 9`, '-o', 'c.csv'],
      ['count', 'd.csv', '--by', 'key', '--domain', 'key=1,2', '--person', name, '-o', 'c.csv'],
      ['prior', 'd.csv', '--column', 'age', '--range', '0,9', '--person', name, '-o', 'p.csv'],
      ['release', 'd.csv', '--column', 'age', '--drop', name, '-o', 'r.csv'],
    ];
    for (const act of acts) {
      const { code, stderr } = folder.run([...act, ...more, ...NOISE]);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/holds that of the protected "visits"/)]);
    }
    expect(releasesOf(folder)).toEqual([]);
  });

  it('are those of a file: words with blanks are names like others', () => {
    const folder = protectedFolder();
    folder.write('d.csv', 'number of visits,visits\n1,3\n2,4\n');
    const { code } = folder.run(['release', 'd.csv', '--column', 'visits', ...NOISE, '-o', 'r.csv']);
    expect(code).toBe(0);
  });

  it.each(['3', 'e', '.', '-'])('cells are not cut at %s, which is in numbers or words', (mark) => {
    const folder = protectedFolder();
    folder.write('d.csv', 'id;visits\n1;3\n2;3\n');
    const args = ['release', 'd.csv', '--column', 'visits', '--delimiter', mark, ...NOISE, '-o', 'r.csv'];
    expect(folder.run(args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/delimiter: expected one character that is part of no number/),
    });
  });
});

describe('a person', () => {
  it.each(['equal', 'different'])('is told by no nested column, whose values are %s', (what) => {
    const folder = protectedFolder('--adjacency', 'age=1', '--per-person', '1');
    const second = what === 'equal' ? 5 : 6;
    folder.write('d.jsonl', `{"age":1,"meta":{"visits":5}}\n{"age":2,"meta":{"visits":${second}}}\n`);
    const args = ['release', 'd.jsonl', '--column', 'age', '--person', 'meta', '--drop', 'meta', ...NOISE];
    const { code, stderr } = folder.run([...args, '-o', 'r.jsonl']);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/"meta" of d.jsonl is no plain column/)]);
  });

  it('is recorded by its column', () => {
    const folder = protectedFolder('--per-person', '2');
    folder.write('d.csv', 'id,region,visits\n1,N,3\n1,N,4\n2,S,5\n');
    const args = ['count', 'd.csv', '--by', 'region', '--domain', 'region=N,S', '--person', 'id'];
    expect(folder.run([...args, ...NOISE, '-o', 'c.csv'])).toMatchObject({ code: 0 });
    expect(releasesOf(folder)).toMatchObject([{ person: 'id' }]);
    const change = [...BUDGET, '--adjacency', 'id=1', '--per-person', '2', '--change'];
    expect(folder.run(change)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/told persons apart by id/),
    });
  });
});

describe('a column that was counted by for two changes', () => {
  it('stays protected, or its values could be summed for one', () => {
    const folder = protectedFolder();
    folder.write('d.csv', 'region,visits\nN,3\nS,9\n');
    const args = ['count', 'd.csv', '--by', 'visits', '--domain', 'visits=3,9', '-o', 'c.csv', ...NOISE];
    expect(folder.run(args)).toMatchObject({ code: 0 });
    expect(folder.run(['ledger', 'init', '--dataset', 'd', '--epsilon', '90', '--change'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/counted by visits, which was protected and would not be any more/),
    });
  });
});

describe('texts that stand for numbers', () => {
  it.each([
    ['31.5', '0', ['--decimal', ',']],
    ['31,5', '0', []],
    ["1'234", '0', []],
  ])('are no numbers of another country: %s=%s', (from, to, more) => {
    const folder = scratch();
    folder.write('d.csv', 'id,age\n1,31.5\n2,32.5\n');
    const args = ['release', 'd.csv', '--column', 'age', '--adjacency', '1', ...NOISE, ...more];
    expect(folder.run([...args, '--map', `${from}=${to}`, '-o', 'r.csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is a number already, if not as decimals are written here/),
    });
  });

  it('are paid for where a list of them is not whole, and free where there is none', () => {
    const folder = scratch();
    folder.write('d.csv', 'id,age\n1,85+\n2,90+\n3,40\n');
    const args = ['release', 'd.csv', '--column', 'age', '--adjacency', '1', ...NOISE, '-o', 'r.csv'];
    expect(folder.run(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(/released or charged/) });
    const listed = folder.run([...args, '--map', '85+=85']);
    expect([listed.code, listed.stderr]).toEqual([3, expect.stringMatching(/stays charged, as entry 3/)]);
    expect(folder.exists('r.csv')).toBe(false);
    expect(releasesOf(folder).map(({ state }) => state)).toEqual(['void', 'abort']);
    expect(folder.run([...args, '--map', '85+=85,90+=90'])).toMatchObject({ code: 0 });
  });
});

describe('words that stand for numbers', () => {
  const folder = scratch();
  folder.write('w.csv', 'name,v\nAnn,false\nBob,false\nCyd,true\n');
  const args = ['release', 'w.csv', '--column', 'v', '--adjacency', '1', ...NOISE, '-o', 'r.csv'];

  it.each(['false=0', 'true=1'])(
    'are told by no list that leaves some out: %s, which is paid for',
    (list) => {
      for (const act of [args, ['prior', ...args.slice(1, 4), '--range', '0,9', ...NOISE, '-o', 'p.csv']]) {
        const { code, stderr } = folder.run([...act, '--map', list]);
        expect([code, stderr]).toEqual([
          3,
          expect.stringMatching(/words or empty texts beside those.*stays charged/),
        ]);
        expect(stderr).not.toMatch(/row \d/);
      }
    },
  );

  it('are emptied by no rule for what is no number', () => {
    const { code, stderr } = folder.run([...args, '--map', 'true=1', '--skip-invalid']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/skip-invalid: with --map "true=…" words stand/),
    ]);
  });

  it('are released where all are listed', () => {
    expect(folder.run([...args, '--map', 'true=1,false=0'])).toMatchObject({ code: 0 });
  });
});

describe('a column that is left out', () => {
  it('is no excuse for one that reads like it', () => {
    const folder = scratch();
    folder.write('d.csv', 'id,age,visits,"visits "\n1,30,7,x\n2,40,9,y\n');
    const args = ['release', 'd.csv', '--column', 'age', '--adjacency', '1', '--drop', 'visits '];
    expect(folder.run([...args, ...NOISE, '-o', 'r.csv'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/column "visits" reads like "visits ", which is left out/),
    });
    const lines = '{"age":1,"visits":7,"visits ":1}\n';
    folder.write('d.jsonl', lines);
    args[1] = 'd.jsonl';
    expect(folder.run([...args, ...NOISE, '-o', 'r.jsonl'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/reads like "visits ", which is left out/),
    });
  });
});

describe('one of several files', () => {
  it.each([
    ['broken rows', 'id,visits\n3,3,5\n', []],
    ['an open quote', 'id,visits\n3,"5\n', []],
  ])('is not named for %s', (_, text, more) => {
    const folder = scratch();
    mkdirSync(folder.at('parts'));
    for (const i of [1, 2, 3]) folder.write(`parts/p${i}.csv`, i === 3 ? text : `id,visits\n${i},3\n`);
    const files = [1, 2, 3].map((i) => `parts/p${i}.csv`);
    const noise = ['--column', 'visits', '--adjacency', '5', ...NOISE, ...more];
    for (const args of [
      ['release', 'parts', ...noise, '-o', 'r.csv'],
      ['pipe', '--drive', ...files, '--dry-run', '--id', 'id', ...noise],
    ]) {
      const { code, stderr } = folder.run(args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/not valid CSV/)]);
      expect(stderr).not.toMatch(/p\d/);
    }
  });
});

describe('messages hold no data of a file that was meant otherwise', () => {
  const told = (text: string, args: readonly string[], name = 't.csv') => {
    const folder = scratch();
    folder.write('d.csv', 'id,visits\n1,3\n');
    folder.write(name, text);
    const { code, stderr, stdout } = folder.run(args);
    expect(code).not.toBe(0);
    return stderr + stdout;
  };
  const release = ['release', 'd.csv', '--column', 'visits', '--adjacency', '5', ...NOISE, '-o', 'o.csv'];

  it('as a prior, as a mechanism, as a noise', () => {
    const data = 'visits,771177,881188,991199\n4711,5,6,7\n';
    for (const args of [
      [...release, '--prior', 't.csv'],
      [...release, '--mechanism', 't.csv'],
      ['verify', 't.csv'],
      ['account', 't.csv', '--delta', '1e-6'],
      ['analyze', 'table:t.csv', '--adjacency', '1'],
    ])
      expect(told(data, args)).not.toMatch(/771177|4711/);
  });

  it('as names that a pattern finds', () => {
    const noise = ['--epsilon', '1', '--dataset', 'd', '-o', 'o.csv'];
    expect(told('Bob,991199\nAnn,5\n', ['release', 't.csv', '--column', '*1199', ...noise])).not.toMatch(
      /991199/,
    );
    const lines = '{"id":17,"visits":5}\n';
    expect(told(lines, ['release', 't.csv', '--input-format', 'tsv', '--column', '*', ...noise])).not.toMatch(
      /17/,
    );
  });

  it('as names that resemble the one that was asked for, but for their digits', () => {
    const data = 'visits;ageinyears 47;30\n48;31;2\n';
    const args = ['count', 't.csv', '--by', 'ageinyears', '--domain', 'ageinyears=1,2', ...NOISE];
    expect(told(data, [...args, '-o', 'c.csv'])).not.toMatch(/47/);
  });
});
