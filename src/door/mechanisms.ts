// Noise and mechanisms in one line each.

import { type Design, design as designFor, parseObjective } from '../design/index.js';
import { invalid, PrivacyError } from '../error/index.js';
import { type Rational, toDecimalUp } from '../exact/index.js';
import {
  type Calibrated,
  type Certificate,
  calibrate as calibrateFamily,
  certify,
  compile as compileNoise,
  type Guarantee,
  guaranteeOf,
  type Mechanism,
  readMechanism,
  type Utility,
  vectorOf,
} from '../mechanism/index.js';
import { specOf } from '../noise/index.js';
import type { Prior } from '../prior/index.js';
import { type EntropySource, entropySource, type Sampler, sampler as samplerOf } from '../random/index.js';
import {
  type Decimal,
  parseFamily,
  parseNoise,
  readDelta,
  readEpsilon,
  readGap,
  readSteps,
} from '../spec/index.js';
import { checkOptions, NO_FILES, readPrior, readTarget, type TargetOptions } from './target.js';

export interface DesignForOptions extends TargetOptions {
  /** What is publicly known of the data: a text such as `poisson:rate=5`, or a prior made elsewhere. */
  readonly prior?: string | Prior | undefined;
  /** `wasserstein` with a prior, else `magnitude`; also `kl`, `js`, `variance`, `tail:t` and mixes. */
  readonly objective?: string | undefined;
  readonly unbiased?: boolean | undefined;
  readonly symmetric?: boolean | undefined;
  /** Go on until the value is proved within this part of the least possible; without it a design ends after some ten seconds of work. */
  readonly gap?: Decimal | undefined;
}

/**
 * The least harmful noise with the asked guarantee: its claim is certified from its integers, and no noise on the whole lattice with
 * this guarantee does better than `lowerBound` (proofs/optimal-noise.md, proofs/approximate-noise.md).
 *
 * @example design({ epsilon: '2', adjacency: 15, prior: 'poisson:rate=5' }).mechanism
 */
export function design(options: DesignForOptions): Design {
  const { target, step } = readTarget(options, ['prior', 'objective', 'unbiased', 'symmetric', 'gap']);
  const prior = readPrior(options.prior, step);
  const objective = parseObjective(options.objective ?? (prior ? 'wasserstein' : 'magnitude'), step);
  const unbiased = options.unbiased === true;
  const gap = options.gap === undefined ? undefined : readGap(options.gap);
  return designFor(target, { objective, prior, unbiased, symmetric: options.symmetric === true, gap }, step);
}

export interface Analysis {
  /** The noise with all its parameters. */
  readonly noise: string;
  /** The pure ε, rounded up; null where no ε suffices with δ = 0. */
  readonly epsilon: string | null;
  /** An upper bound on δ at this ε. */
  readonly deltaAt: (epsilon: Decimal) => string;
  /** An upper bound on the least ε at this δ; null where there is none. */
  readonly epsilonAt: (delta: Decimal) => string | null;
  readonly utility: Utility;
  readonly guarantee: Guarantee;
}

/**
 * The exact privacy of a noise: every figure is an upper bound for the ideal noise and for its compiled integers alike
 * (proofs/sup-ratio.md, proofs/profile.md).
 *
 * @example analyze('laplace:scale=7.5', { adjacency: 15 }).epsilon // '2'
 */
export function analyze(
  noise: string,
  options: { readonly adjacency: Decimal; readonly step?: Decimal | undefined },
): Analysis {
  checkOptions(options, '{ adjacency: 15 }', ['adjacency', 'step']);
  const { step, adjacency } = readSteps({ step: options.step ?? 1, adjacency: options.adjacency });
  const guarantee = guaranteeOf(parseNoise(textOf(noise, 'noise'), step, NO_FILES.table), adjacency);
  const { pure } = guarantee;
  return {
    noise: specOf(guarantee.noise),
    epsilon: pure && toDecimalUp(pure.epsilonUpper),
    deltaAt: (epsilon) => toDecimalUp(guarantee.deltaAt(readEpsilon(epsilon))),
    epsilonAt: (delta) => {
      const found = guarantee.epsilonAt(readDelta(delta));
      return found && toDecimalUp(found);
    },
    utility: guarantee.utility(),
    guarantee,
  };
}

