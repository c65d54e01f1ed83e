// `discreet ledger check`, `export` and `import`: is the chain whole, and the chain as lines.

import { invalid, wrong } from '../error/index.js';
import { checkOutput, sameFile } from '../files/index.js';
import { type Check, exportLines, importLedger } from '../ledger/index.js';
import { readText } from './input.js';
import { type LedgerOptions, ledgerFrom, withLedger } from './ledger-opening.js';
import { print, printJson, writeOutput } from './output.js';

function checkHead(head: string | undefined): void {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw invalid(`head: expected 64 hexadecimal digits as in a report, got ${head}`);
}

/** Exit code 3 where it does not hold. */
function show(found: Check, address: string, json: boolean, lines: readonly string[]): void {
  const whole = found.problems.length === 0;
  if (json) printJson({ ledger: address, whole, ...found });
  else print(...lines);
  if (!whole) process.exitCode = 3;
}

/** How many mechanisms are kept, where there are any to keep. */
function mechanismWords({ mechanisms: { kept, missing } }: Check): string {
  if (kept + missing === 0) return '';
  return `; ${kept} of ${kept + missing} mechanisms are kept${missing === 0 ? ', as they were used' : ': releases of older versions did not keep theirs'}`;
}

export async function check(options: LedgerOptions & { head?: string }): Promise<void> {
  checkHead(options.head);
  await withLedger(options, 'reading', async (ledger) => {
    const found = await ledger.check(options.head ?? null);
    const head =
      options.head === undefined
        ? '; give --head to see that none is missing at the end'
        : ', and the given head is among them';
    const lines =
      found.problems.length === 0
        ? [
            `${found.entries} entries, none edited, removed or moved${head}${mechanismWords(found)}`,
            `head ${found.head ?? 'none'}`,
          ]
        : found.problems;
    show(found, ledger.shown, options.json === true, lines);
  });
}

export async function exportEntries(
  options: LedgerOptions & { output?: string; force?: boolean },
): Promise<void> {
  checkOutput(options.output, options.force === true);
  if (options.output !== undefined && sameFile(options.output, (await ledgerFrom(options.ledger)).address))
    throw wrong(`${options.output}: this is the ledger; choose another name`);
  await withLedger(options, 'reading', async (ledger) => {
    const [rows, mechanisms] = [await ledger.rows(), await ledger.mechanisms()];
    const text = options.json
      ? `${JSON.stringify({ ledger: ledger.shown, rows, mechanisms: Object.fromEntries(mechanisms) }, null, 2)}\n`
      : exportLines(rows, mechanisms)
          .map((line) => `${line}\n`)
          .join('');
    writeOutput(options.output ?? '-', text, options.force === true);
  });
}

/** The inverse of export: the same lines, in a ledger that was not there before. */
export async function importEntries(path: string, options: LedgerOptions & { head?: string }): Promise<void> {
  checkHead(options.head);
  if (options.ledger === undefined)
    throw invalid('ledger: expected the new ledger’s file or postgres:// address');
  const text = readText(path);
  // A file may have been cut off in the middle of a line: then its last line does not end.
  if (text !== '' && !text.endsWith('\n'))
    throw wrong(`${path}: the last line does not end; the file was cut off; export it again`);
  const found = await importLedger(text.split('\n').slice(0, -1), options.ledger, options.head ?? null);
  const lines =
    found.problems.length === 0
      ? [
          `${found.entries} entries imported, none edited, removed or moved${mechanismWords(found)}`,
          `ledger ${options.ledger}`,
          `head ${found.head}`,
          'The ledger it was exported from, where it is still there, has the same budget once more: remove it',
        ]
      : [...found.problems, 'Nothing was imported'];
  show(found, options.ledger, options.json === true, lines);
}
