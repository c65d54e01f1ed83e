// What is asked of a design, what is told on the way, and what is found.

import type { Certificate, Mechanism } from '../mechanism/index.js';
import type { Prior } from '../prior/index.js';
import type { Objective } from './objective.js';

/** The relative gap a design aims for where none is asked for. */
export const GAP = 1e-6;

/** What is asked of a design beside its guarantee. */
export interface DesignOptions {
  readonly objective: Objective;
  /** The input's distribution, public; needed where the objective has W. */
  readonly prior: Prior | null;
  readonly unbiased: boolean;
  readonly symmetric: boolean;
  /** The relative gap to go on to, however much work that is; without it a design stops after a stated amount. */
  readonly gap?: number | undefined;
  /** Asked now and then: true ends the search with the best that was found, certified like any other. */
  readonly isStopped?: (() => boolean) | undefined;
}

/** What is being done, for people who wait, and the relative gap that is left. */
export type Progress = (message: string, gap: number) => void;

export interface Found {
  readonly mechanism: Mechanism;
  readonly certificate: Certificate;
  readonly lowerBound: number;
  readonly parts: number;
}
