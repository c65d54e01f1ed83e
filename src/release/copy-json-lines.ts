// JSON lines to JSON lines: protected values are replaced where they stand, every other character passes.

import { badData, type DiscreetError } from '../error/index.js';
import {
  bytesOf,
  type HiddenFile,
  hiddenFile,
  leftBehind,
  type OpenedFile,
  openFile,
  writeAll,
} from '../files/index.js';
import { finished, holdsDigit, indexOfText, remembered, textOfIndex } from '../mechanism/index.js';
import type { Pmf } from '../pmf/index.js';
import { type EntropySource, sampler } from '../random/index.js';
import { readsLike } from '../spec/index.js';
import {
  checkLeaving,
  checkPassed,
  gateOf,
  type Outcome,
  oddityOf,
  type ProtectedColumn,
  plainColumn,
  readCell,
} from '../terms/index.js';
import { checkId, noPart, tooManyRows } from './checks.js';
import { type CopyEffects, orAborted, pour } from './effects.js';
import { noId, noNumber, otherPart, systemFailure, valueAsText } from './failure.js';
import { checkedMembers, isNested, keysOf, namesInside, personIn } from './formats/json-lines.js';
import { joined, rowIdentities } from './identities.js';
import type { Copy, Job } from './job.js';
import { jsonLines, type Member } from './json-line.js';
import { keyedSamplerOf } from './keys.js';
import { writeMechanismFiles } from './mechanism-files.js';

export async function copyJsonLines(job: Job, effects: CopyEffects): Promise<Copy> {
  const { path, shown } = job.input;
  const opened = path === null ? null : openFile(path, shown);
  return { unchanged: null, run: () => run(job, opened, effects), close: async () => opened?.close() };
}

/** The keys that would leave as they are, from a reading of all lines that looks at no value. */
export async function tryJsonLines(job: Job, path: string): Promise<string[]> {
  const { shown } = job.input;
  const opened = openFile(path, shown);
  try {
    const keys = [...(await keysOf(opened, shown))].map(([name, { nested, inside }]) => ({
      name,
      tableName: null,
      doubt: nested ? ('nested' as const) : null,
      inside: [...inside],
    }));
    for (const { name } of job.columns)
      if (!keys.some((key) => key.name === name)) throw noKey('columns', shown, name);
    if (job.part && !keys.some((key) => readsLike(key.name, job.part!.column)))
      throw noPart(shown, job.part.column);
    return checkLeaving(job, keys, shown, false);
  } finally {
    opened.close();
  }
}

async function run(job: Job, opened: OpenedFile | null, effects: CopyEffects): Promise<Outcome> {
  const { signal, note, progress, output } = effects;
  const { shown } = job.input;
  const lines = jsonLines(opened ? bytesOf(opened) : effects.input, shown)[Symbol.asyncIterator]();
  const line = lineReleaser(job, shown, effects.entropy);
  let file: HiddenFile | null = null;
  let undo = () => {};
  try {
    file = job.output.path === null ? null : hiddenFile(job.output.path, job.force);
    for (const other of file?.others ?? []) note(leftBehind(other));
    for (let read = 0; ; ) {
      // A line may never come: an abort ends the waiting.
      const { value, done } = await orAborted(signal, lines.next());
      if (done) break;
      signal.throwIfAborted();
      read += value.bytes;
      const text = Buffer.from(value.lines.map(line.release).join(''));
      opened?.check();
      if (file) writeAll(file.file, text);
      else await pour(output, text);
      progress(line.outcome().rows, opened && opened.size > 0 ? read / opened.size : null);
    }
    line.finish();
    signal.throwIfAborted();
    opened?.check();
    undo = writeMechanismFiles(job.mechanismFiles, job.force, note);
    file?.publish();
  } catch (error) {
    undo();
    throw systemFailure(error, job.output.shown);
  } finally {
    file?.discard();
  }
  return line.outcome();
}

/** Noise for one value after the other: fresh, or by what the line is. */
function drawsOf({ columns, keyed }: Job, shown: string, entropy: EntropySource) {
  if (!keyed) {
    const samplerOf = remembered((pmf: Pmf) => sampler(pmf, entropy));
    const draws = columns.map(({ mechanism }) => samplerOf(mechanism.pmf));
    return Object.assign((i: number) => draws[i]!.draw(), { identity: () => '' });
  }
  const draws = columns.map(({ name, mechanism }) => keyedSamplerOf(keyed, name, mechanism.pmf));
  const { by } = keyed;
  const ofRow = 'partition' in by ? rowIdentities(keyed, by.partition) : null;
  const identity = (line: string, members: Members): string => {
    if (ofRow) return ofRow([line.trim()])[0]!;
    const id = members.find(({ key }) => 'id' in by && key === by.id);
    const text = id ? line.slice(id.start, id.end) : 'null';
    if (text === 'null') throw noId(shown, keyed);
    if (isNested(text)) checkId(keyed, columns, [{ ...plainColumn(id!.key), doubt: 'nested' }], shown);
    return text.startsWith('"') ? (JSON.parse(text) as string) : text;
  };
  return Object.assign(
    (i: number, row: () => string, index: bigint) =>
      draws[i]!.noise({ identities: joined([row()]), indices: BigInt64Array.of(index) })[0]!,
    { identity },
  );
}

