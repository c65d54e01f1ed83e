// What every benchmark shares: timing, the machine, and a results file.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Median seconds of a few runs. */
export function seconds(work, runs = 3) {
  const times = Array.from({ length: runs }, () => {
    const start = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - start) / 1e9;
  });
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)];
}

export function machine() {
  return `${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
}

/** Print a Markdown table and keep it under bench/results/; a name like design/peers is a part of design. */
export function save(name, title, header, rows, notes = [], isSilent = false) {
  const text = [
    `# ${title}`,
    '',
    `\`npm run bench -- ${name.split('/')[0]}\` on ${machine()}.`,
    '',
    `| ${header.join(' | ')} |`,
    `|${header.map((_, i) => (i === 0 ? '---' : '--:')).join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    ...notes.flatMap((note) => ['', note]),
    '',
  ].join('\n');
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
  writeFileSync(new URL(`./results/${name.replace('/', '-')}.md`, import.meta.url), text);
  if (!isSilent) process.stdout.write(`${text}\n`);
}
