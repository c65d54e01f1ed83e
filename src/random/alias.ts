// Walker's alias table on integers [Walker; Vose]: 2^slotBits slots of equal capacity, each shared by at
// most two outcomes. One word picks a slot and, with its remaining bits, one side of the slot's
// threshold; only where they equal the threshold's leading bits a second word decides. All integers.

import { invalid } from '../error/index.js';

export interface AliasTable {
  readonly slotBits: number;
  readonly wordBits: number;
  /** Leading wordBits − slotBits bits of each threshold, and the outcome above it, side by side. */
  readonly slots: Int32Array;
  /** The following wordBits bits of the threshold; below it the outcome is the slot's own. */
  readonly low: Uint32Array;
}

/** A table for weights that sum to 4^wordBits; slotBits with 2^slotBits ≥ the number of outcomes. */
export function aliasTable(weights: readonly bigint[], slotBits: number, wordBits: number): AliasTable {
  const slots = 2 ** slotBits;
  const capacity = 1n << BigInt(2 * wordBits - slotBits);
  const threshold = new Array<bigint>(slots).fill(0n);
  const alias = new Int32Array(slots);
  const rest = Array.from({ length: slots }, (_, i) => weights[i] ?? 0n);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < slots; i++) (rest[i]! < capacity ? small : large).push(i);
  while (small.length > 0) {
    const slot = small.pop()!;
    const donor = large[large.length - 1];
    threshold[slot] = rest[slot]!;
    if (donor === undefined) throw invalid('aliasTable: expected weights that fill all slots exactly');
    alias[slot] = donor;
    rest[donor] = rest[donor]! - (capacity - rest[slot]!);
    if (rest[donor]! < capacity) {
      large.pop();
      small.push(donor);
    }
  }
  const sides = new Int32Array(2 * slots);
  const low = new Uint32Array(slots);
  const shift = BigInt(wordBits);
  const mask = (1n << shift) - 1n;
  for (let i = 0; i < slots; i++) {
    sides[2 * i] = Number(threshold[i]! >> shift);
    low[i] = Number(threshold[i]! & mask);
  }
  // A slot that is its owner's whole: both sides are the same outcome.
  for (const slot of large) {
    if (rest[slot] !== capacity) throw invalid('aliasTable: expected weights that fill all slots exactly');
    alias[slot] = slot;
  }
  for (let i = 0; i < slots; i++) sides[2 * i + 1] = alias[i]!;
  return { slotBits, wordBits, slots: sides, low };
}
