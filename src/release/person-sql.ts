// The rules of rows/person.ts in the SQL of both engines.

import { PERSON_RULES } from '../rows/index.js';
import { literal } from './sql.js';

/** Who is meant, of an expression that is text. */
export function personSql(text: string): string {
  return PERSON_RULES.reduce(
    (sql, [pattern, replacement]) =>
      `regexp_replace(${sql}, ${literal(pattern)}, ${literal(replacement)}, 'g')`,
    text,
  );
}
