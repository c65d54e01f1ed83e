// The page's side of a worker. Workers are made from text that is part of the page, so that its policy binds them.

import { DiscreetError } from 'discreet-dp/error';
import type { Answer, Calls, Progress } from './serve.js';

/** Something of ours failed; what it says may hold data, so only its kind is told. */
export class Fault extends Error {}

export interface Engine<C extends Calls> {
  /** One of its functions, answered when it is done; `progress` hears of long work. */
  readonly ask: <K extends keyof C & string>(
    call: K,
    argument: Parameters<C[K]>[0],
    progress?: Progress,
  ) => Promise<Awaited<ReturnType<C[K]>>>;
  /** Give up what it is doing; it begins anew with the next question. */
  readonly stop: () => void;
}

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  readonly progress: Progress | undefined;
}

/** The worker was stopped before it answered. */
export class Stopped extends Error {}

/** A worker from its text, which is loaded with the first question. */
export function engineOf<C extends Calls>(load: () => Promise<{ readonly default: string }>): Engine<C> {
  const waiting = new Map<number, Waiting>();
  let worker: Promise<Worker> | null = null;
  let last = 0;

  const start = async (): Promise<Worker> => {
    const { default: source } = await load();
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const own = new Worker(address);
    URL.revokeObjectURL(address);
    own.onmessage = ({ data }: MessageEvent<Answer>) => hear(data);
    own.onerror = () => fail(new Fault('the worker could not go on'));
    return own;
  };
  const hear = (answer: Answer) => {
    const asked = waiting.get(answer.id);
    if (!asked) return;
    if (answer.kind === 'progress') {
      asked.progress?.(answer.share, answer.words);
      return;
    }
    waiting.delete(answer.id);
    if (answer.kind === 'result') asked.resolve(answer.result as never);
    else asked.reject(answer.ours ? new DiscreetError(...answer.ours) : new Fault(answer.message));
  };
  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  return {
    ask: async <K extends keyof C & string>(
      call: K,
      argument: Parameters<C[K]>[0],
      progress?: Progress,
    ): Promise<Awaited<ReturnType<C[K]>>> => {
      worker ??= start();
      const own = await worker;
      const id = ++last;
      return await new Promise<Awaited<ReturnType<C[K]>>>((resolve, reject) => {
        waiting.set(id, { resolve: resolve as (result: never) => void, reject, progress });
        own.postMessage({ id, call, argument });
      });
    },
    stop: () => {
      const old = worker;
      worker = null;
      void old?.then((own) => own.terminate());
      fail(new Stopped('stopped'));
    },
  };
}
