// What a file is, by its content: its first bytes, never its name.

import { badData, DiscreetError, isOurs, parseJson } from 'discreet-dp/error';
import { delimitedHeader, lineSplitter, membersOf } from 'discreet-dp/rows';
import { headOf, isGzip, textOf } from './pieces.js';

export type Format = 'text' | 'json-lines' | 'parquet';

export type Look =
  | { readonly kind: 'mechanism' }
  | { readonly kind: 'ledger' }
  | {
      readonly kind: 'released';
      readonly format: Format;
      /** As far as they are known by now; of Parquet none is. */
      readonly columns: readonly string[];
    };

/** A single document that is no mechanism is read to say what it is, up to this size. */
const LARGEST_DOCUMENT = 1 << 26;

const MAGIC: readonly (readonly [start: string, words: (name: string) => string])[] = [
  [
    'SQLite format 3',
    (name) =>
      `this is a database; where it is a ledger, export it: discreet ledger export --ledger ${name} -o entries.jsonl`,
  ],
  ['PK', () => 'this is a zip file or a workbook; unpack it, or save its sheet as CSV'],
  ['ARROW1', () => 'this is an Arrow file, which this page does not read; use the command, or Parquet'],
  ['%PDF', () => 'this is a PDF; drop the released file itself'],
  ['<', () => 'this looks like a page; drop the released file, its mechanism or a ledger’s export'],
];

/** What it is; what is none of these is told in words. */
export async function look({ file }: { readonly file: File }): Promise<Look> {
  const { bytes, whole } = await headOf(file);
  const text = new TextDecoder().decode(bytes).replace(/^\ufeff/, '');
  if (text.startsWith('PAR1')) return { kind: 'released', format: 'parquet', columns: [] };
  for (const [start, words] of MAGIC) if (text.trimStart().startsWith(start)) throw badData(words(file.name));
  const first = text.trimStart()[0];
  if (first === '[')
    throw badData(
      'this is a JSON array; expected a mechanism, JSON lines with an object each, CSV or Parquet',
    );
  if (first === '{') return await lookAtJson(file, bytes, text, whole);
  return { kind: 'released', format: 'text', columns: headerOf(bytes, whole, file.name) };
}

function headerOf(bytes: Uint8Array, whole: boolean, name: string): readonly string[] {
  try {
    const header = delimitedHeader(bytes, null, whole, name);
    if (!header) throw badData(`${name}: the header line is longer than this page reads; is it a table?`);
    return header.names;
  } catch (error) {
    if (!isOurs(error)) throw error;
    const [code, field, problem, fix, where] = error.parts();
    // There is no such choice here.
    const here = fix?.includes('{encoding}') ? 'save it as UTF-8' : fix;
    throw new DiscreetError(code, field, problem, here, where);
  }
}

async function lookAtJson(file: File, bytes: Uint8Array, text: string, whole: boolean): Promise<Look> {
  const [start = ''] = text.trimStart().split('\n', 1);
  const line = whole || start.length < text.trimStart().length ? objectIn(start) : null;
  if (line) {
    if (String(line.format).startsWith('discreet/ledger@')) return { kind: 'ledger' };
    if (String(line.format).startsWith('discreet/mechanism@')) return { kind: 'mechanism' };
    if (typeof line.format === 'string' && line.format.startsWith('discreet/')) throw another(line.format);
    return { kind: 'released', format: 'json-lines', columns: keysIn(bytes, whole, file.name) };
  }
  if (/^\{"format":"discreet\/ledger@/.test(start)) return { kind: 'ledger' };
  if (/"format"\s*:\s*"discreet\/mechanism@/.test(text)) return { kind: 'mechanism' };
  // An entry of a ledger that was broken by hand is told by those around it.
  if (/^\{"format":"discreet\/ledger@/m.test(text)) return { kind: 'ledger' };
  return await lookAtDocument(file);
}

async function lookAtDocument(file: File): Promise<Look> {
  if ((await isGzip(file)) || file.size > LARGEST_DOCUMENT)
    throw badData('this is JSON of another kind; expected a mechanism, JSON lines or a ledger’s export');
  const found = parseJson(await textOf(file), 'one JSON object, or one on each line') as {
    readonly format?: unknown;
    readonly rows?: unknown;
    readonly ledger?: unknown;
  };
  if (typeof found.format === 'string' && found.format.startsWith('discreet/mechanism@'))
    return { kind: 'mechanism' };
  if (Array.isArray(found.rows) && found.ledger !== undefined)
    throw badData('this is a ledger’s export as one object; export it without --json');
  if (typeof found.format === 'string') throw another(found.format);
  throw badData(
    'this is JSON, but no mechanism: it has no format “discreet/mechanism@1”; drop the file that ends in .mechanism.json',
  );
}

function another(format: string): DiscreetError {
  return badData(
    `this is JSON of the format “${format}”, which is not checked here; drop the mechanism, the released file or the ledger’s export`,
  );
}

function objectIn(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const found: unknown = JSON.parse(line);
    return found !== null && typeof found === 'object' && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Keys of the first lines; a key that comes later is found when all are read. */
function keysIn(bytes: Uint8Array, whole: boolean, name: string): readonly string[] {
  const splitter = lineSplitter(name);
  const lines = [...splitter.push(bytes), ...(whole ? splitter.finish() : [])];
  return [...new Set(lines.flatMap((line) => membersOf(line)?.map(({ key }) => key) ?? []))];
}
