// Simulated releases: in each run n records are drawn from the input, or held as they are, each gets its own
// noise, and the Wasserstein distance between the two samples is taken [QHFL, Fig. 10].

import { toNumberNear } from '../exact/index.js';
import { type Pmf, windowPmf } from '../pmf/index.js';
import { fromTables, makeTables, seededSource } from '../random/index.js';

export interface Simulation {
  readonly input: Pmf;
  readonly noise: Pmf;
  readonly records: number;
  readonly runs: number;
  readonly seed: string;
  /** The records are the same in every run, as in [QHFL]: the input's weights count them. */
  readonly held?: boolean;
}

/** Records drawn once from a distribution, as how many there are of each value. */
export function drawnOnce(input: Pmf, records: number, seed: string): Pmf {
  const values = new Int32Array(records);
  fromTables(makeTables(input), seededSource(`${seed}, the input`)).fill(values, 'saturate');
  const least = values.reduce((a, b) => Math.min(a, b));
  const counts = new Array<bigint>(values.reduce((a, b) => Math.max(a, b)) - least + 1).fill(0n);
  for (const value of values) counts[value - least]!++;
  return windowPmf(input.step, least, counts);
}

/** As many records of each value as its weight says. */
function recordsOf({ from, weights }: Pmf, records: number): Int32Array {
  const values = new Int32Array(records);
  let at = 0;
  for (const [i, count] of weights.entries()) {
    values.fill(from + i, at, at + Number(count));
    at += Number(count);
  }
  return values;
}

/** Runs are dealt in batches, each with random streams of its own, so that the result does not depend on who computes which. */
export function batchesOf({ records, runs }: Simulation): { size: number; count: number } {
  const size = Math.max(1, Math.ceil(50_000 / records));
  return { size, count: Math.ceil(runs / size) };
}

/** The empirical W of the runs of some batches, in data units. */
export function simulate(simulation: Simulation, from: number, to: number): Float64Array {
  const { input, noise, records, runs, seed, held = false } = simulation;
  const { size } = batchesOf(simulation);
  const tables = [makeTables(input), makeTables(noise)] as const;
  const unit = toNumberNear(input.step);
  const values = held ? recordsOf(input, records) : new Int32Array(records);
  const added = new Int32Array(records);
  const found = new Float64Array(Math.min(runs, to * size) - Math.min(runs, from * size));
  let at = 0;
  for (let batch = from; batch < to; batch++) {
    const inputs = fromTables(tables[0], seededSource(seed, 2 * batch));
    const noises = fromTables(tables[1], seededSource(seed, 2 * batch + 1));
    for (let run = batch * size; run < Math.min(runs, (batch + 1) * size); run++) {
      if (!held) inputs.fill(values, 'saturate');
      noises.fill(added, 'saturate');
      found[at++] = empiricalDistance(values, added) * unit;
    }
  }
  return found;
}

/** More values than this between the least and the largest are sorted rather than counted. */
const MOST_COUNTED = 1 << 24;

/** W between a sample and the same sample with its noise, in steps: linear in the records and their range. */
export function empiricalDistance(values: Int32Array, added: Int32Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const [x, z] = [values[i]!, values[i]! + added[i]!];
    low = Math.min(low, x, z);
    high = Math.max(high, x, z);
  }
  if (high - low > MOST_COUNTED) {
    const outputs = Float64Array.from(values, (x, i) => x + added[i]!).sort();
    const inputs = Float64Array.from(values).sort();
    return inputs.reduce((sum, x, i) => sum + Math.abs(x - outputs[i]!), 0) / values.length;
  }
  // How many more inputs than outputs are at most k: it changes by one where either stands.
  const change = new Int32Array(high - low + 1);
  for (let i = 0; i < values.length; i++) {
    change[values[i]! - low]!++;
    change[values[i]! + added[i]! - low]!--;
  }
  let [balance, sum] = [0, 0];
  for (const step of change) {
    balance += step;
    sum += Math.abs(balance);
  }
  return sum / values.length;
}

/** Mean, extremes and standard error of the runs. */
export function summarise(values: Float64Array) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((a, b) => a + (b - mean) ** 2, 0);
  const deviation = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
  return {
    mean,
    standardError: deviation / Math.sqrt(values.length),
    least: values.reduce((a, b) => Math.min(a, b)),
    largest: values.reduce((a, b) => Math.max(a, b)),
    deviation,
  };
}

/** Equal bins between the least and the largest value, or over a given range; what lies outside is in the outermost. */
export function histogram(
  values: Float64Array,
  bins: number,
  range?: readonly [number, number],
): { from: number; to: number; count: number }[] {
  const own = summarise(values);
  const [least, largest] = range ?? [own.least, own.largest];
  const width = (largest - least || 1) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (const v of values) counts[Math.max(0, Math.min(bins - 1, Math.floor((v - least) / width)))]!++;
  return counts.map((count, i) => ({ from: least + i * width, to: least + (i + 1) * width, count }));
}
