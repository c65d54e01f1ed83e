// `discreet calibrate`: the least noise of a family that meets a target.

import type { Command } from 'commander';
import { toNumberNear } from '../exact/index.js';
import { checkOutput } from '../files/index.js';
import { calibrate, errorQuantiles, utilityOf, writeMechanism } from '../mechanism/index.js';
import { specOf } from '../noise/index.js';
import { massChart } from '../plot/index.js';
import { parseFamily, readDelta, readEpsilon, readSteps } from '../spec/index.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import {
  figure,
  jsonFigure,
  jsonNumber,
  print,
  printJson,
  quantileWords,
  rough,
  writeOutput,
} from './output.js';

type Options = Needed<'adjacency' | 'step' | 'epsilon' | 'delta'> & Maybe<'output'> & Flags<'force' | 'json'>;

export function add(program: Command): void {
  define(
    program,
    'calibrate',
    'The parameter of a family with the least noise such that the certified guarantee meets (ε, δ).',
    `Examples:
  discreet calibrate laplace --epsilon 1 --adjacency 15
  discreet calibrate gaussian --epsilon 1 --delta 1e-6 --adjacency 15 -o mechanism.json
  discreet calibrate staircase:width=5 --epsilon 2 --adjacency 15`,
  )
    .argument('<family>', 'a family, with the parameters that are fixed: laplace, staircase:width=5, …')
    .requiredOption('--epsilon <e>', 'the ε to meet')
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .option('--delta <d>', 'the δ to meet', '0')
    .option('--step <step>', 'Δ, the distance of neighbouring values, such as 0.25 or 1/3', '1')
    .option('-o, --output <file>', 'write the mechanism, claim included, to this file')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object')
    .action(run);
}

/** On a terminal, what is being tried; wiped by the next line. */
function showTrial(trial: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Ktrying ${trial}\r`);
}

function run(text: string, options: Options): void {
  const { step, adjacency } = readSteps(options);
  const target = { epsilon: readEpsilon(options.epsilon), delta: readDelta(options.delta), adjacency };
  const { family, values } = parseFamily(text);
  checkOutput(options.output, options.force === true);
  const { noise, mechanism, certificate } = calibrate(family, values, target, step, showTrial);
  const { pmf } = mechanism;
  if (options.output !== undefined)
    writeOutput(options.output, writeMechanism(mechanism), options.force === true);
  const utility = utilityOf(pmf);
  if (options.json) {
    printJson({
      noise: specOf(noise),
      parameters: noise.parameters,
      step: jsonNumber(options.step),
      adjacency: jsonNumber(options.adjacency),
      target: { epsilon: toNumberNear(target.epsilon), delta: toNumberNear(target.delta) },
      certified: {
        ...jsonFigure('epsilon', certificate.epsilonUpper),
        ...jsonFigure('delta', certificate.deltaUpper),
      },
      moments: utility,
      errorQuantiles: errorQuantiles(pmf),
      output: options.output ?? null,
    });
    return;
  }
  const certified =
    target.delta.num === 0n
      ? `certified pure ε = ${figure(certificate.epsilonUpper)}`
      : `certified δ(${options.epsilon}) = ${figure(certificate.deltaUpper)}`;
  const lines = [
    specOf(noise),
    '',
    `${certified} at adjacency ${options.adjacency}, from the compiled integers`,
    `E|θ| ${rough(utility.meanAbs)}, standard deviation ${rough(utility.std)}, mean ${rough(utility.mean)}`,
    quantileWords(errorQuantiles(pmf)),
    '',
    massChart(pmf),
    ...(options.output !== undefined && options.output !== '-'
      ? ['', `The mechanism is in ${options.output}`]
      : []),
  ];
  if (options.output !== '-') print(lines.join('\n'));
}
