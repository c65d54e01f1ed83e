// The report as a page: one file, no script, fit to print. What it comes to is on top, what readers need follows, then every figure.

import { readCost } from '../account/index.js';
import { leftWords } from '../ledger/index.js';
import { escaped, page } from '../plot/index.js';
import type { ColumnCharts } from './charts.js';
import type { ColumnReport } from './column.js';
import { COMMAND } from './command.js';
import { number, short } from './figures.js';
import { percentUp } from './guess.js';
import { inAllWords } from './in-all.js';
import { aggregateWords, columnSection, offWords } from './page-column.js';
import { countedSection } from './page-counted.js';
import { readersSection } from './page-readers.js';
import type { Report } from './report.js';
import { commandShown } from './shell.js';

/** Columns with the same noise, told of together. */
export function alike(columns: readonly ColumnReport[]): ColumnReport[][] {
  const groups = new Map<string, ColumnReport[]>();
  for (const column of columns) {
    const { mechanism, adjacency, epsilon, delta, afterwards, gain } = column;
    const key = JSON.stringify([mechanism, adjacency, epsilon, delta, afterwards, gain]);
    groups.set(key, [...(groups.get(key) ?? []), column]);
  }
  return [...groups.values()];
}

/** The page itself; `charts` gives the pictures of a column by its name. */
export function reportPage(report: Report, charts: (name: string) => ColumnCharts | null): string {
  const { guarantee, ledger, act } = report;
  const what = act === 'count' ? 'count' : 'value';
  const groups = alike(report.columns);
  return page(
    `Release of ${ledger.dataset}`,
    `<h1>Release of ${escaped(ledger.dataset)}</h1>
<p class="facts">${escaped(report.time.slice(0, 16).replace('T', ' '))} UTC by ${escaped(report.who)} with ${COMMAND} ${escaped(report.version)} · ${report.rows.toLocaleString('en')} ${act === 'count' ? 'cells counted' : 'rows'} from ${escaped(report.input)} to ${escaped(report.output)}</p>

${summary(report)}
${report.warnings.map((words) => `<p class="warning"><b>Mind:</b> ${escaped(words)}.</p>`).join('\n')}
${leaving(report)}${report.counted ? countedSection(report.counted) : ''}
<h2>What is guaranteed</h2>
<p class="guarantee">${escaped(guarantee.sentence)}</p>
<p>Protected: ${namesOf(report.columns)}, ${escaped(guarantee.unit)}. Total cost:
<b>ε = ${escaped(short(guarantee.epsilon))}</b>${guarantee.delta === '0' ? '' : `, <b>δ = ${escaped(short(guarantee.delta))}</b>`}. Every figure is computed from the mechanism’s integers in exact arithmetic and rounded upward.</p>
<ul>${report.notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>
${report.query ? `<pre>${escaped(report.query.sql)}</pre>\n` : ''}
<h2>What is not protected</h2>
<ul>${report.notProtected.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>

${readersSection(report, groups)}

${groups.map((group) => columnSection(group, charts(group[0]!.name), what)).join('\n')}

<h2>The budget</h2>
<table class="pairs">
<tr><th>dataset</th><td>${escaped(ledger.dataset)}${ledger.part === null ? '' : `, part ${escaped(ledger.part)}`}</td></tr>
<tr><th>spent, this release included</th><td>ε = ${escaped(short(ledger.spent.epsilon))}, δ = ${escaped(short(ledger.spent.delta))} by ${escaped(ledger.accountant)}</td></tr>
<tr><th>budget</th><td>${ledger.budget ? `ε = ${escaped(short(ledger.budget.epsilon))}, δ = ${escaped(short(ledger.budget.delta))}` : 'none is set'}</td></tr>
<tr><th>left</th><td>${ledger.remaining ? escaped(leftOf(ledger)) : '–'}</td></tr>
<tr><th>ledger</th><td>${escaped(ledger.address)}, entry ${ledger.entry}</td></tr>
<tr><th>its head</th><td class="hash">${escaped(ledger.head)}</td></tr>
</table>

<h2>How to verify</h2>
<p>The first command recomputes the guarantee from the mechanism’s integers alone; the last one finds any entry of the ledger that was changed, removed or cut off since.</p>
<pre>${report.verify.map(commandShown).join('\n')}</pre>`,
  );
}

