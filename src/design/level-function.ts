// The best ε-DP noise for a linear cost, in a few passes over the window: every ε-DP noise is a mixture
// of level functions p(k) ∝ q^L(k), and the best of those is found by a recursion with one number a
// point (proofs/optimal-noise.md). Doubles throughout; `provesBound` rounds every step downward.

/** Beyond its edge a cost goes on as c(edge) + linear·i + square·i², i steps outward. */
export interface Growth {
  readonly linear: number;
  readonly square: number;
}

/** A cost on the window −reach … reach, and its growth beyond; the outermost `adjacency` points grow so already. */
export interface PointCosts {
  readonly reach: number;
  readonly values: Float64Array;
  readonly left: Growth;
  readonly right: Growth;
}

export interface LevelFunction {
  /** Σ cost·p for the normalised p. */
  readonly value: number;
  /** Levels on the window; beyond it they rise by one every `adjacency` points. */
  readonly levels: Int32Array;
  readonly passes: number;
}

/** Thrown where the window is too narrow: steady descent is not yet the best at its edge. */
export class NarrowWindow extends Error {}

/**
 * The least Σ cost·p over all noise p with p(i)·q ≤ p(j) for |i − j| ≤ adjacency; `start` is at least the
 * answer. An answer below `enough` is not driven to the end.
 */
export function bestLevelFunction(
  cost: PointCosts,
  adjacency: number,
  q: number,
  start: number,
  enough = -Infinity,
): LevelFunction {
  const { values } = cost;
  let value = start;
  let levels: Int32Array | null = null;
  // Dinkelbach: the best path at λ has a ratio of cost to mass below λ until λ is the least ratio.
  let passes = 0;
  while (passes < 200) {
    passes++;
    const [left, right] = bothSides(cost, adjacency, q, value, 0);
    let [cut, ratio] = [-1, Infinity];
    for (let k = adjacency; k <= values.length - adjacency; k++) {
      const at = ratioAt(left, values.length - k, right, k);
      if (at < ratio) [cut, ratio] = [k, at];
    }
    const next = value + ratio;
    if (levels !== null && !(next < value - 1e-11 * Math.max(Math.abs(start), Math.abs(value)))) break;
    levels = walk(left, right, cut, values.length, adjacency);
    if (!(next < value)) break;
    value = next;
    if (value < enough) break;
  }
  return { value, levels: levels!, passes };
}

/**
 * Is Σ cost·p at least `bound` for every noise p on the whole lattice with p(i)·q ≤ p(j) for |i − j| ≤
 * adjacency? True is a proof: every rounding goes downward. False is none.
 */
export function provesBound(cost: PointCosts, adjacency: number, q: number, bound: number): boolean {
  const [left, right] = bothSides(cost, adjacency, q, bound, SLACK);
  const count = cost.values.length;
  for (let k = adjacency; k <= count - adjacency; k++) {
    const [a, b] = [count - k, k];
    const top = Math.max(left.exponents[a]!, right.exponents[b]!);
    const x = left.values[a]! * shifted(left.exponents[a]! - top);
    const y = right.values[b]! * shifted(right.exponents[b]! - top);
    if (!(x + y >= SLACK * (Math.abs(x) + Math.abs(y)) + TINY)) return false;
  }
  return true;
}

/**
 * The value and mass of the best continuation outward from each position, free in a band of two levels
 * there; both times 2^(512·exponent), for they grow like q^−levels.
 */
interface Side {
  readonly values: Float64Array;
  readonly masses: Float64Array;
  readonly exponents: Int32Array;
  readonly choices: Uint8Array;
}

const LOW = 0;
const HIGH = 1;
const DOWN = 2;
const UP = 3;
/** Above the sum of a dozen roundings of relative size 2^−53. */
const SLACK = 2 ** -49;
/** Above anything lost to underflow. */
const TINY = 2 ** -900;
const BIG = 2 ** 400;

/** 2^(512·exponent) for an exponent of at most 0. */
function shifted(exponent: number): number {
  return exponent === 0 ? 1 : exponent === -1 ? 2 ** -512 : 0;
}

/** The left side is the right side of the mirrored cost. */
function bothSides(
  cost: PointCosts,
  adjacency: number,
  q: number,
  lambda: number,
  slack: number,
): readonly [Side, Side] {
  const mirrored = cost.values.slice().reverse();
  return [
    oneSide(mirrored, cost.left, adjacency, q, lambda, slack),
    oneSide(cost.values, cost.right, adjacency, q, lambda, slack),
  ];
}

