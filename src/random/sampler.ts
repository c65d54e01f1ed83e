// Draws from the integer weights and tails of a mass function with exactly their probabilities.
//
// An alias table holds the first 64 binary digits of the probability of every outcome on a stretch of the
// lattice. What those digits leave over, at most once in 2^45 draws, is drawn from the following digits, and
// so on; what lies outside the stretch is a law of its own with its own table, and a tail is its own
// continuation. Every draw takes the same steps but for these rare ones.
// proofs/sampler.md shows that the law is exact.

import { toNumberNear } from '../exact/index.js';
import { lastIndex, type Pmf } from '../pmf/index.js';
import { type AliasTable, aliasTable } from './alias.js';
import { chooseStretch, lowerDigits, type Stretch, windowOutside } from './digits.js';
import type { BitSource } from './source.js';
import { wordReader } from './source.js';
import { uniformBelow, type Words } from './uniform.js';

/** What to do with values that the output array cannot hold: there is no refusing after drawing. */
export type Overflow = 'saturate' | 'refuse';

export interface Sampler<Source extends BitSource = BitSource> {
  readonly source: Source;
  /** One exact draw, in steps. */
  readonly draw: () => bigint;
  /** Fill with independent draws, in steps. Where the noise may not fit, ask for saturation. */
  readonly fill: (out: Int32Array | BigInt64Array, overflow?: Overflow) => void;
  /** Add an independent draw to each value; sums that do not fit saturate, which must be asked for. */
  readonly addTo: (values: Int32Array | BigInt64Array, overflow: 'saturate') => void;
}

export interface Size {
  /** Bits of a word: smaller ones make the tree of all draws small enough to walk. */
  readonly wordBits: number;
  readonly mostSlotBits: number;
}

const FULL_SIZE: Size = { wordBits: 32, mostSlotBits: 18 };
const CHUNK = 16_384;

export function sampler<Source extends BitSource>(pmf: Pmf, source: Source): Sampler<Source> {
  checkSpread(pmf, FULL_SIZE);
  return fromTables(makeTables(pmf, FULL_SIZE), source);
}

/** A tail that takes more stretches of the table than this to fall by a factor of e is refused, before anything is drawn. */
const MOST_STRETCHES = 100_000;

function checkSpread(pmf: Pmf, size: Size): void {
  for (const tail of [pmf.left, pmf.right]) {
    if (!tail) continue;
    const fall = toNumberNear({ num: tail.ratio.den - tail.ratio.num, den: tail.ratio.den });
    if (fall * (2 ** size.mostSlotBits / tail.period) * MOST_STRETCHES < 1) {
      throw new RangeError(
        'sampler: expected tails that fall faster; this noise is spread too wide to draw, use a larger step',
      );
    }
  }
}

/** A sampler's tables, which may serve several sources. */
export interface Tables {
  readonly pmf: Pmf;
  readonly stretch: Stretch;
  readonly table: AliasTable;
  /** Points on the stretch; the outcomes after them are left of it, right of it, and the digits' rest. */
  readonly points: number;
  readonly size: Size;
  /** The law of the distance beyond one end of the stretch, from 1 on. */
  readonly beyond: (side: 'left' | 'right') => Tables;
}

export function makeTables(pmf: Pmf, size: Size = FULL_SIZE): Tables {
  const stretch = chooseStretch(pmf, 2 ** size.mostSlotBits - 3);
  const digits = lowerDigits(pmf, stretch, 2 * size.wordBits);
  const rest = (1n << BigInt(2 * size.wordBits)) - digits.reduce((a, b) => a + b, 0n);
  if (rest < 0n || stretch.low > stretch.high) {
    throw new Error(`makeTables: the digits of a stretch from ${stretch.low} to ${stretch.high} exceed one`);
  }
  const slotBits = Math.max(1, Math.ceil(Math.log2(digits.length + 1)));
  const table = aliasTable([...digits, rest], slotBits, size.wordBits);
  const made: { left?: Tables; right?: Tables } = {};
  const tables: Tables = {
    pmf,
    stretch,
    table,
    points: digits.length - 2,
    size,
    beyond: (side) => {
      made[side] ??= tablesBeyond(side);
      return made[side];
    },
  };
  // A tail is its own continuation: one table serves for all that follows.
  const tablesBeyond = (side: 'left' | 'right'): Tables => {
    const law = outwardLaw(pmf, stretch, side);
    return isSame(law, pmf) ? tables : makeTables(law, size);
  };
  return tables;
}

