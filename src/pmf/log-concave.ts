// Noise whose probabilities are log-concave, by its two distribution functions in closed form: however wide, no window is needed.

import type { Enclosure, Rational } from '../exact/index.js';

export interface LogConcave {
  /** P(θ ≥ k), and P(θ ≤ k): where at most ½ to a relative width of about 2^−bits, or as far as they are known. */
  readonly above: (k: number, bits: number) => Enclosure;
  /** P(θ ≤ k), likewise. */
  readonly below: (k: number, bits: number) => Enclosure;
  /**
   * Are all of these known where they matter at an adjacency in steps, and are the counterparts of all but what is cut off within
   * the window that is compiled?
   */
  readonly covers: (adjacency: number) => boolean;
  /** About the first k, counted in the direction of the shift, with p(k) > e^ε·p(k + shift). */
  readonly near: (shift: number, epsilon: number) => number;
  /** Is p(k) > e^ε·p(k + shift)? Given where it can be told without probabilities. */
  readonly exceeds?: (k: number, shift: number, epsilon: Rational) => boolean;
}
