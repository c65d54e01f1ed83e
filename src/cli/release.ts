// `discreet release`: a copy of the data with protected columns, a ledger entry, and a report.

import { existsSync, fstatSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { releaseRequest } from '../door/index.js';
import { invalid, PrivacyError } from '../error/index.js';
import { sameFile } from '../files/index.js';
import { type Mechanism, requireClaim } from '../mechanism/index.js';
import { isPostgres } from '../postgres/index.js';
import { release, tryRelease } from '../release/index.js';
import { readPositive } from '../spec/index.js';
import {
  addCommonOptions,
  type CommonOptions,
  commonOptions,
  INPUT_MEANING,
  perColumn,
} from './common-options.js';
import { collect, readMechanismFile, readPrior } from './input.js';
import { onLedger } from './on-ledger.js';
import { define, type Flags, type Lists, type Maybe } from './options.js';
import { note } from './output.js';
import { refusal } from './verify.js';

type Options = CommonOptions &
  Maybe<'mechanism' | 'adjacency' | 'step' | 'prior' | 'family'> &
  Flags<'priorIsPublic' | 'allowBias' | 'skipInvalid'> &
  Lists<'column' | 'epsilon' | 'delta' | 'pass'>;

/** Of options that may be repeated, none. */
const NONE = { column: [], epsilon: [], delta: [], pass: [], clamp: [], roundTo: [] };

export function add(program: Command): void {
  const command = define(
    program,
    'release',
    'Copies a file or table and adds certified noise to the named columns, each value on its own. What it costs is in the ledger before the first noisy byte leaves.',
    `Examples:
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
  )
    .argument('<input>', INPUT_MEANING)
    .option('--column <name[=mechanism]>', 'a column to protect, or one with its mechanism; repeat', collect)
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
    .option('--allow-bias', 'the very optimum, whose mean need not be 0 as it is otherwise')
    .option('--skip-invalid', 'empty cells that are no numbers at all; which they were is not protected')
    .option('--pass <column>', 'let it leave although it was protected, nested or computed; repeat', collect)
    .option('--snap', 'does nothing: every number is rounded to the nearest multiple of the step, halves up')
    .option('--part <name>', 'the part that this is; parts of a partition cost in parallel')
    .option('--clamp <[column=]low,high>', 'afterwards, free: move values into these bounds; repeat', collect)
    .option('--round-to <[column=]unit>', 'afterwards, free: round to multiples of this; repeat', collect);
  addCommonOptions(command).action((input: string, options: Options) => run(input, { ...NONE, ...options }));
}

async function run(address: string, options: Options): Promise<void> {
  refusePriorOfInput(options, address);
  const named = readColumns(options);
  const step = readPositive(options.step ?? '1', 'step');
  const { epsilon, delta, adjacency, family, allowBias, skipInvalid, pass } = options;
  const request = releaseRequest({
    ...commonOptions(address, options),
    columns: named.map(({ name }) => name),
    mechanism: readMechanisms(named),
    reads: named.flatMap(({ file }) => file ?? []),
    epsilon: epsilon.length === 0 ? undefined : perColumn(epsilon, 'epsilon', (text) => text),
    delta: perColumn(delta, 'delta', (text) => text),
    adjacency,
    step: options.step,
    prior: readPrior(options, step) ?? undefined,
    family,
    allowBias,
    skipInvalid,
    pass,
  });
  await onLedger(
    options,
    request,
    (effects) => tryRelease(request, effects),
    (effects) => release(request, effects),
  );
}

/** The distribution of the very data that is protected is not public, whatever anybody says. */
function refusePriorOfInput({ prior }: Options, input: string): void {
  const path = /^(?:column|table):/.test(prior ?? '')
    ? prior!.replace(/^\w+:/, '').replace(/#[^#]*$/, '')
    : null;
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
