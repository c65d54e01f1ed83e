// Where randomness comes from: always an argument, never reached for. The kind is part of the type, so
// that what must not be seeded cannot be.

import { chachaBlocks } from './chacha.js';

export interface BitSource {
  readonly kind: 'entropy' | 'seeded';
  /** Overwrite all words with independent uniform ones. */
  readonly fill: (words: Uint32Array) => void;
}

/** Cryptographic randomness of the operating system: the only kind fit for a release. */
export interface EntropySource extends BitSource {
  readonly kind: 'entropy';
}

/** The same words for the same seed: for tests and simulations only. */
export interface SeededSource extends BitSource {
  readonly kind: 'seeded';
  readonly seed: string;
}

/** `crypto` of Node and browsers. */
export interface SystemCrypto {
  /** Overwrite all words with random ones. */
  getRandomValues(array: Uint32Array<ArrayBuffer>): unknown;
}

/** The Web Crypto interface takes at most this many words at once. */
const MOST_WORDS = 16_384;

/** The randomness of the operating system, the only kind fit for a release. */
export function entropySource(crypto: SystemCrypto): EntropySource {
  return {
    kind: 'entropy',
    fill: (words) => {
      for (let at = 0; at < words.length; at += MOST_WORDS)
        // Never shared memory, which browsers do not fill.
        crypto.getRandomValues(
          words.subarray(at, Math.min(at + MOST_WORDS, words.length)) as Uint32Array<ArrayBuffer>,
        );
    },
  };
}

/** ChaCha with 8 rounds, keyed by the seed's text; different streams of one seed are independent. */
export function seededSource(seed: string, stream = 0): SeededSource {
  const next = chachaBlocks(keyOf(seed), [stream >>> 0, Math.floor(stream / 2 ** 32) >>> 0], 8);
  let block = next();
  let used = 0;
  return {
    kind: 'seeded',
    seed,
    fill: (words) => {
      for (let i = 0; i < words.length; i++) {
        if (used === 16) [block, used] = [next(), 0];
        words[i] = block[used++]!;
      }
    },
  };
}

/** Words one at a time, fetched in large fills. */
export function wordReader(source: BitSource, size = MOST_WORDS): () => number {
  const words = new Uint32Array(size);
  let at = size;
  return () => {
    if (at === size) {
      source.fill(words);
      at = 0;
    }
    const word = words[at]!;
    words[at++] = 0;
    return word;
  };
}

/** The code points of the seed and its length, stirred by ChaCha itself, eight at a time. */
function keyOf(seed: string): number[] {
  const points = [...seed].map((char) => char.codePointAt(0)!);
  let key = [points.length, 0, 0, 0, 0, 0, 0, 0];
  for (let at = 0; at < points.length; at += 8) {
    const mixed = key.map((word, i) => (word ^ (points[at + i] ?? 0)) >>> 0);
    key = [...chachaBlocks(mixed, [0x64697363, 0x72656574], 20)().subarray(0, 8)];
  }
  return key;
}
