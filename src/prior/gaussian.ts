// The normal distribution, rounded down to the lattice.

import { toDecimal } from '../exact/index.js';
import { gaussian as gaussianNoise } from '../noise/index.js';
import { trimmed } from './_trim.js';
import type { PriorFamily } from './prior.js';

export const gaussian: PriorFamily = {
  name: 'gaussian',
  meaning: 'the normal distribution',
  parameters: [
    { key: 'mu', meaning: 'its mean', default: '0' },
    { key: 'sigma', meaning: 'its standard deviation' },
  ],
  build: ({ mu, sigma }, step) => {
    const noise = gaussianNoise.build({ mu: toDecimal(mu!), sigma: toDecimal(sigma!) }, step);
    return trimmed(noise.approximate({ adjacency: 1, cut: 64 }).pmf);
  },
};
