// What a column may be used for, act by act: every combination of act, use and protection has a verdict, and the command keeps it.

import { beforeAll, describe, expect, it } from 'vitest';
import { main, type Scratch, scratch } from '../scratch.js';

const ACTS = ['release', 'pipe', 'count', 'prior', 'choose'] as const;
const ROLES = ['protected', 'person', 'part', 'by', 'counted', 'id', 'passed', 'dropped'] as const;
/** By whom the column is protected: the budget, a release before this one, or the act itself. */
const STATES = ['budget', 'earlier', 'itself'] as const;
type Act = (typeof ACTS)[number];
type Role = (typeof ROLES)[number];
type State = (typeof STATES)[number];

/**
 * `refused`: nothing is charged. `allowed`. `charged`: allowed, and a moved value is paid for. `no`: the act has no such use.
 * `budget`: no budget has such a part, so that `ledger init` refuses.
 */
type Verdict = 'refused' | 'allowed' | 'charged' | 'no' | 'budget';

const TABLE: Readonly<Record<Act, Readonly<Record<Role, readonly [Verdict, Verdict, Verdict]>>>> = {
  release: {
    protected: ['allowed', 'allowed', 'refused'],
    person: ['refused', 'refused', 'refused'],
    part: ['budget', 'budget', 'no'],
    by: ['no', 'no', 'no'],
    counted: ['no', 'no', 'no'],
    id: ['no', 'no', 'no'],
    passed: ['refused', 'allowed', 'refused'],
    dropped: ['allowed', 'allowed', 'refused'],
  },
  pipe: {
    protected: ['allowed', 'allowed', 'refused'],
    person: ['no', 'no', 'no'],
    part: ['budget', 'budget', 'no'],
    by: ['no', 'no', 'no'],
    counted: ['no', 'no', 'no'],
    id: ['refused', 'refused', 'refused'],
    passed: ['refused', 'allowed', 'refused'],
    dropped: ['allowed', 'allowed', 'refused'],
  },
  count: {
    protected: ['no', 'no', 'no'],
    person: ['refused', 'refused', 'no'],
    part: ['budget', 'budget', 'no'],
    by: ['charged', 'charged', 'no'],
    counted: ['refused', 'refused', 'no'],
    id: ['no', 'no', 'no'],
    passed: ['no', 'no', 'no'],
    dropped: ['no', 'no', 'no'],
  },
  prior: {
    protected: ['charged', 'charged', 'no'],
    person: ['refused', 'refused', 'refused'],
    part: ['budget', 'budget', 'no'],
    by: ['no', 'no', 'no'],
    counted: ['no', 'no', 'no'],
    id: ['no', 'no', 'no'],
    passed: ['no', 'no', 'no'],
    dropped: ['no', 'no', 'no'],
  },
  choose: {
    protected: ['no', 'no', 'no'],
    person: ['no', 'no', 'no'],
    part: ['budget', 'budget', 'no'],
    by: ['no', 'no', 'no'],
    counted: ['no', 'no', 'no'],
    id: ['no', 'no', 'no'],
    passed: ['no', 'no', 'no'],
    dropped: ['no', 'no', 'no'],
  },
};

const OPTION: Readonly<Record<Exclude<Role, 'protected'>, string>> = {
  part: '--part',
  person: '--person',
  by: '--by',
  counted: '--counted',
  id: '--id',
  passed: '--pass',
  dropped: '--drop',
};

const ROWS = Array.from({ length: 6 }, (_, i) => `${i + 1},${'NS'[i % 2]},${3 * i},${20 + i}`);

/** A folder in which `visits` is protected by the budget, by an earlier release alone, or by nobody yet. */
function folderOf(state: State): Scratch {
  const folder = scratch();
  folder.write('d.csv', `key,region,visits,age\n${ROWS.join('\n')}\n`);
  folder.write('s.csv', 'candidate,score\na,1\nb,2\n');
  if (state === 'budget')
    folder.json([
      ...['ledger', 'init', '--dataset', 'd', '--epsilon', '90'],
      ...['--adjacency', 'visits=5', '--adjacency', 'age=2'],
    ]);
  else
    folder.json([
      ...['release', 'd.csv', '--column', 'visits', '--epsilon', '1', '--adjacency', '5'],
      ...['--drop', 'age', '--dataset', state === 'earlier' ? 'd' : 'another', '-o', 'first.csv'],
    ]);
  return folder;
}

const JOB = `"${process.execPath}" "${main}" pipe --key-fd 3 --input-format csv -o out.csv --force < d.csv`;

