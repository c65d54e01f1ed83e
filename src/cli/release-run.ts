// What `discreet release` does: options to a job, the job to a release, the release to words and a report.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { design, parseGoal } from '../design/index.js';
import { parseDecimal, toDecimal } from '../exact/index.js';
import type { Budget } from '../ledger/index.js';
import { calibrate, type Mechanism, PrivacyError, requireClaim, writeMechanism } from '../mechanism/index.js';
import { entropySource } from '../random/index.js';
import {
  finishOf,
  type Job,
  latticeOf,
  nameOf,
  type Place,
  type ProtectedColumn,
  release,
  sameFile,
  tryRelease,
} from '../release/index.js';
import { parseFamily } from '../spec/index.js';
import { refusal } from './compile.js';
import { readDelta, readEpsilon, readLattice, readMechanismFile, readPrior } from './input.js';
import { checkOutput, writeOutput } from './output.js';
import { progressLine } from './progress.js';
import {
  budgetFor,
  interruptible,
  openLedgerFor,
  readInput,
  readOutput,
  readPerColumn,
  readPerPerson,
  reportPaths,
  rowProgress,
  showQuote,
  showReleased,
} from './release-common.js';
import type { ReleaseOptions } from './release-options.js';

export async function runRelease(inputText: string, options: ReleaseOptions): Promise<void> {
  if (options.seed !== undefined)
    throw new PrivacyError(
      '--seed: seeded noise protects nobody, so nothing is released with it; for simulations see discreet sample --for-simulation',
    );
  const input = readInput(inputText, options);
  const output = readOutput(options);
  refusePriorOfInput(options, input);
  if (options.column.length === 0)
    throw new RangeError('--column: expected a column to protect, as in --column visits');
  const reports = reportPaths(options);
  const ledger = await openLedgerFor(options, options.dryRun !== true);
  try {
    const account = {
      dataset: options.dataset ?? null,
      part: options.part ?? null,
      perPerson: readPerPerson(options.perPerson),
    };
    const budget = await budgetFor(ledger, account.dataset, input);
    const columns = readColumns(options, budget);
    const made = columns.filter(({ file }) => file === null);
    const files = mechanismFiles(
      made.map(({ column }) => column),
      output,
      input,
    );
    for (const { path, text } of files) if (!isSame(path, text)) checkOutput(path, options.force === true);
    const job: Omit<Job, 'signal' | 'progress'> = {
      input,
      output,
      columns: columns.map(({ column }) => column),
      snap: options.snap === true,
      skipInvalid: options.skipInvalid === true,
      delimiter: options.delimiter ?? null,
      force: options.force === true,
      part: null,
      person: options.person === undefined ? null : { column: options.person, rows: account.perPerson ?? 1 },
      source: entropySource(globalThis.crypto),
    };
    if (options.dryRun) {
      const signal = new AbortController().signal;
      const { quote } = await tryRelease({ ...job, signal, progress: () => undefined }, account, ledger);
      showQuote(quote, job.columns, ledger, options);
      return;
    }
    await interruptible(async (signal) => {
      const line = progressLine();
      const written = files.filter(({ path, text }) => !isSame(path, text));
      for (const { path, text } of written) writeOutput(path, text, true);
      try {
        const released = await release({ ...job, signal, progress: rowProgress(line) }, account, ledger);
        line.end();
        await showReleased({
          job,
          released,
          ledger,
          options,
          reports,
          mechanisms: files.map(({ path }) => path),
          verify: verifiable(columns, files),
        });
      } catch (error) {
        line.end();
        for (const { path } of written) rmSync(path, { force: true });
        throw error;
      }
    });
  } finally {
    await ledger.close();
  }
}

/** Each column's mechanism file, given or made. */
function verifiable(columns: readonly Chosen[], made: readonly { readonly path: string }[]): string[] {
  return [...new Set([...columns.flatMap(({ file }) => file ?? []), ...made.map(({ path }) => path)])];
}

