// Figures 6 and 7 of [QHFL]: the optimal noise.

import { type Chart, type Section, tableFrom, withData } from './section.js';
import { mechanismsAt, paperInputs, points } from './setting.js';

export function optimalNoise(): Section {
  const { optimum } = mechanismsAt(paperInputs()[0]!.pmf, '2', 15);
  const chart: Chart = {
    name: 'fig6',
    kind: 'mass',
    title: 'Figure 6: the optimal noise, Gaussian input, ε = 2, m = 15',
    x: 'noise k, in steps',
    y: 'probability',
    series: [{ name: 'optimum', points: points(optimum.mechanism.pmf, -50, 50) }],
  };
  const table = tableFrom('fig6-value', [
    { W: optimum.value, 'proved lower bound': optimum.lowerBound, 'relative gap': optimum.gap },
  ]);
  return withData(
    'fig6',
    chart.title,
    [
      'A staircase with a first stair of its own width: every probability is the largest one times a power of e^−ε.',
    ],
    [chart],
    [table],
  );
}

export function optimaOfBoth(): Section {
  const found = paperInputs().map(({ name, pmf }) => ({ name, ...mechanismsAt(pmf, '2', 15) }));
  const charts = found.map(
    ({ name, entries }, i): Chart => ({
      name: `fig7-${i === 0 ? 'gaussian' : 'poisson'}`,
      kind: 'mass',
      title: `Figure 7: optimal noise for the ${name} input, ε = 2, m = 15`,
      x: 'noise k, in steps',
      y: 'probability',
      series: entries
        .filter(({ mechanism }) => mechanism === 'optimum' || mechanism === 'P2')
        .map(({ mechanism, pmf }) => ({ name: mechanism, points: points(pmf, -50, 50) })),
    }),
  );
  const table = tableFrom(
    'fig7-values',
    found.map(({ name, optimum, entries: [p1, p2] }) => ({
      input: name,
      'W of P1': p1!.w,
      'W of P2': p2!.w,
      'proved lower bound': optimum.lowerBound,
      'E|θ| of P1': p1!.meanAbs,
      'E|θ| of P2': p2!.meanAbs,
    })),
  );
  return withData(
    'fig7',
    'Figure 7: the optimal distributions for both inputs',
    [
      'P₁ is solved exactly; P₂ is the relaxation the paper solves, which does not depend on the input. Where the curves coincide, P₂ happens to be optimal.',
    ],
    charts,
    [table],
  );
}
