// JSON lines to JSON lines: protected values are replaced where they stand, every other character passes.

import { closeSync, createReadStream, openSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { sampler } from '../random/index.js';
import { findColumn, tooManyRows } from './checks.js';
import { InputError, invalidRow, otherPart, systemFailure, unprotected } from './failure.js';
import type { Copy, Job, Outcome, ProtectedColumn } from './job.js';
import { jsonLines, type Member } from './json-line.js';
import { finished, indexOfText, textOfIndex } from './lattice.js';
import { hiddenFile, writeAll } from './output-file.js';
import { type Place, shownPlace } from './place.js';
import { checkFile } from './source.js';
import { checkedMembers, personOf } from './source-json-lines.js';

const PIECE = 1 << 20;

export async function copyJsonLines(job: Job): Promise<Copy> {
  const input = job.input as Place & { kind: 'file' | 'pipe' };
  if (input.kind === 'file') checkFile(input.path);
  return { columns: [], run: () => run(job, input), close: async () => undefined };
}

async function run(job: Job, input: Place & { kind: 'file' | 'pipe' }): Promise<Outcome> {
  const shown = shownPlace(input);
  const output = job.output as Place & { kind: 'file' | 'pipe' };
  const shownOutput = shownPlace(output);
  const size = input.kind === 'file' ? statSync(input.path).size : null;
  const stream: Readable =
    input.kind === 'file' ? createReadStream(input.path, { highWaterMark: PIECE }) : process.stdin;
  const line = lineReleaser(job, shown);
  // A line may never come: the abort ends the waiting.
  const stop = () => stream.destroy(job.signal.reason);
  job.signal.addEventListener('abort', stop);
  const file = output.kind === 'file' ? hiddenFile(output.path, job.force) : null;
  try {
    const target = file ? openSync(file.path, 'wx') : 1;
    try {
      let read = 0;
      for await (const { lines, bytes } of jsonLines(stream, shown)) {
        job.signal.throwIfAborted();
        read += bytes;
        writeAll(target, Buffer.from(lines.map(line.release).join('')));
        job.progress(line.outcome().rows, size === null || size === 0 ? null : read / size);
      }
      line.finish();
    } finally {
      if (file) closeSync(target);
    }
    job.signal.throwIfAborted();
    job.beforePublish();
    file?.publish();
  } catch (error) {
    throw systemFailure(error, shownOutput);
  } finally {
    job.signal.removeEventListener('abort', stop);
    file?.discard();
  }
  return line.outcome();
}

function lineReleaser(job: Job, shown: string) {
  const draws = job.columns.map(({ mechanism }) => sampler(mechanism.pmf, job.source));
  const values = job.columns.map(() => 0);
  const seen = job.columns.map(() => false);
  const names = new Set<string>();
  const people = new Map<string | null, number>();
  const checkPart = partChecker(job, shown);
  let rows = 0;
  let number = 0;

  const replaced = (text: string, { lattice, finish }: ProtectedColumn, i: number): string => {
    if (text === 'null') return text;
    const plain = text.startsWith('"') ? (JSON.parse(text) as string) : text;
    const index = indexOfText(plain, lattice, job.snap);
    if (index === null) {
      if (job.skipInvalid) return 'null';
      throw invalidRow(shown, job.columns[i]!.name, rows, textOfIndex(1n, lattice));
    }
    values[i]!++;
    return textOfIndex(finished(index + draws[i]!.draw(), finish), lattice);
  };

  const release = (line: string): string => {
    number++;
    if (line.trim() === '') return line;
    rows++;
    const members = checkedMembers(line, number, shown);
    for (const { key } of members) names.add(key);
    const bare = members.map(({ key }) => key).find((key) => job.guarded.includes(key));
    if (bare !== undefined) throw new InputError(unprotected(shown, bare));
    checkPart(members, line, number);
    if (job.person) countPerson(job.person, members, line, people, shown);
    let [out, at] = ['', 0];
    for (const { key, start, end } of members) {
      const i = job.columns.findIndex(({ name }) => name === key);
      if (i < 0) continue;
      seen[i] = true;
      out += line.slice(at, start) + replaced(line.slice(start, end), job.columns[i]!, i);
      at = end;
    }
    return out + line.slice(at);
  };

  return {
    release,
    outcome: (): Outcome => ({ rows, values: [...values] }),
    /** A key that no line has is a mistake, not a column of NULLs. */
    finish: () => {
      if (rows === 0)
        throw new InputError(`${shown}: the file is empty; expected a JSON object on each line`);
      const known = [...names].map((name) => ({ name }));
      seen.forEach((found, i) => {
        if (!found) findColumn(known, job.columns[i]!.name, shown, '--column');
      });
      if (job.person) findColumn(known, job.person.column, shown, '--person');
    },
  };
}

type Members = readonly Member[];

/** The lines either all tell their part, which must be the one, or none does. */
function partChecker({ part }: Job, shown: string): (members: Members, line: string, number: number) => void {
  let tells: boolean | null = null;
  return (members, line, number) => {
    if (!part) return;
    const member = members.find(({ key }) => key === part.column);
    tells ??= member !== undefined;
    const value = member ? (JSON.parse(line.slice(member.start, member.end)) as unknown) : null;
    if (tells !== (member !== undefined) || (tells && String(value) !== part.value))
      throw otherPart(`${shown}, line ${number}`, part);
  };
}

function countPerson(
  person: NonNullable<Job['person']>,
  members: Members,
  line: string,
  people: Map<string | null, number>,
  shown: string,
): void {
  const member = members.find(({ key }) => key === person.column);
  const id = member ? personOf(member, line) : null;
  const count = (people.get(id) ?? 0) + 1;
  if (count > person.rows) throw tooManyRows(shown, person);
  people.set(id, count);
}
