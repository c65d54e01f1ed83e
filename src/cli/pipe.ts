// `discreet pipe`: one partition of a release, as engines run them; and the driver, who charges the ledger and has the key.

import { readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { delimiterOf, releaseRequest, rowsOf } from '../door/index.js';
import { invalid, PrivacyError } from '../error/index.js';
import { systemWords } from '../files/index.js';
import { entropySource } from '../random/index.js';
import {
  checkDescriptor,
  commandWork,
  type DriveRequest,
  drive,
  drivenPlace,
  formats,
  JOB_VARIABLE,
  markDone,
  markOpen,
  markStray,
  placeOf,
  plainTicket,
  readTicket,
  releasePartition,
  sessionWork,
  type Ticket,
  tryDrive,
} from '../release/index.js';
import { JOB_OUTPUT, VERSION } from '../report/index.js';
import type { InputColumn } from '../terms/index.js';
import { readWhole } from './input.js';
import { LEDGER_OPTION } from './ledger-opening.js';
import { addLocate } from './locate.js';
import { onLedger } from './on-ledger.js';
import { define, type Maybe } from './options.js';
import { note } from './output.js';
import { addColumnOptions, NONE, type ReleaseFlags, releaseOptions } from './release-options.js';
import { showReleased } from './released.js';
import { interruptible } from './surroundings.js';

type Options = ReleaseFlags &
  Maybe<'input' | 'id' | 'partition' | 'keyFd' | 'job' | 'release' | 'pinned' | 'schema'> & {
    readonly onlyProtected?: boolean;
    readonly drive?: true | readonly string[];
  };

const FORMATS = formats.map(({ name }) => name).join(', ');

export function add(program: Command): void {
  const command = define(
    program,
    'pipe',
    'One partition of a release: rows from standard input, with noise that is a function of a key and of what each row is, so that a task that is run again gives the same. With --drive, the driver: it charges the ledger once, draws the key, runs the command with it and settles.',
    `Examples:
  discreet pipe --drive parts/*.csv --column visits --epsilon 1 --adjacency 5 --id id --dataset visits -o out -- ./job.sh
  # job.sh: every part through a pipe of its own, four at a time; columns and
  # noise come from the driver
  ls parts | xargs -P 4 -I{} sh -c 'discreet pipe --key-fd 3 --input-format csv -o out/{} < parts/{}'

  discreet pipe --column visits --mechanism m.json --id id --key-fd 3 < part.arrow > out.arrow

A key is 32 bytes; whoever has it can take the noise away. It is read from a descriptor, never from arguments, the environment
or a named file. A pipe charges nothing: its driver does. Without --id, rows are told apart by --partition and all they hold.
Nothing is whole before the program has ended with 0. See docs/cluster.md, and spark/ for Spark.`,
  )
    .argument(
      '[command...]',
      'with --drive, after --: the program that runs the partitions, and its arguments',
    )
    .option('--drive [files...]', 'be the driver; the files are the inputs, which partitions are fed whole')
    .option('--id <column>', 'tells rows apart: never empty, and no value twice in the whole release')
    .option('--partition <name>', 'without an id: the name of this partition, which no other has')
    .option(
      '--key-fd <n>',
      'the descriptor from which the key is read; the driver without a command writes it there',
    )
    .option('--job <file>', `what the driver says is to be done (default: ${JOB_VARIABLE})`)
    .option('--release <name>', 'without a job: the name of the release, part of what noise depends on')
    .option('--only-protected', 'write protected columns alone, batch by batch: an engine keeps the others')
    .option(
      '--pinned <words>',
      'of the driver without files: what keeps the input as it is, such as a version',
    )
    .option('--schema <json>', 'of the driver without files: the columns, as [{"name": …, "inside": […]}]')
    .option('--input <words>', 'of the driver without files: what the ledger calls the input')
    .option(
      '-o, --output <file>',
      'where to write, or with --drive where the command writes (default: standard output)',
    )
    .option('--input-format <format>', `${FORMATS} (default: arrow, or by the files’ names)`)
    .option('--output-format <format>', `${FORMATS} (default: the input’s, or by the file’s name)`)
    .option('--delimiter <char>', 'of delimited text (default: found in the header)')
    .option('--dataset <name>', 'of the driver: the dataset in the ledger')
    .option(...LEDGER_OPTION)
    .option('--per-person <k>', 'of the driver: rows that one person may have (default: the budget’s)')
    .option(
      '--report <file.html>',
      'of the driver: a report for the auditor; its figures go beside it as JSON',
    )
    .option('--dry-run', 'of the driver: say what it would cost; headers and ids are read')
    .option('--force', 'overwrite existing files')
    .option('--json', 'of the driver: print one JSON object');
  addColumnOptions(addLocate(command)).action((args: string[], options: Options) =>
    (options.drive === undefined ? onePartition : driver)(args, { ...NONE, ...options }),
  );
}

const KEY_SIZE = 32;

function readKey(descriptor: string | undefined): Uint8Array {
  if (descriptor === undefined)
    throw new PrivacyError(
      'a pipe draws no noise of its own: expected a key, with --key-fd 3 and 32 bytes to read there; the driver, --drive, draws one',
      'keyFd',
    );
  const key = new Uint8Array(KEY_SIZE);
  for (let at = 0; at < KEY_SIZE; ) {
    let count: number;
    try {
      count = readSync(readWhole(descriptor, 'keyFd', 0), key, at, KEY_SIZE - at, null);
    } catch (error) {
      throw invalid(
        `keyFd: descriptor ${descriptor} holds no key: ${systemWords(error)}; run this by a driver, discreet pipe --drive … -- command, which opens it, or bring a key of your own, as in 3< …`,
      );
    }
    if (count === 0)
      throw invalid(`keyFd: expected 32 bytes, got ${at}; a key is drawn by the driver of a release`);
    at += count;
  }
  return key;
}

async function onePartition(stray: readonly string[], options: Options): Promise<void> {
  if (stray.length > 0)
    throw invalid(
      `pipe: expected no arguments, got ${stray[0]}; a command goes with {drive}, rows come from standard input`,
    );
  const { partition = null, delimiter, force, inputFormat = 'arrow', output = '-' } = options;
  const named = { table: null, query: null, rowsOnce: false };
  const input = placeOf({ address: '-', format: inputFormat, ...named }, 'input');
  const format = options.outputFormat ?? (output === '-' ? inputFormat : null);
  const to = placeOf({ address: output, format, ...named }, 'output');
  const key = readKey(options.keyFd);
  const ticket = ticketFor(options, key);
  // The driver looks for marks beside its own job, whatever copy of it was read.
  const job = process.env[JOB_VARIABLE] ?? options.job;
  const closed = output === '-' && job !== undefined && ticket.pinned ? markOpen(job) : () => undefined;
  await interruptible(async (signal) => {
    const { of } = await releasePartition(
      ticket,
      {
        ...{ key, partition, input, output: to },
        delimiter: delimiter === undefined ? null : delimiterOf(delimiter),
        force: force === true || ticket.force,
        only: options.onlyProtected === true,
      },
      {
        ...{ signal, note },
        progress: () => undefined,
        entropy: entropySource(globalThis.crypto),
        input: process.stdin,
        output: process.stdout,
      },
      (file) => {
        if (file) closed();
        else if (job !== undefined) markStray(job);
      },
    );
    if (of && job !== undefined) markDone(job, of, ticket.id);
  });
}

/** The driver's, or what the options say. */
function ticketFor(options: Options, key: Uint8Array): Ticket {
  const path = options.job ?? process.env[JOB_VARIABLE];
  if (path !== undefined) {
    const own = (['mechanism', 'id', 'release'] as const).find((name) => options[name] !== undefined);
    const listed = options.column.length > 0 ? 'columns' : 'drop';
    if (own !== undefined || options.column.length + options.drop.length > 0)
      throw invalid(`${own ?? listed}: the job says what is protected, and how; leave this out`);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      throw invalid(`job: ${path} cannot be read: ${systemWords(error)}`);
    }
    return readTicket(text, VERSION);
  }
  if (options.epsilon.length > 0)
    throw invalid(
      'epsilon: a partition has its noise from a mechanism; noise is made by {drive}, or with discreet design',
    );
  if (options.id === undefined && options.partition === undefined)
    throw invalid(
      'id: expected the column that tells rows apart, or {partition} with the name of this partition',
    );
  const request = releaseRequest(releaseOptions('-', { ...options, inputFormat: 'csv', output: '-' }));
  const { id = null, release = '' } = options;
  return plainTicket(
    request,
    {
      version: VERSION,
      release,
      id,
      pinned: null,
      leaving: null,
      delimiter: request.delimiter,
      force: false,
    },
    key,
  );
}

