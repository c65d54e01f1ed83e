// A pair that dominates several: the largest of their profiles at some points, joined by straight lines, which lie above all of them.

import { type Losses, UNIT } from './losses.js';

/** Points at which the profiles are compared. */
const NODES = 4_000;

/** A law whose C(x) = Σ max(0, P − x·Q) is at least that of each of these, at every x ≥ 0. */
export function dotted(laws: readonly Losses[]): Losses {
  const nodes = nodesOf(laws);
  const infinite = {
    lower: 0,
    upper: laws.reduce((most, law) => Math.max(most, law.infinite.upper), 0),
  };
  const off = laws.reduce((most, law) => Math.max(most, law.lossError), 0);
  // The values are sums that are carried from node to node.
  const rounding =
    8 * UNIT * (nodes.length + laws.reduce((most, { loss }) => Math.max(most, loss.length), 0) + 16);
  // Above all of them also where each is off by its errors: losses moved up, masses larger.
  const highest = nodes.map(() => 0);
  for (const law of laws) {
    const values = valuesAt(law, nodes);
    for (let k = 0; k < nodes.length; k++)
      highest[k] = Math.max(highest[k]!, values[k]! * (1 + law.massError + rounding));
  }
  const missing = laws.reduce((most, law) => Math.max(most, law.missing), 0);
  const top = 1 - Math.min(...laws.map(({ infinite: own }) => own.lower));
  return lawThrough(nodes, highest, { infinite, missing, top, off, rounding });
}

/** What is known of a law beside its values. */
export interface Beside extends Pick<Losses, 'infinite' | 'missing'> {
  /** The mass of its finite losses. */
  readonly top: number;
  /** No node is off by more than this, and no value by more than this part of itself. */
  readonly off: number;
  readonly rounding: number;
}

/** The law whose C(x), at the exponentials of ascending nodes, is at least these values without the infinite loss. */
export function lawThrough(
  nodes: readonly number[],
  values: readonly number[],
  { infinite, missing, top, off, rounding }: Beside,
): Losses {
  const mass = massesOf(nodes, values, top);
  // What rounding left out is put back: no value of ours is below what it must be.
  const law: Losses = {
    loss: Float64Array.from(nodes),
    mass: Float64Array.from(mass),
    finite: 1,
    infinite,
    missing,
    lossError: 0,
    massError: 0,
  };
  const found = valuesAt(law, nodes);
  let short = 2 * rounding;
  for (let k = 0; k < nodes.length - 1; k++)
    if (values[k]! > 0) short = Math.max(short, (values[k]! - found[k]!) / found[k]!);
  const masses = law.mass.map((p) => p * (1 + 2 * short));
  return {
    ...law,
    finite: masses.reduce((sum, p) => sum + p, 0),
    loss: law.loss.map((x) => x + off),
    mass: masses,
    massError: rounding,
  };
}

function nodesOf(laws: readonly Losses[]): number[] {
  const every = laws.flatMap(({ loss }) => [...loss]).sort((a, b) => a - b);
  const [low, high] = [every[0]!, every[every.length - 1]!];
  // Those that differ by rounding only are one.
  const all = every.filter(
    (x, i) => i === 0 || x - every[i - 1]! > 1e-12 * Math.max(Math.abs(low), Math.abs(high)),
  );
  if (all[all.length - 1] !== high) all[all.length - 1] = high;
  if (all.length <= NODES) return all;
  const kept: number[] = [low];
  // Never more apart than they are, and the ends are there.
  for (const x of all) if (x - kept[kept.length - 1]! >= (high - low) / NODES) kept.push(x);
  if (kept[kept.length - 1] !== high) kept.push(high);
  return kept;
}

/** C(e^x)·1 = Σ_{loss > x} mass·(1 − e^(x − loss)) at ascending x, each term by itself where that is close. */
function valuesAt({ loss, mass }: Losses, nodes: readonly number[]): number[] {
  const values = new Array<number>(nodes.length).fill(0);
  // From above: Σ mass·(1 − e^(x − loss)) follows from the sum at the node before, moved down.
  let [sum, rest, j] = [0, 0, loss.length - 1];
  let at = nodes[nodes.length - 1]!;
  for (let k = nodes.length - 1; k >= 0; k--) {
    const x = nodes[k]!;
    // Σ mass·(1 − e^(x − loss)) = Σ mass·(1 − e^(at − loss)) + Σ mass·e^(at − loss)·(1 − e^(x − at))
    sum += rest * -Math.expm1(x - at);
    rest *= Math.exp(x - at);
    for (; j >= 0 && loss[j]! > x; j--) {
      sum += mass[j]! * -Math.expm1(x - loss[j]!);
      rest += mass[j]! * Math.exp(x - loss[j]!);
    }
    values[k] = sum;
    at = x;
  }
  return values;
}

/** The masses at the nodes of the largest convex function, in e^x, that is nowhere above these values. */
function massesOf(nodes: readonly number[], values: readonly number[], top: number): number[] {
  // From the right, where it is 0: a stack of corners with rising slopes.
  const corners: { readonly k: number; readonly slope: number }[] = [];
  const slopeOf = (low: number, high: number) =>
    (values[low]! - values[high]!) / -Math.expm1(nodes[low]! - nodes[high]!) / Math.exp(nodes[high]!);
  for (let k = nodes.length - 1; k >= 0; k--) {
    while (
      corners.length >= 2 &&
      slopeOf(k, corners[corners.length - 1]!.k) < corners[corners.length - 1]!.slope
    )
      corners.pop();
    corners.push({ k, slope: corners.length === 0 ? 0 : slopeOf(k, corners[corners.length - 1]!.k) });
  }
  const mass = nodes.map(() => 0);
  // Beyond the first node the line goes to x = 0, where all the finite mass counts.
  for (let i = 0; i < corners.length; i++) {
    const { k, slope } = corners[i]!;
    const next = corners[i + 1]?.slope ?? (top - values[k]!) / Math.exp(nodes[k]!);
    mass[k] = Math.max(0, (next - slope) * Math.exp(nodes[k]!));
  }
  return mass;
}
