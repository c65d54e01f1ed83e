// The front door, as code calls it: the built package's own functions, without the command.

import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  analyze,
  calibrate,
  compile,
  count,
  DiscreetError,
  design,
  openLedger,
  PrivacyError,
  protect,
  readMechanism,
  release,
  sampler,
  verify,
  writeMechanism,
} from '../../dist/index.js';
import { rational, toDecimal } from '../../src/exact/index.js';
import { moments } from '../../src/pmf/index.js';
import { cells, scratch } from '../scratch.js';

const { at, read, write, exists } = scratch();

/** The error of a call, which must be one of ours. */
function errorOf(call: () => unknown): DiscreetError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(DiscreetError);
    return error as DiscreetError;
  }
  throw new Error('expected a refusal');
}
const rejection = async (work: Promise<unknown>): Promise<DiscreetError> =>
  work.then(
    () => {
      throw new Error('expected a refusal');
    },
    (error) => {
      expect(error).toBeInstanceOf(DiscreetError);
      return error as DiscreetError;
    },
  );

describe('protect', () => {
  it('adds unbiased noise that was certified, to any kind of list', () => {
    const { values, mechanism } = protect([12, 0, 7], { epsilon: 1, adjacency: 5 });
    expect(values).toHaveLength(3);
    expect(values.every(Number.isInteger)).toBe(true);
    expect(verify(mechanism).holds).toBe(true);
    expect(toDecimal(mechanism.claim.epsilon)).toBe('1');
    expect(Math.abs(Number(moments(mechanism.pmf).mean.num))).toBe(0);
    expect(protect(new Uint8Array([0, 255]), { epsilon: 1, adjacency: 5 }).values).toBeInstanceOf(Int32Array);
    expect(protect(new BigInt64Array(2), { epsilon: 1, adjacency: 5 }).values).toBeInstanceOf(BigInt64Array);
    expect(protect([1n, 2n], { epsilon: 1, adjacency: 5 }).values.map((value) => typeof value)).toEqual([
      'bigint',
      'bigint',
    ]);
    expect(protect(new Float64Array([0.5]), { epsilon: 1, adjacency: 5 }).values).toHaveLength(1);
    expect(protect([], { epsilon: 1, adjacency: 5 }).values).toEqual([]);
  });

  it('keeps values on the lattice of the step, and lets none wrap', () => {
    const { values } = protect([0.26, -3, 1e300, -Infinity], {
      epsilon: '50',
      adjacency: '0.25',
      step: 0.25,
    });
    for (const value of values) expect(Number.isInteger(value * 4)).toBe(true);
    expect(values[0]).toBeGreaterThan(-5);
    expect(values[2]).toBeGreaterThan(2 ** 50);
    expect(values[3]).toBeLessThan(-(2 ** 50));
    // Half of what is drawn for the greatest value is above it: it stays there, and is not among the least.
    for (const end of [2 ** 31 - 1, -(2 ** 31)]) {
      const far = protect(new Int32Array(400).fill(end), { epsilon: 0.01, adjacency: 1000 }).values;
      expect(far.every((value) => value > 0 === end > 0)).toBe(true);
      expect(far.filter((value) => value === end).length).toBeGreaterThan(100);
    }
    const long = protect(new BigInt64Array([2n ** 63n - 1n]), { epsilon: 1, adjacency: 5 }).values;
    // Held within 2^53 steps, as every value is.
    expect(long[0]).toBeLessThan(2n ** 54n);
  });

  it('has the noise of its mechanism: what is drawn for zeros follows the certified law', () => {
    const { values, mechanism } = protect(new Int32Array(200_000), { epsilon: 1, adjacency: 1 });
    const share = values.filter((value) => value === 0).length / values.length;
    const { pmf } = mechanism;
    const total = 200_000;
    // P(0) by the integers, tails summed as a geometric series.
    const weights = pmf.weights.map(Number);
    const tail = (ratio: { num: bigint; den: bigint } | undefined, block: number) =>
      ratio ? (block * Number(ratio.num)) / Number(ratio.den - ratio.num) : 0;
    const sum =
      weights.reduce((a, b) => a + b, 0) +
      tail(
        pmf.left?.ratio,
        weights.slice(0, pmf.left?.period).reduce((a, b) => a + b, 0),
      ) +
      tail(
        pmf.right?.ratio,
        weights.slice(-(pmf.right?.period ?? 0)).reduce((a, b) => a + b, 0),
      );
    const p = weights[-pmf.from]! / sum;
    expect(Math.abs(share - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / total));
  });

  it('says what was expected of a wrong kind', () => {
    for (const values of [new Int32Array(2), new BigInt64Array(2), [1n, 2n]] as const)
      expect(
        errorOf(() => protect(values as Int32Array, { epsilon: 1, adjacency: 1, step: 0.5 })),
      ).toMatchObject({
        field: 'values',
        message: expect.stringMatching(
          /whole numbers cannot hold a fractional `step`; give an array of numbers/,
        ),
      });
    expect(protect(new Uint32Array(2), { epsilon: 1, adjacency: 1, step: 0.5 }).values).toHaveLength(2);
    expect(
      errorOf(() =>
        protect(new DataView(new ArrayBuffer(8)) as unknown as number[], { epsilon: 1, adjacency: 5 }),
      ).message,
    ).toMatch(/expected an array or a typed array/);
    const options = { epsilon: 1, adjacency: 5 };
    expect(errorOf(() => protect('12' as never, options))).toMatchObject({
      code: 'argument',
      field: 'values',
    });
    expect(errorOf(() => protect([1, '2' as never], options)).message).toBe(
      'values: expected a number, got string at position 1',
    );
    expect(errorOf(() => protect([Number.NaN], options)).message).toMatch(/got NaN at position 0/);
    expect(errorOf(() => protect([1], undefined as never)).message).toMatch(/expected an object such as/);
    expect(errorOf(() => protect([1], { epsilon: 1n as never, adjacency: 5 }))).toMatchObject({
      field: 'epsilon',
      message: "epsilon: expected a decimal such as '0.25' or 0.25, got a bigint",
    });
    expect(errorOf(() => protect([1], { epsilon: 0, adjacency: 5 })).message).toBe(
      'epsilon: expected a value above 0, got 0',
    );
    expect(errorOf(() => protect([1], { epsilon: 1, adjacency: 2.5 }))).toMatchObject({
      field: 'adjacency',
      fix: 'change it or set `step`',
      message: expect.stringMatching(/multiple of the step 1, got 2\.5; change it or set `step`$/),
    });
    expect(errorOf(() => protect([1], { ...options, prior: 'column:a.csv#b' })).message).toMatch(
      /a\.csv: files are not read here/,
    );
  });
});

