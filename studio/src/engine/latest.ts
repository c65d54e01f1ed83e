// What a worker says to what is asked now: while it works, later questions wait, and only the last of them is asked.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Engine, Stopped } from './engine.js';
import type { Calls } from './serve.js';

export interface Latest<T> {
  /** The newest answer; of an earlier question where the last one has none yet. */
  readonly value: T | null;
  readonly error: unknown;
  readonly busy: boolean;
  /** What long work says of itself. */
  readonly words: string | null;
}

/** A question that takes longer than this is given up for a newer one. */
const PATIENCE = 400;

/** Asks whenever `argument`, compared as JSON and by `version`, is another; null asks nothing. */
export function useLatest<C extends Calls, K extends keyof C & string>(
  engine: Engine<C>,
  call: K,
  argument: Parameters<C[K]>[0] | null,
  { version = '', stops = false }: { readonly version?: string; readonly stops?: boolean } = {},
): Latest<Awaited<ReturnType<C[K]>>> {
  type Result = Awaited<ReturnType<C[K]>>;
  const [state, setState] = useState<Latest<Result>>({ value: null, error: null, busy: false, words: null });
  const running = useRef<{ since: number } | null>(null);
  const wanted = useRef<{ key: string; argument: Parameters<C[K]>[0] } | null>(null);
  const answered = useRef('');
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  const key = argument === null ? '' : `${version} ${JSON.stringify(argument)}`;
  useEffect(() => {
    if (argument === null) {
      wanted.current = null;
      setState({ value: null, error: null, busy: false, words: null });
      answered.current = '';
      return;
    }
    if (key === answered.current) return;
    wanted.current = { key, argument };
    if (!running.current) void run();
    else if (stops) {
      const wait = PATIENCE - (Date.now() - running.current.since);
      const own = running.current;
      const timer = setTimeout(() => running.current === own && engine.stop(), Math.max(0, wait));
      return () => clearTimeout(timer);
    }
  }, [key]);

  const run = async () => {
    while (wanted.current && alive.current) {
      const own = wanted.current;
      wanted.current = null;
      running.current = { since: Date.now() };
      setState((old) => ({ ...old, busy: true, words: null }));
      try {
        const value = await engine.ask(call, own.argument, (_, words) =>
          setState((old) => ({ ...old, words })),
        );
        answered.current = own.key;
        if (alive.current) setState({ value: value as Result, error: null, busy: false, words: null });
      } catch (error) {
        if (error instanceof Stopped) {
          // By a newer question, or by somebody who has seen enough.
          if (alive.current) setState((old) => ({ ...old, busy: wanted.current !== null, words: null }));
          continue;
        }
        answered.current = own.key;
        if (alive.current) setState((old) => ({ ...old, error, busy: false, words: null }));
      } finally {
        running.current = null;
      }
    }
  };
  return state;
}
