// The least ε with which a value is off by no more than is wanted, on average, for one column or for several at once.

import { mechanismCost, written } from '../account/index.js';
import { rowsOf } from '../door/index.js';
import { invalid, isOurs, quote } from '../error/index.js';
import {
  add,
  divide,
  integer,
  multiply,
  type Rational,
  rational,
  toDecimal,
  toNumberNear,
  zero,
} from '../exact/index.js';
import type { Mechanism } from '../mechanism/index.js';
import { percentUp, personRisk, personWords, shellWord } from '../report/index.js';
import { readDelta, readPositive } from '../spec/index.js';
import { rowShare } from '../terms/index.js';
import { perColumn } from './common-options.js';
import { readPrior } from './input.js';
import type { Flags, Lists, Maybe, Needed } from './options.js';
import { glance, print, printJson, tableText } from './output.js';
import { progressLine } from './progress.js';
import { effectOf, usualNoise } from './tradeoff-plain.js';

export type TradeoffOptions = Needed<'epsilon' | 'step' | 'delta' | 'points'> &
  Maybe<'prior' | 'targetW' | 'svg' | 'csv' | 'perPerson'> &
  Flags<'priorIsPublic' | 'force' | 'json' | 'paper'> &
  Lists<'adjacency' | 'targetError'>;

/** ε has three digits; from 0.001 to 99.9. */
const DIGITS = 900;
const DECADES = 5;

/** The k-th ε with three digits. */
function epsilonAt(k: number): Rational {
  const digits = BigInt(100 + (k % DIGITS));
  const power = Math.floor(k / DIGITS) - DECADES;
  return power < 0 ? rational(digits, 10n ** BigInt(-power)) : rational(digits * 10n ** BigInt(power));
}

interface Least {
  readonly epsilon: Rational;
  readonly mechanism: Mechanism;
}

/** The least of them whose noise has an error of at most `most`; null where none has. */
export function leastForError(
  most: number,
  noiseAt: (epsilon: Rational) => Mechanism,
  errorOf: (mechanism: Mechanism) => number,
): Least | null {
  let [low, high] = [-1, DIGITS * DECADES - 1];
  const attempt = (k: number): Least | null => {
    try {
      const epsilon = epsilonAt(k);
      const mechanism = noiseAt(epsilon);
      return errorOf(mechanism) <= most ? { epsilon, mechanism } : null;
    } catch (error) {
      // Noise that is too wide to be made is off by more than anybody wants.
      if (isOurs(error, 'argument') && k < high) return null;
      throw error;
    }
  };
  let best = attempt(high);
  if (!best) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const found = attempt(middle);
    if (found) [high, best] = [middle, found];
    else low = middle;
  }
  return best;
}

export function targetError(options: TradeoffOptions): void {
  for (const field of ['svg', 'csv', 'targetW', 'paper'] as const)
    if (options[field] !== undefined)
      throw invalid(`${field}: {targetError} gives one ε for each column and no curve; leave it out`);
  const step = readPositive(options.step, 'step');
  const delta = options.delta === '0' ? zero : readDelta(options.delta);
  const prior = readPrior(options, step);
  const rows = options.perPerson === undefined ? 1 : rowsOf(options.perPerson);
  const adjacencies = perColumn(options.adjacency, 'adjacency', (text) => text);
  const wanted = perColumn(options.targetError, 'targetError', (text) =>
    toNumberNear(readPositive(text, 'targetError', 'a value above 0')),
  );
  const named = [...new Set([...adjacencies.keys(), ...wanted.keys()])].filter((name) => name !== null);
  const pattern = named.find((name) => /[*?]/.test(name));
  if (pattern !== undefined)
    throw invalid(
      `targetError: ${quote(pattern)} is a pattern, and no file is looked at here; name every column`,
    );
  const own = <T>(values: ReadonlyMap<string | null, T>, column: string | null, field: string): T => {
    const value = values.get(column) ?? values.get(null);
    if (value === undefined)
      throw invalid(`${field}: expected one for ${quote(column)} too, as in {${field}} ${column}=5`);
    return value;
  };
  // As a release divides it: among columns, and among the rows of a person.
  const share = rowShare(divide(delta, integer(Math.max(1, named.length))), rows);
  const progress = progressLine();
  const known = new Map<string, Least | null>();
  const mechanisms: Mechanism[] = [];
  const columns = (named.length === 0 ? [null] : named).map((column) => {
    const [adjacency, most] = [own(adjacencies, column, 'adjacency'), own(wanted, column, 'targetError')];
    progress.show(column ?? `adjacency ${adjacency}`);
    // Columns that ask for the same get the same, without another search.
    const asked = `${adjacency} ${most}`;
    if (!known.has(asked))
      known.set(
        asked,
        leastForError(
          most,
          (epsilon) => usualNoise({ epsilon, delta: share, adjacency, step, prior }),
          (mechanism) => effectOf(mechanism, adjacency, '1').error,
        ),
      );
    const found = known.get(asked);
    if (!found)
      throw invalid(
        `targetError: no ε below 100 is enough for an error of ${most}${column === null ? '' : ` of ${column}`}; allow a larger error`,
      );
    mechanisms.push(found.mechanism);
    return {
      column,
      adjacency,
      targetError: most,
      epsilon: toDecimal(multiply(found.epsilon, integer(rows))),
      ...effectOf(found.mechanism, adjacency, toDecimal(found.epsilon)),
    };
  });
  progress.end();
  const total = toDecimal(columns.map(({ epsilon }) => readPositive(epsilon, 'epsilon')).reduce(add, zero));
  const risk = personRisk(
    { columns: mechanisms.map((mechanism) => ({ mechanism })) },
    {
      ...{ act: 'release', perPerson: rows, epsilon: total, delta: toDecimal(delta) },
      charges: columns.map(({ column, adjacency }, i) => ({
        ...{ on: column ?? 'value', mechanism: null, adjacency },
        ...written(mechanismCost(mechanisms[i]!, mechanisms[i]!.adjacency)),
      })),
    },
  );
  if (options.json) {
    printJson({
      columns,
      epsilon: total,
      delta: Number(options.delta),
      perPerson: rows,
      bestGuess: risk.bestGuess,
    });
    return;
  }
  const of = columns.map(
    ({ column, epsilon }) => ` --epsilon ${shellWord(column === null ? epsilon : `${column}=${epsilon}`)}`,
  );
  const said = [
    ...(options.delta === '0' ? [] : [`--delta ${options.delta}`]),
    ...(options.step === '1' ? [] : [`--step ${options.step}`]),
    ...(options.prior === undefined ? [] : [`--prior ${shellWord(options.prior)}`]),
    ...(rows === 1 ? [] : [`--per-person ${rows}`]),
  ];
  print(
    tableText(
      ['column', 'adjacency', 'ε', 'off by', 'in 9 of 10', 'best guess'],
      columns.map(({ column, adjacency, epsilon, error, within, bestGuess }) => [
        column ?? 'value',
        adjacency,
        epsilon,
        glance(error),
        `≤ ${glance(within)}`,
        `≤ ${percentUp(bestGuess)}`,
      ]),
    ),
    '',
    ...(risk.several ? [`In all: ${personWords(risk)}.`] : []),
    `In all ε = ${total}, for one person with ${rows === 1 ? 'one row' : `up to ${rows} rows`}. A release says so with`,
    `  ${[of.join('').trim(), ...said].join(' ')}`,
  );
}
