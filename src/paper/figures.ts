// Every table and figure of [QHFL], computed here, beside the exact and better results.

import { alternatives, design, parseGoal } from '../design/index.js';
import { parseDecimal, rational, toNumberNear } from '../exact/index.js';
import { guaranteeOf } from '../mechanism/index.js';
import { errorQuantile, moments, type Pmf, probabilities, standardDeviation } from '../pmf/index.js';
import { claimsSection, errataSection } from './claims.js';
import { judge, paperEstimates } from './estimate.js';
import { type Chart, type Point, type Section, type Table, tableOf } from './section.js';
import { furtherInputs, mechanismsAt, noiseOf, paperInputs, pmfOf, step } from './setting.js';
import { histogram, lawOf, type Simulation, summarise } from './simulate.js';

export interface Reproduction {
  /** Other inputs to try the optimum on. */
  readonly inputs: readonly { readonly name: string; readonly pmf: Pmf }[];
  readonly simulate: (simulation: Simulation) => Promise<Float64Array>;
}

type Builder = (context: Reproduction) => Section | Promise<Section>;

const EPSILONS = ['0.5', '1', '1.5', '2', '2.5', '3', '3.5', '4'];
const ADJACENCIES = [1, 2, 3, 5, 10, 15, 20, 25, 30, 40];

/** By name, in the order of the report. */
export const sections: Readonly<Record<string, Builder>> = {
  fig1: () => massSection('fig1', 'Figure 1: Gaussian noise', 'gaussian:sigma=10', 40),
  fig2: () => massSection('fig2', 'Figure 2: Laplacian noise', 'laplace:scale=7.5', 40),
  fig3: () =>
    massSection(
      'fig3',
      'Figure 3: Staircase noise',
      'staircase:width=5,ratio=0.5134171190325920',
      40,
      'stairs of five points, each ratio times as high as the one before.',
    ),
  fig4: () =>
    massSection('fig4', 'Figure 4: Uniform noise', 'uniform:low=-20,high=20', 30, 'all 41 points alike.'),
  fig5: () =>
    massSection(
      'fig5',
      'Figure 5: Exponential noise',
      'exponential:rate=0.2',
      30,
      'normalised; as the paper writes it, it does not sum to 1.',
    ),
  fig6: optimalNoise,
  table5: tableFive,
  fig7: optimaOfBoth,
  fig8: overEpsilon,
  fig9: overAdjacency,
  fig10: simulations,
  gain: gainOverRelaxation,
  delta: approximateOptimum,
  claims: claimsSection,
  errata: errataSection,
};

function points(pmf: Pmf, low: number, high: number): Point[] {
  const from = Math.min(low, pmf.from);
  const { p } = probabilities(pmf, from, Math.max(high, pmf.from + pmf.weights.length - 1));
  return Array.from({ length: high - low + 1 }, (_, i) => ({ x: low + i, y: p[low + i - from] ?? 0 }));
}

function withData(
  id: string,
  title: string,
  words: string[],
  charts: Chart[],
  tables: Table[] = [],
): Section {
  return { id, title, words, charts, tables: [...tables, ...charts.map(tableOf)] };
}

function massSection(
  id: string,
  title: string,
  text: string,
  reach: number,
  note = 'rounded down to the lattice as in the paper.',
): Section {
  const [family] = text.split(':');
  const { mean, meanAbsolute } = moments(pmfOf(text));
  const chart: Chart = {
    name: id,
    kind: 'mass',
    title,
    x: 'noise k, in steps',
    y: 'probability',
    series: [{ name: family!, points: points(pmfOf(text), -reach, reach) }],
  };
  const table: Table = {
    name: `${id}-moments`,
    header: ['noise', 'E θ', 'E|θ|'],
    rows: [[text, toNumberNear(mean), toNumberNear(meanAbsolute)]],
  };
  return withData(id, title, [`${text}; ${note}`], [chart], [table]);
}

