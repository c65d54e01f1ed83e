// What the functions of the front door take: figures as text or numbers, priors by their text.

import { invalid, wrong } from '../error/index.js';
import type { Rational } from '../exact/index.js';
import type { Target } from '../noise/index.js';
import type { Prior } from '../prior/index.js';
import {
  type Decimal,
  type PriorFiles,
  parsePrior,
  readDelta,
  readPositiveEpsilon,
  readSteps,
  suggest,
} from '../spec/index.js';

/** ε and δ to meet, for a record that may move by up to `adjacency`, in data units. */
export interface TargetOptions {
  readonly epsilon: Decimal;
  /** 0 by default. */
  readonly delta?: Decimal | undefined;
  readonly adjacency: Decimal;
  /** Δ, the distance of neighbouring values; 1 by default. */
  readonly step?: Decimal | undefined;
}

const TARGET = ['epsilon', 'delta', 'adjacency', 'step'];

/** `more` are the options beside those of the target. */
export function readTarget(
  options: TargetOptions,
  more: readonly string[] = [],
): { readonly target: Target; readonly step: Rational } {
  checkOptions(options, '{ epsilon: 1, adjacency: 5 }', [...TARGET, ...more]);
  const { step, adjacency } = readSteps({ step: options.step ?? 1, adjacency: options.adjacency });
  const epsilon = readPositiveEpsilon(options.epsilon);
  return { step, target: { epsilon, delta: readDelta(options.delta ?? 0), adjacency } };
}

/** An option that is misspelt must not be passed over: what it asks for may be the guarantee. */
export function checkOptions(options: unknown, example: string, known: readonly string[]): void {
  if (options === null || typeof options !== 'object' || Array.isArray(options))
    throw invalid(
      `options: expected an object such as ${example}, got ${Array.isArray(options) ? 'an array' : typeof options}`,
    );
  const stray = Object.keys(options).find((key) => !known.includes(key));
  if (stray !== undefined) throw invalid(`${stray}: is no option; ${suggest(stray, known, 'there are')}`);
}

/** A prior by its text, such as `poisson:rate=3`, or made elsewhere. */
export function readPrior(prior: string | Prior | undefined, step: Rational): Prior | null {
  if (prior === undefined) return null;
  if (typeof prior === 'string') return parsePrior(prior, step, NO_FILES);
  if (typeof prior?.spec === 'string' && prior.pmf) return prior;
  throw invalid(`prior: expected a text such as 'poisson:rate=3', or a prior, got ${typeof prior}`);
}

const noFile = (path: string): never => {
  throw wrong(
    `${path}: files are not read here; read it yourself: see columnPmf of discreet-dp/prior and tableNoise of discreet-dp/noise`,
  );
};

/** The front door reads no file by itself. */
export const NO_FILES: PriorFiles = { table: noFile, column: noFile, columnIsPublic: true };
