// What `discreet release` does: options to a job, the job to a release, the release to words and a report.

import { existsSync, fstatSync, statSync } from 'node:fs';
import type { Budget } from '../ledger/index.js';
import { type Mechanism, PrivacyError, requireClaim } from '../mechanism/index.js';
import { entropySource } from '../random/index.js';
import {
  type Job,
  latticeOf,
  type Place,
  type ProtectedColumn,
  type Released,
  release,
  sameFile,
  tryRelease,
} from '../release/index.js';
import { readsLike } from '../spec/index.js';
import { refusal } from './compile.js';
import { readMechanismFile } from './input.js';
import { progressLine } from './progress.js';
import {
  budgetFor,
  checkPaths,
  interruptible,
  keptMechanisms,
  ledgerFrom,
  note,
  openLedgerFor,
  readDelimiter,
  readFinish,
  readInput,
  readOutput,
  readPerColumn,
  readPerPerson,
  reportPaths,
  usedMechanisms,
} from './release-common.js';
import { makeMechanisms } from './release-noise.js';
import type { ReleaseOptions } from './release-options.js';
import { rowProgress, showReleased, showTrial } from './release-told.js';

export async function runRelease(inputText: string, options: ReleaseOptions): Promise<void> {
  if (options.seed !== undefined)
    throw new PrivacyError(
      '--seed: seeded noise protects nobody, so nothing is released with it; for simulations see discreet sample --for-simulation',
    );
  const input = readInput(inputText, options);
  const output = readOutput(options, input);
  refusePriorOfInput(options, input);
  if (options.column.length === 0)
    throw new RangeError('--column: expected a column to protect, as in --column visits');
  const listed = options.column.find((text) => /^\w+(?:,\w+)+$/.test(text));
  if (listed !== undefined)
    note(`--column ${listed} is one column of that name; for several, repeat --column`);
  const named = options.column.map((text) => readColumn(text, options));
  checkOptions(options, named);
  const reports = reportPaths(options);
  const found = ledgerFrom(options.ledger);
  const read = [input.kind === 'file' ? input.path : null, ...named.map(({ file }) => file)];
  const written = [output.kind === 'file' ? output.path : null, reports?.html ?? null, reports?.json ?? null];
  checkPaths(read, written, found.address);
  const ledger = await openLedgerFor(found, options.dryRun === true);
  try {
    const account = {
      dataset: options.dataset ?? null,
      part: options.part ?? null,
      perPerson: readPerPerson(options.perPerson),
    };
    const budget = await budgetFor(ledger, account.dataset, input);
    const rows = budget?.perPerson ?? account.perPerson ?? 1;
    const columns = protectedColumns(named, options, budget, rows);
    const used = usedMechanisms(columns, output, input);
    const files = used.map(({ path }) => path);
    checkPaths(read, [...written, ...files], found.address);
    const beforePublish = keptMechanisms(used, options.force === true);
    const job: Omit<Job, 'signal' | 'progress'> = {
      input,
      output,
      columns,
      passed: options.pass,
      skipInvalid: options.skipInvalid === true,
      delimiter: readDelimiter(options.delimiter),
      force: options.force === true,
      part: null,
      person: options.person === undefined ? null : { column: options.person, rows },
      guard: { budget: [], earlier: [] },
      note,
      beforePublish,
      source: entropySource(globalThis.crypto),
    };
    if (options.dryRun) {
      const signal = new AbortController().signal;
      const trial = await tryRelease({ ...job, signal, progress: () => undefined }, account, ledger);
      showTrial(trial, job.columns, ledger, options);
      return;
    }
    await interruptible(async (signal) => {
      const line = progressLine();
      let released: Released;
      try {
        released = await release({ ...job, signal, progress: rowProgress(line) }, account, ledger);
      } finally {
        line.end();
      }
      await showReleased({ job, released, ledger, options, reports, mechanisms: files });
    });
  } finally {
    await ledger.close();
  }
}

