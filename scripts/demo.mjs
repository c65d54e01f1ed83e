// The main job on the embedded data: a budget, noise that is optimal for what is publicly known, a release with its report, and
// a ledger that can be checked. Everything it makes is in the folder demo/, which it makes anew.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'demo');
// Its own ledger, whatever lies above the folder or is named in the environment.
const env = { ...process.env, DISCREET_LEDGER: 'discreet-ledger.db' };
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);

/** A command as a user would type it in the folder; what it prints with --json is returned instead. */
function discreet(...args) {
  const json = args.includes('--json');
  process.stdout.write(
    `\n$ discreet ${args.map((word) => (/[^\w@%+=:,./-]/.test(word) ? `'${word}'` : word)).join(' ')}\n`,
  );
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', json ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) process.exit(status ?? 1);
  return json ? JSON.parse(stdout) : null;
}

function say(text) {
  process.stdout.write(`\n${text}\n`);
}

const input = '../examples/doctor-visits.csv';
say(`Visits to a doctor, 20,190 records of one person and one year each (examples/doctor-visits.csv, public domain).
The records do not tell who the person is, so nobody can say how many records one person has: what follows
protects one record, not all records of a person.`);

say('1. What may be spent on these data, and what is protected: a change of one record by up to 5 visits.');
discreet('ledger', 'init', '--dataset', 'doctor-visits', '--epsilon', '2', '--adjacency', 'visits=5');

say(`2. Noise for ε = 1. What is publicly known beforehand, and not taken from these data: people see a doctor about three
times a year (Poisson with rate 3). The noise is the best there is for that whose mean is 0, and proved so.`);
discreet(
  'design',
  '--epsilon',
  '1',
  '--adjacency',
  '5',
  '--prior',
  'poisson:rate=3',
  '--unbiased',
  '-o',
  'mechanism.json',
);
discreet('verify', 'mechanism.json');

say('3. What it would cost, before anything is read.');
const release = [
  'release',
  input,
  '--column',
  'visits',
  '--mechanism',
  'mechanism.json',
  '--dataset',
  'doctor-visits',
];
discreet(...release, '-o', 'released.csv', '--dry-run');

say('4. The release, with a report for the auditor.');
const { head } = discreet(...release, '-o', 'released.csv', '--report', 'report.html', '--json');

say('5. Counts by health from the same budget: a record more or less changes one of them by one.');
discreet(
  'count',
  input,
  '--by',
  'health',
  '--domain',
  'health=excellent,good,fair,poor',
  '--epsilon',
  '0.5',
  '--clamp',
  '0,1000000',
  '--dataset',
  'doctor-visits',
  '-o',
  'counts.csv',
);

say('6. What is left, and that the ledger is whole: the head is the one in the report.');
discreet('ledger', 'status');
discreet('ledger', 'check', '--head', head);

say('7. One release too many is refused.');
const { status, stderr } = spawnSync(
  process.execPath,
  [join(root, 'dist/cli/main.js'), ...release, '-o', 'again.csv'],
  { cwd: folder, env, encoding: 'utf8' },
);
process.stdout.write(stderr);
if (status !== 3) process.exit(1);

const at = (name) => relative(process.cwd(), join(folder, name)) || name;
say(`Done. Look at
  ${at('report.html')}     what an auditor gets, figures in ${at('report.json')}
  ${at('released.csv')}    the released data
  ${at('counts.csv')}      the counts
  ${at('mechanism.json')}  the noise, as integers that anybody can verify
  ${at('discreet-ledger.db')}  the ledger`);
