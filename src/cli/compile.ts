// `discreet compile`: a noise into a file that anyone can check.

import type { Command } from 'commander';
import { checkOutput } from '../files/index.js';
import { compile, requireClaim, writeMechanism } from '../mechanism/index.js';
import { specOf } from '../noise/index.js';
import { readDelta, readEpsilon, readSteps } from '../spec/index.js';
import { readNoise } from './input.js';
import { define, type Flags, type Needed } from './options.js';
import { print, printJson, writeOutput } from './output.js';
import { refusal, report, summary } from './verify.js';

type CompileOptions = Needed<'adjacency' | 'step' | 'claimEpsilon' | 'claimDelta' | 'output'> &
  Flags<'force' | 'json'>;

export function add(program: Command): void {
  define(
    program,
    'compile',
    'Compile a noise to integer weights, certify the claim and write the mechanism file.',
    `Examples:
  discreet compile laplace:scale=15 --adjacency 15 --claim-epsilon 1 -o laplace.json
  discreet compile gaussian:sigma=64 --adjacency 15 --claim-epsilon 1 --claim-delta 1e-6 -o gaussian.json`,
  )
    .argument('<noise>', 'the noise, as family:key=value,…')
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .requiredOption('--claim-epsilon <e>', 'the ε the file claims')
    .requiredOption('-o, --output <file>', 'the mechanism file to write (- for standard output)')
    .option('--claim-delta <d>', 'the δ the file claims; 0 is a pure claim', '0')
    .option('--step <step>', 'Δ, the distance of neighbouring values, such as 0.25 or 1/3', '1')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object')
    .action(runCompile);
}

function runCompile(text: string, options: CompileOptions): void {
  const { step, adjacency } = readSteps(options);
  const noise = readNoise(text, step);
  const claim = {
    epsilon: readEpsilon(options.claimEpsilon, 'claimEpsilon'),
    delta: readDelta(options.claimDelta, 'claimDelta'),
  };
  checkOutput(options.output, options.force === true);
  const mechanism = compile(noise, adjacency, claim);
  const certificate = requireClaim(mechanism, (found) => `${refusal(mechanism, found)}; nothing was written`);
  writeOutput(options.output, writeMechanism(mechanism), options.force === true);
  if (options.output === '-') return;
  if (options.json)
    printJson({ noise: specOf(noise), ...report(mechanism, certificate), output: options.output });
  else print(summary(mechanism, certificate), `The mechanism is in ${options.output}`);
}
