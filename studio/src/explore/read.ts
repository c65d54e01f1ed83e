// What a worker is asked, read: a noise with its adjacency and step, and mistakes by the field that they are in.

import { DiscreetError, invalid, isOurs } from 'discreet-dp/error';
import { parseNoise, type ReadTable, readDelta, readEpsilon, readSteps, tableRows } from 'discreet-dp/spec';

/** As the page has it: texts, of which an empty one is not said. */
export interface NoiseWanted {
  readonly noise: string;
  readonly adjacency: string;
  readonly step: string;
  /** The ε and the δ to look at. */
  readonly epsilon: string;
  readonly delta: string;
  /** The file behind `table:` or `cdf:`, where one was opened. */
  readonly table: NoiseTable | null;
}

export interface NoiseTable {
  readonly name: string;
  readonly text: string;
}

/** Fields that stand on the page; a mistake in any other is one in the text of the noise. */
const FIELDS = ['adjacency', 'step', 'epsilon', 'delta', 'times', 'paperCut'];

/** The rows of the file that was opened, under its own name. */
export function tableOf(table: NoiseTable | null): ReadTable {
  return (path, column = 'probability') => {
    if (table?.name !== path) throw invalid(`noise: this page reads no files by name; open ${path} below`);
    return tableRows(table.text, path, column);
  };
}

/** Mistakes in a noise are told beside its text. */
export function aboutNoise<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOurs(error)) throw error;
    const [code, field, problem, fix] = error.parts();
    if (field === 'noise' || FIELDS.includes(field ?? '')) throw error;
    throw new DiscreetError(code, 'noise', field === null ? problem : `${field}: ${problem}`, fix);
  }
}

export function readWanted({ noise, adjacency: m, step: unit, epsilon, delta, table }: NoiseWanted) {
  const { step, adjacency } = readSteps({ step: unit, adjacency: m });
  return {
    step,
    adjacency,
    noise: aboutNoise(() => parseNoise(noise.trim(), step, tableOf(table))),
    epsilon: readEpsilon(epsilon),
    delta: readDelta(delta),
  };
}
