// A vector each of whose coordinates gets noise of its own. Neighbours differ in one coordinate, so what a vector loses is what its
// worst coordinate loses: sup over i ∈ V [QHFL, Theorems 1 and 2]. Which one that is may change with ε.

import { invalid } from '../error/index.js';
import { compare, type Rational } from '../exact/index.js';
import type { Guarantee } from './guarantee.js';

/** A figure, and the coordinate that has it, from 0 on. */
export interface Worst<Value> {
  readonly value: Value;
  readonly coordinate: number;
}

export interface VectorGuarantee {
  /** Null where some coordinate is not ε-DP with δ = 0 for any ε: then that one's number is beside it. */
  readonly pure: Worst<Rational | null>;
  readonly deltaAt: (epsilon: Rational) => Worst<Rational>;
  /** Null where no ε suffices. */
  readonly epsilonAt: (delta: Rational) => Worst<Rational | null>;
}

export function vectorOf(coordinates: readonly Guarantee[]): VectorGuarantee {
  if (coordinates.length === 0) throw invalid('noise: expected at least one coordinate, got none');
  const worst = <Value extends Rational | null>(of: (one: Guarantee) => Value): Worst<Value> =>
    coordinates
      .map((one, coordinate) => ({ value: of(one), coordinate }))
      .reduce((most, own) => (isWorse(own.value, most.value) ? own : most));
  return {
    pure: worst(({ pure }) => pure && pure.epsilonUpper),
    deltaAt: (epsilon) => worst((one) => one.deltaAt(epsilon)),
    epsilonAt: (delta) => worst((one) => one.epsilonAt(delta)),
  };
}

/** No figure at all is worse than any. */
function isWorse(own: Rational | null, than: Rational | null): boolean {
  return than !== null && (own === null || compare(own, than) > 0);
}