describe('one line each', () => {
  it('a number is its shortest decimal, and a text itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), (n) => {
        const epsilon = n / 1000;
        const claim = { epsilon, adjacency: 3 };
        const [a, b] = [claim, { ...claim, epsilon: String(epsilon) }].map(
          (options) => compile('geometric:scale=100000', { ...options, delta: 0.9999 }).claim,
        );
        expect(a).toEqual(b);
        expect(toDecimal(a!.epsilon)).toBe(String(epsilon));
      }),
    );
  });

  it('designs the optimum, with how it came about', () => {
    const found = design({ epsilon: '2', adjacency: 15, prior: 'poisson:rate=5' });
    expect(found.gap).toBeLessThan(1e-6);
    expect(found.mechanism.origin).toEqual({
      design: {
        objective: 'wasserstein',
        value: found.value,
        lowerBound: found.lowerBound,
        prior: {
          spec: 'poisson:rate=5',
          cut: 'cut to 0 … 27, less than 1e-12 of it lies outside',
          declaredPublic: true,
        },
      },
    });
    expect(
      design({ epsilon: 1, adjacency: 5, unbiased: true, symmetric: true }).mechanism.origin,
    ).toMatchObject({
      design: { objective: 'magnitude', unbiased: true, symmetric: true, prior: null },
    });
    expect(errorOf(() => design({ epsilon: 1, adjacency: 5, objective: 'wasserstein' })).message).toBe(
      'objective: wasserstein needs the distribution of the data; give it with `prior`',
    );
  });

  it('analyzes, calibrates, compiles, verifies and draws', () => {
    const found = analyze('laplace:scale=7.5', { adjacency: 15 });
    expect([found.noise, found.epsilon, found.deltaAt(2), found.epsilonAt('0')]).toEqual([
      'laplace:scale=7.5,mu=0',
      '2',
      '0',
      '2',
    ]);
    expect(analyze('gaussian:sigma=10', { adjacency: 15 }).epsilon).toBeNull();
    const { mechanism } = calibrate('gaussian', { epsilon: 1, delta: 1e-6, adjacency: 15 });
    expect(verify(mechanism).holds).toBe(true);
    expect(verify(writeMechanism(mechanism)).holds).toBe(true);
    expect(errorOf(() => compile('geometric:scale=5', { epsilon: 0.9, adjacency: 5 }))).toBeInstanceOf(
      PrivacyError,
    );
    const made = compile('geometric:scale=5', { epsilon: 1, adjacency: 5 });
    expect(readMechanism(writeMechanism(made)).pmf).toEqual(made.pmf);
    expect(typeof sampler(made).draw()).toBe('bigint');
    expect(errorOf(() => verify(5 as never)).message).toMatch(
      /expected a mechanism, or the text of its file/,
    );
    expect(errorOf(() => analyze(7 as never, { adjacency: 1 })).field).toBe('noise');
  });
});

