// Figure 10 of [QHFL]: simulated runs, the law behind them, and the claims on them.

import { lookOf } from '../plot/index.js';
import { type Chart, type Reproduction, type Section, type Table, tableFrom, withData } from './section.js';
import { histogram, summarise } from './simulate.js';
import {
  allRuns,
  COMPARED,
  type Compared,
  type Outcome,
  PAPER_RUNS,
  RECORDS,
  RUNS,
  type Setting,
  shareOfRuns,
} from './simulated-runs.js';
import { OTHERS, simulationClaims, VAST } from './simulation-claims.js';

export async function simulations(context: Reproduction): Promise<Section> {
  const settings = await allRuns(context);
  const gaussian = settings.filter(({ input }) => input.startsWith('Gaussian'));
  const low = gaussian.find(({ epsilon }) => epsilon === 4)!;
  const claims = simulationClaims(settings);
  return withData(
    'fig10',
    'Figure 10: simulated runs',
    [
      `W between ${RECORDS} input records and the same records with noise, over ${PAPER_RUNS} runs as in the paper and over ${RUNS.toLocaleString('en')}. As in the paper the records are drawn once and held, the same for every mechanism; beside it stands the mean where they are drawn anew in each run. Seed ${context.seed}.`,
      'The empirical W is biased upward: its expectation stands beside the W of the distributions, so that luck (mean against expectation), bias (expectation against W) and law (W) can be told apart.',
    ],
    [...gaussian.map(curves), ...COMPARED.map((mechanism) => bars(low, mechanism))],
    [
      tableFrom(
        'fig10-claims',
        claims.map((claim) => ({ ...claim })),
      ),
      tableFrom('fig10-shares', settings.map(shares)),
      ...statistics(settings),
    ],
  );
}

const each = (settings: readonly Setting[]) =>
  settings.flatMap((setting) => COMPARED.map((mechanism) => ({ setting, mechanism })));

/** Average, largest and least W: of the paper's number of runs, of all, and where the records are drawn anew. */
function statistics(settings: readonly Setting[]): Table[] {
  const of = ({ distances, expectation, population }: Outcome, runs: number) => {
    const { mean, standardError, largest, least } = summarise(distances.slice(0, runs));
    return {
      runs,
      mean,
      '±': standardError,
      largest,
      least,
      expectation,
      'W of the distributions': population,
    };
  };
  const rows = each(settings).map(({ setting: { input, epsilon, m, held, drawn }, mechanism }) => {
    const [few, many] = [of(held[mechanism], PAPER_RUNS), of(held[mechanism], RUNS)];
    return {
      ...{ input, ε: epsilon, m, mechanism },
      [`mean of ${PAPER_RUNS}`]: few.mean,
      largest: few.largest,
      least: few.least,
      [`mean of ${RUNS}`]: many.mean,
      '±': many['±'],
      expectation: many.expectation,
      'drawn anew': drawn[mechanism].mean,
    };
  });
  const all = each(settings).flatMap(({ setting: { input, epsilon, m, held, drawn }, mechanism }) =>
    [PAPER_RUNS, RUNS].flatMap((runs) =>
      (
        [
          [held, 'held'],
          [drawn, 'drawn anew'],
        ] as const
      ).map(([outcomes, records]) => ({
        ...{ input, ε: epsilon, m, mechanism, records },
        ...of(outcomes[mechanism], runs),
      })),
    ),
  );
  return [tableFrom('fig10-table', rows), tableFrom('fig10-runs', all, true)];
}

/** In how many runs the optimum is not above the others. */
function shares({ input, epsilon, m, held }: Setting) {
  const share = shareOfRuns(held, OTHERS);
  return {
    ...{ input, ε: epsilon, m },
    'least of the four': share,
    ...Object.fromEntries(
      OTHERS.map((name) => [`not above ${lookOf(name).label}`, shareOfRuns(held, [name])]),
    ),
    'the vast majority': share >= VAST ? 'holds' : share > 0.5 ? 'a majority only' : 'does not hold',
  };
}

const place = ({ input, epsilon, m }: Setting) => `${input}, ε = ${epsilon}, m = ${m}`;

/** How often each W comes, of all mechanisms. */
function curves(setting: Setting): Chart {
  const { epsilon, m, held } = setting;
  const values = COMPARED.flatMap((name) => [...held[name].distances]);
  const range = [Math.min(...values), Math.max(...values)] as const;
  return {
    name: `fig10-${epsilon}-${m}`,
    kind: 'mass',
    title: `Figure 10: ${RUNS.toLocaleString('en')} runs of ${RECORDS} records, ${place(setting)}`,
    x: 'empirical W, in data units',
    y: 'runs',
    series: COMPARED.map((name) => ({ name, points: bins(held[name].distances, 60, range) })),
  };
}

function bars(setting: Setting, mechanism: Compared): Chart {
  const { distances, expectation, population } = setting.held[mechanism];
  const few = distances.slice(0, PAPER_RUNS);
  return {
    name: `fig10-bars-${mechanism.replace(':width=', '-')}`,
    kind: 'bars',
    title: `Figure 10: ${PAPER_RUNS} runs of ${RECORDS} records, ${lookOf(mechanism).label}, ${place(setting)}`,
    x: 'empirical W, in data units',
    y: 'runs',
    series: [{ name: mechanism, points: bins(few, 24, [0, 8]) }],
    marks: [
      { name: 'mean of the runs', x: summarise(few).mean },
      { name: 'its expectation', x: expectation },
      { name: 'W of the distributions', x: population },
    ],
  };
}

function bins(values: Float64Array, count: number, range: readonly [number, number]) {
  return histogram(values, count, range).map(({ from, to, count: y }) => ({ x: (from + to) / 2, y }));
}
