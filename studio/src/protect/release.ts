// The release itself: charged first, then made, then handed over. Where the page ends in between, the entry stays spent.

import { wrong } from 'discreet-dp/error';
import { leftFigures, refuseBeyond, requoted } from 'discreet-dp/ledger';
import { type Finish, textOfIndex } from 'discreet-dp/mechanism';
import { entropySource } from 'discreet-dp/random';
import { type ColumnCharts, columnCharts, type Report, readerLines, reportOf } from 'discreet-dp/report';
import { type Draw, freshDraws } from 'discreet-dp/rows';
import { checkEntropy, mechanismFiles, type ProtectedColumn, paid } from 'discreet-dp/terms';
import type { Progress } from '../engine/serve.js';
import { type Agreement, agreementOn, tokenOf, withBudget } from './agreement.js';
import type { ShownCost } from './figures.js';
import { exported, trialOf, withLedger } from './keeping.js';
import type { Source } from './source.js';
import type { ProtectWanted } from './wanted.js';

export interface OutputFile {
  readonly kind: 'data' | 'mechanism' | 'report' | 'figures' | 'ledger';
  readonly name: string;
  readonly content: Blob;
}

/** What comes of a release; the page makes the report of it (report-page.ts). */
export interface Released {
  readonly report: Report;
  readonly charts: readonly (readonly [column: string, charts: ColumnCharts])[];
  readonly files: readonly OutputFile[];
  readonly rows: number;
  readonly entry: number;
  /** False where the ledger could not be told that it is complete: the entry stays open, which counts as spent. */
  readonly settled: boolean;
  readonly left: ShownCost | null;
  readonly snippets: { readonly python: string; readonly r: string; readonly javascript: string } | null;
}

const FIGURES = 'report.json';
const LEDGER = 'ledger.jsonl';

export async function release(
  wanted: ProtectWanted,
  token: string,
  shown: string,
  source: Source,
  progress: Progress,
): Promise<Released> {
  return withLedger(wanted.ledger, async ({ ledger }) => {
    const entropy = entropySource(globalThis.crypto);
    checkEntropy(entropy);
    // On a copy first: a refusal leaves the ledger as it was.
    const trial = await trialOf(ledger);
    await withBudget(wanted, trial);
    const looked = await agreementOn(wanted, shown, source, trial);
    refuseBeyond(looked.quote);
    checkSame(token, looked);
    await withBudget(wanted, ledger);
    // The noise is made; what it is charged to is the ledger's own account, which must say the same.
    const account = await ledger.account({ dataset: wanted.dataset, inputName: null });
    const agreement = { ...looked, quote: requoted(looked.quote.spending, account) };
    checkSame(token, agreement);
    const { quote, columns, job } = agreement;
    progress(null, 'writing the cost into the ledger');
    const counted = releasedCounts(columns);
    const fresh = freshDraws(columns, entropy);
    const draw: Draw = (column, index, row) => {
      const noise = fresh(column, index, row);
      counted.add(column, index + noise);
      return noise;
    };
    let data: Blob | null = null;
    const mechanisms = columns.map(({ mechanism }) => mechanism);
    const released = await paid(ledger, quote, mechanisms, null, async () => {
      const { blob, outcome } = await source.rewrite(job, draw, progress);
      data = blob;
      return outcome;
    });
    const files = mechanismFiles(columns, wanted.output, ledger.mechanismHash);
    const report = reportOf(
      {
        input: { shown },
        output: { shown: wanted.output },
        columns,
        skipInvalid: job.skipInvalid,
        reading: job.reading,
        mechanismFiles: files,
      },
      released,
      {
        ledger: `the ledger “${ledger.address}” of a browser, exported to ${LEDGER}`,
        quantiles: counted.quantiles(),
        time: new Date(),
        named: (field) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        checked: (head) => `discreet ledger import ${LEDGER} --ledger checked.db --head ${head}`,
      },
    );
    const { outcome, reservation, settled } = released;
    const text = (kind: OutputFile['kind'], name: string, content: string, type: string): OutputFile => ({
      kind,
      name,
      content: new Blob([content], { type }),
    });
    return {
      report,
      charts: columns.map((column) => [column.name, columnCharts(column)]),
      files: [
        { kind: 'data', name: wanted.output, content: data! },
        ...files.map(({ path, text: own }) => text('mechanism', path, own, 'application/json')),
        text('figures', FIGURES, `${JSON.stringify(report, null, 2)}\n`, 'application/json'),
        text('ledger', LEDGER, await exported(ledger), 'application/x-ndjson'),
      ],
      rows: outcome.rows,
      entry: reservation.sequence,
      settled,
      left: reservation.left && leftFigures(reservation.left, reservation.account.budget!),
      snippets: snippetsOf(wanted.output, columns[0]!.name, files[0]!.path),
    };
  });
}

