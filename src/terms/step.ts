// A step that leaves next to nothing of a column is a slip, mostly that of a step which was meant for another column.

import { invalid } from '../error/index.js';
import { ceiling, compare, divide, floor, type Rational, toDecimal } from '../exact/index.js';
import type { Step } from './request.js';

/** Fewer values are a yes or no. */
const LEAST_VALUES = 3n;

/** What is known of a column's values. */
export interface Reach {
  /** How far a record may move. */
  readonly adjacency?: Rational;
  /** The lowest and the highest value there can be. */
  readonly range?: { readonly low: Rational; readonly high: Rational };
  /** Is it the only column there is, so that steps name none? */
  readonly alone?: boolean;
}

/** Refuse a step above the adjacency, or with fewer than three values in the range, unless it was said for this very column. */
export function checkStep(
  column: string,
  { value, own }: Step,
  { adjacency, range, alone = false }: Reach,
): void {
  if (own) return;
  const [name, step] = [JSON.stringify(column), toDecimal(value)];
  const meant = `name a smaller one, or where this is meant, say {step} ${alone ? '' : `${column}=`}${step}`;
  if (adjacency && compare(value, adjacency) > 0)
    throw invalid(
      `step: expected at most ${toDecimal(adjacency)}, as far as a record may move in ${name}, got ${step}; ${meant}`,
    );
  // A range of nothing is refused as that.
  if (!range || compare(range.low, range.high) >= 0) return;
  const values = floor(divide(range.high, value)) - ceiling(divide(range.low, value)) + 1n;
  if (values < LEAST_VALUES)
    throw invalid(
      `step: expected at least ${LEAST_VALUES} values of ${name} from ${toDecimal(range.low)} to ${toDecimal(range.high)}, got ${values} at the step ${step}; ${meant}`,
    );
}
