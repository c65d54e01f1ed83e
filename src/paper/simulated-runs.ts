// The runs behind Figure 10 of [QHFL]: every mechanism at every setting, on records that are held as in the paper,
// and on records drawn anew in each run.

import { lawOf } from './law.js';
import type { Reproduction } from './section.js';
import { mechanismsAt, paperInputs } from './setting.js';
import { drawnOnce, summarise } from './simulate.js';

export const COMPARED = ['optimum', 'laplace', 'staircase:width=5', 'staircase:width=20'] as const;
export type Compared = (typeof COMPARED)[number];

export const RECORDS = 100;
export const RUNS = 2000;
/** So many has the paper; they are the first of the runs. */
export const PAPER_RUNS = 100;

const TARGETS = [
  ['0.5', 15],
  ['2', 15],
  ['4', 15],
  ['6', 15],
  ['2', 5],
] as const;

/** The distances of all runs of one mechanism, and the law behind them. */
export interface Outcome {
  readonly distances: Float64Array;
  readonly mean: number;
  readonly expectation: number;
  readonly population: number;
}

export interface Setting {
  readonly input: string;
  readonly epsilon: number;
  readonly m: number;
  readonly held: Readonly<Record<Compared, Outcome>>;
  readonly drawn: Readonly<Record<Compared, Outcome>>;
}

export async function allRuns({ simulate, seed }: Reproduction): Promise<Setting[]> {
  const settings: Setting[] = [];
  for (const [epsilon, m] of TARGETS)
    for (const { name, pmf } of paperInputs()) {
      const { entries } = mechanismsAt(pmf, epsilon, m);
      const outcomes = async (input: typeof pmf, held: boolean) => {
        const found: [string, Outcome][] = [];
        for (const mechanism of COMPARED) {
          const noise = entries.find((one) => one.mechanism === mechanism)!.pmf;
          const own = `${seed} fig10 ${name} ${mechanism} ${epsilon} ${m}`;
          const simulation = { input, noise, records: RECORDS, runs: RUNS, seed: own, held };
          const distances = await simulate(simulation);
          found.push([mechanism, { distances, mean: summarise(distances).mean, ...lawOf(simulation) }]);
        }
        return Object.fromEntries(found) as Record<Compared, Outcome>;
      };
      // The same records for every mechanism and at every target.
      const records = drawnOnce(pmf, RECORDS, `${seed} fig10 ${name}`);
      settings.push({
        input: name,
        epsilon: Number(epsilon),
        m,
        held: await outcomes(records, true),
        drawn: await outcomes(pmf, false),
      });
    }
  return settings;
}

/** The share of runs in which the optimum is not above any of the others. */
export function shareOfRuns(outcomes: Setting['held'], others: readonly Compared[]): number {
  const best = outcomes.optimum.distances.filter((w, i) =>
    others.every((name) => w <= outcomes[name].distances[i]!),
  );
  return best.length / RUNS;
}
