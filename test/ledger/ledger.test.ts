import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import {
  growthUpper,
  mechanismCost,
  minus,
  readCost,
  successive,
  timesRows,
} from '../../src/account/index.js';
import {
  add,
  compare,
  exp,
  integer,
  multiply,
  parseDecimal,
  rational,
  toDecimal,
  toNumberNear,
} from '../../src/exact/index.js';
import {
  type Budget,
  checkRows,
  emptyLedger,
  type Ledger,
  nextRow,
  openLedger,
  type Row,
  readChain,
  spent,
} from '../../src/ledger/index.js';
import { calibrate, compile, PrivacyError } from '../../src/mechanism/index.js';
import { gaussian, geometric, laplace } from '../../src/noise/index.js';
import { connect } from '../../src/postgres/index.js';
import { privacyProfile } from '../../src/privacy/index.js';
import { scratch } from '../scratch.js';
import { hashOf, quoteFor, reserve, type Wish } from './wish.js';

const one = rational(1n);
const { at } = scratch();
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const trips: Budget = {
  dataset: 'trips',
  epsilon: '3',
  delta: '0.001',
  adjacency: { visits: '5' },
  perPerson: 1,
  partition: null,
};

function wish(epsilon: string, over: Partial<Wish> = {}): Wish {
  return {
    act: 'release',
    dataset: 'trips',
    inputName: 'trips',
    part: null,
    input: 'trips.csv',
    output: 'out.csv',
    perPerson: null,
    perPersonEnforced: false,
    price: () => [{ on: 'visits', mechanism: 'aa', adjacency: '5', epsilon, delta: '0' }],
    ...over,
  };
}

/** Every law below holds for both places where a ledger can be. */
const places: [string, () => Promise<string>][] = [
  ['a file', async () => at(`ledger-${Math.random()}.db`)],
  [
    'PostgreSQL',
    async () => {
      const client = await connect(server.address);
      await client.query('DROP SCHEMA IF EXISTS discreet CASCADE');
      await client.end();
      return server.address;
    },
  ],
];

