// What release and count share beyond their options: places, paths, the ledger, interruption.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseDecimal } from '../exact/index.js';
import {
  type Budget,
  datasetName,
  emptyLedger,
  type Found,
  findLedger,
  type Ledger,
  mechanismHash,
  NoLedger,
  type Opening,
  openExisting,
  openLedger,
} from '../ledger/index.js';
import { type Mechanism, writeMechanism } from '../mechanism/index.js';
import {
  type Finish,
  finishOf,
  Interrupted,
  isPostgres,
  type Lattice,
  nameOf,
  type Place,
  type ProtectedColumn,
  readPlace,
  sameFile,
  textOfIndex,
} from '../release/index.js';
import { suggest } from '../spec/index.js';
import { checkOutput, checkOutputs, writeOutput } from './output.js';
import type { CommonOptions } from './release-options.js';

export function readInput(text: string, options: CommonOptions): Place {
  return readPlace(text, options.inputFormat, '--input-format', {
    table: options.table,
    query: options.query,
    rowsOnce: options.rowsOnce,
    tableFlag: '--table',
  });
}

/** Standard output takes the input's format where none is named. */
export function readOutput(options: CommonOptions, input: Place): Place {
  if (options.output === undefined)
    throw new RangeError('-o: expected where to write the released data: a file, - or postgres://…');
  checkOutputs(
    [isPostgres(options.output) ? undefined : options.output],
    options.force === true,
    options.json === true && options.dryRun !== true,
  );
  const format = options.output === '-' ? (input.kind === 'postgres' ? 'csv' : input.format) : undefined;
  return readPlace(options.output, options.outputFormat ?? format, '--output-format', {
    table: options.outputTable,
    tableFlag: '--output-table',
  });
}

/** No file is written that is read, or written twice, or that is the ledger: --force does not change that. */
export function checkPaths(
  read: readonly (string | null)[],
  written: readonly (string | null)[],
  ledger: string,
): void {
  const files = (paths: readonly (string | null)[]) =>
    paths.filter((path): path is string => path !== null && path !== '-' && !isPostgres(path));
  const outputs = files(written);
  const ledgers = isPostgres(ledger) ? [] : existsSync(ledger) ? [ledger, realpathSync(ledger)] : [ledger];
  const own = ledgers.flatMap((name) => ['', '-journal', '-wal', '-shm'].map((end) => `${name}${end}`));
  for (const [i, path] of outputs.entries()) {
    if (own.some((name) => sameFile(path, name)))
      throw new RangeError(`${path}: this is the ledger; choose another name`);
    if (files(read).some((other) => sameFile(path, other)))
      throw new RangeError(
        `${path}: the output is the input, or another file that is read; choose another name`,
      );
    if (outputs.some((other, k) => k < i && sameFile(path, other)))
      throw new RangeError(`${path}: two outputs have this name; choose another for one`);
  }
  if (!isPostgres(ledger) && files(read).some((path) => sameFile(path, ledger)))
    throw new RangeError(`${ledger}: this is the input; choose another name for the ledger`);
}

/** A mechanism as it was used: what readers need to know of the columns it is for. */
interface UsedMechanism {
  readonly path: string;
  readonly mechanism: Mechanism;
}

/** The mechanism files of a release, beside the output: one for all columns that share mechanism, clamp and rounding. */
export function usedMechanisms(
  columns: readonly ProtectedColumn[],
  output: Place,
  input: Place,
): UsedMechanism[] {
  const groups = new Map<string, ProtectedColumn[]>();
  for (const column of columns) {
    const { clamp, roundTo } = afterwards(column);
    const key = JSON.stringify([mechanismHash(column.mechanism), clamp, roundTo]);
    groups.set(key, [...(groups.get(key) ?? []), column]);
  }
  const shared = [...groups.values()];
  const paths = mechanismPaths(
    shared.map(([first]) => first!.name),
    output,
    input,
  );
  return shared.map((group, i) => {
    const { mechanism } = group[0]!;
    const release = { columns: group.map(({ name }) => name), ...afterwards(group[0]!) };
    return { path: paths[i]!, mechanism: { ...mechanism, origin: { ...mechanism.origin, release } } };
  });
}

/** What was done to the values of a column after noise was added, in data units. */
function afterwards({ lattice, finish }: ProtectedColumn) {
  const { low, high, roundTo } = finish;
  return {
    clamp:
      low === -lattice.limit && high === lattice.limit
        ? null
        : [textOfIndex(low, lattice), textOfIndex(high, lattice)],
    roundTo: roundTo === 1n ? null : textOfIndex(roundTo, lattice),
  };
}

function mechanismPaths(names: readonly string[], output: Place, input: Place): string[] {
  const stem =
    output.kind === 'file'
      ? output.path
      : output.kind === 'postgres'
        ? basename(output.table!)
        : (nameOf(input) ?? 'release');
  const plain = names.map((name) => name.replace(/[^\p{L}\p{N}_-]+/gu, '_'));
  return plain.map((name, i) => {
    if (plain.length === 1) return `${stem}.mechanism.json`;
    const twin = plain.slice(0, i).filter((other) => other.toLowerCase() === name.toLowerCase()).length;
    return `${stem}.${name}${twin === 0 ? '' : `-${twin + 1}`}.mechanism.json`;
  });
}

/** Mechanisms that are to be written: refused now where they would overwrite others, written when the function is called. */
export function keptMechanisms(files: readonly UsedMechanism[], force: boolean): () => void {
  const texts = files.map(({ path, mechanism }) => ({ path, text: writeMechanism(mechanism) }));
  // The same file may be there already, from a process that was killed.
  const missing = () =>
    texts.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
  for (const { path } of missing()) checkOutput(path, force);
  return () => {
    for (const { path, text } of missing()) writeOutput(path, text, force);
  };
}

