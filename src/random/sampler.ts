// Draws from the integer weights and tails of a mass function with exactly their probabilities.
//
// An alias table holds the first 64 binary digits of the probability of every outcome on a stretch of the
// lattice. What those digits leave over, at most once in 2^45 draws, is drawn from the following digits, and
// so on; what lies outside the stretch is a law of its own with its own table, and a tail is its own
// continuation. Every draw takes the same steps but for these rare ones.
// proofs/sampler.md shows that the law is exact.

import { invalid } from '../error/index.js';
import { toNumberNear } from '../exact/index.js';
import { lastIndex, type Pmf } from '../pmf/index.js';
import { drawOne, resolve } from './draw.js';
import type { BitSource } from './source.js';
import { wordReader } from './source.js';
import { FULL_SIZE, makeTables, type Size, type Tables } from './tables.js';
import type { Words } from './uniform.js';

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
const CHUNK = 16_384;

/** Draws with exactly the probabilities of the mass function's integers, independent of each other (proofs/sampler.md). */
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
    if (fall * (2 ** size.mostSlotBits / tail.period) * MOST_STRETCHES < 1)
      throw invalid(
        'sampler: expected tails that fall faster; this noise is spread too wide to draw, use a larger step',
      );
  }
}

/** A sampler on tables that are there: the same exact law (proofs/sampler.md). */
export function fromTables<Source extends BitSource>(tables: Tables, source: Source): Sampler<Source> {
  const next = wordReader(source, CHUNK);
  const words: Words = { next, bits: 32 };
  const each = wordsEach(tables);
  const buffer = new Uint32Array(each * CHUNK);
  const noise = new Int32Array(CHUNK);
  const { pmf } = tables;
  const fits = (low: number, high: number) =>
    pmf.left === null && pmf.right === null && pmf.from >= low && lastIndex(pmf) <= high;

  /** Draw as many as `out` holds, a chunk at most; what is beyond 32 bits is handed over instead. */
  const chunk = (out: Int32Array, wide: (i: number, value: bigint) => void): void => {
    const bits = out.length === CHUNK ? buffer : buffer.subarray(0, each * out.length);
    source.fill(bits);
    fillFrom(tables, bits, out, () => words, wide);
  };

  const fill = (out: Int32Array | BigInt64Array, overflow: Overflow = 'refuse'): void => {
    const isShort = out instanceof Int32Array;
    const [low, high] = isShort
      ? [-(2 ** 31), 2 ** 31 - 1]
      : [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    if (overflow !== 'saturate' && !fits(low, high))
      throw invalid(
        `fill: expected noise that always fits into ${isShort ? 'Int32Array' : 'BigInt64Array'}; this noise may exceed it, so ask for 'saturate' or use draw()`,
      );
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
      throw invalid(`addTo: expected 'saturate', which says what happens to sums that do not fit`);
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

/** Words that each draw begins with. */
export function wordsEach(tables: Tables): 1 | 2 {
  return tables.blocks ? 2 : 1;
}

/** As many draws as `out` holds, each from its own first words; further ones, and values beyond 32 bits, are asked for and handed over by place. */
export function fillFrom(
  tables: Tables,
  bits: Uint32Array,
  out: Int32Array,
  further: (i: number) => Words,
  wide: (i: number, value: bigint) => void,
): void {
  (tables.blocks ? fillBlocks : fillChunk)(tables, bits, out, further, wide);
}

/** The loop that everything rests on: one word and one slot for each draw. */
function fillChunk(
  tables: Tables,
  bits: Uint32Array,
  out: Int32Array,
  further: (i: number) => Words,
  wide: (i: number, value: bigint) => void,
): void {
  const { table, stretch, points } = tables;
  const { slots, slotBits } = table;
  const shift = 32 - slotBits;
  const mask = 2 ** shift - 1;
  // A stretch beyond 32 bits leaves no outcome to the short path.
  const inReach = stretch.low >= -(2 ** 31) && stretch.high < 2 ** 31;
  const low = inReach ? stretch.low : 0;
  const plain = inReach ? points : 0;
  for (let i = 0; i < out.length; i++) {
    const word = bits[i]!;
    const slot = word >>> shift;
    const side = (word & mask) - slots[2 * slot]!;
    const other = slots[2 * slot + 1]!;
    // Below the threshold (side negative) the slot's own outcome, else the alias, without a branch.
    const outcome = other ^ ((other ^ slot) & (side >> 31));
    out[i] = outcome + low;
    if (side === 0 || outcome >= plain) put(out, i, resolve(tables, { slot, side }, null, further(i)), wide);
  }
}

/** The same with blocks: a word and a slot for the block, and as much for the place in it, whatever the block. */
function fillBlocks(
  tables: Tables,
  bits: Uint32Array,
  out: Int32Array,
  further: (i: number) => Words,
  wide: (i: number, value: bigint) => void,
): void {
  const { table, points, pmf } = tables;
  const { block, rights, places, table: inner } = tables.blocks!;
  const { slots } = table;
  const { slots: innerSlots } = inner;
  const [shift, innerShift] = [32 - table.slotBits, 32 - inner.slotBits];
  const [mask, innerMask] = [2 ** shift - 1, 2 ** innerShift - 1];
  const window = pmf.weights.length;
  const [first, last, lastRight] = [pmf.from, lastIndex(pmf), window + rights - 1];
  // A window beyond 32 bits leaves no outcome to the short path.
  const plain = first >= -(2 ** 31) && last < 2 ** 31 ? points : 0;
  for (let i = 0; i < out.length; i++) {
    const word = bits[2 * i]!;
    const innerWord = bits[2 * i + 1]!;
    const slot = word >>> shift;
    const innerSlot = innerWord >>> innerShift;
    const side = (word & mask) - slots[2 * slot]!;
    const innerSide = (innerWord & innerMask) - innerSlots[2 * innerSlot]!;
    const other = slots[2 * slot + 1]!;
    const innerOther = innerSlots[2 * innerSlot + 1]!;
    const outcome = other ^ ((other ^ slot) & (side >> 31));
    const at = innerOther ^ ((innerOther ^ innerSlot) & (innerSide >> 31));
    // All ones for a point of the window, and for a block on the left: no branch tells them apart.
    const isPoint = (outcome - window) >> 31;
    const isLeft = (lastRight - outcome) >> 31;
    const number = outcome - window - (rights & isLeft);
    const anchor = ((first + outcome) & isPoint) | (((first & isLeft) | (last & ~isLeft)) & ~isPoint);
    const value = anchor + (1 + isPoint) * (1 + 2 * isLeft) * (number * block + at + 1);
    out[i] = value;
    if (side === 0 || innerSide === 0 || outcome >= plain || at >= places || value !== out[i])
      put(out, i, resolve(tables, { slot, side }, { slot: innerSlot, side: innerSide }, further(i)), wide);
  }
}

function put(out: Int32Array, i: number, value: bigint, wide: (i: number, value: bigint) => void): void {
  if (value >= -0x80000000n && value <= 0x7fffffffn) out[i] = Number(value);
  else {
    out[i] = 0;
    wide(i, value);
  }
}

function clamp32(sum: number, exact: bigint | undefined, value: number): number {
  if (exact !== undefined) {
    const total = BigInt(value) + exact;
    return total < -0x80000000n ? -(2 ** 31) : total > 0x7fffffffn ? 2 ** 31 - 1 : Number(total);
  }
  return sum < -(2 ** 31) ? -(2 ** 31) : sum > 2 ** 31 - 1 ? 2 ** 31 - 1 : sum;
}

/** Within a signed word of 64 bits. */
export function clamp64(value: bigint): bigint {
  const most = (1n << 63n) - 1n;
  return value > most ? most : value < -most - 1n ? -most - 1n : value;
}
