// Delimited text for DuckDB: every cell is text, so that it comes out as it went in. What is no file is poured through a named pipe.

import { type Fifo, makeFifo } from '../files/index.js';
import { brokenRows, type Header } from '../rows/index.js';
import { plainColumn } from '../terms/index.js';
import { watchQuotes } from './quotes.js';
import type { Source } from './source.js';
import { literal } from './sql.js';
import { watchUtf8 } from './utf8.js';

/** Of a CSV, in bytes; the engine needs room for several. */
const LONGEST_LINE = 16_777_216;
export const LONG_LINES = `max_line_size = ${LONGEST_LINE}, buffer_size = ${2 * LONGEST_LINE}`;

/** A path in which no character stands for others. */
export function globless(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

/** Delimited text in a file or pipe. */
export function delimited(
  header: Header,
  shown: string,
  path: string,
  reading: () => string,
): Pick<Source, 'shown' | 'columns' | 'named' | 'relation' | 'delimiter'> {
  const columns = header.names.map((name, i) => ({
    ...plainColumn(name),
    type: 'VARCHAR',
    noNumber: null,
    sql: `"column ${i}"`,
    cast: null,
  }));
  const types = columns.map((_, i) => `'column ${i}': 'VARCHAR'`).join(', ');
  let relation: string | undefined;
  return {
    shown,
    named: true,
    delimiter: header.delimiter,
    columns,
    relation: () =>
      (relation ??= `read_csv(${literal(globless(path))}, columns = {${types}}, auto_detect = false, header = true, delim = ${literal(header.delimiter)}, quote = '"', escape = '"', allow_quoted_nulls = false, null_padding = false, strict_mode = true, hive_partitioning = false, ${reading()})`),
  };
}

/** A source that is poured through a named pipe, once. */
export function poured(
  header: Header,
  shown: string,
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): Source {
  const fifo: Fifo = makeFifo();
  return {
    ...delimited(header, shown, fifo.path, () => `parallel = false, ${LONG_LINES}`),
    rereadable: false,
    crowded: null,
    rows: null,
    feed: async () => {
      await fifo.feed(
        (async function* () {
          const [quotes, utf8] = [watchQuotes(header.delimiter), watchUtf8(shown)];
          utf8.push(first);
          quotes.push(first);
          yield first;
          for await (const bytes of { [Symbol.asyncIterator]: () => rest }) {
            utf8.push(bytes);
            quotes.push(bytes);
            yield bytes;
          }
          utf8.end();
          if (quotes.open()) throw brokenRows(shown, 'a quote that is not closed');
        })(),
      );
    },
    check: () => undefined,
    close: async () => fifo.close(),
  };
}

/** Work on a source that is poured in meanwhile. One that fails half-way looks like one that ends, so its error comes first. */
export async function fed<T>(source: Source, work: (all: Promise<void>) => Promise<T>): Promise<T> {
  let failure: unknown = null;
  const all = source.feed().catch((error: unknown) => {
    failure = error;
    throw error;
  });
  all.catch(() => undefined);
  try {
    const done = await work(all);
    await all;
    return done;
  } catch (error) {
    throw failure ?? error;
  }
}
