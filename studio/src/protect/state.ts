// The answers, as they stand in the address.

import { named, one, type Values } from '../route.js';
import type { Survey } from './survey.js';
import type { ProtectWanted } from './wanted.js';

/** What one person is: one row, rows told apart by a column, several rows, or not known. */
export type Unit = 'row' | 'column' | 'several' | 'unknown';

export interface Answers extends ProtectWanted {
  readonly unit: Unit;
  readonly encoding: string;
}

const UNITS: readonly Unit[] = ['row', 'column', 'several', 'unknown'];

export function answersIn(values: Values, survey: Survey | null): Answers {
  const get = (key: string, fallback = '') => one(values, key) ?? fallback;
  const there = new Set(survey?.columns.map(({ name }) => name) ?? []);
  const only = (names: readonly string[]) => names.filter((name) => there.has(name));
  const columns = only(values.column ?? []);
  const given = get('unit', 'row') as Unit;
  const unit = UNITS.includes(given) ? given : 'row';
  const of = (key: string) =>
    Object.fromEntries([...named(values, key)].filter(([name]) => columns.includes(name)));
  return {
    columns,
    adjacency: of('adjacency'),
    clamp: of('clamp'),
    epsilon: get('epsilon', '1'),
    delta: get('delta', '0'),
    step: get('step', '1'),
    prior: get('prior'),
    unit,
    person: unit === 'column' ? (only([get('person')])[0] ?? '') : '',
    perPerson: unit === 'row' ? '1' : unit === 'unknown' ? '' : get('per-person', '1'),
    dataset: get('dataset', survey ? stem(survey.name) : ''),
    budget: get('budget', '3'),
    budgetDelta: get('budget-delta', '0'),
    ledger: get('ledger', 'discreet'),
    na: get('na'),
    map: (values.map ?? []).join('\n'),
    decimal: get('decimal'),
    skipInvalid: values['skip-invalid'] !== undefined,
    pass: only(values.pass ?? []),
    output: get('output', survey ? `released${survey.ending}` : ''),
    encoding: get('encoding'),
  };
}

/** A file's name without its ending. */
export function stem(name: string): string {
  return name.replace(/\.[^.]+$/, '') || name;
}

/** One entry of an option by column, changed. */
export function withNamed(values: Values, key: string, column: string, value: string): string[] {
  const all = named(values, key);
  if (value === '') all.delete(column);
  else all.set(column, value);
  return [...all].map(([name, own]) => `${name}=${own}`);
}
