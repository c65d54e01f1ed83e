// One exact draw: a word and a slot of the table, and in rare cases more words for further digits or for what lies outside.

import { lowerDigits } from './digits.js';
import type { Tables } from './tables.js';
import { uniformBelow, type Words } from './uniform.js';

/** One exact draw, in steps (proofs/sampler.md). */
export function drawOne(tables: Tables, words: Words): bigint {
  const { slot, side } = place(tables, words);
  return resolve(tables, slot, side, words);
}

/** One word: a slot, and on which side of the threshold's leading bits the draw falls. */
function place({ table }: Tables, words: Words): { slot: number; side: number } {
  const word = words.next();
  const shift = table.wordBits - table.slotBits;
  const slot = word >>> shift;
  return { slot, side: (word & (2 ** shift - 1)) - table.high[slot]! };
}

/** The value of a draw from its first word; the rare cases are here. */
export function resolve(tables: Tables, slot: number, side: number, words: Words): bigint {
  let [current, at] = [tables, { slot, side }];
  // Beyond an end of a stretch the value is that end and a distance outward, drawn from the law of what lies beyond.
  let [base, outward] = [0n, 1n];
  for (;;) {
    const { table, points, stretch } = current;
    const below = at.side === 0 ? words.next() < table.low[at.slot]! : at.side < 0;
    let outcome = below ? at.slot : table.alias[at.slot]!;
    if (outcome === points + 2) outcome = furtherDigits(current, words);
    if (outcome < points) return base + outward * BigInt(stretch.low + outcome);
    const toLeft = outcome === points;
    base += outward * BigInt(toLeft ? stretch.low : stretch.high);
    if (toLeft) outward = -outward;
    current = current.beyond(toLeft ? 'left' : 'right');
    at = place(current, words);
  }
}

/** From the digits that the table does not hold: level by level, each with its own integers. */
function furtherDigits({ pmf, stretch, size }: Tables, words: Words): number {
  const digits = 2 * size.wordBits;
  let known = lowerDigits(pmf, stretch, digits);
  for (let level = 2; ; level++) {
    const left = (1n << BigInt(digits * (level - 1))) - known.reduce((a, b) => a + b, 0n);
    const finer = lowerDigits(pmf, stretch, digits * level);
    let at = uniformBelow(left << BigInt(digits), words);
    for (let i = 0; i < known.length; i++) {
      const before = known[i]! << BigInt(digits);
      if (finer[i]! < before) finer[i] = before;
      const weight = finer[i]! - before;
      if (at < weight) return i;
      at -= weight;
    }
    known = finer;
  }
}
