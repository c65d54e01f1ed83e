// The names of a ledger's tables in PostgreSQL, which no release may write to.

/** Where new ledgers are kept in a database. */
export const LEDGER_SCHEMA = 'discreet';
/** What the table was called before it had a schema: whoever had a schema of their own had a ledger of their own. */
export const OLD_LEDGER_TABLE = 'discreet_ledger';
/** The mechanisms of such a ledger. */
export const OLD_MECHANISM_TABLE = 'discreet_mechanisms';

/** Is a table of this schema and name a ledger's? */
export function isLedgerTable(schema: string, name: string): boolean {
  return schema === LEDGER_SCHEMA || name === OLD_LEDGER_TABLE || name === OLD_MECHANISM_TABLE;
}
