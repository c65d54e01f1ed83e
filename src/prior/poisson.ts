// The Poisson distribution of counts, whatever the step between them.

import { invalid } from '../error/index.js';
import { floor, rational, toDecimal, toNumberUp } from '../exact/index.js';
import { windowPmf } from '../pmf/index.js';
import { trimmed } from './_trim.js';
import { indexOf, type PriorFamily } from './prior.js';

const LARGEST_RATE = 1_000_000;

export const poisson: PriorFamily = {
  name: 'poisson',
  meaning: 'counts of what happens by itself',
  parameters: [{ key: 'rate', meaning: 'its mean' }],
  /** Outward from the mode, where the weights are largest, until they no longer matter. */
  build: (values, step) => {
    const rate = values.rate!;
    if (rate.num <= 0n || toNumberUp(rate) > LARGEST_RATE)
      throw invalid(
        `prior poisson: expected a rate above 0 and up to ${LARGEST_RATE}, got ${toDecimal(rate)}`,
      );
    const spacing = indexOf(rational(1n), step, 'prior poisson: the distance 1 between counts');
    const mode = floor(rate);
    const weights = new Map<bigint, bigint>([[mode, 1n << 128n]]);
    for (let k = mode + 1n, w = 1n << 128n; w > 0n; k++) {
      w = (w * rate.num) / (rate.den * k);
      weights.set(k, w);
    }
    for (let k = mode, w = 1n << 128n; k > 0n && w > 0n; k--) {
      w = (w * rate.den * k) / rate.num;
      weights.set(k - 1n, w);
    }
    const counts = [...weights].filter(([, w]) => w > 0n).sort(([a], [b]) => (a < b ? -1 : 1));
    const [first, last] = [Number(counts[0]![0]), Number(counts[counts.length - 1]![0])];
    const spread = new Array<bigint>((last - first) * spacing + 1).fill(0n);
    for (const [k, w] of counts) spread[(Number(k) - first) * spacing] = w;
    return trimmed(windowPmf(step, first * spacing, spread));
  },
};