/** What was looked at is what is released. */
function checkSame(token: string, agreement: Agreement): void {
  if (tokenOf(agreement) !== token)
    throw wrong(
      'the budget of this data was changed since you looked, perhaps in another window; nothing was released or charged; look at the figures again',
    );
}

function snippetsOf(output: string, column: string, mechanism: string): Released['snippets'] {
  const lines = readerLines(output, column);
  return lines && { ...lines, javascript: javascriptLines(output, column, mechanism) };
}

/** In JavaScript: the mean, and what lies behind it. */
function javascriptLines(output: string, column: string, mechanism: string): string {
  const [file, name, noise] = [output, column, mechanism].map((text) => JSON.stringify(text));
  const values = output.endsWith('.jsonl')
    ? [
        `const lines = readFileSync(${file}, 'utf8').trim().split('\\n');`,
        `const values = lines.map((line) => JSON.parse(line)[${name}]).filter((value) => value !== null);`,
      ]
    : output.endsWith('.parquet')
      ? [
          `import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';`,
          `const rows = await parquetReadObjects({ file: await asyncBufferFromFile(${file}) });`,
          `const values = rows.map((row) => row[${name}]).filter((value) => value !== null).map(Number);`,
        ]
      : [
          '// For files without commas, semicolons or line ends inside of cells.',
          `const rows = readFileSync(${file}, 'utf8').trim().split(/\\r?\\n/).map((line) => line.split(/[,;\\t|]/));`,
          `const values = rows.slice(1).map((row) => row[rows[0].indexOf(${name})]).filter((cell) => cell !== '').map(Number);`,
        ];
  return [
    `import { readFileSync } from 'node:fs';`,
    `import { readMechanism, recover } from 'discreet-dp';`,
    ...values,
    `console.log(values.reduce((a, b) => a + b, 0) / values.length);`,
    `// The distribution behind it, with intervals, without any privacy cost:`,
    `console.log(recover(values, readMechanism(readFileSync(${noise}, 'utf8'))).mean);`,
  ].join('\n');
}

const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Distinct values beyond which no quantiles are told. */
const MOST_VALUES = 1_000_000;

/** What was released, by value, for the quantiles of the report. */
function releasedCounts(columns: readonly ProtectedColumn[]) {
  const counts = columns.map(() => new Map<number, number>());
  return {
    add: (column: number, sum: bigint) => {
      const own = counts[column]!;
      const value = Number(sum);
      const count = own.get(value);
      if (count !== undefined) own.set(value, count + 1);
      else if (own.size < MOST_VALUES) own.set(value, 1);
    },
    quantiles: () =>
      columns.map(({ lattice, finish }, i) => {
        const own = counts[i]!;
        if (own.size === 0 || own.size >= MOST_VALUES) return null;
        const values = [...own.keys()].sort((a, b) => a - b);
        const rows = [...own.values()].reduce((a, b) => a + b, 0);
        return SHARES.map((share) => {
          let before = 0;
          const found = values.find((value) => {
            before += own.get(value)!;
            return before >= share * rows;
          })!;
          return { share, value: trimmed(textOfIndex(finishedValue(found, finish), lattice)) };
        });
      }),
  };
}

/** Monotone, so that quantiles may be taken before it. */
function finishedValue(value: number, { low, high }: Finish): bigint {
  const sum = BigInt(value);
  return sum < low ? low : sum > high ? high : sum;
}

function trimmed(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
