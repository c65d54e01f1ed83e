// Which ledger is meant: the one that is named, else the nearest from the working directory upward. None is begun where one was
// named, so that a typo or another folder does not start from zero.

import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { invalid, quote, wrong } from '../../error/index.js';
import { LEDGER_FILE, SETTINGS_FILE } from '../../files/index.js';
import { isPostgres } from '../../postgres/index.js';

export interface Found {
  readonly address: string;
  /** What named it: an option, a variable, a file; null where nothing did. */
  readonly namedBy: string | null;
  /** There is none from here upward: this is where a new one would be. */
  readonly isNew: boolean;
}

/** Where to look from. */
export interface From {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function findLedger(given: string | undefined, { folder, environment }: From): Found {
  const named = (address: string, namedBy: string): Found => {
    if (address.trim() === '')
      throw invalid(`${namedBy}: expected a file or postgres:// address, got nothing`);
    return { address, namedBy, isNew: false };
  };
  if (given !== undefined) return named(given, 'ledger');
  const variable = environment.DISCREET_LEDGER;
  if (variable !== undefined) return named(variable, 'DISCREET_LEDGER');
  for (const place of upward(folder)) {
    const settings = join(place, SETTINGS_FILE);
    const address = existsSync(settings) ? readSettings(settings) : undefined;
    if (address !== undefined) {
      named(address, shown(settings, folder));
      return named(
        isPostgres(address) ? address : shown(resolve(place, address), folder),
        shown(settings, folder),
      );
    }
    const file = join(place, LEDGER_FILE);
    // An empty file is no ledger, and hides none; a link that leads nowhere is one that was moved.
    const found = statSync(file, { throwIfNoEntry: false });
    if (found ? found.size > 0 : lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
      return { address: shown(file, folder), namedBy: null, isNew: false };
  }
  return { address: LEDGER_FILE, namedBy: null, isNew: true };
}

/** The folder and those above it, up to one that is another user's or that everybody may write to. */
function* upward(folder: string): Generator<string> {
  const own = process.getuid?.();
  for (let place = resolve(folder); ; place = dirname(place)) {
    yield place;
    const above = dirname(place);
    if (above === place) return;
    const { uid, mode } = statSync(above);
    if (own !== undefined && (uid !== own || (mode & 0o002) !== 0)) return;
  }
}

/** As somebody in the folder would name it: below it or a few levels up, else in full. */
function shown(path: string, folder: string): string {
  const short = relative(folder, path);
  return short === '' ? path : short;
}

/** The ledger that a settings file names; undefined where it names none. */
function readSettings(path: string): string | undefined {
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(`${path}: expected JSON such as {"ledger": "ledger.db"}: ${(error as Error).message}`);
  }
  if (settings === null || typeof settings !== 'object' || Array.isArray(settings))
    throw wrong(`${path}: expected an object such as {"ledger": "ledger.db"}`);
  const unknown = Object.keys(settings).find((key) => key !== 'ledger');
  if (unknown !== undefined) throw wrong(`${path}: unknown key ${quote(unknown)}; the one key is "ledger"`);
  const { ledger } = settings as { ledger?: unknown };
  if (ledger !== undefined && typeof ledger !== 'string')
    throw wrong(`${path}: expected "ledger" to be a file or postgres:// address`);
  return ledger;
}
