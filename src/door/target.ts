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
} from '../spec/index.js';

/** ε and δ to meet, for a record that may move by up to `adjacency`, in data units. */
export interface TargetOptions {
  readonly epsilon: Decimal;
  /** 0 by default. */
  readonly delta?: Decimal;
  readonly adjacency: Decimal;
  /** Δ, the distance of neighbouring values; 1 by default. */
  readonly step?: Decimal;
}

export function readTarget(options: TargetOptions): { readonly target: Target; readonly step: Rational } {
  checkOptions(options, '{ epsilon: 1, adjacency: 5 }');
  const { step, adjacency } = readSteps({ step: options.step ?? 1, adjacency: options.adjacency });
  const epsilon = readPositiveEpsilon(options.epsilon);
  return { step, target: { epsilon, delta: readDelta(options.delta ?? 0), adjacency } };
}

export function checkOptions(options: unknown, example: string): void {
  if (options === null || typeof options !== 'object')
    throw invalid(`options: expected an object such as ${example}, got ${typeof options}`);
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
    `${path}: files are not read here; read it yourself, and give columnPmf or tablePmf of its rows as a prior`,
  );
};

/** The front door reads no file by itself. */
export const NO_FILES: PriorFiles = { table: noFile, column: noFile, columnIsPublic: true };
