// What `discreet release` does: options to a job, the job to a release, the release to words and a report.

import { existsSync, fstatSync, statSync } from 'node:fs';
import { design, parseGoal } from '../design/index.js';
import type { Budget } from '../ledger/index.js';
import { calibrate, type Mechanism, PrivacyError, requireClaim } from '../mechanism/index.js';
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
import { parseFamily } from '../spec/index.js';
import { refusal } from './compile.js';
import { readDelta, readEpsilon, readLattice, readMechanismFile, readPrior } from './input.js';
import { progressLine } from './progress.js';
import {
  budgetFor,
  checkPaths,
  interruptible,
  keptMechanisms,
  mechanismPaths,
  openLedgerFor,
  readDelimiter,
  readFinish,
  readInput,
  readOutput,
  readPerColumn,
  readPerPerson,
  reportPaths,
} from './release-common.js';
import type { ReleaseOptions } from './release-options.js';
import { rowProgress, showQuote, showReleased } from './release-told.js';

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
  const named = options.column.map((text) => readColumn(text, options));
  checkOptions(options, named);
  const reports = reportPaths(options);
  const made = named.filter(({ file }) => file === null);
  const paths = mechanismPaths(
    made.map(({ name }) => name),
    output,
    input,
  );
  checkPaths(
    [input.kind === 'file' ? input.path : null, ...named.map(({ file }) => file)],
    [output.kind === 'file' ? output.path : null, reports?.html ?? null, reports?.json ?? null, ...paths],
    options.ledger,
  );
  const ledger = await openLedgerFor(options, options.dryRun !== true);
  try {
    const account = {
      dataset: options.dataset ?? null,
      part: options.part ?? null,
      perPerson: readPerPerson(options.perPerson),
    };
    const budget = await budgetFor(ledger, account.dataset, input);
    const columns = protectedColumns(named, options, budget);
    const madeNow = columns.filter((_, i) => named[i]!.file === null);
    const beforePublish = keptMechanisms(
      madeNow.map(({ mechanism }, i) => ({ path: paths[i]!, mechanism })),
      options.force === true,
    );
    const job: Omit<Job, 'signal' | 'progress'> = {
      input,
      output,
      columns,
      snap: options.snap === true,
      skipInvalid: options.skipInvalid === true,
      delimiter: readDelimiter(options.delimiter),
      force: options.force === true,
      part: null,
      person: options.person === undefined ? null : { column: options.person, rows: account.perPerson ?? 1 },
      guarded: [],
      beforePublish,
      source: entropySource(globalThis.crypto),
    };
    if (options.dryRun) {
      const signal = new AbortController().signal;
      const quote = await tryRelease({ ...job, signal, progress: () => undefined }, account, ledger);
      showQuote(quote, job.columns, ledger, options);
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
      const verify = [...new Set([...named.flatMap(({ file }) => file ?? []), ...paths])];
      await showReleased({ job, released, ledger, options, reports, mechanisms: paths, verify });
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
    at < 0 || (!existsSync(text.slice(at + 1)) && (others !== null || options.epsilon !== undefined));
  if (isName) return { name: text, file: others };
  return { name: text.slice(0, at), file: text.slice(at + 1) };
}

/** Options for making a mechanism do not go with a mechanism that is given. */
function checkOptions(options: ReleaseOptions, named: readonly Named[]): void {
  if (options.person !== undefined && named.some(({ name }) => name === options.person))
    throw new RangeError(
      `--person: ${JSON.stringify(options.person)} is protected itself; name the column that tells persons apart`,
    );
  if (named.some(({ file }) => file === null)) return;
  for (const flag of ['epsilon', 'adjacency', 'delta', 'step', 'prior', 'family'] as const)
    if (options[flag] !== undefined)
      throw new RangeError(
        `--${flag}: the mechanism is given by a file, which has its own; leave this out, or the file`,
      );
}

function protectedColumns(
  named: readonly Named[],
  options: ReleaseOptions,
  budget: Budget | null,
): ProtectedColumn[] {
  const names = named.map(({ name }) => name);
  const clamps = readPerColumn(options.clamp, '--clamp', names);
  const roundings = readPerColumn(options.roundTo, '--round-to', names);
  return named.map(({ name, file }) => {
    const mechanism = file === null ? makeMechanism(name, options, budget) : readChecked(file);
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

/** The optimum for the prior, or with the least E|θ|, or the least noise of a family. */
function makeMechanism(column: string, options: ReleaseOptions, budget: Budget | null): Mechanism {
  if (options.epsilon === undefined)
    throw new RangeError(
      `--column ${column}: expected a mechanism, as in --column ${column}=mechanism.json, or --epsilon and --adjacency to make one`,
    );
  const declared = budget && Object.hasOwn(budget.adjacency, column) ? budget.adjacency[column] : undefined;
  const adjacencyText = options.adjacency ?? declared;
  if (adjacencyText === undefined)
    throw new RangeError(
      budget
        ? `--column: the budget of ${budget.dataset} has no adjacency for ${JSON.stringify(column)}; it has ${Object.keys(budget.adjacency).join(', ') || 'none'}. Add it with discreet ledger init --adjacency`
        : '--adjacency: expected how far one record may move, as in --adjacency 5',
    );
  const { step, adjacency } = readLattice({ step: options.step ?? '1', adjacency: adjacencyText });
  const target = { epsilon: readEpsilon(options.epsilon), delta: readDelta(options.delta ?? '0'), adjacency };
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
