// Who is meant: 7, 7.0, " 7" and 07 are one person. One list of rules, for JavaScript and for the SQL of both engines.

/** Whose rows are counted: no value of the column may have more than so many. */
export interface Person {
  readonly column: string;
  readonly rows: number;
}

const BLANK = '[\\t\\n\\v\\f\\r ]';

/** Patterns that all three read alike, and what their match becomes. */
export const PERSON_RULES: readonly (readonly [pattern: string, replacement: string])[] = [
  [`^${BLANK}+|${BLANK}+$`, ''],
  ['^\\+([0-9]+(\\.[0-9]*)?)$', '\\1'],
  ['^(-?)0+([0-9]+(\\.[0-9]*)?)$', '\\1\\2'],
  ['^(-?[0-9]+)\\.0*$', '\\1'],
  ['^(-?[0-9]+\\.[0-9]*[1-9])0+$', '\\1'],
  ['^-0$', '0'],
];

export function personOf(text: string): string {
  return PERSON_RULES.reduce(
    (name, [pattern, replacement]) =>
      name.replace(new RegExp(pattern, 'g'), replacement.replace(/\\(\d)/g, '$$$1')),
    text,
  );
}
