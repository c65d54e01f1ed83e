// Is a ledger whole, and does it say nothing impossible? And a ledger as lines: exported, and read again.

import { isOurs, wrong } from '../error/index.js';
import { readMechanism } from '../mechanism/index.js';
import { FORMAT, type Hash, type Row, readChain } from './entry.js';
import { faults } from './rules.js';
import type { Store } from './store.js';

export interface Check {
  readonly entries: number;
  /** Mechanisms that are kept, and those that entries name and nobody keeps: older versions did not. */
  readonly mechanisms: { readonly kept: number; readonly missing: number };
  readonly head: string | null;
  readonly problems: readonly string[];
}

/** The chain, what it says, the mechanisms beside it, and the head where one is given. */
export function checkRows(
  rows: readonly Row[],
  mechanisms: ReadonlyMap<string, string>,
  head: string | null,
  hash: Hash,
): Check {
  const { entries, broken } = readChain(rows, hash);
  const problems = broken === null ? faults(entries) : [broken];
  for (const [own, text] of mechanisms) {
    const wrong = mechanismFault(own, text, hash);
    if (wrong !== null) problems.push(`mechanism ${own.slice(0, 12)}: ${wrong}`);
  }
  if (head !== null && !rows.some((row) => row.hash === head))
    problems.push(
      `no entry has the hash ${head}: the end of the ledger was cut off or rewritten, or the hash is of another ledger`,
    );
  const named = new Set<string>();
  for (const entry of entries) {
    const own = entry.kind === 'release' ? entry.charges.flatMap(({ mechanism }) => mechanism ?? []) : [];
    for (const mechanism of own) named.add(mechanism);
    const gone = own.find((mechanism) => !mechanisms.has(mechanism));
    if (entry.kind === 'release' && entry.kept && gone !== undefined)
      problems.push(`entry ${entry.sequence}: its mechanism ${gone.slice(0, 12)} was kept, and was removed`);
  }
  return {
    entries: rows.length,
    mechanisms: {
      kept: mechanisms.size,
      missing: [...named].filter((name) => !mechanisms.has(name)).length,
    },
    head: rows.at(-1)?.hash ?? null,
    problems,
  };
}

function mechanismFault(own: string, text: string, hash: Hash): string | null {
  if (typeof text !== 'string' || hash(text) !== own) return 'its text does not have its hash: it was edited';
  try {
    readMechanism(text);
    return null;
  } catch (error) {
    if (isOurs(error)) return error.message;
    throw error;
  }
}

/** All of a ledger as lines: entries, each as it is hashed, and every mechanism before the first entry that names it. */
export function exportLines(rows: readonly Row[], mechanisms: ReadonlyMap<string, string>): string[] {
  const left = new Map(mechanisms);
  const take = (hash: string): string[] => {
    const text = left.get(hash);
    left.delete(hash);
    return text === undefined ? [] : [JSON.stringify({ format: FORMAT, kind: 'mechanism', hash, text })];
  };
  return [
    ...rows.flatMap(({ text }) => [
      ...[...left.keys()].filter((hash) => text.includes(hash)).flatMap(take),
      text,
    ]),
    ...[...left.keys()].flatMap(take),
  ];
}

/** The inverse. What is no mechanism is taken for an entry, and checked as one. */
export function readLines(lines: readonly string[], hash: Hash) {
  const mechanisms = new Map<string, string>();
  const entries: string[] = [];
  for (const line of lines) {
    const mechanism = mechanismIn(line);
    if (mechanism) mechanisms.set(mechanism.hash, mechanism.text);
    else entries.push(line);
  }
  return { rows: entries.map((text, i): Row => ({ sequence: i + 1, text, hash: hash(text) })), mechanisms };
}

/** An export into a store that is empty, or that ends where the export goes on; checked in full, and nothing is taken over else. */
export async function importInto(
  store: Store,
  lines: readonly string[],
  head: string | null,
  hash: Hash,
): Promise<Check> {
  const { rows, mechanisms } = readLines(lines, hash);
  const found = checkRows(rows, mechanisms, head, hash);
  if (rows.length === 0) return { ...found, problems: ['there is no entry'] };
  if (found.problems.length > 0) return found;
  await store.append((present) => {
    if (present.some(({ hash: own }, i) => rows[i]?.hash !== own))
      throw wrong(
        `ledger ${store.address}: it keeps entries that the file does not have, or others in their place; a ledger is not overwritten: import it under another name`,
      );
    return { rows: rows.slice(present.length), mechanisms };
  });
  return found;
}

function mechanismIn(line: string): { hash: string; text: string } | null {
  if (!line.startsWith(`{"format":"${FORMAT}","kind":"mechanism",`)) return null;
  try {
    const { hash, text } = JSON.parse(line) as { hash: unknown; text: unknown };
    return typeof hash === 'string' && typeof text === 'string' ? { hash, text } : null;
  } catch {
    return null;
  }
}
