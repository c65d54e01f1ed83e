// What a worker says to what is asked now. While it works, later questions wait, and only the last of them is asked; an answer always
// belongs to one question, and is told as fresh only where that is the one that is asked now.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Engine, Stopped } from './engine.js';
import type { Calls } from './serve.js';

export interface Latest<T> {
  /** The newest answer; of an earlier question where it is not fresh. */
  readonly value: T | null;
  /** To what is asked now; null while that is not known. */
  readonly error: unknown;
  /** Is there an answer or an error to what is asked now? */
  readonly fresh: boolean;
  readonly busy: boolean;
  /** Somebody stopped it before it was answered. */
  readonly stopped: boolean;
  /** What long work says of itself. */
  readonly words: string | null;
}

interface State<T> {
  readonly key: string | null;
  readonly value: T | null;
  readonly error: unknown;
  readonly stopped: boolean;
  readonly words: string | null;
}

/** A question that takes longer than this is given up for a newer one. */
const PATIENCE = 400;

/** Asks whenever `argument`, compared as JSON, or `version` is another; null asks nothing. `stops`: newer questions end older ones. */
export function useLatest<C extends Calls, K extends keyof C & string>(
  engine: Engine<C>,
  call: K,
  argument: Parameters<C[K]>[0] | null,
  { version = '', stops = false }: { readonly version?: string; readonly stops?: boolean } = {},
): Latest<Awaited<ReturnType<C[K]>>> {
  type Result = Awaited<ReturnType<C[K]>>;
  interface Question {
    readonly key: string;
    readonly engine: Engine<C>;
    readonly argument: Parameters<C[K]>[0];
  }
  const none: State<Result> = { key: null, value: null, error: null, stopped: false, words: null };
  const [state, setState] = useState(none);
  /** The question that is answered, the one that is asked now, and the one that is being answered. */
  const answered = useRef<string | null>(null);
  const wanted = useRef<Question | null>(null);
  const running = useRef<{ readonly question: Question; readonly since: number } | null>(null);
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  const key = argument === null ? null : `${version} ${JSON.stringify(argument)}`;
  useEffect(() => {
    wanted.current = key === null ? null : { key, engine, argument: argument! };
    const own = running.current;
    if (!own) void run();
    else if (stops && own.question.key !== key) {
      const wait = PATIENCE - (Date.now() - own.since);
      const timer = setTimeout(
        () => running.current === own && own.question.engine.stop(),
        Math.max(0, wait),
      );
      return () => clearTimeout(timer);
    }
  }, [key, engine]);

  const run = async () => {
    while (alive.current && wanted.current && wanted.current.key !== answered.current) {
      const own = wanted.current;
      running.current = { question: own, since: Date.now() };
      const told = (more: Partial<State<Result>>) => {
        answered.current = own.key;
        if (alive.current)
          setState((old) => ({ ...old, key: own.key, error: null, stopped: false, words: null, ...more }));
      };
      try {
        const progress = (_: number | null, words: string) =>
          alive.current && setState((old) => ({ ...old, words }));
        told({ value: (await own.engine.ask(call, own.argument, progress)) as Result });
      } catch (error) {
        if (!(error instanceof Stopped)) told({ error });
        // Stopped for another's sake, it is asked again; by somebody who has seen enough, it is not.
        else if (stops && wanted.current?.key === own.key) told({ stopped: true });
      } finally {
        running.current = null;
      }
    }
  };
  const fresh = key !== null && state.key === key;
  return {
    value: key === null ? null : state.value,
    error: fresh ? state.error : null,
    fresh,
    busy: key !== null && !fresh,
    stopped: fresh && state.stopped,
    words: fresh ? null : state.words,
  };
}
