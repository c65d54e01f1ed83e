// `discreet reproduce`: the paper's tables and figures, computed here, beside the exact results: one page,
// each figure as SVG, each table as CSV, both as LaTeX if asked, and everything in one JSON file.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { cannot, invalid, isOurs, wrong } from '../error/index.js';
import { rational } from '../exact/index.js';
import { systemWords } from '../files/index.js';
import { type Cell, type Section, sections, type Table } from '../paper/index.js';
import { parseCsv, parsePrior, quote } from '../spec/index.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { print, printJson, rough, tableText } from './output.js';
import { simulateInParallel } from './parallel.js';
import { progressLine } from './progress.js';
import { latexFigure, latexTable } from './reproduce-latex.js';
import { draw, html } from './reproduce-page.js';

type Options = Needed<'output' | 'seed'> & Maybe<'only'> & Flags<'latex' | 'force' | 'json'>;

export function add(program: Command): void {
  define(
    program,
    'reproduce',
    'Computes every table and figure of the paper beside the exact and better results, and writes a report: report.html, each figure as SVG, its data as CSV, and all of it as report.json.',
    `Examples:
  discreet reproduce
  discreet reproduce --only fig8,table5 -o figures
  discreet reproduce --only fig8,fig9 --latex -o paper`,
  )
    .option('--only <names>', `some of them: ${Object.keys(sections).join(', ')}`)
    .option('-o, --output <dir>', 'the folder to write to', 'report')
    .option('--seed <seed>', 'of the simulated runs: any text', '1')
    .option('--latex', 'write each table and figure as LaTeX too, with booktabs and pgfplots')
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
    seed: options.seed,
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
  if (!process.stderr.isTTY)
    process.stderr.write(`${names.length} ${names.length === 1 ? 'section' : 'sections'} computed\n`);
  const files: string[] = [];
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
    files.push(file);
  };
  for (const { section, drawn } of built) {
    for (const [name, svg] of drawn) write(`${name}.svg`, `${svg}\n`);
    for (const table of section.tables) write(`${table.name}.csv`, csv(table));
    if (!options.latex) continue;
    for (const chart of section.charts) write(`${chart.name}.tex`, latexFigure(chart));
    for (const table of section.tables)
      if (!drawn.has(table.name)) write(`${table.name}.tex`, latexTable(table));
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
  write('report.html', html(built.map(({ section }) => section)));
  const end = `${files.length} ${files.length === 1 ? 'file' : 'files'} in ${options.output}; open ${join(options.output, 'report.html')}`;
  if (options.json) printJson({ folder: options.output, files });
  else print(...(options.only === undefined ? [] : built.flatMap(({ section }) => shown(section))), end);
}

/** Rows up to which a table is printed, where a few sections are asked for. */
const PRINTED = 60;

/** What a section says, for whoever looks for it on the terminal. */
function shown({ title, words, tables }: Section): string[] {
  const short = tables.filter(({ hidden, rows }) => !hidden && rows.length <= PRINTED);
  const cell = (value: Cell) => (typeof value === 'string' ? value : rough(value));
  return [
    title,
    '',
    ...words,
    ...short.flatMap(({ header, rows }) => [
      '',
      tableText(
        [...header],
        rows.map((row) => row.map(cell)),
      ),
    ]),
    '',
  ];
}

function prepare(path: string, force: boolean): string {
  try {
    if (existsSync(path)) {
      if (!statSync(path).isDirectory()) throw wrong(`${path}: is a file; give a folder with -o`);
      if (!force && readdirSync(path).length > 0)
        throw wrong(`${path}: the folder is not empty; choose another or overwrite with {force}`);
      // What an earlier report left would not belong to this one.
      if (existsSync(join(path, 'report.json')))
        for (const file of readdirSync(path).filter((name) => /\.(svg|csv|tex)$|^report\./.test(name)))
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
