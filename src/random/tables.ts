// The tables of a sampler: the first 64 binary digits of the probability of every outcome on a stretch of the lattice, as an alias
// table; what those digits leave over, and what lies outside the stretch, has outcomes of its own.

import type { Pmf } from '../pmf/index.js';
import { type AliasTable, aliasTable } from './alias.js';
import { chooseStretch, lowerDigits, type Stretch, windowOutside } from './digits.js';

export interface Size {
  /** Bits of a word: smaller ones make the tree of all draws small enough to walk. */
  readonly wordBits: number;
  readonly mostSlotBits: number;
}

export const FULL_SIZE: Size = { wordBits: 32, mostSlotBits: 18 };

/** A sampler's tables, which may serve several sources. */
export interface Tables {
  readonly pmf: Pmf;
  readonly stretch: Stretch;
  readonly table: AliasTable;
  /** Points on the stretch; the outcomes after them are left of it, right of it, and the digits' rest. */
  readonly points: number;
  readonly size: Size;
  /** The law of the distance beyond one end of the stretch, from 1 on. */
  readonly beyond: (side: 'left' | 'right') => Tables;
}

/** The tables of a mass function, whose law is exactly its own (proofs/sampler.md). */
export function makeTables(pmf: Pmf, size: Size = FULL_SIZE): Tables {
  const stretch = chooseStretch(pmf, 2 ** size.mostSlotBits - 3);
  const digits = lowerDigits(pmf, stretch, 2 * size.wordBits);
  const rest = (1n << BigInt(2 * size.wordBits)) - digits.reduce((a, b) => a + b, 0n);
  if (rest < 0n || stretch.low > stretch.high)
    throw new Error(`makeTables: the digits of a stretch from ${stretch.low} to ${stretch.high} exceed one`);
  const slotBits = Math.max(1, Math.ceil(Math.log2(digits.length + 1)));
  const table = aliasTable([...digits, rest], slotBits, size.wordBits);
  const made: { left?: Tables; right?: Tables } = {};
  const tables: Tables = {
    pmf,
    stretch,
    table,
    points: digits.length - 2,
    size,
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

/** The mass function beyond one end of the stretch as a law of its own, its first point at 1, outward. */
function outwardLaw(pmf: Pmf, stretch: Stretch, side: 'left' | 'right'): Pmf {
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
