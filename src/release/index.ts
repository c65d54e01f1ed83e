// Rows in, rows out: files, pipes and tables; counts; the report.

export { type ChoiceRequest, type Chosen, choose } from './choose.js';
export { type CountJob, changes, count, countColumn, shareOf, tryCount } from './count.js';
export type { Effects } from './effects.js';
export { Interrupted, systemWords } from './failure.js';
export { writeAll } from './files/hidden.js';
export { sameFile } from './files/same.js';
export { checkOutput, checkOutputs, checkPaths, writeFile, writeText } from './files/written.js';
export { type Format, formats } from './formats/index.js';
export type { Job, MechanismFile, Outcome, ProtectedColumn } from './job.js';
export {
  type Finish,
  finishOf,
  holdsDigit,
  indexOfText,
  type Lattice,
  latticeOf,
  textOfIndex,
} from './lattice.js';
export { makeMechanisms, rowShare } from './noise.js';
export type { Released } from './paid.js';
export { type ColumnQuantiles, type Named, type Place, placeOf } from './places/index.js';
export { type Published, publishedError } from './published.js';
export { type Prepared, release, type Trial, tryRelease } from './release.js';
export { REPORT_FORMAT, type Report, reportOf } from './report.js';
export type { ColumnReport } from './report-column.js';
export { type ReportPaths, writeReport } from './report-files.js';
export { type ColumnCharts, reportPage } from './report-page.js';
export type {
  ColumnRequest,
  CountRequest,
  Domain,
  NoiseRequest,
  ReleaseRequest,
  Request,
  Shares,
} from './request.js';
