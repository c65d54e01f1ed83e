// Errors in the words of the page: fields are called as they are called on the screen.

import { DiscreetError } from 'discreet-dp/error';

/** Fields of the library as this page calls them; what is not here is called as the command calls it. */
const LABELS: Readonly<Record<string, string>> = {
  columns: '“columns to protect”',
  adjacency: '“how far may one value move”',
  epsilon: '“how strong”',
  delta: '“a small chance that the promise fails (δ)”',
  step: '“smallest unit”',
  prior: '“what is publicly known”',
  person: '“what is one person here”',
  perPerson: '“rows of one person”',
  dataset: '“name of the data”',
  pass: '“may leave all the same”',
  na: '“marks for no value”',
  map: '“texts that stand for a number”',
  decimal: '“decimals”',
  encoding: '“encoding”',
  skipInvalid: '“empty cells that are no numbers”',
  clamp: '“keep within”',
  roundTo: '“round to”',
  inputFormat: 'the ending of its name',
  setBudget: 'a new budget',
  partition: '“parts”',
  verify: 'the room “Check”',
  check: 'the room “Check”',
  output: '“name of the result”',
  locate: 'the command’s --locate',
};

export function labelOf(field: string): string {
  const [own] = field.split(/[ :]/, 1);
  return LABELS[own!] ?? field;
}

/** What to say of an error; a fault of ours has no words of its own. */
export function errorWords(error: unknown): string {
  if (!(error instanceof DiscreetError))
    return `something went wrong inside of this page (${error instanceof Error ? error.message : 'no more is known'}); please report it, without your data`;
  // The field itself is beside the words.
  const words = error.words(labelOf);
  const own = error.field === null ? null : `${labelOf(error.field)}: `;
  return own && words.startsWith(own) ? words.slice(own.length) : words;
}

/** The words for a field, where the error is about it; `others` are names for the same field. */
export function errorFor(error: unknown, ...fields: string[]): string | null {
  if (!(error instanceof DiscreetError) || error.field === null) return null;
  const [own] = error.field.split(/[ :]/, 1);
  return fields.includes(own!) ? errorWords(error) : null;
}

/** Is it about none of these fields, so that it must be told elsewhere? */
export function isElsewhere(error: unknown, fields: readonly string[]): boolean {
  return error !== null && error !== undefined && errorFor(error, ...fields) === null;
}

/** Four digits, for people. */
export function figure(x: number): string {
  return String(Number(x.toPrecision(4))).replace('-', '−');
}

/** Three digits, where that is enough. */
export function rough(x: number): string {
  return String(Number(x.toPrecision(3))).replace('-', '−');
}

/** A share in per cent, for people. */
export function share(x: number): string {
  return `${Number((100 * x).toPrecision(3))} %`;
}

/** A noise with its parameters, of which four digits are enough for people. */
export function shortNoise(spec: string): string {
  return spec.replace(/\d+\.\d{5,}(?:e[+-]?\d+)?/g, (digits) =>
    String(Number(Number(digits).toPrecision(4))),
  );
}
