// Rows in, rows out: files, pipes and tables; counts; the report.

export { type CountJob, changes, count, countColumn, type Domain, shareOf, tryCount } from './count.js';
export { InputError, Interrupted } from './failure.js';
export type { Job, Outcome, ProtectedColumn } from './job.js';
export { type Finish, finishOf, indexOfText, type Lattice, latticeOf, textOfIndex } from './lattice.js';
export { hiddenFile, writeAll } from './output-file.js';
export { FORMATS, isPostgres, nameOf, type Place, readPlace, sameFile, shownPlace } from './place.js';
export { type ColumnQuantiles, releasedQuantiles } from './quantiles.js';
export { type Account, type Released, release, tryRelease } from './release.js';
export { type ColumnReport, REPORT_FORMAT, type Report, reportOf } from './report.js';
export { reportPage } from './report-page.js';
