// How often the printed usual intervals of `recover` hold the truth. Fails where "in at least 94 %" is rejected at 10⁻⁴, where an
// interval is wider than the guaranteed one, and where ends were not found. DISCREET_RUNS says how many releases of each column, 1000
// by default. What is there is saved after each round, in bench/results/coverage.counts too, and taken up again by the next call.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { releasesOf } from './_coverage-cell.mjs';
import { isRejected } from './_covered.mjs';
import { save } from './_report.mjs';

const RUNS = Number(process.env.DISCREET_RUNS ?? 1000);
/** Releases of every column before the next ones of any. */
const ROUND = 20;
const STATE = new URL('./results/coverage.counts', import.meta.url);
/** Of the guaranteed interval, how wide a usual one is at most on average. */
const WIDEST = 1.02;

/** A few telling columns: every shape, kind of noise and way to release. */
const COLUMNS = [
  { shape: 'exponential', noise: 'geometric:scale=5', rows: 100, singles: true },
  { shape: 'both ends', noise: 'geometric:scale=5', rows: 100, singles: true },
  { shape: 'one point', noise: 'geometric:scale=84', rows: 100 },
  { shape: 'Zipf 1.5', noise: 'geometric:scale=5', rows: 1000, singles: true },
  { shape: 'one point', noise: 'geometric:scale=5', rows: 1000, singles: true },
  { shape: 'exponential', noise: 'geometric:scale=20', rows: 1000 },
  { shape: 'Poisson 5', noise: 'discrete-gaussian:sigma=10', rows: 1000 },
  { shape: 'two hills', noise: 'discrete-gaussian:sigma=10', rows: 1000 },
  { shape: 'exponential', noise: 'geometric:scale=5', rows: 1000, clamp: ['0', '60'], roundTo: '5' },
  { shape: 'one point', noise: 'geometric:scale=20', rows: 1000, clamp: ['0', '60'] },
  { shape: 'exponential', noise: 'geometric:scale=30', rows: 1000, highest: 420 },
  { shape: 'one point', noise: 'geometric:scale=30', rows: 1000, highest: 1200 },
  { shape: 'Zipf 1.5', noise: 'geometric:scale=2', rows: 1000, highest: 420 },
  { shape: 'even', noise: 'geometric:scale=20', rows: 10_000 },
  { shape: 'exponential', noise: 'geometric:scale=2', rows: 10_000 },
  { shape: 'one point', noise: 'geometric:scale=30', rows: 10_000, highest: 420 },
  { shape: 'exponential', noise: 'geometric:scale=20', rows: 100_000 },
  { shape: 'one point', noise: 'geometric:scale=5', rows: 100_000 },
];

export async function run() {
  const cells = existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
  const columns = COLUMNS.map((column) => {
    const key = nameOf(column).join(' | ');
    cells[key] ??= { runs: 0, missed: 0, figures: {} };
    return { column, cell: cells[key], releases: null };
  });
  for (let to = ROUND; to < RUNS + ROUND; to += ROUND)
    for (const one of columns) {
      const { cell } = one;
      while (cell.runs < Math.min(to, RUNS)) {
        one.releases ??= releasesOf(one.column);
        add(cell, one.releases(cell.runs));
      }
      writeFileSync(STATE, `${JSON.stringify(cells)}\n`);
      report(columns, true);
    }
  if (report(columns) > 0) process.exitCode = 1;
}

function add(cell, { figures, missed }) {
  cell.runs++;
  if (missed > 0) cell.missed++;
  for (const [name, { isHeld, width, guaranteed }] of Object.entries(figures)) {
    cell.figures[name] ??= { hits: 0, width: 0, guaranteed: 0 };
    const own = cell.figures[name];
    if (isHeld) own.hits++;
    own.width += width;
    // Where nothing is guaranteed, nothing is too wide.
    own.guaranteed += guaranteed ?? width;
  }
}

function nameOf({ shape, noise, rows, highest = 60, clamp, roundTo }) {
  const done = [clamp && `clamped to ${clamp.join(' … ')}`, roundTo && `rounded to ${roundTo}`];
  return [shape, `0 … ${highest}`, noise, done.filter(Boolean).join(', '), rows.toLocaleString('en')];
}

function report(columns, isPart = false) {
  const done = columns.filter(({ cell }) => cell.runs > 0);
  const names = [...new Set(done.flatMap(({ cell }) => Object.keys(cell.figures)))];
  let [rejected, wide, unfound, asked] = [0, 0, 0, 0];
  const rows = done.map(({ column, cell }) => {
    unfound += cell.missed;
    return [
      ...nameOf(column),
      String(cell.runs),
      ...names.map((name) => {
        if (!cell.figures[name]) return '–';
        const { hits, width, guaranteed } = cell.figures[name];
        asked++;
        const isBad = isRejected(hits, cell.runs);
        const isWide = width > WIDEST * guaranteed + 1e-9;
        if (isBad) rejected++;
        if (isWide) wide++;
        const share = Number(((100 * hits) / cell.runs).toFixed(1));
        const mark = isBad || isWide ? '**' : '';
        const both = [width, guaranteed].map((v) => Number((v / cell.runs).toPrecision(2)));
        return `${mark}${share} %${mark}, ${both.join(' of ')}`;
      }),
    ];
  });
  const counts = done.map(({ cell }) => cell.runs);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  save(
    'coverage',
    `How often usual intervals of 95 % hold the truth, over ${fewest === most ? fewest : `${fewest} to ${most}`} releases of each column`,
    ['column', 'range', 'noise', 'then', 'rows', 'releases', ...names],
    rows,
    [
      `Intervals are read from what the command prints, and the estimate must lie inside. Beside each share is how wide the interval is on average, “of” how wide the guaranteed one is. Shares are from the same parts of a wider range as of one of 60. A group of \`--by\` is recovered as a column of its rows is, so that columns of 100 rows stand for groups too. “Holds in at least 94 %” is rejected at 10⁻⁴ for ${rejected} of ${asked}; ${wide} are wider than the guaranteed ones; in ${unfound} releases an end was not found.${isPart ? ` Stopped before its end, which is ${RUNS} releases of each.` : ''}`,
    ],
    isPart,
  );
  return rejected + wide + unfound;
}
