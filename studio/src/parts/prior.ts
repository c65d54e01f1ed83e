// What is publicly known of the data, as a page can be told: by a family, by numbers that are pasted, or by a public file's column.

import { DiscreetError, invalid, isOurs } from 'discreet-dp/error';
import type { Rational } from 'discreet-dp/exact';
import { columnPmf, type Prior } from 'discreet-dp/prior';
import { cellText, delimitedHeader, isEmptyCell, rowScanner } from 'discreet-dp/rows';
import { missingColumn, parsePrior, quote } from 'discreet-dp/spec';

export interface PriorChoice {
  /** In the grammar of the command; `column:name.csv#column` where it is the text below. */
  readonly spec: string;
  /** Of `column:`: the numbers themselves, one to a line, or a whole table. */
  readonly text?: string;
}

/** Null where nothing is known. */
export function priorOf({ spec, text }: PriorChoice, step: Rational): Prior | null {
  if (spec.trim() === '') return null;
  const noFile = (): never => {
    throw invalid('prior: this page reads no files by name; paste the numbers, or choose the file');
  };
  const files = {
    table: noFile,
    columnIsPublic: true,
    column: (path: string, name: string) => (text === undefined ? noFile() : numbersOf(text, path, name)),
  };
  return aboutPrior(() => parsePrior(spec.trim(), step, files));
}

/** Whatever is wrong is wrong with the prior. */
function aboutPrior<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOurs(error, 'argument') || error.field?.startsWith('prior')) throw error;
    throw new DiscreetError('argument', 'prior', error.problem, error.fix);
  }
}

/** The prior of numbers that were pasted, each by itself. */
export function pastedPrior(text: string, step: Rational): Prior {
  const values = text.split(/[\s;]+|,(?!\d)|(?<=\d),(?=\s|$)/).filter((word) => word !== '');
  return { pmf: aboutPrior(() => columnPmf(values, step)), spec: 'column:numbers.csv#value', cut: null };
}

/** A column of delimited text. */
function numbersOf(text: string, shown: string, name: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const header = delimitedHeader(bytes, null, true, shown)!;
  const at = header.names.indexOf(name);
  if (at < 0)
    throw invalid(`prior: ${shown} has no column ${quote(name)}${missingColumn(name, header.names)}`);
  const values: string[] = [];
  rowScanner(header.delimiter, header.names.length, shown).scan(bytes, true, (row) => {
    if (row.number > 0 && !isEmptyCell(row, at)) values.push(cellText(row, at).trim());
  });
  return values;
}
