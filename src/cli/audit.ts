// `discreet audit`: a lower confidence bound on the ε of any program that prints one draw per line.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { audit } from '../audit/index.js';
import { invalid } from '../error/index.js';
import { toNumberNear } from '../exact/index.js';
import { readDelta, readEpsilon } from '../spec/index.js';
import { collect, readWhole } from './input.js';
import { define, type Flags, type Lists, type Maybe, type Needed } from './options.js';
import { print, printJson, rough } from './output.js';

type Options = Needed<'claimDelta' | 'confidence' | 'draws'> &
  Maybe<'claimEpsilon'> &
  Flags<'json'> &
  Lists<'input'>;

const MOST_RUNS = 100_000;

export function add(program: Command): void {
  define(
    program,
    'audit',
    'Run a program on two neighbouring inputs and bound its ε from below, with confidence; exit code 3 where that refutes its claim.',
    `Examples:
  discreet audit --input 0 --input 1 --claim-epsilon 1 -- node my-mechanism.js {}
  discreet audit --input 0 --input 5 --draws 1000000 -- ./noisy-count --true-value {}

The program prints one draw per line; empty lines and lines that start with # are passed over. A claim that
is not refuted is not proved: an audit finds faults, it does not certify.`,
  )
    .argument('<command...>', 'after --: the program and its arguments, {} standing for the input')
    .requiredOption('--input <value>', 'an input (give two, neighbours of each other)', collect)
    .option('--claim-epsilon <e>', 'the ε that the program claims')
    .option('--claim-delta <d>', 'the δ that the program claims', '0')
    .option('--confidence <c>', 'of the bound', '0.99')
    .option('--draws <n>', 'draws wanted for each input, in as many runs as it takes', '100000')
    .option('--json', 'print one JSON object')
    .action(run);
}

async function run(command: string[], options: Options): Promise<void> {
  if (options.input.length !== 2) throw invalid(`input: expected two inputs, got ${options.input.length}`);
  if (!command.some((part) => part.includes('{}')))
    throw invalid('audit: expected {} in the command, where the input goes');
  const confidence = Number(options.confidence);
  if (!(confidence > 0 && confidence < 1))
    throw invalid(`confidence: expected a value above 0 and below 1, got ${options.confidence}`);
  const wanted = readWhole(options.draws, 'draws', 2);
  const delta = toNumberNear(readDelta(options.claimDelta, 'claimDelta'));
  const { claimEpsilon } = options;
  const claim = claimEpsilon === undefined ? null : toNumberNear(readEpsilon(claimEpsilon, 'claimEpsilon'));
  const samples: string[][] = [];
  for (const input of options.input) samples.push(await collectDraws(command, input, wanted));
  const found = audit([samples[0]!, samples[1]!], { delta, confidence });
  const refuted = claim !== null && found.epsilonLower > claim;
  if (options.json) {
    printJson({ ...found, delta, confidence, claim, refuted });
  } else {
    const side = (part: { input: 0 | 1; hits: number; draws: number }) =>
      `${part.hits} of ${part.draws} on input ${options.input[part.input]}`;
    const claimed = `The claim ε ≤ ${options.claimEpsilon}, δ ≤ ${options.claimDelta} is`;
    print(
      `With ${rough(100 * confidence)} % confidence ε ≥ ${rough(found.epsilonLower)} at δ = ${options.claimDelta}`,
      `  ${found.event}: ${side(found.more)}, ${side(found.less)}`,
      ...(claim === null
        ? []
        : [`${claimed} ${refuted ? '' : 'not '}refuted${refuted ? '' : ' (which does not prove it)'}`]),
    );
  }
  if (refuted) process.exitCode = 3;
}

/** Lines of the program, run again and again until there are enough. */
async function collectDraws(command: readonly string[], input: string, wanted: number): Promise<string[]> {
  const draws: string[] = [];
  for (let runs = 0; draws.length < wanted; runs++) {
    const before = draws.length;
    await oneRun(command, input, wanted, draws);
    if (draws.length === before)
      throw invalid(`audit: the program printed no draw for input ${input}; expected one per line`);
    if (runs > MOST_RUNS)
      throw invalid(`audit: ${MOST_RUNS} runs gave only ${draws.length} draws; lower {draws}`);
    if (process.stderr.isTTY) process.stderr.write(`\rinput ${input}: ${draws.length} of ${wanted} draws`);
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  return draws;
}

function oneRun(command: readonly string[], input: string, wanted: number, draws: string[]): Promise<void> {
  const [program, ...args] = command.map((part) => part.replaceAll('{}', input));
  return new Promise((done, fail) => {
    // A group of its own, so that a pipeline ends as a whole.
    const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const lines = createInterface({ input: child.stdout });
    let enough = false;
    const stop = () => {
      enough = true;
      lines.close();
      child.stdout.destroy();
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch (error) {
        // It has ended by itself.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
      done();
    };
    lines.on('line', (line) => {
      const draw = line.trim();
      if (draw === '' || draw.startsWith('#') || enough) return;
      draws.push(draw);
      if (draws.length >= wanted) stop();
    });
    child.on('error', (error) => fail(invalid(`audit: cannot run ${program}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (enough || code === 0) done();
      else fail(invalid(`audit: the program ended with ${signal ?? `exit code ${code}`} for input ${input}`));
    });
  });
}
