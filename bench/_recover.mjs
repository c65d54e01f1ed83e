// What the benchmarks of recovery share: columns, noise, distances.

import { readFileSync } from 'node:fs';
import { rational } from '../dist/exact/index.js';
import { compile, finished, finishOf, latticeOf } from '../dist/mechanism/index.js';
import { sampler, seededSource } from '../dist/random/index.js';
import { parseNoise } from '../dist/spec/index.js';

const one = rational(1n);

export const visits = readFileSync(new URL('../examples/doctor-visits.csv', import.meta.url), 'utf8')
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => Number(line.split(',')[3]));

export const noiseOf = (spec) =>
  compile(
    parseNoise(spec, one, () => []),
    5,
    { epsilon: one, delta: rational(1n, 1000n) },
  );

/** Counts of released values; `after` is the clamp and the rounding. */
export function released(values, { pmf }, seed, after = {}) {
  const whole = (value) => rational(BigInt(value));
  const finish = finishOf(
    latticeOf(pmf.step),
    after.clamp ? { low: whole(after.clamp[0]), high: whole(after.clamp[1]) } : null,
    after.roundTo ? whole(after.roundTo) : null,
  );
  const noise = new BigInt64Array(values.length);
  sampler(pmf, seededSource(seed)).fill(noise, 'saturate');
  const counts = new Map();
  for (let i = 0; i < values.length; i++) {
    const sum = values[i] + Number(noise[i]);
    const out = after.clamp || after.roundTo ? Number(finished(BigInt(sum), finish)) : sum;
    counts.set(out, (counts.get(out) ?? 0) + 1);
  }
  return counts;
}

/** W between masses on low, low + 1, … and a column's own. */
export function distance(pairs, values) {
  const ahead = new Map();
  const add = (at, mass) => ahead.set(at, (ahead.get(at) ?? 0) + mass);
  for (const [value, mass] of pairs) add(value, mass);
  for (const value of values) add(value, -1 / values.length);
  const places = [...ahead.keys()].sort((a, b) => a - b);
  let [sum, off] = [0, 0];
  places.forEach((place, i) => {
    off += ahead.get(place);
    if (i + 1 < places.length) sum += Math.abs(off) * (places[i + 1] - place);
  });
  return sum;
}

export const short = (x) => Number(x.toPrecision(3)).toString();
export const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
