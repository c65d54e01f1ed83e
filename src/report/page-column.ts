// What the page says of a column, or of several with the same noise.

import type { DesignOrigin } from '../design/index.js';
import { escaped, figureOf, scrolled } from '../plot/index.js';
import { type Gain, paidWords } from '../prior/index.js';
import type { Figure, Interval } from '../recover/index.js';
import type { ColumnCharts } from './charts.js';
import type { Aggregate, ColumnReport } from './column.js';
import { number, short } from './figures.js';
import { percentUp } from './guess.js';
import { beliefUpper } from './learnable.js';
import type { Published } from './published.js';

/** All of a group have the same noise; what depends on how many values there are is told of each. */
export function columnSection(
  group: readonly ColumnReport[],
  charts: ColumnCharts | null,
  what: 'value' | 'count',
): string {
  const column = group[0]!;
  const { noise, published } = column;
  const one = group.length === 1;
  const isCount = what === 'count';
  const learn = column.learnable
    .map(({ distance, own, epsilon, delta, guess }) => {
      const belief = beliefUpper(epsilon);
      const mark = own ? ' class="own"' : '';
      return `<tr${mark}><td>${escaped(distance)}</td><td>${percentUp(guess)}</td><td>${belief === null ? '–' : percentUp(belief)}</td><td>${epsilon === null ? '–' : escaped(epsilon)}</td><td>${escaped(short(delta, 3))}</td></tr>`;
    })
    .join('');
  const bounds = published?.bounds ?? null;
  const totals = one
    ? `<tr><th>the sum of all ${column.values.toLocaleString('en')} ${isCount ? 'counts' : 'values'} is off by</th><td>${aggregateWords(column.sum, bounds)}</td></tr>
<tr><th>their mean is off by</th><td>${aggregateWords(column.mean, bounds)}</td></tr>
<tr><th>quantiles of the released ${isCount ? 'counts' : 'values'}</th><td>${quantileWords(column)}</td></tr>`
    : '';
  return `<section>
<h2>${one ? escaped(column.name) : `${group.length} columns with the same noise`}</h2>
${one ? '' : `<p>${group.map(({ name }) => escaped(name)).join(', ')}.</p>`}
<h3>What can still be learned of one ${what}</h3>
<p>Suppose somebody knows everything about a ${isCount ? 'count' : 'record'} except which of two values it has, holds both for equally likely, and then sees what was published. How often can they be right, at most?</p>
${scrolled(`<table class="figures"><tr><th>the two values are apart by</th><th>the best guess is right in at most</th><th>the most telling result makes them sure to at most</th><th>ε</th><th>δ at ε = ${escaped(short(column.epsilon))}</th></tr>${learn}</table>`)}
<p class="small">The marked line is the distance that the guarantee is for. A guess without the publication is right in 50 %. The second column counts all results that can occur, the third only the one that tells most.</p>
<h3>What the noise does</h3>
<table class="pairs">
<tr><th>${published ? 'the noise itself' : `a ${what} is off by`}</th><td>${number(noise.meanAbsolute)} on average, at most ${number(noise.nineOfTen)} in 9 of 10 ${isCount ? 'cells' : 'rows'} (mean of the noise ${number(noise.bias)}, standard deviation ${number(noise.std)})</td></tr>
${totals}
<tr><th>afterwards, free of privacy cost</th><td>${column.afterwards.length === 0 ? 'nothing' : escaped(column.afterwards.join('; '))}</td></tr>
<tr><th>step</th><td>${escaped(column.step)}: values are multiples of it</td></tr>
<tr><th>the mechanism claims</th><td>ε = ${escaped(short(column.claim.epsilon))}, δ = ${escaped(short(column.claim.delta))} at adjacency ${escaped(column.claim.adjacency)}</td></tr>
<tr><th>how it was made</th><td>${escaped(originWords(column.origin))}</td></tr>
<tr><th>mechanism (SHA-256)</th><td class="hash">${escaped(column.mechanism)}</td></tr>
</table>
${one ? '' : totalsTable(group)}
<p class="small">Expected from the noise alone${published ? ' and what was done afterwards' : ''} (± is one standard deviation); no figure here was computed from true values.</p>
${charts ? figureOf(charts.noise) : ''}
${charts?.through ? figureOf(charts.through) : ''}
${isCount ? '' : recoverable(column)}
${published ? publishedSection(published, charts?.published ? figureOf(charts.published) : '') : ''}
</section>`;
}

