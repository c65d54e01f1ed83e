// How rough a distribution is: Σ (a − 2b + c)² / (a + 2b + c) over neighbours. Nothing where masses lie on a line, the same share of
// them wherever they are, and convex, being squares over lines: a likelihood less this has one maximum.

export interface Roughness {
  readonly value: number;
  readonly gradient: Float64Array;
  /** The second derivative, a band: entry 3k + d belongs to k and k − d. */
  readonly band: Float64Array;
}

export function roughnessOf(masses: Float64Array): Roughness {
  const n = masses.length;
  const gradient = new Float64Array(n);
  const band = new Float64Array(3 * n);
  let value = 0;
  for (let k = 1; k + 1 < n; k++) {
    const [a, b, c] = [masses[k - 1]!, masses[k]!, masses[k + 1]!];
    const sum = a + 2 * b + c;
    const ratio = (a - 2 * b + c) / sum;
    value += ratio * ratio * sum;
    // The derivatives by a and by c are alike, u; by b it is v.
    const [u, v] = [2 * ratio - ratio * ratio, -4 * ratio - 2 * ratio * ratio];
    gradient[k - 1]! += u;
    gradient[k]! += v;
    gradient[k + 1]! += u;
    // 2 / sum · mᵀm with m = (1, −2, 1) − ratio·(1, 2, 1).
    const [outer, inner, factor] = [1 - ratio, -2 - 2 * ratio, 2 / sum];
    band[3 * (k - 1)]! += factor * outer * outer;
    band[3 * k]! += factor * inner * inner;
    band[3 * (k + 1)]! += factor * outer * outer;
    band[3 * k + 1]! += factor * inner * outer;
    band[3 * (k + 1) + 1]! += factor * inner * outer;
    band[3 * (k + 1) + 2]! += factor * outer * outer;
  }
  return { value, gradient, band };
}
