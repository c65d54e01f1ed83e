// Uniform integers and coins with rational probability, exactly, from words of a source.

import { invalid } from '../error/index.js';
import { bitLength } from '../exact/index.js';

/** A word of `bits` uniform bits at each call. */
export interface Words {
  /** The next word, uniform. */
  readonly next: () => number;
  readonly bits: number;
}

/** Uniform on 0 … bound − 1: as many bits as the bound has, again where they come out too large. */
export function uniformBelow(bound: bigint, words: Words): bigint {
  if (bound <= 0n) throw invalid(`uniformBelow: expected a bound above 0, got ${bound}`);
  const bits = bitLength(bound - 1n);
  for (;;) {
    const value = uniformBits(bits, words);
    if (value < bound) return value;
  }
}

/** A uniform integer of so many bits. */
export function uniformBits(bits: number, words: Words): bigint {
  if (bits > 4096) {
    // Halves, so that long integers are not shifted word by word.
    const lower = words.bits * Math.floor(bits / 2 / words.bits);
    const upper = uniformBits(bits - lower, words);
    return (upper << BigInt(lower)) | uniformBits(lower, words);
  }
  let value = 0n;
  let left = bits;
  while (left > 0) {
    const take = Math.min(left, words.bits);
    value = (value << BigInt(take)) | BigInt(words.next() >>> (words.bits - take));
    left -= take;
  }
  return value;
}

/** True with probability num / den, exactly. */
export function coin(num: bigint, den: bigint, words: Words): boolean {
  return uniformBelow(den, words) < num;
}
