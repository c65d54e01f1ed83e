// The report: every table and figure of [QHFL], computed here, beside the exact and better results.

import { approximateOptimum, gainOverRelaxation } from './beyond-figures.js';
import { claimsSection } from './claims.js';
import { overAdjacency, overEpsilon } from './curve-figures.js';
import { errataSection } from './errata.js';
import { massSection } from './noise-figures.js';
import { optimalNoise, optimaOfBoth } from './optimal-figures.js';
import type { Reproduction, Section } from './section.js';
import { simulations } from './simulation-figures.js';
import { tableFive } from './table-five.js';

/** What computes a section. */
export type Builder = (context: Reproduction) => Section | Promise<Section>;

/** By name, in the order of the report. */
export const sections: Readonly<Record<string, Builder>> = {
  fig1: () => massSection('fig1', 'Figure 1: Gaussian noise', 'gaussian:sigma=10', 40),
  fig2: () => massSection('fig2', 'Figure 2: Laplacian noise', 'laplace:scale=7.5', 40),
  fig3: () =>
    massSection(
      'fig3',
      'Figure 3: Staircase noise',
      'staircase:width=5,ratio=0.5134171190325920',
      40,
      'stairs of five points, each ratio times as high as the one before.',
    ),
  fig4: () =>
    massSection('fig4', 'Figure 4: Uniform noise', 'uniform:low=-20,high=20', 30, 'all 41 points alike.'),
  fig5: () =>
    massSection(
      'fig5',
      'Figure 5: Exponential noise',
      'exponential:rate=0.2',
      30,
      'normalised; as the paper writes it, it does not sum to 1.',
    ),
  fig6: optimalNoise,
  table5: tableFive,
  fig7: optimaOfBoth,
  fig8: overEpsilon,
  fig9: overAdjacency,
  fig10: simulations,
  gain: gainOverRelaxation,
  delta: approximateOptimum,
  claims: claimsSection,
  errata: errataSection,
};
