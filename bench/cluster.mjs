// Releases from Spark against Spark's own copy and against an empty function in Python, which is the least that any such release takes;
// counts against Tumult Analytics and PipelineDP, each on the Spark it runs with. Runs alternate; each figure is a median.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment, pyspark, sparkEnvironment } from '../scripts/spark.mjs';
import { save } from './_report.mjs';

const ROWS = 20_000_000;
/** PipelineDP calls Python for every row. */
const FEWER = 1_000_000;
const RUNS = 3;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const main = path('../dist/cli/main.js');

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Medians of what a program tells, by name. */
function measured(python, what, folder, rows, runs) {
  const { status, stdout, stderr } = spawnSync(
    python,
    [path('peers/cluster.py'), what, folder, String(rows), String(runs)],
    {
      encoding: 'utf8',
      env: sparkEnvironment(python, {
        PYTHONPATH: path('../spark/src'),
        DISCREET_COMMAND: `"${process.execPath}" "${main}"`,
      }),
    },
  );
  if (status !== 0) throw new Error(`${what}: exit code ${status}\n${stderr.slice(-2000)}`);
  const found = new Map();
  for (const line of stdout.split('\n').filter((text) => text.startsWith('{'))) {
    const { name, seconds } = JSON.parse(line);
    found.set(name, [...(found.get(name) ?? []), seconds]);
  }
  return (name) => median(found.get(name));
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-bench-'));
  try {
    execFileSync(process.execPath, [
      ...[main, 'ledger', 'init', '--ledger', join(folder, 'ledger.db'), '--dataset', 'visits'],
      ...['--epsilon', '500', '--adjacency', 'visits=5'],
    ]);
    const python = pyspark();
    const copies = measured(python, 'copies', folder, ROWS, RUNS);
    const ratio = (x) => (x / copies('copy')).toFixed(2);
    save(
      'cluster',
      `${ROWS / 1e6} M rows of four columns, Parquet to Parquet, local[2]`,
      ['what', 's', 'against the copy'],
      ['copy', 'identity', 'as read', 'release'].map((name) => [
        {
          copy: "Spark's own copy",
          identity: 'an empty function in Python (mapInArrow)',
          'as read': 'a release in the order of the files (input_order)',
          release: 'a release, rows by their ids',
        }[name],
        copies(name).toFixed(1),
        ratio(copies(name)),
      ]),
      [
        'A release is all of it: digests of the files, the check that no id is there twice, ledger, noise by key, writing. The empty function is the least that anything in Python takes: Spark turns its columns into rows, the rows into Arrow batches, and back.',
        'Rows by their ids take a shuffle and a sort of all rows, without which the order of rows would follow the sizes of files, and so true values.',
        `In the order of the files the release takes ${(copies('as read') / copies('identity')).toFixed(2)} times the empty function.`,
      ],
    );
    const own = measured(python, 'counts', folder, ROWS, RUNS);
    const tumult = environment('tumult', ['tmlt.analytics==0.21.0']);
    const pipelineDp = environment('pipeline-dp', ['pipeline-dp==0.3.1', 'pyspark>=3.5,<4']);
    const theirs = measured(tumult, 'tumult', folder, ROWS, RUNS);
    const small = measured(python, 'counts', folder, FEWER, RUNS);
    const other = measured(pipelineDp, 'pipeline_dp', folder, FEWER, 1);
    const row = (name, rows, seconds, base) => [
      name,
      `${rows / 1e6} M`,
      seconds.toFixed(1),
      (seconds / base).toFixed(1),
    ];
    save(
      'cluster/counts',
      'Counts by two columns, eight cells, ε = 1',
      ['what', 'rows', 's', 'against discreet'],
      [
        row('Spark, without noise', ROWS, own('plain'), own('discreet')),
        row('discreet', ROWS, own('discreet'), own('discreet')),
        row('Tumult Analytics 0.21', ROWS, theirs('tumult'), own('discreet')),
        row('discreet', FEWER, small('discreet'), small('discreet')),
        row('PipelineDP 0.3.1', FEWER, other('pipeline_dp'), small('discreet')),
      ],
      ['Tumult and PipelineDP run on Spark 3.5, which is what they support; PipelineDP on its RDD backend.'],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
