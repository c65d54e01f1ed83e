// What an auditor and a reader need to know of a release, in figures and as a page.

export { type ColumnCharts, columnCharts, throughSeries } from './charts.js';
export type { Aggregate, ColumnQuantiles, ColumnReport } from './column.js';
export { beliefUpper, type Learnable, learnableOf } from './learnable.js';
export { reportPage } from './page.js';
export { JOB_OUTPUT, readerLines } from './page-readers.js';
export { type Published, type PublishedError, publishedError } from './published.js';
export { REPORT_FORMAT, type Report, type ReportContext, type Reported, reportOf } from './report.js';
export { shellWord } from './shell.js';
export { totalCost } from './total.js';
export { bestGuess, guessWords, percentUp, totalWarnings, warningsOf } from './warnings.js';
