// Figure 10 of [QHFL]: simulated runs, and the law behind them.

import { lawOf } from './law.js';
import { type Chart, type Reproduction, type Section, tableFrom, withData } from './section.js';
import { mechanismsAt, paperInputs } from './setting.js';
import { histogram, summarise } from './simulate.js';

export async function simulations({ simulate }: Reproduction): Promise<Section> {
  const rows: Record<string, number | string>[] = [];
  const charts: Chart[] = [];
  const shown = ['optimum', 'laplace', 'staircase:width=5', 'staircase:width=20'];
  for (const [epsilon, m] of [
    ['2', 15],
    ['4', 15],
    ['2', 5],
  ] as const) {
    for (const { name, pmf } of paperInputs()) {
      const { entries } = mechanismsAt(pmf, epsilon, m);
      for (const { mechanism, pmf: noise } of entries.filter((one) => shown.includes(one.mechanism))) {
        const seed = `fig10 ${name} ${mechanism} ${epsilon} ${m}`;
        const simulation = { input: pmf, noise, records: 100, runs: 10_000, seed };
        const { population, expectation } = lawOf(simulation);
        const many = await simulate(simulation);
        // The first hundred runs are the paper's hundred.
        for (const distances of [many.slice(0, 100), many]) {
          const { mean, standardError, least, largest } = summarise(distances);
          const runs = distances.length;
          rows.push({
            input: name,
            mechanism,
            ε: Number(epsilon),
            m,
            runs,
            mean,
            '± (standard error)': standardError,
            largest,
            least,
            expectation,
            'W of the distributions': population,
          });
          if (epsilon !== '4' || !name.startsWith('Gaussian') || !['optimum', 'laplace'].includes(mechanism))
            continue;
          charts.push({
            name: `fig10-${mechanism}-${runs}`,
            kind: 'bars',
            title: `Figure 10: ${runs.toLocaleString('en')} runs of 100 records, ${mechanism === 'optimum' ? 'the optimum' : 'Laplacian'}, Gaussian σ = 10, ε = 4, m = 15`,
            x: 'empirical W, in data units',
            y: 'runs',
            series: [
              {
                name: mechanism,
                points: histogram(distances, 24, [0.2, 3]).map(({ from, to, count }) => ({
                  x: (from + to) / 2,
                  y: count,
                })),
              },
            ],
            marks: [
              { name: 'mean of the runs', x: mean },
              { name: 'its expectation', x: expectation },
              { name: 'W of the distributions', x: population },
            ],
          });
        }
      }
    }
  }
  return withData(
    'fig10',
    'Figure 10: simulated runs',
    [
      'Average, largest and least empirical W between 100 input records and the same records with noise, over 100 runs as in the paper and over 10,000.',
      'The empirical W is biased upward: its expectation at 100 records stands beside the W of the distributions, so that luck (mean against expectation), bias (expectation against W) and law (W) can be told apart.',
    ],
    charts,
    [tableFrom('fig10-table', rows)],
  );
}
