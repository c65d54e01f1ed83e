// A quick base-2 logarithm of a bigint, good to a few ulp: used to sort clear cases from close ones,
// never to decide a close one.

import { bitLength } from '../exact/index.js';

export function log2(value: bigint): number {
  if (value === 0n) return Number.NEGATIVE_INFINITY;
  const double = Number(value);
  if (double < 1e300) return Math.log2(double);
  const drop = bitLength(value) - 900;
  return Math.log2(Number(value >> BigInt(drop))) + drop;
}
