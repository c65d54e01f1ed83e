// What somebody wants of a release, in the texts of the page, and the same as the library reads it.

import { invalid, quote } from 'discreet-dp/error';
import type { BudgetTerms } from 'discreet-dp/ledger';
import { readDecimal, readDelta, readPositive, readPositiveEpsilon } from 'discreet-dp/spec';
import { type Reading, readingOf, type Wanted } from 'discreet-dp/terms';
import { priorOf } from '../parts/prior.js';
import { own } from './by-column.js';

/** Answers as texts, empty where there is none. */
export interface ProtectWanted {
  readonly columns: readonly string[];
  /** By column. */
  readonly adjacency: Readonly<Record<string, string>>;
  readonly clamp: Readonly<Record<string, string>>;
  readonly epsilon: string;
  readonly delta: string;
  readonly step: string;
  readonly prior: string;
  /** The column that tells persons apart. */
  readonly person: string;
  readonly perPerson: string;
  readonly dataset: string;
  /** ε and δ that may be spent in all, where there is no budget yet. */
  readonly budget: string;
  readonly budgetDelta: string;
  readonly ledger: string;
  readonly na: string;
  readonly map: string;
  readonly decimal: string;
  readonly skipInvalid: boolean;
  readonly pass: readonly string[];
  /** Columns that do not leave at all. */
  readonly drop: readonly string[];
  /** Of text that is not UTF-8; the file was opened by it. */
  readonly encoding: string;
  readonly output: string;
}

/** The budget that is to be set, where the dataset has none. */
export function budgetTerms(wanted: ProtectWanted): BudgetTerms {
  const adjacency: Record<string, string> = Object.create(null);
  for (const column of wanted.columns) {
    const text = own(wanted.adjacency, column);
    if (text.trim() === '') throw invalid(`adjacency: expected a number for ${quote(column)}, such as 5`);
    adjacency[column] = text;
  }
  return {
    dataset: wanted.dataset,
    epsilon: wanted.budget,
    delta: wanted.budgetDelta || '0',
    adjacency,
    perPerson: rowsOf(wanted),
  };
}

function rowsOf({ perPerson }: ProtectWanted): number | null {
  if (perPerson.trim() === '') return null;
  const rows = Number(perPerson);
  if (!Number.isSafeInteger(rows) || rows < 1)
    throw invalid(`perPerson: expected a whole number from 1 on, got ${perPerson}`);
  return rows;
}

/** For a dataset that has its budget: adjacencies and rows per person are those of the budget. */
export function releaseWanted(
  wanted: ProtectWanted,
  input: string,
): Wanted & { readonly reading: Reading | null } {
  if (wanted.columns.length === 0)
    throw invalid('columns: choose at least one column that is to be protected');
  const step = readPositive(wanted.step || '1', 'step');
  const prior = priorOf({ spec: wanted.prior }, step);
  return {
    columns: wanted.columns.map((name) => ({
      name,
      mechanism: null,
      clamp: clampOf(own(wanted.clamp, name)),
      roundTo: null,
    })),
    noise: {
      epsilon: { all: readPositiveEpsilon(wanted.epsilon), own: new Map() },
      delta: { all: readDelta(wanted.delta || '0'), own: new Map() },
      adjacency: () => null,
      step: () => ({ value: step, own: false }),
      prior: () => prior,
      share: null,
      family: null,
      unbiased: true,
    },
    person: wanted.person === '' ? null : wanted.person,
    pass: wanted.pass,
    drop: wanted.drop,
    dataset: wanted.dataset,
    inputName: null,
    part: null,
    perPerson: null,
    input,
    output: wanted.output,
    query: null,
    reading: readingWanted(wanted),
  };
}

/** How cells are read that are no plain numbers. */
export function readingWanted({
  na,
  map,
  decimal,
  skipInvalid,
}: Pick<ProtectWanted, 'na' | 'map' | 'decimal' | 'skipInvalid'>): Reading | null {
  const reading: Reading = {
    na: listOf(na),
    map: mapOf(map),
    decimal: decimal === ',' || decimal === '.' ? decimal : null,
  };
  return readingOf(reading, skipInvalid);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** 85+=85 on each line. */
function mapOf(text: string): Map<string, string> {
  const pairs = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): [string, string] => {
      const at = line.lastIndexOf('=');
      if (at < 0) throw invalid(`map: expected text=number, such as 85+=85, got ${line}`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  return new Map(pairs);
}

function clampOf(text: string) {
  if (text.trim() === '') return null;
  const ends = text.split(',');
  if (ends.length !== 2)
    throw invalid(`clamp: expected the lowest and the highest, such as 0,100, got ${text}`);
  return { low: readDecimal(ends[0]!.trim(), 'clamp'), high: readDecimal(ends[1]!.trim(), 'clamp') };
}
