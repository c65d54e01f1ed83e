// Rows of text without an engine: cut where they stand, protected cells replaced, every other byte as it was.

export { delimitedHeader, delimitedRewriter } from './delimited.js';
export { freshDraws } from './draws.js';
export { type Header, parseHeader } from './header.js';
export {
  cellOf,
  checkedMembers,
  isNested,
  type Key,
  keyCollector,
  lineSplitter,
  type Member,
  membersOf,
  namesInside,
  personIn,
} from './json-line.js';
export {
  jsonLinesRewriter,
  type LineIdentity,
  type LineReleaser,
  lineReleaser,
  noKey,
} from './json-lines.js';
export { checkDropped, checkNames, findColumn, findPart, noPart, sameButForCase } from './names.js';
export { peopleCounter } from './people.js';
export { PERSON_RULES, type Person, personOf } from './person.js';
export { noNumber, openQuote, otherPart, tooManyRows, valueAsText } from './refusals.js';
export type { Draw, Part, Rewriter, RowsJob } from './rows.js';
export { cellText, isEmptyCell, rowScanner, type ScannedRow, type Scanner } from './scan.js';
export { joinedBytes, utf8Check } from './utf8.js';
export { type Values, valuesOf } from './values.js';
