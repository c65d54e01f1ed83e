// `discreet verify`: a mechanism's claim recomputed from its integers alone.

import type { Command } from 'commander';
import { exactText, toNumberNear } from '../exact/index.js';
import { type Certificate, certify, type Mechanism } from '../mechanism/index.js';
import { inFile, readMechanismFile } from './input.js';
import { define } from './options.js';
import { figure, inUnits, jsonFigure, jsonWitness, print, printJson } from './output.js';

export function add(program: Command): void {
  define(
    program,
    'verify',
    'Recompute the guarantee of a mechanism file in integers; exit code 3 where its claim does not hold.',
    `Examples:
  discreet verify laplace.json
  discreet verify laplace.json --json`,
  )
    .argument('<file>', 'the mechanism file (- for standard input)')
    .option('--json', 'print one JSON object')
    .action(runVerify);
}

function runVerify(path: string, options: { json?: boolean }): void {
  const mechanism = readMechanismFile(path);
  const certificate = inFile(path, () => certify(mechanism));
  if (options.json) printJson(report(mechanism, certificate));
  else print(summary(mechanism, certificate));
  if (!certificate.holds) process.exitCode = 3;
}

export function report(mechanism: Mechanism, certificate: Certificate) {
  const { pmf, adjacency, claim } = mechanism;
  return {
    holds: certificate.holds,
    claim: { epsilon: exactText(claim.epsilon), delta: exactText(claim.delta) },
    step: exactText(pmf.step),
    adjacency,
    pure: certificate.epsilonUpper && {
      ...jsonFigure('epsilon', certificate.epsilonUpper),
      witness: jsonWitness(certificate.witness, pmf.step),
    },
    profile: [{ epsilon: toNumberNear(claim.epsilon), ...jsonFigure('delta', certificate.deltaUpper) }],
    weights: pmf.weights.length,
  };
}

export function summary(mechanism: Mechanism, certificate: Certificate): string {
  const { pmf, adjacency, claim } = mechanism;
  const at = inUnits(certificate.witness, pmf.step);
  const pure = certificate.epsilonUpper
    ? `certified pure ε = ${figure(certificate.epsilonUpper)} (largest ratio at k = ${at.k}, m₀ = ${at.shift})`
    : `not pure: p(${at.k}) = 0`;
  return [
    `${certificate.holds ? 'The claim holds' : 'The claim does NOT hold'}: ε = ${exactText(claim.epsilon)}, δ = ${exactText(claim.delta)} at an adjacency of ${adjacency} steps of ${exactText(pmf.step)}`,
    `  ${pure}`,
    `  certified δ(${exactText(claim.epsilon)}) = ${figure(certificate.deltaUpper)}`,
    `  ${pmf.weights.length} weights, ${pmf.left ? 'a' : 'no'} left tail, ${pmf.right ? 'a' : 'no'} right tail`,
  ].join('\n');
}

/** Why a claim is refused, in words. */
export function refusal({ claim, adjacency }: Mechanism, certificate: Certificate): string {
  const epsilon = exactText(claim.epsilon);
  const found =
    certificate.epsilonUpper === null
      ? `it is not pure, and δ(${epsilon}) = ${figure(certificate.deltaUpper)}`
      : `its pure ε is ${figure(certificate.epsilonUpper)}, and δ(${epsilon}) = ${figure(certificate.deltaUpper)}`;
  return `the claim ε = ${epsilon}, δ = ${exactText(claim.delta)} at an adjacency of ${adjacency} steps does not hold: ${found}`;
}
