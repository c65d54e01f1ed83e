// A choice among named candidates by their scores, paid for before it is made.

import { badData, quote, wrong } from '../error/index.js';
import { multiply, type Rational, rational, toDecimal } from '../exact/index.js';
import {
  checkRoles,
  partColumn,
  quoteOf,
  type Reservation,
  refuseBeyond,
  rowsPerPerson,
} from '../ledger/index.js';
import { holdsDigit, indexOfText, type Lattice, latticeOf } from '../mechanism/index.js';
import { choose as draw, exponentialMechanism } from '../random/index.js';
import { findPart } from '../rows/index.js';
import { readsLike } from '../spec/index.js';
import { checkEntropy, plainColumn, rowShare } from '../terms/index.js';
import type { Effects } from './effects.js';
import { partOf } from './release.js';

export interface ChoiceRequest {
  /** What the scores are called in messages and in the ledger, and their own name. */
  readonly shown: string;
  readonly name: string | null;
  /** The header and the rows, read once the budget is known to suffice. */
  readonly read: () => { readonly titles: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly dataset: string | null;
  readonly part: string | null;
  readonly perPerson: number | null;
  /** For one person, all their rows together. */
  readonly epsilon: Rational;
  /** How far one record may move any score. */
  readonly sensitivity: Rational;
  readonly step: Rational;
}

export interface Chosen {
  readonly chosen: string;
  readonly candidates: number;
  readonly reservation: Reservation;
  readonly head: string;
}

/**
 * The exponential mechanism: ε-DP for a person whose records move every score by at most `sensitivity` each. What it costs is on the
 * ledger's disk before the choice is made, and stays spent (proofs/release.md).
 */
export async function choose(
  request: ChoiceRequest,
  { ledger, entropy }: Pick<Effects, 'ledger' | 'entropy'>,
): Promise<Chosen> {
  checkEntropy(entropy);
  const { epsilon, sensitivity, step, dataset, name, shown } = request;
  const account = await ledger.account({ dataset, inputName: name });
  const part = partColumn(account, request.part);
  checkRoles({ protects: [], candidate: 'candidate', score: 'score', part }, account);
  const perPerson = rowsPerPerson(account, request.perPerson, false);
  const rows = perPerson ?? 1;
  const share = rowShare(epsilon, rows);
  const quote = quoteOf(
    {
      act: 'choose',
      part: request.part,
      input: shown,
      output: 'standard output',
      perPerson,
      perPersonEnforced: false,
      charges: [
        {
          on: 'choice',
          mechanism: null,
          adjacency: toDecimal(sensitivity),
          epsilon: toDecimal(share),
          delta: '0',
        },
      ],
    },
    account,
  );
  refuseBeyond(quote);
  const candidates = readScores(request, latticeOf(step), partOf(quote));
  const choice = exponentialMechanism(candidates, { epsilon: share, sensitivity, step });
  const reservation = await ledger.reserve(quote);
  const chosen = candidates[draw(choice, entropy)]!.name;
  const head = await ledger.settle(reservation.sequence, 'complete', '1 choice');
  return { chosen, candidates: candidates.length, reservation, head };
}

/** The candidates and their scores; those of a part must say so in its column. */
function readScores({ read, shown }: ChoiceRequest, lattice: Lattice, part: ReturnType<typeof partOf>) {
  const { titles, rows } = read();
  const [name, score] = ['candidate', 'score'].map((role) => placeOf(titles, role, shown)) as [
    number,
    number,
  ];
  // Which row it is may tell of a score, as 3,1 without quotes does.
  if (rows.some((row) => row.length !== titles.length))
    throw badData(
      `${shown}: a row has more or fewer cells than the header; write a score such as 3,1 as 3.1, and put other cells with commas in quotes`,
    );
  if (part) checkPart(shown, titles, rows, part);
  const seen = new Set<string>();
  return rows.map((row, i) => {
    const label = row[name] ?? '';
    if (seen.has(label))
      throw wrong(`${shown}, row ${i + 1}: expected each candidate once, got ${quote(label)} again`);
    seen.add(label);
    return { name: label, score: scoreOf(row[score] ?? '', lattice, shown) };
  });
}

/** Where the column of this name stands, however it is spelt. */
function placeOf(titles: readonly string[], role: string, shown: string): number {
  const found = titles.flatMap((title, i) => (readsLike(title, role) ? [i] : []));
  if (found.length > 1) throw wrong(`${shown}: ${found.length} columns read like ${role}; keep one`);
  if (found.length === 0)
    throw wrong(
      `${shown}: expected the columns candidate and score in a header line, got ${titles.length} column${titles.length === 1 ? '' : 's'} and no ${role}; name them so`,
    );
  return found[0]!;
}

function checkPart(
  shown: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { column, value }: NonNullable<ReturnType<typeof partOf>>,
): void {
  const found = findPart(titles.map(plainColumn), { column }, shown);
  const at = titles.indexOf(found.name);
  if (rows.some((row) => row[at] !== value))
    throw wrong(`${shown}: a row has another ${quote(column)} than the part ${value}`);
}

/** A score, rounded to the lattice and held within it: whether one is refused must not depend on how large it is. */
function scoreOf(text: string, lattice: Lattice, shown: string): Rational {
  const index = indexOfText(text, lattice);
  if (index !== null) return multiply(rational(index), lattice.step);
  if (holdsDigit(text))
    throw wrong(
      `${shown}: a score is text with digits that is no plain number, such as 85+ or 1,234; write plain numbers`,
    );
  throw wrong(`${shown}: expected a score such as 12 or 0.5 in every row, got a word or nothing`);
}
