// `discreet compile` and `discreet verify`: a noise into a file that anyone can check, and the check.

import type { Command } from 'commander';
import { toDecimal, toNumberNear } from '../exact/index.js';
import {
  type Certificate,
  certify,
  compile,
  type Mechanism,
  requireClaim,
  writeMechanism,
} from '../mechanism/index.js';
import { specOf } from '../noise/index.js';
import { readDelta, readEpsilon, readLattice, readMechanismFile, readNoise } from './input.js';
import { checkOutput, figure, inUnits, jsonFigure, jsonWitness, printJson, writeOutput } from './output.js';

interface CompileOptions {
  readonly adjacency: string;
  readonly step: string;
  readonly claimEpsilon: string;
  readonly claimDelta: string;
  readonly output: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function addCompile(program: Command): void {
  program
    .command('compile')
    .summary('a noise into a mechanism file with a claim')
    .description('Compile a noise to integer weights, certify the claim and write the mechanism file.')
    .argument('<noise>', 'the noise, as family:key=value,…')
    .requiredOption('--adjacency <m>', 'how far one record may move, in data units')
    .requiredOption('--claim-epsilon <e>', 'the ε the file claims')
    .requiredOption('-o, --output <file>', 'the mechanism file to write (- for standard output)')
    .option('--claim-delta <d>', 'the δ the file claims; 0 is a pure claim', '0')
    .option('--step <step>', 'Δ, the distance of neighbouring values', '1')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  discreet compile laplace:scale=15 --adjacency 15 --claim-epsilon 1 -o laplace.json
  discreet compile gaussian:sigma=64 --adjacency 15 --claim-epsilon 1 --claim-delta 1e-6 -o gaussian.json`,
    )
    .action(runCompile);
}

function runCompile(text: string, options: CompileOptions): void {
  const { step, adjacency } = readLattice(options);
  const noise = readNoise(text, step);
  const claim = {
    epsilon: readEpsilon(options.claimEpsilon, '--claim-epsilon'),
    delta: readDelta(options.claimDelta, '--claim-delta'),
  };
  checkOutput(options.output, options.force === true);
  const mechanism = compile(noise, adjacency, claim);
  const certificate = requireClaim(mechanism, (found) => `${refusal(mechanism, found)}; nothing was written`);
  writeOutput(options.output, writeMechanism(mechanism), options.force === true);
  if (options.output === '-') return;
  if (options.json)
    printJson({ noise: specOf(noise), ...report(mechanism, certificate), output: options.output });
  else process.stdout.write(`${summary(mechanism, certificate)}\nThe mechanism is in ${options.output}\n`);
}

export function addVerify(program: Command): void {
  program
    .command('verify')
    .summary('check a mechanism file from its integers alone')
    .description(
      'Recompute the guarantee of a mechanism file in integers; exit code 3 where its claim does not hold.',
    )
    .argument('<file>', 'the mechanism file (- for standard input)')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  discreet verify laplace.json
  discreet verify laplace.json --json`,
    )
    .action(runVerify);
}

function runVerify(path: string, options: { json?: boolean }): void {
  const mechanism = readMechanismFile(path);
  const certificate = certify(mechanism);
  if (options.json) printJson(report(mechanism, certificate));
  else process.stdout.write(`${summary(mechanism, certificate)}\n`);
  if (!certificate.holds) process.exitCode = 3;
}

function report(mechanism: Mechanism, certificate: Certificate) {
  const { pmf, adjacency, claim } = mechanism;
  return {
    holds: certificate.holds,
    claim: { epsilon: toDecimal(claim.epsilon), delta: toDecimal(claim.delta) },
    step: toDecimal(pmf.step),
    adjacency,
    pure: certificate.epsilonUpper && {
      ...jsonFigure('epsilon', certificate.epsilonUpper),
      witness: jsonWitness(certificate.witness, pmf.step),
    },
    profile: [{ epsilon: toNumberNear(claim.epsilon), ...jsonFigure('delta', certificate.deltaUpper) }],
    weights: pmf.weights.length,
  };
}

function summary(mechanism: Mechanism, certificate: Certificate): string {
  const { pmf, adjacency, claim } = mechanism;
  const at = inUnits(certificate.witness, pmf.step);
  const pure = certificate.epsilonUpper
    ? `certified pure ε = ${figure(certificate.epsilonUpper)} (largest ratio at k = ${at.k}, m₀ = ${at.shift})`
    : `not pure: p(${at.k}) = 0`;
  return [
    `${certificate.holds ? 'The claim holds' : 'The claim does NOT hold'}: ε = ${toDecimal(claim.epsilon)}, δ = ${toDecimal(claim.delta)} at an adjacency of ${adjacency} steps of ${toDecimal(pmf.step)}`,
    `  ${pure}`,
    `  certified δ(${toDecimal(claim.epsilon)}) = ${figure(certificate.deltaUpper)}`,
    `  ${pmf.weights.length} weights, ${pmf.left ? 'a' : 'no'} left tail, ${pmf.right ? 'a' : 'no'} right tail`,
  ].join('\n');
}

/** Why a claim is refused, in words. */
export function refusal({ claim, adjacency }: Mechanism, certificate: Certificate): string {
  const epsilon = toDecimal(claim.epsilon);
  const found =
    certificate.epsilonUpper === null
      ? `it is not pure, and δ(${epsilon}) = ${figure(certificate.deltaUpper)}`
      : `its pure ε is ${figure(certificate.epsilonUpper)}, and δ(${epsilon}) = ${figure(certificate.deltaUpper)}`;
  return `the claim ε = ${epsilon}, δ = ${toDecimal(claim.delta)} at an adjacency of ${adjacency} steps does not hold: ${found}`;
}
