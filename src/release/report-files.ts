// The report as files: a page with pictures, and its figures as JSON beside it.

import { cannot, isOurs } from '../error/index.js';
import { writeText } from '../files/index.js';
import { bulkOf, lineChart, massCurves } from '../plot/index.js';
import type { Effects } from './effects.js';
import type { Job, ProtectedColumn } from './job.js';
import type { Released } from './paid.js';
import { publishedError } from './published.js';
import { type ReportContext, reportOf } from './report.js';
import { type ColumnCharts, reportPage } from './report-page.js';

export interface ReportPaths {
  readonly html: string;
  readonly json: string;
}

/** Of a release or count that stands, whatever becomes of its report: where that fails, it must not look like a release that did. */
export async function writeReport(
  { html, json }: ReportPaths,
  { job, ...released }: Released & { readonly job: Job },
  { ledger, clock, note }: Pick<Effects, 'ledger' | 'clock' | 'note'>,
  named: ReportContext['named'],
): Promise<void> {
  try {
    const names = job.columns.map(({ name }) => name);
    const quantiles = await job.output.quantiles(names, released.outcome.rows);
    const report = reportOf(job, released, { ledger: ledger.address, quantiles, time: clock(), named });
    writeText(html, reportPage(report, columnCharts(job.columns)), job.force, note);
    writeText(json, `${JSON.stringify(report, null, 2)}\n`, job.force, note);
  } catch (error) {
    if (!isOurs(error)) throw error;
    throw cannot(
      `${error.message}. The data was released all the same, to ${job.output.shown}, and charged as entry ${released.reservation.sequence}; do not release it again for the report`,
    );
  }
}

/** The noise of each column, and its bias after clamping and rounding, as pictures. */
function columnCharts(columns: readonly ProtectedColumn[]): ColumnCharts[] {
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
