// Standard input or output, in one of the formats: read once, and gone once it is written.

import type { Transform, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { makeFifo, spool } from '../../files/index.js';
import { pour } from '../effects.js';
import type { Format } from '../formats/index.js';
import { copyTo, openIn } from './file.js';
import type { Place } from './place.js';

export function pipePlace(
  shown: 'standard input' | 'standard output',
  format: Format,
  encoding: string | null = null,
): Place {
  return {
    kind: 'pipe',
    name: null,
    shown,
    path: null,
    format,
    query: null,
    isSame: () => false,
    open: async (given, { input }) => {
      const opening = { ...given, encoding, shown };
      if (format.openStream) return format.openStream(input, opening, null);
      // What is read more than once is kept meanwhile in a file that has no name.
      return openIn(await spool(input), format, opening);
    },
    checkOutput: async () => undefined,
    hold: async () => null,
    /** Standard output may be a socket, which no engine can open by name: a named pipe stands between. */
    write: async (engine, sql, { delimiter, check, beforePublish }, { output }) => {
      if (format.writeRows) {
        const made = await format.writeRows(engine, sql, 'stream', async (bytes) => {
          check();
          await pour(output, bytes);
        });
        await beforePublish();
        await made.finish();
        return made.rows;
      }
      const fifo = makeFifo();
      let broken: Error | null = null;
      const packer = format.packed && packerTo(output, format.packed.pack());
      const drained = fifo.drain(packer ?? output, check).catch((error: Error) => {
        broken = error;
      });
      try {
        const copied = await copyTo(engine, sql, fifo.path, format.packed?.as ?? format, delimiter);
        await drained;
        if (broken) throw broken;
        await beforePublish();
        // Its end says that it is whole: what has failed has none.
        if (packer) await finished(packer.end());
        return copied;
      } catch (error) {
        // Why the pipe broke says more than that it did.
        throw broken ?? error;
      } finally {
        packer?.destroy();
        fifo.close();
      }
    },
    quantiles: async () => null,
  };
}

/** Packs what goes to the output, and fails where that does. */
function packerTo(output: Writable, packer: Transform): Transform {
  output.once('error', (error) => packer.destroy(error));
  packer.on('error', () => undefined).pipe(output, { end: false });
  return packer;
}
