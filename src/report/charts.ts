// Pictures of a report.

import { bulkOf, lineChart, massCurves } from '../plot/index.js';
import type { ProtectedColumn } from '../terms/index.js';
import type { ColumnCharts } from './page.js';
import { publishedError } from './published.js';

/** The noise of each column, and its bias after clamping and rounding, as pictures. */
export function columnCharts(columns: readonly ProtectedColumn[]): ColumnCharts[] {
  return columns.map((column) => {
    const { name, mechanism } = column;
    const published = publishedError(column);
    const errors = (of: 'bias' | 'meanAbsolute') =>
      published?.at.map((point) => ({ x: point.value, y: point[of] })) ?? [];
    return {
      noise: massCurves([{ name: 'noise', points: bulkOf(mechanism.pmf).points }], {
        title: `The noise added to ${name}`,
        x: 'noise, in data units',
        y: 'probability',
      }),
      published:
        published &&
        lineChart(
          [
            { name: 'bias', points: errors('bias') },
            { name: 'error', points: errors('meanAbsolute') },
          ],
          {
            title: `What is published of ${name}`,
            x: 'the true value',
            y: 'bias and mean error, in data units',
          },
        ),
    };
  });
}
