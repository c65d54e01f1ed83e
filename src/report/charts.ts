// Pictures of a report: none of them knows the data.

import { toNumberNear } from '../exact/index.js';
import {
  type Axes,
  bulkOf,
  lineChart,
  massCurves,
  type Picture,
  pictureOf,
  pointsOf,
  type Series,
} from '../plot/index.js';
import { lastIndex, outputOf, type Pmf, probabilities, widened } from '../pmf/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import { narrowPrior } from './column.js';
import { publishedError } from './published.js';

/** Of a column: its noise; what goes in and comes out by the prior; what clamping and rounding make of it, where they were done. */
export interface ColumnCharts {
  readonly noise: Picture;
  readonly through: Picture | null;
  readonly published: Picture | null;
}

/** Input and output of noise by a prior, as series to draw. */
export function throughSeries(noise: Pmf, prior: Pmf): Series[] {
  const unit = toNumberNear(noise.step);
  const { low, high } = bulkOf(noise);
  const output = outputOf(prior, noise);
  const [a, b] = [prior.from + low, lastIndex(prior) + high];
  const first = Math.min(a, output.from);
  const whole = widened(output, first, Math.max(b, output.from + output.p.length - 1)).p;
  const input = probabilities(prior, prior.from, lastIndex(prior)).p;
  return [
    { name: 'input', points: pointsOf(input, prior.from, a, b, unit) },
    { name: 'output', points: pointsOf(whole, first, a, b, unit) },
  ];
}

/** The noise of a column, what it makes of the prior, and its bias after clamping and rounding, as pictures. */
export function columnCharts(column: ProtectedColumn): ColumnCharts {
  const { mechanism } = column;
  const prior = narrowPrior(column);
  const published = publishedError(column);
  const errors = (of: 'bias' | 'meanAbsolute') =>
    published?.at.map((point) => ({ x: point.value, y: point[of] })) ?? [];
  const steps = (series: readonly Series[], axes: Axes) =>
    pictureOf((width) => massCurves(series, { ...axes, width }));
  return {
    noise: steps([{ name: 'noise', points: bulkOf(mechanism.pmf).points }], {
      title: 'The noise that is added',
      x: 'noise, in data units',
      y: 'probability',
    }),
    through: prior
      ? steps(throughSeries(mechanism.pmf, prior), {
          title: 'What goes in and what comes out, by what was known beforehand',
          x: 'value, in data units',
          y: 'share of values',
        })
      : null,
    published:
      published &&
      pictureOf((width) =>
        lineChart(
          [
            { name: 'bias', points: errors('bias') },
            { name: 'error', points: errors('meanAbsolute') },
          ],
          {
            title: 'What is published, by the true value',
            x: 'the true value',
            y: 'bias and mean error, in data units',
            width,
          },
        ),
      ),
  };
}
