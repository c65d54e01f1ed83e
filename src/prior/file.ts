// A prior that was paid for as a file: rows of value and probability, under a line that says by which entry of which ledger.

import { wrong } from '../error/index.js';
import { exactText, integer, multiply, parseDecimal, rational, toDecimalUp } from '../exact/index.js';
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
        `${exactText(multiply(integer(pmf.from + i), pmf.step))},${exactText(rational(weight * den, num))}\n`,
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
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong(damaged);
  }
  const paid = paidOf(value);
  if (!paid) throw wrong(damaged);
  return paid;
}

/** Who paid, where a value of a file says it in full; null where it does not. */
export function paidOf(value: unknown): Paid | null {
  const { dataset, column, entry, hash, epsilon, delta } = (value ?? {}) as Partial<Paid>;
  const texts = [dataset, column, hash, epsilon, delta];
  if (!texts.every((text) => typeof text === 'string') || !Number.isSafeInteger(entry)) return null;
  if (![epsilon, delta].every((text) => COST.test(text!))) return null;
  return { dataset, column, entry, hash, epsilon, delta } as Paid;
}

/** As a ledger writes a cost. */
const COST = /^\d{1,40}(?:\.\d{1,400})?$/;
