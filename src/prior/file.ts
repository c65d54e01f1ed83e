// A prior that was paid for as a file: rows of value and probability, under a line that says by which entry of which ledger.

import { wrong } from '../error/index.js';
import { integer, multiply, parseDecimal, rational, toDecimal, toDecimalUp } from '../exact/index.js';
import { makePmf, type Pmf, total } from '../pmf/index.js';
import type { Paid } from './prior.js';

const FORMAT = 'discreet/prior@1';
/** Probabilities are multiples of one part in this many. */
const PARTS = 10n ** 12n;

/** Masses of values one step apart, as shares that sum to one exactly. */
export function roundedPmf(step: Pmf['step'], from: number, masses: readonly number[]): Pmf {
  const whole = masses.reduce((sum, mass) => sum + mass, 0);
  const weights = masses.map((mass) => BigInt(Math.round((mass / whole) * Number(PARTS))));
  // What rounding leaves over goes to the largest, which it changes the least.
  const largest = masses.indexOf(masses.reduce((a, b) => Math.max(a, b)));
  weights[largest]! += PARTS - weights.reduce((sum, weight) => sum + weight, 0n);
  // What is next to nothing at the ends is nothing.
  const first = weights.findIndex((weight) => weight > 0n);
  const end = weights.findLastIndex((weight) => weight > 0n) + 1;
  return makePmf({ step, from: from + first, weights: weights.slice(first, end), left: null, right: null });
}

/** Its file, which is itself a prior's name. */
export function writePrior({ pmf, paid }: { readonly pmf: Pmf; readonly paid: Paid }): string {
  return `# ${FORMAT} ${JSON.stringify(paid)}\nvalue,probability\n${priorRows(pmf)}`;
}

/** Its rows alone, the same for the same distribution. */
export function priorRows(pmf: Pmf): string {
  const { num, den } = total(pmf);
  return pmf.weights
    .map(
      (weight, i) =>
        `${toDecimal(multiply(integer(pmf.from + i), pmf.step))},${toDecimal(rational(weight * den, num))}\n`,
    )
    .join('');
}

/** Who paid, for people: costs rounded up. */
export function paidWords({ dataset, entry, epsilon, delta }: Paid): string {
  const shown = (decimal: string) => toDecimalUp(parseDecimal(decimal), 7);
  return `paid for by entry ${entry} of ${dataset} (ε = ${shown(epsilon)}${delta === '0' ? '' : `, δ = ${shown(delta)}`})`;
}

/** Who paid for it, as the first line says, and the rest; null where that line says nothing of it. */
export function splitPaid(text: string): { readonly paid: Paid | null; readonly rest: string } {
  const match = /^\uFEFF?# discreet\/prior@(\d+) (.*)\r?\n/.exec(text);
  if (!match) return { paid: null, rest: text };
  if (match[1] !== '1')
    throw wrong(
      `its format is discreet/prior@${match[1]}, which this program is too old for; use a newer one`,
    );
  return { paid: readPaid(match[2]!), rest: text.slice(match[0].length) };
}

function readPaid(text: string): Paid {
  const damaged = 'its first line does not say who paid for it; keep the file as it was written';
  let paid: Paid | null;
  try {
    paid = JSON.parse(text) as Paid | null;
  } catch {
    throw wrong(damaged);
  }
  const isText = (value: unknown) => typeof value === 'string';
  if (
    paid === null ||
    ![paid.dataset, paid.column, paid.hash, paid.epsilon, paid.delta].every(isText) ||
    !Number.isSafeInteger(paid.entry)
  )
    throw wrong(damaged);
  const { dataset, column, entry, hash, epsilon, delta } = paid;
  return { dataset, column, entry, hash, epsilon, delta };
}
