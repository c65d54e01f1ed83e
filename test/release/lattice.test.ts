import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { divide, floor, parseDecimal, rational } from '../../src/exact/index.js';
import {
  finishAll,
  finished,
  finishOf,
  holdsDigit,
  indexOfInteger,
  indexOfText,
  indicesOfIntegers,
  type Lattice,
  latticeOf,
  MOST_STEPS,
  textOfIndex,
} from '../../src/mechanism/index.js';
import { closeEngine, type Engine, openEngine } from '../../src/release/engine.js';
import { addLattice } from '../../src/release/engine-functions.js';
import { indexSql, releasedSql, scaledSql } from '../../src/release/lattice-sql.js';
import { literal } from '../../src/release/sql.js';

const steps = ['1', '5', '1000', '0.1', '0.25', '12.5', '0.001', '0.000000001', '1024'];
const lattices = new Map(steps.map((step) => [step, latticeOf(parseDecimal(step))]));

/** Texts of numbers in all the ways that people write them, and some that are none. */
const texts = fc.oneof(
  fc.tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(20)).map(([n, places]) => {
    const digits = (n < 0n ? -n : n).toString().padStart(places + 1, '0');
    return `${n < 0n ? '-' : ''}${places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`}`;
  }),
  fc
    .tuple(fc.constantFrom(...steps), fc.integer({ min: -1000, max: 1000 }))
    .map(([step, k]) => textOfIndex(BigInt(k), lattices.get(step)!)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -30, max: 30 })).map(([n, e]) => `${n}e${e}`),
  fc.constantFrom(
    '007',
    '1.50',
    ' 5 ',
    '+5',
    '.5',
    '5.',
    '-0',
    '-0.0',
    '0x10',
    '1_000',
    'NaN',
    'inf',
    'Infinity',
    '',
    ' ',
    '.',
    'e5',
    '--5',
    '1,5',
    '½',
    '٣',
    'null',
    '1e400',
    '-1e400',
    '0e999',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '99999999999999999999',
  ),
);

describe('values and their indices', () => {
  it('reads a decimal exactly, however it is written', () => {
    const [one, quarter, big] = ['1', '0.25', '1000'].map((step) => lattices.get(step)!) as [
      Lattice,
      Lattice,
      Lattice,
    ];
    for (const text of ['5', '+5', ' 5 ', '005', '5.', '5.000', '0.5e1', '500e-2', '5e0000000000000000000'])
      expect(indexOfText(text, one)).toBe(5n);
    expect(indexOfText('1.50', quarter)).toBe(6n);
    expect(indexOfText('-.25', quarter)).toBe(-1n);
    expect(indexOfText('3e3', big)).toBe(3n);
    for (const text of ['x', '', ' ', '.', 'e5', '0x10', '1_000', 'NaN', '1,5', '85+', '<5', '٣'])
      expect(indexOfText(text, quarter)).toBeNull();
    for (const text of ['0x10', '1_000', '1,5', '85+', '<5', '٣', '½', 'Ⅷ', 'a1'])
      expect(holdsDigit(text)).toBe(true);
    for (const text of ['many', 'NaN', '-inf', '', ' ', '.', 'true', '—'])
      expect(holdsDigit(text)).toBe(false);
  });

  it('has an index for every number, whatever its digits and its exponent', () => {
    const one = lattices.get('1')!;
    const limit = MOST_STEPS;
    for (const [text, index] of [
      ['1e30', limit],
      ['-1e30', -limit],
      ['1e999999999999999999999999', limit],
      ['-1e999999999999999999999999', -limit],
      ['1e-999999999999999999999999', 0n],
      ['-1e-999999999999999999999999', 0n],
      ['0e999999999999999999999999', 0n],
      [`0.${'0'.repeat(100_000)}1e100001`, 1n],
      [`${'1'.repeat(1_000_000)}e-999999`, 1n],
      [`${'9'.repeat(1_000_000)}`, limit],
      [`0.4${'9'.repeat(1_000_000)}`, 0n],
      [`0.5${'0'.repeat(1_000_000)}`, 1n],
      [`-0.5${'0'.repeat(1_000_000)}`, 0n],
      [`-0.5${'0'.repeat(1_000_000)}1`, -1n],
      [`-1.4${'9'.repeat(1_000_000)}`, -1n],
    ] as const)
      expect([text.slice(0, 20), indexOfText(text, one)]).toEqual([text.slice(0, 20), index]);
    for (const lattice of lattices.values()) {
      expect(indexOfText(textOfIndex(limit, lattice), lattice)).toBe(limit);
      expect(indexOfText(textOfIndex(-limit, lattice), lattice)).toBe(-limit);
      expect(indexOfText(textOfIndex(limit + 1n, lattice), lattice)).toBe(limit);
      expect(indexOfText(textOfIndex(-limit - 1n, lattice), lattice)).toBe(-limit);
    }
  });

  it('rounds to the nearest multiple as exact arithmetic does, and neighbours stay within ⌈m/Δ⌉ steps', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.nat(9))
      .map(([n, places]) => ({ n, places }));
    const textOf = ({ n, places }: { n: bigint; places: number }) => `${n}e-${places}`;
    fc.assert(
      fc.property(decimal, decimal, fc.constantFrom(...steps), (x, m, step) => {
        const lattice = lattices.get(step)!;
        const exact = ({ n, places }: { n: bigint; places: number }) => {
          const { num, den } = divide(rational(n, 10n ** BigInt(places)), lattice.step);
          return floor(rational(2n * num + den, 2n * den));
        };
        const held = (index: bigint) =>
          index > MOST_STEPS ? MOST_STEPS : index < -MOST_STEPS ? -MOST_STEPS : index;
        const own = indexOfText(textOf(x), lattice)!;
        expect(own).toBe(held(exact(x)));
        if (x.places === 0) expect(indexOfInteger(x.n, lattice)).toBe(own);
        const far = m.n < 0n ? -m.n : m.n;
        const places = Math.max(x.places, m.places);
        const sum = {
          n: x.n * 10n ** BigInt(places - x.places) + far * 10n ** BigInt(places - m.places),
          places,
        };
        const moved = indexOfText(textOf(sum), lattice)! - own;
        const { num, den } = divide(rational(far, 10n ** BigInt(m.places)), lattice.step);
        expect(moved >= 0n && moved <= (num + den - 1n) / den).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('writes the canonical decimal with the digits of the step', () => {
    expect(textOfIndex(6n, lattices.get('0.25')!)).toBe('1.50');
    expect(textOfIndex(-1n, lattices.get('0.25')!)).toBe('-0.25');
    expect(textOfIndex(0n, lattices.get('0.1')!)).toBe('0.0');
    expect(textOfIndex(3n, lattices.get('0.1')!)).toBe('0.3');
    expect(textOfIndex(-7n, lattices.get('1000')!)).toBe('-7000');
  });

  it('rounds halves up when snapping, so that neighbours stay neighbours', () => {
    const one = lattices.get('1')!;
    const snapped = (x: number) => indexOfText(String(x), one)!;
    expect([-1.5, -0.5, 0.5, 1.5, 2.5, 2.49].map(snapped)).toEqual([-1n, 0n, 1n, 2n, 3n, 2n]);
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 40 }), (quarters, m) => {
        // x and x + m: whole steps apart before, as many steps apart after.
        expect(snapped(quarters / 4 + m) - snapped(quarters / 4)).toBe(BigInt(m));
      }),
    );
    // The other two habits do not keep this: values 1 apart end 2 apart.
    const halfEven = (x: number) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
    const halfAway = (x: number) => Math.sign(x) * Math.round(Math.abs(x));
    expect(halfEven(1.5) - halfEven(0.5)).toBe(2);
    expect(halfAway(0.5) - halfAway(-0.5)).toBe(2);
  });

  it('rounds and clamps afterwards, halves up', () => {
    const one = lattices.get('1')!;
    const finish = finishOf(one, { low: rational(-12n), high: rational(12n) }, rational(5n));
    expect([-100n, -8n, -7n, -3n, 2n, 3n, 7n, 8n, 100n].map((sum) => finished(sum, finish))).toEqual([
      -12n,
      -10n,
      -5n,
      -5n,
      0n,
      5n,
      5n,
      10n,
      12n,
    ]);
    const even = finishOf(one, null, rational(2n));
    expect([-3n, -1n, 0n, 1n, 3n].map((sum) => finished(sum, even))).toEqual([-2n, 0n, 0n, 2n, 4n]);
    expect(() => finishOf(lattices.get('0.25')!, null, parseDecimal('0.3'))).toThrow(
      /multiple of the step 0.25/,
    );
    expect(() => finishOf(one, { low: rational(1n), high: rational(0n) }, null)).toThrow(
      /low not above high/,
    );
  });
});

describe('the same rules in SQL', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEngine();
    for (const [i, lattice] of [...lattices.values()].entries()) addLattice(engine, `lattice_${i}`, lattice);
  });
  afterAll(() => closeEngine(engine));

  /** The index by DuckDB: the fast rule, and the exact one for the rest. */
  const byDuckdb = async (values: readonly string[], type: string, step: string) => {
    const lattice = lattices.get(step)!;
    const list = values
      .map(
        (text) =>
          `(${text === 'NULL' ? 'NULL' : type === 'VARCHAR' ? literal(text) : `CAST(${literal(text)} AS ${type})`})`,
      )
      .join(', ');
    const exact = `lattice_${steps.indexOf(step)}(CAST(x AS VARCHAR))`;
    const sql = `SELECT ${indexSql('x', type, 's', lattice, exact)} FROM (SELECT x, ${scaledSql('x', type, lattice)} AS s FROM (VALUES ${list}) AS t(x))`;
    return (await engine.rows(sql)).map(([index]) => index as bigint | null);
  };

  it('gives the index of lattice.ts for every text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(texts, { minLength: 1, maxLength: 200 }),
        fc.constantFrom(...steps),
        async (values, step) => {
          const expected = values.map((text) => indexOfText(text, lattices.get(step)!));
          expect(await byDuckdb(values, 'VARCHAR', step)).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('knows the digits that lattice.ts knows', async () => {
    const letters = Array.from({ length: 0x20000 }, (_, i) => i)
      .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code));
    const numerals = letters.filter((letter) => /[\p{Nd}\p{Nl}\p{No}]/u.test(letter));
    const list = numerals.map((letter) => `(${literal(letter)})`).join(', ');
    const found = await engine.rows(
      `SELECT count(*) FILTER (regexp_matches(x, '\\p{N}')) FROM (VALUES ${list}) AS t(x)`,
    );
    expect(numerals.every(holdsDigit)).toBe(true);
    // Engines know different editions of Unicode: a few of the youngest numerals may be missing.
    expect(Number(found[0]![0])).toBeGreaterThan(0.95 * numerals.length);
  });

  it('agrees on integers, decimals and doubles of every type, NULL included', async () => {
    const cases: Record<string, string[]> = {
      TINYINT: ['-128', '127', '0', 'NULL'],
      UTINYINT: ['255', '0'],
      SMALLINT: ['-32768', '32767', '5', 'NULL'],
      INTEGER: ['-2147483648', '2147483647', '25', '-3', '-2', '12', '13', '-12', '-13', 'NULL'],
      UINTEGER: ['4294967295'],
      BIGINT: [
        '9223372036854775807',
        '-9223372036854775808',
        '9007199254740992',
        '9007199254740993',
        '-9007199254740993',
        '12500',
        '499',
        '500',
        '-500',
        '-501',
        'NULL',
      ],
      UBIGINT: ['18446744073709551615', '9007199254740992', '5'],
      HUGEINT: [
        '170141183460469231731687303715884105727',
        '-9007199254740992000',
        '9007199254740992000',
        '1000',
        'NULL',
      ],
      'DECIMAL(4,2)': ['1.50', '-0.25', '0.10', '99.99', '-0.13', '-0.12', 'NULL'],
      'DECIMAL(18,4)': ['12.5000', '0.0010', '-12.5001', '-0.5000', '0.4999'],
      'DECIMAL(38,10)': ['0.0000000010', '9007199254740992.0000000000', '1000.0000000001'],
      DOUBLE: [
        '0.1',
        '0.30000000000000004',
        '1e22',
        '12.5',
        '-0.0',
        '5e-324',
        '9007199254740992',
        '1.7976931348623157e308',
        'nan',
        'inf',
        '-inf',
        'NULL',
      ],
      FLOAT: ['0.1', '12.5', '16777216', 'nan', 'NULL'],
    };
    for (const [type, values] of Object.entries(cases)) {
      for (const step of steps) {
        const found = await byDuckdb(values, type, step);
        const shown = await engine.rows(
          `SELECT CAST(x AS VARCHAR) FROM (VALUES ${values.map((text) => `(${text === 'NULL' ? 'NULL' : `CAST(${literal(text)} AS ${type})`})`).join(', ')}) AS t(x)`,
        );
        const expected = shown.map(([text]) =>
          text === null ? null : indexOfText(text as string, lattices.get(step)!),
        );
        expect([type, step, found]).toEqual([type, step, expected]);
      }
    }
  });

  it('adds, rounds, clamps and saturates as finished does, for any noise of 64 bits', async () => {
    const extreme = fc.oneof(
      fc.bigInt({ min: -1000n, max: 1000n }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, 0n),
    );
    const index = fc.oneof(
      fc.bigInt({ min: -1000n, max: 1000n }),
      fc.bigInt({ min: -MOST_STEPS, max: MOST_STEPS }),
      fc.constantFrom(MOST_STEPS, -MOST_STEPS),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(index, extreme), { minLength: 1, maxLength: 100 }),
        fc.constantFrom(...steps),
        fc.option(fc.tuple(fc.integer({ min: -500, max: 0 }), fc.integer({ min: 0, max: 500 })), {
          nil: null,
        }),
        fc.constantFrom(1n, 2n, 3n, 10n),
        async (pairs, step, clamp, roundTo) => {
          const lattice = lattices.get(step)!;
          const inUnits = (k: bigint) => parseDecimal(textOfIndex(k, lattice));
          const finish = finishOf(
            lattice,
            clamp && { low: inUnits(BigInt(clamp[0])), high: inUnits(BigInt(clamp[1])) },
            inUnits(roundTo),
          );
          const list = [
            ...pairs.map(
              ([i, n]) => `(CAST(${literal(String(i))} AS BIGINT), CAST(${literal(String(n))} AS BIGINT))`,
            ),
            '(NULL, 5)',
          ].join(', ');
          const sql = `SELECT CAST(${releasedSql('i', 'n', lattice, finish)} AS VARCHAR) FROM (VALUES ${list}) AS t(i, n)`;
          const found = (await engine.rows(sql)).map(([text]) => text);
          // The sum saturates first where it is rounded: a limit that is no multiple is rounded too, and clamped again.
          const clamped = (sum: bigint) =>
            sum > lattice.limit ? lattice.limit : sum < -lattice.limit ? -lattice.limit : sum;
          const expected = pairs.map(([i, n]) =>
            textOfIndex(finished(roundTo === 1n ? i + n : clamped(i + n), finish), lattice),
          );
          expect(found).toEqual([...expected, null]);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('many at once', () => {
  const word = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -100n, max: 100n }),
    fc.bigInt({ min: 2n ** 52n - 5n, max: 2n ** 53n + 5n }),
    fc.bigInt({ min: -(2n ** 32n) - 3n, max: 2n ** 32n + 3n }),
  );

  it('are the same as each for itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...steps),
        fc.option(fc.tuple(fc.integer({ min: -50, max: 0 }), fc.integer({ min: 1, max: 50 }))),
        fc.constantFrom(1n, 5n),
        (rows, step, clamp, rounding) => {
          const lattice = lattices.get(step)!;
          const values = BigInt64Array.from(rows, ([value]) => value);
          const indices = indicesOfIntegers(values, lattice);
          expect([...indices]).toEqual(rows.map(([value]) => indexOfInteger(value, lattice)));
          const plain = finishOf(lattice, null, null);
          const finish = {
            ...(clamp ? { low: BigInt(clamp[0]), high: BigInt(clamp[1]) } : plain),
            roundTo: rounding,
          };
          const sums = indices.slice();
          const noise = BigInt64Array.from(rows, (row) => row[1]);
          finishAll(sums, noise, finish);
          expect([...sums]).toEqual(rows.map((row, i) => finished(indices[i]! + row[1], finish)));
        },
      ),
      {
        numRuns: 5000,
        // A word that doubles cannot hold, though the sum is small.
        examples: [[[[-(2n ** 52n) - 1n, 2n ** 53n + 1n]], '1', null, 1n]],
      },
    );
  });
});
