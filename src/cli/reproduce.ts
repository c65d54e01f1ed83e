// `discreet reproduce`: the paper's tables and figures, computed here, beside the exact results: one page,
// each figure as SVG, each table as CSV, and everything in one JSON file.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { cannot, invalid, isOurs, wrong } from '../error/index.js';
import { rational } from '../exact/index.js';
import { systemWords } from '../files/index.js';
import { type Cell, type Chart, type Section, sections, type Table } from '../paper/index.js';
import {
  barsChart,
  escaped,
  figureOf,
  lineChart,
  massCurves,
  page,
  pictureOf,
  scrolled,
  verdictMap,
} from '../plot/index.js';
import { parseCsv, parsePrior, quote } from '../spec/index.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { print, printJson } from './output.js';
import { simulateInParallel } from './parallel.js';
import { progressLine } from './progress.js';

type Options = Needed<'output'> & Maybe<'only'> & Flags<'force' | 'json'>;

export function add(program: Command): void {
  define(
    program,
    'reproduce',
    'Computes every table and figure of the paper beside the exact and better results, and writes a report: report.html, each figure as SVG, its data as CSV, and all of it as report.json.',
    `Examples:
  discreet reproduce
  discreet reproduce --only fig8,table5 -o figures`,
  )
    .option('--only <names>', `some of them: ${Object.keys(sections).join(', ')}`)
    .option('-o, --output <dir>', 'the folder to write to', 'report')
    .option('--force', 'write into a folder that is not empty')
    .option('--json', 'print what was written as one JSON object')
    .action(run);
}

async function run(options: Options): Promise<void> {
  const known = Object.keys(sections);
  const names =
    options.only === undefined ? known : [...new Set(options.only.split(',').map((name) => name.trim()))];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw invalid(
      `only: unknown ${unknown.map((name) => quote(name)).join(', ')}; known are ${known.join(', ')}`,
    );
  const folder = prepare(options.output, options.force === true);
  const progress = progressLine();
  const built: { section: Section; drawn: Map<string, string> }[] = [];
  const context = {
    inputs: [{ name: 'doctor visits', pmf: exampleInput() }],
    simulate: (simulation: Parameters<typeof simulateInParallel>[0]) =>
      simulateInParallel(simulation, undefined),
  };
  for (const [i, name] of names.entries()) {
    progress.show(`${name} (${i + 1} of ${names.length})`);
    const section = await sections[name]!(context);
    const drawn = new Map(section.charts.map((chart) => [chart.name, draw(chart)]));
    built.push({ section, drawn });
  }
  progress.end();
  if (!process.stderr.isTTY) process.stderr.write(`${names.length} sections computed\n`);
  const files: string[] = [];
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
    files.push(file);
  };
  for (const { section, drawn } of built) {
    for (const [name, svg] of drawn) write(`${name}.svg`, `${svg}\n`);
    for (const table of section.tables) write(`${table.name}.csv`, csv(table));
  }
  const data = built.map(({ section: { id, title, words, tables } }) => ({
    id,
    title,
    words,
    tables: Object.fromEntries(
      tables.map((table) => [table.name, { header: table.header, rows: table.rows }]),
    ),
  }));
  write('report.json', `${JSON.stringify({ sections: data }, null, 1)}\n`);
  write('report.html', html(built));
  if (options.json) printJson({ folder: options.output, files });
  else print(`${files.length} files in ${options.output}; open ${join(options.output, 'report.html')}`);
}

function prepare(path: string, force: boolean): string {
  try {
    if (existsSync(path)) {
      if (!statSync(path).isDirectory()) throw wrong(`${path}: is a file; give a folder with -o`);
      if (!force && readdirSync(path).length > 0)
        throw wrong(`${path}: the folder is not empty; choose another or overwrite with {force}`);
      // What an earlier report left would not belong to this one.
      if (existsSync(join(path, 'report.json')))
        for (const file of readdirSync(path).filter((name) => /\.(svg|csv)$|^report\./.test(name)))
          rmSync(join(path, file));
    } else {
      // Level by level: where none can be made, making them all at once may never return.
      const missing: string[] = [];
      for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
      for (const at of missing) mkdirSync(at);
    }
    // Found out now rather than after the work.
    writeFileSync(join(path, 'report.json'), '');
  } catch (error) {
    if (isOurs(error)) throw error;
    throw cannot(`${path}: ${systemWords(error)}`);
  }
  return path;
}

/** The example data that comes with the project, public domain. */
function exampleInput() {
  const path = fileURLToPath(new URL('../../examples/doctor-visits.csv', import.meta.url));
  const column = (name: string) => {
    const [header, ...rows] = parseCsv(readFileSync(path, 'utf8'));
    const index = header!.indexOf(name);
    return rows.map((row) => row[index] ?? '');
  };
  return parsePrior('column:doctor-visits.csv#visits', rational(1n), {
    table: () => [],
    column: (_, name) => column(name),
    columnIsPublic: true,
  }).pmf;
}

function draw(chart: Chart, width?: number): string {
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

function csv({ header, rows }: Table): string {
  const cell = (value: Cell) =>
    value === null
      ? ''
      : typeof value === 'number'
        ? String(value)
        : /[",\n]/.test(value)
          ? `"${value.replace(/"/g, '""')}"`
          : value;
  return `${[header, ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

/** What is asked first: is the paper right? */
const FIRST = ['claims', 'errata'];

function html(built: readonly { readonly section: Section }[]): string {
  const table = ({ name, header, rows }: Table) => {
    const shown = header.map((_, i) => columnFormat(rows.map((row) => row[i] ?? null)));
    const lines = rows.map(
      (row) =>
        `<tr>${row.map((value, i) => `<td${typeof value === 'number' ? ' class="n"' : ''}>${shown[i]!(value)}</td>`).join('')}</tr>`,
    );
    const isNumber = (i: number) => rows.some((row) => typeof row[i] === 'number');
    const titles = header
      .map((title, i) => `<th${isNumber(i) ? ' class="n"' : ''}>${escaped(title)}</th>`)
      .join('');
    return `${scrolled(`<table><thead><tr>${titles}</tr></thead><tbody>${lines.join('')}</tbody></table>`)}<p class="file"><a href="${name}.csv">${name}.csv</a></p>`;
  };
  const ordered = [
    ...FIRST.flatMap((id) => built.filter(({ section }) => section.id === id)),
    ...built.filter(({ section }) => !FIRST.includes(section.id)),
  ].map(({ section }) => section);
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

/** One format for all numbers of a column, so that they can be compared at a glance. */
function columnFormat(cells: readonly Cell[]): (cell: Cell) => string {
  const sizes = cells
    .filter((cell) => typeof cell === 'number' && cell !== 0)
    .map((cell) => Math.abs(cell as number));
  const whole = cells.every((cell) => typeof cell !== 'number' || Number.isInteger(cell));
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  const least = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const places = Math.max(0, 4 - Math.max(0, Math.floor(Math.log10(most || 1))));
  const format = (value: number) => {
    if (!Number.isFinite(value)) return String(value);
    if (whole && most < 1e15) return String(value);
    // Numbers too far apart for one number of digits after the point.
    if (least < 10 ** -places || most >= 1e7) return value === 0 ? '0' : value.toExponential(3);
    return value.toFixed(places);
  };
  return (cell) =>
    cell === null ? '–' : typeof cell === 'number' ? format(cell).replace('-', '−') : escaped(cell);
}
