// Terms of divergences, each at least 0 and accurate where two masses are nearly alike: their sums over all values are KL and JS.

/** Below it the logarithm's series is more accurate than what is left of a difference. */
const SMALL = 1e-3;

/** p·log(p / q) − p + q: what is added sums to 0 over two mass functions. */
export function klTerm(p: number, q: number): number {
  if (p === 0) return q;
  if (q === 0) return Infinity;
  const u = (q - p) / p;
  // u − log(1 + u)
  if (Math.abs(u) < SMALL)
    return p * u * u * (1 / 2 - u * (1 / 3 - u * (1 / 4 - u * (1 / 5 - u * (1 / 6 - u / 7)))));
  // Where one is next to nothing beside the other, u does not tell them apart.
  return Math.abs(u) < 1 / 2 ? p * (u - Math.log1p(u)) : q - p - p * (Math.log(q) - Math.log(p));
}

/** ½·p·log(2p / (p + q)) + ½·q·log(2q / (p + q)) */
export function jsTerm(p: number, q: number): number {
  if (p === 0 || q === 0) return ((p + q) * Math.LN2) / 2;
  const d = (q - p) / (p + q);
  // (1 + d)·log(1 + d) + (1 − d)·log(1 − d)
  const square = d * d;
  if (Math.abs(d) < SMALL)
    return ((p + q) * square * (1 + square * (1 / 6 + square * (1 / 15 + square / 28)))) / 4;
  if (Math.abs(d) < 1 / 2) return ((p + q) * ((1 + d) * Math.log1p(d) + (1 - d) * Math.log1p(-d))) / 4;
  return (p * Math.log((2 * p) / (p + q)) + q * Math.log((2 * q) / (p + q))) / 2;
}
