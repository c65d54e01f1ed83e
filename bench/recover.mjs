// Recovery against what else there is: nothing, clipping, the EM of the local-privacy literature (iterative Bayesian update) [AA01],
// EM with smoothing after each round [SJWN90], and mixsqp of R [KCSA20]; all on one matrix and one histogram.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampler, seededSource } from '../dist/random/index.js';
import { cellsOf, outputsOf } from '../dist/recover/cells.js';
import { fit } from '../dist/recover/fit.js';
import { recover } from '../dist/recover/index.js';
import { groups, kernelOf, onCells, withinOf } from '../dist/recover/kernel.js';
import { rowsSeen } from '../dist/recover/problem.js';
import { distance, median, noiseOf, released, short, visits } from './_recover.mjs';
import { save } from './_report.mjs';

const GAP = 1e-6;
const MOST_SECONDS = 120;

/** The same matrix for all: cells that were seen, every value of the range. */
function problemOf(counts, { pmf }, low, high) {
  const limit = 2n ** 62n;
  const finish = { low: -limit, high: limit, roundTo: 1n };
  const outputs = outputsOf(counts, finish, { limit }, String);
  const ends = [...counts.keys()];
  const [least, most] = [Math.min(low, ...ends), Math.max(high, ...ends)];
  const cells = cellsOf(outputs, least, most, most - least + 1);
  const within = withinOf(pmf, most - least + Math.max(Math.abs(low), Math.abs(high)));
  const all = kernelOf(within, cells, groups(low, high, 1));
  const seen = [...cells.keys()].filter((j) => cells[j].count > 0);
  const weights = Float64Array.from(seen, (j) => cells[j].count / outputs.rows);
  return { kernel: onCells(all, seen), weights, evidence: rowsSeen(weights), smoothing: 0 };
}

/** max_k Σ_j w_j·K_jk / (Kπ)_j − 1: how far from the plain maximum. */
function gapOf({ kernel, weights }, masses) {
  const likely = kernel.forward(masses);
  return kernel.back(weights.map((w, j) => w / likely[j])).reduce((a, b) => Math.max(a, b)) - 1;
}

/** EM to a gap, or until time is up; `smooth` mixes neighbours after each round. */
function em(problem, { rounds = Infinity, smooth = false } = {}) {
  const { kernel, weights } = problem;
  const n = kernel.points;
  let masses = new Float64Array(n).fill(1 / n);
  const start = performance.now();
  let used = 0;
  let gap = Infinity;
  for (; used < rounds && performance.now() - start < MOST_SECONDS * 1000; used++) {
    const likely = kernel.forward(masses);
    const back = kernel.back(weights.map((w, j) => w / likely[j]));
    gap = back.reduce((a, b) => Math.max(a, b)) - 1;
    if (gap <= GAP) break;
    let next = masses.map((mass, k) => mass * back[k]);
    if (smooth) {
      next = next.map((_, k) => (next[Math.max(0, k - 1)] + 2 * next[k] + next[Math.min(n - 1, k + 1)]) / 4);
      const moved = next.reduce((sum, mass, k) => sum + Math.abs(mass - masses[k]), 0);
      masses = next;
      if (moved < 1e-6) break;
    } else masses = next;
  }
  return { masses, seconds: (performance.now() - start) / 1000, rounds: used };
}

function timed(work) {
  const start = performance.now();
  const found = work();
  return { ...found, seconds: (performance.now() - start) / 1000 };
}

/** R and its package from Debian, where they are missing. */
function installPeer() {
  if (spawnSync('Rscript', ['-e', 'library(mixsqp)']).status === 0) return;
  if (process.getuid?.() !== 0)
    throw new Error('mixsqp is missing; install it with: sudo apt-get install r-cran-mixsqp');
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-q'], options);
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'r-cran-mixsqp'], options);
}

