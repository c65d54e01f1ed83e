// JSON lines to JSON lines: protected values are replaced where they stand, every other character passes.

import {
  bytesOf,
  type HiddenFile,
  hiddenFile,
  leftBehind,
  type OpenedFile,
  openFile,
  writeAll,
} from '../files/index.js';
import type { EntropySource } from '../random/index.js';
import {
  type Draw,
  findPart,
  freshDraws,
  isNested,
  type LineIdentity,
  lineReleaser,
  noKey,
  withoutDropped,
} from '../rows/index.js';
import { checkLeaving, type Outcome, plainColumn } from '../terms/index.js';
import { checkId } from './checks.js';
import { type CopyEffects, orAborted, pour } from './effects.js';
import { noId, systemFailure } from './failure.js';
import { keysOf } from './formats/json-lines.js';
import { joined, rowIdentities } from './identities.js';
import type { Copy, Job } from './job.js';
import { jsonLines } from './json-lines-stream.js';
import { keyedSamplerOf } from './keys.js';
import { writeMechanismFiles } from './mechanism-files.js';

export async function copyJsonLines(job: Job, effects: CopyEffects): Promise<Copy> {
  const { path, shown } = job.input;
  const opened = path === null ? null : openFile(path, shown);
  return {
    unchanged: null,
    hold: async () => undefined,
    run: () => run(job, opened, effects),
    close: async () => opened?.close(),
  };
}

/** The keys that would leave as they are, from a reading of all lines that looks at no value. */
export async function tryJsonLines(job: Job, path: string): Promise<string[]> {
  const { shown } = job.input;
  const opened = openFile(path, shown);
  try {
    const keys = [...(await keysOf(opened, shown))].map(([name, { nested, inside, oneText }]) => ({
      name,
      tableName: null,
      doubt: nested ? ('nested' as const) : null,
      inside: [...inside],
      oneText,
    }));
    for (const { name } of job.columns)
      if (!keys.some((key) => key.name === name)) throw noKey('columns', shown, name);
    for (const name of job.dropped ?? [])
      if (!keys.some((key) => key.name === name)) throw noKey('drop', shown, name);
    if (job.part) findPart(keys, job.part, shown);
    return checkLeaving(job, withoutDropped(keys, job.dropped, shown), shown, false);
  } finally {
    opened.close();
  }
}

async function run(job: Job, opened: OpenedFile | null, effects: CopyEffects): Promise<Outcome> {
  const { signal, note, progress, output } = effects;
  const { shown } = job.input;
  const lines = jsonLines(opened ? bytesOf(opened) : effects.input, shown)[Symbol.asyncIterator]();
  const { draw, identity } = drawsOf(job, shown, effects.entropy);
  const line = lineReleaser(job, shown, draw, identity);
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

/** Noise for one value after the other, fresh or by what the line is; and what the line is. */
function drawsOf(
  { columns, keyed }: Job,
  shown: string,
  entropy: EntropySource,
): { draw: Draw; identity: LineIdentity } {
  if (!keyed) return { draw: freshDraws(columns, entropy), identity: () => '' };
  const draws = columns.map(({ name, mechanism }) => keyedSamplerOf(keyed, name, mechanism.pmf));
  const { by } = keyed;
  const ofRow = 'partition' in by ? rowIdentities(keyed, by.partition) : null;
  const identity: LineIdentity = (line, members) => {
    if (ofRow) return ofRow([line.trim()])[0]!;
    const id = members.find(({ key }) => 'id' in by && key === by.id);
    const text = id ? line.slice(id.start, id.end) : 'null';
    if (text === 'null') throw noId(shown, keyed);
    if (isNested(text)) checkId(keyed, [{ ...plainColumn(id!.key), doubt: 'nested' }], shown);
    return text.startsWith('"') ? (JSON.parse(text) as string) : text;
  };
  return {
    draw: (i, index, row) =>
      draws[i]!.noise({ identities: joined([row()]), indices: BigInt64Array.of(index) })[0]!,
    identity,
  };
}
