// One exact draw: a word and a slot of the table, and in rare cases more words for further digits or for what lies outside.

import type { AliasTable } from './alias.js';
import type { Size, Tables } from './tables.js';
import { uniformBelow, type Words } from './uniform.js';

/** One exact draw, in steps (proofs/sampler.md). */
export function drawOne(tables: Tables, words: Words): bigint {
  return resolve(
    tables,
    place(tables.table, words),
    tables.blocks && place(tables.blocks.table, words),
    words,
  );
}

/** A slot, and on which side of the threshold's leading bits the draw falls. */
export interface Place {
  readonly slot: number;
  readonly side: number;
}

/** From one word. */
function place(table: AliasTable, words: Words): Place {
  const word = words.next();
  const shift = table.wordBits - table.slotBits;
  const slot = word >>> shift;
  return { slot, side: (word & (2 ** shift - 1)) - table.slots[2 * slot]! };
}

/** The value of a draw from its first word, or its first two where there are blocks; the rare cases are here. */
export function resolve(tables: Tables, first: Place, second: Place | null, words: Words): bigint {
  let [current, at, within] = [tables, first, second];
  // Beyond an end of a stretch the value is that end and a distance outward, drawn from the law of what lies beyond.
  let [base, outward] = [0n, 1n];
  for (;;) {
    const { points, stretch, blocks, digits, size } = current;
    const outcome = outcomeAt(current.table, at, points + 2, digits, size, words);
    if (outcome < points && !blocks) return base + outward * BigInt(stretch.low + outcome);
    if (outcome < points && blocks) {
      // The place is drawn for every outcome, so that all take the same steps.
      const inside = outcomeAt(blocks.table, within!, blocks.places, blocks.digits, size, words);
      return base + outward * blocks.valueAt(outcome, inside);
    }
    const toLeft = outcome === points;
    base += outward * BigInt(toLeft ? stretch.low : stretch.high);
    if (toLeft) outward = -outward;
    current = current.beyond(toLeft ? 'left' : 'right');
    at = place(current.table, words);
    within = current.blocks && place(current.blocks.table, words);
  }
}

/** The outcome of a slot and a side; `rest` is that of the digits that the table does not hold. */
function outcomeAt(
  table: AliasTable,
  { slot, side }: Place,
  rest: number,
  digits: (bits: number) => bigint[],
  size: Size,
  words: Words,
): number {
  const below = side === 0 ? words.next() < table.low[slot]! : side < 0;
  const outcome = below ? slot : table.slots[2 * slot + 1]!;
  return outcome === rest ? furtherDigits(digits, size, words) : outcome;
}

/** From the digits that the table does not hold: level by level, each with its own integers. */
function furtherDigits(lower: (bits: number) => bigint[], size: Size, words: Words): number {
  const digits = 2 * size.wordBits;
  let known = lower(digits);
  for (let level = 2; ; level++) {
    const left = (1n << BigInt(digits * (level - 1))) - known.reduce((a, b) => a + b, 0n);
    const finer = lower(digits * level);
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
