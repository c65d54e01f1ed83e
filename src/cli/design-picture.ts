// A design as a picture.

import { toNumberNear } from '../exact/index.js';
import { bulkOf, massCurves, pointsOf, stacked } from '../plot/index.js';
import { lastIndex, outputOf, type Pmf, probabilities, widened } from '../pmf/index.js';

/** Noise above, input and output below. */
export function draw(noise: Pmf, prior: Pmf | null): string {
  const unit = toNumberNear(noise.step);
  const { low, high, points } = bulkOf(noise);
  const parts = [
    massCurves([{ name: 'optimum', points }], {
      title: 'The noise',
      x: 'noise θ, in data units',
      y: 'probability',
    }),
  ];
  if (prior) {
    const output = outputOf(prior, noise);
    const [a, b] = [prior.from + low, lastIndex(prior) + high];
    const first = Math.min(a, output.from);
    const whole = widened(output, first, Math.max(b, output.from + output.p.length - 1)).p;
    const input = probabilities(prior, prior.from, lastIndex(prior)).p;
    parts.push(
      massCurves(
        [
          { name: 'input', points: pointsOf(input, prior.from, a, b, unit) },
          { name: 'output', points: pointsOf(whole, first, a, b, unit) },
        ],
        { title: 'What goes in and what comes out', x: 'value, in data units', y: 'probability' },
      ),
    );
  }
  return stacked(parts);
}