function optimalNoise(): Section {
  const { optimum } = mechanismsAt(paperInputs()[0]!.pmf, '2', 15);
  const chart: Chart = {
    name: 'fig6',
    kind: 'mass',
    title: 'Figure 6: the optimal noise, Gaussian input, ε = 2, m = 15',
    x: 'noise k, in steps',
    y: 'probability',
    series: [{ name: 'optimum', points: points(optimum.mechanism.pmf, -50, 50) }],
  };
  const table: Table = {
    name: 'fig6-value',
    header: ['W', 'proved lower bound', 'relative gap'],
    rows: [[optimum.value, optimum.lowerBound, optimum.gap]],
  };
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

function tableFive(): Section {
  const sets: [string, number, number][] = [
    ['gaussian:sigma=10', 1, 21],
    ['gaussian:sigma=10', 5, 15],
    ['gaussian:sigma=10', 15, 30],
    ['gaussian:sigma=5', 15, 25],
    ['gaussian:sigma=2', 5, 10],
    ['laplace:scale=7.5', 15, 0],
    ['staircase:width=5,ratio=0.5', 15, 0],
    ['staircase:width=4,ratio=0.5', 15, 0],
    ['uniform:low=-20,high=20', 15, 0],
    ['exponential:rate=0.2', 15, 0],
  ];
  const rows = sets.flatMap(([text, m, cut]) => {
    const noise = noiseOf(text);
    const guarantee = guaranteeOf(noise, m);
    return paperEstimates(noise, m, rational(BigInt(cut))).map((estimate) => {
      const { source, epsilon, delta, exactDelta, verdict } = judge(estimate, guarantee);
      return [
        text,
        m,
        cut || null,
        source,
        toNumberNear(epsilon.upper),
        toNumberNear(delta.upper),
        exactDelta ? toNumberNear(exactDelta) : null,
        guarantee.pure ? toNumberNear(guarantee.pure.epsilonUpper) : null,
        verdict,
      ];
    });
  });
  // Where the Gaussian estimate promises more than there is.
  const map: { m: number; cut: number; sigma: number; verdict: string }[] = [];
  for (const sigma of [5, 10]) {
    const noise = noiseOf(`gaussian:sigma=${sigma}`);
    for (let m = 1; m <= 25; m += 3) {
      const guarantee = guaranteeOf(noise, m);
      for (let cut = 5; cut <= 50; cut += 5) {
        const [estimate] = paperEstimates(noise, m, rational(BigInt(cut)));
        map.push({ m, cut, sigma, verdict: judge(estimate!, guarantee).verdict });
      }
    }
  }
  const charts = [5, 10].map(
    (sigma): Chart => ({
      name: `table5-map-${sigma}`,
      kind: 'map',
      title: `Where Table V's Gaussian estimate is unsound, σ = ${sigma}`,
      x: 'adjacency m',
      y: "the paper's constant M",
      series: ['loose', 'tight', 'unsound', 'undefined'].map((verdict) => ({
        name: verdict,
        points: map
          .filter((one) => one.sigma === sigma && one.verdict === verdict)
          .map(({ m, cut }) => ({ x: m, y: cut })),
      })),
    }),
  );
  const unsound = map.filter(({ verdict }) => verdict === 'unsound').length;
  return withData(
    'table5',
    'Table V: what each mechanism guarantees',
    [
      "The paper's estimate, the exact δ at the estimated ε, the exact pure ε, and the verdict. Loose is safe but wasteful; unsound promises more privacy than there is; undefined is no guarantee at all.",
      `Of ${map.length} combinations of m, M and σ on the maps, the Gaussian estimate is unsound in ${unsound}.`,
    ],
    charts,
    [
      {
        name: 'table5',
        header: [
          'noise',
          'm',
          'M',
          'source',
          'paper ε',
          'paper δ',
          'exact δ at that ε',
          'exact pure ε',
          'verdict',
        ],
        rows,
      },
      { name: 'table5-map', header: ['combinations', 'unsound'], rows: [[map.length, unsound]] },
    ],
  );
}

function optimaOfBoth(): Section {
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
  const table: Table = {
    name: 'fig7-values',
    header: ['input', 'W of P1', 'W of P2', 'proved lower bound', 'E|θ| of P1', 'E|θ| of P2'],
    rows: found.map(({ name, optimum, entries: [p1, p2] }) => [
      name,
      p1!.w,
      p2!.w,
      optimum.lowerBound,
      p1!.meanAbs,
      p2!.meanAbs,
    ]),
  };
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

function curves(
  id: string,
  title: string,
  x: string,
  grid: readonly { epsilon: string; m: number; at: number }[],
): Section {
  const rows: (number | string)[][] = [];
  const charts = paperInputs().map(({ name, pmf }, i): Chart => {
    const series = new Map<string, Point[]>();
    for (const { epsilon, m, at } of grid) {
      for (const { mechanism, w, meanAbs } of mechanismsAt(pmf, epsilon, m).entries) {
        rows.push([name, mechanism, Number(epsilon), m, w, meanAbs]);
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
    [
      {
        name: `${id}-values`,
        header: ['input', 'mechanism', 'epsilon', 'm', 'W', 'E|θ|'],
        rows,
        hidden: true,
      },
    ],
  );
}

function overEpsilon(): Section {
  return curves(
    'fig8',
    'Figure 8: W against ε, m = 15',
    'ε',
    EPSILONS.map((epsilon) => ({ epsilon, m: 15, at: Number(epsilon) })),
  );
}

function overAdjacency(): Section {
  return curves(
    'fig9',
    'Figure 9: W against m, ε = 2',
    'adjacency m',
    ADJACENCIES.map((m) => ({ epsilon: '2', m, at: m })),
  );
}

async function simulations({ simulate }: Reproduction): Promise<Section> {
  const rows: (number | string)[][] = [];
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
          rows.push([
            name,
            mechanism,
            Number(epsilon),
            m,
            runs,
            mean,
            standardError,
            largest,
            least,
            expectation,
            population,
          ]);
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
    [
      {
        name: 'fig10-table',
        header: [
          'input',
          'mechanism',
          'ε',
          'm',
          'runs',
          'mean',
          '± (standard error)',
          'largest',
          'least',
          'expectation',
          'W of the distributions',
        ],
        rows,
      },
    ],
  );
}

function gainOverRelaxation({ inputs }: Reproduction): Section {
  const rows = furtherInputs(inputs).flatMap(({ name, pmf }) =>
    ['1', '2', '3', '4'].map((epsilon) => {
      const { optimum, entries } = mechanismsAt(pmf, epsilon, 15);
      const [p1, p2] = entries as [(typeof entries)[0], (typeof entries)[0]];
      return [
        name,
        Number(epsilon),
        p1.w,
        p2.w,
        Math.abs(1 - p1.w / p2.w) < 1e-9 ? 0 : 100 * (1 - p1.w / p2.w),
        p1.meanAbs,
        p2.meanAbs,
        p1.mean,
        standardDeviation(moments(p1.pmf)),
        toNumberNear(errorQuantile(p1.pmf, rational(95n, 100n))),
        optimum.gap,
      ];
    }),
  );
  const names = [...new Set(rows.map(([name]) => name as string))];
  const chart: Chart = {
    name: 'gain',
    kind: 'line',
    title: 'What solving P₁ exactly gains over P₂, m = 15',
    x: 'ε',
    y: 'per cent of W',
    series: names.map((name) => ({
      name,
      points: rows
        .filter((row) => row[0] === name)
        .map((row) => ({ x: row[1] as number, y: row[4] as number })),
    })),
  };
  return withData(
    'gain',
    'Beyond the paper: P₁ against its relaxation',
    [
      'P₂ minimises E|θ| and so does not see the input. The exact optimum trades some error of the record for a closer distribution; its bias E θ need not be 0.',
    ],
    [chart],
    [
      {
        name: 'gain-table',
        header: [
          'input',
          'ε',
          'W of P1',
          'W of P2',
          'gain in %',
          'E|θ| of P1',
          'E|θ| of P2',
          'bias of P1',
          'standard deviation of P1',
          '95 % of records off by at most',
          'gap',
        ],
        rows,
      },
    ],
  );
}

function approximateOptimum(): Section {
  const rows = (['0.5', '1', '2'] as const).flatMap((epsilon) =>
    ['1e-6', '1e-3'].map((delta) => {
      const target = { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta), adjacency: 5 };
      const wish = { goal: parseGoal('magnitude', step), prior: null, unbiased: false, symmetric: false };
      const found = design(target, wish, step);
      const pure = design({ ...target, delta: rational(0n) }, wish, step);
      const gaussian = alternatives(target, wish, step).find(({ name }) => name === 'discrete-gaussian');
      return [
        Number(epsilon),
        Number(delta),
        found.value,
        found.lowerBound,
        pure.value,
        gaussian?.value ?? null,
      ];
    }),
  );
  return {
    id: 'delta',
    title: 'Beyond the paper: the optimum under (ε, δ), m = 5',
    words: [
      'The least E|θ| with δ > 0, its proved lower bound, the pure optimum, and the discrete Gaussian calibrated to the same (ε, δ).',
    ],
    charts: [],
    tables: [
      {
        name: 'delta',
        header: ['ε', 'δ', 'E|θ| of the optimum', 'proved lower bound', 'pure optimum', 'discrete Gaussian'],
        rows,
      },
    ],
  };
}
