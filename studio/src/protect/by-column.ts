// Answers by column.

/** Of a column, whatever its name; empty where there is none. */
export function own(by: Readonly<Record<string, string>>, column: string): string {
  return Object.hasOwn(by, column) ? by[column]! : '';
}
