// What a partition of a release is told: everything but its rows and the key. Written by the driver, checked by every partition.

import { createHash } from 'node:crypto';
import { badData, invalid, quote, wrong } from '../../error/index.js';
import { checkRoles, mechanismText } from '../../ledger/index.js';
import { finishOf, latticeOf, type Mechanism, readMechanism } from '../../mechanism/index.js';
import type { Part } from '../../rows/index.js';
import type { Guard, ProtectedColumn } from '../../terms/index.js';
import type { Job } from '../job.js';
import { keyMark } from '../keys.js';
import type { Place } from '../places/index.js';
import type { ReleaseRequest } from '../request.js';
import type { Pinned } from './pinned.js';

export const TICKET_FORMAT = 'discreet/pipe@1';

export interface Ticket {
  readonly format: typeof TICKET_FORMAT;
  /** Of the program: noise is the same only where the program is. */
  readonly version: string;
  readonly release: string;
  /** By which a partition knows that it has the key of this release. */
  readonly keyMark: string;
  /** The column that tells rows apart; null where their partition and all that they hold does. */
  readonly id: string | null;
  readonly columns: readonly TicketColumn[];
  readonly passed: readonly string[];
  /** Columns that do not leave at all. */
  readonly dropped: readonly string[];
  readonly skipInvalid: boolean;
  readonly guard: Guard;
  readonly part: Part | null;
  /** The columns that leave as they are; null where nobody has looked. */
  readonly leaving: readonly string[] | null;
  /** Of delimited inputs, as the driver reads them; null is found in their header. */
  readonly delimiter: string | null;
  /** May files that are there be overwritten, as the driver was told? */
  readonly force: boolean;
  /** The inputs that there are; null where the engine keeps them as they are. */
  readonly pinned: readonly Pinned[] | null;
}

/** A protected column, as partitions are told of it. */
export interface TicketColumn {
  readonly name: string;
  /** A mechanism file's text, and the hash by which the ledger knows it. */
  readonly mechanism: string;
  readonly hash: string;
  /** Of the decimals that are written: 0 places are whole numbers of 64 bits. */
  readonly places: number;
  readonly digits: number;
  /** Of what is done to noisy values, in steps. */
  readonly low: string;
  readonly high: string;
  readonly roundTo: string;
}

function hashOf(mechanism: Mechanism): string {
  return createHash('sha256').update(mechanismText(mechanism)).digest('hex');
}

/** Of a partition that is called by itself: what its caller says, and no ledger's rules. */
export function plainTicket(
  { columns, pass: passed, drop: dropped, skipInvalid }: ReleaseRequest,
  told: Told,
  key: Uint8Array,
): Ticket {
  const guard = { budget: [], earlier: [] };
  checkRoles({ protects: columns.map(({ name }) => name), id: told.id }, { budget: null, earlier: [] });
  const own = columns.map(({ name, mechanism, clamp, roundTo }) => {
    const lattice = latticeOf(mechanism!.pmf.step);
    return { name, mechanism: mechanism!, lattice, finish: finishOf(lattice, clamp, roundTo) };
  });
  return ticketOf({ columns: own, passed, dropped, skipInvalid, guard, part: null }, told, key);
}

/** What a ticket is told beside the job. */
export type Told = Pick<Ticket, 'version' | 'release' | 'id' | 'pinned' | 'leaving' | 'delimiter' | 'force'>;

export function ticketOf(
  {
    columns,
    passed,
    dropped = [],
    skipInvalid,
    guard,
    part,
  }: Pick<Job, 'columns' | 'passed' | 'dropped' | 'skipInvalid' | 'guard' | 'part'>,
  told: Told,
  key: Uint8Array,
): Ticket {
  return {
    format: TICKET_FORMAT,
    ...told,
    keyMark: keyMark(key),
    columns: columns.map(({ name, mechanism, lattice, finish }) => ({
      name,
      mechanism: mechanismText(mechanism),
      hash: hashOf(mechanism),
      places: lattice.places,
      digits: lattice.digits,
      low: String(finish.low),
      high: String(finish.high),
      roundTo: String(finish.roundTo),
    })),
    ...{ passed, dropped, skipInvalid, guard, part },
  };
}

