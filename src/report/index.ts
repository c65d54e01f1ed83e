// What an auditor and a reader need to know of a release, in figures and as a page.

export { type ColumnCharts, columnCharts, throughSeries } from './charts.js';
export type { Aggregate, ColumnQuantiles, ColumnReport } from './column.js';
export { COMMAND, INSTALLED, VERSION } from './command.js';
export { bestGuess, guessWords, percentUp } from './guess.js';
export { type InAll, inAllOf, inAllWords } from './in-all.js';
export { beliefUpper, type Learnable, learnableOf } from './learnable.js';
export { nearZeroWords } from './near-zero.js';
export { reportPage } from './page.js';
export { JOB_OUTPUT, readerLines } from './page-readers.js';
export { type PersonRisk, personRisk, personWords } from './person.js';
export { type Published, type PublishedError, publishedError } from './published.js';
export { REPORT_FORMAT, type Report, type ReportContext, type Reported, reportOf } from './report.js';
export { shellWord } from './shell.js';
export { totalCost } from './total.js';
export { budgetWarning, totalWarnings, warningsOf } from './warnings.js';
