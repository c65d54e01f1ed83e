// What a release needs from the process: its streams, its randomness, its clock, and signals that stop it.

import type { Ledger } from '../ledger/index.js';
import { entropySource } from '../random/index.js';
import type { Effects } from '../release/index.js';
import { Interrupted } from '../terms/index.js';
import { note } from './output.js';
import type { ProgressLine } from './progress.js';

export function effectsOf(ledger: Ledger, signal: AbortSignal, progress: Effects['progress']): Effects {
  return {
    ledger,
    signal,
    progress,
    note,
    entropy: entropySource(globalThis.crypto),
    input: process.stdin,
    output: process.stdout,
    clock: () => new Date(),
  };
}

/** Nobody waits, and nothing stops it. */
export function trialEffects(ledger: Ledger): Effects {
  return effectsOf(ledger, new AbortController().signal, () => undefined);
}

/** Rows, rows per second and time left. */
export function rowProgress(line: ProgressLine): Effects['progress'] {
  const started = performance.now();
  return (rows, fraction) => {
    const seconds = (performance.now() - started) / 1000;
    const speed = `${rows.toLocaleString('en')} rows, ${Math.round(rows / Math.max(seconds, 0.001)).toLocaleString('en')} per second`;
    if (fraction === null) line.show(speed);
    else {
      const share = Math.min(1, fraction);
      const bar = '█'.repeat(Math.round(share * 20)).padEnd(20, '░');
      const left = share > 0.01 ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : '';
      line.show(`${bar} ${Math.floor(share * 100)} %, ${speed}${left}`);
    }
  };
}

/** Ctrl-C and SIGTERM stop the work in an orderly way: no output, and an entry that says so. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((name) => {
    const handler = () => {
      // A second one is obeyed at once; an entry that is open counts as spent.
      if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
      controller.abort(new Interrupted(name));
    };
    process.on(name, handler);
    return () => process.off(name, handler);
  });
  try {
    await work(controller.signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    process.stderr.write(
      error.entry === null
        ? `interrupted: ${error.kept ?? 'nothing was released or charged'}\n`
        : `interrupted: no output was left; entry ${error.entry} of the ledger is marked aborted and counts as spent\n`,
    );
    process.exitCode = error.signal === 'SIGINT' ? 130 : 143;
    // Nobody waits for more of it.
    process.stdin.destroy();
  } finally {
    for (const off of handlers) off();
  }
}