async function driver(command: readonly string[], options: Options): Promise<void> {
  const request = driveRequest(options);
  const { keyFd, json, dryRun } = options;
  if (command.length === 0 && keyFd === undefined && !dryRun)
    throw invalid(
      'drive: expected a command after --, or {keyFd} where a program that drives it takes the key',
    );
  // Before anything of this program is opened that could have this number.
  if (command.length === 0 && !dryRun) checkDescriptor(readWhole(keyFd!, 'keyFd', 0));
  await onLedger(
    options,
    request,
    (effects) => tryDrive(request, effects),
    (effects) =>
      drive(
        request,
        effects,
        VERSION,
        command.length === 0
          ? sessionWork(readWhole(keyFd!, 'keyFd', 0), effects)
          : commandWork(command, effects.signal, json ? 2 : 'inherit'),
      ),
    (done, effects) => showReleased(done, effects, options),
    // Where a job runs is no place to begin a ledger: the next one would begin another.
    false,
  );
}

function driveRequest(options: Options): DriveRequest {
  const { drive: given, dataset = null, output = null, id = null, pinned = null, schema } = options;
  const files = given === true ? [] : given!;
  if (output !== null && !options.force && !options.dryRun && isFull(output))
    throw invalid(`output: ${output} is there already; choose another name, or overwrite it with {force}`);
  const plain = releaseRequest({
    ...releaseOptions('-', { ...options, inputFormat: 'csv', outputFormat: 'csv', output: '-', json: false }),
    perPerson: options.perPerson === undefined ? undefined : rowsOf(options.perPerson),
  });
  const shown =
    files.length === 1
      ? files[0]!
      : files.length > 1
        ? `${files.length} files`
        : (options.input ?? 'an engine’s input');
  return {
    ...plain,
    input: drivenPlace(dataset, shown.split('/').at(-1)!, null),
    output: drivenPlace(dataset, JOB_OUTPUT, output),
    reads: [...plain.reads, ...files],
    ...{ id, files, pinned },
    format: options.inputFormat ?? null,
    columnsThere: schema === undefined ? null : columnsOf(schema),
  };
}

/** Is there something that would be mixed with what the command writes? */
function isFull(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && (!there.isDirectory() || readdirSync(path).length > 0);
}

function columnsOf(schema: string): InputColumn[] {
  try {
    const columns = JSON.parse(schema) as {
      name: string;
      inside?: string[];
      of?: string | null;
      computed?: boolean;
      oneText?: boolean;
    }[];
    const isText = (value: unknown) => typeof value === 'string';
    const names = columns.map(({ name }) => name);
    if (!names.every(isText) || new Set(names).size < names.length) throw new Error('names');
    if (!columns.every(({ inside = [] }) => Array.isArray(inside) && inside.every(isText)))
      throw new Error('inside');
    return columns.map(({ name, inside = [], of = null, computed, oneText }) => ({
      name: String(name),
      tableName: of,
      doubt: inside.length > 0 ? ('nested' as const) : computed ? ('computed' as const) : null,
      inside,
      oneText: oneText !== false,
    }));
  } catch {
    throw invalid('schema: expected JSON, as in [{"name": "id"}, {"name": "visits"}]');
  }
}
