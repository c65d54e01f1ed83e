// The report: every table and figure of [QHFL], computed here, beside the exact and better results.

import { approximateOptimum, gainOverRelaxation } from './beyond-figures.js';
import { claimsSection } from './claims.js';
import { beforeAndAfterDiscretising } from './continuous-figures.js';
import { overAdjacency, overEpsilon } from './curve-figures.js';
import { errataSection } from './errata.js';
import { massSection, noiseFigures } from './noise-figures.js';
import { optimalNoise, optimaOfBoth } from './optimal-figures.js';
import type { Reproduction, Section } from './section.js';
import { simulations } from './simulation-figures.js';
import { tableFive } from './table-five.js';
import { theoremOne } from './theorem-one.js';
import { theoremThree } from './theorem-three.js';

/** What computes a section. */
export type Builder = (context: Reproduction) => Section | Promise<Section>;

/** By name, in the order of the report. */
export const sections: Readonly<Record<string, Builder>> = {
  ...Object.fromEntries(noiseFigures.map((figure) => [figure.id, () => massSection(figure)])),
  fig6: optimalNoise,
  theorem1: theoremOne,
  table5: tableFive,
  theorem3: theoremThree,
  fig7: optimaOfBoth,
  fig8: overEpsilon,
  fig9: overAdjacency,
  fig10: simulations,
  continuous: beforeAndAfterDiscretising,
  gain: gainOverRelaxation,
  delta: approximateOptimum,
  claims: claimsSection,
  errata: errataSection,
};
