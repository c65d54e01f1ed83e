// The report as files: a page with pictures, and its figures as JSON beside it.

import { cannot, isOurs } from '../error/index.js';
import { writeText } from '../files/index.js';
import { columnCharts, type ReportContext, reportOf, reportPage } from '../report/index.js';
import type { Released } from '../terms/index.js';
import type { Effects } from './effects.js';
import type { Job } from './job.js';

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
    const charts = (name: string) => columnCharts(job.columns.find((column) => column.name === name)!);
    writeText(html, reportPage(report, charts), job.force, note);
    writeText(json, `${JSON.stringify(report, null, 2)}\n`, job.force, note);
  } catch (error) {
    if (!isOurs(error)) throw error;
    throw cannot(
      `${error.message}. The data was released all the same, to ${job.output.shown}, and charged as entry ${released.reservation.sequence}; do not release it again for the report`,
    );
  }
}