/** The act with the column in this use. */
function args(act: Act, role: Role, state: State, column: string): string[] {
  const own = role === 'protected' || state === 'itself' ? 'visits' : 'age';
  const other = own === 'age' ? 'visits' : 'age';
  // Two are protected by the budget: both are named, unless leaving is what is asked.
  const beside = state === 'itself' || role === 'passed' || role === 'dropped' ? [] : ['--column', other];
  const use =
    role === 'protected' ? (state === 'itself' ? ['--column', 'visits'] : []) : [OPTION[role], column];
  const adjacency = state === 'budget' ? [] : ['--adjacency', '5'];
  const noise = ['--column', own, ...beside, '--epsilon', '1', ...adjacency];
  const shared = ['--dataset', 'd', '--force', ...(role === 'by' && act === 'count' ? [] : use)];
  switch (act) {
    case 'release':
      return ['release', 'd.csv', ...noise, ...shared, '-o', 'o.csv'];
    case 'pipe':
      return [
        ...['pipe', '--drive', 'd.csv', ...noise, ...shared, ...(role === 'id' ? [] : ['--id', 'key'])],
        ...['-o', 'job', '--', 'sh', '-c', JOB],
      ];
    case 'count': {
      const by = role === 'by' ? [column, `${column}=0..5`] : ['region', 'region=N,S'];
      return [
        ...['count', 'd.csv', '--by', by[0]!, '--domain', by[1]!, '--epsilon', '1', ...shared],
        ...['-o', 'o.csv'],
      ];
    }
    case 'prior':
      return [
        'prior',
        'd.csv',
        '--column',
        own,
        '--range',
        '0,40',
        '--epsilon',
        '1',
        ...shared,
        '-o',
        'p.csv',
      ];
    case 'choose':
      return ['choose', 's.csv', '--epsilon', '1', '--sensitivity', '1', '--dataset', 'd', ...use];
  }
}

interface Entry {
  readonly kind: string;
  readonly state?: string;
  readonly byProtected?: readonly string[];
}
const entriesOf = (folder: Scratch) =>
  folder.exists('discreet-ledger.db')
    ? folder
        .json<{ entries: Entry[] }>(['ledger', 'history'])
        .entries.filter(({ kind }) => kind === 'release')
    : [];

const cases = ACTS.flatMap((act) =>
  ROLES.flatMap((role) => STATES.map((state, i) => ({ act, role, state, verdict: TABLE[act][role][i]! }))),
);

const folders = {} as Record<State, Scratch>;
beforeAll(() => {
  for (const state of STATES) folders[state] = folderOf(state);
});

describe('a use of a protected column', () => {
  it.each(cases.filter(({ verdict }) => verdict === 'refused'))(
    '$act as $role ($state) is refused, and nothing is charged, however it is spelt',
    ({ act, role, state }) => {
      const folder = folders[state];
      const before = entriesOf(folder).length;
      const column = ['protected', 'passed', 'dropped'].includes(role) ? 'visits' : ' VISITS';
      const { code, stderr } = folder.run(args(act, role, state, column));
      expect([code, stderr]).toEqual([
        expect.toSatisfy((own) => own === 2 || own === 3),
        expect.stringMatching(/protect|named twice/),
      ]);
      expect(entriesOf(folder)).toHaveLength(before);
    },
  );

  it.each(cases.filter(({ verdict }) => verdict === 'allowed' || verdict === 'charged'))(
    '$act as $role ($state): $verdict',
    ({ act, role, state, verdict }) => {
      const folder = folders[state];
      expect(folder.run(args(act, role, state, 'visits'))).toMatchObject({ code: 0 });
      const last = entriesOf(folder).at(-1)!;
      expect(last.state).toBe('complete');
      if (verdict === 'charged') expect(last.byProtected).toEqual(['visits']);
    },
  );

  // By the options alone: once for the three states.
  it.each(
    cases.filter(
      ({ verdict, state, role }) => verdict === 'no' && state === 'budget' && role !== 'protected',
    ),
  )('$act as $role: there is no such use', ({ act, role }) => {
    expect(folders.itself.run(args(act, role, 'itself', 'visits'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/unknown option|rows of a person are not counted/),
    });
  });

  it.each(['budget', 'earlier'] as const)('is no partition either (%s)', (state) => {
    const { code, stderr } = folders[state].run([
      ...['ledger', 'init', '--dataset', 'd', '--epsilon', '90', '--partition', 'visits=0,3'],
      ...(state === 'budget' ? ['--adjacency', 'visits=5', '--adjacency', 'age=2'] : []),
    ]);
    const why = state === 'budget' ? /"visits" is protected/ : /released visits at adjacency 5/;
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});