describe.each(places)('a ledger in %s', (_name, address) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger(await address(), 'existing or new');
  });
  afterAll(() => ledger.close());

  it('adds releases up, exactly, and refuses what goes beyond the budget', async () => {
    await ledger.setBudget(trips);
    await reserve(ledger, wish('0.1'));
    await reserve(ledger, wish('0.2'));
    const dataset = (await ledger.datasets()).get('trips')!;
    expect(toDecimal(spent(dataset).epsilon)).toBe('0.3');
    const last = await reserve(ledger, wish('2.7'));
    expect(toDecimal(minus(readCost(trips), last.after).epsilon)).toBe('0');
    await expect(reserve(ledger, wish('0.00000000000000001'))).rejects.toThrow(PrivacyError);
    await expect(
      reserve(
        ledger,
        wish('0', {
          price: () => [{ on: 'visits', mechanism: null, adjacency: '5', epsilon: '0', delta: '0.0011' }],
        }),
      ),
    ).rejects.toThrow(/δ = 0.0011/);
  });

  it('gives back what is void, and keeps what is aborted, complete or open', async () => {
    const entries = await ledger.entries();
    const [first, second, third] = entries.filter(({ kind }) => kind === 'release');
    await ledger.settle(third!.sequence, 'void', 'the input is invalid');
    await ledger.settle(second!.sequence, 'abort', 'interrupted');
    await ledger.settle(first!.sequence, 'complete', '10 rows');
    const dataset = (await ledger.datasets()).get('trips')!;
    expect(toDecimal(spent(dataset).epsilon)).toBe('0.3');
    expect(dataset.releases.map(({ state }) => state)).toEqual(['complete', 'abort', 'void']);
    // A second settlement is refused: nothing is given back twice, or after it was kept.
    await expect(ledger.settle(first!.sequence, 'void', 'again')).rejects.toThrow(/which is no open release/);
    await expect(ledger.settle(1, 'void', 'a budget')).rejects.toThrow(/which is no open release/);
    expect((await ledger.check(null)).problems).toEqual([]);
  });

  it('wants the dataset named, and known, once there are budgets', async () => {
    await expect(quoteFor(ledger, wish('1', { dataset: null }))).rejects.toThrow(
      /^dataset: this ledger has budgets.*trips/,
    );
    await expect(quoteFor(ledger, wish('1', { dataset: 'tripz' }))).rejects.toThrow(/did you mean trips\?/);
  });

  it('keeps what neighbours are, and never goes below what is spent', async () => {
    await expect(ledger.setBudget({ ...trips, perPerson: 2 })).rejects.toThrow(/was for 1 rows per person/);
    await expect(ledger.setBudget({ ...trips, adjacency: { visits: '6' } })).rejects.toThrow(
      /released visits at adjacency 5/,
    );
    await expect(ledger.setBudget({ ...trips, adjacency: {} })).rejects.toThrow(
      /released visits at adjacency 5/,
    );
    await expect(ledger.setBudget({ ...trips, adjacency: { visits: '5', days: '1' } })).rejects.toThrow(
      /did not protect days/,
    );
    await expect(ledger.setBudget({ ...trips, partition: { column: 'r', parts: ['a'] } })).rejects.toThrow(
      /`partition` was not given/,
    );
    await expect(ledger.setBudget({ ...trips, epsilon: '0.29' })).rejects.toThrow(/has spent ε = 0.3/);
    await ledger.setBudget({ ...trips, epsilon: '4' });
    expect((await ledger.datasets()).get('trips')!.budget!.epsilon).toBe('4');
  });

  it('does not reserve under another budget than the one that was asked about', async () => {
    const quote = await quoteFor(ledger, wish('0.01'));
    await ledger.setBudget({ ...trips, epsilon: '5' });
    await expect(reserve(ledger, wish('0.01'), quote)).rejects.toThrow(/budget was changed in the meantime/);
    await reserve(ledger, wish('0.01'), await quoteFor(ledger, wish('0.01')));
  });

  it('composes parts in parallel and everything else in a row', async () => {
    const budget = {
      ...trips,
      dataset: 'parts',
      epsilon: '2',
      partition: { column: 'region', parts: ['north', 'south'] },
    };
    await ledger.setBudget(budget);
    const part = (name: string | null, epsilon: string) =>
      reserve(ledger, wish(epsilon, { dataset: 'parts', part: name }));
    await part('north', '1.5');
    await part('south', '1');
    expect(toDecimal((await part(null, '0.25')).after.epsilon)).toBe('1.75');
    await expect(part('north', '0.3')).rejects.toThrow(PrivacyError);
    await expect(part(null, '0.3')).rejects.toThrow(PrivacyError);
    expect(toDecimal((await part('south', '0.75')).after.epsilon)).toBe('2');
    await expect(part('nort', '0.1')).rejects.toThrow(/did you mean north\?/);
    await expect(quoteFor(ledger, wish('0.1', { part: 'north' }))).rejects.toThrow(/no partition of trips/);
  });

  it('charges the rows of a person, as the budget says', async () => {
    await ledger.setBudget({ ...trips, dataset: 'people', perPerson: 3 });
    const { spending } = await quoteFor(ledger, wish('0.5', { dataset: 'people' }));
    expect(spending).toMatchObject({ epsilon: '1.5', perPerson: 3 });
    await expect(quoteFor(ledger, wish('0.5', { dataset: 'people', perPerson: 1 }))).rejects.toThrow(
      /for 3 rows per person, got 1/,
    );
  });

  it('does not set a budget over a past that was charged for less', async () => {
    const past = await openLedger(at(`past-${Math.random()}.db`), 'existing or new');
    await reserve(
      past,
      wish('1', {
        dataset: null,
        inputName: 'old',
        price: () => [{ on: 'visits', mechanism: 'aa', adjacency: '3', epsilon: '1', delta: '0' }],
      }),
    );
    await expect(past.setBudget({ ...trips, dataset: 'old' })).rejects.toThrow(
      /released visits at adjacency 3/,
    );
    await expect(
      past.setBudget({ ...trips, dataset: 'old', adjacency: { visits: '3' }, perPerson: 2 }),
    ).rejects.toThrow(/was for one row; rows per person were not stated/);
    await past.setBudget({ ...trips, dataset: 'old', adjacency: { visits: '2' } });
    await past.close();
  });

  it('does not protect a column that was counted by while it was not', async () => {
    const past = await openLedger(at(`counted-${Math.random()}.db`), 'existing or new');
    const counting = wish('1', { act: 'count', dataset: 'c', by: ['visits'], counted: null });
    await past.setBudget({ ...trips, dataset: 'c', adjacency: { age: '1' } });
    await reserve(past, counting);
    await expect(
      past.setBudget({ ...trips, dataset: 'c', adjacency: { age: '1', visits: '5' } }),
    ).rejects.toThrow(/counted by visits/);
    await reserve(past, wish('1', { act: 'count', dataset: 'c', by: ['age'], counted: null }));
    await past.setBudget({ ...trips, dataset: 'c', epsilon: '9', adjacency: { age: '1' } });
    await past.close();
  });

  it('does not protect a column that may have chosen the rows of thresholds', async () => {
    const past = await openLedger(at(`thresholds-${Math.random()}.db`), 'existing or new');
    const query = { sql: 'select visits from t where age > 50', rowsOnce: true };
    const act = { act: 'prior', by: ['visits'], query } as const;
    await past.setBudget({ ...trips, dataset: 'q', adjacency: { visits: '5' } });
    await reserve(past, wish('1', { ...act, dataset: 'q', apart: '5' }));
    const wider = { ...trips, dataset: 'q', adjacency: { visits: '5', age: '1' } };
    await expect(past.setBudget(wider)).rejects.toThrow(/while age was not protected/);
    await expect(past.setBudget({ ...trips, dataset: 'q', adjacency: { visits: '6' } })).rejects.toThrow(
      /below thresholds 5 apart/,
    );
    await past.setBudget({ ...trips, dataset: 'q', epsilon: '9', adjacency: { visits: '5' } });
    // Cells were charged for rows that come and go as well.
    await past.setBudget({ ...trips, dataset: 'r', adjacency: { visits: '5' } });
    await reserve(past, wish('1', { ...act, dataset: 'r' }));
    await past.setBudget({ ...wider, dataset: 'r' });
    await past.close();
  });

  it('does not protect a column after a query was counted while none was', async () => {
    const past = await openLedger(at(`queried-${Math.random()}.db`), 'existing or new');
    const query = { sql: 'select visits > 5 as many from t', rowsOnce: true };
    await past.setBudget({ ...trips, dataset: 'q', adjacency: {} });
    await reserve(past, wish('1', { act: 'count', dataset: 'q', by: ['many'], counted: null, query }));
    await expect(past.setBudget({ ...trips, dataset: 'q' })).rejects.toThrow(/counted what a query computed/);
    await past.setBudget({ ...trips, dataset: 'q', epsilon: '9', adjacency: {} });
    await past.close();
  });

  it('lets a budget be set anew while nothing is spent', async () => {
    const fresh = await openLedger(at(`fresh-${Math.random()}.db`), 'existing or new');
    await fresh.setBudget(trips);
    await fresh.setBudget({ ...trips, perPerson: 3, adjacency: { visits: '9' } });
    const charge = { on: 'visits', mechanism: 'aa', adjacency: '9', epsilon: '0.1', delta: '0' };
    const { sequence } = await reserve(fresh, wish('0.1', { price: () => [charge] }));
    await expect(fresh.setBudget({ ...trips, perPerson: 4 })).rejects.toThrow(/3 rows per person/);
    await fresh.settle(sequence, 'void', 'the input is invalid');
    await fresh.setBudget(trips);
    await fresh.close();
  });

  it('says who, what and when, and its head is in every later ledger', async () => {
    const rows = await ledger.rows();
    const head = rows.at(-1)!.hash;
    await reserve(ledger, wish('0.01'));
    expect((await ledger.check(head)).problems.filter((problem) => problem.includes(head))).toEqual([]);
    expect((await ledger.check('f'.repeat(64))).problems.join()).toMatch(/cut off or rewritten/);
    const entry = (await ledger.entries()).at(-1)!;
    expect(entry).toMatchObject({
      kind: 'release',
      input: 'trips.csv',
      charges: [{ on: 'visits', mechanism: 'aa' }],
    });
    expect(entry.who).not.toBe('');
    expect(Date.parse(entry.time)).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('what a ledger cannot say', () => {
  it('is reported: settlements of nothing, and more spent than there was', async () => {
    const rows: Row[] = [];
    const push = (content: Parameters<typeof nextRow>[1]) =>
      rows.push(nextRow(rows.at(-1), content, 'me', new Date(0), hashOf));
    const { person: _, ...wanted } = wish('2');
    const spending = {
      ...wanted,
      query: null,
      passed: [],
      charges: [
        {
          on: 'visits',
          mechanism: 'aa',
          values: null,
          adjacency: '5',
          unbiased: true,
          epsilon: '2',
          delta: '0',
        },
      ],
      by: [],
      byProtected: [],
      perPerson: 1,
      epsilon: '2',
      delta: '0',
      dataset: 'trips',
    };
    push({ kind: 'budget', ...trips });
    push({ kind: 'release', ...spending });
    push({ kind: 'complete', release: 2, reason: '' });
    push({ kind: 'void', release: 2, reason: '' });
    push({ kind: 'release', ...spending });
    expect(checkRows(rows, new Map(), null, hashOf).problems).toEqual([
      'entry 4: settles entry 2, which is no open release',
      'trips: ε = 4, δ = 0 is spent, beyond its budget',
    ]);
  });
});

describe('an export', () => {
  it('is checked without this program, by docs/verify-ledger.py', async () => {
    const { run, write, read, json, at: path } = scratch();
    json([
      'ledger',
      'init',
      '--dataset',
      'd',
      '--epsilon',
      '3',
      '--adjacency',
      'visits=5',
      '--partition',
      'r=a,b',
    ]);
    for (const part of ['a', 'b', null]) write(`d-${part}.csv`, `r,visits\n${part},1\n`);
    for (const [i, part] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', null],
    ] as const)
      json([
        'release',
        `d-${part}.csv`,
        '--column',
        'visits',
        '--epsilon',
        i === '3' ? '0.5' : '1',
        '--dataset',
        'd',
        '-o',
        `o${i}.csv`,
        ...(part === null ? [] : ['--part', part]),
      ]);
    const { head, datasets } = json<{ head: string; datasets: { spent: { epsilon: string } }[] }>([
      'ledger',
      'status',
    ]);
    run(['ledger', 'export', '-o', 'entries.jsonl']);
    const python = (...args: string[]) =>
      spawnSync(
        'python3',
        [fileURLToPath(new URL('../../docs/verify-ledger.py', import.meta.url)), ...args],
        { cwd: path('.'), encoding: 'utf8' },
      );
    const whole = python('entries.jsonl', head);
    expect([whole.status, whole.stdout]).toEqual([
      0,
      expect.stringContaining(`epsilon ${datasets[0]!.spent.epsilon}, delta 0 of 3, 0`),
    ]);
    const lines = read('entries.jsonl').split('\n');
    write('cut.jsonl', `${lines.slice(0, -2).join('\n')}\n`);
    expect(python('cut.jsonl', head).status).toBe(3);
    write('edited.jsonl', lines.join('\n').replace('"epsilon":"3"', '"epsilon":"9"'));
    expect(python('edited.jsonl').status).toBe(3);
  });
});

describe('the chain', () => {
  const rows: Row[] = [];
  for (let i = 0; i < 6; i++)
    rows.push(
      nextRow(rows.at(-1), { kind: 'budget', ...trips, epsilon: String(i + 1) }, 'me', new Date(0), hashOf),
    );

  it('is whole as it was written', () => {
    expect(readChain(rows, hashOf)).toMatchObject({ broken: null, entries: { length: 6 } });
    expect(rows[0]!.hash).toBe(hashOf(rows[0]!.text));
  });

  it('shows any entry that was edited, removed or moved', () => {
    const edited = (i: number, change: (row: Row) => Row) =>
      rows.map((row, k) => (k === i ? change(row) : row));
    for (let i = 0; i < rows.length; i++) {
      const text = rows[i]!.text.replace(/"epsilon":"\d"/, '"epsilon":"9"');
      expect(
        readChain(
          edited(i, (row) => ({ ...row, text })),
          hashOf,
        ).broken,
      ).toMatch(/edited/);
      // With a hash to match, the next entry tells; at the end only a head from outside can.
      const forged = readChain(
        edited(i, (row) => ({ ...row, text, hash: hashOf(text) })),
        hashOf,
      ).broken;
      if (i < rows.length - 1) expect(forged).toMatch(/does not follow/);
      else expect(forged).toBeNull();
      if (i < rows.length - 1)
        expect(
          readChain(
            rows.filter((_, k) => k !== i),
            hashOf,
          ).broken,
        ).not.toBeNull();
      const renumbered = rows.filter((_, k) => k !== i).map((row, k) => ({ ...row, sequence: k + 1 }));
      if (i < rows.length - 1) expect(readChain(renumbered, hashOf).broken).not.toBeNull();
    }
    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: 6, maxLength: 6 }), (shuffled) => {
        fc.pre(shuffled.some((row, i) => row !== rows[i]));
        expect(readChain(shuffled, hashOf).broken).not.toBeNull();
        expect(
          readChain(
            shuffled.map((row, i) => ({ ...row, sequence: i + 1 })),
            hashOf,
          ).broken,
        ).not.toBeNull();
      }),
    );
  });

  it('cannot be changed in its file by accident, and a change by force is found', async () => {
    const path = at('tampered.db');
    const ledger = await openLedger(path, 'existing or new');
    for (const epsilon of ['1', '2', '3']) await ledger.setBudget({ ...trips, epsilon });
    const { head } = await ledger.check(null);
    await ledger.close();
    const database = new Database(path);
    expect(() => database.exec('DELETE FROM entries')).toThrow(/never removed/);
    expect(() => database.exec("UPDATE entries SET text = ''")).toThrow(/never changed/);
    database.exec('DROP TRIGGER entries_remain');
    database.exec('DELETE FROM entries WHERE sequence = 3');
    database.close();
    const again = await openLedger(path, 'existing');
    expect((await again.check(null)).problems).toEqual([]);
    expect((await again.check(head)).problems.join()).toMatch(/cut off/);
    await again.close();
    const second = new Database(path);
    second.exec('DROP TRIGGER entries_stay');
    second.exec(
      `UPDATE entries SET text = replace(text, '"epsilon":"1"', '"epsilon":"5"') WHERE sequence = 1`,
    );
    second.close();
    const broken = await openLedger(path, 'existing');
    await expect(reserve(broken, wish('0.1'))).rejects.toThrow(/entry 1: .*edited.*nothing is released/);
    await broken.close();
  });
});