function lineReleaser(job: Job, shown: string, entropy: EntropySource) {
  const draw = drawsOf(job, shown, entropy);
  const places = new Map(job.columns.map(({ name }, i) => [name, i]));
  const values = job.columns.map(() => 0);
  const seen = job.columns.map(() => false);
  const gate = gateOf(job, false);
  const unchanged = new Set<string>();
  const people = new Map<string | null, number>();
  const checkPart = partChecker(job, shown);
  let rows = 0;
  let number = 0;
  let word: DiscreetError | null = null;
  let value: DiscreetError | null = null;

  const replaced = (
    text: string,
    { lattice, finish }: ProtectedColumn,
    i: number,
    row: () => string,
  ): string => {
    if (text === 'null') return text;
    const cell = text.startsWith('"') ? (JSON.parse(text) as string) : text;
    const plain = job.reading && cell !== text ? readCell(cell, job.reading) : cell;
    if (plain === null) return 'null';
    const index = indexOfText(plain, lattice);
    if (index === null) {
      const leaves = job.output.path === null;
      if (holdsDigit(plain)) {
        value ??= valueAsText(shown, job.columns[i]!.name, new Set([oddityOf(plain)]));
        if (!leaves) throw value;
        // What has left must not show where it is: it counts as 0, and is told when all is through.
        return textOfIndex(finished(draw(i, row, 0n), finish), lattice);
      }
      if (!job.skipInvalid) {
        // Told at the end, unless a cell that stands for a value comes: neither tells where the other is.
        word ??= noNumber(shown, job.columns[i]!.name, rows);
        if (leaves) throw word;
      }
      return 'null';
    }
    values[i]!++;
    return textOfIndex(finished(index + draw(i, row, index), finish), lattice);
  };

  /** What is not protected leaves as it is, unless something speaks against it. */
  const leave = (name: string, text: string) => {
    const nested = isNested(text);
    const refusal = gate.refusal({
      name,
      tableName: null,
      doubt: nested ? 'nested' : null,
      inside: nested ? namesInside(text) : [],
    });
    if (refusal !== null) throw badData(`${shown}, line ${number}: ${refusal}`);
    unchanged.add(name);
  };

  const release = (line: string): string => {
    number++;
    if (line.trim() === '') return line;
    rows++;
    const members = checkedMembers(line, number, shown);
    checkPart(members, line, number);
    if (job.person) countPerson(job.person, members, line, people, shown);
    let [out, at] = ['', 0];
    let known: string | undefined;
    const row = () => (known ??= draw.identity(line, members));
    for (const { key, start, end } of members) {
      const i = places.get(key);
      if (i === undefined) {
        leave(key, line.slice(start, end));
        continue;
      }
      seen[i] = true;
      out += line.slice(at, start) + replaced(line.slice(start, end), job.columns[i]!, i, row);
      at = end;
    }
    return out + line.slice(at);
  };

  return {
    release,
    outcome: (): Outcome => ({ rows, unchanged: [...unchanged], values: [...values] }),
    /** A key that no line has is a mistake, not a column of NULLs. */
    finish: () => {
      if (value ?? word) throw value ?? word;
      if (rows === 0) throw badData(`${shown}: the file is empty; expected a JSON object on each line`);
      seen.forEach((found, i) => {
        if (!found) throw noKey('columns', shown, job.columns[i]!.name);
      });
      if (job.person && !unchanged.has(job.person.column)) throw noKey('person', shown, job.person.column);
      checkPassed(job, [...unchanged], shown, false);
    },
  };
}

/** The keys there are may be data: none of them is listed. */
function noKey(field: string, shown: string, name: string): DiscreetError {
  return badData(`no line of ${shown} has the key ${JSON.stringify(name)}`, field);
}

type Members = readonly Member[];

/** Every line must tell its part, and it must be the one. */
function partChecker({ part }: Job, shown: string): (members: Members, line: string, number: number) => void {
  if (!part) return () => undefined;
  const spellings = new Map<string, boolean>();
  const tells = (key: string) => {
    if (!spellings.has(key)) spellings.set(key, readsLike(key, part.column));
    return spellings.get(key)!;
  };
  return (members, line, number) => {
    const found = members.filter(({ key }) => tells(key));
    if (found.length === 0) throw badData(`line ${number}: ${noPart(shown, part.column).message}`);
    for (const { start, end } of found) {
      const value: unknown = JSON.parse(line.slice(start, end));
      if (typeof value === 'object' || String(value) !== part.value)
        throw otherPart(`${shown}, line ${number}`, part);
    }
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
  const id = member ? personIn(member, line) : null;
  const count = (people.get(id) ?? 0) + 1;
  if (count > person.rows) throw tooManyRows(shown, person);
  people.set(id, count);
}