/** A ticket from its text; `version` is that of this program. */
export function readTicket(text: string, version: string): Ticket {
  let ticket: Ticket;
  try {
    ticket = JSON.parse(text) as Ticket;
  } catch {
    throw badData('the job is not JSON; it is written by the driver of a release', 'job');
  }
  if (ticket?.format !== TICKET_FORMAT)
    throw badData(`expected ${TICKET_FORMAT}, as the driver of a release writes it`, 'job');
  if (!Array.isArray(ticket.columns) || ticket.columns.length === 0)
    throw badData('the job protects no column; it is written by the driver of a release', 'job');
  if (ticket.version !== version)
    throw wrong(
      `the driver is discreet ${ticket.version} and this is ${version}: noise is the same only where the program is; install one version on all machines`,
    );
  return ticket;
}

/** What one partition is, beside its ticket. */
export interface PartitionRequest {
  readonly key: Uint8Array;
  /** Its name; null where rows have an id. */
  readonly partition: string | null;
  readonly input: Place;
  readonly output: Place;
  readonly delimiter: string | null;
  readonly force: boolean;
  /** Write protected columns alone. */
  readonly only: boolean;
}

export function jobOfTicket(ticket: Ticket, request: PartitionRequest): Job {
  const { release, id } = ticket;
  const { key, partition, input, output, delimiter, force, only } = request;
  if (only && !(input.format?.writeRows && output.format?.writeRows))
    throw invalid('onlyProtected: rows are put together again by their place in Arrow batches; leave it out');
  if (only && ticket.dropped.length > 0)
    throw invalid(
      'onlyProtected: an engine keeps the other columns, and some are to be dropped; leave it out',
    );
  if (keyMark(key) !== ticket.keyMark)
    throw wrong(
      'this is not the key of the job; read 32 bytes of it, all of one process, from where the driver writes it',
    );
  // What a row is depends on how it is read: on its input alone, so that whatever it is written to, its noise is the same.
  const kind = ({ format }: Place) => (format?.keyed ? 'lines' : format?.writeRows ? 'batches' : 'rows');
  if (kind(input) !== 'rows' && kind(output) !== kind(input))
    throw invalid(
      `outputFormat: a pipe writes ${input.format!.name} as ${input.format!.name}; turn its output into another format afterwards, or say with {inputFormat} what the input is`,
    );
  if (delimiter !== null && delimiter !== ticket.delimiter)
    throw invalid('delimiter: the job says how its inputs are read; leave it out');
  if (ticket.pinned && !ticket.pinned.some(({ format }) => format === input.format!.name))
    throw invalid(
      `inputFormat: the driver has read its inputs as ${ticket.pinned[0]!.format}, got ${input.format!.name}`,
    );
  if (id === null && partition === null)
    throw invalid(
      'partition: expected a name for this partition, for rows have no {id} that tells them apart',
    );
  return {
    ...{ input, output, force, only, recreate: false },
    delimiter: ticket.delimiter,
    columns: ticket.columns.map(columnOf),
    keyed: { key, release, by: id === null ? { partition: partition! } : { id } },
    known: ticket.leaving,
    ...{
      passed: ticket.passed,
      dropped: ticket.dropped,
      skipInvalid: ticket.skipInvalid,
      reading: null,
      guard: ticket.guard,
      part: ticket.part,
    },
    person: null,
    mechanismFiles: [],
  };
}

function columnOf({ name, mechanism: text, hash, low, high, roundTo }: TicketColumn): ProtectedColumn {
  const mechanism = readMechanism(text);
  if (hashOf(mechanism) !== hash)
    throw wrong(`the mechanism for ${quote(name)} is not the one that was charged; its hash is another`);
  const lattice = latticeOf(mechanism.pmf.step);
  const finish = {
    ...finishOf(lattice, null, null),
    low: BigInt(low),
    high: BigInt(high),
    roundTo: BigInt(roundTo),
  };
  return { name, mechanism, lattice, finish };
}
