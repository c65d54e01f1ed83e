// The report as a page: one file, no script, fit to print.

import type { DesignOrigin } from '../design/index.js';
import { fromNumber, integer, multiply, parseDecimal, toDecimalDown, toDecimalUp } from '../exact/index.js';
import { escaped } from '../plot/index.js';
import { type Gain, paidWords } from '../prior/index.js';
import type { Figure, Interval } from '../recover/index.js';
import type { Aggregate, ColumnReport } from './column.js';
import { beliefUpper } from './learnable.js';
import type { Published } from './published.js';
import type { Report } from './report.js';

/** Pictures of a column: its noise, and what clamping and rounding make of it where they were done. */
export interface ColumnCharts {
  readonly noise: string;
  readonly published: string | null;
}

/** The page itself. */
export function reportPage(report: Report, charts: readonly ColumnCharts[]): string {
  const { guarantee, ledger } = report;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Release of ${escaped(ledger.dataset)}</title>
<style>${STYLE}</style>
<h1>Release of ${escaped(ledger.dataset)}</h1>
<p class="facts">${escaped(report.time.slice(0, 16).replace('T', ' '))} UTC by ${escaped(report.who)} · ${report.rows.toLocaleString('en')} ${report.act === 'count' ? 'cells counted' : 'rows'} from ${escaped(report.input)} to ${escaped(report.output)}</p>

${leaving(report)}
<h2>What is guaranteed</h2>
<p class="guarantee">${escaped(guarantee.sentence)}</p>
<p>Protected: ${report.columns.map(({ name }) => `<b>${escaped(name)}</b>`).join(', ')}, ${escaped(guarantee.unit)}. Total cost:
<b>ε = ${escaped(short(guarantee.epsilon))}</b>${guarantee.delta === '0' ? '' : `, <b>δ = ${escaped(short(guarantee.delta))}</b>`}. Every figure is computed from the mechanism’s integers in exact arithmetic and rounded upward.</p>
<ul>${report.notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>
${
  report.query
    ? `<pre>${escaped(report.query.sql)}</pre>
`
    : ''
}
<h2>What is not protected</h2>
<ul>${report.notProtected.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>

${report.columns.map((column, i) => columnSection(column, charts[i] ?? null, report.act === 'count' ? 'count' : 'value')).join('\n')}

<h2>The budget</h2>
<table>
<tr><th>dataset</th><td>${escaped(ledger.dataset)}${ledger.part === null ? '' : `, part ${escaped(ledger.part)}`}</td></tr>
<tr><th>spent, this release included</th><td>ε = ${escaped(short(ledger.spent.epsilon))}, δ = ${escaped(short(ledger.spent.delta))} by ${escaped(ledger.accountant)}</td></tr>
<tr><th>budget</th><td>${ledger.budget ? `ε = ${escaped(short(ledger.budget.epsilon))}, δ = ${escaped(short(ledger.budget.delta))}` : 'none is set'}</td></tr>
<tr><th>left</th><td>${ledger.remaining ? `ε = ${escaped(down(ledger.remaining.epsilon))}, δ = ${escaped(down(ledger.remaining.delta))}` : '–'}</td></tr>
<tr><th>ledger</th><td>${escaped(ledger.address)}, entry ${ledger.entry}</td></tr>
<tr><th>its head</th><td class="hash">${escaped(ledger.head)}</td></tr>
</table>

<h2>How to verify</h2>
<p>The first command recomputes the guarantee from the mechanism’s integers alone; the last one finds any entry of the ledger that was changed, removed or cut off since.</p>
<pre>${report.verify.map(escaped).join('\n')}</pre>
</html>
`;
}

/** What left as it is, which comes first: nothing protects it. */
function leaving({ act, unchanged }: Report): string {
  if (act !== 'release') return '';
  const names = unchanged
    .slice(0, MOST_NAMES)
    .map((name) => `<b>${escaped(name)}</b>`)
    .join(', ');
  const more = unchanged.length > MOST_NAMES ? ` and ${unchanged.length - MOST_NAMES} more` : '';
  return `<h2>What left as it is</h2>
<p>${unchanged.length === 0 ? 'No column: all of them are protected.' : `These columns were copied unchanged, and nothing protects them: ${names}${more}.`}</p>
`;
}

const MOST_NAMES = 200;

function columnSection(column: ColumnReport, charts: ColumnCharts | null, what: 'value' | 'count'): string {
  const { noise, published } = column;
  const learn = column.learnable
    .map(({ distance, epsilon, delta, guess }) => {
      const belief = beliefUpper(epsilon);
      const mark = distance === column.adjacency ? ' class="own"' : '';
      return `<tr${mark}><td>${escaped(distance)}</td><td>${epsilon === null ? '–' : escaped(epsilon)}</td><td>${escaped(delta)}</td><td>${percent(guess)}</td><td>${belief === null ? '–' : percent(belief)}</td></tr>`;
    })
    .join('');
  const quantiles = column.quantiles
    ? `<tr><th>quantiles of the released values</th><td>${column.quantiles.map(({ share, value }) => `${escaped(value)} (${share * 100} %)`).join(', ')}</td></tr>`
    : '<tr><th>quantiles of the released values</th><td>not read back from this output</td></tr>';
  return `<section>
<h2>${escaped(column.name)}</h2>
<h3>What can still be learned of one ${what}</h3>
<p>Somebody wavers between two values of a ${what === 'count' ? 'count' : 'record'} that lie so far apart, each as likely as the other, and sees the release.</p>
<table class="figures"><tr><th>distance</th><th>ε</th><th>δ at ε = ${escaped(short(column.epsilon))}</th><th>the best guess is right in at most</th><th>belief rises to at most</th></tr>${learn}</table>
<p class="small">The marked line is the adjacency that the guarantee is for. The best guess counts all results; belief is for the single most telling one.</p>
<h3>What the noise does</h3>
<table>
<tr><th>${published ? 'the noise itself' : 'a value is off by'}</th><td>${number(noise.meanAbsolute)} on average, at most ${number(noise.nineOfTen)} in 9 of 10 rows (mean of the noise ${number(noise.bias)}, standard deviation ${number(noise.std)})</td></tr>
<tr><th>the sum of all ${column.values.toLocaleString('en')} values is off by</th><td>${aggregateWords(column.sum, published?.bounds ?? null)}</td></tr>
<tr><th>their mean is off by</th><td>${aggregateWords(column.mean, published?.bounds ?? null)}</td></tr>
${quantiles}
<tr><th>afterwards, free of privacy cost</th><td>${column.afterwards.length === 0 ? 'nothing' : escaped(column.afterwards.join('; '))}</td></tr>
<tr><th>step</th><td>${escaped(column.step)}: values are multiples of it</td></tr>
<tr><th>the mechanism claims</th><td>ε = ${escaped(short(column.claim.epsilon))}, δ = ${escaped(short(column.claim.delta))} at adjacency ${escaped(column.claim.adjacency)}</td></tr>
<tr><th>how it was made</th><td>${escaped(originWords(column.origin))}</td></tr>
<tr><th>mechanism (SHA-256)</th><td class="hash">${escaped(column.mechanism)}</td></tr>
</table>
<p class="small">Expected from the noise alone${published ? ' and what was done afterwards' : ''} (± is one standard deviation); no figure here was computed from true values.</p>
${charts?.noise ?? ''}
${what === 'value' ? recoverable(column) : ''}
${published ? publishedSection(published, charts?.published ?? '') : ''}
</section>`;
}

/** What a reader gets back, from the prior and not from the data. */
function recoverable({ recoverable: found, gain, values }: ColumnReport): string {
  if (!found) return '';
  const { mean, median, variance, wasserstein, confidence } = found;
  const off = ({ estimate }: Figure, [low, high]: Interval) =>
    `−${number(estimate - low)} … +${number(high - estimate)}`;
  const row = (name: string, figure: Figure | null) =>
    figure
      ? `<tr><td>${name}</td><td>${off(figure, figure.usual)}</td><td>${figure.guaranteed ? off(figure, figure.guaranteed) : 'takes a range'}</td></tr>`
      : '';
  const rows = [row('mean', mean), row('median', median), row('variance', variance)].join('');
  return `<h3>What a reader will be able to recover</h3>
<p>From ${values.toLocaleString('en')} released values and the mechanism’s file alone, with <code>discreet recover</code>; ${percent(confidence)} of intervals hold the true figure.${
    wasserstein === null
      ? ' Without a prior only the mean is foretold; the distribution is recovered all the same.'
      : ` Computed from the prior, not from the data. The recovered distribution is about W = ${number(wasserstein)} from the true one.`
  }</p>
${rows === '' ? '<p>What was done afterwards makes even the error of the mean depend on the data; a prior would tell it.</p>' : `<table class="figures"><tr><th>figure</th><th>usual interval</th><th>guaranteed interval</th></tr>${rows}</table>`}
${gain ? gainSection(gain) : ''}`;
}

function gainSection({ paid, epsilon, wasserstein: w, meanAbsolute }: Gain): string {
  const less = 100 * (1 - w.own / w.without);
  return `<h3>What the prior was good for</h3>
<p>Part of ε was spent on the distribution of the data, ${escaped(paidWords(paid))}; prior and noise together cost ε = ${escaped(short(epsilon))}. ${
    less > 0.5
      ? `With the rest the noise keeps the output within W = ${number(w.own)} of the input, ${number(less)} % less than the ${number(w.without)} of the best noise without a prior for all of ε.`
      : `Nothing was gained: the noise keeps the output within W = ${number(w.own)} of the input, and the best noise without a prior, for all of ε, would have kept it within ${number(w.without)}.`
  } The mean error E|θ| is ${number(meanAbsolute.own)} against ${number(meanAbsolute.without)}.</p>`;
}

function publishedSection({ at, bounds, warning }: Published, chart: string): string {
  const every = Math.max(1, Math.ceil(at.length / 9));
  const rows = at
    .filter((_, i) => i % every === 0 || i === at.length - 1)
    .map(
      ({ value, bias, meanAbsolute, std }) =>
        `<tr><td>${number(value)}</td><td>${number(bias)}</td><td>${number(meanAbsolute)}</td><td>${number(std)}</td></tr>`,
    )
    .join('');
  return `<h3>What was published, by the true value</h3>
${warning === null ? '' : `<p class="warning"><b>Mind:</b> ${escaped(warning)}.</p>`}
${bounds === null ? '' : `<p>A value that truly lies outside of ${escaped(bounds.join(' … '))} is moved into these bounds, and is off by at least its distance from them.</p>`}
<table class="figures"><tr><th>a true value of</th><th>comes out too high by, on average</th><th>is off by, on average</th><th>standard deviation</th></tr>${rows}</table>
${chart}`;
}

/** Off by so much, give or take. */
function aggregateWords({ leastBias, greatestBias, std }: Aggregate, bounds: Published['bounds']): string {
  const bias =
    number(leastBias) === number(greatestBias)
      ? number(leastBias)
      : `${number(leastBias)} to ${number(greatestBias)} (${bounds ? `for values that are truly within ${bounds.join(' … ')}; ` : ''}it depends on them)`;
  return `${bias} ± ${number(std)}`;
}

/** How a mechanism was made, as far as its file tells. */
function originWords(origin: Readonly<Record<string, unknown>>): string {
  const { noise, design } = origin as { noise?: string } & Partial<DesignOrigin>;
  if (typeof noise === 'string') return `the noise ${noise}`;
  if (!design) return 'its file does not say';
  const { objective = 'that its file does not name', prior } = design;
  const words: Record<string, string> = {
    wasserstein: 'the least Wasserstein distance of output from input',
    magnitude: 'the least mean error E|θ|',
    variance: 'the least mean square E θ²',
  };
  return `designed for ${words[objective] ?? `the objective ${objective}`}${prior ? `, for data distributed as ${prior.spec}, ${prior.paid ? paidWords(prior.paid) : 'which the publisher declared public'}` : ''}`;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff; }
h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { font-size: 1.25rem; margin-top: 2rem; border-bottom: 1px solid #ccc; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.facts, .small { color: #555; font-size: .875rem; }
.warning { background: #fff4e0; border-left: 4px solid #c77700; padding: .75rem 1rem; }
.guarantee { background: #eef4fb; border-left: 4px solid #2a6fb0; padding: .75rem 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd; }
.figures td, .figures th { text-align: right; } .own { background: #eef4fb; font-weight: 600; }
.hash { font: .8rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: #f5f5f5; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
svg { max-width: 100%; height: auto; }
@media print { body { margin: 0; font-size: 11pt; } section { break-inside: avoid-page; } h2, h3 { break-after: avoid; } }
`;

function number(x: number): string {
  return String(Number(x.toPrecision(4)));
}

/** Seven digits at most, upward. */
function short(decimal: string): string {
  return toDecimalUp(parseDecimal(decimal), 7);
}

/** Seven digits at most, downward. */
function down(decimal: string): string {
  return toDecimalDown(parseDecimal(decimal), 7);
}

/** Four digits of a per cent, upward. */
function percent(share: number): string {
  return `${toDecimalUp(multiply(fromNumber(share), integer(100)), 4)} %`;
}
