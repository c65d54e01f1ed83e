// Mechanisms beside the entries, and a ledger kept by somebody else: any store and any hash will do.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import {
  type Addition,
  ledgerOn,
  openLedger,
  type Row,
  readLines,
  type Store,
} from '../../src/ledger/index.js';
import { readMechanism } from '../../src/mechanism/index.js';
import { connect } from '../../src/postgres/index.js';
import { scratch } from '../scratch.js';
import { hashOf, quoteFor, type Wish } from './wish.js';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const verified = (...args: string[]) =>
  spawnSync('python3', [fileURLToPath(new URL('../../docs/verify-ledger.py', import.meta.url)), ...args])
    .status;

const release = (here: ReturnType<typeof scratch>, output: string, ...more: string[]) =>
  here.json<{ head: string; charges: { mechanism: string }[] }>([
    ...`release d.csv --column visits --epsilon 0.5 --adjacency 5 --dataset d -o ${output}`.split(' '),
    ...more,
  ]);

describe.each([
  ['a file', () => 'l.db'],
  ['PostgreSQL', () => server.address],
])('mechanisms of a ledger in %s', (_name, address) => {
  const here = scratch();
  const { json, run, write, at } = here;
  const own = () => ['--ledger', address()];

  it('are kept by their hashes, once, as they were used', () => {
    write('d.csv', 'visits\n1\n2\n');
    json(['ledger', 'init', '--dataset', 'd', '--epsilon', '3', '--adjacency', 'visits=5', ...own()]);
    const { charges } = release(here, 'a.csv', ...own());
    release(here, 'b.csv', ...own());
    const { mechanisms } = json<{ mechanisms: Record<string, string> }>(['ledger', 'export', ...own()]);
    expect(Object.keys(mechanisms)).toEqual([charges[0]!.mechanism]);
    const [[hash, text]] = Object.entries(mechanisms) as [[string, string]];
    expect(hashOf(text)).toBe(hash);
    expect(readMechanism(text).pmf).toEqual(readMechanism(here.read('a.csv.mechanism.json')).pmf);
    expect(json(['ledger', 'check', ...own()])).toMatchObject({
      whole: true,
      entries: 5,
      mechanisms: { kept: 1, missing: 0 },
    });
  });

  it('leave with the entries, before the first that names them, and come back', () => {
    const lines = run(['ledger', 'export', ...own()])
      .stdout.trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual([
      'budget',
      'mechanism',
      'release',
      'complete',
      'release',
      'complete',
    ]);
    write('entries.jsonl', `${lines.join('\n')}\n`);
    const { head } = json<{ head: string }>(['ledger', 'status', ...own()]);
    expect(json(['ledger', 'import', 'entries.jsonl', '--head', head, '--ledger', 'again.db'])).toMatchObject(
      {
        whole: true,
        mechanisms: { kept: 1, missing: 0 },
      },
    );
    expect(run(['ledger', 'export', '--ledger', 'again.db']).stdout.trimEnd().split('\n')).toEqual(lines);
    expect(verified(at('entries.jsonl'), head)).toBe(0);
    // One weight more in a mechanism, and both programs say so.
    const forged = lines.map((line) =>
      line.includes('"kind":"mechanism"')
        ? line.replace('\\"weights\\": [', '\\"weights\\": [\\n  \\"1\\",')
        : line,
    );
    expect(forged).not.toEqual(lines);
    write('forged.jsonl', `${forged.join('\n')}\n`);
    expect(verified(at('forged.jsonl'))).toBe(3);
    const told = run(['ledger', 'import', 'forged.jsonl', '--ledger', 'forged.db']);
    expect([told.code, told.stdout]).toEqual([
      3,
      expect.stringMatching(/mechanism .*does not have its hash/),
    ]);
    expect(here.exists('forged.db')).toBe(false);
  });

  it('cannot be changed by accident, and a change by force is found', async () => {
    if (address() === 'l.db') {
      const database = new Database(at('l.db'));
      expect(() => database.exec("UPDATE mechanisms SET text = ''")).toThrow(/never changed/);
      expect(() => database.exec('DELETE FROM mechanisms')).toThrow(/never removed/);
      database.exec("DROP TRIGGER mechanisms_stay; UPDATE mechanisms SET text = '{}'");
      database.close();
    } else {
      const client = await connect(server.address);
      await expect(client.query("UPDATE discreet.mechanisms SET text = ''")).rejects.toThrow(/never changed/);
      await expect(client.query('TRUNCATE discreet.mechanisms')).rejects.toThrow(/never changed/);
      await client.query(
        "DROP TRIGGER ledger_stays ON discreet.mechanisms; UPDATE discreet.mechanisms SET text = '{}'",
      );
      await client.end();
    }
    const told = run(['ledger', 'check', ...own()]);
    expect([told.code, told.stdout]).toEqual([
      3,
      expect.stringMatching(/mechanism .*does not have its hash/),
    ]);
    // Gone for good, from the table and from an export: both programs say so.
    if (address() === 'l.db') {
      const database = new Database(at('l.db'));
      database.exec('DROP TRIGGER mechanisms_remain; DELETE FROM mechanisms');
      database.close();
    } else {
      const client = await connect(server.address);
      await client.query('DELETE FROM discreet.mechanisms');
      await client.end();
    }
    expect(run(['ledger', 'check', ...own()])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/its mechanism \w{12} was kept, and was removed/),
    });
    write('without.jsonl', run(['ledger', 'export', ...own()]).stdout);
    expect(verified(at('without.jsonl'))).toBe(3);
  });
});

