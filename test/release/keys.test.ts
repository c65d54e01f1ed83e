// Keys of columns, and the noise they give: the same in every process and in another language.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import { keyedSampler, tagsOf } from '../../src/random/index.js';
import { columnKey, KEY_BYTES } from '../../src/release/keys.js';
import { parseNoise } from '../../src/spec/index.js';

const key = Uint8Array.from({ length: KEY_BYTES }, (_, i) => i);
const rows = {
  identities: { bytes: Buffer.from('alicebob'), ends: Uint32Array.of(5, 8) },
  indices: BigInt64Array.of(3n, -4n),
};

/** HKDF and CBC-MAC with nothing but Python's hash functions; AES is left to this language. */
const PYTHON = `
import hashlib, hmac, struct
key = bytes(range(32))
prk = hmac.new(b"release 1", key, hashlib.sha256).digest()
def own(use, column):
    info = b"".join(struct.pack("<I", len(t.encode())) + t.encode() for t in (use, column))
    return hmac.new(prk, info + bytes([1]), hashlib.sha256).hexdigest()
print(own("tag", "visits"), own("whole tag", "visits"), own("further", "visits"))
`;

describe('the key of a column', () => {
  it('is that of another implementation', async () => {
    const [tag, wholeTag, further] = execFileSync('python3', ['-c', PYTHON], { encoding: 'utf8' })
      .trim()
      .split(' ');
    const { createCipheriv } = await import('node:crypto');
    const own = columnKey(key, 'release 1', 'visits');
    const block = Buffer.from('0123456789abcdef');
    const by = (hex: string) =>
      createCipheriv('aes-256-ecb', Buffer.from(hex, 'hex'), null).setAutoPadding(false).update(block);
    expect(Buffer.from(own.tag(block)).equals(by(tag!))).toBe(true);
    expect(Buffer.from(own.wholeTag(block)).equals(by(wholeTag!))).toBe(true);
    expect(Buffer.from(own.further(block)).equals(by(further!))).toBe(true);
  });

  it('is another for another release, column, use or key', () => {
    const tags = [
      columnKey(key, 'release 1', 'visits').tag,
      columnKey(key, 'release 1', 'visits').further,
      columnKey(key, 'release 1', 'visits').wholeTag,
      columnKey(key, 'release 2', 'visits').tag,
      columnKey(key, 'release 1', 'age').tag,
      columnKey(
        Uint8Array.from(key, (v) => v ^ 1),
        'release 1',
        'visits',
      ).tag,
      // Texts that read alike one after the other.
      columnKey(key, 'release 1', 'isits').tag,
    ].map((cipher) => Buffer.from(tagsOf(rows.identities, rows.indices, cipher)).toString('hex'));
    expect(new Set(tags).size).toBe(tags.length);
    expect(
      Buffer.from(tagsOf(rows.identities, rows.indices, columnKey(key, 'release 1', 'visits').tag)).toString(
        'hex',
      ),
    ).toBe(tags[0]);
  });

  it('gives the same noise every time', () => {
    const { pmf } = parseNoise('geometric:scale=5', rational(1n), () => []).approximate({
      adjacency: 5,
      cut: 400,
    });
    const noise = () => keyedSampler(pmf, columnKey(key, 'release 1', 'visits')).noise(rows);
    expect(noise()).toEqual(noise());
  });

  it('is of 32 bytes', () => {
    expect(() => columnKey(new Uint8Array(16), 'r', 'c')).toThrow('expected 32 bytes, got 16');
  });
});
