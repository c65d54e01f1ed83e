// Arrow to Arrow: protected columns are replaced batch by batch, every other one passes as it is. Memory holds a batch.

import type { DataType, RecordBatch, Schema } from 'apache-arrow';
import { hiddenFile, leftBehind, openFile, writeAll } from '../files/index.js';
import { finishAll, remembered } from '../mechanism/index.js';
import type { Pmf } from '../pmf/index.js';
import { type Identities, sampler } from '../random/index.js';
import {
  checkNames,
  findColumn,
  findPart,
  noNumber,
  oddTexts,
  otherPart,
  type Part,
  personOf,
  tooManyRows,
  withoutDropped,
} from '../rows/index.js';
import {
  checkLeaving,
  checkOwnColumn,
  type InputColumn,
  type Outcome,
  type ProtectedColumn,
} from '../terms/index.js';
import {
  type Arrow,
  type Batches,
  batchOf,
  batchWriter,
  decimalData,
  inputColumn,
  loadArrow,
  openBatches,
  withNulls,
} from './arrow.js';
import { cellTexts } from './arrow-cells.js';
import { identitySource, indicesOf } from './arrow-rows.js';
import { noNumberOf } from './arrow-types.js';
import { checkId, checkNumber } from './checks.js';
import { type CopyEffects, orAborted, pour } from './effects.js';
import { systemFailure } from './failure.js';
import type { Copy, Job } from './job.js';
import { keyedSamplerOf } from './keys.js';
import { writeMechanismFiles } from './mechanism-files.js';
import type { Place } from './places/index.js';

export async function copyArrow(job: Job, effects: CopyEffects): Promise<Copy> {
  const arrow = await loadArrow();
  const { path, shown } = job.input;
  const opened = path === null ? null : openFile(path, shown);
  try {
    const batches = await openBatches(arrow, opened ?? effects.input, shown);
    const partition = partitionOf(arrow, job, batches.schema, effects);
    return {
      unchanged: partition.unchanged,
      hold: async () => undefined,
      run: async () => run(arrow, job, batches, partition, effects, () => opened?.check()),
      close: async () => {
        await batches.close();
        opened?.close();
      },
    };
  } catch (error) {
    opened?.close();
    throw error;
  }
}

async function run(
  arrow: Arrow,
  job: Job,
  batches: Batches,
  partition: Partition,
  effects: CopyEffects,
  check: () => void,
): Promise<Outcome> {
  const { signal, note, progress, output } = effects;
  let undo = () => {};
  const file = job.output.path === null ? null : hiddenFile(job.output.path, job.force);
  for (const other of file?.others ?? []) note(leftBehind(other));
  const writer = batchWriter(arrow, isFile(job.output) ? 'file' : 'stream', partition.schema, (bytes) =>
    file ? writeAll(file.file, bytes) : pour(output, bytes),
  );
  try {
    const rest = batches.all();
    let any = false;
    for (;;) {
      // A batch may never come: an abort ends the waiting.
      const { value, done } = await orAborted(signal, rest.next());
      if (done) break;
      const released = partition.release(value);
      check();
      await writer.write(released);
      any = true;
      progress(partition.outcome().rows, null);
    }
    if (!any) await writer.write(partition.none());
    partition.finish();
    signal.throwIfAborted();
    check();
    undo = writeMechanismFiles(job.mechanismFiles, job.force, note);
    await writer.finish();
    file?.publish();
  } catch (error) {
    undo();
    writer.abort();
    throw systemFailure(error, job.output.shown);
  } finally {
    file?.discard();
  }
  return partition.outcome();
}

/** Streams have a name of their own. */
function isFile({ path }: Place): boolean {
  return path !== null && !/\.arrows$/i.test(path);
}

type Partition = ReturnType<typeof partitionOf>;

