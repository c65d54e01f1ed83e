// The total of many releases: this account against the peers, in one run. Both bounds of ours are in the time; of a peer that gives one
// bound at a time, only the time of the upper one.

import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { totalOf } from '../dist/account/index.js';
import { rational } from '../dist/exact/index.js';
import { parseNoise } from '../dist/spec/index.js';
import { save } from './_report.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const mixed = Array.from({ length: 50 }, (_, i) =>
  i % 2 ? ['gaussian', 10 + i, 1] : ['geometric', 7 + i, 1],
);
const various = Array.from({ length: 500 }, (_, i) =>
  i % 2 ? ['gaussian', 20 + i / 10, 1] : ['geometric', 20 + i / 10, 1],
);
const CASES = [
  ['discrete Gaussian σ = 10, 100 times', [['gaussian', 10, 100]]],
  ['discrete Gaussian σ = 10, 1000 times', [['gaussian', 10, 1000]]],
  ['discrete Gaussian σ = 100, 10,000 times', [['gaussian', 100, 10_000]]],
  ['geometric of scale 10, 100 times', [['geometric', 10, 100]]],
  ['geometric of scale 10, 10,000 times', [['geometric', 10, 10_000]], 1],
  ['25 discrete Gaussians and 25 geometrics, all different', mixed],
  ['a sampled Gaussian, q = 0.01, σ = 2, 1000 times', [['sampled', 2, 1000, 0.01]]],
  ['a sampled Gaussian, q = 0.0001, σ = 1, 100,000 times', [['sampled', 1, 100_000, 0.0001]], 1],
  ['250 discrete Gaussians and 250 geometrics, all different', various, 1],
  ['discrete Gaussian σ = 100,000, 1,000,000 times', [['gaussian', 100_000, 1_000_000]], 1],
  ['discrete Gaussian σ = √3 at step 0.001, 3 times', [['fine', 1.7320508, 3]], 1],
];
const DELTA = 1e-6;
const PEERS = ['google-1e-4', 'google-1e-5', 'prv', 'fourier'];

/** A sampled Gaussian on a lattice fine enough to stand for the continuous one. */
const FINE = 20;

function pmfOf([kind, scale]) {
  const spec = {
    gaussian: `discrete-gaussian:sigma=${scale}`,
    geometric: `geometric:scale=${scale}`,
    sampled: `discrete-gaussian:sigma=${scale * FINE}`,
    // In steps of a thousandth of the adjacency.
    fine: `discrete-gaussian:sigma=${scale * 1000}`,
  }[kind];
  return parseNoise(spec, rational(1n), () => []).approximate({
    adjacency: adjacencyOf(kind),
    cut: 400,
  }).pmf;
}

function adjacencyOf(kind) {
  return { sampled: FINE, fine: 1000 }[kind] ?? 1;
}

/** Compiled anew each time, so that nothing is remembered; compiling is not counted. */
function ours(releases) {
  let best = null;
  const until = Date.now() + 3000;
  for (let i = 0; i < 3 || (i < 60 && Date.now() < until); i++) {
    const list = releases.map((release) => ({
      pmf: pmfOf(release),
      adjacency: adjacencyOf(release[0]),
      times: release[2],
      of: release[0] === 'sampled' ? 'counts' : 'rows',
      sampling: release[3] ?? null,
    }));
    const start = process.hrtime.bigint();
    const found = totalOf(list).epsilonAt(DELTA);
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    if (!best || seconds < best.seconds) best = { ...found, seconds };
  }
  return best;
}

/** Of a process that does nothing else. */
function memoryOf(index) {
  const code = `import('${path('./account.mjs')}').then(({ measure }) => measure(${index}))`;
  return Number(spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' }).stdout);
}

export function measure(index) {
  ours(CASES[index][1]);
  process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
}

function peer(name, releases, runs) {
  const { status, stdout } = spawnSync(
    path('./peers/account-env/bin/python'),
    [path('./peers/account.py'), name, JSON.stringify({ releases, delta: DELTA, runs })],
    { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'ignore'], timeout: 300_000 },
  );
  return status === 0 ? JSON.parse(stdout) : null;
}

/** An interval that does not meet ours, whose bounds are proved, holds nothing. */
const holds = (found, own) => found.lower <= own.upper && found.upper >= own.lower;

const time = (seconds) => (seconds < 0.1 ? `${(seconds * 1000).toFixed(2)} ms` : `${seconds.toFixed(2)} s`);

export async function run() {
  execFileSync('bash', [path('./peers/install.sh')], { stdio: 'inherit' });
  const rows = [];
  for (const [index, [title, releases, runs = 3]] of CASES.entries()) {
    const own = ours(releases);
    const row = (name, found, ratio, memory) => [
      title,
      name,
      found.lower == null ? '–' : found.lower.toPrecision(9),
      found.upper.toPrecision(9),
      found.lower == null ? '–' : ((found.upper - found.lower) / found.upper).toExponential(1),
      time(found.seconds),
      ratio,
      `${Math.round(memory)} MB`,
      found === own || found.lower == null ? '' : holds(found, own) ? 'yes' : 'no',
    ];
    rows.push(row('this account', own, '', memoryOf(index)));
    for (const name of PEERS) {
      const found = peer(name, releases, runs);
      if (found) rows.push(row(name, found, `${(found.seconds / own.seconds).toFixed(0)}×`, found.memory));
    }
  }
  save(
    'account',
    `The least ε of many releases at δ = ${DELTA}`,
    ['releases', 'by', 'lower', 'upper', 'width', 'time', 'times ours', 'memory', 'holds'],
    rows,
    [
      'Peers: dp_accounting 0.6.0 (google) with two grids, prv_accountant 0.2.0, fourier-accountant 0.12.11. The last two have no discrete noise. Of secret samples they and dp_accounting take continuous noise, and this account noise on a lattice of a twentieth of the adjacency, so that its figure is another one; so they do where the step is a thousandth of the adjacency. A peer that fails, or that does not answer within five minutes, has no row. Times are the best of several, without start-up, and without compiling the noise; dp_accounting gives one bound at a time, and the time is that of the upper one. "Holds": does the interval meet ours? Round-off moves both bounds of dp_accounting for many geometric releases to the same wrong place.',
    ],
  );
}
