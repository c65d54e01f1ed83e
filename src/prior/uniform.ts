// All values of a range alike; a point is a range of one.

import { invalid } from '../error/index.js';
import { exactText, type Rational } from '../exact/index.js';
import { windowPmf } from '../pmf/index.js';
import { checkWidth, indexOf, type Prior, type PriorFamily } from './prior.js';

export const uniform: PriorFamily = {
  name: 'uniform',
  meaning: 'all values of a range alike',
  parameters: [
    { key: 'low', meaning: 'the least value' },
    { key: 'high', meaning: 'the largest value' },
  ],
  build: ({ low, high }, step) => {
    const first = indexOf(low!, step, 'prior uniform: low');
    const last = indexOf(high!, step, 'prior uniform: high');
    if (first > last)
      throw invalid(
        `prior uniform: expected low not above high, got low=${exactText(low!)}, high=${exactText(high!)}`,
      );
    return even(first, last - first + 1, step);
  },
};

export const point: PriorFamily = {
  name: 'point',
  meaning: 'one value and no other',
  parameters: [{ key: 'at', meaning: 'the value' }],
  build: ({ at }, step) => even(indexOf(at!, step, 'prior point: at'), 1, step),
};

function even(from: number, count: number, step: Rational): Omit<Prior, 'spec'> {
  const weights = new Array<bigint>(checkWidth(count)).fill(1n);
  return { pmf: windowPmf(step, from, weights), cut: null };
}
