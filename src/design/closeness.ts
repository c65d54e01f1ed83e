// KL(x ‖ x + θ) and JS(x, x + θ) as functions of the noise: sums of G_k(o_k) over the values k that the input has, convex in the
// output's mass o_k there, and linear in the mass that lies elsewhere. So a tangent at any output is a bound below that is linear in
// the noise (proofs/optimal-noise.md). In steps, in doubles.

import { invalid } from '../error/index.js';
import { jsTerm, klTerm, lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import type { Objective } from './objective.js';
import { convolve, type NoiseDoubles, suffixSums } from './transport.js';

export interface Closeness {
  /** One less than the points from the first to the last of the input's range. */
  readonly rows: number;
  /** What each noise value from −reach to reach costs by taking the input to where it has nothing, good to `error`. */
  elsewhere(reach: number): Costs;
  /** The output's masses on the input's range, of a noise on −reach … reach with a reach of at least `rows`. */
  output(noise: NoiseDoubles): Float64Array;
  /** Σ_k G_k(o_k) */
  value(output: Float64Array): number;
  /** The tangent there: Σ slope·o + constant is at most Σ_k G_k(o_k), whatever o; and how G bends. */
  tangent(output: Float64Array): Tangent;
  /** Of slopes, the cost of each noise value, good to `error`. */
  cost(slope: Float64Array, reach: number): Costs;
}

export interface Costs {
  readonly values: Float64Array;
  readonly error: number;
}

export interface Tangent {
  readonly slope: Float64Array;
  readonly bend: Float64Array;
  readonly constant: number;
}

/** Above the roundings of a term, relative to it; and of an output, relative to what the input has there. */
const SLACK = 2 ** -44;
const ROUNDING = 2 ** -50;

export function closenessOf(input: Pmf, { kl, js }: Pick<Objective, 'kl' | 'js'>): Closeness {
  if (input.left || input.right) throw invalid('closenessOf: expected an input without tails');
  const { p } = probabilities(input, input.from, lastIndex(input));
  const rows = p.length - 1;
  const mirrored = p.slice().reverse();
  const each = kl + (js * Math.LN2) / 2;
  const [toLeft, toRight] = [suffixSums(mirrored), suffixSums(p)];
  return {
    rows,
    elsewhere(reach) {
      // In a gap of the input, or beyond either end of it.
      const { sums, error } = convolve(
        mirrored,
        p.map((x) => (x === 0 ? 1 : 0)),
      );
      const values = new Float64Array(2 * reach + 1).fill(each);
      for (let j = -rows; j <= rows; j++) {
        const beyond = j > 0 ? toRight[rows + 1 - j]! : j < 0 ? toLeft[rows + 1 + j]! : 0;
        values[reach + j] = each * (beyond + sums[rows + j]!);
      }
      return { values, error: each * (error + 2 ** -50) };
    },
    output: ({ reach, p: noise }) =>
      convolve(p, noise.subarray(reach - rows, reach + rows + 1)).sums.slice(rows, 2 * rows + 1),
    value(output) {
      let sum = 0;
      for (let k = 0; k <= rows; k++) {
        const [x, o] = [p[k]!, output[k]!];
        if (x > 0) sum += kl * klTerm(x, o) + js * jsTerm(x, o);
      }
      return sum;
    },
    tangent(output) {
      const [slope, bend] = [new Float64Array(rows + 1), new Float64Array(rows + 1)];
      let constant = 0;
      for (let k = 0; k <= rows; k++) {
        const [x, o] = [p[k]!, output[k]!];
        if (x === 0) continue;
        const more = o - x;
        slope[k] = (kl * more) / o + (js / 2) * Math.log1p(more / (x + o));
        bend[k] = (kl * x) / o ** 2 + ((js / 2) * x) / (o * (x + o));
        const [at, along] = [kl * klTerm(x, o) + js * jsTerm(x, o), slope[k]! * o];
        constant += at - along - SLACK * (Math.abs(at) + Math.abs(along)) - ROUNDING ** 2 * x;
      }
      return { slope, bend, constant };
    },
    cost(slope, reach) {
      const values = new Float64Array(2 * reach + 1);
      const { sums, error } = convolve(mirrored, slope);
      values.set(sums, reach - rows);
      return { values, error };
    },
  };
}