/** The distribution of the very data that is protected is not public, whatever anybody says. */
function refusePriorOfInput({ prior }: ReleaseOptions, input: Place): void {
  const path = /^(?:column|table):/.test(prior ?? '')
    ? prior!.replace(/^\w+:/, '').replace(/#[^#]*$/, '')
    : null;
  if (path === null) return;
  const same =
    input.kind === 'pipe'
      ? path === '-' || isStandardInput(path)
      : input.kind === 'file' && sameFile(path, input.path);
  if (same)
    throw new PrivacyError(
      '--prior: this is the data to be protected; noise that is fitted to it gives it away. Name a prior that was known before, such as poisson:rate=3, or leave it out',
    );
}

/** Is this file what standard input was redirected from? */
function isStandardInput(path: string): boolean {
  if (!existsSync(path)) return false;
  const [input, file] = [fstatSync(0), statSync(path)];
  return input.isFile() && input.ino === file.ino && input.dev === file.dev;
}

interface Named {
  readonly name: string;
  /** The mechanism's file; null where it is made now. */
  readonly file: string | null;
}

/** `name` or `name=file`; a name may hold an equals sign where no such file is there. */
function readColumn(text: string, options: ReleaseOptions): Named {
  const at = text.lastIndexOf('=');
  const others = options.mechanism ?? null;
  const isName =
    at < 0 || (!existsSync(text.slice(at + 1)) && (others !== null || options.epsilon.length > 0));
  if (isName) return { name: text, file: others };
  return { name: text.slice(0, at), file: text.slice(at + 1) };
}

/** Options for making a mechanism do not go with a mechanism that is given. */
function checkOptions(options: ReleaseOptions, named: readonly Named[]): void {
  if (named.some(({ name }) => options.person !== undefined && readsLike(name, options.person)))
    throw new RangeError(
      `--person: ${JSON.stringify(options.person)} is protected itself; name the column that tells persons apart`,
    );
  const passed = options.pass.find((name) => named.some((column) => column.name === name));
  if (passed !== undefined)
    throw new RangeError(
      `--pass: ${JSON.stringify(passed)} is protected with --column; name it in one of the two`,
    );
  const made = named.find(({ file }) => file === null);
  if (made && options.epsilon.length === 0)
    throw new RangeError(
      `--column ${made.name}: expected a mechanism, as in --column ${made.name}=mechanism.json, or --epsilon and, without a budget, --adjacency to make one`,
    );
  if (made) return;
  for (const flag of ['epsilon', 'adjacency', 'delta', 'step', 'prior', 'family'] as const)
    if (options[flag] !== undefined && options[flag].length > 0)
      throw new RangeError(
        `--${flag}: the mechanism is given by a file, which has its own; leave this out, or the file`,
      );
}

function protectedColumns(
  named: readonly Named[],
  options: ReleaseOptions,
  budget: Budget | null,
  rows: number,
): ProtectedColumn[] {
  const names = named.map(({ name }) => name);
  const clamps = readPerColumn(options.clamp, '--clamp', names);
  const roundings = readPerColumn(options.roundTo, '--round-to', names);
  const toMake = named.filter(({ file }) => file === null).map(({ name }) => name);
  const made = toMake.length === 0 ? null : makeMechanisms(toMake, options, budget, rows);
  const files = new Map<string, Mechanism>();
  const given = (file: string) => {
    const mechanism = files.get(file) ?? readChecked(file);
    files.set(file, mechanism);
    return mechanism;
  };
  return named.map(({ name, file }) => {
    const mechanism = file === null ? made!.get(name)! : given(file);
    const lattice = latticeOf(mechanism.pmf.step);
    return { name, mechanism, lattice, finish: readFinish(lattice, clamps(name), roundings(name)) };
  });
}

function readChecked(path: string): Mechanism {
  const mechanism = readMechanismFile(path);
  requireClaim(
    mechanism,
    (found) => `${path}: ${refusal(mechanism, found)}; nothing was released or charged`,
  );
  return mechanism;
}
