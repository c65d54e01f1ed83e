// Options of a release in one piece or in many, and what they say.

import { existsSync, fstatSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { invalid, PrivacyError } from '../error/index.js';
import { sameFile } from '../files/index.js';
import { type Mechanism, requireClaim } from '../mechanism/index.js';
import { isPostgres } from '../postgres/index.js';
import type { Prior } from '../prior/index.js';
import { priorPath, readPositive } from '../spec/index.js';
import {
  type CellFlags,
  type CommonOptions,
  cellOptions,
  commonOptions,
  noteLists,
  pairOf,
  perColumn,
} from './common-options.js';
import { collect, readMechanismFile, readPrior } from './input.js';
import type { Flags, Lists, Maybe } from './options.js';
import { refusal } from './verify.js';

export type ReleaseFlags = CommonOptions &
  CellFlags &
  Maybe<'mechanism' | 'prior' | 'priorShare' | 'family'> &
  Flags<'priorIsPublic' | 'allowBias' | 'skipInvalid'> &
  Lists<'column' | 'epsilon' | 'delta' | 'adjacency' | 'step' | 'pass' | 'drop' | 'range'>;

/** Of options that may be repeated, none. */
export const NONE = {
  column: [],
  epsilon: [],
  delta: [],
  adjacency: [],
  step: [],
  pass: [],
  drop: [],
  range: [],
  clamp: [],
  roundTo: [],
  map: [],
};

/** Which columns, which noise, and what is done afterwards. */
export function addColumnOptions(command: Command): Command {
  return command
    .option(
      '--column <name[=mechanism]>',
      "a column to protect, or several, as '2024-W*', or with a mechanism; repeat",
      collect,
    )
    .option('--mechanism <file>', 'the mechanism for all columns that name none')
    .option(
      '--epsilon <[column=]e>',
      'or make the noise now: ε for one person, all rows and all columns made now together; repeat for shares by column',
      collect,
    )
    .option(
      '--adjacency <[column=]m>',
      'how far one record may move, in data units (default: the budget’s); repeat',
      collect,
    )
    .option('--delta <[column=]d>', 'δ of noise made now, likewise for one person (default: 0)', collect)
    .option(
      '--step <[column=]step>',
      'Δ of noise made now: values are rounded to multiples of it (default: 1); repeat',
      collect,
    )
    .option('--prior <prior>', 'what is publicly known of the data; the noise is the best for it')
    .option('--prior-share <s>', 'or spend this share of ε on a prior from the data first; needs --range')
    .option('--range <[column=]low,high>', 'of that prior: what values there can be; repeat', collect)
    .option('--prior-is-public', 'a prior read from a column of another file is public')
    .option('--family <family>', 'noise of this family instead of the optimum')
    .option('--allow-bias', 'the very optimum, whose mean need not be 0 as it is otherwise')
    .option('--skip-invalid', 'empty cells that are no numbers at all; which they were is not protected')
    .option('--pass <column>', 'let it leave although it was protected, nested or computed; repeat', collect)
    .option('--drop <column>', 'leave it out: it does not leave at all; repeat', collect)
    .option('--snap', 'does nothing: every number is rounded to the nearest multiple of the step, halves up')
    .option('--part <name>', 'the part that this is; parts of a partition cost in parallel')
    .option('--clamp <[column=]low,high>', 'afterwards, free: move values into these bounds; repeat', collect)
    .option('--round-to <[column=]unit>', 'afterwards, free: round to multiples of this; repeat', collect);
}

/** What the front door takes, as it is said. */
export function releaseOptions(address: string, options: ReleaseFlags) {
  refusePriorOfInput(options, address);
  const named = readColumns(options);
  const step = perColumn(options.step, 'step', (text) => text);
  const { epsilon, delta, adjacency, family, allowBias, skipInvalid, pass, drop, range } = options;
  return {
    ...commonOptions(address, options),
    columns: named.map(({ name }) => name),
    mechanism: readMechanisms(named),
    reads: named.flatMap(({ file }) => file ?? []),
    epsilon: epsilon.length === 0 ? undefined : perColumn(epsilon, 'epsilon', (text) => text),
    delta: perColumn(delta, 'delta', (text) => text),
    adjacency: perColumn(adjacency, 'adjacency', (text) => text),
    step,
    prior: readPriors(options, named, step),
    priorShare: options.priorShare,
    range: range.length === 0 ? undefined : perColumn(range, 'range', pairOf('range', '0,77')),
    family,
    allowBias,
    skipInvalid,
    pass,
    drop,
    ...cellOptions(options),
  };
}

/** What is known of each column, on its own lattice. */
function readPriors(
  options: ReleaseFlags,
  named: readonly NamedColumn[],
  steps: ReadonlyMap<string | null, string>,
): Map<string, Prior> | undefined {
  if (options.prior === undefined) return undefined;
  // Read once for each lattice: standard input is gone then.
  const known = new Map<string, Prior>();
  return new Map(
    named.map(({ name }) => {
      const step = steps.get(name) ?? steps.get(null) ?? '1';
      if (!known.has(step)) known.set(step, readPrior(options, readPositive(step, 'step'))!);
      return [name, known.get(step)!];
    }),
  );
}

/** The distribution of the very data that is protected is not public, whatever anybody says. */
function refusePriorOfInput({ prior }: ReleaseFlags, input: string): void {
  const ofColumn = prior?.startsWith('column:') ? prior.slice('column:'.length).replace(/#[^#]*$/, '') : null;
  const path = ofColumn ?? (prior === undefined ? null : priorPath(prior));
  if (path === null) return;
  if (input === '-' ? path === '-' || isStandardInput(path) : !isPostgres(input) && sameFile(path, input))
    throw new PrivacyError(
      'this is the data to be protected; noise that is fitted to it gives it away. Name a prior that was known before, such as poisson:rate=3, or leave it out',
      'prior',
    );
}

/** Is this file what standard input was redirected from? */
function isStandardInput(path: string): boolean {
  if (!existsSync(path)) return false;
  const [input, file] = [fstatSync(0), statSync(path)];
  return input.isFile() && input.ino === file.ino && input.dev === file.dev;
}

interface NamedColumn {
  readonly name: string;
  /** The mechanism's file; null where it is made now. */
  readonly file: string | null;
}

/** `name` or `name=file`; a name may hold an equals sign where no such file is there. */
function readColumns(options: ReleaseFlags): NamedColumn[] {
  const { column, mechanism, epsilon } = options;
  noteLists(column, 'repeat --column');
  const named = column.map((text) => {
    const at = text.lastIndexOf('=');
    const isName =
      at < 0 || (!existsSync(text.slice(at + 1)) && (mechanism !== undefined || epsilon.length > 0));
    return isName
      ? { name: text, file: mechanism ?? null }
      : { name: text.slice(0, at), file: text.slice(at + 1) };
  });
  const made = named.find(({ file }) => file === null);
  if (made && epsilon.length === 0)
    throw invalid(
      `columns ${made.name}: expected a mechanism, as in {columns} ${made.name}=mechanism.json, or {epsilon} and, without a budget, {adjacency} to make one`,
    );
  return named;
}

function readMechanisms(named: readonly NamedColumn[]): Map<string, Mechanism> {
  const files = new Map<string, Mechanism>();
  for (const file of new Set(named.flatMap(({ file: own }) => own ?? []))) {
    const mechanism = readMechanismFile(file);
    requireClaim(
      mechanism,
      (found) => `${file}: ${refusal(mechanism, found)}; nothing was released or charged`,
    );
    files.set(file, mechanism);
  }
  return new Map(named.flatMap(({ name, file }) => (file === null ? [] : [[name, files.get(file)!]])));
}
