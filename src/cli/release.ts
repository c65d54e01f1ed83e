// `discreet release`: a copy of the data with protected columns, a ledger entry, and a report.

import type { Command } from 'commander';
import { releaseRequest } from '../door/index.js';
import { showNames } from '../error/index.js';
import { release, tryRelease } from '../release/index.js';
import { withoutPatterns } from './column-patterns.js';
import { addCellOptions, addCommonOptions, INPUT_MEANING } from './common-options.js';
import { onLedger } from './on-ledger.js';
import { define } from './options.js';
import { addColumnOptions, NONE, type ReleaseFlags, releaseOptions } from './release-options.js';
import { showReleased } from './released.js';

export function add(program: Command): void {
  const command = define(
    program,
    'release',
    'Copies a file or table and adds certified noise to the named columns, each value on its own. What it costs is in the ledger before the first noisy byte leaves.',
    `Examples:
  discreet release visits.csv --column visits --epsilon 1 --adjacency 5 -o released.csv --report report.html
  discreet release visits.csv --column visits --epsilon 1 --prior-share 0.1 --range 0,77 --adjacency 5 -o released.csv
  discreet release visits.csv --column visits --mechanism mechanism.json -o released.parquet
  discreet release trips.csv --column visits=v.json --column trips=t.json -o released.csv --dataset trips
  discreet release trips.csv --column visits --column trips --epsilon visits=0.7 --epsilon trips=0.3 -o released.csv --dataset trips
  discreet release postgres://me@host/db --table trips --column visits --epsilon 1 -o postgres://me@host/db --output-table trips_released --dataset trips
  cat visits.csv | discreet release - --input-format csv --column visits --mechanism m.json -o - --dataset visits > out.csv
  discreet release visits.csv.gz --column visits --epsilon 1 --adjacency 5 -o released.csv.gz --dry-run

ε is what one person spends in all: every value of theirs gets an equal share, over the columns for which noise is made now and
over their rows (--per-person). Mechanism files cost what they cost, on top. Rounding comes before clamping. Presence, NULLs,
row order and all other columns are not protected; those that leave as they are, are listed. Passwords come from PGPASSWORD or .pgpass.`,
  ).argument('<input>', INPUT_MEANING);
  addCommonOptions(addCellOptions(addColumnOptions(command))).action((input: string, options: ReleaseFlags) =>
    run(input, { ...NONE, ...options }),
  );
}

async function run(address: string, options: ReleaseFlags): Promise<void> {
  const request = releaseRequest(releaseOptions(address, await withoutPatterns(address, options)));
  await onLedger(
    options,
    request,
    (effects) => told(tryRelease(request, effects)),
    (effects) => told(release(request, effects)),
    (done, effects) => showReleased(done, effects, options),
  );
}

/** Columns that a pattern found have names again once they were read as such. */
async function told<Done>(work: Promise<Done>): Promise<Done> {
  const done = await work;
  showNames();
  return done;
}