export interface VectorAnalysis {
  /** The pure ε, rounded up; null where some coordinate has none. */
  readonly epsilon: string | null;
  /** An upper bound on δ at this ε. */
  readonly deltaAt: (epsilon: Decimal) => string;
  /** An upper bound on the least ε at this δ; null where there is none. */
  readonly epsilonAt: (delta: Decimal) => string | null;
  readonly coordinates: readonly Analysis[];
}

/**
 * The exact privacy of a vector with different noise for each coordinate: that of the worst one.
 *
 * @example analyzeVector(['laplace:scale=7.5', 'geometric:scale=5'], { adjacency: 15 }).epsilon // '3'
 */
export function analyzeVector(
  noises: readonly string[],
  options: { readonly adjacency: Decimal; readonly step?: Decimal | undefined },
): VectorAnalysis {
  if (!Array.isArray(noises)) throw invalid('noises: expected a list of noises, one for each coordinate');
  const coordinates = noises.map((noise) => analyze(noise, options));
  const whole = vectorOf(coordinates.map(({ guarantee }) => guarantee));
  const written = (found: Rational | null) => found && toDecimalUp(found);
  return {
    epsilon: written(whole.pure.value),
    deltaAt: (epsilon) => toDecimalUp(whole.deltaAt(readEpsilon(epsilon)).value),
    epsilonAt: (delta) => written(whole.epsilonAt(readDelta(delta)).value),
    coordinates,
  };
}

/**
 * The least noise of a family whose compiled integers are certified to meet the target, or a refusal (proofs/compile.md).
 *
 * @example calibrate('gaussian', { epsilon: 1, delta: 1e-6, adjacency: 15 }).mechanism
 */
export function calibrate(family: string, options: TargetOptions): Calibrated {
  const { target, step } = readTarget(options);
  const { family: found, values } = parseFamily(textOf(family, 'family'));
  return calibrateFamily(found, values, target, step);
}

/**
 * A noise as integers with a claim that was certified from them; refused where the claim does not hold (proofs/compile.md).
 *
 * @example compile('geometric:scale=5', { epsilon: 1, adjacency: 5 })
 */
export function compile(noise: string, claim: TargetOptions): Mechanism {
  const { target, step } = readTarget(claim);
  const { adjacency, epsilon, delta } = target;
  const built = parseNoise(textOf(noise, 'noise'), step, NO_FILES.table);
  const mechanism = compileNoise(built, adjacency, { epsilon, delta });
  const { holds, deltaUpper, epsilonUpper } = certify(mechanism);
  if (!holds)
    throw new PrivacyError(
      `the claim does not hold: its pure ε is ${epsilonUpper ? toDecimalUp(epsilonUpper, 7) : 'unbounded'}, and δ at the claimed ε is ${toDecimalUp(deltaUpper, 7)}; claim more, or use more noise`,
    );
  return mechanism;
}

/**
 * Whether a mechanism keeps its claim, recomputed from its integers alone: `holds` is a proof (proofs/profile.md).
 *
 * @example verify(readFileSync('mechanism.json', 'utf8')).holds
 */
export function verify(mechanism: Mechanism | string): Certificate {
  return certify(mechanismOf(mechanism));
}

/**
 * Exact draws of a mechanism's noise, in steps, from the randomness of the system: each has exactly the probability that was
 * certified (proofs/sampler.md).
 *
 * @example sampler(mechanism).addTo(counts, 'saturate')
 */
export function sampler(mechanism: Mechanism | string): Sampler<EntropySource> {
  return samplerOf(mechanismOf(mechanism).pmf, entropySource(globalThis.crypto));
}

function mechanismOf(mechanism: Mechanism | string): Mechanism {
  if (typeof mechanism === 'string') return readMechanism(mechanism);
  if (mechanism?.pmf && mechanism.claim) return mechanism;
  throw invalid(`mechanism: expected a mechanism, or the text of its file, got ${typeof mechanism}`);
}

function textOf(text: unknown, field: string): string {
  if (typeof text !== 'string')
    throw invalid(`${field}: expected a text such as 'laplace:scale=7.5', got ${typeof text}`);
  return text;
}
