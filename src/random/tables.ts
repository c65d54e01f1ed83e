// The tables of a sampler: the first 64 binary digits of the probability of every outcome on a stretch of the lattice, as an alias
// table; what those digits leave over, and what lies outside the stretch, has outcomes of its own.

import type { Pmf } from '../pmf/index.js';
import { type AliasTable, aliasTable } from './alias.js';
import { chooseStretch, isCovered, lowerDigits, type Stretch, windowOutside } from './digits.js';
import { splitOf } from './split.js';

export interface Size {
  /** Bits of a word: smaller ones make the tree of all draws small enough to walk. */
  readonly wordBits: number;
  readonly mostSlotBits: number;
  /** The same where there are no tails. */
  readonly mostWindowBits?: number;
  /** The same of either table, where blocks and places have one each. */
  readonly mostSplitBits?: number;
}

export const FULL_SIZE: Size = { wordBits: 32, mostSlotBits: 18, mostWindowBits: 20, mostSplitBits: 17 };

/** A sampler's tables, which may serve several sources. */
export interface Tables {
  readonly pmf: Pmf;
  readonly stretch: Pick<Stretch, 'low' | 'high'>;
  readonly table: AliasTable;
  /** Outcomes on the stretch; those after them are left of it, right of it, and the digits' rest. */
  readonly points: number;
  readonly size: Size;
  /** Lower bounds on 2^bits times the probability of every outcome but the rest. */
  readonly digits: (bits: number) => bigint[];
  /** Where an outcome may be a block of the lattice: which, and the law of the place in it. */
  readonly blocks: Blocks | null;
  /** The law of the distance beyond one end of the stretch, from 1 on. */
  readonly beyond: (side: 'left' | 'right') => Tables;
}

/** Outcomes are the points of the window, then blocks to the right of it, then blocks to the left, each from the window outward. */
export interface Blocks {
  readonly block: number;
  readonly rights: number;
  /** In steps. */
  readonly valueAt: (outcome: number, place: number) => bigint;
  readonly table: AliasTable;
  readonly places: number;
  /** Of the places in a block. */
  readonly digits: (bits: number) => bigint[];
}

/** The tables of a mass function, whose law is exactly its own (proofs/sampler.md). */
export function makeTables(pmf: Pmf, size: Size = FULL_SIZE): Tables {
  const isWindow = !pmf.left && !pmf.right;
  const most = 2 ** (isWindow ? (size.mostWindowBits ?? size.mostSlotBits) : size.mostSlotBits) - 3;
  const whole = chooseStretch(pmf, most);
  // Tails that reach further than a table are split into blocks and places.
  const split = isCovered(pmf, whole)
    ? null
    : splitOf(pmf, Math.min(most, 2 ** (size.mostSplitBits ?? size.mostSlotBits) - 3));
  const stretch = split ?? whole;
  const digits = split ? split.outer : (bits: number) => lowerDigits(pmf, whole, bits);
  const { table, outcomes } = tableOf(digits, size);
  const inner = split && tableOf(split.inner, size);
  const made: { left?: Tables; right?: Tables } = {};
  const tables: Tables = {
    pmf,
    stretch,
    table,
    points: outcomes - 2,
    size,
    digits,
    blocks: split &&
      inner && {
        block: split.block,
        rights: split.rights,
        valueAt: split.valueAt,
        table: inner.table,
        places: inner.outcomes,
        digits: split.inner,
      },
    beyond: (side) => {
      made[side] ??= tablesBeyond(side);
      return made[side];
    },
  };
  // A tail is its own continuation: one table serves for all that follows.
  const tablesBeyond = (side: 'left' | 'right'): Tables => {
    const law = outwardLaw(pmf, stretch, side);
    return isSame(law, pmf) ? tables : makeTables(law, size);
  };
  return tables;
}

/** The alias table of the first digits, with what they leave over as the last outcome. */
function tableOf(
  digits: (bits: number) => bigint[],
  { wordBits }: Size,
): { table: AliasTable; outcomes: number } {
  const first = digits(2 * wordBits);
  const rest = (1n << BigInt(2 * wordBits)) - first.reduce((a, b) => a + b, 0n);
  if (rest < 0n) throw new Error('makeTables: the digits of a law exceed one');
  const slotBits = Math.max(1, Math.ceil(Math.log2(first.length + 1)));
  return { table: aliasTable([...first, rest], slotBits, wordBits), outcomes: first.length };
}

/** The mass function beyond one end of the stretch as a law of its own, its first point at 1, outward. */
function outwardLaw(pmf: Pmf, stretch: Pick<Stretch, 'low' | 'high'>, side: 'left' | 'right'): Pmf {
  const rest = windowOutside(pmf, stretch, side);
  const tail = pmf[side];
  const law = (weights: readonly bigint[]): Pmf => ({
    step: pmf.step,
    from: 1,
    weights,
    left: null,
    right: tail,
  });
  if (!tail || rest.length >= tail.period) return law(rest);
  const block =
    side === 'left' ? pmf.weights.slice(0, tail.period).reverse() : pmf.weights.slice(-tail.period);
  if (rest.length === 0) return law(block);
  // Less than a period of the window is left: write out the tail's first one.
  const { num, den } = tail.ratio;
  return law([...rest.map((weight) => weight * den), ...block.map((weight) => weight * num)]);
}

function isSame(a: Pmf, b: Pmf): boolean {
  return (
    a.from === b.from &&
    a.left === b.left &&
    a.right === b.right &&
    a.weights.length === b.weights.length &&
    a.weights.every((weight, i) => weight === b.weights[i])
  );
}
