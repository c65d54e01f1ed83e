// The page that `discreet reproduce` writes.

import type { Chart, Section, Table } from '../paper/index.js';
import {
  barsChart,
  breakable,
  escaped,
  figureOf,
  lineChart,
  massCurves,
  page,
  pageTable,
  pictureOf,
  verdictMap,
} from '../plot/index.js';
import { columnFormat } from './reproduce-numbers.js';

/** A chart as SVG. */
export function draw(chart: Chart, width?: number): string {
  const axes = {
    title: chart.title,
    x: chart.x,
    y: chart.y,
    logY: chart.logY === true,
    ...(width === undefined ? {} : { width }),
  };
  const kinds = {
    mass: massCurves,
    line: lineChart,
    bars: barsChart,
    map: verdictMap,
  };
  return kinds[chart.kind](chart.series, axes, chart.marks);
}

/** What is asked first: is the paper right? */
const FIRST = ['claims', 'errata'];

/** The page of the report. */
export function html(built: readonly Section[]): string {
  const table = ({ name, header, rows }: Table) => {
    const shown = header.map((_, i) => columnFormat(rows.map((row) => row[i] ?? null)));
    const isNumber = header.map((_, i) => rows.some((row) => typeof row[i] === 'number'));
    const cells = rows.map((row) =>
      row.map((cell, i) => ({
        markup: breakable(shown[i]!(cell)),
        isNumber: isNumber[i]! && typeof cell !== 'string',
      })),
    );
    return `${pageTable(header, cells)}<p class="file"><a href="${name}.csv">${name}.csv</a></p>`;
  };
  const ordered = [
    ...FIRST.flatMap((id) => built.filter((section) => section.id === id)),
    ...built.filter(({ id }) => !FIRST.includes(id)),
  ];
  const body = ordered.map(
    ({ id, title, words, charts, tables }) =>
      `<section id="${id}"><h2>${escaped(title)}</h2>${words.map((line) => `<p>${escaped(line)}</p>`).join('')}${charts
        .map((chart) =>
          figureOf(
            pictureOf((width) => draw(chart, width)),
            `<a href="${chart.name}.svg">${chart.name}.svg</a> · <a href="${chart.name}.csv">${chart.name}.csv</a>`,
          ),
        )
        .join('')}${tables
        .filter(({ hidden }) => !hidden)
        .map(table)
        .join('')}</section>`,
  );
  const contents = ordered.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('');
  return page(
    'Optimal discrete noise: the paper, reproduced and corrected',
    `<h1>Optimal discrete noise: the paper, reproduced and corrected</h1>
<p>“Differential Private Discrete Noise Adding Mechanism: Conditions, Properties and Optimization”, computed by Discreet: what the paper states, what is exactly true, and the optimum it relaxes. Every number is in <a href="report.json">report.json</a> and in the CSV file named beside it.</p>
<ol>${contents}</ol>
${body.join('\n')}`,
  );
}
