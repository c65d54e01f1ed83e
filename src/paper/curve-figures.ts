// Figures 8 and 9 of [QHFL]: W of every mechanism against ε and against m.

import { type Chart, type Point, type Section, tableFrom, withData } from './section.js';
import { mechanismsAt, paperInputs } from './setting.js';

const EPSILONS = ['0.5', '1', '1.5', '2', '2.5', '3', '3.5', '4'];

const ADJACENCIES = [1, 2, 3, 5, 10, 15, 20, 25, 30, 40];

export function overEpsilon(): Section {
  return curves(
    'fig8',
    'Figure 8: W against ε, m = 15',
    'ε',
    EPSILONS.map((epsilon) => ({ epsilon, m: 15, at: Number(epsilon) })),
  );
}

export function overAdjacency(): Section {
  return curves(
    'fig9',
    'Figure 9: W against m, ε = 2',
    'adjacency m',
    ADJACENCIES.map((m) => ({ epsilon: '2', m, at: m })),
  );
}

function curves(
  id: string,
  title: string,
  x: string,
  grid: readonly { epsilon: string; m: number; at: number }[],
): Section {
  const rows: Record<string, number | string>[] = [];
  const charts = paperInputs().map(({ name, pmf }, i): Chart => {
    const series = new Map<string, Point[]>();
    for (const { epsilon, m, at } of grid) {
      for (const { mechanism, w, meanAbs } of mechanismsAt(pmf, epsilon, m).entries) {
        rows.push({ input: name, mechanism, epsilon: Number(epsilon), m, W: w, 'E|θ|': meanAbs });
        series.set(mechanism, [...(series.get(mechanism) ?? []), { x: at, y: w }]);
      }
    }
    return {
      name: `${id}-${i === 0 ? 'gaussian' : 'poisson'}`,
      kind: 'line',
      title: `${title}, ${name} input`,
      x,
      y: 'W, in data units (logarithmic scale)',
      logY: true,
      series: [...series].map(([mechanism, found]) => ({ name: mechanism, points: found })),
    };
  });
  return withData(
    id,
    title,
    [
      "Laplacian with the exact scale m/ε and with the paper's (m + Δ)/ε, both staircases, the paper's optimum P₂ and the exact optimum P₁.",
    ],
    charts,
    [tableFrom(`${id}-values`, rows, true)],
  );
}
