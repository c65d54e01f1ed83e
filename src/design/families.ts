// Families of noise at a target, each calibrated and certified: what a design is compared with, and must not lose to.

import { isOurs } from '../error/index.js';
import { integer, multiply, type Rational, toDecimal } from '../exact/index.js';
import { type Certificate, calibrate, type Mechanism } from '../mechanism/index.js';
import { specOf, type Target } from '../noise/index.js';
import { parseFamily } from '../spec/index.js';

export interface Calibrated {
  readonly name: string;
  /** The calibrated noise. */
  readonly noise: string;
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
}

const PURE = ['laplace', 'geometric', 'staircase:width=5', 'staircase:width=20', 'geng-viswanath'] as const;
const APPROXIMATE = ['gaussian', 'discrete-gaussian'] as const;

let latest: { readonly key: string; readonly found: readonly Calibrated[] } | null = null;

/** A family that cannot meet the target, or not within its limits, is left out. */
export function familiesAt(target: Target, step: Rational): readonly Calibrated[] {
  const { epsilon, delta, adjacency } = target;
  const key = [epsilon, delta, step].map(({ num, den }) => `${num}/${den}`).join() + adjacency;
  if (latest?.key === key) return latest.found;
  const names = delta.num > 0n ? [...PURE, ...APPROXIMATE] : PURE;
  const found = names.flatMap((name): Calibrated[] => {
    const { family, values } = parseFamily(name);
    const own =
      family.name === 'geng-viswanath'
        ? { ...values, adjacency: toDecimal(multiply(integer(adjacency), step)) }
        : values;
    try {
      const { noise, mechanism, certificate } = calibrate(family, own, target, step);
      return [{ name, noise: specOf(noise), mechanism, certificate }];
    } catch (error) {
      if (isOurs(error)) return [];
      throw error;
    }
  });
  latest = { key, found };
  return found;
}
