// Small (ε, δ) designs, many of them: how many are closed, and does any lose to a family of its own table?

import { alternatives, design, parseObjective } from '../dist/design/index.js';
import { parseDecimal } from '../dist/exact/index.js';
import { parsePrior } from '../dist/spec/index.js';
import { save } from './_report.mjs';

const step = { num: 1n, den: 1n };
const EPSILONS = ['0.5', '1', '2', '3', '5', '8'];
const DELTAS = ['1e-12', '1e-9', '1e-7', '1e-6', '1e-5', '1e-3', '1e-2', '0.1'];
const ADJACENCIES = [1, 2, 3, 5];
const PRIORS = [
  'poisson:rate=3',
  'gaussian:sigma=3',
  'poisson:rate=0.5',
  'gaussian:sigma=1',
  'poisson:rate=12',
];
/** A gap that counts as closed. */
const CLOSED = 1e-5;

/** Every so many problems only, for a quick look. */
const every = Number(process.env.DISCREET_EVERY ?? 1);
let number = 0;

function sweep(objective, prior) {
  const found = { problems: 0, closed: 0, unbounded: 0, lost: 0, seconds: 0 };
  for (const epsilon of EPSILONS)
    for (const delta of DELTAS)
      for (const adjacency of ADJACENCIES) {
        if (number++ % every !== 0) continue;
        const target = { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta), adjacency };
        const options = {
          objective: parseObjective(objective, step),
          prior,
          unbiased: false,
          symmetric: false,
        };
        const start = performance.now();
        const { value, gap } = design(target, options, step);
        found.seconds += (performance.now() - start) / 1000;
        found.problems++;
        if (gap <= CLOSED) found.closed++;
        else if (gap > 0.999) found.unbounded++;
        const others = alternatives(target, options, step).map((other) => other.value);
        const best = Math.min(...others);
        if (value > best * (1 + 1e-12)) found.lost++;
      }
  return found;
}

export async function run() {
  const rows = [];
  const add = (what, found) =>
    rows.push([
      what,
      found.problems,
      found.closed,
      found.unbounded,
      found.lost,
      `${found.seconds.toFixed(0)} s`,
    ]);
  const all = PRIORS.map((text) => sweep('wasserstein', parsePrior(text, step, {})));
  const sum = (key) => all.reduce((total, one) => total + one[key], 0);
  add('W, five priors', Object.fromEntries(Object.keys(all[0]).map((key) => [key, sum(key)])));
  for (const objective of ['magnitude', 'variance']) add(objective, sweep(objective, null));
  // A quick look is no result.
  if (every > 1) {
    process.stdout.write(`${rows.map((row) => row.join('  ')).join('\n')}\n`);
    return;
  }
  save(
    'design-sweep',
    'Small designs with δ > 0',
    ['objective', 'problems', `closed within ${CLOSED}`, 'no bound', 'lost to a family', 'time for all'],
    rows,
    [
      `ε = ${EPSILONS.join(', ')}; δ = ${DELTAS.join(', ')}; adjacency ${ADJACENCIES.join(', ')}; priors ${PRIORS.join(', ')}. Lost: a family of noise with the same guarantee has a lower value than the design.`,
    ],
  );
}
