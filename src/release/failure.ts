// What can go wrong with the data, told without any of it.

import { badData, cannot, type DiscreetError, isOurs, quote } from '../error/index.js';
import { systemWords } from '../files/index.js';
import { serverFailure } from '../postgres/index.js';
import { brokenRows, notUtf8 } from '../rows/index.js';
import { Interrupted } from '../terms/index.js';
import type { Keyed } from './identities.js';

/** A row that nothing tells apart: which one it is may be told, but helps nobody. */
export function noId(input: string, { by }: Keyed): DiscreetError {
  const name = 'id' in by ? quote(by.id) : 'id';
  return badData(
    `${input}: a row has no ${name}; expected one in every row, for its noise depends on it; fill it in, or leave such rows out`,
    'id',
  );
}

/** Any error of a copy in the user's words: our own as it is, the system's with the output's name, the engine's without data. */
export function failureOf(error: unknown, input: string, output: string): Error {
  const own = isOurs(error) || (error as { code?: unknown }).code !== undefined;
  return own ? systemFailure(error, output) : engineFailure(error, input, output);
}

/** What DuckDB says, without the lines and cells it quotes. */
export function engineFailure(error: unknown, input: string, output: string): Error {
  const message = error instanceof Error ? error.message : String(error);
  // Which line it is may tell how long a number is.
  if (/maximum line size/i.test(message))
    return badData(`${input}: a line is longer than 16 MB; release JSON lines to JSON lines instead`);
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  if (line !== undefined) {
    const columns = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
    if (/unicode|utf-?8/i.test(message)) return notUtf8(input).at(`line ${line}`);
    return brokenRows(
      input,
      `line ${line}${columns ? `: expected ${columns[1]} cells, got ${columns[2]}` : /unterminated quote/i.test(message) ? ': a quote that is not closed, or inside a cell' : ''}`,
    );
  }
  if (/state machine/i.test(message)) return brokenRows(input);
  if (/magic bytes|not a parquet|Parquet (?:file|footer)|too small to be a Parquet/i.test(message))
    return badData(`${input}: not a Parquet file, or a damaged one; name its format with {inputFormat}`);
  if (/INTERRUPT/i.test(message)) return new Interrupted('SIGINT');
  if (/No space left/i.test(message))
    return cannot(`${output}: cannot be written: no space left on the device`);
  if (/Broken pipe|EPIPE/i.test(message)) return cannot(`${output}: the reader closed the pipe`);
  if (/Could not (?:write|flush|sync)|Cannot open file|Permission denied|Read-only/i.test(message))
    return cannot(`${output}: cannot be written, or ${input} cannot be read: check permissions and space`);
  if (isOutOfMemory(error))
    return cannot(
      `${input}: there is not enough memory for this; close other programs or release it in parts`,
    );
  if (/^Conversion Error/.test(message))
    return badData(
      `${input}: a cell of another column does not fit its type in this output (NaN, infinity or a date far away); release to CSV, or cast that column to text first`,
    );
  // The rest of a message may quote a cell; its kind does not.
  const kind = /^([A-Za-z ]+ (?:Error|Exception))/.exec(message)?.[1] ?? 'an error';
  return new Error(`${input}: DuckDB gave ${kind}`);
}

/** Of PostgreSQL's server, without a row in it. */
export function postgresFailure(address: string, error: unknown): Error {
  return isOurs(error) ? error : serverFailure(address, error);
}

/** An error of the file system, with the output's name. */
export function systemFailure(error: unknown, shown: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (isOurs(error) || code === undefined) return error as Error;
  return cannot(`${shown}: cannot be written: ${systemWords(error, code)}`);
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /^Out of Memory/i.test(error.message);
}