/** One character; \\t is a tab. */
export function readDelimiter(text: string | undefined): string | null {
  if (text === undefined) return null;
  const char = text === '\\t' ? '\t' : text;
  if (char.length !== 1 || char === '"' || char === '\n' || char === '\r')
    throw new RangeError(
      `--delimiter: expected one character, such as ; or \\t, got ${JSON.stringify(text)}`,
    );
  return char;
}

/** The page and its figures. */
export function reportPaths(options: CommonOptions): { html: string; json: string } | null {
  if (options.report === undefined) return null;
  if (!/\.html?$/i.test(options.report))
    throw new RangeError(`--report: expected a name that ends in .html, got ${options.report}`);
  const paths = { html: options.report, json: options.report.replace(/\.html?$/i, '.json') };
  checkOutputs([paths.html, paths.json], options.force === true, false);
  return paths;
}

export function readPerPerson(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new RangeError(`--per-person: expected a whole number of rows from 1 on, got ${text}`);
  return Number(text);
}

/** `[column=]value`, repeated: what stands for a column, or for all. */
export function readPerColumn(
  texts: readonly string[],
  flag: string,
  columns: readonly string[],
): (column: string) => string | undefined {
  const own = new Map<string, string>();
  let all: string | undefined;
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    if (at >= 0) {
      const column = text.slice(0, at);
      if (!columns.includes(column))
        throw new RangeError(
          `${flag}: ${JSON.stringify(column)} is not released; ${suggest(column, columns, 'released are')}`,
        );
      own.set(column, text.slice(at + 1));
    } else if (all === undefined) all = text;
    else
      throw new RangeError(
        `${flag}: given twice for all columns; name the column, as in ${flag} visits=${text}`,
      );
  }
  return (column) => own.get(column) ?? all;
}

/** What is done afterwards to the values of a column. */
export function readFinish(lattice: Lattice, clamp: string | undefined, roundTo: string | undefined): Finish {
  const bounds = clamp?.split(',');
  if (bounds && bounds.length !== 2)
    throw new RangeError(`--clamp: expected low,high as in 0,100, got ${clamp}`);
  return finishOf(
    lattice,
    bounds ? { low: parseDecimal(bounds[0]!, '--clamp'), high: parseDecimal(bounds[1]!, '--clamp') } : null,
    roundTo === undefined ? null : parseDecimal(roundTo, '--round-to'),
  );
}

/** The ledger that is meant, from here. */
export function ledgerFrom(given: string | undefined): Found {
  return findLedger(given, { folder: process.cwd(), environment: process.env });
}

/** A ledger, told of where it is begun or where its place is doubtful; for a trial, one that is not there is an empty one. */
export async function openLedgerFor(found: Found, trial: boolean): Promise<Ledger> {
  const { address, namedBy } = found;
  if (trial) {
    const ledger = namedBy === null ? await openExisting(address) : await openNamed(found, 'reading');
    if (ledger) return ledger;
    note(`there is no ledger from here upward; the release itself would begin ${resolve(address)}`);
    return emptyLedger(address);
  }
  const ledger = await openNamed(found, namedBy === null ? 'existing or new' : 'existing');
  if (ledger.warning !== null) note(ledger.warning);
  return namedBy === null && (await ledger.rows()).length === 0 ? announced(ledger, address) : ledger;
}

/** A ledger that is not there is told with what named it. */
export async function openNamed({ address, namedBy }: Found, opening: Opening): Promise<Ledger> {
  try {
    return await openLedger(address, opening);
  } catch (error) {
    if (!(error instanceof NoLedger)) throw error;
    throw new RangeError(
      namedBy === null
        ? 'there is no ledger from here upward; make one with discreet ledger init, or name one with --ledger'
        : `${namedBy}: ${error.message}`,
    );
  }
}

/** Said when it has its first entry, and not where nothing came of it. */
export function announced(ledger: Ledger, address: string): Ledger {
  const after = async <T>(result: T): Promise<T> => {
    note(`there was no ledger from here upward; a new one is begun: ${resolve(address)}`);
    return result;
  };
  return {
    ...ledger,
    reserve: async (wish, under) => after(await ledger.reserve(wish, under)),
    setBudget: async (budget) => after(await ledger.setBudget(budget)),
  };
}

/** What the user should know, and nothing fails for. */
export function note(text: string): void {
  process.stderr.write(`note: ${text}\n`);
}

/** The budget that this falls under; a name that is missing or unknown is refused before anything else. */
export async function budgetFor(
  ledger: Ledger,
  dataset: string | null,
  input: Place,
): Promise<Budget | null> {
  const datasets = await ledger.datasets();
  return datasets.get(datasetName({ dataset, inputName: nameOf(input) }, datasets))?.budget ?? null;
}

/** Ctrl-C and SIGTERM stop the work in an orderly way: no output, and an entry that says so. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((name) => {
    const handler = () => {
      // A second one is obeyed at once; an entry that is open counts as spent.
      if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
      controller.abort(new Interrupted(name));
    };
    process.on(name, handler);
    return () => process.off(name, handler);
  });
  try {
    await work(controller.signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    process.stderr.write(
      error.entry === null
        ? 'interrupted: nothing was released or charged\n'
        : `interrupted: no output was left; entry ${error.entry} of the ledger is marked aborted and counts as spent\n`,
    );
    process.exitCode = error.signal === 'SIGINT' ? 130 : 143;
    // Nobody waits for more of it.
    process.stdin.destroy();
  } finally {
    for (const off of handlers) off();
  }
}