describe('release, count and openLedger', () => {
  const six = (over: object = {}) => ({
    input: at('visits.csv'),
    output: at('released.csv'),
    columns: ['visits'],
    epsilon: 1,
    adjacency: 5,
    dataset: 'visits',
    ...over,
  });
  const rows = Array.from({ length: 400 }, (_, i) => `${i % 2 ? 'N' : 'S'},${i % 7}`);

  it('releases a file from the six things it cannot guess', async () => {
    write('visits.csv', `region,visits\n${rows.join('\n')}\n`);
    const ledger = await openLedger(at('ledger.db'), 'existing or new');
    const told = await release(six({ ledger, report: at('report.html') }));
    expect(told).toMatchObject({
      rows: 400,
      unchanged: ['region'],
      cost: { delta: '0' },
      left: null,
      columns: [{ name: 'visits', values: 400 }],
      mechanismFiles: [at('released.csv.mechanism.json')],
    });
    // Never more than was asked for, and hardly less.
    expect(Number(told.cost.epsilon)).toBeLessThanOrEqual(1);
    expect(Number(told.cost.epsilon)).toBeCloseTo(1, 9);
    expect(verify(read('released.csv.mechanism.json')).holds).toBe(true);
    expect(cells(read('released.csv')).map(([region]) => region)).toEqual(
      ['region,visits', ...rows].map((line) => line.split(',')[0]),
    );
    expect(exists('report.html') && exists('report.json')).toBe(true);
    const found = await ledger.check(told.head);
    expect(found).toMatchObject({ problems: [], mechanisms: { kept: 1, missing: 0 } });
    // What is kept is what was used.
    const [text] = [...(await ledger.mechanisms()).values()];
    expect(readMechanism(text!).pmf).toEqual(told.columns[0]!.mechanism.pmf);
    await ledger.close();
  });

  it('refuses before it spends: an output that is there, a column that is not, a budget that does not suffice', async () => {
    const ledger = await openLedger(at('ledger.db'));
    const before = (await ledger.rows()).length;
    expect((await rejection(release(six({ ledger })))).message).toMatch(/the file exists; .*`force`/);
    const output = at('other.csv');
    expect(await rejection(release(six({ ledger, output, columns: ['visit'] })))).toMatchObject({
      code: 'data',
      message: expect.stringMatching(/has no column "visit"; did you mean "visits"\?/),
    });
    expect((await rejection(release(six({ ledger, output, columns: 'visits' })))).message).toMatch(
      /columns: expected a list of names, got string/,
    );
    expect((await rejection(release(six({ ledger, output, epsilon: undefined })))).message).toMatch(
      /expected a mechanism for "visits", or `epsilon` to make one/,
    );
    expect((await rejection(release({} as never))).field).toBe('columns');
    expect((await ledger.rows()).length).toBe(before);
    await ledger.setBudget({
      dataset: 'visits',
      epsilon: '1.5',
      delta: '0',
      adjacency: { visits: '5' },
      perPerson: null,
      partition: null,
    });
    expect(await rejection(release(six({ ledger, output })))).toMatchObject({ code: 'budget' });
    expect(await rejection(release(six({ ledger, output, adjacency: 1 })))).toMatchObject({
      field: 'adjacency',
    });
    await ledger.close();
    expect(exists('other.csv')).toBe(false);
  });

  it('reads and writes gzipped text, by one file that says how', async () => {
    writeFileSync(at('visits.csv.gz'), gzipSync(`region,visits\n${rows.join('\n')}\n`));
    const told = await release(
      six({
        input: at('visits.csv.gz'),
        output: at('zipped.tsv.gz'),
        ledger: at('ledger.db'),
        epsilon: { visits: '0.25' },
        clamp: [0, 50],
      }),
    );
    expect([told.rows, told.left!.delta]).toEqual([400, '0']);
    expect(Number(told.left!.epsilon)).toBeCloseTo(0.25, 9);
    expect([...readFileSync(at('zipped.tsv.gz')).subarray(0, 2)]).toEqual([0x1f, 0x8b]);
  });

  it('counts every cell of what is stated', async () => {
    const told = await count({
      input: at('visits.csv'),
      output: at('counts.csv'),
      by: { region: ['N', 'S', 'E'], visits: { from: 0, to: 9 } },
      epsilon: 0.2,
      dataset: 'visits',
      ledger: at('ledger.db'),
      roundTo: 1,
    });
    expect(told.rows).toBe(30);
    expect(cells(read('counts.csv'))[1]!.slice(0, 2)).toEqual(['N', '0']);
    expect(
      await rejection(
        count({ input: at('visits.csv'), output: at('c.csv'), by: { region: [] }, epsilon: 1, dataset: 'v' }),
      ),
    ).toMatchObject({ field: 'domain region' });
  });

  it('passes over no option that it does not know, and takes no other kind for one', async () => {
    const options = six({ ledger: at('ledger.db'), output: at('z.csv') });
    for (const [more, message] of [
      [{ perperson: 3 }, /^perperson: is no option; did you mean perPerson\?/],
      [{ dataset: 5 }, /^dataset: expected a text, got number$/],
      [{ ledger: 5 }, /^ledger: expected an address, or what openLedger gives, got number$/],
      [{ pass: 'region' }, /^pass: expected a list of names, got string$/],
      [
        { mechanism: 'm.json' },
        /^mechanism: expected a mechanism for "visits", got string; see readMechanism$/,
      ],
      [{ clamp: 10 }, /^clamp: expected \[low, high\], as in \[0, 100\]$/],
      [{ clamp: { visit: [0, 1] } }, /^clamp: "visit" is not released; did you mean visits\?/],
      [{ perPerson: 0 }, /^perPerson: expected a whole number of rows from 1 on, got 0$/],
      [
        { mechanism: compile('geometric:scale=5', { epsilon: 1, adjacency: 5 }) },
        /^epsilon: the mechanism is given, which has its own; leave this out, or the mechanism$/,
      ],
    ] as const)
      expect((await rejection(release({ ...options, ...more } as never))).message).toMatch(message);
    expect(errorOf(() => protect([1], { epsilon: 1, adjacency: 5, Delta: 0.1 } as never)).message).toMatch(
      /^Delta: is no option; did you mean delta\?/,
    );
    expect(exists('z.csv')).toBe(false);
  });

  it('sets budgets from plain terms, and none that could not be read again', async () => {
    const ledger = await openLedger(at('terms.db'), 'existing or new');
    const terms = { dataset: 'd', epsilon: 2, adjacency: { visits: 5 } };
    const { budget } = await ledger.setBudget(terms);
    expect(budget).toEqual({
      dataset: 'd',
      epsilon: '2',
      delta: '0',
      adjacency: { visits: '5' },
      perPerson: null,
      partition: null,
    });
    for (const [more, field] of [
      [{ perPerson: 0 }, 'perPerson'],
      [{ perPerson: 1.5 }, 'perPerson'],
      [{ perPerson: Number.NaN }, 'perPerson'],
      [{ perPerson: '2' }, 'perPerson'],
      [{ delta: 'x' }, 'delta'],
      [{ delta: '2' }, 'delta'],
      [{ epsilon: 2n }, 'epsilon'],
      [{ epsilon: undefined }, 'epsilon'],
      [{ adjacency: '5' }, 'adjacency'],
      [{ adjacency: { visits: 0 } }, 'adjacency'],
      [{ dataset: undefined }, 'dataset'],
      [{ filter: 'zcdp' }, 'filter'],
      [{ partition: 'region' }, 'partition'],
      [{ partition: { column: 'region' } }, 'partition'],
      [{ partition: { column: 'visits', parts: ['a'] } }, 'partition'],
    ] as const)
      expect(await rejection(ledger.setBudget({ ...terms, ...more } as never))).toMatchObject({ field });
    expect((await rejection(ledger.setBudget(undefined as never))).field).toBe('budget');
    expect(await ledger.left(' D ')).toEqual({ epsilon: '2', delta: '0' });
    expect(await ledger.check(null)).toMatchObject({ entries: 1, problems: [] });
    await ledger.close();
    expect((await rejection(ledger.setBudget(terms))).message).toMatch(/it was closed; open it again/);
  });

  it('opens no ledger by a word it does not know', async () => {
    expect((await rejection(openLedger(at('typo.db'), 'exsiting' as never))).message).toMatch(
      /^opening: expected 'reading', 'existing', 'existing or new', 'new', got "exsiting"$/,
    );
    expect((await rejection(openLedger(5 as never))).field).toBe('ledger');
    expect(exists('typo.db')).toBe(false);
  });

  it('begins no ledger unless it is said', async () => {
    expect(await rejection(openLedger(at('none.db')))).toMatchObject({ code: 'no-ledger' });
    expect(exists('none.db')).toBe(false);
    expect(await rejection(release(six({ ledger: at('none.db'), output: at('x.csv') })))).toMatchObject({
      code: 'no-ledger',
    });
  });

  it('stops where it is told to', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const stopped = await rejection(
      release(
        six({ ledger: at('ledger.db'), output: at('y.csv'), epsilon: 0.01, signal: controller.signal }),
      ),
    );
    expect(stopped.message).toContain('enough');
    expect(stopped.code).toBe('interrupted');
    expect(exists('y.csv')).toBe(false);
  });
});

it('keeps the rational kind of claims', () => {
  expect(compile('geometric:scale=5', { epsilon: 1, adjacency: 5 }).claim.delta).toEqual(rational(0n));
});
