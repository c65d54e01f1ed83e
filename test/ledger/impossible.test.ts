// Ledgers that no program of ours writes are refused by whoever checks one, and those that it writes by nobody.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { isOurs } from '../../src/error/index.js';
import {
  checkRows,
  exportLines,
  type Ledger,
  ledgerOn,
  memoryStore,
  NO_HASH,
  readLines,
  sha256,
} from '../../src/ledger/index.js';
import { scratch } from '../scratch.js';
import { verified } from './verifier.js';
import { hashOf, quoteFor, type Wish } from './wish.js';

type Table = Readonly<Record<'impossible' | 'possible', Readonly<Record<string, readonly string[]>>>>;
const table = JSON.parse(
  readFileSync(new URL('../vectors/impossible-ledgers.json', import.meta.url), 'utf8'),
) as Table;
const impossible = Object.entries(table.impossible);
const possible = Object.entries(table.possible);

/** What an import says of it. */
function problemsOf(lines: readonly string[]): readonly string[] {
  const { rows, mechanisms } = readLines(lines, hashOf);
  return rows.length === 0 ? ['there is no entry'] : checkRows(rows, mechanisms, null, hashOf).problems;
}

describe('a ledger that no program of ours writes', () => {
  it.each(impossible)('%s: has a problem', (_, lines) => {
    expect(problemsOf(lines)).not.toEqual([]);
  });

  it('is refused by the verifier in another language, in words', () => {
    const { at } = scratch();
    const told = verified(
      at,
      impossible.map(([, lines]) => lines),
    );
    const taken = impossible.flatMap(([title], i) =>
      told[i]![0] === 3 && told[i]![1].trim() !== '' ? [] : [[title, ...told[i]!]],
    );
    expect(taken).toEqual([]);
  });

  it('is neither imported nor approved by the command', () => {
    const { run, write, exists, at } = scratch();
    for (const title of [
      'a charge of 50 in a total of 0.1',
      'an adjacency raised from 5 to 1000',
      'a partition that is dropped',
      'more than the budget at the time, which was raised',
      'a mechanism that is no JSON, under the right hash',
      'a blank line at the end',
    ]) {
      const lines = table.impossible[title]!;
      write('e.jsonl', lines.map((line) => `${line}\n`).join(''));
      expect([title, run(['ledger', 'import', 'e.jsonl', '--ledger', 'n.db'])]).toEqual([
        title,
        expect.objectContaining({ code: 3, stdout: expect.stringMatching(/Nothing was imported/) }),
      ]);
      expect(exists('n.db')).toBe(false);
    }
    const database = new Database(at('l.db'));
    database.exec('CREATE TABLE entries (sequence INTEGER PRIMARY KEY, text TEXT, hash TEXT)');
    const insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?)');
    for (const [i, text] of table.impossible['a charge of 50 in a total of 0.1']!.entries())
      insert.run(i + 1, text, hashOf(text));
    database.close();
    expect(run(['ledger', 'check', '--ledger', 'l.db'])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/entry 2: its charges come to ε = 50, δ = 0, and it says ε = 0.1/),
    });
  });
});

describe('a ledger as our programs write it', () => {
  it.each(possible)('%s: has no problem', (_, lines) => {
    expect(problemsOf(lines)).toEqual([]);
  });

  it('is taken by the verifier in another language', () => {
    const { at } = scratch();
    const told = verified(
      at,
      possible.map(([, lines]) => lines),
    );
    expect(possible.flatMap(([title], i) => (told[i]![0] === 0 ? [] : [[title, ...told[i]!]]))).toEqual([]);
  });

  it('whatever was asked of it, is taken by both; and what is changed in it, by both or by neither', async () => {
    const { at } = scratch();
    const all = await Promise.all(fc.sample(life, { numRuns: 60, seed: SEED }).map(lived));
    const ledgers = all.filter((lines) => lines.length > 0);
    const changed = ledgers.map((lines, i) =>
      rehashed(lines, fc.sample(change, { numRuns: 3, seed: SEED + i })),
    );
    for (const lines of ledgers) expect(problemsOf(lines)).toEqual([]);
    const told = verified(at, [...ledgers, ...changed]);
    expect(told.slice(0, ledgers.length).filter(([code]) => code !== 0)).toEqual([]);
    const differing = changed.flatMap((lines, i) => {
      const [code, words] = told[ledgers.length + i]!;
      const problems = problemsOf(lines);
      return code === (problems.length === 0 ? 0 : 3) ? [] : [{ lines, words, problems }];
    });
    expect(differing).toEqual([]);
    // Both happen, or nothing was compared.
    expect(new Set(changed.map((lines) => problemsOf(lines).length === 0)).size).toBe(2);
  });
});

const SEED = Number(process.env.DISCREET_SEED ?? 31);
const column = fc.constantFrom('visits', 'Visits ', 'days', 'region', 'age');
const figure = fc.constantFrom('0.1', '0.5', '1', '1.00000000000000000000001', '2.5');
const delta = fc.constantFrom('0', '0', '0.0001', '0.00000012345678901234567');
const dataset = fc.constantFrom('d', 'e', 'D ');
const rows = fc.constantFrom(null, null, null, 3);
const partition = fc.constantFrom(null, null, { column: 'place', parts: ['north', 'south'] });
const part = fc.constantFrom(null, null, 'north', 'south');
const query = fc.constantFrom(null, null, { sql: 'select 1', rowsOnce: true });

