// Not statistics: every path of the sampler's tree of words is walked, and masses are compared as fractions.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, type Rational, rational, subtract, zero } from '../../src/exact/index.js';
import { makePmf, type Pmf, total } from '../../src/pmf/index.js';
import {
  drawOne,
  fromTables,
  makeTables,
  type Size,
  seededSource,
  uniformBelow,
  type Words,
} from '../../src/random/index.js';
import { anyPmf, probabilityAt } from '../arbitrary.js';

class OutOfWords extends Error {}

/** Words from a script; asking for more than it has is an error of its own kind. */
function scripted(script: readonly number[], bits: number): Words & { used: () => number } {
  let at = 0;
  return {
    bits,
    used: () => at,
    next: () => {
      if (at === script.length) throw new OutOfWords();
      return script[at++]!;
    },
  };
}

interface Walk<T> {
  readonly masses: Map<T, Rational>;
  /** Mass of the paths that were longer than the walk. */
  readonly open: Rational;
}

/** Run a program on every script of at most `depth` words, each weighing 2^(−bits·length). */
function walk<T>(program: (words: Words) => T, bits: number, depth: number): Walk<T> {
  const masses = new Map<T, Rational>();
  let open = zero;
  const visit = (script: number[]): void => {
    const words = scripted(script, bits);
    let outcome: T;
    try {
      outcome = program(words);
    } catch (error) {
      if (!(error instanceof OutOfWords)) throw error;
      if (script.length === depth) open = add(open, weight(script.length));
      else for (let word = 0; word < 2 ** bits; word++) visit([...script, word]);
      return;
    }
    expect(words.used()).toBe(script.length);
    masses.set(outcome, add(masses.get(outcome) ?? zero, weight(script.length)));
  };
  const weight = (words: number) => rational(1n, 1n << BigInt(bits * words));
  visit([]);
  return { masses, open };
}

const mechanism = (weights: number[], tails: Partial<Pmf> = {}): Pmf =>
  makePmf({ step: rational(1n), from: -1, weights: weights.map(BigInt), left: null, right: null, ...tails });
const both = (weights: number[], period: number, ratio: Rational) =>
  mechanism(weights, { left: { period, ratio }, right: { period, ratio } });
const size = (wordBits: number, mostSlotBits = wordBits, mostSplitBits = 0): Size => ({
  ...{ wordBits, mostSlotBits, mostSplitBits },
});

