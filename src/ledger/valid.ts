// Does an entry say what an entry can say? A ledger that was made by hand may have a whole chain and say nonsense.

import { parseDecimal } from '../exact/index.js';

type Fields = Readonly<Record<string, unknown>>;
type Rule = (value: unknown) => boolean;

const isText: Rule = (value) => typeof value === 'string';
const isName: Rule = (value) => typeof value === 'string' && value !== '';
const isFlag: Rule = (value) => typeof value === 'boolean';
const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const isCount: Rule = (value) => Number.isSafeInteger(value) && (value as number) >= 1;
function orNull(rule: Rule): Rule {
  return (value) => value === null || rule(value);
}
/** Absent, as in entries of an older format. */
function orAbsent(rule: Rule): Rule {
  return (value) => value === undefined || rule(value);
}
function listOf(rule: Rule): Rule {
  return (value) => Array.isArray(value) && value.every(rule);
}
function hasFields(rules: Readonly<Record<string, Rule>>): Rule {
  return (value) => isObject(value) && Object.entries(rules).every(([key, rule]) => rule(value[key]));
}
/** A decimal as text: at least 0, or above it. */
function isDecimal(positive: boolean): Rule {
  return (value) => {
    try {
      const { num } = parseDecimal(value as string);
      return positive ? num > 0n : num >= 0n;
    } catch {
      return false;
    }
  };
}

const SETTLEMENT = { release: isCount, reason: isText };

const RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  budget: {
    dataset: isName,
    epsilon: isDecimal(true),
    delta: isDecimal(false),
    adjacency: (value) => isObject(value) && Object.values(value).every(isDecimal(true)),
    perPerson: orNull(isCount),
    partition: orNull(hasFields({ column: isName, parts: listOf(isName) })),
    filter: orAbsent(isName),
  },
  release: {
    act: (value) => ['release', 'count', 'choose', 'prior'].includes(value as string),
    dataset: isName,
    part: orNull(isName),
    input: isText,
    output: isText,
    query: orAbsent(orNull(hasFields({ sql: isText, rowsOnce: isFlag }))),
    charges: listOf(
      hasFields({
        on: isText,
        mechanism: orNull(isText),
        adjacency: isDecimal(true),
        epsilon: isDecimal(false),
        delta: isDecimal(false),
      }),
    ),
    passed: orAbsent(listOf(isText)),
    dropped: orAbsent(listOf(isText)),
    by: listOf(isText),
    byProtected: listOf(isText),
    counted: orAbsent(orNull(isName)),
    apart: orAbsent(isDecimal(true)),
    perPerson: orNull(isCount),
    perPersonEnforced: isFlag,
    person: orAbsent(isName),
    epsilon: isDecimal(false),
    delta: isDecimal(false),
    keyed: orAbsent(hasFields({ id: orNull(isName), pinned: isText })),
    kept: orAbsent(isFlag),
  },
  complete: SETTLEMENT,
  void: SETTLEMENT,
  abort: SETTLEMENT,
};

export const KINDS = Object.keys(RULES);

const SIGNED: Readonly<Record<string, Rule>> = {
  sequence: isCount,
  previous: isText,
  time: isText,
  who: isText,
};

/** The first field that does not say what it can, by its name; null where all do. */
export function invalidField(kind: string, entry: Fields): string | null {
  const rules = { ...SIGNED, ...RULES[kind] };
  return Object.entries(rules).find(([key, rule]) => !rule(entry[key]))?.[0] ?? null;
}
