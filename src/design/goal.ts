// What a design minimises: a weighted sum of W(x, x + θ), E|θ|, E θ² and P(|θ| > t), all in steps.

export interface Goal {
  readonly wasserstein: number;
  readonly magnitude: number;
  readonly variance: number;
  readonly tails: readonly { readonly beyond: number; readonly weight: number }[];
}

/** The cost of a noise value, W aside. */
export function costAt({ magnitude, variance, tails }: Goal, value: number): number {
  const k = Math.abs(value);
  let cost = magnitude * k + variance * k * k;
  for (const { beyond, weight } of tails) if (k > beyond) cost += weight;
  return cost;
}
