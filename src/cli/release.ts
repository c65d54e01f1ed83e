// `discreet release`: a copy of the data with protected columns, a ledger entry, and a report.

import { existsSync, fstatSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { invalid, PrivacyError } from '../error/index.js';
import { type Mechanism, requireClaim } from '../mechanism/index.js';
import {
  type ColumnRequest,
  checkPaths,
  type NoiseRequest,
  type Place,
  type ReleaseRequest,
  release,
  sameFile,
  tryRelease,
} from '../release/index.js';
import { parseFamily, readDelta, readEpsilon, readPositive } from '../spec/index.js';
import {
  addCommonOptions,
  type CommonOptions,
  INPUT_MEANING,
  onLedger,
  perColumn,
  readAfterwards,
  readRequest,
} from './common-options.js';
import { collect, readMechanismFile, readPrior } from './input.js';
import { note } from './output.js';
import { showReleased, showTrial } from './released.js';
import { refusal } from './verify.js';

interface Options extends CommonOptions {
  readonly column: readonly string[];
  readonly mechanism?: string;
  readonly epsilon: readonly string[];
  readonly delta: readonly string[];
  readonly pass: readonly string[];
  readonly adjacency?: string;
  readonly step?: string;
  readonly prior?: string;
  readonly priorIsPublic?: boolean;
  readonly family?: string;
  readonly allowBias?: boolean;
  readonly skipInvalid?: boolean;
}

/** Of options that may be repeated, none. */
const NONE = { column: [], epsilon: [], delta: [], pass: [], clamp: [], roundTo: [] };

export function addRelease(program: Command): void {
  const command = program
    .command('release')
    .summary('release data: protected columns, a ledger entry, a report')
    .description(
      'Copies a file or table and adds certified noise to the named columns, each value on its own. What it costs is in the ledger before the first noisy byte leaves.',
    )
    .argument('<input>', INPUT_MEANING)
    .option(
      '--column <name[=mechanism]>',
      'a column to protect, with a mechanism file of its own if it needs one; repeat for several',
      collect,
    )
    .option('--mechanism <file>', 'the mechanism for all columns that name none')
    .option(
      '--epsilon <[column=]e>',
      'or make the noise now: ε for one person, all rows and all columns made now together; repeat for shares by column',
      collect,
    )
    .option('--adjacency <m>', 'how far one record may move, in data units (default: the budget’s)')
    .option('--delta <[column=]d>', 'δ of noise made now, likewise for one person (default: 0)', collect)
    .option('--step <step>', 'Δ of noise made now: values are rounded to multiples of it (default: 1)')
    .option('--prior <prior>', 'what is publicly known of the data; the noise is the best for it')
    .option('--prior-is-public', 'a prior read from a column of another file is public')
    .option('--family <family>', 'noise of this family instead of the optimum')
    .option(
      '--allow-bias',
      'the very optimum, whose mean need not be 0; without it, noise made now is unbiased',
    )
    .option('--skip-invalid', 'empty cells that are no numbers at all; which they were is not protected')
    .option(
      '--pass <column>',
      'let a column leave as it is that was protected before, is nested or is computed; recorded; repeat',
      collect,
    )
    .option('--snap', 'does nothing: every number is rounded to the nearest multiple of the step, halves up')
    .option(
      '--part <name>',
      'the part of the dataset that this is; parts declared in the budget cost in parallel',
    )
    .option(
      '--clamp <[column=]low,high>',
      'afterwards, free of privacy cost: move values into these bounds; repeat',
      collect,
    )
    .option(
      '--round-to <[column=]unit>',
      'afterwards, free of privacy cost: round to multiples of this; repeat',
      collect,
    );
  addCommonOptions(command).addHelpText(
    'after',
    `
Examples:
  discreet release visits.csv --column visits --epsilon 1 --adjacency 5 -o released.csv --report report.html
  discreet release visits.csv --column visits --mechanism mechanism.json -o released.parquet
  discreet release trips.csv --column visits=v.json --column trips=t.json -o released.csv --dataset trips
  discreet release trips.csv --column visits --column trips --epsilon visits=0.7 --epsilon trips=0.3 -o released.csv --dataset trips
  discreet release postgres://me@host/db --table trips --column visits --epsilon 1 -o postgres://me@host/db --output-table trips_released --dataset trips
  cat visits.csv | discreet release - --input-format csv --column visits --mechanism m.json -o - --dataset visits > out.csv
  discreet release visits.csv.gz --column visits --epsilon 1 --adjacency 5 -o released.csv.gz --dry-run

ε is what one person spends in all: every value of theirs gets an equal share, over the columns for which noise is made now and
over their rows (--per-person). Mechanism files cost what they cost, on top. Rounding comes before clamping. Presence, NULLs,
row order and all other columns are not protected; those that leave as they are, are listed. Passwords come from PGPASSWORD or .pgpass.`,
  );
  command.action((input: string, options: Options) => run(input, { ...NONE, ...options }));
}

async function run(address: string, options: Options): Promise<void> {
  const { reports, ...common } = readRequest(address, options);
  refusePriorOfInput(options, common.input);
  const named = readColumns(options);
  const files = named.flatMap(({ file }) => file ?? []);
  const own = [common.input.path, common.output.path].map((path) => (path === null ? [] : [path]));
  let request: ReleaseRequest | undefined;
  await onLedger(
    options,
    // Before a ledger is opened, or begun, that is another of the files.
    (ledger) => {
      checkPaths([...own[0]!, ...files], [...own[1]!, ...common.writes], ledger);
      const columns = requestedColumns(named, options);
      request = {
        ...common,
        reads: files,
        columns,
        noise: columns.some(({ mechanism }) => mechanism === null) ? readNoiseRequest(options) : null,
        pass: options.pass,
        skipInvalid: options.skipInvalid === true,
      };
    },
    {
      attempt: (effects) => tryRelease(request!, effects),
      showTrial: (trial, ledger) => showTrial(trial, ledger, options),
      run: (effects) => release(request!, effects),
      show: (released, effects) => showReleased(released, effects, options, reports),
    },
  );
}

/** The distribution of the very data that is protected is not public, whatever anybody says. */
function refusePriorOfInput({ prior }: Options, input: Place): void {
  const path = /^(?:column|table):/.test(prior ?? '')
    ? prior!.replace(/^\w+:/, '').replace(/#[^#]*$/, '')
    : null;
  if (path === null) return;
  const same =
    input.kind === 'pipe'
      ? path === '-' || isStandardInput(path)
      : input.path !== null && sameFile(path, input.path);
  if (same)
    throw new PrivacyError(
      'this is the data to be protected; noise that is fitted to it gives it away. Name a prior that was known before, such as poisson:rate=3, or leave it out',
      null,
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
function readColumns(options: Options): NamedColumn[] {
  const { column, mechanism, epsilon } = options;
  const listed = column.find((text) => /^\w+(?:,\w+)+$/.test(text));
  if (listed !== undefined)
    note(`--column ${listed} is one column of that name; for several, repeat --column`);
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
      `columns: ${made.name}`,
      `expected a mechanism, as in {columns} ${made.name}=mechanism.json, or {epsilon} and, without a budget, {adjacency} to make one`,
    );
  // Options for making a mechanism do not go with mechanisms that are given.
  for (const field of ['epsilon', 'adjacency', 'delta', 'step', 'prior', 'family'] as const)
    if (!made && named.length > 0 && options[field] !== undefined && options[field].length > 0)
      throw invalid(
        field,
        'the mechanism is given by a file, which has its own',
        'leave this out, or the file',
      );
  return named;
}

function requestedColumns(named: readonly NamedColumn[], options: Options): ColumnRequest[] {
  const afterwards = readAfterwards(
    options,
    named.map(({ name }) => name),
  );
  const files = new Map<string, Mechanism>();
  const given = (file: string): Mechanism => {
    const mechanism = files.get(file) ?? readMechanismFile(file);
    if (!files.has(file))
      requireClaim(
        mechanism,
        (found) => `${file}: ${refusal(mechanism, found)}; nothing was released or charged`,
      );
    files.set(file, mechanism);
    return mechanism;
  };
  return named.map(({ name, file }) => ({
    name,
    mechanism: file === null ? null : given(file),
    ...afterwards(name),
  }));
}

function readNoiseRequest(options: Options): NoiseRequest {
  const step = readPositive(options.step ?? '1', 'step');
  return {
    epsilon: perColumn(options.epsilon, 'epsilon', (text) => readEpsilon(text)),
    delta: perColumn(options.delta, 'delta', (text) => readDelta(text)),
    adjacency: options.adjacency === undefined ? null : readPositive(options.adjacency, 'adjacency'),
    step,
    prior: readPrior(options, step),
    family: options.family === undefined ? null : parseFamily(options.family),
    unbiased: options.allowBias !== true,
  };
}
