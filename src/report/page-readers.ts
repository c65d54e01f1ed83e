// What whoever reads the published file needs to know: what odd values mean, how it is read, what can be got back.

import { escaped } from '../plot/index.js';
import type { ColumnReport } from './column.js';
import { COMMAND, INSTALLED } from './command.js';
import type { Report } from './report.js';
import { commandShown, shellWord } from './shell.js';

/** What a job of others writes, where it does not say. */
export const JOB_OUTPUT = 'a job’s output';

interface Reading {
  readonly python: (file: string) => string;
  readonly r: (file: string) => string;
}

/** How a file is read, by the end of its name. */
const READINGS: readonly (readonly [RegExp, Reading])[] = [
  [
    /\.tsv(?:\.gz)?$/i,
    {
      python: (file) => `pd.read_csv(${file}, sep="\\t")`,
      r: (file) => `read.delim(${file}, check.names = FALSE)`,
    },
  ],
  [
    /\.parquet$/i,
    { python: (file) => `pd.read_parquet(${file})`, r: (file) => `arrow::read_parquet(${file})` },
  ],
  [
    /\.(?:jsonl|ndjson)$/i,
    {
      python: (file) => `pd.read_json(${file}, lines=True)`,
      r: (file) => `jsonlite::stream_in(file(${file}))`,
    },
  ],
  [
    /\.(?:arrow|feather|arrows)$/i,
    { python: (file) => `pd.read_feather(${file})`, r: (file) => `arrow::read_feather(${file})` },
  ],
  [
    /\.csv(?:\.gz)?$/i,
    // The delimiter is the input's.
    {
      python: (file) => `pd.read_csv(${file}, sep=None, engine="python")`,
      r: (file) =>
        `read.csv(${file}, sep = if (grepl(";", readLines(${file}, 1))) ";" else ",", check.names = FALSE)`,
    },
  ],
];

/** Lines that read the file and take a mean, or sums by another column; null where it is none that they could read. */
export function readerLines(
  output: string,
  column: string,
  group: string | null = null,
): { python: string; r: string } | null {
  const found = READINGS.find(([ending]) => ending.test(output))?.[1];
  if (!found) return null;
  const [file, name] = [JSON.stringify(output), JSON.stringify(column)];
  const by = group === null ? null : JSON.stringify(group);
  const python = by === null ? `data[${name}].mean()` : `data.groupby(${by})[${name}].sum()`;
  const r =
    by === null ? `mean(data[[${name}]], na.rm = TRUE)` : `tapply(data[[${name}]], data[[${by}]], sum)`;
  return {
    python: `import pandas as pd\ndata = ${found.python(file)}\nprint(${python})`,
    r: `data <- ${found.r(file)}\n${r}`,
  };
}

const MOST_LINES = 20;

/** A line for each column, with the mechanism that is its own. */
function recoverLines(output: string, { mechanismOf }: Report): string[] {
  return mechanismOf
    .slice(0, MOST_LINES)
    .map(
      ({ column, mechanism }) =>
        `${COMMAND} recover ${shellWord(output)} --column ${shellWord(column)} --range <low,high> --mechanism ${shellWord(mechanism)}`,
    );
}

export function readersSection(report: Report, groups: readonly (readonly ColumnReport[])[]): string {
  const { act, mechanisms } = report;
  // Where a job writes is its own business.
  const output = report.output === JOB_OUTPUT ? 'FOLDER' : report.output;
  const isCount = act === 'count';
  const first = report.columns[0]!;
  const reading = readerLines(output, first.name, report.counted?.by[0]?.column ?? null);
  const free = groups.filter(([column]) => column!.afterwards.length === 0).flat();
  const moved = groups.flat().filter((column) => column.afterwards.length > 0);
  const done = ({ afterwards }: ColumnReport) => afterwards.join(', then ');
  const names = (columns: readonly ColumnReport[]) =>
    columns.length > 5 ? `${columns.length} columns` : columns.map(({ name }) => `“${name}”`).join(', ');
  const points = [
    free.length === 0
      ? null
      : `A negative or otherwise impossible ${isCount ? 'count' : `value in ${names(free)}`} is no error: it is the noise. Leave it as it is. Whoever deletes such ${isCount ? 'counts' : 'values'}, or sets them to 0, moves every total and mean upward.`,
    ...[...new Set(moved.map(done))].map(
      (words) =>
        `${isCount ? 'Counts' : `Values of ${names(moved.filter((column) => done(column) === words))}`} were ${words} after noise was added: totals and means may be off to one side, see below.`,
    ),
    isCount
      ? 'Every cell of the stated domain is there, those in which nobody is as well: a small count is no proof of a person.'
      : 'A single value says little of its person. Totals, means and shares of many values say much: the noise of many values cancels out.',
  ].filter((words) => words !== null);
  return `<h2>For readers of the data</h2>
<ul>${points.map((words) => `<li>${escaped(words)}</li>`).join('')}</ul>
${
  reading
    ? `<p>In Python:</p>\n<pre>${escaped(reading.python)}</pre>\n<p>In R:</p>\n<pre>${escaped(reading.r)}</pre>`
    : ''
}
${
  isCount || mechanisms.length === 0
    ? ''
    : `<p>More than the mean, such as the distribution, quantiles and shares of the true values with intervals, is recovered from ${escaped(output === 'FOLDER' ? 'the folder that the job wrote' : output)} and ${escaped(mechanisms.join(', '))}, without any privacy cost:</p>
<pre>${recoverLines(output, report).map(commandShown).join('\n')}</pre>
<p class="small">In place of &lt;low,high&gt; stand the least and the greatest value that there can be, from public knowledge.${report.mechanismOf.length > MOST_LINES ? ' Other columns are recovered likewise, each with its own mechanism.' : ''}</p>`
}
<p class="small">Commands on this page are those of ${COMMAND} ${escaped(report.version)} or later, which is installed ${escaped(INSTALLED)}.</p>`;
}
