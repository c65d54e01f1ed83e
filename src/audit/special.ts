// Distribution functions behind the tests and bounds, in doubles: evidence about programs, not proofs.

/** P(χ² with `degrees` degrees of freedom ≥ x). */
export function chiSquareTail(x: number, degrees: number): number {
  if (x <= 0) return 1;
  return upperGamma(degrees / 2, x / 2);
}

/** Exact two-sided limits for a probability after `hits` in `trials` [Clopper-Pearson], each side at `error`. */
export function binomialLower(hits: number, trials: number, error: number): number {
  if (hits === 0) return 0;
  return solve((p) => incompleteBeta(p, hits, trials - hits + 1), error);
}

/** The upper limit likewise. */
export function binomialUpper(hits: number, trials: number, error: number): number {
  if (hits === trials) return 1;
  return solve((p) => incompleteBeta(p, hits + 1, trials - hits), 1 - error);
}

/** The regularised upper incomplete gamma function: series below a + 1, continued fraction above. */
function upperGamma(a: number, x: number): number {
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 100_000 && term > sum * 1e-17; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return Math.max(0, 1 - sum * scale);
  }
  // Lentz's method
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 100_000; n++) {
    const an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b || 1e-300);
    c = b + an / c || 1e-300;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return Math.min(1, h * scale);
}

/** The regularised incomplete beta function I_x(a, b). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front =
    Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a;
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1) || 1e-300)];
  let h = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d || 1e-300);
    c = 1 + even / c || 1e-300;
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d || 1e-300);
    c = 1 + odd / c || 1e-300;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return Math.min(1, front * h);
}

/** Stirling's series, shifted up to where it is accurate. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 15) shift += Math.log(z++);
  const series = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5) - 1 / (1680 * z ** 7);
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift;
}

/** The p in (0, 1) at which an increasing function reaches a value. */
function solve(increasing: (p: number) => number, value: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 200 && high - low > 1e-16 * high; i++) {
    const middle = (low + high) / 2;
    if (increasing(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
