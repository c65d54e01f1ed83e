// Noise as a function of a key and of what a row is: the same row gets the same noise, however often and wherever it is computed, and
// two rows that differ in anything get noise that nobody without the key can tell from independent draws (proofs/keyed.md).
//
// A row's tag is the CBC-MAC of its index, the length of its identity, and the identity, in blocks of a cipher such as AES; with the
// length in the first block no message begins another, for which CBC-MAC is a pseudo-random function [PR00]. The tag's words are the
// row's random words, and what more it needs is a further key's cipher on the tag and a counter. Where identities are whole numbers of
// 64 bits, index and identity are one block, and the tag is a key of its own's cipher on it.

import type { Pmf } from '../pmf/index.js';
import { clamp64, fillFrom, wordsEach } from './sampler.js';
import { FULL_SIZE, makeTables } from './tables.js';
import type { Words } from './uniform.js';

/** A secret permutation of blocks of 16 bytes, each by itself: AES in Node or a browser. */
export type BlockCipher = (blocks: Uint8Array) => Uint8Array;

/** Of one column of one release. The three are of independent keys. */
export interface ColumnKey {
  /** For identities that are texts, and for those that are whole numbers. */
  readonly tag: BlockCipher;
  readonly wholeTag: BlockCipher;
  readonly further: BlockCipher;
}

/** Texts of any length, one after the other, each ending where the next begins; or whole numbers. All rows of a release have one kind. */
export type Identities = { readonly bytes: Uint8Array; readonly ends: Uint32Array } | BigInt64Array;

/** What rows are: an identity that no other row has, and the index of the value, in steps. */
export interface KeyedRows {
  readonly identities: Identities;
  readonly indices: BigInt64Array;
}

export const BLOCK = 16;

export interface KeyedSampler {
  /** The noise of each row, in steps; what does not fit 64 bits saturates. */
  readonly noise: (rows: KeyedRows) => BigInt64Array;
}

/** Noise with exactly the law of the mass function's integers for anybody without the key, the same for the same row (proofs/keyed.md). */
export function keyedSampler(pmf: Pmf, key: ColumnKey): KeyedSampler {
  const tables = makeTables(pmf, FULL_SIZE);
  const each = wordsEach(tables);
  return {
    noise: ({ identities, indices }) => {
      const tags =
        identities instanceof BigInt64Array
          ? wholeTags(identities, indices, key.wholeTag)
          : tagsOf(identities, indices, key.tag);
      const count = indices.length;
      const words = new Uint32Array(tags.buffer, tags.byteOffset, tags.byteLength / 4);
      const bits = new Uint32Array(each * count);
      if (each === 1) for (let i = 0; i < count; i++) bits[i] = words[4 * i]!;
      else for (let i = 0; i < 2 * count; i++) bits[i] = words[4 * (i >> 1) + (i & 1)]!;
      const drawn = new Int32Array(count);
      const beyond: [number, bigint][] = [];
      const further = (i: number) =>
        furtherWords(tags.subarray(BLOCK * i, BLOCK * (i + 1)), each, key.further);
      fillFrom(tables, bits, drawn, further, (i, value) => beyond.push([i, value]));
      const out = new BigInt64Array(count);
      // Both halves of 64 bits: making a bigint of each takes longer than all the rest.
      const halves = new Int32Array(out.buffer);
      const [low, high] = LOW_FIRST ? [0, 1] : [1, 0];
      for (let i = 0; i < count; i++) {
        const value = drawn[i]!;
        halves[2 * i + low] = value;
        halves[2 * i + high] = value >> 31;
      }
      for (const [i, value] of beyond) out[i] = clamp64(value);
      return out;
    },
  };
}

const LOW_FIRST = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Index and identity in one block each. */
export function wholeTags(
  identities: BigInt64Array,
  indices: BigInt64Array,
  cipher: BlockCipher,
): Uint8Array {
  const blocks = new Uint8Array(BLOCK * indices.length);
  const words = new Int32Array(blocks.buffer);
  const [of, is] = [halvesOf(indices), halvesOf(identities)];
  for (let i = 0; i < indices.length; i++) {
    words[4 * i] = of[2 * i]!;
    words[4 * i + 1] = of[2 * i + 1]!;
    words[4 * i + 2] = is[2 * i]!;
    words[4 * i + 3] = is[2 * i + 1]!;
  }
  return aligned(cipher(blocks));
}

function halvesOf({ buffer, byteOffset, length }: BigInt64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, 2 * length);
}

/** What a cipher of Node gives may share its memory, and begin anywhere in it. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
}

/** The CBC-MAC of every row, all rows one block further at a time. */
export function tagsOf(
  { bytes, ends }: Exclude<Identities, BigInt64Array>,
  indices: BigInt64Array,
  cipher: BlockCipher,
): Uint8Array {
  const count = indices.length;
  const first = new Uint8Array(BLOCK * count);
  const words = new Uint32Array(first.buffer);
  const of = halvesOf(indices);
  const startOf = (i: number) => (i === 0 ? 0 : ends[i - 1]!);
  for (let i = 0; i < count; i++) {
    words[4 * i] = of[2 * i]!;
    words[4 * i + 1] = of[2 * i + 1]!;
    words[4 * i + 2] = ends[i]! - startOf(i);
  }
  // A copy: what a cipher gives may share its memory.
  const tags = new Uint8Array(cipher(first));
  const tagWords = new Uint32Array(tags.buffer);
  // Rows that have a block left, ever fewer.
  let rows = new Int32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  for (let at = 0; ; at += BLOCK) {
    let left = 0;
    for (let r = 0; r < rows.length; r++)
      if (startOf(rows[r]!) + at < ends[rows[r]!]!) rows[left++] = rows[r]!;
    if (left === 0) return tags;
    rows = rows.subarray(0, left);
    const blocks = new Uint8Array(BLOCK * rows.length);
    moveBlocks(tagWords, new Uint32Array(blocks.buffer), rows, 'from');
    for (let r = 0; r < rows.length; r++) {
      const from = startOf(rows[r]!) + at;
      const length = Math.min(BLOCK, ends[rows[r]!]! - from);
      for (let b = 0; b < length; b++) blocks[BLOCK * r + b]! ^= bytes[from + b]!;
    }
    const done = aligned(cipher(blocks));
    moveBlocks(tagWords, new Uint32Array(done.buffer, done.byteOffset, done.byteLength / 4), rows, 'to');
  }
}

/** Between the blocks of all rows and those of some, a word at a time. */
function moveBlocks(all: Uint32Array, some: Uint32Array, rows: Int32Array, way: 'from' | 'to'): void {
  for (let r = 0; r < rows.length; r++)
    for (let w = 0; w < 4; w++)
      if (way === 'from') some[4 * r + w] = all[4 * rows[r]! + w]!;
      else all[4 * rows[r]! + w] = some[4 * r + w]!;
}

/** A row's words after its first ones: the rest of its tag, then blocks of the tag and a counter. */
function furtherWords(tag: Uint8Array, used: number, cipher: BlockCipher): Words {
  let block = new DataView(tag.buffer, tag.byteOffset, BLOCK);
  let word = used;
  let counter = 0;
  return {
    bits: 32,
    next: () => {
      if (word === BLOCK / 4) {
        const counted = new Uint8Array(tag);
        const view = new DataView(counted.buffer);
        view.setUint32(0, view.getUint32(0, true) ^ ++counter, true);
        const more = cipher(counted);
        block = new DataView(more.buffer, more.byteOffset, BLOCK);
        word = 0;
      }
      return block.getUint32(4 * word++, true);
    },
  };
}
