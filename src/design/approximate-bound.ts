// What no (ε, δ)-DP noise on the whole lattice can do better than, from the duals of the cells (proofs/approximate-noise.md).

import { Sum, type Twofold, twofold } from '../solve/index.js';
import { type ApproximateProblem, type Cells, cellsOfInput } from './cells.js';
import { costAt, slopeAt } from './objective.js';
import { type Transport, transportOf } from './transport.js';

/**
 * The Lagrangian bound on the whole lattice: for any y within ±1 and 0 ≤ z_s(j) ≤ budget_s, every (ε, δ)-DP
 * noise costs at least min_k [c_y(k) + Σ_s (z_s(k) − e^ε·z_s(k − s))] − δ·Σ_s budget_s, where z_s(j) belongs
 * to the row p(j) − e^ε·p(j + s), and δ is what was asked for, whatever δ the duals come from. Rounded downward.
 */
export function boundOf(problem: ApproximateProblem, cells: Cells): number {
  const { objective, prior, adjacency: m, epsilon, delta, asked } = problem;
  const { layout, tilt } = cells;
  const grain = m / layout.adjacency;
  const transport: Transport | null = prior ? transportOf(prior) : null;
  // Out to where nothing is passed on any more: what is falls, or grows, by e^ε every adjacency.
  const further = 64 * m + Math.min(MOST_FURTHER, Math.ceil((8 * m) / epsilon));
  const far = Math.ceil(layout.reach * grain) + further + (transport?.rows ?? 0);
  // Further out still the cost only grows, if the mean's dual does not outweigh it.
  if (Math.abs(tilt) / grain > slopeAt(objective, far)) return 0;
  const cost = costsOf(problem, cells, transport, far);
  // Beyond the noise's support the solver's z may mean nothing, or all that there is.
  const solved = cells.level - asked * cells.shifts.reduce((sum, { budget }) => sum + budget, 0);
  let best = 0;
  for (const part of SUPPORTS) {
    best = Math.max(best, boundFrom(problem, cells, cost, far, part * delta));
    if (best >= solved * (1 - CLOSE)) break;
  }
  return best;
}

/** Of δ: masses below which a point may count as outside of the support. */
const SUPPORTS = [1e-6, 0, 1e-2, 1e-4, 1e-9, 1e-12];
/** Near enough to what the solver says. */
const CLOSE = 1e-7;

/** Points beyond the layout at most. */
const MOST_FURTHER = 1_000_000;

/** With the solver's z where the noise has more than `least`; beyond, the least that keeps the bracket up is passed on outward. */
function boundFrom(
  problem: ApproximateProblem,
  cells: Cells,
  cost: Float64Array,
  far: number,
  least: number,
): number {
  const { growthUp, asked, adjacency: m } = problem;
  const { out, into, spent, low, high, shifts, isWhole } = onLattice(problem, cells, cost, far, least);
  const sum = new Sum();
  // What is summed is summed with twice a double's digits; only parts of a shift are rounded before.
  const [terms, parts] = [4 * shifts.length + 32, isWhole ? 0 : 2 ** -52];
  const bracket = (k: number) => {
    const [c, v, w] = [cost[far + k]!, out.high[far + k]!, into.high[far + k]!];
    sum
      .start(c)
      .add(v)
      .add(out.low[far + k]!);
    sum
      .addProduct(-growthUp, w)
      .addProduct(-growthUp, into.low[far + k]!)
      .settle();
    const rounded = 2 ** -52 * (4 * Math.abs(c) + Math.abs(sum.high)) + parts * growthUp * w;
    return sum.high - rounded - terms * 2 ** -96 * (v + growthUp * w);
  };
  let level = Infinity;
  for (let k = low; k <= high; k++) level = Math.min(level, bracket(k));
  for (const side of [1, -1]) {
    const outward = shifts
      .filter(({ shift }) => shift * side > 0)
      .sort((a, b) => Math.abs(b.shift) - Math.abs(a.shift));
    const left = outward.map(() => 0);
    for (let k = side > 0 ? high + 1 : low - 1; Math.abs(k) <= far - m; k += side) {
      let missing = (level - bracket(k)) * (1 + 2 ** -30);
      if (!(missing > 0)) continue;
      const solved = outward.map(({ at }) => at(k));
      const part = Math.min(1, missing / solved.reduce((total, v) => total + v, 0));
      // First as the solver does, then to where it is borne by the cost alone, and what is left as far out as may be.
      for (const way of ['solved', 'borne', 'far'] as const)
        for (const [i, { shift, budget }] of outward.entries()) {
          if (way === 'solved') left[i] = budget;
          if (!(missing > 0)) break;
          const to = far + k + shift;
          const room =
            way === 'far'
              ? Infinity
              : way === 'borne'
                ? (cost[to]! - level) / growthUp - into.high[to]!
                : part * solved[i]!;
          const v = Math.max(0, Math.min(left[i]!, missing, room));
          add(out, far + k, v);
          add(into, to, v);
          left[i]! -= v;
          missing -= v;
        }
    }
  }
  for (let k = -far; k <= far; k++) level = Math.min(level, bracket(k));
  return (level - asked * spent * (1 + 2 ** -40)) * (1 - 2 ** -50);
}

