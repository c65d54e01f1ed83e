// Many releases of one noise: their total from both sides, beside the rules of others, and how it grows.

import { type Account, account, type Rule, readReleases } from 'discreet-dp/account';
import { invalid } from 'discreet-dp/error';
import { fromNumber, integer, multiply, toDecimalDown, toDecimalUp, toNumberNear } from 'discreet-dp/exact';
import { readDelta } from 'discreet-dp/spec';
import { lines } from '../engine/chart.js';
import type { Progress } from '../engine/serve.js';
import { aboutNoise, type NoiseWanted, tableOf } from './read.js';

export interface ManyWanted extends Omit<NoiseWanted, 'epsilon'> {
  readonly times: string;
}

export type Many = ReturnType<typeof many>;

const RULES: readonly (readonly [Rule, string])[] = [
  ['basic', 'basic'],
  ['advanced', 'advanced'],
  ['zcdp', 'zCDP'],
  ['renyi', 'Rényi'],
  ['gdp', 'GDP'],
];

export function many(wanted: ManyWanted) {
  const started = performance.now();
  const { found, times, delta } = totalOf(wanted, readTimes(wanted.times));
  const { lower, upper, attacker, comparison, parameters, error } = found;
  const { rho, mu } = parameters;
  return {
    noise: wanted.noise,
    adjacency: wanted.adjacency,
    step: wanted.step,
    times,
    delta: upward(delta),
    lower: Number.isFinite(lower) ? downward(lower) : null,
    upper: Number.isFinite(upper) ? upward(upper) : null,
    attacker: `${toDecimalUp(multiply(fromNumber(attacker.upper), integer(100)), 4)} %`,
    rules: RULES.map(([rule, name]) => {
      const value = comparison[rule];
      const against = value !== null && upper > 0 && Number.isFinite(upper);
      return {
        name,
        epsilon: value === null ? 'none' : upward(value),
        ratio: against ? `${(value / upper).toPrecision(4)} ×` : '',
      };
    }),
    rho: rho === null ? null : upward(rho),
    mu: mu === null ? null : upward(mu),
    how: error,
    taken: performance.now() - started,
  };
}

/** Total ε against the number of releases; no picture where there is none. */
export function growth(wanted: ManyWanted, progress: Progress) {
  const started = performance.now();
  const found: { n: number; account: Account }[] = [];
  for (const n of fromTheEnds(placesOf(readTimes(wanted.times)))) {
    // A rough picture is one, too.
    if (found.length > 3 && performance.now() - started > LONGEST) break;
    progress(null, `the total of ${n} ${n === 1 ? 'release' : 'releases'}`);
    found.push({ n, account: totalOf(wanted, n).found });
  }
  found.sort((a, b) => a.n - b.n);
  const curve = (name: string, value: (account: Account) => number | null) => ({
    name,
    points: found.map(({ n, account: own }) => ({ x: n, y: value(own) ?? Number.NaN })),
  });
  const ours = curve('ours', ({ upper }) => upper);
  if (ours.points.filter(({ y }) => Number.isFinite(y)).length < 2) return { chart: null };
  const rules = ['basic', 'advanced', 'renyi', 'gdp'] as const;
  const chart = lines(
    [ours, ...rules.map((rule) => curve(rule, ({ comparison }) => comparison[rule]))].filter(({ points }) =>
      points.some(({ y }) => Number.isFinite(y)),
    ),
    {
      title: `Total ε of more and more releases, at δ = ${wanted.delta}`,
      x: 'number of releases',
      y: 'total ε, at most',
      logX: true,
      logY: true,
    },
  );
  return { chart };
}

/** In milliseconds. */
const LONGEST = 6000;

function totalOf({ noise, adjacency, step, delta: text, table }: ManyWanted, times: number) {
  const delta = toNumberNear(readDelta(text));
  return aboutNoise(() => {
    const releases = readReleases([{ noise: noise.trim(), adjacency, step, times }], {
      mechanism: () => {
        throw invalid('noise: a mechanism file is looked at in the room Check');
      },
      table: tableOf(table),
    });
    return { found: account(releases, { delta }), times, delta };
  });
}

/** 1e6 is a number of releases, too. */
function readTimes(text: string): number {
  const times = Number(text);
  if (!/^\d+(?:\.\d+)?(?:e\d+)?$/i.test(text) || !Number.isSafeInteger(times) || times < 1 || times > 1e9)
    throw invalid(`times: expected a whole number from 1 to 1e9, got ${text === '' ? 'none' : text}`);
  return times;
}

/** From one to four times as many as wanted. */
function placesOf(times: number): number[] {
  const most = Math.max(8, 4 * times);
  const near = Array.from({ length: 9 }, (_, i) => Math.round(most ** (i / 8)));
  return [...new Set([...near, times])].sort((a, b) => a - b);
}

/** Both ends first, then what is between them. */
function fromTheEnds(places: readonly number[]): number[] {
  const [first, last] = [places[0]!, places.at(-1)!];
  const inner = places.slice(1, -1);
  return [first, last, ...inner.filter((_, i) => i % 2 === 1), ...inner.filter((_, i) => i % 2 === 0)];
}

/** Eight digits, not below. */
function upward(x: number): string {
  return toDecimalUp(fromNumber(x), 8);
}

function downward(x: number): string {
  return toDecimalDown(fromNumber(x), 8);
}