describe('what a mechanism is charged', () => {
  it('is its exact ε at the adjacency of the budget, whatever it was made for', () => {
    const noise = compile(geometric.build({ scale: '5' }, one), 5, { epsilon: one, delta: rational(0n) });
    for (const adjacency of [1, 3, 5, 7, 20]) {
      const { epsilon, delta } = mechanismCost(noise, adjacency);
      // e^(−|k|/5): ε is adjacency / 5.
      expect(toNumberNear(epsilon)).toBeCloseTo(adjacency / 5, 12);
      expect(delta.num).toBe(0n);
      expect(privacyProfile(noise.pmf, adjacency).satisfies(epsilon, delta)).toBe(true);
    }
  });

  it('is the least ε at the claimed δ, proved', () => {
    const target = { epsilon: one, delta: parseDecimal('1e-6'), adjacency: 5 };
    const { mechanism } = calibrate(gaussian, {}, target, one);
    for (const adjacency of [2, 5, 9]) {
      const { epsilon, delta } = mechanismCost(mechanism, adjacency);
      expect(delta).toEqual(target.delta);
      expect(privacyProfile(mechanism.pmf, adjacency).satisfies(epsilon, delta)).toBe(true);
      expect(
        privacyProfile(mechanism.pmf, adjacency).satisfies(
          multiply(epsilon, rational(999_999n, 1_000_000n)),
          delta,
        ),
      ).toBe(false);
    }
    expect(compare(mechanismCost(mechanism, 5).epsilon, one)).toBeLessThanOrEqual(0);
    const narrow = calibrate(
      gaussian,
      {},
      { ...target, epsilon: rational(30n), adjacency: 1 },
      one,
    ).mechanism;
    // A window that ends: far enough apart there is no ε.
    expect(() => mechanismCost(narrow, 1_000)).toThrow(PrivacyError);
  });

  it('grows for rows and for successive changes as group privacy says, upward', () => {
    const cost = { epsilon: parseDecimal('0.3'), delta: parseDecimal('0.0001') };
    expect(timesRows(cost, 4)).toEqual({ epsilon: parseDecimal('1.2'), delta: parseDecimal('0.0004') });
    for (const k of [1, 2, 5, 40]) {
      let sum = rational(0n);
      for (let i = 0; i < k; i++) sum = add(sum, exp(multiply(cost.epsilon, integer(i)), 200).lower);
      const found = successive(cost, k);
      const most = multiply(cost.delta, sum);
      expect(compare(found.delta, compare(most, one) > 0 ? one : most)).toBeGreaterThanOrEqual(0);
      expect(toNumberNear(found.delta)).toBeCloseTo(Math.min(1, toNumberNear(most)), 12);
      expect(compare(growthUpper(cost.epsilon, k)!, sum)).toBeGreaterThanOrEqual(0);
    }
    // However far it grows, it is never bounded by less: e^(99·50) is some 10^2149.
    const far = { epsilon: rational(50n), delta: parseDecimal('1e-600') };
    expect(compare(growthUpper(far.epsilon, 100)!, exp(rational(4950n), 64).lower)).toBeGreaterThan(0);
    for (const k of [100, 1000, 1_000_000]) expect(successive(far, k).delta).toEqual(one);
    expect(successive({ ...far, delta: rational(0n) }, 1_000_000)).toEqual({
      epsilon: rational(50_000_000n),
      delta: rational(0n),
    });
    // The law itself, on noise: k steps of one each against one shift by k.
    const { mechanism } = calibrate(
      gaussian,
      {},
      { epsilon: parseDecimal('0.5'), delta: parseDecimal('1e-4'), adjacency: 1 },
      one,
    );
    for (const k of [2, 3, 6]) {
      const bound = successive(mechanismCost(mechanism, 1), k);
      expect(privacyProfile(mechanism.pmf, k).satisfies(bound.epsilon, bound.delta)).toBe(true);
    }
  });

  it('has a hash of the integers and the claim, not of how they were made', async () => {
    const { mechanismHash } = await emptyLedger('none');
    const made = compile(laplace.build({ scale: '5', mu: '0' }, one), 5, {
      epsilon: one,
      delta: rational(0n),
    });
    expect(mechanismHash({ ...made, origin: { by: 'somebody' } })).toBe(mechanismHash(made));
    expect(mechanismHash({ ...made, adjacency: 4 })).not.toBe(mechanismHash(made));
  });
});