/** The cost of every lattice point from −far to far under the duals of W and of the mean, rounded down. */
function costsOf(
  { objective, symmetric, adjacency, prior }: ApproximateProblem,
  { layout, y, tilt }: Cells,
  transport: Transport | null,
  far: number,
): Float64Array {
  const grain = adjacency / layout.adjacency;
  const cost = Float64Array.from({ length: 2 * far + 1 }, (_, i) => costAt(objective, i - far));
  // Parts of either sign may cancel, their roundings do not.
  const include = (k: number, part: number) => {
    cost[far + k]! += part - 2 ** -50 * (Math.abs(part) + Math.abs(cost[far + k]!));
  };
  if (transport) {
    const { origin } = cellsOfInput(prior!.weights.length, grain);
    const fine = Float64Array.from({ length: transport.rows }, (_, k) =>
      dualBetween(y, (k - origin) / grain, (k + 1 - origin) / grain),
    );
    const { values, error } = transport.cost(grain === 1 ? y : fine, far);
    for (let k = -far; k <= far; k++)
      include(k, objective.wasserstein * (values[far + k]! - error * Math.abs(k)));
  }
  if (tilt !== 0) for (let k = -far; k <= far; k++) include(k, (tilt * k) / grain);
  if (symmetric)
    for (let k = 1; k <= far; k++) cost[far + k] = cost[far - k] = (cost[far + k]! + cost[far - k]!) / 2;
  return cost;
}

/** On average from one place to another, both in cells and at most one apart: constant between centres; outside −1 and 1. */
function dualBetween(y: Float64Array, from: number, to: number): number {
  const at = (cell: number) => (cell < 0 ? -1 : cell >= y.length ? 1 : y[cell]!);
  const cell = Math.floor(from);
  const part = Math.max(0, Math.min(1, (to - cell - 1) / (to - from)));
  return Math.max(-1, Math.min(1, (1 - part) * at(cell) + part * at(cell + 1)));
}

/** A shift's budget, and its duals by the cell or point where a row starts. */
interface ShiftDuals {
  readonly shift: number;
  readonly budget: number;
  readonly z: Float64Array;
}

/** On the lattice, by the point where a row starts; 0 where the cells end. */
interface LatticeDuals {
  readonly shift: number;
  readonly budget: number;
  at(k: number): number;
}

/**
 * The duals on the lattice, from `low` to `high`, summed up where their rows start and where they end. Between cells they are
 * interpolated; a shift that is no whole number of steps is shared by the two next to it.
 */
