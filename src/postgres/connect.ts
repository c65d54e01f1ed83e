// A connection to PostgreSQL: the one home of its driver. Passwords come from PGPASSWORD or .pgpass, never from an address, which
// others can see.

import { cannot, optional, wrong } from '../error/index.js';

/** What the server tells of a result's column: where the table's number is 0, it comes from no table. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
  readonly tableID: number;
  readonly columnID: number;
}

/** What is used of the driver's client. */
export interface Connection {
  /** Send a query, and wait for all of its rows. */
  query(
    text: string | { readonly text: string; readonly name?: string; readonly rowMode?: 'array' },
    values?: readonly unknown[],
    // biome-ignore lint/suspicious/noExplicitAny: rows are what the query says they are
  ): Promise<{ readonly rows: any[]; readonly fields: readonly Field[]; readonly command: string }>;
  /** A query that speaks the protocol by itself, as COPY does. */
  query(submittable: object): unknown;
  /** Say goodbye. */
  end(): Promise<void>;
}

const PATIENCE = 10_000;

/** A connection to the server at an address without a password. */
export async function connect(address: string): Promise<Connection> {
  checkAddress(address);
  const { default: pg } = await optional('pg', () => import('pg'));
  const client = new pg.Client({
    connectionString: address,
    application_name: 'discreet',
    connectionTimeoutMillis: PATIENCE,
  });
  // A server that goes away between queries; the next query fails with its own error.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw serverFailure(address, error);
  }
  return client as unknown as Connection;
}

/** At once, whatever is going on: the server rolls back what is not committed when its client goes. */
export function abandon(connection: Connection): void {
  (connection as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
}

/** Does the address name a PostgreSQL database? */
export function isPostgres(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address);
}

/** An address with its password left out. */
export function shownAddress(address: string): string {
  return address
    .replace(/^(postgres(?:ql)?:\/\/[^/@:?]*):.*@/i, '$1@')
    .replace(/([?&])([^=&]*)=[^&]*/g, (whole, mark, name) =>
      /^password$/i.test(decoded(name)) ? `${mark}${name}=…` : whole,
    );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function checkAddress(address: string): void {
  if (shownAddress(address) !== address)
    throw wrong(
      `${shownAddress(address)}: take the password out of the address, where others can see it; set PGPASSWORD or use .pgpass`,
    );
  try {
    new URL(address);
  } catch {
    throw wrong(`${address}: expected an address such as postgres://user@host:5432/database`);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there; is it running?',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'the server does not answer',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  '57P01': 'the server was shut down',
  '57P03': 'the server is starting or stopping; try again',
  '28P01': 'the password was refused; set PGPASSWORD or use .pgpass',
  '28000': 'the user was refused',
  '3D000': 'there is no such database',
  '42P01': 'there is no such table',
  '42P07': 'the table exists; choose another name or overwrite it with {force}',
  '42501': 'permission denied',
  '2BP01': 'something else rests on this table; choose another name',
  '53100': 'no space left on the server’s disk',
  '55P03': 'another process holds it; try again when that is done',
  '57014': 'the query was cancelled',
};

/** What went wrong with the server, in the user's words and without a row. */
export function serverFailure(address: string, error: unknown): Error {
  const { code = '', message } = error as Error & { code?: string };
  const at = shownAddress(address);
  const words = WORDS[code];
  if (words) return cannot(`${at}: ${words}`);
  if (/terminated|closed|ended|timeout/i.test(message))
    return cannot(`${at}: the server closed the connection`);
  // A message of the server may quote a value; its code does not.
  if (/^[0-9A-Z]{5}$/.test(code)) return cannot(`${at}: the server refused with code ${code}`);
  return error instanceof Error ? error : new Error(String(error));
}
