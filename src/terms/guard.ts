// What leaves as it is, and what must not: a column that the budget protects never does, in whatever spelling; one that reads like
// a protected column, was protected before, is nested or is computed does only where the publisher says so.

import { badData, PrivacyError, quote } from '../error/index.js';
import { columnList, missingColumn, readsAs } from '../spec/index.js';

/** A column as its source tells of it. */
export interface InputColumn {
  readonly name: string;
  /** What its table calls it; null where it has no other name. */
  readonly tableName: string | null;
  /** Why its values may hold those of others; null for a plain column. */
  readonly doubt: 'nested' | 'computed' | null;
  /** Names inside a nested column, as far as they are known. */
  readonly inside: readonly string[];
  /** Has each of its values one text, whatever it is read from? So have text and whole numbers; 1.0 is 1 elsewhere, and true is t. */
  readonly oneText: boolean;
}

/** A column without a past: of a file, as text. */
export function plainColumn(name: string): InputColumn {
  return { name, tableName: null, doubt: null, inside: [], oneText: true };
}

export interface Gate {
  /** Why this column must not leave as it is; null where it may. */
  readonly refusal: (column: InputColumn) => string | null;
}

/** Columns that do not leave as they are: by the budget never, by earlier releases only where it is said. */
export interface Guard {
  readonly budget: readonly string[];
  readonly earlier: readonly string[];
}

/** All names that are protected, or are to be. */
export function guardedBy({ columns, guard }: Pick<Rules, 'columns' | 'guard'>): string[] {
  return [...columns.map(({ name }) => name), ...guard.budget, ...guard.earlier];
}

export interface Rules {
  readonly columns: readonly { readonly name: string }[];
  readonly passed: readonly string[];
  readonly guard: Guard;
  /** Columns that are left out. */
  readonly dropped?: readonly string[];
  /** The columns that may leave at all, where a driver has listed them before. */
  readonly known?: readonly string[] | null;
}

/** `named` says whether messages may name columns: keys of JSON lines may be data. */
export function gateOf({ columns, passed, guard, dropped = [], known }: Rules, named: boolean): Gate {
  const listed = known ? new Set(known) : null;
  const reading = (names: readonly string[]) => new Map(names.map((name) => [readsAs(name), name]));
  const own = reading(columns.map(({ name }) => name));
  const out = reading(dropped);
  const [budget, earlier] = [reading(guard.budget), reading(guard.earlier)];
  const shown = (name: string) => (named ? `column ${quote(name)}` : 'a key');
  const allow = (name: string) => `let it leave as it is with {pass} ${named ? quote(name) : 'and the key'}`;
  const found = (names: ReadonlyMap<string, string>, { name, tableName }: InputColumn) =>
    names.get(readsAs(name)) ?? (tableName === null ? undefined : names.get(readsAs(tableName)));
  const refusal = (column: InputColumn): string | null => {
    const { name, doubt, inside } = column;
    const within = inside.map((part) => budget.get(readsAs(part))).find((part) => part !== undefined);
    const never = found(budget, column);
    if (never === undefined && within !== undefined)
      return `the budget protects ${quote(within)}, which would leave as it is inside of a nested ${named ? `column, ${quote(name)}` : 'key'}; leave that out of the input`;
    if (never !== undefined)
      return `the budget protects ${quote(never)}, which would leave as it is${never === name ? '' : ` in ${shown(name)}`}; name it with {columns} too, or leave it out of the input`;
    if (listed && !listed.has(name))
      return `${shown(name)} is none of those that the driver of the release was told of; give it the columns that there are`;
    const left = found(out, column);
    if (left !== undefined && !dropped.includes(name))
      return `${shown(name)} reads like ${quote(left)}, which is left out, and would leave as it is; leave it out too, or rename it`;
    if (passed.includes(name)) return null;
    const alike = found(own, column);
    if (alike !== undefined)
      return `${shown(name)} reads like the protected ${quote(alike)} and would leave as it is; protect it with {columns} too, leave it out of the input, or ${allow(name)}`;
    const before = found(earlier, column);
    if (before !== undefined)
      return `${quote(before)} was protected in an earlier release of this dataset, and would leave as it is${before === name ? '' : ` in ${shown(name)}`}; name it with {columns} too, leave it out of the input, or ${allow(name)}`;
    if (doubt === 'nested')
      return `${shown(name)} is nested (a list, an object or the like) and may hold anything; leave it out of the input, or ${allow(name)}`;
    if (doubt === 'computed')
      return `${shown(name)} is no column of a table itself but computed (an expression, a view's or a generated column) and may tell protected values; leave it out of the query, or ${allow(name)}`;
    return null;
  };
  const memory = new Map<string, string | null>();
  return {
    refusal: (column) => {
      // What is inside of a nested column differs from row to row.
      if (column.inside.length > 0) return refusal(column);
      const key = `${column.doubt} ${column.name}`;
      if (!memory.has(key)) memory.set(key, refusal(column));
      return memory.get(key)!;
    },
  };
}

/** The names of the columns that will leave as they are, or a refusal. */
export function checkLeaving(
  job: Rules,
  columns: readonly InputColumn[],
  shown: string,
  named: boolean,
): string[] {
  const gate = gateOf(job, named);
  const protectedNames = new Set(job.columns.map(({ name }) => name));
  const leaving = columns.filter(({ name }) => !protectedNames.has(name));
  checkPassed(
    job,
    leaving.map(({ name }) => name),
    shown,
    named,
  );
  for (const column of leaving) {
    const refusal = gate.refusal(column);
    if (refusal !== null) throw new PrivacyError(`${shown}: ${refusal}`);
  }
  return leaving.map(({ name }) => name);
}

/** What is allowed to pass must be there. */
export function checkPassed(
  { passed }: Pick<Rules, 'passed'>,
  leaving: readonly string[],
  shown: string,
  named: boolean,
): void {
  const there = new Set(leaving);
  const missing = passed.find((name) => !there.has(name));
  if (missing !== undefined)
    throw badData(
      `${shown} has no column ${quote(missing)} that leaves as it is${named ? missingColumn(missing, leaving) : ''}`,
      'pass',
    ).at(named ? columnList(leaving) : null);
}

/** Columns on which a guarantee rests must be plain ones of a table, under their own name. */
export function checkOwnColumn({ name, tableName, doubt }: InputColumn, field: string, shown: string): void {
  if (doubt !== null)
    throw new PrivacyError(
      `${quote(name)} of ${shown} is no plain column of a table (it is ${doubt === 'nested' ? 'nested' : "an expression, a view's or a generated column"}), so nothing is known of how far a record moves it; select a table's own column`,
      field,
    );
  if (tableName !== null && readsAs(tableName) !== readsAs(name))
    throw new PrivacyError(
      `${quote(name)} of ${shown} is called ${quote(tableName)} in its table; keep that name, by which budgets know it`,
      field,
    );
}
