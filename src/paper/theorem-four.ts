// The objective of P₁ as [QHFL, Theorem 4] writes it: W₁ = Σ_k |p_xᵀ M_k p_θ|, by its matrices and nothing else.

import { toNumberNear } from '../exact/index.js';
import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';

/** How far beyond the window of the noise its tails are counted, in steps. */
const REACH = 200;

/** M_k has 1 for x ≤ k less 1 for x + θ ≤ k, in the row of x and the column of θ. */
export function distanceByMatrices(input: Pmf, noise: Pmf): number {
  const px = probabilities(input, input.from, lastIndex(input)).p;
  const [first, last] = [noise.from - REACH, lastIndex(noise) + REACH];
  const pn = probabilities(noise, first, last).p;
  let sum = 0;
  for (let k = input.from + first; k < lastIndex(input) + last; k++) {
    let product = 0;
    for (let i = 0; i < px.length; i++) {
      const x = input.from + i;
      let row = 0;
      for (let j = 0; j < pn.length; j++) {
        const entry = (x <= k ? 1 : 0) - (x + first + j <= k ? 1 : 0);
        if (entry !== 0) row += entry * pn[j]!;
      }
      product += px[i]! * row;
    }
    sum += Math.abs(product);
  }
  return sum * toNumberNear(input.step);
}
