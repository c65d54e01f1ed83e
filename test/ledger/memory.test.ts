// Stores that are given: a budget that is set only before anything was released, and exports that go on where a store ends.

import { describe, expect, it } from 'vitest';
import { exportLines, importInto, ledgerOn, memoryStore, quoteOf, sha256 } from '../../src/ledger/index.js';

const KEEPER = { hash: sha256, who: 'a test', clock: () => new Date(0) };
const TERMS = { dataset: 'visits', epsilon: 3, adjacency: { visits: 5 } };

async function spendOn(ledger: ReturnType<typeof ledgerOn>, epsilon = '1') {
  const account = await ledger.account({ dataset: 'visits', inputName: null });
  const charge = { on: 'visits', mechanism: null, adjacency: '5', epsilon, delta: '0' };
  const of = { part: null, input: 'a.csv', output: 'b.csv', perPerson: null, perPersonEnforced: false };
  return ledger.reserve(quoteOf({ act: 'release', ...of, charges: [charge] }, account));
}

async function linesOf(ledger: ReturnType<typeof ledgerOn>) {
  return exportLines(await ledger.rows(), await ledger.mechanisms());
}

describe('a budget that must be the first', () => {
  it('is set anew until something is released, and never after', async () => {
    const ledger = ledgerOn(memoryStore('m'), KEEPER);
    await ledger.setBudget(TERMS, { first: true });
    await ledger.setBudget({ ...TERMS, epsilon: 2 }, { first: true });
    const { sequence } = await spendOn(ledger);
    const raised = { ...TERMS, epsilon: 50 };
    await expect(ledger.setBudget(raised, { first: true })).rejects.toThrow(/something was released of it/);
    // Without the word it is the publisher's to raise.
    await ledger.setBudget({ ...TERMS, epsilon: 4 });
    await ledger.settle(sequence, 'complete', '1 rows');
    await expect(ledger.setBudget(raised, { first: true })).rejects.toThrow(/something was released of it/);
    expect((await ledger.rows()).length).toBe(5);
  });

  it('is set anew where what was released was given back', async () => {
    const ledger = ledgerOn(memoryStore('m'), KEEPER);
    await ledger.setBudget(TERMS, { first: true });
    const { sequence } = await spendOn(ledger);
    await ledger.settle(sequence, 'void', 'the input is invalid');
    await ledger.setBudget({ ...TERMS, epsilon: 1, adjacency: { visits: 9 } }, { first: true });
    expect(await ledger.left('visits')).toMatchObject({ epsilon: '1' });
  });
});

describe('an export', () => {
  it('goes into a store that is empty, or that ends where it goes on, and into no other', async () => {
    const ledger = ledgerOn(memoryStore('m'), KEEPER);
    await ledger.setBudget(TERMS);
    const short = await linesOf(ledger);
    await spendOn(ledger);
    const long = await linesOf(ledger);
    const store = memoryStore('other');
    expect((await importInto(store, short, null, sha256)).problems).toEqual([]);
    expect((await importInto(store, long, null, sha256)).problems).toEqual([]);
    expect(await store.read()).toEqual(await ledger.rows());
    // Backwards, aside, edited, or without an entry: nothing changes.
    await expect(importInto(store, short, null, sha256)).rejects.toThrow(/not overwritten/);
    const aside = ledgerOn(memoryStore('aside'), KEEPER);
    await aside.setBudget({ ...TERMS, epsilon: 9 });
    await expect(importInto(store, await linesOf(aside), null, sha256)).rejects.toThrow(/not overwritten/);
    const edited = long.map((line) => line.replace('"epsilon":"3"', '"epsilon":"9"'));
    expect((await importInto(store, edited, null, sha256)).problems).not.toEqual([]);
    expect((await importInto(store, [], null, sha256)).problems).toEqual(['there is no entry']);
    expect((await importInto(store, long, 'f'.repeat(64), sha256)).problems).not.toEqual([]);
    expect(await store.read()).toEqual(await ledger.rows());
  });
});
