// Columns with noise: what is added to each, what is done afterwards, and what it costs for one row.

import { type Cost, mechanismCost, written } from '../account/index.js';
import { invalid, quote } from '../error/index.js';
import { ceiling, divide, integer, multiply, toDecimal } from '../exact/index.js';
import { type Account, adjacencyOf, type Charge } from '../ledger/index.js';
import { type Finish, finishOf, type Lattice, latticeOf, type Mechanism } from '../mechanism/index.js';
import { MOST_ADJACENCY } from '../noise/index.js';
import type { Gain, Prior } from '../prior/index.js';
import { makeMechanisms } from './noise.js';
import { checkClaim } from './paid.js';
import type { ColumnRequest, NoiseRequest } from './request.js';

export interface ProtectedColumn {
  readonly name: string;
  readonly mechanism: Mechanism;
  readonly lattice: Lattice;
  readonly finish: Finish;
  /** What was known of the data when the noise was made. */
  readonly prior?: Prior | null;
  /** Where a prior was paid for first: what that was good for. */
  readonly gain?: Gain;
}

/** The columns to protect, and what goes with them. */
export interface Asked {
  readonly columns: readonly ColumnRequest[];
  /** For the columns without a mechanism. */
  readonly noise: NoiseRequest | null;
  readonly person: string | null;
  /** Columns that may leave as they are although something speaks against it. */
  readonly pass: readonly string[];
  /** Columns that do not leave at all; none where it is absent. */
  readonly drop?: readonly string[];
}

/** What is asked of columns, as far as it needs no ledger. */
export function checkColumns({ columns, noise, pass, drop = [] }: Asked): void {
  if (columns.length === 0) throw invalid('columns: expected a column to protect, as in {columns} visits');
  for (const [i, { name, mechanism }] of columns.entries()) {
    if (columns.findIndex((other) => other.name === name) !== i)
      throw invalid(`columns: ${quote(name)} is named twice`);
    if (pass.includes(name))
      throw invalid(`pass: ${quote(name)} is protected with {columns}; name it in one of the two`);
    if (mechanism === null && noise === null)
      throw invalid(`columns: expected a mechanism for ${quote(name)}, or {epsilon} to make one`);
    if (mechanism) checkClaim(mechanism, name);
  }
  checkDropped({ columns, passed: pass, dropped: drop });
}

/** A column leaves with its noise, as it is, or not at all. */
export function checkDropped({
  columns,
  passed = [],
  dropped = [],
}: {
  readonly columns: readonly { readonly name: string }[];
  readonly passed?: readonly string[];
  readonly dropped?: readonly string[] | undefined;
}): void {
  for (const name of dropped) {
    if (columns.some((column) => column.name === name))
      throw invalid(`drop: ${quote(name)} is protected with {columns}; name it in one of the two`);
    if (passed.includes(name))
      throw invalid(`drop: ${quote(name)} is with {pass} too; name it in one of the two`);
  }
}

/** The columns with their noise, made where it is not given. */
export function protectedColumns(
  { columns, noise }: Asked,
  { budget }: Account,
  rows: number,
): ProtectedColumn[] {
  const toMake = columns.filter(({ mechanism }) => mechanism === null).map(({ name }) => name);
  const made = toMake.length === 0 ? null : makeMechanisms(toMake, noise!, budget, rows);
  return columns.map(({ name, mechanism: given, clamp, roundTo }) => {
    const mechanism = given ?? made!.get(name)!;
    const lattice = latticeOf(mechanism.pmf.step);
    const prior = given ? null : noise!.prior(name);
    return { name, mechanism, lattice, finish: finishOf(lattice, clamp, roundTo), prior };
  });
}

/** A column's charge at the adjacency of the budget, or at the mechanism's own. */
export function chargeOf({ name, mechanism }: ProtectedColumn, { budget }: Account, hash: string): Charge {
  const { step } = mechanism.pmf;
  const distance = adjacencyOf(budget, name, multiply(integer(mechanism.adjacency), step));
  // Rounded up: values that are rounded to the lattice can be that far apart.
  const steps = ceiling(divide(distance, step));
  if (steps > BigInt(MOST_ADJACENCY))
    throw invalid(
      `columns ${name}: its adjacency ${toDecimal(distance)} is ${steps} steps of ${toDecimal(step)}; expected at most ${MOST_ADJACENCY}; use a mechanism with a larger step`,
    );
  const cost: Cost = mechanismCost(mechanism, Number(steps));
  return { on: name, mechanism: hash, adjacency: toDecimal(distance), ...written(cost) };
}
