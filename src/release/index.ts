// Rows in, rows out: files, pipes and tables; counts; the report.

export type { OpenedFile } from '../files/index.js';
export type { Part, Person } from '../rows/index.js';
export { type ChoiceRequest, type Chosen, choose } from './choose.js';
export { columnNames } from './column-names.js';
export { type CountJob, count, countColumn, shareOf, tryCount } from './count.js';
export type { CopyEffects, Effects } from './effects.js';
export type { Engine } from './engine.js';
export { type Format, formats } from './formats/index.js';
export { type Histogram, type HistogramRequest, histograms } from './histogram.js';
export type { Keyed } from './identities.js';
export type { Job } from './job.js';
export {
  checkDescriptor,
  commandWork,
  type DriveRequest,
  drive,
  type Handed,
  JOB_VARIABLE,
  markDone,
  markOpen,
  markStray,
  type PartitionRequest,
  type Pinned,
  plainTicket,
  readTicket,
  releasePartition,
  sessionWork,
  type Ticket,
  type TicketColumn,
  type Told,
  tryDrive,
  type Work,
} from './pipe/index.js';
export {
  drivenPlace,
  type Named,
  type Place,
  patternOf,
  placeOf,
  type WriteOptions,
} from './places/index.js';
export { type PriorReleased, prior, tryPrior } from './prior.js';
export type { Counts, PriorJob } from './prior-counts.js';
export { release, tryRelease } from './prior-share.js';
export { checkRequest, type Prepared, type Trial } from './release.js';
export { type ReportPaths, writeReport } from './report-files.js';
export type { CountRequest, Domain, PriorRequest, ReleaseRequest, Request } from './request.js';
export type { Column, Opening, Source } from './source.js';
export type { TableAddress, TableColumn } from './table.js';
