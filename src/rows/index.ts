// Rows of text without an engine: cut where they stand, protected cells replaced, every other byte as it was.

export { delimitedHeader, delimitedRewriter } from './delimited.js';
export { freshDraws } from './draws.js';
export { floatText } from './float.js';
export { type Header, parseHeader } from './header.js';
export {
  cellOf,
  isNested,
  type Key,
  keyCollector,
  type Line,
  lineSplitter,
  type Member,
  membersOf,
  namesInside,
  personIn,
  readLine,
  truth,
} from './json-line.js';
export {
  jsonLinesRewriter,
  type LineIdentity,
  type LineReleaser,
  lineReleaser,
  noKey,
} from './json-lines.js';
export {
  checkGlued,
  checkNames,
  findColumn,
  findPart,
  noPart,
  sameButForCase,
  withoutDropped,
} from './names.js';
export { type OddTexts, oddTexts } from './odd-texts.js';
export { peopleCounter } from './people.js';
export { PERSON_RULES, type Person, personOf } from './person.js';
export { brokenLine, brokenRows, noNumber, noRows, otherPart, tooManyRows, valueAsText } from './refusals.js';
export type { Draw, Part, Rewriter, RowsJob } from './rows.js';
export { cellText, isEmptyCell, rowScanner, type ScannedRow, type Scanner } from './scan.js';
export { joinedBytes, notUtf8, utf8Check } from './utf8.js';
export { type Values, valuesOf } from './values.js';