function quantileWords({ quantiles }: ColumnReport): string {
  return quantiles
    ? quantiles.map(({ share, value }) => `${escaped(value)} (${share * 100} %)`).join(', ')
    : 'not read back from this output';
}

/** What differs among columns with the same noise. */
function totalsTable(group: readonly ColumnReport[]): string {
  const rows = group.map(
    (column) =>
      `<tr><td>${escaped(column.name)}</td><td class="n">${column.values.toLocaleString('en')}</td><td>${aggregateWords(column.sum, column.published?.bounds ?? null)}</td><td>${aggregateWords(column.mean, column.published?.bounds ?? null)}</td><td>${quantileWords(column)}</td></tr>`,
  );
  return scrolled(
    `<table><tr><th>column</th><th>values</th><th>their sum is off by</th><th>their mean is off by</th><th>quantiles of the released values</th></tr>${rows.join('')}</table>`,
  );
}

/** What a reader gets back, from the prior and not from the data. */
function recoverable({ recoverable: found, distances, gain, values }: ColumnReport): string {
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
<p>From ${values.toLocaleString('en')} released values and the mechanism’s file alone, with <code>discreet recover</code>; ${percentUp(confidence)} of intervals hold the true figure.${
    wasserstein === null
      ? ' Without a prior only the mean is foretold; the distribution is recovered all the same.'
      : ` Computed from the prior, not from the data. The recovered distribution is about W = ${number(wasserstein)} from the true one.`
  }</p>
${rows === '' ? '<p>What was done afterwards makes even the error of the mean depend on the data; a prior would tell it.</p>' : scrolled(`<table class="figures"><tr><th>figure</th><th>usual interval</th><th>guaranteed interval</th></tr>${rows}</table>`)}
${distances ? distancesSection(distances) : ''}
${gain ? gainSection(gain) : ''}`;
}

function distancesSection({ one, two, infinity }: NonNullable<ColumnReport['distances']>): string {
  return `<p>By the prior, the distribution of a value with its noise, before anything is done afterwards, is at a Wasserstein distance of W = ${number(one)} from the distribution of the value; ${two === null ? '' : `W₂ = ${number(two)}, and`} W<sub>∞</sub> is ${infinity === 'Infinity' ? 'infinite, as for all noise without an end' : number(infinity)}.</p>`;
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
${scrolled(`<table class="figures"><tr><th>a true value of</th><th>comes out too high by, on average</th><th>is off by, on average</th><th>standard deviation</th></tr>${rows}</table>`)}
${chart}`;
}

/** How far a value is off on average: where that depends on what it truly is, from the least to the most. */
export function offWords({ noise, published }: ColumnReport): string {
  if (!published) return number(noise.meanAbsolute);
  const [least, most] = [number(published.leastError), number(published.greatestError)];
  return least === most ? least : `${least} to ${most}`;
}

/** Off by so much, give or take. */
export function aggregateWords(
  { leastBias, greatestBias, std }: Aggregate,
  bounds: Published['bounds'],
): string {
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
    kl: 'the least Kullback-Leibler divergence of output from input',
    js: 'the least Jensen-Shannon divergence of output from input',
  };
  return `designed for ${words[objective] ?? `the objective ${objective}`}${prior ? `, for data distributed as ${prior.spec}, ${prior.paid ? paidWords(prior.paid) : 'which the publisher declared public'}` : ''}`;
}
