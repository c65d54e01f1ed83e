// A black-box audit: from draws of a program on two neighbouring inputs, a lower confidence bound on its ε.
// The event that tells the inputs apart best is chosen on one half of the draws and measured on the other,
// so the choice does not spoil the confidence. Draws of one input are taken to be independent.

import { invalid } from '../error/index.js';
import { seededSource, wordReader } from '../random/index.js';
import { binomialLower, binomialUpper } from './special.js';

export interface AuditOptions {
  /** The claimed δ, subtracted before the ratio is taken. */
  readonly delta: number;
  readonly confidence: number;
}

export interface Audit {
  /** With the asked confidence, the program's ε at the given δ is at least this; 0 where nothing was found. */
  readonly epsilonLower: number;
  readonly event: string;
  /** On the second halves: how often the event occurred, out of how many draws, and what its probability is at least or at most. */
  readonly more: Occurrence & { readonly lower: number };
  readonly less: Occurrence & { readonly upper: number };
}

export interface Occurrence {
  readonly input: 0 | 1;
  readonly hits: number;
  readonly draws: number;
}

/** How many events of each kind are tried. */
const MOST_THRESHOLDS = 400;
const MOST_SINGLES = 400;

/** Of each of the two inputs. */
export type Draws = readonly [readonly string[], readonly string[]];

interface Event {
  readonly name: string;
  readonly contains: (draw: string) => boolean;
}

/** A lower bound on the ε of the program that made the draws, wrong at most as often as the confidence allows, for independent draws. */
export function audit(draws: Draws, options: AuditOptions): Audit {
  if (draws.some((list) => list.length < 2))
    throw invalid('audit: expected at least two draws for each input');
  const halves = draws.map(splitAtRandom) as [Halves, Halves];
  const chosen: Draws = [halves[0].first, halves[1].first];
  const measured: Draws = [halves[0].second, halves[1].second];
  const error = (1 - options.confidence) / 2;
  const sizes = (sample: Draws) => [sample[0].length, sample[1].length] as const;
  let best: { event: Event; more: 0 | 1; epsilon: number } = { event: everything, more: 0, epsilon: 0 };
  for (const { event, hits } of events(chosen)) {
    for (const more of [0, 1] as const) {
      const { epsilonLower } = bound(event.name, hits, sizes(chosen), more, error, options.delta);
      if (epsilonLower > best.epsilon) best = { event, more, epsilon: epsilonLower };
    }
  }
  const hits = measured.map((list) =>
    list.reduce((n, draw) => n + (best.event.contains(draw) ? 1 : 0), 0),
  ) as [number, number];
  return bound(best.event.name, hits, sizes(measured), best.more, error, options.delta);
}

/** What is left where nothing tells the inputs apart. */
const everything: Event = { name: 'any output', contains: () => true };

interface Halves {
  readonly first: string[];
  readonly second: string[];
}

/** At random, so that no pattern in the order of the draws hides in one half; by a fixed seed, so that an audit can be repeated. */
function splitAtRandom(list: readonly string[]): Halves {
  const next = wordReader(seededSource('audit'), 1024);
  const shuffled = [...list];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor((next() / 2 ** 32) * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  const middle = Math.floor(shuffled.length / 2);
  return { first: shuffled.slice(0, middle), second: shuffled.slice(middle) };
}

function bound(
  event: string,
  hits: readonly [number, number],
  draws: readonly [number, number],
  more: 0 | 1,
  error: number,
  delta: number,
): Audit {
  const less = more === 0 ? 1 : 0;
  const lower = binomialLower(hits[more], draws[more], error);
  const upper = binomialUpper(hits[less], draws[less], error);
  const epsilonLower = lower > delta ? Math.max(0, Math.log((lower - delta) / upper)) : 0;
  return {
    epsilonLower,
    event,
    more: { input: more, hits: hits[more], draws: draws[more], lower },
    less: { input: less, hits: hits[less], draws: draws[less], upper },
  };
}

/** Half-lines and single values for numbers, single values for names, and sets by their likelihood ratio. */
function events(
  samples: readonly [readonly string[], readonly string[]],
): { event: Event; hits: [number, number] }[] {
  const counts = new Map<string, [number, number]>();
  samples.forEach((list, input) => {
    for (const draw of list) {
      const entry = counts.get(draw) ?? [0, 0];
      entry[input]!++;
      counts.set(draw, entry);
    }
  });
  if (counts.size === 0) return [];
  const found: { event: Event; hits: [number, number] }[] = [];
  const values = [...counts].map(([draw, hits]) => ({ draw, value: numberOf(draw), hits }));
  const numbers = values.filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.value - b.value);
  if (numbers.length > 0) {
    let [left, right] = [0, 0];
    let since = 0;
    const all = numbers.reduce<[number, number]>(([a, b], { hits }) => [a + hits[0], b + hits[1]], [0, 0]);
    const spacing = (all[0] + all[1]) / MOST_THRESHOLDS;
    for (const { value, hits } of numbers) {
      // Thresholds at most so dense that there are MOST_THRESHOLDS of them between the first and the last few.
      since += hits[0] + hits[1];
      const outer = Math.min(left + right, all[0] + all[1] - left - right) < 20 * spacing;
      const wanted = since >= (outer ? spacing / 20 : spacing);
      if (wanted) {
        since = 0;
        found.push({
          event: { name: `output ≥ ${value}`, contains: (draw) => numberOf(draw) >= value },
          hits: [all[0] - left, all[1] - right],
        });
      }
      left += hits[0];
      right += hits[1];
      if (wanted)
        found.push({
          event: { name: `output ≤ ${value}`, contains: (draw) => numberOf(draw) <= value },
          hits: [left, right],
        });
    }
  }
  const frequent = [...values]
    .sort((a, b) => b.hits[0] + b.hits[1] - a.hits[0] - a.hits[1])
    .slice(0, MOST_SINGLES);
  for (const { draw, hits } of frequent) {
    if (hits[0] + hits[1] < 5) break;
    found.push({ event: { name: `output = ${draw}`, contains: (other) => other === draw }, hits });
  }
  return [...found, ...byLikelihood(values)];
}

/** For each direction, the sets of all values whose ratio of frequencies is at least some level. */
function byLikelihood(values: readonly { draw: string; hits: [number, number] }[]) {
  const found: { event: Event; hits: [number, number] }[] = [];
  for (const more of [0, 1] as const) {
    const less = more === 0 ? 1 : 0;
    const ratio = (hits: [number, number]) => (hits[more] + 0.5) / (hits[less] + 0.5);
    const ranked = values.filter(({ hits }) => hits[more] >= 5).sort((a, b) => ratio(b.hits) - ratio(a.hits));
    const sum: [number, number] = [0, 0];
    const set = new Set<string>();
    ranked.forEach(({ draw, hits }, i) => {
      sum[0] += hits[0];
      sum[1] += hits[1];
      set.add(draw);
      // A few sizes are enough, and each keeps its own copy.
      if (i < 8 || Number.isInteger(Math.log2(i + 1))) {
        const members = new Set(set);
        found.push({
          event: { name: `output among ${members.size} values`, contains: (other) => members.has(other) },
          hits: [...sum],
        });
      }
    });
  }
  return found;
}

/** Of a fraction too, as values of a lattice without decimals are written; NaN where it is none. */
function numberOf(draw: string): number {
  const fraction = /^\s*([+-]?\d+)\/(\d+)\s*$/.exec(draw);
  return fraction ? Number(fraction[1]) / Number(fraction[2]) : Number(draw);
}