describe('the tree of all draws', () => {
  it.each([
    ['one point', [5]],
    ['two equal points', [1, 1]],
    ['1, 2, 1', [1, 2, 1]],
    ['one giant and tiny ones', [1, 29, 1, 1]],
    ['zeros inside', [3, 0, 0, 5]],
  ])('%s, total a power of two: finite, and every mass is weight over total', (_, weights) => {
    const pmf = mechanism(weights);
    const tables = makeTables(pmf, size(4));
    const { masses, open } = walk((words) => drawOne(tables, words), 4, 2);
    expect(open).toEqual(zero);
    for (let k = -2; k <= weights.length; k++) {
      expect(masses.get(BigInt(k)) ?? zero).toEqual(probabilityAt(pmf, k));
    }
  });

  it.each([
    ['thirds', [1, 1, 1]],
    ['sevenths', [1, 4, 2]],
    ['1, 20, 3, 0, 7', [1, 20, 3, 0, 7]],
  ])(
    '%s: each level of digits has exactly its integers, and the digits are those of weight over total',
    (_, weights) => {
      const pmf = mechanism(weights);
      const bits = 3;
      const tables = makeTables(pmf, size(bits));
      const den = total(pmf).num;
      // Level 1: two words. The open mass goes on to level 2, which is uniform on open·2^(2·bits) integers, and so on.
      const first = walk((words) => drawOne(tables, words), bits, 2);
      const digit = (w: number, level: number) => {
        const scaled = BigInt(w) * (1n << BigInt(2 * bits * level));
        return (scaled / den) % (1n << BigInt(2 * bits));
      };
      let open = 1n;
      for (let level = 1; level <= 6; level++) {
        const unit = 1n << BigInt(2 * bits);
        const counts = new Map<bigint, bigint>();
        let going = 0n;
        if (level === 1) {
          for (const [k, mass] of first.masses) counts.set(k, (mass.num * unit) / mass.den);
          going = (first.open.num * unit) / first.open.den;
        } else {
          // Reach this level by scripts of the earlier ones: feed the leftover integer of each level exactly.
          for (let at = 0n; at < open * unit; at++) {
            const outcome = atLevel(pmf, tables, bits, level, at);
            if (outcome === null) going++;
            else counts.set(outcome, (counts.get(outcome) ?? 0n) + 1n);
          }
        }
        for (const [i, w] of weights.entries()) {
          expect([level, counts.get(BigInt(i - 1)) ?? 0n]).toEqual([level, digit(w, level)]);
        }
        const fractions = weights.reduce(
          (sum, w) => sum + ((BigInt(w) * (1n << BigInt(2 * bits * level))) % den),
          0n,
        );
        expect(going).toBe(fractions / den);
        open = going;
      }
    },
  );

  /** The outcome when the draw runs into the given level and draws `at` there; null where it goes on further. */
  function atLevel(
    pmf: Pmf,
    tables: ReturnType<typeof makeTables>,
    bits: number,
    level: number,
    at: bigint,
  ): bigint | null {
    const rest = walkToRest(tables, bits);
    const script: number[] = [...rest];
    let open = leftOver(pmf, bits, 1);
    for (let l = 2; l <= level; l++) {
      const bound = open << BigInt(2 * bits);
      const value = l === level ? at : bound - 1n;
      script.push(...wordsOf(value, bound, bits));
      open = leftOver(pmf, bits, l);
    }
    try {
      return drawOne(tables, scripted(script, bits));
    } catch (error) {
      if (error instanceof OutOfWords) return null;
      throw error;
    }
  }

  /** Two words that lead to the digits' rest. */
  function walkToRest(tables: ReturnType<typeof makeTables>, bits: number): number[] {
    for (let a = 0; a < 2 ** bits; a++) {
      for (let b = 0; b < 2 ** bits; b++) {
        try {
          drawOne(tables, scripted([a, b], bits));
        } catch (error) {
          if (error instanceof OutOfWords && canGoOn(tables, [a, b], bits)) return [a, b];
        }
        try {
          drawOne(tables, scripted([a], bits));
        } catch (error) {
          if (error instanceof OutOfWords && canGoOn(tables, [a], bits)) return [a];
        }
      }
    }
    throw new Error('no path to the rest');
  }

  /** Is the word list complete for its draw, so that only further digits can be what it wants? */
  function canGoOn(tables: ReturnType<typeof makeTables>, script: number[], bits: number): boolean {
    const shift = bits - tables.table.slotBits;
    const slot = script[0]! >>> shift;
    const side = (script[0]! & (2 ** shift - 1)) - tables.table.slots[2 * slot]!;
    if ((side === 0) !== (script.length === 2)) return false;
    const below = side === 0 ? script[1]! < tables.table.low[slot]! : side < 0;
    return (below ? slot : tables.table.slots[2 * slot + 1]!) === tables.points + 2;
  }

  function leftOver(pmf: Pmf, bits: number, level: number): bigint {
    const den = total(pmf).num;
    const sum = pmf.weights.reduce((s, w) => s + (w << BigInt(2 * bits * level)) / den, 0n);
    return (1n << BigInt(2 * bits * level)) - sum;
  }

  /** The words that make uniformBelow return a value below a bound. */
  function wordsOf(value: bigint, bound: bigint, bits: number): number[] {
    const length = (bound - 1n).toString(2).length * (bound > 1n ? 1 : 0);
    const text = length === 0 ? '' : value.toString(2).padStart(length, '0');
    const words: number[] = [];
    for (let i = 0; i < text.length; i += bits)
      words.push(Number.parseInt(text.slice(i, i + bits).padEnd(bits, '0'), 2));
    return words;
  }

  it('one-sided halves: the tail goes on as itself, level after level, exactly', () => {
    const pmf = mechanism([1], { from: 1, right: { period: 1, ratio: rational(1n, 2n) } });
    const tables = makeTables(pmf, size(4, 3));
    expect(tables.stretch.high).toBeLessThan(8);
    const { masses, open } = walk((words) => drawOne(tables, words), 4, 5);
    const reach = tables.stretch.high;
    for (let k = 1; k <= reach; k++) expect(masses.get(BigInt(k))).toEqual(rational(1n, 1n << BigInt(k)));
    expect(compare(open, rational(1n, 1n << BigInt(2 * reach)))).toBeLessThanOrEqual(0);
    for (let k = reach + 1; k <= 2 * reach; k++) {
      const missing = subtract(rational(1n, 1n << BigInt(k)), masses.get(BigInt(k)) ?? zero);
      expect(compare(missing, zero)).toBeGreaterThanOrEqual(0);
      expect(compare(missing, open)).toBeLessThanOrEqual(0);
    }
  });

  /** No mass is above weight over total, none is further below it than the paths that were not walked to their end. */
  function expectExact(
    pmf: Pmf,
    tables: ReturnType<typeof makeTables>,
    bits: number,
    depth: number,
  ): Rational {
    const { masses, open } = walk((words) => drawOne(tables, words), bits, depth);
    let seen = zero;
    for (const [k, mass] of masses) {
      seen = add(seen, mass);
      const missing = subtract(probabilityAt(pmf, Number(k)), mass);
      expect(compare(missing, zero)).toBeGreaterThanOrEqual(0);
      expect(compare(missing, open)).toBeLessThanOrEqual(0);
    }
    expect(add(seen, open)).toEqual(rational(1n));
    return open;
  }

  it('any small mechanism, tails and all: every mass is within the open mass of weight over total', () => {
    fc.assert(
      fc.property(anyPmf({ mostWeights: 5, mostWeight: 9n }), fc.constantFrom(2, 3), (pmf, slots) => {
        // A table of four slots has room for one point and the three other outcomes: all else lies beyond it.
        expectExact(pmf, makeTables(pmf, size(3, slots)), 3, 5);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['one-sided', mechanism([3], { from: 0, right: { period: 1, ratio: rational(4n, 5n) } })],
    ['geometric', both([1], 1, rational(4n, 5n))],
    ['two-step', both([2, 5, 5, 2], 2, rational(3n, 5n))],
    ['windowed', both([1, 2, 7, 2, 1], 1, rational(3n, 4n))],
  ])('blocks and places: %s noise in two small tables is exact', (_, pmf) => {
    const tables = makeTables(pmf, size(4, 4, 4));
    expect(tables.blocks).not.toBeNull();
    const open = expectExact(pmf, tables, 4, 4);
    // Most paths are walked to their end: a wrong law cannot hide in the rest.
    expect(compare(open, rational(1n, 4n))).toBeLessThan(0);
  });
});

describe('uniform integers', () => {
  it('are equally likely, to the last path', () => {
    for (const bound of [1n, 2n, 3n, 5n, 7n, 8n, 13n]) {
      const { masses, open } = walk((words) => uniformBelow(bound, words), 2, 4);
      const each = [...masses.values()];
      expect(each.length).toBe(Number(bound));
      for (const mass of each) expect(mass).toEqual(each[0]);
      expect(add(open, each.reduce(add))).toEqual(rational(1n));
    }
    expect(() => uniformBelow(0n, scripted([], 2))).toThrow(/above 0/);
  });
});

/** A batch of 300 and as many single draws from the same words: first words in one fill, rare cases take theirs from the next. */
function bothOf(pmf: Pmf, seed: string): { batch: number[]; single: number[] } {
  const tables = makeTables(pmf);
  const batch = new Int32Array(300);
  fromTables(tables, seededSource(seed)).fill(batch, 'saturate');
  const each = tables.blocks ? 2 : 1;
  const source = seededSource(seed);
  const first = new Uint32Array(each * 300);
  source.fill(first);
  const later = new Uint32Array(16_384);
  source.fill(later);
  let used = 0;
  const single = Array.from(batch, (_, i) => {
    let given = 0;
    const next = () => (given < each ? first[each * i + given++]! : later[used++]!);
    return Number(drawOne(tables, { bits: 32, next }));
  });
  return { batch: [...batch], single };
}

describe('batches', () => {
  it('draw what single draws draw from the same words', () => {
    fc.assert(
      fc.property(anyPmf(), fc.string(), (pmf, seed) => {
        const { batch, single } = bothOf(pmf, seed);
        expect(batch).toEqual(single);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['geometric', both([1], 1, rational(999_999n, 1_000_000n))],
    ['one-sided', mechanism([5], { right: { period: 1, ratio: rational(999_999n, 1_000_000n) } })],
    ['two-step', both([2, 5, 7, 5, 2], 2, rational(99_999n, 100_000n))],
  ])('of wide %s noise, too', (_, pmf) => {
    expect(makeTables(pmf).blocks).not.toBeNull();
    for (const seed of ['a', 'b', 'c']) {
      const { batch, single } = bothOf(pmf, seed);
      expect(batch).toEqual(single);
    }
  });
});