const MOST_NAMES = 200;

/** So many names, and how many more. */
function namesOf(columns: readonly { readonly name: string }[]): string {
  const names = columns.slice(0, MOST_NAMES).map(({ name }) => `<b>${escaped(name)}</b>`);
  return `${names.join(', ')}${columns.length > MOST_NAMES ? ` and ${columns.length - MOST_NAMES} more` : ''}`;
}

/** What it comes to, for somebody who reads nothing else. */
function summary({ columns, act, guarantee, ledger }: Report): string {
  const isCount = act === 'count';
  const off = columns.reduce((a, b) => (greatestError(b) > greatestError(a) ? b : a));
  const cards = [
    [
      isCount
        ? `${columns[0]!.values.toLocaleString('en')} noisy counts`
        : `${columns.length === 1 ? `“${columns[0]!.name}”` : `${columns.length} columns`} protected`,
      guarantee.unit,
    ],
    [
      `Guessed right: at most ${percentUp(guarantee.bestGuess)}`,
      [guessedWords(columns, guarantee, isCount), ...inAllWords(guarantee.inAll)].join('. But '),
    ],
    [
      `Off by ${offWords(off)} on average`,
      `one ${isCount ? 'count' : `value of “${off.name}”`}${off.published ? ', depending on what it truly is' : ''}; ${isCount ? 'totals of several counts are off by more' : `the mean of all ${off.values.toLocaleString('en')} values by ${off.published ? aggregateWords(off.mean, off.published.bounds) : `about ${number(off.mean.std)}`}`}`,
    ],
    [
      ledger.remaining ? `${leftOf(ledger).replace('nothing', 'Nothing')} is left` : 'No budget is set',
      ledger.remaining
        ? `of ε = ${short(ledger.budget!.epsilon)} for everything that is published of “${ledger.dataset}”; this took ε = ${short(guarantee.epsilon)}`
        : `this took ε = ${short(guarantee.epsilon)}; nothing says how much may be published in all`,
    ],
  ] as const;
  return `<ul class="summary">${cards.map(([head, words]) => `<li><b>${escaped(head)}</b> ${escaped(words)}</li>`).join('')}</ul>`;
}

/** How far a value is off on average, at most, by what is published. */
function greatestError({ noise, published }: ColumnReport): number {
  return published?.greatestError ?? noise.meanAbsolute;
}

/** Who guesses what: of all that a person has there, and below it of one value by itself. */
function guessedWords(
  columns: readonly ColumnReport[],
  { several, about }: Report['guarantee'],
  isCount: boolean,
): string {
  const worst = columns.reduce((a, b) => (b.bestGuess > a.bestGuess ? b : a));
  const values = `${isCount ? 'a count' : 'a value'} is one of two that are ${worst.adjacency} apart`;
  const coin = 'tossing a coin is right 50 % of the time';
  return several
    ? `by whoever wavers ${about.startsWith('between') ? '' : 'over '}${about}, and sees what was published; ${coin}. Of one ${isCount ? 'count' : `value of “${worst.name}”`} alone, two of ${worst.adjacency} apart: at most ${percentUp(worst.bestGuess)}`
    : `by whoever knows that ${values}, and sees what was published; ${coin}`;
}

/** What is left of the budget, where there is one. */
function leftOf({ remaining, budget }: Report['ledger']): string {
  return leftWords(readCost(remaining!), budget!);
}

/** What left as it is, which comes first: nothing protects it. */
function leaving({ act, unchanged, dropped }: Report): string {
  if (act !== 'release') return '';
  const names = namesOf(unchanged.map((name) => ({ name })));
  return `<h2>What left as it is</h2>
<p>${unchanged.length === 0 ? 'No column: all of them are protected.' : `These columns were copied unchanged, and nothing protects them: ${names}.`}</p>
${dropped.length === 0 ? '' : `<p>These columns of the input were left out: ${namesOf(dropped.map((name) => ({ name })))}.</p>\n`}`;
}
