// What the driver looks at before anything is charged: the columns of every input, and that no two rows of all of them have one id.

import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { badData, quote } from '../../error/index.js';
import { BLOCK, tagsOf } from '../../random/index.js';
import { findColumn, findPart, withoutDropped } from '../../rows/index.js';
import { checkLeaving, checkOwnColumn, guardedBy } from '../../terms/index.js';
import { checkId, checkNumber, findIn } from '../checks.js';
import type { Effects } from '../effects.js';
import { closeEngine, limitMemory, openEngine } from '../engine.js';
import { failureOf, noId } from '../failure.js';
import { formatOf } from '../formats/index.js';
import { digestCounter, joined, type Keyed } from '../identities.js';
import type { Job } from '../job.js';
import { columnKey, KEY_BYTES } from '../keys.js';
import { filePlace } from '../places/file.js';
import { fed } from '../poured.js';
import type { Source } from '../source.js';

export interface Survey {
  readonly rows: number;
  /** Columns that will leave as they are. */
  readonly unchanged: readonly string[];
}

export async function survey(
  job: Job,
  id: string | null,
  files: readonly string[],
  format: string | null,
  effects: Effects,
): Promise<Survey> {
  const found = uniqueness(id);
  let rows = 0;
  let first: { readonly name: string; readonly unchanged: readonly string[] } | null = null;
  for (const path of files) {
    effects.signal.throwIfAborted();
    const shown = basename(path);
    const whole = files.length === 1 ? shown : job.input.shown;
    const engine = await openEngine();
    let source: Source | null = null;
    try {
      source = await filePlace(path, formatOf(path, format, 'inputFormat')).open(
        { engine, delimiter: job.delimiter, whole, guarded: guardedBy(job) },
        effects,
      );
      const unchanged = checkColumns(job, found?.keyed ?? null, source);
      if (first && [...first.unchanged].sort().join('\0') !== [...unchanged].sort().join('\0'))
        throw badData(`${shown} has other columns than ${first.name}; all inputs of a release have the same`);
      first ??= { name: shown, unchanged };
      const text = id === null ? "''" : `CAST(${findIn(source, id, 'id').sql} AS VARCHAR)`;
      const sql = `SELECT ${text} FROM ${source.relation()}`;
      await limitMemory(engine, 'large');
      await fed(source, () =>
        engine.chunks(sql, async ([ids], count) => {
          effects.signal.throwIfAborted();
          rows += count;
          found?.look(ids as readonly (string | null)[], shown);
        }),
      );
      source.check();
      effects.progress(rows, null);
    } catch (error) {
      throw failureOf(error, whole, whole);
    } finally {
      await source?.close();
      closeEngine(engine);
    }
  }
  return { rows, unchanged: first?.unchanged ?? [] };
}

function checkColumns(job: Job, keyed: Keyed | null, source: Source): string[] {
  const { shown, columns, named } = source;
  for (const { name } of job.columns) {
    checkNumber(named ? findColumn(columns, name, shown, 'columns') : findIn(source, name, 'columns'), shown);
  }
  if (keyed) {
    findIn(source, 'id' in keyed.by ? keyed.by.id : '', 'id');
    checkId(keyed, columns, shown);
  }
  if (job.part) checkOwnColumn(findPart(columns, job.part, shown), 'part', shown);
  for (const name of job.dropped ?? []) findIn(source, name, 'drop');
  return checkLeaving(job, withoutDropped(columns, job.dropped, shown), shown, named);
}

/** Ids by a digest of 128 bits under a key that nobody has: where two are equal, so are the ids. */
function uniqueness(id: string | null) {
  if (id === null) return null;
  const key = new Uint8Array(randomBytes(KEY_BYTES));
  const keyed: Keyed = { key, release: '', by: { id } };
  const { tag } = columnKey(key, 'ids', '');
  const count = digestCounter();
  return {
    keyed,
    look: (ids: readonly (string | null)[], shown: string) => {
      if (ids.includes(null)) throw noId(shown, keyed);
      const digests = tagsOf(joined(ids as readonly string[]), new BigInt64Array(ids.length), tag);
      for (let i = 0; i < ids.length; i++)
        if (count(digests.subarray(BLOCK * i, BLOCK * (i + 1))) > 0) throw twice(shown, id);
    },
  };
}

function twice(shown: string, id: string) {
  return badData(
    `${shown}: a value of ${quote(id)} is there twice in the inputs; expected one of its own in every row of all inputs, for rows with one id would share their noise`,
    'id',
  );
}