function partitionOf(arrow: Arrow, job: Job, schema: Schema, effects: CopyEffects) {
  const { shown } = job.input;
  const { fields } = schema;
  const inputs = fields.map((field) => inputColumn(arrow, field));
  checkNames(
    fields.map(({ name }) => name),
    shown,
  );
  const columns = job.columns.map((column) => {
    const field = findColumn(fields, column.name, shown, 'columns');
    checkNumber({ name: field.name, noNumber: noNumberOf(arrow, field.type) }, shown);
    return { ...column, at: fields.indexOf(field), type: outputType(arrow, column) };
  });
  if (job.keyed) checkId(job.keyed, inputs, shown);
  const checkPart = partChecker(arrow, job.part, inputs, shown);
  const countPeople = peopleCounter(arrow, job, inputs);
  // Of columns that an engine keeps, nothing is there that might leave.
  const passed = job.only
    ? job.passed.filter((name) => fields.some((field) => field.name === name))
    : job.passed;
  const unchanged = checkLeaving({ ...job, passed }, withoutDropped(inputs, job.dropped, shown), shown, true);
  const noiseOf = noiseSource(job, effects);
  const identitiesOf = job.keyed ? identitySource(arrow, job.keyed, schema, shown) : () => NO_IDENTITIES;
  const written = job.only
    ? columns.map(({ at }) => at)
    : withoutDropped(fields, job.dropped, shown).map((field) => fields.indexOf(field));
  const outSchema = new arrow.Schema(
    written.map((k) => {
      const [field, own] = [fields[k]!, columns.find(({ at }) => at === k)];
      // What is noted beside protected values was computed from them, and so may be what is noted of all columns.
      return own
        ? new arrow.Field(field.name, own.type, true)
        : new arrow.Field(field.name, field.type, field.nullable);
    }),
  );
  const values = columns.map(() => 0);
  let rows = 0;
  const texts = oddTexts(job.columns, job.reading);

  const release = (batch: RecordBatch): RecordBatch => {
    const count = batch.numRows;
    checkPart(batch);
    countPeople(batch);
    const identities = identitiesOf(batch);
    const children = [...batch.data.children];
    for (const [i, { name, at, type, lattice, finish }] of columns.entries()) {
      const { indices, isNull, odd } = indicesOf(arrow, batch.getChildAt(at)!, columns[i]!);
      for (const text of odd.values) texts.add(i, text);
      if (odd.word >= 0 && !job.skipInvalid) throw noNumber(shown, name, rows + odd.word + 1, job.reading);
      const noise = noiseOf(i, identities, indices);
      finishAll(indices, noise, finish);
      const data =
        lattice.places > 0
          ? decimalData(indices, lattice.unit)
          : lattice.unit === 1n
            ? indices
            : indices.map((index) => index * lattice.unit);
      children[at] = arrow.makeData(withNulls({ type, data }, isNull) as never);
      for (let r = 0; r < count; r++) values[i]! += isNull[r] ? 0 : 1;
    }
    rows += count;
    const out = written.map((k) => children[k]!);
    return batchOf(arrow, outSchema, count, out);
  };

  return {
    unchanged,
    schema: outSchema,
    release,
    none: () =>
      batchOf(
        arrow,
        outSchema,
        0,
        outSchema.fields.map(({ type }) => arrow.makeData({ type } as never)),
      ),
    outcome: (): Outcome => ({ rows, unchanged, values: [...values] }),
    finish: () => {
      texts.check(shown);
    },
  };
}

function outputType(arrow: Arrow, { lattice: { places, digits } }: ProtectedColumn): DataType {
  return places === 0 ? new arrow.Int64() : new arrow.Decimal(places, digits, 128);
}

const NO_IDENTITIES: Identities = new BigInt64Array(0);

/** Fresh draws, or by what rows are. */
function noiseSource({ columns, keyed }: Job, { entropy }: CopyEffects) {
  if (keyed) {
    const draws = columns.map(({ name, mechanism }) => keyedSamplerOf(keyed, name, mechanism.pmf));
    return (i: number, identities: Identities, indices: BigInt64Array) =>
      draws[i]!.noise({ identities, indices });
  }
  const samplerOf = remembered((pmf: Pmf) => sampler(pmf, entropy));
  const draws = columns.map(({ mechanism }) => samplerOf(mechanism.pmf));
  return (i: number, _identities: Identities, indices: BigInt64Array) => {
    const noise = new BigInt64Array(indices.length);
    draws[i]!.fill(noise, 'saturate');
    return noise;
  };
}

/** All rows must be of the part that is released. */
function partChecker(
  arrow: Arrow,
  part: Part | null,
  columns: readonly InputColumn[],
  shown: string,
): (batch: RecordBatch) => void {
  if (!part) return () => undefined;
  const at = columns.indexOf(findPart(columns, part, shown));
  return (batch) => {
    const textOf = cellTexts(arrow, batch.getChildAt(at)!);
    for (let i = 0; i < batch.numRows; i++) if (textOf(i) !== part.value) throw otherPart(shown, part);
  };
}

/** More rows of a person than were stated end the release. */
function peopleCounter(arrow: Arrow, { person, input }: Job, columns: readonly InputColumn[]) {
  if (!person) return () => undefined;
  const own = findColumn(columns, person.column, input.shown, 'person');
  checkOwnColumn(own, 'person', input.shown);
  const at = columns.indexOf(own);
  const counts = new Map<string | null, number>();
  return (batch: RecordBatch) => {
    const textOf = cellTexts(arrow, batch.getChildAt(at)!);
    for (let i = 0; i < batch.numRows; i++) {
      const text = textOf(i);
      const whose = text === null ? null : personOf(text);
      const count = (counts.get(whose) ?? 0) + 1;
      if (count > person.rows) throw tooManyRows(input.shown, person);
      counts.set(whose, count);
    }
  };
}