function onLattice(
  problem: ApproximateProblem,
  cells: Cells,
  cost: Float64Array,
  far: number,
  least: number,
) {
  const { adjacency: m } = problem;
  const { layout, p } = cells;
  const { adjacency, reach } = layout;
  const grain = m / adjacency;
  // The support, and the rows that start in it.
  let [first, last] = [-reach, reach];
  while (first < 0 && p[reach + first]! < least) first++;
  while (last > 0 && p[reach + last]! < least) last--;
  const [low, high] = [Math.ceil(first * grain), Math.floor(last * grain)];
  const [out, into] = [twofold(2 * far + 1), twofold(2 * far + 1)];
  let isWhole = true;
  const shifts: LatticeDuals[] = [];
  let spent = 0;
  for (const { shift, budget, z } of cellDuals(problem, cells, cost, far)) {
    spent += budget;
    const rest = (((shift * m) % adjacency) + adjacency) % adjacency;
    const [whole, part] = [(shift * m - rest) / adjacency, rest / adjacency];
    isWhole &&= part === 0;
    const at = (k: number) => {
      const cell = Math.floor((k * adjacency) / m);
      const along = (k * adjacency - cell * m) / m;
      if (cell < -reach || cell + (along > 0 ? 1 : 0) > reach) return 0;
      return along === 0 ? z[reach + cell]! : (1 - along) * z[reach + cell]! + along * z[reach + cell + 1]!;
    };
    shifts.push({ shift: whole, budget: budget * (1 - part), at: (k) => at(k) * (1 - part) });
    if (part > 0) shifts.push({ shift: whole + 1, budget: budget * part, at: (k) => at(k) * part });
    for (let k = low; k <= high; k++) {
      const v = at(k);
      if (v === 0) continue;
      add(out, far + k, v);
      add(into, far + k + whole, v * (1 - part));
      if (part > 0) add(into, far + k + whole + 1, v * part);
    }
  }
  return { out, into, spent, low, high, shifts, isWhole };
}

/** One more part of a sum, with what it rounds off. */
function add({ high, low }: Twofold, at: number, x: number): void {
  const sum = high[at]! + x;
  const part = sum - high[at]!;
  low[at]! += high[at]! - (sum - part) + (x - part);
  high[at] = sum;
}

/**
 * The duals of the cells within their bounds, for shifts both ways. Where cells are tied only sums of them are known: there those
 * of the largest shift are built afresh, inward, as what the bracket's level leaves to them.
 */
function cellDuals(
  { adjacency: m, growthUp, symmetric }: ApproximateProblem,
  { layout, level, shifts }: Cells,
  cost: Float64Array,
  far: number,
): ShiftDuals[] {
  const { adjacency, reach, from, to } = layout;
  const bounded = shifts.map(({ shift, budget, z }) => ({
    shift,
    budget,
    z: z.map((v) => Math.max(0, Math.min(budget, v))),
  }));
  const all = symmetric ? bothWays(bounded) : bounded;
  const costAtCell = (cell: number) => {
    const k = Math.floor((cell * m) / adjacency);
    const along = (cell * m - k * adjacency) / adjacency;
    return (1 - along) * cost[far + k]! + along * cost[far + k + 1]!;
  };
  for (const main of all.filter(({ shift }) => Math.abs(shift) === adjacency)) {
    const side = Math.sign(main.shift);
    for (let distance = to; distance > from; distance--) {
      const cell = side * distance;
      let [leaves, enters] = [0, 0];
      for (const { shift, z } of all) {
        leaves += z[reach + cell]!;
        if (shift !== main.shift && Math.abs(cell - shift) <= reach) enters += z[reach + cell - shift]!;
      }
      const v = (costAtCell(cell) - level + leaves) / growthUp - enters;
      main.z[reach + cell - main.shift] = Math.max(0, Math.min(main.budget, v));
    }
  }
  return all;
}

/** Symmetric noise has the same profile at ±s: half of a shift's duals either way. */
function bothWays(shifts: Cells['shifts']): ShiftDuals[] {
  return shifts.flatMap(({ shift, budget, z }) => {
    const halved = z.map((v) => v / 2);
    return [
      { shift, budget: budget / 2, z: halved },
      { shift: -shift, budget: budget / 2, z: halved.slice().reverse() },
    ];
  });
}