/** The distribution of the very data that is protected is not public, whatever anybody says. */
function refusePriorOfInput({ prior }: ReleaseOptions, input: Place): void {
  const path = prior?.startsWith('column:') ? prior.slice('column:'.length).replace(/#[^#]*$/, '') : null;
  if (path === null) return;
  if (input.kind === 'pipe' ? path === '-' : input.kind === 'file' && sameFile(path, input.path))
    throw new PrivacyError(
      '--prior: this is the data to be protected; noise that is fitted to it gives it away. Name a prior that was known before, such as poisson:rate=3, or leave it out',
    );
}

interface Chosen {
  readonly column: ProtectedColumn;
  /** The mechanism's file; null where it is made now. */
  readonly file: string | null;
}

function readColumns(options: ReleaseOptions, budget: Budget | null): Chosen[] {
  const clamps = readPerColumn(options.clamp, '--clamp');
  const roundings = readPerColumn(options.roundTo, '--round-to');
  const chosen = options.column.map((text) => {
    const at = text.lastIndexOf('=');
    const name = at < 0 ? text : text.slice(0, at);
    const file = at < 0 ? (options.mechanism ?? null) : text.slice(at + 1);
    const mechanism = file === null ? makeMechanism(name, options, budget) : readChecked(file);
    const lattice = latticeOf(mechanism.pmf.step);
    const clamp = clamps(name);
    const rounding = roundings(name);
    const bounds = clamp?.split(',');
    if (bounds && bounds.length !== 2)
      throw new RangeError(`--clamp: expected low,high as in 0,100, got ${clamp}`);
    return {
      column: {
        name,
        mechanism,
        lattice,
        finish: finishOf(
          lattice,
          bounds
            ? { low: parseDecimal(bounds[0]!, '--clamp'), high: parseDecimal(bounds[1]!, '--clamp') }
            : null,
          rounding === undefined ? null : parseDecimal(rounding, '--round-to'),
        ),
      },
      file,
    };
  });
  if (chosen.every(({ file }) => file !== null)) {
    for (const [flag, value] of [
      ['--epsilon', options.epsilon],
      ['--prior', options.prior],
      ['--family', options.family],
    ] as const)
      if (value !== undefined)
        throw new RangeError(`${flag}: the mechanism is given by a file; leave this out, or the file`);
    const other = chosen.find(
      ({ column }) =>
        options.step !== '1' &&
        toDecimal(column.lattice.step) !== toDecimal(parseDecimal(options.step, '--step')),
    );
    if (other)
      throw new RangeError(
        `--step: the mechanism for ${JSON.stringify(other.column.name)} has the step ${toDecimal(other.column.lattice.step)}; make one with the step ${options.step}`,
      );
  }
  return chosen;
}

function readChecked(path: string): Mechanism {
  const mechanism = readMechanismFile(path);
  requireClaim(
    mechanism,
    (found) => `${path}: ${refusal(mechanism, found)}; nothing was released or charged`,
  );
  return mechanism;
}

/** The optimum for the prior, or with the least E|θ|, or the least noise of a family. */
function makeMechanism(column: string, options: ReleaseOptions, budget: Budget | null): Mechanism {
  if (options.epsilon === undefined)
    throw new RangeError(
      `--column ${column}: expected a mechanism, as in --column ${column}=mechanism.json, or --epsilon and --adjacency to make one`,
    );
  const adjacencyText = options.adjacency ?? budget?.adjacency[column];
  if (adjacencyText === undefined)
    throw new RangeError('--adjacency: expected how far one record may move, as in --adjacency 5');
  const { step, adjacency } = readLattice({ step: options.step, adjacency: adjacencyText });
  const target = { epsilon: readEpsilon(options.epsilon), delta: readDelta(options.delta), adjacency };
  if (target.epsilon.num <= 0n)
    throw new RangeError(`--epsilon: expected a value above 0, got ${options.epsilon}`);
  if (options.family !== undefined) {
    if (options.prior !== undefined)
      throw new RangeError('--prior: noise of a family does not depend on it; leave out one of the two');
    const { family, values } = parseFamily(options.family);
    return calibrate(family, values, target, step).mechanism;
  }
  const prior =
    options.prior === undefined ? null : readPrior(options.prior, step, options.priorIsPublic === true);
  const objective = prior ? 'wasserstein' : 'magnitude';
  const line = progressLine();
  const found = design(
    target,
    { goal: parseGoal(objective, step), prior: prior?.pmf ?? null, unbiased: false, symmetric: false },
    step,
    line.show,
  );
  line.end();
  return {
    ...found.mechanism,
    origin: {
      design: {
        objective,
        value: found.value,
        lowerBound: found.lowerBound,
        prior: prior && { spec: prior.spec, ...(prior.cut ? { cut: prior.cut } : {}), declaredPublic: true },
      },
    },
  };
}

/** Mechanisms made here are written beside the output: readers need them. */
function mechanismFiles(
  columns: readonly ProtectedColumn[],
  output: Place,
  input: Place,
): { path: string; text: string }[] {
  const stem =
    output.kind === 'file'
      ? output.path
      : output.kind === 'postgres'
        ? basename(output.table!)
        : (nameOf(input) ?? 'release');
  return columns.map(({ name, mechanism }) => ({
    path:
      columns.length === 1
        ? `${stem}.mechanism.json`
        : `${stem}.${name.replace(/[^\w-]+/g, '_')}.mechanism.json`,
    text: writeMechanism(mechanism),
  }));
}

function isSame(path: string, text: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8') === text;
}
