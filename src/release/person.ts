// Who is meant: 7, 7.0, " 7" and 07 are one person. One list of rules, for JavaScript and for the SQL of both engines.

import { literal } from './sql.js';

/** Whose rows are counted: no value of the column may have more than so many. */
export interface Person {
  readonly column: string;
  readonly rows: number;
}

const BLANK = '[\\t\\n\\v\\f\\r ]';

/** Patterns that all three read alike, and what their match becomes. */
const RULES: readonly (readonly [pattern: string, replacement: string])[] = [
  [`^${BLANK}+|${BLANK}+$`, ''],
  ['^\\+([0-9]+(\\.[0-9]*)?)$', '\\1'],
  ['^(-?)0+([0-9]+(\\.[0-9]*)?)$', '\\1\\2'],
  ['^(-?[0-9]+)\\.0*$', '\\1'],
  ['^(-?[0-9]+\\.[0-9]*[1-9])0+$', '\\1'],
  ['^-0$', '0'],
];

export function personOf(text: string): string {
  return RULES.reduce(
    (name, [pattern, replacement]) =>
      name.replace(new RegExp(pattern, 'g'), replacement.replace(/\\(\d)/g, '$$$1')),
    text,
  );
}

/** The same of an expression that is text. */
export function personSql(text: string): string {
  return RULES.reduce(
    (sql, [pattern, replacement]) =>
      `regexp_replace(${sql}, ${literal(pattern)}, ${literal(replacement)}, 'g')`,
    text,
  );
}
