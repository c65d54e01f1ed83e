// A design as a picture.

import { bulkOf, massCurves, stacked } from '../plot/index.js';
import type { Pmf } from '../pmf/index.js';
import { throughSeries } from '../report/index.js';

/** Noise above, input and output below. */
export function draw(noise: Pmf, prior: Pmf | null): string {
  return stacked([
    massCurves([{ name: 'optimum', points: bulkOf(noise).points }], {
      title: 'The noise',
      x: 'noise θ, in data units',
      y: 'probability',
    }),
    ...(prior
      ? [
          massCurves(throughSeries(noise, prior), {
            title: 'What goes in and what comes out',
            x: 'value, in data units',
            y: 'probability',
          }),
        ]
      : []),
  ]);
}
