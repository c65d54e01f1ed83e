// `discreet ledger`: set budgets, see what is spent, check that nothing was changed.

import type { Command } from 'commander';
import { parseDecimal, toDecimal, toDecimalDown } from '../exact/index.js';
import {
  type Budget,
  type Cost,
  checkLedger,
  type Dataset,
  importLedger,
  type Ledger,
  remaining,
  spent,
  unitWords,
} from '../ledger/index.js';
import { textTable } from '../plot/index.js';
import { sameFile } from '../release/index.js';
import { nameLike, readsAs, readsLike } from '../spec/index.js';
import { readDelta, readEpsilon, readText } from './input.js';
import { checkOutput, figure, printJson, writeOutput } from './output.js';
import { announced, ledgerFrom, note, openNamed, readPerPerson } from './release-common.js';
import { collect, LEDGER_OPTION } from './release-options.js';

interface Options {
  readonly ledger?: string;
  readonly json?: boolean;
}

interface InitOptions extends Options {
  readonly dataset: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly adjacency?: readonly string[];
  readonly perPerson?: string;
  readonly partition?: string;
}

export function addLedger(program: Command): void {
  const ledger = program
    .command('ledger')
    .summary('budgets: set them, see what is spent, check that nothing was changed')
    .description(
      'The durable record of what each dataset has spent: one chain of entries, none of which is ever changed.',
    )
    .addHelpText(
      'after',
      `
Examples:
  discreet ledger init --dataset trips --epsilon 3 --delta 1e-6 --adjacency visits=5
  discreet ledger init --dataset trips --epsilon 3 --adjacency visits=5 --per-person 2 --partition region=north,south
  discreet ledger status
  discreet ledger check --head 3f9c…
  discreet ledger history --ledger postgres://me@host/db
  discreet ledger import entries.jsonl --ledger new.db`,
    );
  const add = (name: string, summary: string) =>
    ledger
      .command(name)
      .summary(summary)
      .description(summary)
      .option(...LEDGER_OPTION)
      .option('--json', 'print one JSON object')
      .exitOverride();
  add('init', 'set the budget of a dataset; makes the ledger if there is none')
    .requiredOption('--dataset <name>', 'the dataset')
    .requiredOption('--epsilon <e>', 'ε that may be spent in all')
    .option('--delta <d>', 'δ that may be spent in all', '0')
    .option(
      '--adjacency <column=m>',
      'how far one record may move in a column, in data units; repeat for each',
      collect,
    )
    .option('--per-person <k>', 'rows that one person may have (default: not stated, and all is for one row)')
    .option(
      '--partition <column=a,b,c>',
      'parts that share no person: your declaration, public and of no protected column',
    )
    .action(init);
  add('status', 'what each dataset has spent and has left')
    .option('--dataset <name>', 'only this one')
    .action(status);
  add('history', 'every entry').option('--dataset <name>', 'only this one').action(history);
  add('check', 'find edited, removed or moved entries; exit code 3 where there are any')
    .option('--head <hash>', 'a head from a report: it must still be in the ledger')
    .action(check);
  add('export', 'all entries as JSON lines, each as it is hashed')
    .option('-o, --output <file>', 'where to write (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .action(exportEntries);
  add('import', 'make a new ledger from an export, checked in full; exit code 3 where it does not hold')
    .argument('<entries.jsonl>', 'what ledger export wrote (- for standard input)')
    .option('--head <hash>', 'a head from a report: it must be in the export')
    .action(importEntries);
}

async function withLedger<T>(
  options: Options,
  create: boolean,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const meant = ledgerFrom(options.ledger);
  const { address, namedBy } = meant;
  const found = await openNamed(meant, create ? 'existing or new' : 'reading');
  if (found.warning !== null) note(found.warning);
  const isNew = create && namedBy === null && (await found.rows()).length === 0;
  const ledger = isNew ? announced(found, address) : found;
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

async function init(options: InitOptions): Promise<void> {
  const wanted = readBudget(options);
  await withLedger(options, true, async (ledger) => {
    const { budget, before, head } = await ledger.setBudget(wanted);
    if (options.json) printJson({ ...budget, unit: unitOf(budget), before, ledger: ledger.shown, head });
    else
      process.stdout.write(
        `${[
          `${budget.dataset} may spend ε = ${budget.epsilon}, δ = ${budget.delta}`,
          ...termsOf(budget),
          ...(before
            ? [`before: ε = ${before.epsilon}, δ = ${before.delta}; ${termsOf(before).join('; ')}`]
            : []),
          `ledger ${ledger.shown}`,
          `head   ${head}`,
        ].join('\n')}\n`,
      );
  });
}

/** What neighbours are, by a budget. */
function termsOf({ adjacency, perPerson, partition }: Budget): string[] {
  const rows = perPerson === null ? 'one row' : perPerson === 1 ? 'one record' : null;
  const whose = rows ?? `one person with up to ${perPerson} records`;
  const columns = Object.entries(adjacency).map(([column, m]) => `${column} by up to ${m}`);
  const how =
    columns.length === 0
      ? 'counted and chosen by only: no column has an adjacency'
      : `${rows === null ? 'each of which' : 'which'} may differ in ${columns.join(', ')}`;
  return [
    `protects ${whose}, ${how}`,
    ...(perPerson === null ? [unitOf({ perPerson })] : []),
    ...(partition
      ? [`parts of ${partition.column}, declared to share no person: ${partition.parts.join(', ')}`]
      : []),
  ];
}

/** What a budget is for. */
function unitOf({ perPerson }: Pick<Budget, 'perPerson'>): string {
  return unitWords({ perPerson, perPersonEnforced: false });
}

function readBudget(options: InitOptions): Budget {
  if (readsAs(options.dataset) === '') throw new RangeError('--dataset: expected a name, got none');
  const epsilon = readEpsilon(options.epsilon);
  if (epsilon.num === 0n) throw new RangeError(`--epsilon: expected a value above 0, got ${options.epsilon}`);
  // A column may have any name, __proto__ too.
  const adjacency: Record<string, string> = Object.create(null);
  for (const text of options.adjacency ?? []) {
    const at = text.lastIndexOf('=');
    if (at < 1) throw new RangeError(`--adjacency: expected column=m as in visits=5, got ${text}`);
    const value = parseDecimal(text.slice(at + 1), '--adjacency');
    if (value.num <= 0n) throw new RangeError(`--adjacency: expected a positive decimal, got ${text}`);
    const column = text.slice(0, at);
    if (Object.keys(adjacency).some((name) => readsLike(name, column)))
      throw new RangeError(`--adjacency: given twice for ${JSON.stringify(column)}, as people read it`);
    adjacency[column] = toDecimal(value);
  }
  return {
    dataset: options.dataset,
    epsilon: toDecimal(epsilon),
    delta: toDecimal(readDelta(options.delta)),
    adjacency,
    perPerson: readPerPerson(options.perPerson),
    partition: options.partition === undefined ? null : readPartition(options.partition, adjacency),
  };
}

function readPartition(text: string, adjacency: Readonly<Record<string, string>>) {
  const at = text.indexOf('=');
  const [column, parts] = [
    text.slice(0, at),
    text
      .slice(at + 1)
      .split(',')
      .map((part) => part.trim()),
  ];
  if (at < 1 || parts.some((part) => part === '') || new Set(parts.map(readsAs)).size !== parts.length)
    throw new RangeError(
      `--partition: expected column=part,part,… with each part once, as people read it, got ${text}`,
    );
  if (Object.keys(adjacency).some((name) => readsLike(name, column)))
    throw new RangeError(
      `--partition: ${JSON.stringify(column)} is protected, so a changed value would change the part; use a public column`,
    );
  return { column, parts };
}

async function status(options: Options & { dataset?: string }): Promise<void> {
  await withLedger(options, false, async (ledger) => {
    const datasets = only(await ledger.datasets(), options.dataset);
    const rows = datasets.map((dataset) => {
      const cost = spent(dataset, ledger.accountant);
      const left = dataset.budget && remaining(dataset.budget, cost);
      return { dataset, cost, left };
    });
    if (options.json) {
      printJson({
        ledger: ledger.shown,
        accountant: ledger.accountant.name,
        head: (await ledger.rows()).at(-1)?.hash ?? null,
        datasets: rows.map(({ dataset, cost, left }) => ({
          dataset: dataset.name,
          releases: dataset.releases.filter(({ state }) => state !== 'void').length,
          spent: { epsilon: toDecimal(cost.epsilon), delta: toDecimal(cost.delta) },
          budget: dataset.budget && { epsilon: dataset.budget.epsilon, delta: dataset.budget.delta },
          remaining: left && { epsilon: toDecimal(left.epsilon), delta: toDecimal(left.delta) },
          adjacency: dataset.budget?.adjacency ?? null,
          perPerson: dataset.budget?.perPerson ?? null,
          unit: dataset.budget && unitOf(dataset.budget),
          partition: dataset.budget?.partition ?? null,
          parts: (dataset.budget?.partition?.parts ?? []).map((part) => {
            const own = spent(onlyPart(dataset, part), ledger.accountant);
            return { part, spent: { epsilon: toDecimal(own.epsilon), delta: toDecimal(own.delta) } };
          }),
        })),
      });
      return;
    }
    if (rows.length === 0) process.stdout.write(`${ledger.shown} has no entries yet\n`);
    else
      process.stdout.write(
        `${textTable(
          ['dataset', 'releases', 'spent ε', 'of', 'left', 'spent δ', 'of', 'left'],
          rows.flatMap(({ dataset, cost, left }) => [
            statusLine(dataset, cost, left),
            ...(dataset.budget?.partition?.parts ?? []).map((part) => {
              const own = spent(onlyPart(dataset, part), ledger.accountant);
              return statusLine(
                { ...onlyPart(dataset, part), name: `  ${part}` },
                own,
                remaining(dataset.budget!, own),
              );
            }),
          ]),
        )}\n\n${[`ledger ${ledger.shown}`, ...rows.flatMap(({ dataset }) => (dataset.budget ? [`${dataset.name}: ${termsOf(dataset.budget).join('; ')}`] : []))].join('\n')}\n`,
      );
  });
}

function statusLine(dataset: Dataset, cost: Cost, left: Cost | null): string[] {
  return [
    dataset.name,
    String(dataset.releases.filter(({ state }) => state !== 'void').length),
    figure(cost.epsilon),
    dataset.budget?.epsilon ?? 'no budget',
    left ? toDecimalDown(left.epsilon, 7) : '–',
    figure(cost.delta),
    dataset.budget?.delta ?? '–',
    left ? toDecimalDown(left.delta, 7) : '–',
  ];
}

/** What a person of this part has had: its own releases and those of all parts. */
function onlyPart(dataset: Dataset, part: string): Dataset {
  return {
    ...dataset,
    releases: dataset.releases.filter(({ entry }) => entry.part === null || entry.part === part),
  };
}

function only(datasets: ReadonlyMap<string, Dataset>, name: string | undefined): Dataset[] {
  if (name === undefined) return [...datasets.values()];
  const found = datasets.get(nameLike(name, [...datasets.keys()]) ?? name);
  if (!found)
    throw new RangeError(
      `--dataset: the ledger has no ${JSON.stringify(name)}; it has ${[...datasets.keys()].join(', ') || 'none'}`,
    );
  return [found];
}

async function history(options: Options & { dataset?: string }): Promise<void> {
  await withLedger(options, false, async (ledger) => {
    const entries = await ledger.entries();
    const rows = await ledger.rows();
    const datasets = await ledger.datasets();
    if (options.dataset !== undefined) only(datasets, options.dataset);
    const states = new Map(
      [...datasets.values()].flatMap(({ releases }) =>
        releases.map(({ entry, state }) => [entry.sequence, state] as const),
      ),
    );
    const datasetOf = (entry: (typeof entries)[number]): string => {
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
    const words = (entry: (typeof entries)[number]): [string, string] => {
      if (entry.kind === 'budget')
        return [`ε = ${entry.epsilon}, δ = ${entry.delta}`, `may be spent; ${termsOf(entry).join('; ')}`];
      if (entry.kind !== 'release') return ['', `entry ${entry.release}: ${entry.reason}`];
      const state = states.get(entry.sequence);
      const fate =
        state === 'open'
          ? ' (unfinished: counts as spent)'
          : state === 'void'
            ? ' (given back)'
            : state === 'abort'
              ? ' (aborted: counts as spent)'
              : '';
      return [
        `ε = ${figure(parseDecimal(entry.epsilon))}, δ = ${figure(parseDecimal(entry.delta))}`,
        `${entry.charges.map(({ on, mechanism }) => `${on}${mechanism === null ? '' : ` by ${mechanism.slice(0, 12)}`}`).join(', ')}${entry.part === null ? '' : `, part ${entry.part}`}${entry.passed.length === 0 ? '' : `, passed as they are: ${entry.passed.join(', ')}`}: ${entry.input} → ${entry.output}, ${unitWords(entry)}${fate}`,
      ];
    };
    process.stdout.write(
      `${leftAligned(
        shown.map((entry) => {
          const [figures, on] = words(entry);
          const what = entry.kind === 'release' ? entry.act : entry.kind;
          return [
            String(entry.sequence),
            entry.time.slice(0, 19),
            entry.who,
            what,
            datasetOf(entry),
            figures,
            on,
          ];
        }),
      )}\n`,
    );
  });
}

/** Columns as wide as they need to be, the last one as it comes. */
function leftAligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? [];
  return rows
    .map((row) => row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join('  '))
    .join('\n');
}

function checkHead(head: string | undefined): void {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new RangeError(`--head: expected 64 hexadecimal digits as in a report, got ${head}`);
}

async function check(options: Options & { head?: string }): Promise<void> {
  checkHead(options.head);
  await withLedger(options, false, async (ledger) => {
    const found = await checkLedger(ledger, options.head ?? null);
    if (options.json) printJson({ ledger: ledger.shown, whole: found.problems.length === 0, ...found });
    else if (found.problems.length === 0)
      process.stdout.write(
        `${found.entries} entries, none edited, removed or moved${options.head === undefined ? '; give --head to see that none is missing at the end' : ', and the given head is among them'}\nhead ${found.head ?? 'none'}\n`,
      );
    else process.stdout.write(`${found.problems.join('\n')}\n`);
    if (found.problems.length > 0) process.exitCode = 3;
  });
}

async function exportEntries(options: Options & { output?: string; force?: boolean }): Promise<void> {
  checkOutput(options.output, options.force === true);
  if (options.output !== undefined && sameFile(options.output, ledgerFrom(options.ledger).address))
    throw new RangeError(`${options.output}: this is the ledger; choose another name`);
  await withLedger(options, false, async (ledger) => {
    const rows = await ledger.rows();
    const text = options.json
      ? `${JSON.stringify({ ledger: ledger.shown, rows }, null, 2)}\n`
      : rows.map(({ text: line }) => `${line}\n`).join('');
    if (options.output === undefined || options.output === '-') process.stdout.write(text);
    else writeOutput(options.output, text, options.force === true);
  });
}

/** The inverse of export: the same lines, in a ledger that was not there before. */
async function importEntries(path: string, options: Options & { head?: string }): Promise<void> {
  checkHead(options.head);
  if (options.ledger === undefined)
    throw new RangeError('--ledger: expected the new ledger’s file or postgres:// address');
  const text = readText(path);
  // A file may have been cut off in the middle of a line: then its last line does not end.
  if (text !== '' && !text.endsWith('\n'))
    throw new RangeError(`${path}: the last line does not end; the file was cut off, export it again`);
  const found = await importLedger(text.split('\n').slice(0, -1), options.ledger, options.head ?? null);
  const whole = found.problems.length === 0;
  if (options.json) printJson({ ledger: options.ledger, whole, ...found });
  else if (whole)
    process.stdout.write(
      `${found.entries} entries imported, none edited, removed or moved\nledger ${options.ledger}\nhead ${found.head}\nThe ledger it was exported from, where it is still there, has the same budget once more: remove it\n`,
    );
  else process.stdout.write(`${found.problems.join('\n')}\nNothing was imported\n`);
  if (!whole) process.exitCode = 3;
}