/** The mass function beyond one end of the stretch as a law of its own, its first point at 1, outward. */
function outwardLaw(pmf: Pmf, stretch: Stretch, side: 'left' | 'right'): Pmf {
  const rest = windowOutside(pmf, stretch, side);
  const tail = pmf[side];
  const law = (weights: readonly bigint[]): Pmf => ({
    step: pmf.step,
    from: 1,
    weights,
    left: null,
    right: tail,
  });
  if (!tail || rest.length >= tail.period) return law(rest);
  const block =
    side === 'left' ? pmf.weights.slice(0, tail.period).reverse() : pmf.weights.slice(-tail.period);
  if (rest.length === 0) return law(block);
  // Less than a period of the window is left: write out the tail's first one.
  const { num, den } = tail.ratio;
  return law([...rest.map((weight) => weight * den), ...block.map((weight) => weight * num)]);
}

function isSame(a: Pmf, b: Pmf): boolean {
  return (
    a.from === b.from &&
    a.left === b.left &&
    a.right === b.right &&
    a.weights.length === b.weights.length &&
    a.weights.every((weight, i) => weight === b.weights[i])
  );
}

export function fromTables<Source extends BitSource>(tables: Tables, source: Source): Sampler<Source> {
  const next = wordReader(source, CHUNK);
  const words: Words = { next, bits: 32 };
  const buffer = new Uint32Array(CHUNK);
  const noise = new Int32Array(CHUNK);
  const { pmf } = tables;
  const fits = (low: number, high: number) =>
    pmf.left === null && pmf.right === null && pmf.from >= low && lastIndex(pmf) <= high;

  /** Draw as many as `out` holds, a chunk at most; what is beyond 32 bits is handed over instead. */
  const chunk = (out: Int32Array, wide: (i: number, value: bigint) => void): void => {
    const bits = out.length === CHUNK ? buffer : buffer.subarray(0, out.length);
    source.fill(bits);
    fillChunk(tables, bits, out, words, wide);
  };

  const fill = (out: Int32Array | BigInt64Array, overflow: Overflow = 'refuse'): void => {
    const isShort = out instanceof Int32Array;
    const [low, high] = isShort
      ? [-(2 ** 31), 2 ** 31 - 1]
      : [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    if (overflow !== 'saturate' && !fits(low, high)) {
      throw new RangeError(
        `fill: expected noise that always fits into ${isShort ? 'Int32Array' : 'BigInt64Array'}; this noise may exceed it, so ask for 'saturate' or use draw()`,
      );
    }
    for (let at = 0; at < out.length; at += CHUNK) {
      const count = Math.min(CHUNK, out.length - at);
      const beyond: [number, bigint][] = [];
      const drawn = out instanceof Int32Array ? out.subarray(at, at + count) : noise.subarray(0, count);
      chunk(drawn, (i, value) => beyond.push([i, value]));
      if (out instanceof Int32Array) {
        for (const [i, value] of beyond) out[at + i] = value < 0n ? -(2 ** 31) : 2 ** 31 - 1;
      } else {
        for (let i = 0; i < count; i++) out[at + i] = BigInt(noise[i]!);
        for (const [i, value] of beyond) out[at + i] = clamp64(value);
      }
    }
  };

  const addTo = (values: Int32Array | BigInt64Array, overflow: 'saturate'): void => {
    if (overflow !== 'saturate')
      throw new RangeError("addTo: expected 'saturate', which says what happens to sums that do not fit");
    for (let at = 0; at < values.length; at += CHUNK) {
      const count = Math.min(CHUNK, values.length - at);
      const beyond = new Map<number, bigint>();
      chunk(noise.subarray(0, count), (i, value) => beyond.set(i, value));
      if (values instanceof Int32Array) {
        for (let i = 0; i < count; i++)
          values[at + i] = clamp32(values[at + i]! + noise[i]!, beyond.get(i), values[at + i]!);
      } else {
        for (let i = 0; i < count; i++)
          values[at + i] = clamp64(values[at + i]! + (beyond.get(i) ?? BigInt(noise[i]!)));
      }
    }
  };

  return { source, draw: () => drawOne(tables, words), fill, addTo };
}

/** The loop that everything rests on: one word and one slot for each draw. */
function fillChunk(
  tables: Tables,
  bits: Uint32Array,
  out: Int32Array,
  words: Words,
  wide: (i: number, value: bigint) => void,
): void {
  const { table, stretch, points } = tables;
  const { high, alias, slotBits } = table;
  const shift = 32 - slotBits;
  const mask = 2 ** shift - 1;
  // A stretch beyond 32 bits leaves no outcome to the short path.
  const inReach = stretch.low >= -(2 ** 31) && stretch.high < 2 ** 31;
  const low = inReach ? stretch.low : 0;
  const plain = inReach ? points : 0;
  for (let i = 0; i < bits.length; i++) {
    const word = bits[i]!;
    const slot = word >>> shift;
    const side = (word & mask) - high[slot]!;
    const other = alias[slot]!;
    // Below the threshold (side negative) the slot's own outcome, else the alias, without a branch.
    const outcome = other ^ ((other ^ slot) & (side >> 31));
    out[i] = outcome + low;
    if (side === 0 || outcome >= plain) {
      const value = resolve(tables, slot, side, words);
      if (value >= -0x80000000n && value <= 0x7fffffffn) out[i] = Number(value);
      else {
        out[i] = 0;
        wide(i, value);
      }
    }
  }
}

export function drawOne(tables: Tables, words: Words): bigint {
  const { slot, side } = place(tables, words);
  return resolve(tables, slot, side, words);
}

/** One word: a slot, and on which side of the threshold's leading bits the draw falls. */
function place({ table }: Tables, words: Words): { slot: number; side: number } {
  const word = words.next();
  const shift = table.wordBits - table.slotBits;
  const slot = word >>> shift;
  return { slot, side: (word & (2 ** shift - 1)) - table.high[slot]! };
}

/** The value of a draw from its first word; the rare cases are here. */
function resolve(tables: Tables, slot: number, side: number, words: Words): bigint {
  let [current, at] = [tables, { slot, side }];
  // Beyond an end of a stretch the value is that end and a distance outward, drawn from the law of what lies beyond.
  let [base, outward] = [0n, 1n];
  for (;;) {
    const { table, points, stretch } = current;
    const below = at.side === 0 ? words.next() < table.low[at.slot]! : at.side < 0;
    let outcome = below ? at.slot : table.alias[at.slot]!;
    if (outcome === points + 2) outcome = furtherDigits(current, words);
    if (outcome < points) return base + outward * BigInt(stretch.low + outcome);
    const toLeft = outcome === points;
    base += outward * BigInt(toLeft ? stretch.low : stretch.high);
    if (toLeft) outward = -outward;
    current = current.beyond(toLeft ? 'left' : 'right');
    at = place(current, words);
  }
}

/** From the digits that the table does not hold: level by level, each with its own integers. */
function furtherDigits({ pmf, stretch, size }: Tables, words: Words): number {
  const digits = 2 * size.wordBits;
  let known = lowerDigits(pmf, stretch, digits);
  for (let level = 2; ; level++) {
    const left = (1n << BigInt(digits * (level - 1))) - known.reduce((a, b) => a + b, 0n);
    const finer = lowerDigits(pmf, stretch, digits * level);
    let at = uniformBelow(left << BigInt(digits), words);
    for (let i = 0; i < known.length; i++) {
      const before = known[i]! << BigInt(digits);
      if (finer[i]! < before) finer[i] = before;
      const weight = finer[i]! - before;
      if (at < weight) return i;
      at -= weight;
    }
    known = finer;
  }
}

function clamp32(sum: number, exact: bigint | undefined, value: number): number {
  if (exact !== undefined) {
    const total = BigInt(value) + exact;
    return total < -0x80000000n ? -(2 ** 31) : total > 0x7fffffffn ? 2 ** 31 - 1 : Number(total);
  }
  return sum < -(2 ** 31) ? -(2 ** 31) : sum > 2 ** 31 - 1 ? 2 ** 31 - 1 : sum;
}

function clamp64(value: bigint): bigint {
  const most = (1n << 63n) - 1n;
  return value > most ? most : value < -most - 1n ? -most - 1n : value;
}
