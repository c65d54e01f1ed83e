// Figures 8 and 9 of [QHFL]: W of every mechanism against ε and against m.

import { type Chart, type Point, type Section, tableFrom, withData } from './section.js';
import { mechanismsAt, paperInputs } from './setting.js';
import { short } from './words.js';

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
        rows.push({ input: name, mechanism, ε: Number(epsilon), m, W: w, 'E|θ|': meanAbs });
        series.set(mechanism, [...(series.get(mechanism) ?? []), { x: at, y: w }]);
      }
    }
    return {
      name: `${id}-${i === 0 ? 'gaussian' : 'poisson'}`,
      kind: 'line',
      title: `${title}, ${name} input`,
      x,
      y: 'W, in data units',
      logY: true,
      series: [...series].map(([mechanism, found]) => ({ name: mechanism, points: found })),
    };
  });
  return withData(
    id,
    title,
    [
      "Laplacian with the exact scale m/ε and with the paper's (m + Δ)/ε, both staircases, the paper's optimum P₂ and the exact optimum P₁; and geometric noise, which is the noise with the least E|θ| at m = Δ.",
      floorCost(rows),
    ],
    charts,
    [tableFrom(`${id}-values`, rows, true)],
  );
}

/** What the floor costs: the Laplacian as in the paper beside one that is centred. */
function floorCost(rows: readonly Record<string, number | string>[]): string {
  const of = (mechanism: string) =>
    rows.filter((row) => row.mechanism === mechanism).map(({ W }) => Number(W));
  const [floored, centred] = [of('laplace'), of('laplace-centred')];
  const costs = floored.map((w, i) => w - centred[i]!);
  return `The floor(·) of Eq. 2 moves noise down by Δ/2 on average, so the Laplacian of the paper is off by Δ/2 = 0.5 where the centred one is not: its W is larger by ${short(Math.min(...costs))} to ${short(Math.max(...costs))} here, at the same ε.`;
}
