// What an auditor needs to know of a release: what is protected and what is not, in a sentence and in numbers. Nothing in it
// comes from a true value.

import {
  exp,
  integer,
  multiply,
  parseDecimal,
  rational,
  toDecimal,
  toDecimalUp,
  toNumberNear,
} from '../exact/index.js';
import { type Ledger, type Query, remaining, unitWords } from '../ledger/index.js';
import { errorQuantile, moments, standardDeviation } from '../pmf/index.js';
import type { Job, ProtectedColumn } from './job.js';
import { textOfIndex } from './lattice.js';
import { type Learnable, learnableOf } from './learnable.js';
import { shownPlace } from './place.js';
import { type Published, publishedError } from './published.js';
import type { Released } from './release.js';

export const REPORT_FORMAT = 'discreet/report@2';

export interface ColumnReport {
  readonly name: string;
  /** The hash of its integers and claim. */
  readonly mechanism: string;
  /** What it claims by itself, and how it was made. */
  readonly claim: { readonly epsilon: string; readonly delta: string; readonly adjacency: string };
  readonly origin: Readonly<Record<string, unknown>>;
  readonly step: string;
  /** At which it was charged. */
  readonly adjacency: string;
  readonly epsilon: string;
  readonly delta: string;
  readonly learnable: readonly Learnable[];
  /** Released values: rows without NULL. */
  readonly values: number;
  readonly noise: {
    readonly meanAbsolute: number;
    readonly bias: number;
    readonly std: number;
    readonly nineOfTen: number;
  };
  /** After clamping and rounding, by the true value; null where neither was done, and the noise's figures are those of the values. */
  readonly published: Published | null;
  /** Of what is published. Where clamping or rounding makes the bias depend on the true values, it lies in between. */
  readonly sum: Aggregate;
  readonly mean: Aggregate;
  readonly quantiles: readonly { readonly share: number; readonly value: string }[] | null;
  readonly afterwards: readonly string[];
}

export interface Aggregate {
  readonly leastBias: number;
  readonly greatestBias: number;
  /** At most. */
  readonly std: number;
}

export interface Report {
  readonly format: typeof REPORT_FORMAT;
  readonly time: string;
  readonly who: string;
  readonly act: 'release' | 'count' | 'choose';
  readonly input: string;
  readonly output: string;
  readonly query: Query | null;
  readonly rows: number;
  /** Columns that left as they are, and those of them that left because the publisher said so. */
  readonly unchanged: readonly string[];
  readonly passed: readonly string[];
  readonly guarantee: {
    readonly sentence: string;
    readonly unit: string;
    readonly epsilon: string;
    readonly delta: string;
  };
  readonly columns: readonly ColumnReport[];
  readonly notProtected: readonly string[];
  readonly notes: readonly string[];
  readonly ledger: {
    readonly address: string;
    readonly dataset: string;
    readonly part: string | null;
    readonly entry: number;
    readonly head: string;
    readonly spent: { readonly epsilon: string; readonly delta: string };
    readonly budget: { readonly epsilon: string; readonly delta: string } | null;
    readonly remaining: { readonly epsilon: string; readonly delta: string } | null;
    readonly accountant: string;
  };
  readonly verify: readonly string[];
}

type Quantiles = readonly (readonly { share: number; value: string }[] | null)[];

export function reportOf(
  job: Pick<Job, 'input' | 'output' | 'columns' | 'skipInvalid' | 'person'>,
  released: Released,
  ledger: Pick<Ledger, 'address' | 'accountant'>,
  quantiles: Quantiles,
  mechanismFiles: readonly string[],
): Report {
  const { reservation, outcome, head } = released;
  const { spending, budget, after } = reservation;
  const columns = job.columns.map((column, i) =>
    columnReport(column, spending.charges[i]!, outcome.values[i]!, quantiles[i] ?? null),
  );
  const isCount = spending.act === 'count';
  const left = budget && remaining(budget, after);
  return {
    format: REPORT_FORMAT,
    time: new Date().toISOString(),
    who: released.who,
    act: spending.act,
    input: shownPlace(job.input),
    output: shownPlace(job.output),
    query: spending.query,
    rows: outcome.rows,
    unchanged: outcome.unchanged,
    passed: spending.passed,
    guarantee: {
      sentence: sentence(columns, spending),
      unit: unitWords(spending),
      epsilon: spending.epsilon,
      delta: spending.delta,
    },
    columns,
    notProtected: isCount
      ? [
          'The cells themselves: they are the domain that the publisher stated, whatever the data holds.',
          'Statistics that many people share: that a region is large is not a secret of anybody in it.',
        ]
      : [
          'Whether a record is in the data at all, how many records there are, and their order.',
          'Which cells of the protected columns are empty (NULL) or no numbers: empty cells stay empty.',
          'All other columns, which are copied as they are: see above.',
          'Changes of a record that are larger than the adjacency: what is known of each column at larger distances is stated with it.',
        ],
    notes: [
      ...peopleNotes(spending, isCount),
      ...(spending.part === null
        ? []
        : [
            `That no person is in another part than ${JSON.stringify(spending.part)} as well is a declaration of the publisher.`,
          ]),
      ...(isCount
        ? []
        : [
            'Every number was rounded to the nearest multiple of the step before noise was added, halves up, and held within 2^53 steps. What that moves a value by, at most half a step, is in no figure here.',
          ]),
      ...(job.skipInvalid ? ['Cells that were no numbers at all were emptied.'] : []),
      ...(spending.query
        ? [
            'The rows come from the query below. That each record is in its result at most once, and that rows are chosen and ordered without looking at protected columns, is a statement of the publisher.',
          ]
        : []),
      ...(spending.passed.length > 0
        ? [
            `The publisher let these columns leave as they are although something spoke against it (--pass): ${spending.passed.join(', ')}.`,
          ]
        : []),
    ],
    ledger: {
      address: ledger.address,
      dataset: spending.dataset,
      part: spending.part,
      entry: reservation.sequence,
      head,
      spent: { epsilon: toDecimal(after.epsilon), delta: toDecimal(after.delta) },
      budget: budget && { epsilon: budget.epsilon, delta: budget.delta },
      remaining: left && { epsilon: toDecimal(left.epsilon), delta: toDecimal(left.delta) },
      accountant: ledger.accountant.name,
    },
    verify: [
      ...mechanismFiles.map((file) => `discreet verify ${shellWord(file)}`),
      `discreet ledger check --ledger ${shellWord(ledger.address)} --head ${head}`,
    ],
  };
}