const budget = fc.record({
  kind: fc.constant('budget' as const),
  dataset,
  epsilon: fc.constantFrom('2', '5', '50'),
  delta: fc.constantFrom('0', '0.01'),
  adjacency: fc.oneof(
    fc.constantFrom({ visits: '2', days: '1' }, { visits: '5', days: '2', age: '1' }, {}),
    fc.dictionary(column, fc.constantFrom('1', '2', '5'), { maxKeys: 3 }),
  ),
  perPerson: rows,
  partition,
});
const spending = fc.record({
  kind: fc.constantFrom('release' as const, 'count' as const, 'choose' as const, 'prior' as const),
  dataset,
  part,
  perPerson: fc.option(fc.constantFrom(1, 3), { freq: 3 }),
  perPersonEnforced: fc.boolean(),
  columns: fc.uniqueArray(column, { minLength: 1, maxLength: 2 }),
  adjacency: fc.constantFrom('1', '2', '5'),
  counted: fc.constantFrom(undefined, null, null, 'visits', 'age'),
  apart: fc.constantFrom(undefined, '2', '5'),
  query,
  epsilon: figure,
  delta,
});
const settlement = fc.record({
  kind: fc.constantFrom('complete' as const, 'void' as const, 'abort' as const),
  release: fc.integer({ min: 1, max: 12 }),
});

/** What people ask of a ledger: much of it is refused. */
const life = fc
  .tuple(
    fc.array(budget, { maxLength: 2 }),
    fc.array(
      fc.oneof(
        { arbitrary: budget, weight: 2 },
        { arbitrary: spending, weight: 12 },
        { arbitrary: settlement, weight: 3 },
      ),
      { minLength: 10, maxLength: 40 },
    ),
  )
  .map(([before, after]) => [...before, ...after]);
type Asked = typeof life extends fc.Arbitrary<(infer Value)[]> ? Value : never;

async function lived(asked: readonly Asked[]): Promise<string[]> {
  const ledger = ledgerOn(memoryStore('m'), { hash: sha256, who: 'a test', clock: () => new Date(0) });
  for (const own of asked)
    await ask(ledger, own).catch((error: unknown) => {
      if (!isOurs(error)) throw error;
    });
  return exportLines(await ledger.rows(), await ledger.mechanisms());
}

async function ask(ledger: Ledger, own: Asked): Promise<unknown> {
  if (own.kind === 'budget') return ledger.setBudget(own);
  if ('release' in own) return ledger.settle(own.release, own.kind, 'a test');
  const { kind, columns, counted, apart, adjacency, epsilon, delta: mass, ...rest } = own;
  const charge = { mechanism: null, epsilon, delta: mass };
  const isCount = kind === 'count' || kind === 'prior';
  const more = {
    ...(isCount ? { by: kind === 'prior' ? columns.slice(0, 1) : columns } : {}),
    ...(kind === 'count' && counted !== undefined ? { counted } : {}),
    ...(kind === 'prior' && apart !== undefined ? { apart } : {}),
  };
  const act: Wish = {
    ...{ ...rest, ...more, act: kind, inputName: null, input: 'a', output: 'b' },
    price: (budget) =>
      kind === 'release'
        ? columns.map((on) => ({ ...charge, on, adjacency: budget?.adjacency[on] ?? adjacency }))
        : [{ ...charge, on: kind, adjacency: '1' }],
  };
  return ledger.reserve(await quoteFor(ledger, act));
}

/** Something in an entry that becomes something else. */
const change = fc.tuple(
  fc.nat(40),
  fc.constantFrom(
    ...['epsilon', 'delta', 'perPerson', 'adjacency', 'partition', 'part', 'by', 'byProtected', 'counted'],
    ...[
      'dataset',
      'act',
      'query',
      'release',
      'charges',
      'perPersonEnforced',
      'apart',
      'kept',
      'format',
      'kind',
    ],
  ),
  fc.constantFrom(
    ...[null, true, 1, 2, 3, 1.5, '1', '0.5', '50', ' 2', '1_0', 'visits', 'region', 'd', 'D ', 'north'],
    ...[[], ['visits'], ['region'], {}, { visits: '1000' }, { visits: '1' }, { age: '1' }],
    ...['count', 'release', 'prior', 'discreet/ledger@1', undefined],
    { column: 'place', parts: ['north'] },
    { sql: 'select 1', rowsOnce: false },
  ),
);

/** With the changes, and a chain that is whole again. */
function rehashed(
  lines: readonly string[],
  changes: readonly (readonly [at: number, key: string, value: unknown])[],
): string[] {
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const [at, key, value] = changes.find(([i, name]) => name in entries[i % entries.length]!) ?? changes[0]!;
  entries[at % entries.length]![key] = value;
  let previous = NO_HASH;
  return entries.map((entry) => {
    const line = JSON.stringify({ ...entry, previous });
    previous = hashOf(line);
    return line;
  });
}
