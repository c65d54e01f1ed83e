// A file that is open in a worker. Where the worker was stopped in the middle of long work, the file is opened again before the next
// question, so that the answer is about the same file, or there is none.

import type { Engine } from '../engine/engine.js';
import type { Progress } from '../engine/serve.js';
import type { ProtectCalls } from './calls.js';

export interface OpenedFile {
  readonly file: File;
  readonly encoding: string;
  /** Another one for every opening: what is asked of a file says which one is meant. */
  readonly version: string;
}

export function sessionOf(engine: Engine<ProtectCalls>, opened: OpenedFile): Engine<ProtectCalls> {
  let lost = false;
  return {
    ask: async <K extends keyof ProtectCalls & string>(
      call: K,
      argument: Parameters<ProtectCalls[K]>[0],
      progress?: Progress,
    ): Promise<Awaited<ReturnType<ProtectCalls[K]>>> => {
      if (lost) {
        await engine.ask('open', opened);
        lost = false;
      }
      return await engine.ask(call, argument, progress);
    },
    stop: () => {
      lost = true;
      engine.stop();
    },
  };
}
