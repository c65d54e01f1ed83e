// `discreet ledger history`: every entry.

import { unquoted } from '../error/index.js';
import { parseDecimal } from '../exact/index.js';
import { type Entry, type State, unitWords } from '../ledger/index.js';
import { readsLike } from '../spec/index.js';
import { type LedgerOptions, withLedger } from './ledger-opening.js';
import { only, termsOf, unitOf } from './ledger-words.js';
import { figure, fits, paragraph, print, printJson } from './output.js';

export async function history(options: LedgerOptions & { dataset?: string }): Promise<void> {
  await withLedger(options, 'reading', async (ledger) => {
    const entries = await ledger.entries();
    const rows = await ledger.rows();
    const datasets = await ledger.datasets();
    if (options.dataset !== undefined) only(datasets, options.dataset);
    const states = new Map(
      [...datasets.values()].flatMap(({ releases }) =>
        releases.map(({ entry, state }) => [entry.sequence, state] as const),
      ),
    );
    const datasetOf = (entry: Entry): string => {
      if ('dataset' in entry) return entry.dataset;
      const settled = entries.find(({ sequence }) => sequence === entry.release);
      return settled && 'dataset' in settled ? settled.dataset : '';
    };
    const shown = entries.filter(
      (entry) => options.dataset === undefined || readsLike(datasetOf(entry), options.dataset),
    );
    if (options.json) {
      printJson({
        ledger: ledger.shown,
        entries: shown.map((entry) => ({
          ...entry,
          hash: rows[entry.sequence - 1]!.hash,
          ...(entry.kind === 'release' ? { state: states.get(entry.sequence), unit: unitWords(entry) } : {}),
          ...(entry.kind === 'budget' ? { unit: unitOf(entry) } : {}),
        })),
      });
      return;
    }
    print(
      leftAligned(
        shown.map((entry) => [
          String(entry.sequence),
          entry.time.slice(0, 19),
          entry.who,
          entry.kind === 'release' ? entry.act : entry.kind,
          datasetOf(entry),
          ...entryWords(entry, states.get(entry.sequence)),
        ]),
      ),
    );
  });
}

const FATES: Readonly<Record<State, string>> = {
  open: ' (unfinished: counts as spent)',
  void: ' (given back)',
  abort: ' (aborted: counts as spent)',
  complete: '',
};

/** Its figures, and what they are for. */
function entryWords(entry: Entry, state: State | undefined): [string, string] {
  if (entry.kind === 'budget')
    return [`ε = ${entry.epsilon}, δ = ${entry.delta}`, `may be spent; ${termsOf(entry).join('; ')}`];
  if (entry.kind !== 'release') return ['', `entry ${entry.release}: ${entry.reason}`];
  const charges = entry.charges.map(
    ({ on, mechanism }) => `${on}${mechanism === null ? '' : ` by ${mechanism.slice(0, 12)}`}`,
  );
  const part = entry.part === null ? '' : `, part ${entry.part}`;
  const passed =
    entry.passed.length === 0 ? '' : `, passed as they are: ${entry.passed.map(unquoted).join(', ')}`;
  const dropped = entry.dropped ? `, left out: ${entry.dropped.map(unquoted).join(', ')}` : '';
  return [
    `ε = ${figure(parseDecimal(entry.epsilon))}, δ = ${figure(parseDecimal(entry.delta))}`,
    `${charges.join(', ')}${part}${passed}${dropped}: ${entry.input} → ${entry.output}, ${unitWords(entry)}${FATES[state ?? 'complete']}`,
  ];
}

/** Columns as wide as they need to be; the last one below where there is no room. */
function leftAligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? [];
  return rows
    .map((row) => {
      const figures = row.slice(0, -1).map((cell, i) => cell.padEnd(widths[i]!));
      const words = row.at(-1)!;
      const line = [...figures, words].join('  ');
      return fits(line, Number.POSITIVE_INFINITY)
        ? line
        : `${figures.join('  ').trimEnd()}\n${paragraph(words, '    ')}`;
    })
    .join('\n');
}
