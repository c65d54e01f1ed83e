// The main job on the embedded data: the paper's five mechanisms on the doctor-visits column, what each
// really guarantees and what it does to the data; then the noise that is optimal for it.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function discreet(...args) {
  process.stdout.write(`\n$ discreet ${args.join(' ')}\n\n`);
  const { status } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

const noises = [
  'gaussian:sigma=6.5',
  'laplace:scale=5',
  'staircase:width=5,ratio=0.367879441171443',
  'uniform:low=-12,high=12',
  'exponential:rate=0.2',
];

process.stdout.write(`Doctor visits per person and year, 20,190 records (examples/doctor-visits.csv, public domain).
Hiding a change of up to 5 visits in one record with the five mechanisms of the paper.
`);
for (const noise of noises) discreet('analyze', noise, '--adjacency', '5', '--epsilon', '1');
discreet(
  'compare',
  ...noises,
  '--adjacency',
  '5',
  '--prior',
  'column:examples/doctor-visits.csv#visits',
  '--prior-is-public',
);
discreet('compare', '--paper', ...noises, '--adjacency', '5');
discreet(
  'design',
  '--epsilon',
  '1',
  '--adjacency',
  '5',
  '--prior',
  'column:examples/doctor-visits.csv#visits',
  '--prior-is-public',
);
