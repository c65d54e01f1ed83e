// The words of a report, for an auditor: what is guaranteed, what is not, and what the publisher vouches for.

import { quote } from '../error/index.js';
import { exp, parseDecimal, toDecimalUp } from '../exact/index.js';
import type { Spending } from '../ledger/index.js';
import { paidWords } from '../prior/index.js';
import type { ProtectedColumn, Reading } from '../terms/index.js';
import type { ColumnReport } from './column.js';
import type { PriorSeen } from './priors.js';

function peopleNotes({ act, perPerson, perPersonEnforced }: Spending): string[] {
  const isCount = act === 'count';
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

/** The guarantee, in words that hold by themselves. */
export function sentence(
  columns: readonly Pick<ColumnReport, 'name' | 'adjacency'>[],
  { act, epsilon, delta, perPerson }: Pick<Spending, 'act' | 'epsilon' | 'delta' | 'perPerson'>,
): string {
  const several = perPerson !== null && perPerson > 1;
  const factor = toDecimalUp(exp(parseDecimal(epsilon), 64).upper, 4);
  const same = columns.length > 3 && columns.every(({ adjacency }) => adjacency === columns[0]!.adjacency);
  const what = same
    ? `each of the ${columns.length} protected columns by up to ${columns[0]!.adjacency}`
    : columns.map(({ name, adjacency }) => `“${name}” by up to ${adjacency}`).join(' and ');
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

export function notProtected(act: Spending['act']): string[] {
  return act === 'count'
    ? [
        'The cells themselves: they are the domain that the publisher stated, whatever the data holds.',
        'Statistics that many people share: that a region is large is not a secret of anybody in it.',
      ]
    : [
        'Whether a record is in the data at all, how many records there are, and their order.',
        'Which cells of the protected columns are empty (NULL) or no numbers: empty cells stay empty.',
        'All other columns, which are copied as they are: see above.',
        'Changes of a record that are larger than the adjacency: what is known of each column at larger distances is stated with it.',
      ];
}

/** What was done, and what rests on the publisher's word. */
export function notesOf(
  spending: Spending,
  skipInvalid: boolean,
  named: (field: string) => string,
): string[] {
  const { act, part, query, passed, keyed } = spending;
  return [
    ...peopleNotes(spending),
    ...(part === null
      ? []
      : [`That no person is in another part than ${quote(part)} as well is a declaration of the publisher.`]),
    ...(act === 'count'
      ? []
      : [
          'Every number was rounded to the nearest multiple of the step before noise was added, halves up, and held within 2^53 steps. What that moves a value by, at most half a step, is in no figure here.',
        ]),
    ...(keyed
      ? [
          `The release was carried out by many tasks, which may have been run again: the noise of a value is a function of a secret key, of ${keyed.id === null ? 'what the row holds and where it was' : `the row's “${keyed.id}”`}, and of the value. For whoever has not the key and cannot break AES, it is the noise described here; this guarantee is computational. The key was drawn for this release alone, and has not been kept.`,
          `What kept the input as it was meanwhile: ${keyed.pinned}.`,
        ]
      : []),
    ...(skipInvalid ? ['Cells that were no numbers at all were emptied.'] : []),
    ...(query
      ? [
          'The rows come from the query below. That each record is in its result at most once, and that rows are chosen and ordered without looking at protected columns, is a statement of the publisher.',
        ]
      : []),
    ...(passed.length > 0
      ? [
          `The publisher let these columns leave as they are although something spoke against it (${named('pass')}): ${passed.join(', ')}.`,
        ]
      : []),
  ];
}

/** What texts were taken for, as the publisher said. */
export function readingNotes(reading: Reading | null): string[] {
  if (!reading) return [];
  const texts = [
    ...reading.na.map((text) => `“${text}” for no value`),
    ...[...reading.map].map(([from, to]) => `“${from}” for ${to}`),
  ];
  if (texts.length === 0) return [];
  const most = texts.slice(0, 20);
  const more = texts.length > most.length ? ` and ${texts.length - most.length} more` : '';
  return [`As the publisher said, these texts were taken for something else: ${most.join(', ')}${more}.`];
}

/** What was spent on the way to the noise, beside what this report is of. */
export function priorNotes(columns: readonly ProtectedColumn[], priors: readonly PriorSeen[]): string[] {
  const own = new Set(columns.flatMap(({ gain }) => gain?.paid.hash ?? []));
  const before = priors.filter(({ paid }) => !own.has(paid.hash));
  const together = columns.flatMap(({ name, gain }) =>
    gain
      ? [
          `The distribution that the noise of “${name}” was designed for was taken from the data, and ${paidWords(gain.paid)}. That is in the total; prior and noise of this column cost ε = ${toDecimalUp(parseDecimal(gain.epsilon), 7)}.`,
        ]
      : [],
  );
  return [
    ...together,
    ...before.map(
      ({ paid }) =>
        `Noise was designed for the distribution of “${paid.column}”, which was taken from the data before, and ${paidWords(paid)}. That is not in the total, which is of this release alone; the best guess is by the prior’s file as well.`,
    ),
  ];
}
