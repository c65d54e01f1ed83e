// Keyed noise: a function of key and row, with the law of the mechanism.

import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHistogram, gTest, histogramRange } from '../../src/audit/index.js';
import { rational } from '../../src/exact/index.js';
import {
  type BlockCipher,
  drawOne,
  type KeyedRows,
  keyedSampler,
  makeTables,
  tagsOf,
  wholeTags,
} from '../../src/random/index.js';
import { FULL_SIZE } from '../../src/random/tables.js';
import { parseNoise } from '../../src/spec/index.js';

const aes =
  (key: Uint8Array): BlockCipher =>
  (blocks) => {
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(blocks), cipher.final()]);
  };
const keys = () => {
  const [own, other, whole] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  return { own, other, key: { tag: aes(own), wholeTag: aes(whole), further: aes(other) }, whole };
};
const pmfOf = (spec: string) =>
  parseNoise(spec, rational(1n), () => []).approximate({ adjacency: 5, cut: 400 }).pmf;

function rowsOf(rows: readonly { readonly id: string; readonly index: bigint }[]): KeyedRows {
  const ids = rows.map(({ id }) => Buffer.from(id));
  let end = 0;
  return {
    identities: { bytes: Buffer.concat(ids), ends: Uint32Array.from(ids, (id) => (end += id.length)) },
    indices: BigInt64Array.from(rows, ({ index }) => index),
  };
}

type Texts = Exclude<KeyedRows['identities'], BigInt64Array>;

const anyRows = fc.array(
  fc.record({ id: fc.string({ maxLength: 50 }), index: fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }) }),
  { minLength: 1, maxLength: 40 },
);

/** The tag of one row, by another way: the last block of AES in CBC mode. */
function tagOf(key: Uint8Array, id: string, index: bigint): Buffer {
  const bytes = Buffer.from(id);
  const message = Buffer.alloc(16 + 16 * Math.ceil(bytes.length / 16));
  message.writeBigInt64LE(index);
  message.writeUInt32LE(bytes.length, 8);
  bytes.copy(message, 16);
  const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(message), cipher.final()]).subarray(-16);
}

/** The words of a row, one after the other. */
function wordsOf(tag: Buffer, further: BlockCipher) {
  let [block, at, counter] = [tag, 0, 0];
  return {
    bits: 32 as const,
    next: () => {
      if (at === 4) {
        const counted = Buffer.from(tag);
        counted.writeUInt32LE((counted.readUInt32LE(0) ^ ++counter) >>> 0, 0);
        [block, at] = [Buffer.from(further(counted)), 0];
      }
      return block.readUInt32LE(4 * at++);
    },
  };
}

