// The names of an input's columns, from its header alone.

import type { Effects } from './effects.js';
import { closeEngine, openEngine } from './engine.js';
import type { Place } from './places/index.js';

/** Null where only reading all of it would tell them. */
export async function columnNames(
  input: Place,
  delimiter: string | null,
  effects: Pick<Effects, 'input' | 'signal'>,
): Promise<readonly string[] | null> {
  if (input.kind === 'pipe' || input.format?.keyed) return null;
  const engine = await openEngine();
  try {
    const source = await input.open({ engine, delimiter }, effects);
    const names = source.columns.map(({ name }) => name);
    await source.close();
    return names;
  } finally {
    closeEngine(engine);
  }
}
