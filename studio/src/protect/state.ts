// The answers, as they stand in the address.

import { named, one, type Values } from '../route.js';
import type { Survey } from './survey.js';
import type { ProtectWanted } from './wanted.js';

/** What one person is: one row, rows told apart by a column, several rows, or not known. */
export type Unit = 'row' | 'column' | 'several' | 'unknown';

export interface Answers extends ProtectWanted {
  readonly unit: Unit;
}

const UNITS: readonly Unit[] = ['row', 'column', 'several', 'unknown'];

/** What a person can be where the budget is fixed: rows per person are those that it states. */
export function unitsFor(fixed: { readonly perPerson: number | null } | null): readonly Unit[] {
  if (!fixed) return UNITS;
  if (fixed.perPerson === null) return ['unknown'];
  return fixed.perPerson === 1 ? ['row', 'column'] : ['column', 'several'];
}

/** Of a file with these columns, under a budget that is fixed, where there is one. */
export function answersIn(
  values: Values,
  survey: Survey | null,
  fixed: { readonly perPerson: number | null } | null,
): Answers {
  const get = (key: string, fallback = '') => one(values, key) ?? fallback;
  const there = new Set(survey?.columns.map(({ name }) => name) ?? []);
  const only = (names: readonly string[]) => names.filter((name) => there.has(name));
  const columns = only(values.column ?? []);
  const units = unitsFor(fixed);
  // Nobody is taken at a word that they have not given.
  const fallback = fixed ? units[0]! : 'unknown';
  const given = get('unit', fallback) as Unit;
  const unit = units.includes(given) ? given : fallback;
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
    perPerson: fixed
      ? String(fixed.perPerson ?? '')
      : unit === 'row'
        ? '1'
        : unit === 'unknown'
          ? ''
          : get('per-person', '1'),
    dataset: get('dataset', survey ? stem(survey.name) : ''),
    budget: get('budget', '3'),
    budgetDelta: get('budget-delta', get('delta', '0')),
    ledger: get('ledger', 'discreet'),
    na: get('na'),
    map: (values.map ?? []).join('\n'),
    decimal: get('decimal'),
    skipInvalid: values['skip-invalid'] !== undefined,
    pass: only(values.pass ?? []),
    drop: only(values.drop ?? []).filter((name) => !columns.includes(name)),
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
