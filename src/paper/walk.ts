// The mean distance from 0 of a walk of n independent steps in {−1, 0, 1}: alike for records that are drawn, of chances of
// their own for records that are held.

/** Alike records, and the chances that one crosses a point upward and downward. */
export interface Crossing {
  readonly up: number;
  readonly down: number;
  readonly records: number;
}

/** E|S| for n steps, each +1 with probability up and −1 with probability down. */
export function meanAbsolute(up: number, down: number, n: number): number {
  return meanAbsoluteOf([{ up, down, records: n }]);
}

/**
 * The same where groups of steps have chances of their own: E|S| = 1/(2π)·∫ (1 − Re φ(t)) / (1 − cos t) dt over a
 * period, a trigonometric polynomial, which as many equidistant points as S has values integrate exactly.
 */
export function meanAbsoluteOf(groups: readonly Crossing[]): number {
  let [n, mean, spread, crossing] = [0, 0, 0, 0];
  for (const { up, down, records } of groups) {
    n += records;
    mean += records * (up - down);
    spread += records * (up + down - (up - down) ** 2);
    crossing += records * (up + down);
  }
  if (crossing > 5000) return foldedNormal(mean, Math.sqrt(spread));
  // So few that no two meet: good to a part in a million.
  if (crossing < 1e-6) return crossing;
  // As many points as |S| can have values, but for a chance below 1e-15.
  const points = Math.min(n, Math.ceil(crossing + 12 * Math.sqrt(crossing) + 40));
  let sum = mean * mean + spread;
  // The other half of the period mirrors this one.
  for (let j = 1; 2 * j <= points; j++) {
    const t = (2 * Math.PI * j) / points;
    const [less, sine] = [1 - Math.cos(t), Math.sin(t)];
    let [real, imaginary] = [1, 0];
    for (const { up, down, records } of groups) {
      // What is below the last digit of 1 changes nothing.
      if (records * (up + down) < 1e-18) continue;
      const [x, y] = power(1 - (up + down) * less, (up - down) * sine, records);
      [real, imaginary] = [real * x - imaginary * y, real * y + imaginary * x];
    }
    sum += ((2 * j < points ? 2 : 1) * (1 - real)) / less;
  }
  return sum / points;
}

/** (x + iy)^n, by squaring. */
function power(x: number, y: number, n: number): readonly [number, number] {
  let [real, imaginary] = [1, 0];
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) [real, imaginary] = [real * x - imaginary * y, real * y + imaginary * x];
    [x, y] = [x * x - y * y, 2 * x * y];
  }
  return [real, imaginary];
}

/** E|X| of a normal X, for sums of so many steps that nothing else is left of them. */
function foldedNormal(mean: number, deviation: number): number {
  if (deviation === 0) return Math.abs(mean);
  const z = mean / deviation;
  return deviation * Math.sqrt(2 / Math.PI) * Math.exp((-z * z) / 2) + mean * erf(z / Math.SQRT2);
}

/** [AS, 7.1.26], good to 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - poly * Math.exp(-x * x));
}
