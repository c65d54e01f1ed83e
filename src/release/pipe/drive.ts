// The driver of a release that others carry out: it charges the ledger once, draws the key, hands it over, and settles. However often
// tasks are run again, there is one entry and one noise for each value.

import { randomBytes } from 'node:crypto';
import { badData, invalid } from '../../error/index.js';
import { type Quote, refuseBeyond, requoted } from '../../ledger/index.js';
import { findColumn, findPart } from '../../rows/index.js';
import {
  checkLeaving,
  checkOwnColumn,
  type InputColumn,
  type Outcome,
  paid,
  type Released,
} from '../../terms/index.js';
import type { Effects } from '../effects.js';
import type { Job } from '../job.js';
import { KEY_BYTES } from '../keys.js';
import { writeMechanismFiles } from '../mechanism-files.js';
import { type Prepared, prepareRelease, type Trial } from '../release.js';
import type { ReleaseRequest } from '../request.js';
import { type Pinned, pin, pinnedWords } from './pinned.js';
import { survey } from './survey.js';
import { type Ticket, ticketOf } from './ticket.js';

export interface DriveRequest extends ReleaseRequest {
  /** The column that tells rows apart; null where partitions and all that rows hold does. */
  readonly id: string | null;
  /** The inputs, which the partitions are fed; empty where an engine has them, and says in `pinned` what keeps them as they are. */
  readonly files: readonly string[];
  readonly format: string | null;
  readonly pinned: string | null;
  /** What an engine knows of its columns; null where files tell it. */
  readonly columnsThere: readonly InputColumn[] | null;
}

/** What those who carry it out are given. */
export interface Handed {
  readonly ticket: Ticket;
  readonly key: Uint8Array;
  readonly quote: Quote;
  readonly entry: number;
}

/** Those who carry it out. */
export interface Work {
  /** Waits until they are ready, once it is known that the budget suffices; nothing is charged before. */
  readonly ready?: (quote: Quote) => Promise<void>;
  /** Returns how many rows there were, as far as it knows. */
  readonly run: (handed: Handed) => Promise<{ readonly rows: number | null }>;
}

/** A release that others carry out: charged before they begin, settled by how they end. */
export async function drive(
  request: DriveRequest,
  effects: Effects,
  version: string,
  work: Work,
): Promise<Released & Prepared<Job>> {
  const { job, quote: first } = await prepareDrive(request, effects);
  refuseBeyond(first);
  const pinned = request.files.length === 0 ? null : await pin(request.files, request.format);
  const looked = await look(request, job, effects);
  const { id } = request;
  const words = pinned ? pinnedWords(pinned) : request.pinned!;
  const quote = requoted({ ...first.spending, keyed: { id, pinned: words } }, first.account);
  await work.ready?.(quote);
  const mechanisms = job.columns.map(({ mechanism }) => mechanism);
  const key = new Uint8Array(randomBytes(KEY_BYTES));
  const carryOut = async ({ sequence }: { sequence: number }): Promise<Outcome> => {
    try {
      const release = `entry ${sequence} of ${quote.spending.dataset}`;
      const ticket = ticketOf(
        job,
        {
          version,
          release,
          id,
          pinned,
          leaving: looked.unchanged,
          delimiter: job.delimiter,
          force: job.force,
        },
        key,
      );
      const done = await work.run({ ticket, key, quote, entry: sequence });
      effects.signal.throwIfAborted();
      if (pinned) checkSame(pinned, await pin(request.files, request.format));
      writeMechanismFiles(job.mechanismFiles, job.force, effects.note);
      const rows = looked.rows ?? done.rows ?? 0;
      return { rows, unchanged: looked.unchanged, values: job.columns.map(() => rows) };
    } finally {
      key.fill(0);
    }
  };
  const leaves = 'The attempt, with whatever of it has left,';
  const released = await paid(effects.ledger, quote, mechanisms, leaves, carryOut);
  return { ...released, job, quote };
}

/** Cost and what would leave; nothing but headers and ids is read. */
export async function tryDrive(request: DriveRequest, effects: Effects): Promise<Trial> {
  const { job, quote } = await prepareDrive(request, effects);
  const looked = await look(request, job, effects);
  return { job, quote, unchanged: looked.unchanged };
}

async function prepareDrive(request: DriveRequest, effects: Effects): Promise<Prepared<Job>> {
  const { person, noise, id, files, pinned, columnsThere, drop } = request;
  if (person !== null)
    throw invalid(
      'person: rows of a person are not counted over many partitions; state them with {perPerson}, or release in one piece',
    );
  if (noise?.share)
    throw invalid(
      'priorShare: a prior is made in one piece; make one with discreet prior, and name it with {prior}',
    );
  if (columnsThere && drop.length > 0)
    throw invalid('drop: the engine keeps all columns that are not protected; drop them there, afterwards');
  if (files.length > 0 && pinned !== null)
    throw invalid('pinned: files are pinned by their digests; leave it out');
  if (files.length === 0 && pinned === null)
    throw invalid(
      'drive: expected the files that are released, or {pinned} with what keeps an input of another kind as it is, such as the version of a table: a changed input would be a second release, uncharged',
    );
  if (files.length === 0 && columnsThere === null)
    throw invalid('schema: expected the columns of the input, for nothing else tells what leaves as it is');
  return prepareRelease(request, effects, { id, pinned: pinned ?? '' });
}

async function look(request: DriveRequest, job: Job, effects: Effects) {
  const { columnsThere, id, files, format, input } = request;
  if (!columnsThere) return survey(job, id, files, format, effects);
  for (const { name } of job.columns)
    checkOwnColumn(findColumn(columnsThere, name, input.shown, 'columns'), 'columns', input.shown);
  if (id !== null) findColumn(columnsThere, id, input.shown, 'id');
  if (job.part) checkOwnColumn(findPart(columnsThere, job.part, input.shown), 'part', input.shown);
  return { rows: null, unchanged: checkLeaving(job, columnsThere, input.shown, true) };
}

function checkSame(before: readonly Pinned[], after: readonly Pinned[]): void {
  const changed = before.find(({ sha256 }, i) => after[i]!.sha256 !== sha256);
  if (changed)
    throw badData(
      `${changed.name} was changed while it was released: what was written from it may hold two noisy values of one record; delete the output`,
    );
}
