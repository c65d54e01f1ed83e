// A ledger in the database of a browser. A transaction that writes is alone, in all tabs of the same address, and what it wrote is on
// the disk before it is called done.

import { DiscreetError } from '../../error/index.js';
import type { Row } from '../entry.js';
import { checkOpening, type Opening, type Store } from '../store.js';

/** As much of IndexedDB as is used here; browsers have it, and Node has not. */
interface Request<T> {
  readonly result: T;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface Database {
  readonly objectStoreNames: { readonly contains: (name: string) => boolean };
  readonly createObjectStore: (name: string, options: { readonly keyPath: string }) => unknown;
  readonly transaction: (
    names: readonly string[],
    mode: 'readonly' | 'readwrite',
    options?: { readonly durability: 'strict' },
  ) => Transaction;
  readonly close: () => void;
  onversionchange: (() => void) | null;
}
interface Transaction {
  readonly objectStore: (name: string) => Objects;
  readonly abort: () => void;
  readonly error: unknown;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
}
interface Objects {
  readonly getAll: () => Request<unknown[]>;
  readonly add: (value: unknown) => Request<unknown>;
  readonly put: (value: unknown) => Request<unknown>;
}
interface OpenRequest extends Request<Database> {
  onupgradeneeded: (() => void) | null;
  onblocked: (() => void) | null;
}
interface Factory {
  readonly open: (name: string, version: number) => OpenRequest;
}

const ENTRIES = 'entries';
const MECHANISMS = 'mechanisms';
const STORES = ['entries', 'mechanisms'];
/** Databases of ledgers, among others of the same address. */
const PREFIX = 'discreet-ledger:';

/** What browsers say where a page may keep nothing: in some private windows, without an address of its own, by a setting. */
const NEVER = ['SecurityError', 'InvalidStateError', 'NotSupportedError'];

/** `system` where the page can keep nothing at all; `ledger` where it can, and it failed: then there may be one, and it must not be passed over. */
function unkept(reason: unknown): DiscreetError {
  const { name = '', message = String(reason) } = (reason ?? {}) as { name?: string; message?: string };
  return NEVER.includes(name)
    ? new DiscreetError(
        'system',
        'ledger',
        `this browser keeps no database for this page (${message})`,
        'leave the private window, or allow the page to keep data',
      )
    : new DiscreetError(
        'ledger',
        'ledger',
        `the database of this browser could not be used (${message})`,
        'close other windows of this page, make room on the disk, and try again',
      );
}

/** As browsers without a database say it. */
const MISSING = { name: 'NotSupportedError', message: 'there is no IndexedDB' };

/** The ledger of this name that the browser keeps for the page's address. */
export async function openIndexedDb(name: string, opening: Opening): Promise<Store> {
  const database = await opened(name);
  const store = storeOn(database, name);
  const exists = (await store.read()).length > 0;
  try {
    checkOpening(name, opening, exists);
  } catch (error) {
    database.close();
    throw error;
  }
  return store;
}

function opened(name: string): Promise<Database> {
  const { indexedDB } = globalThis as { indexedDB?: Factory };
  return new Promise((resolve, reject) => {
    if (!indexedDB) {
      reject(unkept(MISSING));
      return;
    }
    let request: OpenRequest;
    try {
      request = indexedDB.open(`${PREFIX}${name}`, 1);
    } catch (error) {
      reject(unkept(error));
      return;
    }
    request.onupgradeneeded = () => {
      request.result.createObjectStore(ENTRIES, { keyPath: 'sequence' });
      request.result.createObjectStore(MECHANISMS, { keyPath: 'hash' });
    };
    request.onerror = () => reject(unkept(request.error));
    request.onblocked = () => reject(unkept('another window holds an older version of it'));
    request.onsuccess = () => {
      const database = request.result;
      database.onversionchange = () => database.close();
      resolve(database);
    };
  });
}

function storeOn(database: Database, name: string): Store {
  const all = async <T>(from: string): Promise<T[]> => {
    const transaction = database.transaction([from], 'readonly');
    const request = transaction.objectStore(from).getAll() as Request<T[]>;
    await done(transaction);
    return request.result;
  };
  return {
    address: name,
    shown: `the ledger “${name}” of this browser`,
    warning: 'it is kept by this browser for this page alone, and is gone where its data is cleared',
    // In order, for they are kept by their numbers.
    read: () => all<Row>(ENTRIES),
    mechanisms: async () => {
      const kept = await all<{ hash: string; text: string }>(MECHANISMS);
      return new Map(kept.map(({ hash, text }) => [hash, text]));
    },
    append: async (next) => {
      let failure: { readonly error: unknown } | null = null;
      const transaction = database.transaction(STORES, 'readwrite', { durability: 'strict' });
      const [entries, mechanisms] = [transaction.objectStore(ENTRIES), transaction.objectStore(MECHANISMS)];
      const present = entries.getAll() as Request<Row[]>;
      present.onsuccess = () => {
        try {
          const { rows, mechanisms: texts = new Map<string, string>() } = next(present.result, true);
          for (const [hash, text] of texts) mechanisms.put({ hash, text });
          // Fails, and with it all of the transaction, where there is one of this number.
          for (const { sequence, text, hash } of rows) entries.add({ sequence, text, hash });
        } catch (error) {
          failure = { error };
          transaction.abort();
        }
      };
      try {
        await done(transaction);
      } catch (error) {
        throw failure ? (failure as { error: unknown }).error : error;
      }
    },
    close: async () => database.close(),
  };
}

/** When all of it is on the disk. */
function done(transaction: Transaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(unkept(transaction.error ?? 'the transaction was given up'));
  });
}