describe('keyed noise', () => {
  it('has tags that are CBC-MACs of index, length and identity', () => {
    const { own, key } = keys();
    fc.assert(
      fc.property(anyRows, (rows) => {
        const { identities, indices } = rowsOf(rows);
        const tags = tagsOf(identities as Texts, indices, key.tag);
        for (const [i, { id, index }] of rows.entries())
          expect(Buffer.from(tags.subarray(16 * i, 16 * i + 16)).equals(tagOf(own, id, index))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('has one block of index and identity where that is a whole number', () => {
    const { whole, key } = keys();
    const word = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 30 }), (rows) => {
        const [ids, indices] = [0, 1].map((k) => BigInt64Array.from(rows, (row) => row[k]!));
        const tags = wholeTags(ids!, indices!, key.wholeTag);
        rows.forEach(([id, index], i) => {
          const block = Buffer.alloc(16);
          block.writeBigInt64LE(index);
          block.writeBigInt64LE(id, 8);
          const tag = createCipheriv('aes-256-ecb', whole, null).setAutoPadding(false).update(block);
          expect(Buffer.from(tags.subarray(16 * i, 16 * i + 16)).equals(tag)).toBe(true);
        });
      }),
      { numRuns: 50 },
    );
    const pmf = pmfOf('geometric:scale=1000000');
    const rows = { identities: BigInt64Array.of(5n, -6n), indices: BigInt64Array.of(1n, 2n) };
    const tags = Buffer.from(wholeTags(rows.identities, rows.indices, key.wholeTag));
    const tables = makeTables(pmf, FULL_SIZE);
    expect([...keyedSampler(pmf, key).noise(rows)]).toEqual(
      [0, 16].map((at) => drawOne(tables, wordsOf(tags.subarray(at, at + 16), key.further))),
    );
  });

  it.each([
    'geometric:scale=5',
    'geometric:scale=1000000',
    'discrete-gaussian:sigma=30',
    'staircase:width=3,ratio=0.5',
  ])('is one exact draw from the words of its row: %s', (spec) => {
    const pmf = pmfOf(spec);
    const { own, key } = keys();
    const tables = makeTables(pmf, FULL_SIZE);
    const rows = Array.from({ length: 2000 }, (_, i) => ({ id: `person ${i}`, index: BigInt(i % 7) }));
    const noise = keyedSampler(pmf, key).noise(rowsOf(rows));
    rows.forEach(({ id, index }, i) => {
      expect(noise[i]).toBe(drawOne(tables, wordsOf(tagOf(own, id, index), key.further)));
    });
  });

  it('asks for further words where the first ones do not decide', () => {
    const pmf = pmfOf('discrete-gaussian:sigma=30');
    const tables = makeTables(pmf, FULL_SIZE);
    // The outcome of the digits that the table does not hold is the one after both ends.
    const rest = tables.points + 2;
    const tag = Buffer.alloc(16);
    tag.writeUInt32LE((rest << (32 - tables.table.slotBits)) >>> 0);
    let asked = 0;
    const further = (blocks: Uint8Array) => {
      asked++;
      return aes(Buffer.alloc(32, 7))(blocks);
    };
    const [value] = keyedSampler(pmf, { tag: () => tag, wholeTag: () => tag, further }).noise(
      rowsOf([{ id: '', index: 1n }]),
    );
    expect(asked).toBeGreaterThan(0);
    expect(value).toBe(drawOne(tables, wordsOf(tag, further)));
  });

  it('is the same in any order and any pieces', () => {
    const { key } = keys();
    const sampler = keyedSampler(pmfOf('geometric:scale=5'), key);
    fc.assert(
      fc.property(anyRows, fc.nat(), (rows, turn) => {
        const turned = rows.map((_, i) => rows[(i + turn) % rows.length]!);
        const [all, other] = [sampler.noise(rowsOf(rows)), sampler.noise(rowsOf(turned))];
        turned.forEach((_, i) => {
          expect(other[i]).toBe(all[(i + turn) % rows.length]);
        });
        const half = rows.length >> 1;
        if (half > 0) expect(sampler.noise(rowsOf(rows.slice(half)))).toEqual(all.slice(half));
      }),
      { numRuns: 50 },
    );
  });

  it('follows the law, and is another for another value, row or key', () => {
    const pmf = pmfOf('geometric:scale=5');
    const [a, b] = [keyedSampler(pmf, keys().key), keyedSampler(pmf, keys().key)];
    const count = 300_000;
    const rows = (index: bigint) =>
      rowsOf(Array.from({ length: count }, (_, i) => ({ id: String(i), index })));
    const draws = [a.noise(rows(3n)), a.noise(rows(4n)), b.noise(rows(3n))];
    for (const own of draws) {
      const histogram = emptyHistogram(histogramRange(pmf));
      for (const value of own) {
        const at = Number(value) - histogram.from;
        if (at < 0) histogram.below++;
        else if (at >= histogram.counts.length) histogram.above++;
        else histogram.counts[at]!++;
      }
      expect(gTest(pmf, histogram).pValue).toBeGreaterThan(1e-6);
    }
    const correlation = (x: BigInt64Array, y: BigInt64Array) => {
      let [xy, xx, yy] = [0, 0, 0];
      for (let i = 0; i < x.length; i++) {
        xy += Number(x[i]! * y[i]!);
        xx += Number(x[i]! ** 2n);
        yy += Number(y[i]! ** 2n);
      }
      return xy / Math.sqrt(xx * yy);
    };
    expect(Math.abs(correlation(draws[0]!, draws[1]!))).toBeLessThan(5 / Math.sqrt(count));
    expect(Math.abs(correlation(draws[0]!, draws[2]!))).toBeLessThan(5 / Math.sqrt(count));
    expect(Math.abs(correlation(draws[0]!.subarray(1), draws[0]!.subarray(0, -1)))).toBeLessThan(0.02);
  });
});
