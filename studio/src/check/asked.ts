// A question to a worker that is asked once, with what it says on the way.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Engine, engineOf, Stopped } from '../engine/engine.js';
import type { Calls } from '../engine/serve.js';
import type { CheckCalls } from './calls.js';

export interface Asked<T> {
  readonly value: T | null;
  readonly error: unknown;
  readonly busy: boolean;
  readonly share: number | null;
  /** All that was said, in its order. */
  readonly steps: readonly string[];
}

const NOTHING = { value: null, error: null, busy: false, share: null, steps: [] };

/** Asks when `key` is another; null asks nothing. What is not answered by then is given up. */
export function useAsked<C extends Calls, K extends keyof C & string>(
  engine: Engine<C>,
  call: K,
  argument: Parameters<C[K]>[0] | null,
  key: string,
): Asked<Awaited<ReturnType<C[K]>>> {
  const [state, setState] = useState<Asked<Awaited<ReturnType<C[K]>>>>(NOTHING);
  useEffect(() => {
    if (argument === null) {
      setState(NOTHING);
      return;
    }
    let current = true;
    let running = true;
    setState({ ...NOTHING, busy: true });
    const say = (share: number | null, words: string) => {
      if (current) setState((old) => ({ ...old, share, steps: [...old.steps, words] }));
    };
    const end = (patch: Partial<Asked<Awaited<ReturnType<C[K]>>>>) => {
      running = false;
      if (current) setState((old) => ({ ...old, ...patch, busy: false }));
    };
    engine.ask(call, argument, say).then(
      (value) => end({ value }),
      (error: unknown) => end(error instanceof Stopped ? {} : { error }),
    );
    return () => {
      current = false;
      if (running) engine.stop();
    };
  }, [engine, argument === null ? null : key]);
  return state;
}

/** A worker of one's own, which ends with what it is for. */
export function useEngine(parquet = false): Engine<CheckCalls> {
  const engine = useMemo(
    () =>
      engineOf<CheckCalls>(
        parquet
          ? () => import('./parquet-worker.ts?worker-source')
          : () => import('./worker.ts?worker-source'),
      ),
    [parquet],
  );
  useEffect(() => engine.stop, [engine]);
  return engine;
}
