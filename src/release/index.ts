// Rows in, rows out: files, pipes and tables; counts; the report.

export { type CountJob, changes, count, countColumn, type Domain, shareOf, tryCount } from './count.js';
export { InputError, Interrupted } from './failure.js';
export type { Job, Outcome, ProtectedColumn } from './job.js';
export {
  type Finish,
  finishOf,
  holdsDigit,
  indexOfText,
  type Lattice,
  latticeOf,
  textOfIndex,
} from './lattice.js';
export { type HiddenFile, hiddenFile, leftBehind, writeAll } from './output-file.js';
export { FORMATS, isPostgres, nameOf, type Place, readPlace, sameFile, shownPlace } from './place.js';
export { type Published, publishedError } from './published.js';
export { type ColumnQuantiles, releasedQuantiles } from './quantiles.js';
export { type Account, type Released, release, type Trial, tryRelease } from './release.js';
export { type ColumnReport, REPORT_FORMAT, type Report, reportOf } from './report.js';
export { type ColumnCharts, reportPage } from './report-page.js';
