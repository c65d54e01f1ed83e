// The report of a release as a page, which is made where it is shown: its words are not among what is loaded first.

import { reportPage } from 'discreet-dp/report';
import type { OutputFile, Released } from './release.js';

/** What came of a release, with the report's page behind the data and the noise. */
export type Done = Omit<Released, 'report' | 'charts'>;

export function withReportPage({ report, charts, ...released }: Released): Done {
  const own = new Map(charts);
  const page = reportPage(report, (name) => own.get(name) ?? null);
  const file: OutputFile = {
    kind: 'report',
    name: 'report.html',
    content: new Blob([page], { type: 'text/html' }),
  };
  const at = released.files.findIndex(({ kind }) => kind === 'figures');
  return { ...released, files: [...released.files.slice(0, at), file, ...released.files.slice(at)] };
}
