// How often the intervals of a recovery hold the truth, and how much nearer it is than what was released.

import { design } from '../dist/index.js';
import { directOf } from '../dist/recover/column.js';
import { directMean } from '../dist/recover/figures.js';
import { recover } from '../dist/recover/index.js';
import { distance, median, noiseOf, released, short, visits } from './_recover.mjs';
import { save } from './_report.mjs';

const INPUTS = {
  'doctor visits': () => visits,
  'Poisson, rate 5': () => poisson(5, 5000),
  'Zipf 1.5 on 100': () =>
    spread(
      Array.from({ length: 100 }, (_, k) => (k + 1) ** -1.5),
      5000,
    ),
  'two hills': () =>
    spread(
      Array.from(
        { length: 60 },
        (_, k) => Math.exp(-(((k - 12) / 4) ** 2) / 2) + 0.5 * Math.exp(-(((k - 42) / 6) ** 2) / 2),
      ),
      5000,
    ),
  'one point': () => new Array(5000).fill(7),
};

function poisson(rate, rows) {
  const masses = [Math.exp(-rate)];
  for (let k = 1; k < 40; k++) masses.push((masses[k - 1] * rate) / k);
  return spread(masses, rows);
}

/** A column with these shares. */
function spread(masses, rows) {
  const whole = masses.reduce((a, b) => a + b);
  const values = [];
  let sum = 0;
  masses.forEach((mass, k) => {
    sum += mass;
    while (values.length + 0.5 < (rows * sum) / whole) values.push(k);
  });
  return values;
}

/** Done to noisy values: then the mean has to be recovered with the rest. */
const AFTER = {
  'clamped to 0 … 77': { clamp: [0, 77] },
  'rounded to 5, clamped to 0 … 75': { clamp: [0, 75], roundTo: 5 },
};

const MEANS = 1000;
const RUNS = 40;

/** How often intervals hold the truth, and how much nearer the recovered distribution is. */
function coverage() {
  const designed = design({ epsilon: 1, adjacency: 5, prior: 'poisson:rate=5' }).mechanism;
  const noises = {
    geometric: noiseOf('geometric:scale=5'),
    'Gaussian, σ = 10': noiseOf('discrete-gaussian:sigma=10'),
    staircase: noiseOf('staircase:width=5,ratio=0.3679'),
    designed: designed,
  };
  const rows = [];
  for (const [input, make] of Object.entries(INPUTS))
    for (const [name, mechanism] of Object.entries(noises))
      rows.push(covered(input, make(), name, mechanism));
  for (const [name, after] of Object.entries(AFTER))
    rows.push(covered('doctor visits', visits, `geometric, ${name}`, noises.geometric, after));
  save(
    'coverage',
    'How often intervals of 95 % hold the truth',
    [
      'column',
      'noise',
      'released / recovered',
      'clipped / recovered',
      'mean, usual',
      'mean, guaranteed',
      'median, usual',
      'share, usual',
      'all guaranteed',
    ],
    rows,
    [
      `Means of ${MEANS} simulated releases, of ${RUNS} where values were clamped, and the rest of ${RUNS}; the ratios are of W to the true column, medians. The share is of values at least as large as the true 90 % quantile; “all guaranteed” says how often the guaranteed intervals of mean, variance, median and share hold together.`,
    ],
  );
}

function covered(input, values, name, mechanism, after = null) {
  const high = values.reduce((a, b) => Math.max(a, b), 0);
  const range = [0, input === 'one point' ? 20 : high];
  const sorted = [...values].sort((a, b) => a - b);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
  const middle = sorted[Math.ceil(values.length / 2) - 1];
  const t = sorted[Math.ceil(0.9 * values.length) - 1];
  const share = values.filter((v) => v >= t).length / values.length;
  const holds = ([low, most], x) => low - 1e-12 <= x && x <= most + 1e-12;
  const means = { usual: 0, guaranteed: 0 };
  for (let i = 0; i < (after ? 0 : MEANS); i++) {
    const figure = meanOf(released(values, mechanism, `mean ${input} ${name} ${i}`), mechanism);
    for (const kind of ['usual', 'guaranteed']) if (holds(figure[kind], mean)) means[kind]++;
  }
  const [outer, inner] = [[], []];
  const hits = { median: 0, share: 0, all: 0 };
  for (let i = 0; i < RUNS; i++) {
    const counts = released(values, mechanism, `run ${input} ${name} ${i}`, after ?? {});
    const found = recover(counts, mechanism, { range, atLeast: [t], bins: false, ...after });
    if (after) for (const kind of ['usual', 'guaranteed']) if (holds(found.mean[kind], mean)) means[kind]++;
    const all = [...counts].map(([value, count]) => [value, count / values.length]);
    const clipped = all.map(([value, mass]) => [Math.max(0, Math.min(range[1], value)), mass]);
    const own = distance(
      found.distribution.map(({ value, mass }) => [value, mass]),
      values,
    );
    outer.push(distance(all, values) / own);
    inner.push(distance(clipped, values) / own);
    if (holds(found.quantiles['0.5'].usual, middle)) hits.median++;
    if (holds(found.atLeast[t].usual, share)) hits.share++;
    const figures = [
      [found.mean, mean],
      [found.variance, variance],
      [found.quantiles['0.5'], middle],
      [found.atLeast[t], share],
    ];
    if (figures.every(([figure, truth]) => holds(figure.guaranteed, truth))) hits.all++;
  }
  const percent = (count, of) => `${Number(((100 * count) / of).toFixed(1))} %`;
  return [
    input,
    name,
    short(median(outer)),
    short(median(inner)),
    percent(means.usual, after ? RUNS : MEANS),
    percent(means.guaranteed, after ? RUNS : MEANS),
    percent(hits.median, RUNS),
    percent(hits.share, RUNS),
    percent(hits.all, RUNS),
  ];
}

/** The interval of the mean alone. */
function meanOf(counts, { pmf }) {
  let rows = 0;
  const seen = [...counts].map(([value, count]) => {
    rows += count;
    return { low: value, high: value, count };
  });
  const direct = directOf({ seen, rows, unit: 1, clamp: [-Infinity, Infinity] }, pmf, 0.05);
  return directMean(direct, 0.95, [-Infinity, Infinity]);
}

export async function run() {
  coverage();
}
