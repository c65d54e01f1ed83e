// The entries of a ledger and the chain that ties them: each holds the hash of the one before it, so that none
// can be edited, removed or moved without a trace. Nothing is ever updated in place.

import { isDeeper, quote } from '../error/index.js';
import { invalidField, KINDS } from './valid.js';

/** Of new entries. */
export const FORMAT = 'discreet/ledger@2';
const FIRST_FORMAT = 'discreet/ledger@1';
/** What the first entry holds for the hash of the one before it. */
export const NO_HASH = '0'.repeat(64);

/** What every entry holds beside its content. */
export interface Signed {
  readonly format: typeof FORMAT | typeof FIRST_FORMAT;
  readonly sequence: number;
  readonly previous: string;
  readonly time: string;
  readonly who: string;
}

/** Parts of a dataset that share no person: the publisher's declaration, which nothing here can check. */
export interface Partition {
  readonly column: string;
  readonly parts: readonly string[];
}

/** What may be spent on a dataset, and what neighbours are in it. All figures are decimals as text. */
export interface Budget {
  readonly dataset: string;
  readonly epsilon: string;
  readonly delta: string;
  /** How far one record may move in each column, in data units. */
  readonly adjacency: Readonly<Record<string, string>>;
  /** Rows that one person may have; null where that is not stated, and everything is for one row. */
  readonly perPerson: number | null;
  readonly partition: Partition | null;
  /** How releases are added up; absent means `basic`. */
  readonly filter?: string;
}

/** One mechanism's cost for one row, as an upper bound. */
export interface Charge {
  /** The column, or what was counted or chosen. */
  readonly on: string;
  /** Of the mechanism's integers; null for a choice among candidates. */
  readonly mechanism: string | null;
  /** At which it was charged, in data units. */
  readonly adjacency: string;
  readonly epsilon: string;
  readonly delta: string;
}

/** Rows that a query chose, and whether the publisher states that each record is in them once at most. */
export interface Query {
  readonly sql: string;
  readonly rowsOnce: boolean;
}

/** Noise that is a function of a key and of what rows are: the guarantee is computational. */
export interface KeyedNoise {
  /** The column that tells rows apart; null where all that they hold does. */
  readonly id: string | null;
  /** What keeps the input as it is while tasks are run again. */
  readonly pinned: string;
}

export interface Spending {
  readonly act: 'release' | 'count' | 'choose' | 'prior';
  readonly dataset: string;
  readonly part: string | null;
  readonly input: string;
  readonly output: string;
  readonly query: Query | null;
  readonly charges: readonly Charge[];
  /** Columns that left as they are although something spoke against it, because the publisher said so. */
  readonly passed: readonly string[];
  /** Columns of the input that did not leave at all; absent where there were none. */
  readonly dropped?: readonly string[];
  /** Columns that were counted by. */
  readonly by: readonly string[];
  /** Those of them that were protected: a change of such a value moves a row, which was charged. */
  readonly byProtected: readonly string[];
  /** Of a count: the column that says how many rows each row stands for, null where each is one; absent in older entries. */
  readonly counted?: string | null;
  /** Of a prior from counts below thresholds: how far they are apart at least, in data units. It was charged for smaller moves alone. */
  readonly apart?: string;
  /** Rows of a person that were charged; null where they were not stated, and one row was. */
  readonly perPerson: number | null;
  /** Did the program count the rows of each person, or does the publisher vouch for them? */
  readonly perPersonEnforced: boolean;
  /** The column by which they were counted; absent where they were not, and in older entries. */
  readonly person?: string;
  /** All charges together, for a person. */
  readonly epsilon: string;
  readonly delta: string;
  /** Absent where noise was drawn afresh. */
  readonly keyed?: KeyedNoise;
  /** Are its mechanisms kept beside the entries? Absent where they are not. */
  readonly kept?: boolean;
}

export interface Settlement {
  /** The entry that is settled. */
  readonly release: number;
  readonly reason: string;
}

export type Content =
  | ({ readonly kind: 'budget' } & Budget)
  | ({ readonly kind: 'release' } & Spending)
  | ({ readonly kind: 'complete' | 'void' | 'abort' } & Settlement);
export type Entry = Signed & Content;

/** An entry as it is stored. */
export interface Row {
  readonly sequence: number;
  readonly text: string;
  readonly hash: string;
}

/** SHA-256 of a text's UTF-8, in hexadecimal digits: given by whoever keeps the ledger. */
export type Hash = (text: string) => string;

/** The row that follows `last`. */
export function nextRow(last: Row | undefined, content: Content, who: string, time: Date, hash: Hash): Row {
  const sequence = (last?.sequence ?? 0) + 1;
  const entry: Entry = {
    format: FORMAT,
    sequence,
    previous: last?.hash ?? NO_HASH,
    time: time.toISOString(),
    who,
    ...content,
  };
  const text = JSON.stringify(entry);
  return { sequence, text, hash: hash(text) };
}

/** The entries, or the first place where the chain is broken. */
export function readChain(rows: readonly Row[], hash: Hash): { entries: Entry[]; broken: string | null } {
  const entries: Entry[] = [];
  let previous = NO_HASH;
  for (const [i, row] of rows.entries()) {
    const broken = (what: string) => ({ entries, broken: `entry ${row.sequence}: ${what}` });
    if (row.sequence !== i + 1) return broken(`expected number ${i + 1}: one was removed or moved`);
    if (hash(row.text) !== row.hash) return broken('its text does not have its hash: it was edited');
    const entry = parseEntry(row.text);
    if (typeof entry === 'string') return broken(entry);
    if (entry.sequence !== row.sequence)
      return broken(`its text says number ${entry.sequence}: it was moved`);
    if (entry.previous !== previous)
      return broken('it does not follow the one before it: one was edited, removed or moved');
    previous = row.hash;
    entries.push(entry);
  }
  return { entries, broken: null };
}

/** An entry, or what is wrong with it. Fields that are not known are left alone. */
export function parseEntry(text: string): Entry | string {
  const none = 'its text is not an entry of a ledger';
  let entry: Entry | null;
  try {
    entry = JSON.parse(text) as Entry | null;
  } catch {
    return none;
  }
  if (entry === null || typeof entry !== 'object' || typeof entry.kind !== 'string' || isDeeper(entry))
    return none;
  if (entry.format !== FORMAT && entry.format !== FIRST_FORMAT)
    return typeof entry.format === 'string' && /^discreet\/ledger@\d+$/.test(entry.format)
      ? `its format is ${entry.format}, which this program is too old for; use a newer one`
      : none;
  if (!KINDS.includes(entry.kind)) return `its kind is ${quote(entry.kind)}; use a newer program`;
  const wrong = invalidField(entry.kind, entry as unknown as Readonly<Record<string, unknown>>);
  if (wrong !== null) return `its ${wrong} is missing, or not what an entry can say`;
  return entry.format === FIRST_FORMAT ? fromFirst(entry) : entry;
}

/** The first format had no word for rows per person that were not stated, and no queries. */
function fromFirst(entry: Entry): Entry {
  if (entry.kind === 'budget') return { ...entry, perPerson: entry.perPerson === 1 ? null : entry.perPerson };
  if (entry.kind !== 'release') return entry;
  const stated = entry.perPerson !== 1 || entry.perPersonEnforced;
  return { ...entry, perPerson: stated ? entry.perPerson : null, query: null, passed: [] };
}
