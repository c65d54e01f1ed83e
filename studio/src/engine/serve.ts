// The worker's side: functions by name, each answered by its result, its progress, or its error.

import { type DiscreetError, isOurs } from 'discreet-dp/error';

export type Progress = (share: number | null, words: string) => void;

/** What a worker can be asked: plain data in, plain data out. */
export type Calls = Readonly<Record<string, (argument: never, progress: Progress) => unknown>>;

export type ErrorParts = ReturnType<DiscreetError['parts']>;

/** What comes back for a question. */
export type Answer =
  | { readonly id: number; readonly kind: 'progress'; readonly share: number | null; readonly words: string }
  | { readonly id: number; readonly kind: 'result'; readonly result: unknown }
  | {
      readonly id: number;
      readonly kind: 'error';
      readonly ours: ErrorParts | null;
      readonly message: string;
    };

export interface Question {
  readonly id: number;
  readonly call: string;
  readonly argument: unknown;
}

interface WorkerScope {
  onmessage: ((event: { readonly data: Question }) => void) | null;
  postMessage(answer: Answer): void;
}

/** Answer what is asked, one after the other as it comes. */
export function serve(calls: Calls): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.onmessage = async ({ data: { id, call, argument } }) => {
    const progress: Progress = (share, words) => scope.postMessage({ id, kind: 'progress', share, words });
    try {
      const result = await calls[call]!(argument as never, progress);
      scope.postMessage({ id, kind: 'result', result });
    } catch (error) {
      scope.postMessage({
        id,
        kind: 'error',
        ours: isOurs(error) ? error.parts() : null,
        // A message of the engine may hold anything; its kind does not.
        message: error instanceof Error ? error.name : 'Error',
      });
    }
  };
}
