// Rows in, rows out: files, pipes and tables; counts; the report.

export type { OpenedFile } from '../files/index.js';
export { type ChoiceRequest, type Chosen, choose } from './choose.js';
export { type CountJob, changes, count, countColumn, shareOf, tryCount } from './count.js';
export type { Effects } from './effects.js';
export type { Engine } from './engine.js';
export { Interrupted } from './failure.js';
export { type Format, formats } from './formats/index.js';
export type { Guard, InputColumn } from './guard.js';
export { type Histogram, type HistogramRequest, histograms } from './histogram.js';
export type { Job, MechanismFile, Outcome, Part, ProtectedColumn } from './job.js';
export type { Learnable } from './learnable.js';
export { makeMechanisms, rowShare } from './noise.js';
export type { Released } from './paid.js';
export type { Person } from './person.js';
export { type ColumnQuantiles, type Named, type Place, placeOf, type WriteOptions } from './places/index.js';
export { type Published, type PublishedError, publishedError } from './published.js';
export { checkRequest, type Prepared, release, type Trial, tryRelease } from './release.js';
export { REPORT_FORMAT, type Report, type ReportContext, reportOf } from './report.js';
export type { Aggregate, ColumnReport } from './report-column.js';
export { prepareReport, type ReportPaths, writeReport } from './report-files.js';
export { type ColumnCharts, reportPage } from './report-page.js';
export type {
  Afterwards,
  ColumnRequest,
  CountRequest,
  Domain,
  NoiseRequest,
  ReleaseRequest,
  Request,
  Shares,
} from './request.js';
export type { Column, Opening, Source } from './source.js';
export type { TableAddress, TableColumn } from './table.js';