function peopleNotes(
  { perPerson, perPersonEnforced }: { perPerson: number | null; perPersonEnforced: boolean },
  isCount: boolean,
): string[] {
  const rows = perPerson === 1 ? 'one row' : `${perPerson} rows`;
  if (perPerson === null)
    return [
      `The guarantee is for one row; rows per person were not stated. Where a person has several rows, it holds for each of them, not for all together${isCount ? '' : ', and the program did not count them'}.`,
    ];
  if (perPersonEnforced) return [`That no person has more than ${rows} was counted by the program.`];
  return [
    `That no person has more than ${rows} is an assertion of the publisher; the program did not count them.`,
  ];
}

/** A word as a shell reads it. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function columnReport(
  column: ProtectedColumn,
  charge: { mechanism: string | null; adjacency: string; epsilon: string; delta: string },
  values: number,
  quantiles: ColumnReport['quantiles'],
): ColumnReport {
  const { name, mechanism, lattice, finish } = column;
  const { pmf } = mechanism;
  const published = publishedError(column);
  const exact = moments(pmf);
  const [bias, std] = [toNumberNear(exact.mean), standardDeviation(exact)];
  const aggregate = (times: number, root: number): Aggregate => ({
    leastBias: (published?.leastBias ?? bias) * times,
    greatestBias: (published?.greatestBias ?? bias) * times,
    std: (published?.greatestStd ?? std) * root,
  });
  const limits = [
    ...(finish.roundTo === 1n
      ? []
      : [`rounded to multiples of ${textOfIndex(finish.roundTo, lattice)}, halves up`]),
    ...(finish.low === -lattice.limit && finish.high === lattice.limit
      ? []
      : [`moved into ${textOfIndex(finish.low, lattice)} … ${textOfIndex(finish.high, lattice)}`]),
  ];
  return {
    name,
    mechanism: charge.mechanism ?? '',
    claim: {
      epsilon: toDecimal(mechanism.claim.epsilon),
      delta: toDecimal(mechanism.claim.delta),
      adjacency: toDecimal(multiply(integer(mechanism.adjacency), pmf.step)),
    },
    origin: mechanism.origin,
    step: toDecimal(pmf.step),
    adjacency: charge.adjacency,
    epsilon: charge.epsilon,
    delta: charge.delta,
    learnable: learnableOf(mechanism, charge),
    values,
    noise: {
      meanAbsolute: toNumberNear(exact.meanAbsolute),
      bias,
      std,
      nineOfTen: toNumberNear(errorQuantile(pmf, rational(9n, 10n))),
    },
    published,
    sum: aggregate(values, Math.sqrt(values)),
    mean: aggregate(1, values === 0 ? 0 : 1 / Math.sqrt(values)),
    quantiles,
    afterwards: limits,
  };
}

function sentence(
  columns: readonly ColumnReport[],
  {
    act,
    epsilon,
    delta,
    perPerson,
  }: { act: Report['act']; epsilon: string; delta: string; perPerson: number | null },
): string {
  const several = perPerson !== null && perPerson > 1;
  const factor = toDecimalUp(exp(parseDecimal(epsilon), 64).upper, 4);
  const what = columns.map(({ name, adjacency }) => `“${name}” by up to ${adjacency}`).join(' and ');
  const whose = several ? `all records of one person (up to ${perPerson})` : 'one record';
  const failing = parseDecimal(delta);
  return [
    act === 'count'
      ? `Suppose ${several ? `one person with up to ${perPerson} rows` : 'one record'} had not been counted, or had been counted in addition.`
      : `Suppose ${whose} had been different: ${what}.`,
    `Then whatever was published could have been published just as well:`,
    `no result, and nothing anybody can compute from it, whatever else they know, would have been more than ${factor} times as likely`,
    `(e^ε with ε = ${toDecimalUp(parseDecimal(epsilon), 7)})${failing.num === 0n ? '.' : `, except with a probability of at most δ = ${toDecimalUp(failing, 7)}.`}`,
    `What is published therefore cannot tell these cases apart by more than that.`,
  ].join(' ');
}
