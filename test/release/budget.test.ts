// What a budget protects and for whom: rows of a person, parts, adjacencies, and what is left.

import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';
import { withMechanisms } from './mechanisms.js';

const { write, read, run, release } = withMechanisms();

describe('people and parts', () => {
  it('counts the rows of each person, and refuses more', () => {
    write('people.csv', 'who,visits\na,1\nb,2\na,3\na,4\n');
    const two = run([
      'release',
      'people.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'p.csv',
      '--per-person',
      '2',
      '--person',
      'who',
    ]);
    expect(two).toMatchObject({ code: 2, stderr: expect.stringMatching(/more than 2 rows/) });
    expect(two.stderr).not.toMatch(/"a"/);
    const three = release(
      'people.csv',
      'p.csv',
      '--per-person',
      '3',
      '--person',
      'who',
      '--report',
      'p.html',
    ) as unknown as { cost: { epsilon: string }; perPersonEnforced: boolean };
    expect(Number(three.cost.epsilon)).toBeCloseTo(3, 9);
    expect(three.perPersonEnforced).toBe(true);
    expect(read('p.html')).toMatch(/was counted by the program/);
    release('people.csv', 'p2.csv', '--per-person', '3', '--report', 'p2.html');
    expect(read('p2.html')).toMatch(/is an assertion of the publisher/);
    write('people.jsonl', '{"who":1,"visits":1}\n{"who":1,"visits":2}\n');
    expect(
      run([
        'release',
        'people.jsonl',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'p.jsonl',
        '--person',
        'who',
      ]).stderr,
    ).toMatch(/more than 1 row;/);
  });

  it('holds a part to its own rows', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.write('north.csv', 'region,visits\nnorth,1\nnorth,2\n');
    folder.write('mixed.csv', 'region,visits\nnorth,1\nsouth,2\n');
    folder.json([
      'ledger',
      'init',
      '--dataset',
      'trips',
      '--epsilon',
      '1.5',
      '--adjacency',
      'visits=5',
      '--partition',
      'region=north,south',
    ]);
    const base = ['--column', 'visits', '--mechanism', 'm.json', '--dataset', 'trips'];
    expect(folder.run(['release', 'mixed.csv', ...base, '--part', 'north', '-o', 'x.csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/another "region" than the part north/),
    });
    expect(folder.run(['release', 'north.csv', ...base, '--part', 'north', '-o', 'n.csv']).code).toBe(0);
    expect(folder.run(['release', 'north.csv', ...base, '--part', 'north', '-o', 'n2.csv']).code).toBe(3);
    folder.write('bare.csv', 'visits\n1\n');
    expect(folder.run(['release', 'bare.csv', ...base, '--part', 'south', '-o', 's.csv'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/--part: bare.csv has no column "region"/),
    });
    folder.write('south.csv', 'Region ,visits\nsouth,1\n');
    expect(folder.run(['release', 'south.csv', ...base, '--part', 'south', '-o', 's.csv']).code).toBe(0);
    expect(folder.run(['release', 'south.csv', ...base, '-o', 'all.csv']).code).toBe(3);
  });
});

describe('several columns that the budget protects', () => {
  it('are named at once, with --drop for each, which lets the release through', () => {
    const folder = scratch();
    folder.write('t.csv', 'id,visits,cost,days in bed\n1,2,3,4\n');
    const terms = ['visits', 'cost', 'days in bed'].flatMap((name) => ['--adjacency', `${name}=1`]);
    folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '2', ...terms]);
    const args = [
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
    ];
    const { code, stderr } = folder.run(args);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /protects "cost", "days in bed", which would leave as they are; name them with --column too, or .*as with --drop cost --drop "days in bed"$/m,
    );
    expect(folder.run([...args, '--drop', 'cost', '--drop', 'days in bed']).code).toBe(0);
    expect(folder.read('o.csv')).toMatch(/^id,visits\n/);
  });
});