function oneSide(
  cost: Float64Array,
  growth: Growth,
  m: number,
  q: number,
  lambda: number,
  slack: number,
): Side {
  const count = cost.length;
  const values = new Float64Array(count + 1);
  const masses = new Float64Array(count + 1);
  const exponents = new Int32Array(count + 1);
  const choices = new Uint8Array(count + 1);
  const tiny = slack > 0 ? TINY : 0;
  // Steady descent from the outermost points on, in closed form: Σ_b q^(b+1)·Σ_r (c + linear·i + square·i²).
  const gap = 1 - q;
  const [s0, s1, s2] = [q / gap, (q * q) / gap ** 2, (q * q * (1 + q)) / gap ** 3];
  const [n1, n2] = [(m * (m - 1)) / 2, ((m - 1) * m * (2 * m - 1)) / 6];
  if (Number.isNaN(cost[count - m]! - lambda)) throw new Error('level function: the cost is not a number');
  if (!(cost[count - m]! >= lambda) || growth.linear < 0 || growth.square < 0) throw new NarrowWindow();
  for (let k = count - m; k <= count; k++) {
    const beyond = k - (count - 1);
    const here =
      k < count ? cost[k]! : cost[count - 1]! + growth.linear * beyond + growth.square * beyond * beyond;
    const slope = growth.linear + 2 * growth.square * beyond;
    const constant = (here - lambda) * m + slope * n1 + growth.square * n2;
    const first = slope * m * m + 2 * growth.square * m * n1;
    const descent = constant * s0 + first * s1 + growth.square * m * m * m * s2;
    values[k] = descent - slack * 64 * Math.abs(descent) - tiny;
    masses[k] = m * s0;
    choices[k] = DOWN;
  }
  // Prefix sums in two doubles: the sum over a block has no cancellation left to speak of.
  const high = new Float64Array(count + 1);
  const low = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) {
    const [a, b] = [high[k]!, cost[k]!];
    const sum = a + b;
    const z = sum - a;
    high[k + 1] = sum;
    low[k + 1] = low[k]! + (a - (sum - z) + (b - z));
  }
  const lambdaM = lambda * m;
  for (let k = count - m - 1; k >= 0; k--) {
    const c = cost[k]! - lambda;
    const block = high[k + m]! - high[k]! + (low[k + m]! - low[k]!);
    const sum = block - lambdaM;
    const [e1, e2] = [exponents[k + 1]!, exponents[k + m]!];
    let e = e1 > e2 ? e1 : e2;
    let [v1, w1, v2, w2, f] = [values[k + 1]!, masses[k + 1]!, values[k + m]!, masses[k + m]!, 1];
    if (e > 0) {
      f = shifted(-e);
      if (e1 < e) {
        v1 *= shifted(e1 - e);
        w1 *= shifted(e1 - e);
      }
      if (e2 < e) {
        v2 *= shifted(e2 - e);
        w2 *= shifted(e2 - e);
      }
    }
    const [cf, sf] = [c * f, sum * f];
    let stay: number;
    let down: number;
    let up: number;
    if (slack > 0) {
      const sError = slack * (Math.abs(block) + Math.abs(lambdaM)) * f;
      const least = c - slack * (Math.abs(cost[k]!) + Math.abs(lambda));
      stay = (least < 0 ? least : q * least) * f + v1 - slack * (Math.abs(v1) + Math.abs(q * cf)) - tiny;
      down = q * (sf + v2) - q * sError - slack * q * Math.abs(v2) - tiny;
      up = sf + v2 / q - sError - (slack * Math.abs(v2)) / q - tiny;
    } else {
      stay = (c < 0 ? cf : q * cf) + v1;
      down = q * (sf + v2);
      up = sf + v2 / q;
    }
    let value = stay;
    let mass = (c < 0 ? f : q * f) + w1;
    let choice = c < 0 ? HIGH : LOW;
    if (down < value) {
      value = down;
      mass = q * (m * f + w2);
      choice = DOWN;
    }
    if (up < value) {
      value = up;
      mass = m * f + w2 / q;
      choice = UP;
    }
    if (mass > BIG) {
      value *= 2 ** -512;
      mass *= 2 ** -512;
      e++;
    }
    values[k] = value;
    masses[k] = mass;
    exponents[k] = e;
    choices[k] = choice!;
  }
  return { values, masses, exponents, choices };
}

function ratioAt(left: Side, a: number, right: Side, b: number): number {
  const top = Math.max(left.exponents[a]!, right.exponents[b]!);
  const x = shifted(left.exponents[a]! - top);
  const y = shifted(right.exponents[b]! - top);
  return (left.values[a]! * x + right.values[b]! * y) / (left.masses[a]! * x + right.masses[b]! * y);
}

/** The levels along the best choices on both sides of a cut; the lowest level is 0. */
function walk(left: Side, right: Side, cut: number, count: number, m: number): Int32Array {
  const levels = new Int32Array(count);
  const follow = ({ choices }: Side, from: number, write: (k: number, level: number) => void) => {
    let band = 0;
    for (let k = from; k < count; ) {
      const choice = choices[k]!;
      if (choice <= HIGH) {
        write(k, choice === HIGH ? band : band + 1);
        k++;
        continue;
      }
      const level = choice === DOWN ? band + 1 : band;
      for (let i = 0; i < m && k < count; i++, k++) write(k, level);
      band += choice === DOWN ? 1 : -1;
    }
  };
  follow(right, cut, (k, level) => {
    levels[k] = level;
  });
  follow(left, count - cut, (k, level) => {
    levels[count - 1 - k] = level;
  });
  const least = levels.reduce((a, b) => Math.min(a, b));
  for (let k = 0; k < count; k++) levels[k]! -= least;
  return levels;
}
