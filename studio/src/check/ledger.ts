// A ledger's export: is the chain whole, and what does it say?

import { badData, invalid } from 'discreet-dp/error';
import { parseDecimal, toDecimalUp } from 'discreet-dp/exact';
import {
  accountantFor,
  checkRows,
  countedReleases,
  type Dataset,
  datasetsOf,
  type Entry,
  leftFigures,
  left as leftOf,
  type Release,
  type Row,
  readChain,
  readLines,
  type State,
  sha256,
  spent,
  unitWords,
} from 'discreet-dp/ledger';
import { readMechanism } from 'discreet-dp/mechanism';
import type { Progress } from '../engine/serve.js';
import { textOf } from './pieces.js';

export interface LedgerWanted {
  readonly file: File;
  /** To be found among the entries; empty for none. */
  readonly head: string;
}

export type Checked = Awaited<ReturnType<typeof ledger>>;

export async function ledger({ file, head }: LedgerWanted, progress: Progress) {
  const sought = head.trim().toLowerCase();
  if (sought !== '' && !/^[0-9a-f]{64}$/.test(sought))
    throw invalid(`head: expected 64 hexadecimal digits as in a report, got ${sought.length} signs`);
  progress(0, 'reading');
  const text = await textOf(file);
  // A file may have been cut off in the middle of a line: then its last line does not end.
  if (!text.endsWith('\n'))
    throw badData('the last line does not end: the file was cut off; have it exported again');
  const lines = text.split('\n').slice(0, -1);
  let hashed = 0;
  const hash = (own: string) => {
    if (++hashed % 200 === 0) progress(hashed / (3 * lines.length), 'following the chain');
    return sha256(own);
  };
  const { rows, mechanisms } = readLines(lines, hash);
  const found = checkRows(rows, mechanisms, sought === '' ? null : sought, hash);
  // Entries from the break on are not what was written, so nothing is told of them.
  const { entries, broken } = readChain(rows, (own) => sha256(own));
  const read = new Map([...mechanisms].map(([own, written]) => [own, () => readMechanism(written)]));
  const datasets = datasetsOf(entries, (own) => (broken === null ? (read.get(own)?.() ?? null) : null));
  return {
    whole: found.problems.length === 0,
    entries: found.entries,
    /** Up to the break. */
    trusted: entries.length,
    mechanisms: found.mechanisms,
    head: found.head,
    at: sought === '' ? null : atHead(rows, sought),
    problems: found.problems,
    /** Entries that used each mechanism. */
    uses: [...usesOf(entries)],
    datasets: [...datasets.values()].map((dataset) => datasetOf(dataset, entries)),
  };
}

/** The entry whose hash it is. */
function atHead(rows: readonly Row[], head: string): number | null {
  return rows.find(({ hash }) => hash === head)?.sequence ?? null;
}

function usesOf(entries: readonly Entry[]): Map<string, number[]> {
  const uses = new Map<string, number[]>();
  for (const entry of entries)
    if (entry.kind === 'release')
      for (const { mechanism } of entry.charges)
        if (mechanism !== null) uses.set(mechanism, [...(uses.get(mechanism) ?? []), entry.sequence]);
  return uses;
}

function datasetOf(dataset: Dataset, entries: readonly Entry[]) {
  const { name, budget, releases } = dataset;
  const own = new Map(releases.map((release) => [release.entry.sequence, release]));
  return {
    name,
    accountant: accountantFor(budget)?.name ?? 'unknown',
    unit: budget && unitWords({ perPerson: budget.perPerson, perPersonEnforced: false }),
    terms: Object.entries(budget?.adjacency ?? {}).map(([column, m]) => `${column} by up to ${m}`),
    status: [
      statusOf(dataset, name),
      ...(budget?.partition?.parts ?? []).map((part) =>
        statusOf(
          { ...dataset, releases: releases.filter(({ entry }) => (entry.part ?? part) === part) },
          `part ${part}`,
        ),
      ),
    ],
    entries: entries.flatMap((entry) => {
      if (entry.kind === 'budget' && entry.dataset === name)
        return [
          [String(entry.sequence), time(entry), 'budget', '', entry.epsilon, entry.delta, 'may be spent', ''],
        ];
      const release = own.get(entry.sequence);
      return release ? [releaseRow(release)] : [];
    }),
  };
}

function statusOf(dataset: Dataset, name: string): readonly string[] {
  const [cost, rest] = [spent(dataset), leftOf(dataset)];
  const left = rest && dataset.budget && leftFigures(rest, dataset.budget);
  return [
    name,
    String(countedReleases(dataset).length),
    dataset.budget?.epsilon ?? 'none',
    toDecimalUp(cost.epsilon, 7),
    left ? (left.epsilon === '0' ? 'nothing' : left.epsilon) : '–',
    dataset.budget?.delta ?? 'none',
    toDecimalUp(cost.delta, 7),
    left?.delta ?? '–',
  ];
}

const STATES: Readonly<Record<State, string>> = {
  complete: 'complete',
  open: 'unfinished: counts as spent',
  void: 'given back',
  abort: 'aborted: counts as spent',
};

function releaseRow({ entry, state }: Release): readonly string[] {
  return [
    String(entry.sequence),
    time(entry),
    entry.act,
    `${entry.charges.map(({ on }) => on).join(', ')}${entry.part === null ? '' : ` (part ${entry.part})`}`,
    toDecimalUp(parseDecimal(entry.epsilon, 'epsilon'), 7),
    toDecimalUp(parseDecimal(entry.delta, 'delta'), 7),
    STATES[state],
    entry.output,
  ];
}

function time(entry: Entry): string {
  return entry.time.slice(0, 19).replace('T', ' ');
}
