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

/** From the faintest promise to hardly any, for the least error. */
const WIDE = {
  epsilons: ['0.01', '0.05', '0.1', '0.5', '1', '2', '5', '20'],
  deltas: ['1e-9', '1e-6', '1e-3', '0.1'],
  adjacencies: [1, 5],
};

/** Far more steps, or values further apart, than others have; each objective and prior. */
const EXTREMES = [
  [
    'm = 100,000, E|θ|, ε = 1, δ = 1e-6',
    { epsilon: '1', delta: '1e-6', adjacency: 100_000 },
    'magnitude',
    null,
  ],
  [
    'two values at ±1,000,000, W, ε = 1, m = 5',
    { epsilon: '1', delta: '0', adjacency: 5 },
    'wasserstein',
    twoFar,
  ],
  [
    'two values at ±1,000,000, W, ε = 1, δ = 1e-6, m = 5',
    { epsilon: '1', delta: '1e-6', adjacency: 5 },
    'wasserstein',
    twoFar,
  ],
];

function twoFar() {
  const rows = ['-1000000', '1000000'].map((value) => ({ value, probability: '0.5' }));
  return parsePrior('table:two.csv', step, { table: () => rows });
}

function designed({ epsilon, delta, adjacency }, objective, prior) {
  const start = performance.now();
  const { value, gap } = design(
    { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta), adjacency },
    { objective: parseObjective(objective, step), prior, unbiased: false, symmetric: false },
    step,
  );
  return { value, gap, seconds: (performance.now() - start) / 1000 };
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
  const wide = WIDE.adjacencies.flatMap((adjacency) =>
    WIDE.epsilons.flatMap((epsilon) =>
      WIDE.deltas.map((delta) => ({
        point: `ε = ${epsilon}, δ = ${delta}, m = ${adjacency}`,
        ...designed({ epsilon, delta, adjacency }, 'magnitude', null),
      })),
    ),
  );
  const worst = wide.reduce((a, b) => (b.gap > a.gap ? b : a));
  const slowest = wide.reduce((a, b) => (b.seconds > a.seconds ? b : a));
  const extremes = EXTREMES.map(([what, target, objective, prior]) => ({
    what,
    ...designed(target, objective, prior && prior()),
  }));
  save(
    'design-wide',
    'Designs at the edges: every ε, δ and adjacency, and far values',
    ['what', 'problems', 'closed within 1e-6', 'largest gap', 'longest'],
    [
      [
        `E|θ|, ε = ${WIDE.epsilons.join(', ')}; δ = ${WIDE.deltas.join(', ')}; m = ${WIDE.adjacencies.join(', ')}`,
        wide.length,
        wide.filter(({ gap }) => gap <= 1e-6).length,
        `${worst.gap.toExponential(1)}, at ${worst.point}`,
        `${slowest.seconds.toFixed(1)} s, at ${slowest.point}`,
      ],
      ...extremes.map(({ what, gap, seconds }) => [
        what,
        1,
        gap <= 1e-6 ? 1 : 0,
        gap.toExponential(1),
        `${seconds.toFixed(1)} s`,
      ]),
    ],
    [],
  );
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