function mixsqp({ kernel, weights }) {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-bench-'));
  try {
    const [input, output] = [join(folder, 'in'), join(folder, 'out')];
    const size = Int32Array.of(kernel.cells, kernel.points);
    const bytes = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    writeFileSync(input, Buffer.concat([bytes(size), bytes(weights), ...kernel.columns.map(bytes)]));
    const script = fileURLToPath(new URL('./peers/recover.R', import.meta.url));
    const seconds = Number(execFileSync('Rscript', [script, input, output], { encoding: 'utf8' }));
    const found = readFileSync(output);
    return { seconds, masses: new Float64Array(found.buffer, found.byteOffset, kernel.points).slice() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const time = (s) => (s < 1 ? `${Math.round(1000 * s)} ms` : `${short(s)} s`);
function onVisits(noise, title) {
  const mechanism = noiseOf(noise);
  const runs = ['a', 'b', 'c', 'd', 'e'].map((seed) => {
    const counts = released(visits, mechanism, `bench ${seed}`);
    const problem = problemOf(counts, mechanism, 0, 77);
    const rows = visits.length;
    const shares = (masses) => Array.from(masses, (mass, k) => [k, mass]);
    const all = [...counts].map(([value, count]) => [value, count / rows]);
    const clipped = all.map(([value, mass]) => [Math.max(0, Math.min(77, value)), mass]);
    const fitted = (name, found) => ({
      name,
      seconds: found.seconds,
      W: distance(shares(found.masses), visits),
      gap: gapOf(problem, found.masses),
      rounds: found.rounds ?? found.iterations,
    });
    const whole = timed(() => {
      const found = recover(counts, mechanism, { range: [0, 77] });
      return { found, masses: Float64Array.from(found.distribution, ({ mass }) => mass) };
    });
    return [
      { name: 'as released', W: distance(all, visits) },
      { name: 'clipped to 0 … 77', W: distance(clipped, visits) },
      fitted('EM (IBU), to the maximum', em(problem)),
      fitted('EM, 100 rounds', em(problem, { rounds: 100 })),
      fitted('EM with smoothing', em(problem, { smooth: true })),
      fitted('mixsqp in R', mixsqp(problem)),
      fitted(
        'this project, plain maximum',
        timed(() => fit(problem, GAP)),
      ),
      {
        name: 'this project, smoothed, with all intervals',
        seconds: whole.seconds,
        W: distance(shares(whole.masses), visits),
        gap: whole.found.gap,
        isOwn: true,
      },
    ];
  });
  const rows = runs[0].map((_, i) => {
    const own = runs.map((run) => run[i]);
    const middle = (key) => median(own.map((found) => found[key]));
    return [
      own[0].name,
      short(middle('W')),
      own[0].seconds === undefined ? '–' : time(middle('seconds')),
      own[0].gap === undefined ? '–' : middle('gap').toExponential(1),
      own[0].rounds === undefined ? '–' : String(middle('rounds')),
    ];
  });
  save(`recover/visits`, title, ['way', 'W to the truth', 'time', 'gap', 'rounds'], rows, [
    'Doctor visits, 20,190 rows, values from 0 to 77; medians of five seeds. The gap is max_k Σ_j w_j·K_jk / (Kπ)_j − 1, how far the plain likelihood of a row may still rise; smoothing stops short of it on purpose, and in the last line it is the gap of the smoothed problem.',
  ]);
}

/** 10⁷ rows of two hills on 1000 values. */
function onMany() {
  const S = 1000;
  const N = 1e7;
  const hill = (k, at, width) => Math.exp(-(((k - at) / width) ** 2) / 2);
  const masses = Array.from({ length: S }, (_, k) => 0.7 * hill(k, 200, 60) + 0.3 * hill(k, 650, 100) + 1e-3);
  const whole = masses.reduce((a, b) => a + b);
  const rows = [];
  for (const noise of ['geometric:scale=5', 'geometric:scale=30', 'discrete-gaussian:sigma=10']) {
    const mechanism = noiseOf(noise);
    const draws = sampler(mechanism.pmf, seededSource('many'));
    const counts = new Map();
    masses.forEach((mass, k) => {
      const noisy = new BigInt64Array(Math.round((N * mass) / whole));
      draws.fill(noisy, 'saturate');
      for (const v of noisy) counts.set(k + Number(v), (counts.get(k + Number(v)) ?? 0) + 1);
    });
    const problem = problemOf(counts, mechanism, 0, S - 1);
    const own = timed(() => fit(problem, GAP));
    const other = em(problem);
    const peer = mixsqp(problem);
    const all = timed(() => ({ found: recover(counts, mechanism, { range: [0, S - 1] }) }));
    const told = (found) => `${time(found.seconds)} (${short(found.seconds / own.seconds)}×)`;
    rows.push([
      noise,
      `${time(own.seconds)}, ${own.gap.toExponential(1)}`,
      `${gapOf(problem, other.masses) > GAP ? '> ' : ''}${told(other)}, ${gapOf(problem, other.masses).toExponential(1)}`,
      `${told(peer)}, ${gapOf(problem, peer.masses).toExponential(1)}`,
      `${time(all.seconds)}, ${all.found.gap.toExponential(1)}`,
    ]);
  }
  save(
    'recover/many',
    'Ten million rows on 1000 values',
    ['noise', 'this project, plain maximum', 'EM (IBU)', 'mixsqp in R', 'smoothing chosen, all intervals'],
    rows,
    [
      `Time and gap, after the histogram is read. In brackets how many times as long as this project in the same run; EM is stopped at a gap of ${GAP} or after ${MOST_SECONDS} s.`,
    ],
  );
}

export async function run() {
  installPeer();
  onVisits('geometric:scale=5', 'Recovery of the doctor visits, geometric noise, ε = 1 at adjacency 5');
  onMany();
}