describe('a column for which the budget has no adjacency', () => {
  const folder = scratch();
  folder.write('t.csv', 'visits,month\n1,2026-01\n');
  folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '2', '--adjacency', 'visits=1']);
  const release = (column: string) =>
    folder.run(['release', 't.csv', '--column', column, '--epsilon', '1', '--dataset', 'd', '-o', 'o.csv']);

  it('is looked up in the header before anything is advised', () => {
    const { code, stderr } = release('monht');
    expect([code, stderr]).toEqual([2, expect.stringContaining('no column "monht"; did you mean "month"?')]);
    expect(stderr).not.toContain('ledger init');
  });

  it('is advised to be added where it is there, if it holds numbers', () => {
    expect(release('month').stderr).toMatch(
      /no adjacency for "month".*where it holds numbers, add it with discreet ledger init/,
    );
  });
});

describe('what the budget protects', () => {
  it('has an adjacency that a mechanism can be charged at', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.write('t.csv', 'visits\n1\n');
    folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '9', '--adjacency', 'visits=1e19']);
    const far = folder.run([
      'release',
      't.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '--dataset',
      'd',
      '-o',
      'o.csv',
    ]);
    expect([far.code, far.stderr]).toEqual([
      2,
      expect.stringMatching(/--column visits: its adjacency 10000000000000000000 .*larger step/),
    ]);
  });

  it('never leaves as it is', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.write('t.csv', 'id,visits,trips\n1,5,777001\n');
    folder.write('t.jsonl', '{"visits":5}\n{"visits":5,"trips":777001}\n');
    folder.json([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '9',
      '--adjacency',
      'visits=5',
      '--adjacency',
      'trips=3',
      '--adjacency',
      '__proto__=1',
    ]);
    const base = ['--column', 'visits', '--mechanism', 'm.json', '--dataset', 'd'];
    expect(folder.run(['release', 't.csv', ...base, '-o', 'o.csv'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /protects "trips", which would leave as it is; name it with --column too, .* as with --drop trips$/m,
      ),
    });
    expect(folder.run(['release', 't.jsonl', ...base, '-o', 'o.jsonl'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/protects "trips".*Nothing was released or charged/),
    });
    expect(folder.run(['release', 't.csv', ...base, '-o', 'o.csv', '--dry-run']).code).toBe(3);
    expect(folder.run(['release', 't.csv', ...base, '--column', 'trips', '-o', 'o.csv']).code).toBe(0);
    expect(
      folder.run([
        // Of standard input no header is looked at first.
        'release',
        '-',
        '--input-format',
        'csv',
        '--column',
        'constructor',
        '--epsilon',
        '1',
        '--dataset',
        'd',
        '-o',
        'x.csv',
      ]),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/no adjacency for "constructor"/) });
  });
});

describe('beyond the budget', () => {
  it('is refused before the data is read', () => {
    const folder = scratch();
    folder.write('m.json', read('m.json'));
    folder.json(['ledger', 'init', '--dataset', 'd', '--epsilon', '0.5', '--adjacency', 'visits=5']);
    // The file does not even exist.
    expect(
      folder.run([
        'release',
        'none.csv',
        '--column',
        'visits',
        '--mechanism',
        'm.json',
        '-o',
        'x.csv',
        '--dataset',
        'd',
      ]),
    ).toMatchObject({ code: 3, stderr: expect.stringMatching(/of which ε = 0.5 is left/) });
    // Charged at the budget's adjacency, not at the mechanism's.
    folder.json(['ledger', 'init', '--dataset', 'e', '--epsilon', '5', '--adjacency', 'visits=2']);
    folder.write('e.csv', 'visits\n1\n');
    const { cost } = folder.json([
      'release',
      'e.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'e-out.csv',
      '--dataset',
      'e',
    ]) as { cost: { epsilon: string } };
    expect(Number(cost.epsilon)).toBeCloseTo(1, 9); // a staircase: its ratios are e or 1, whatever the distance
    folder.json(['ledger', 'init', '--dataset', 'f', '--epsilon', '10', '--adjacency', 'visits=10']);
    const wide = folder.json([
      'release',
      'e.csv',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'f-out.csv',
      '--dataset',
      'f',
    ]) as { cost: { epsilon: string } };
    expect(Number(wide.cost.epsilon)).toBeCloseTo(2, 6);
    expect(
      folder.run([
        'release',
        'e.csv',
        '--column',
        'trips',
        '--mechanism',
        'm.json',
        '-o',
        'g.csv',
        '--dataset',
        'f',
      ]),
    ).toMatchObject({ code: 2, stderr: expect.stringMatching(/e\.csv has no column "trips"/) });
  });
});
