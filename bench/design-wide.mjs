// Designs at the edges: every ε, δ and adjacency for the least error, and far more steps or values further apart than others have.

import { design, parseObjective } from '../dist/design/index.js';
import { parseDecimal } from '../dist/exact/index.js';
import { parsePrior } from '../dist/spec/index.js';
import { save } from './_report.mjs';

const step = { num: 1n, den: 1n };

/** From the faintest promise to hardly any, for the least error. */
const WIDE = {
  epsilons: ['0.01', '0.05', '0.1', '0.5', '1', '2', '5', '20'],
  deltas: ['1e-9', '1e-6', '1e-3', '0.1'],
  adjacencies: [1, 5],
};

/** Far more steps, or values further apart, than others have; each objective and prior. */
const EXTREMES = [
  [
    'm = 100,000, E\\|θ\\|, ε = 1, δ = 1e-6',
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
        `E\\|θ\\|, ε = ${WIDE.epsilons.join(', ')}; δ = ${WIDE.deltas.join(', ')}; m = ${WIDE.adjacencies.join(', ')}`,
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
}
