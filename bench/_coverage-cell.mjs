// Releases of one cell of the table of coverage, recovered and told as the command does: what is counted is read from the printed text.

import { rational } from '../dist/exact/index.js';
import { compile, finished, finishOf, latticeOf } from '../dist/mechanism/index.js';
import { sampler, seededSource } from '../dist/random/index.js';
import { outputsOf } from '../dist/recover/cells.js';
import { recoverColumn } from '../dist/recover/column.js';
import { told } from '../dist/recover/index.js';
import { parseNoise, readDecimal } from '../dist/spec/index.js';
import { CONFIDENCE, columnOf, HIGHEST, holds, QUANTILES, SINGLES, THRESHOLDS } from './_covered.mjs';

const one = rational(1n);

/** One release after another: of each figure, whether it is held, how wide its interval is, and how wide the guaranteed one. */
export function releasesOf({ shape, noise, rows, highest = HIGHEST, clamp, roundTo, singles = false }) {
  const { pmf } = compile(
    parseNoise(noise, one, () => []),
    1,
    { epsilon: one, delta: rational(1n, 1000n) },
  );
  const column = columnOf(shape, rows, highest);
  const lattice = latticeOf(pmf.step);
  const ends = clamp && { low: readDecimal(clamp[0], 'clamp'), high: readDecimal(clamp[1], 'clamp') };
  const finish = finishOf(lattice, ends ?? null, roundTo ? readDecimal(roundTo, 'roundTo') : null);
  const thresholds = THRESHOLDS.map((t) => Math.max(1, (t * highest) / HIGHEST));
  const asked = {
    ...{ range: [0, highest], smooth: 'chosen', confidence: CONFIDENCE, bins: false, impossible: 'warn' },
    ...{ quantiles: QUANTILES, atLeast: thresholds },
  };
  const truth = truthsOf(column, thresholds);
  return (run) => {
    const counts = released(column, pmf, finish, rows, `${shape} ${noise} ${rows} ${highest} ${run}`);
    const found = recoverColumn(outputsOf(counts, finish, lattice, String), pmf, asked);
    const masses = singles ? found.masses() : [];
    const figures = {
      mean: [found.mean, 'value'],
      variance: [found.variance, 'value'],
      ...Object.fromEntries(QUANTILES.map((p, i) => [`quantile ${p}`, [found.quantiles[i], 'value']])),
      ...Object.fromEntries(THRESHOLDS.map((t, i) => [`share from ${t}`, [found.atLeast[i], 'share']])),
      ...(singles ? Object.fromEntries(SINGLES.map((v) => [`share of ${v}`, [masses[v], 'share']])) : {}),
    };
    const seen = Object.entries(figures).map(([name, [figure, unit]]) => {
      const text = told(figure, unit);
      const [low, high] = read(text.usual, unit);
      const estimate = read(text.estimate, unit)[0];
      return [
        name,
        {
          isHeld: holds([low, high], truth[name]) && low <= estimate && estimate <= high,
          width: high - low,
          guaranteed: figure.guaranteed && figure.guaranteed[1] - figure.guaranteed[0],
        },
      ];
    });
    return { figures: Object.fromEntries(seen), missed: found.missed() };
  };
}

/** Numbers of a printed interval. */
function read(text, unit) {
  return text.split(' to ').map((part) => Number(part.replace(' %', '')) / (unit === 'share' ? 100 : 1));
}

function truthsOf(column, thresholds) {
  const rows = column.reduce((a, b) => a + b);
  const average = (f) => column.reduce((sum, own, k) => sum + f(k) * own, 0) / rows;
  const mean = average((k) => k);
  const quantile = (p) => {
    let sum = 0;
    return column.findIndex((own) => {
      sum += own;
      return sum >= p * rows - 1e-9;
    });
  };
  return {
    mean,
    variance: average((k) => (k - mean) ** 2),
    ...Object.fromEntries(QUANTILES.map((p) => [`quantile ${p}`, quantile(p)])),
    ...Object.fromEntries(
      THRESHOLDS.map((t, i) => [`share from ${t}`, average((k) => (k >= thresholds[i] ? 1 : 0))]),
    ),
    ...Object.fromEntries(SINGLES.map((v) => [`share of ${v}`, average((k) => (k === v ? 1 : 0))])),
  };
}

function released(column, pmf, finish, rows, seed) {
  const errors = new BigInt64Array(rows);
  sampler(pmf, seededSource(seed)).fill(errors, 'saturate');
  const counts = new Map();
  let at = 0;
  column.forEach((own, k) => {
    for (let i = 0; i < own; i++) {
      const value = Number(finished(BigInt(k) + errors[at++], finish));
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  });
  return counts;
}
