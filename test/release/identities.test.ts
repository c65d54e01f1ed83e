// What rows are where they have no id, and how equal ones are told apart.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestCounter, joined, rowIdentities } from '../../src/release/identities.js';

const keyed = (seed: number) => ({
  key: Uint8Array.from({ length: 32 }, (_, i) => i ^ seed),
  release: 'r',
  by: { partition: 'p' },
});

describe('rows without an id', () => {
  it('are numbered among equal ones, whatever lies between', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'ab', ''), { maxLength: 40 }), (rows) => {
        const found = rowIdentities(keyed(0), 'p')(rows);
        expect(new Set(found).size).toBe(rows.length);
        const seen = new Map<string, number>();
        rows.forEach((row, i) => {
          const number = seen.get(row) ?? 0;
          seen.set(row, number + 1);
          expect(found[i]).toMatch(new RegExp(`^[0-9a-f]{32} ${number} p$`));
        });
        // In other pieces they are the same.
        const again = rowIdentities(keyed(0), 'p');
        expect([...again(rows.slice(0, 3)), ...again(rows.slice(3))]).toEqual(found);
      }),
    );
  });

  it('are others in another partition, release or under another key', () => {
    const [one] = rowIdentities(keyed(0), 'p')(['row']);
    expect(rowIdentities(keyed(0), 'p')(['row'])).toEqual([one]);
    for (const other of [
      rowIdentities(keyed(1), 'p')(['row']),
      rowIdentities(keyed(0), 'q')(['row']),
      rowIdentities({ ...keyed(0), release: 's' }, 'p')(['row']),
    ])
      expect(other).not.toEqual([one]);
  });

  it('are counted right when there are many', () => {
    const count = digestCounter();
    const digest = (i: number) => createHash('md5').update(String(i)).digest();
    for (let i = 0; i < 20_000; i++) expect(count(digest(i))).toBe(0);
    for (let i = 0; i < 20_000; i += 7) expect(count(digest(i))).toBe(1);
    for (let i = 0; i < 20_000; i += 21) expect(count(digest(i))).toBe(2);
    // Digests that begin at the same place.
    const near = digestCounter();
    for (let k = 0; k < 300; k++) {
      const own = new Uint8Array(16);
      own[15] = k & 255;
      own[14] = k >> 8;
      expect(near(own)).toBe(0);
      expect(near(own)).toBe(1);
    }
  });
});

describe('texts one after the other', () => {
  it('end where the next begins, in bytes', () => {
    const { bytes, ends } = joined(['ä', '', 'bc']);
    expect([...ends]).toEqual([2, 2, 4]);
    expect(Buffer.from(bytes).toString()).toBe('äbc');
  });
});
