// Two-sided geometric noise, p(k) ∝ e^(−|k| / scale), optimal for counts [GRS]: ε = m / scale.

import { laplaceDensity } from '../density/index.js';
import { divide, exactly, integer, multiply, toDecimal, zero } from '../exact/index.js';
import { makePmf } from '../pmf/index.js';
import { ratioUp, tailError } from './_geometric-tail.js';
import { type Family, isPositive, parameter, scaleDial } from './noise.js';

export const geometric: Family = {
  name: 'geometric',
  meaning: 'two-sided geometric noise, the discrete Laplace',
  parameters: [{ key: 'scale', meaning: 'p(k) ∝ e^(−|k| / scale)' }],
  dial: scaleDial,
  build(values, step) {
    const scale = parameter('geometric', values, 'scale', 'above 0', isPositive);
    return {
      family: 'geometric',
      parameters: { scale: toDecimal(scale) },
      step,
      approximate: () => {
        const rounded = ratioUp(divide(step, scale), 'geometric: scale');
        const tail = { period: 1, ratio: rounded.ratio };
        return {
          pmf: makePmf({ step, from: 0, weights: [1n], left: tail, right: tail }),
          error: tailError(rounded, zero),
        };
      },
      pureEpsilon: (adjacency) => exactly(divide(multiply(integer(adjacency), step), scale)),
      continuous: {
        density: laplaceDensity(scale, zero),
        rounding: null,
        at: (finer) => geometric.build(values, finer),
      },
    };
  },
};
