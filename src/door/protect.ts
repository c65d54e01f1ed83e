// A list of values with noise: the whole of it in one call.

import { design, parseObjective } from '../design/index.js';
import { invalid } from '../error/index.js';
import { indexOfText, latticeOf, type Mechanism, MOST_STEPS, textOfIndex } from '../mechanism/index.js';
import type { Prior } from '../prior/index.js';
import { entropySource, sampler } from '../random/index.js';
import { readPrior, readTarget, type TargetOptions } from './target.js';

/** Small whole numbers; wider ones are kept as doubles or as 64 bits. */
export type Small = Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array;
export type Wide = Uint32Array | Float32Array | Float64Array;
export type Long = BigInt64Array | BigUint64Array;
export type Values = readonly number[] | readonly bigint[] | Small | Wide | Long;

export interface ProtectOptions extends TargetOptions {
  /** What is publicly known of the values; the noise is the best for it. */
  readonly prior?: string | Prior | undefined;
}

/** As many values as went in, in the same order. */
export interface Protected<V> {
  readonly values: V;
  readonly mechanism: Mechanism;
}

/**
 * Every value with noise of its own, unbiased, and the mechanism: each value is another person's, and whoever changes theirs by up to
 * `adjacency` changes no probability by more than e^ε, and δ (proofs/release.md). Values are rounded to multiples of the step
 * first, and held within 2^53 steps; sums that do not fit the result saturate.
 *
 * @example const { values, mechanism } = protect(counts, { epsilon: 1, adjacency: 5 });
 */
export function protect(values: readonly number[] | Wide, options: ProtectOptions): Protected<number[]>;
export function protect(values: Small, options: ProtectOptions): Protected<Int32Array>;
export function protect(values: Long, options: ProtectOptions): Protected<BigInt64Array>;
export function protect(values: readonly bigint[], options: ProtectOptions): Protected<bigint[]>;
export function protect(
  values: Values,
  options: ProtectOptions,
): Protected<number[] | bigint[] | Int32Array | BigInt64Array>;
export function protect(values: Values, options: ProtectOptions): Protected<unknown> {
  const { target, step } = readTarget(options, ['prior']);
  if (!Array.isArray(values) && (!ArrayBuffer.isView(values) || values instanceof DataView))
    throw invalid(`values: expected an array or a typed array of numbers, got ${typeof values}`);
  if (holdsWhole(values) && step.den !== 1n)
    throw invalid('values: whole numbers cannot hold a fractional {step}; give an array of numbers');
  const lattice = latticeOf(step);
  // All are looked at before any noise is drawn.
  const indices = Array.from(values as Iterable<unknown>, (value, i) => indexOf(value, i));
  const prior = readPrior(options.prior, step);
  const objective = parseObjective(prior ? 'wasserstein' : 'magnitude', step);
  const { mechanism } = design(target, { objective, prior, unbiased: true, symmetric: false }, step);
  const noise = new BigInt64Array(indices.length);
  sampler(mechanism.pmf, entropySource(globalThis.crypto)).fill(noise, 'saturate');
  const sums = indices.map((index, i) => index + noise[i]!);
  return {
    values: inKind(
      values,
      sums.map((sum) => textOfIndex(sum, lattice)),
    ),
    mechanism,
  };

  function indexOf(value: unknown, i: number): bigint {
    const isNumber = typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value));
    if (!isNumber)
      throw invalid(
        `values: expected a number, got ${typeof value === 'number' || value === null ? value : typeof value} at position ${i}`,
      );
    if (value === Infinity || value === -Infinity) return value > 0 ? MOST_STEPS : -MOST_STEPS;
    return indexOfText(String(value), lattice)!;
  }
}

/** The decimals as an array of the kind that went in, wide enough for noise. */
function inKind(values: Values, decimals: readonly string[]): unknown {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array)
    return BigInt64Array.from(decimals, (text) => held(BigInt(text), 1n << 63n));
  if (!holdsWhole(values)) return decimals.map(Number);
  if (Array.isArray(values)) return decimals.map((text) => BigInt(text));
  return Int32Array.from(decimals, (text) => Number(held(BigInt(text), 1n << 31n)));
}

/** Is it of a kind that comes back as whole numbers? */
function holdsWhole(values: Values): boolean {
  if (Array.isArray(values)) return typeof values[0] === 'bigint';
  return ![Uint32Array, Float32Array, Float64Array].some((kind) => values instanceof kind);
}

/** Within a signed word whose sign bit is `limit`. */
function held(value: bigint, limit: bigint): bigint {
  return value < -limit ? -limit : value >= limit ? limit - 1n : value;
}