describe('a ledger of a server', () => {
  const here = scratch();
  it('takes entries of one process one after the other', async () => {
    const ledger = await openLedger(server.address, 'existing');
    const terms = (dataset: string) => ({ dataset, epsilon: '1', adjacency: { visits: 5 } });
    const names = Array.from({ length: 12 }, (_, i) => `at once ${i}`);
    const told = await Promise.allSettled([
      ...names.map((name) => ledger.setBudget(terms(name))),
      // One that is refused in between takes nobody with it.
      ledger.setBudget({ ...terms('refused'), epsilon: '-1' }),
      ...names.map(() => ledger.check(null)),
    ]);
    expect(told.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect((await ledger.entries()).slice(-12).map((entry) => 'dataset' in entry && entry.dataset)).toEqual(
      names,
    );
    await ledger.close();
  });

  it('is enough for one who may only add to it', async () => {
    const client = await connect(server.address);
    await client.query(
      'CREATE ROLE clerk LOGIN; GRANT USAGE ON SCHEMA discreet TO clerk; GRANT SELECT, INSERT, UPDATE ON discreet.ledger TO clerk',
    );
    const address = server.address.replace('//tester', '//clerk');
    expect(address).not.toBe(server.address);
    here.write('d.csv', 'visits\n1\n2\n');
    const own = ['--ledger', address];
    here.json(['ledger', 'init', '--dataset', 'clerks', '--epsilon', '3', '--adjacency', 'visits=5', ...own]);
    const released = (output: string) =>
      here.json(
        `release d.csv --column visits --epsilon 0.5 --dataset clerks -o ${output} --ledger ${address}`.split(
          ' ',
        ),
      );
    // Without the mechanisms at first, and it is not said that they are there.
    released('a.csv');
    // Mechanisms that may not be read are not said to be gone.
    expect(here.run(['ledger', 'check', ...own])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/permission denied/),
    });
    await client.query('GRANT SELECT, INSERT ON discreet.mechanisms TO clerk');
    released('b.csv');
    const { entries } = here.json<{ entries: { kind: string; dataset: string; kept?: boolean }[] }>([
      'ledger',
      'history',
      '--dataset',
      'clerks',
      ...own,
    ]);
    expect(entries.filter(({ kind }) => kind === 'release').map(({ kept }) => kept)).toEqual([
      undefined,
      true,
    ]);
    await client.end();
  });
});

describe('a ledger without a machine', () => {
  it('keeps its rules on any store, with any hash, clock and name', async () => {
    const rows: Row[] = [];
    const mechanisms = new Map<string, string>();
    let verified = 0;
    // Not SHA-256: the rules do not care.
    const hash = (text: string) => {
      verified++;
      return [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1e15, 7).toString(16);
    };
    const store: Store = {
      address: 'memory',
      shown: 'memory',
      warning: null,
      read: async () => rows,
      mechanisms: async () => mechanisms,
      append: async (next: (rows: readonly Row[], keepsMechanisms: boolean) => Addition) => {
        const { rows: more, mechanisms: kept = new Map() } = next(rows, true);
        rows.push(...more);
        for (const [key, text] of kept) mechanisms.set(key, text);
      },
      close: async () => undefined,
    };
    const ledger = ledgerOn(store, { hash, who: 'page', clock: () => new Date(86_400_000) });
    await ledger.setBudget({
      dataset: 'd',
      epsilon: '1',
      delta: '0',
      adjacency: { visits: '5' },
      perPerson: null,
      partition: null,
    });
    const wish: Wish = {
      act: 'release',
      dataset: 'd',
      inputName: null,
      part: null,
      input: 'a',
      output: 'b',
      perPerson: null,
      perPersonEnforced: false,
      price: () => [{ on: 'visits', mechanism: 'aa', adjacency: '5', epsilon: '0.75', delta: '0' }],
    };
    const quote = await quoteFor(ledger, wish);
    verified = 0;
    const { sequence, who } = await ledger.reserve(quote);
    // Once for each row of the chain, and once for the new one.
    expect(verified).toBe(2);
    await ledger.settle(sequence, 'complete', '');
    expect([who, JSON.parse(rows[1]!.text).time]).toEqual(['page', '1970-01-02T00:00:00.000Z']);
    await expect(quoteFor(ledger, wish).then((again) => ledger.reserve(again))).rejects.toMatchObject({
      code: 'budget',
    });
    expect((await ledger.check(null)).problems).toEqual([]);
    rows[1] = { ...rows[1]!, text: rows[1]!.text.replace('0.75', '0.05') };
    expect((await ledger.check(null)).problems).toEqual([expect.stringMatching(/entry 2: .*edited/)]);
    await expect(ledger.account({ dataset: 'd', inputName: null })).rejects.toThrow(/nothing is released/);
  });

  it('takes what is no mechanism for an entry', () => {
    const line = '{"format":"discreet/ledger@2","kind":"mechanism","hash":7}';
    expect(readLines([line], hashOf)).toMatchObject({ rows: [{ sequence: 1, text: line }] });
  });
});
