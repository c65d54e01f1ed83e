// The keys of a release whose noise is a function of its rows: three for each column, from one that is drawn for the release.

import { createCipheriv, createHash, hkdfSync } from 'node:crypto';
import { invalid } from '../error/index.js';
import type { Pmf } from '../pmf/index.js';
import { type BlockCipher, type ColumnKey, type KeyedSampler, keyedSampler } from '../random/index.js';

/** Of the key of a release, in bytes. */
export const KEY_BYTES = 32;

/** For one column of one release, by HKDF with SHA-256; AES-256 is the cipher (proofs/keyed.md). */
export function columnKey(key: Uint8Array, release: string, column: string): ColumnKey {
  if (key.length !== KEY_BYTES)
    throw invalid(
      `key: expected ${KEY_BYTES} bytes, got ${key.length}; it is drawn by the driver of a release`,
    );
  const own = (use: string): BlockCipher => {
    // A length before each text, so that no two lists of texts read alike.
    const info = Buffer.concat([use, column].map(withLength));
    return aes(new Uint8Array(hkdfSync('sha256', key, Buffer.from(release, 'utf8'), info, KEY_BYTES)));
  };
  return { tag: own('tag'), wholeTag: own('whole tag'), further: own('further') };
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Each block by itself: a permutation of blocks, not a way to encrypt. */
function aes(key: Uint8Array): BlockCipher {
  return (blocks) => {
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    const done = cipher.update(blocks);
    // Whole blocks leave nothing over.
    cipher.final();
    return done;
  };
}

/** The noise of a column of a release. */
export function keyedSamplerOf(
  { key, release }: { readonly key: Uint8Array; readonly release: string },
  column: string,
  pmf: Pmf,
): KeyedSampler {
  return keyedSampler(pmf, columnKey(key, release, column));
}

/** What tells a key from another, and nothing about it: executors compare it with the job's. */
export function keyMark(key: Uint8Array): string {
  return createHash('sha256').update('discreet key\0').update(key).digest('hex');
}
