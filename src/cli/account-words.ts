// What an account says, to people, to programs, and as a picture.

import { type Account, type Named, type ProfilePoints, type Rule, tradeOff } from '../account/index.js';
import { exactText, integer, multiply, type Rational } from '../exact/index.js';
import { lineChart } from '../plot/index.js';
import { tableText } from './output.js';

/** What is told beside the account itself. */
export interface Shown {
  readonly group: number;
  readonly fits: number | null;
  /** How often one noise alone fits where it does not as often as wanted. */
  readonly fewer: number | null;
  readonly more: readonly number[] | null;
  readonly noise: string | null;
  readonly delta: number | undefined;
  readonly epsilon: number | undefined;
  readonly svg: string | undefined;
  /** Null where nobody asked for it. */
  readonly profile: ProfilePoints | null;
}

const RULES: readonly (readonly [Rule, string])[] = [
  ['basic', 'basic composition'],
  ['advanced', 'advanced composition'],
  ['zcdp', 'concentrated (zCDP)'],
  ['renyi', 'Rényi'],
  ['gdp', 'Gaussian (GDP)'],
];

export function toJson(releases: readonly Named[], found: Account, shown: Shown) {
  const { lower, upper, unit, method, error, comparison, attacker, parameters } = found;
  const { group, fits, fewer, more, noise, delta, epsilon, profile } = shown;
  return {
    unit,
    ...(delta === undefined ? {} : { delta }),
    ...(epsilon === undefined ? {} : { epsilon }),
    lower: finite(lower),
    upper: finite(upper),
    method,
    error,
    comparison,
    attacker,
    parameters,
    ...(noise === null ? {} : { noise }),
    ...(fits === null ? {} : { fits }),
    ...(fewer === null ? {} : { fitsInstead: fewer }),
    group,
    releases: releases.map(({ name, noise: text, pmf, adjacency, times, of, sampling }, i) => ({
      ...{
        name,
        noise: text,
        step: exactText(pmf.step),
        adjacency: inUnits(pmf.step, adjacency),
        times,
        of,
        sampling,
      },
      ...(more === null ? {} : { moreFit: more[i] }),
    })),
    ...(profile ? { profile, tradeOff: tradeOff(profile, 17) } : {}),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function toText(releases: readonly Named[], found: Account, shown: Shown): string {
  const { upper, lower, unit, attacker, comparison, parameters, error } = found;
  const { group, fits, fewer, more, noise, delta, epsilon, svg } = shown;
  const many = releases.reduce((sum, { times }) => sum + times, 0);
  const symbol = unit === 'epsilon' ? 'ε' : 'δ';
  const at = unit === 'epsilon' ? `δ = ${delta}` : `ε = ${epsilon}`;
  const budget = `ε = ${epsilon}, δ = ${delta}`;
  const parts = [
    `${many === 1 ? '1 release' : `${many} releases, together`}${group > 1 ? `, for a group of ${group}` : ''} at ${at}`,
    ...(noise === null ? [] : [`noise      ${noise}: meets it, and a little less noise does not`]),
    Number.isFinite(upper)
      ? `${symbol}          at most ${upwards(upper)}, at least ${downwards(lower)}`
      : `${symbol}          none: outputs that only one dataset can give are more likely than δ`,
    `attacker   tells two neighbouring datasets apart at most ${percent(attacker.upper)} of the time; a coin is right half the time`,
    ...(fits === null
      ? []
      : [
          fits === 0
            ? `budget     ${budget} does not suffice${lacking(upper, shown)}${fewer === null ? '' : `; it does for ${fewer === 0 ? 'none' : `${fewer} of them`}`}`
            : `budget     ${budget} suffices${fits > 1 ? `, also for all of it ${fits} times over` : ''}`,
        ]),
    '',
    tableText(
      ['release', 'adjacency', 'times', 'of', ...(more === null ? [] : ['more of it fit'])],
      releases.map(({ name, noise: text, pmf, adjacency, times, of, sampling }, i) => [
        name === text ? name : `${name} (${text})`,
        inUnits(pmf.step, adjacency),
        String(times),
        `${of}${sampling === null ? '' : `, sampled at ${sampling}`}`,
        ...(more === null ? [] : [String(more[i])]),
      ]),
    ),
    '',
    tableText(
      ['rule', `${symbol} at ${at}`, 'against ours'],
      [
        ['this account', upwards(upper), ''],
        ...RULES.map(([rule, name]) => {
          const value = comparison[rule];
          const ratio = value === null || upper === 0 ? '' : `${(value / upper).toPrecision(4)} ×`;
          return [name, value === null ? 'none' : upwards(value), ratio];
        }),
      ],
    ),
    '',
    `zCDP ρ = ${parameters.rho === null ? 'none' : upwards(parameters.rho)}, GDP μ = ${parameters.mu === null ? 'none' : upwards(parameters.mu)}`,
    `How: ${error}.`,
    ...(svg === undefined ? [] : [`The profile is in ${svg}`]),
  ];
  return parts.join('\n');
}

/** By how much a budget is too small, where ε is what is worked out. */
function lacking(upper: number, { epsilon }: Shown): string {
  return epsilon !== undefined && Number.isFinite(upper) && upper > epsilon
    ? `: ε is ${upwards(upper - epsilon)} above it`
    : '';
}

/** In data units. */
function inUnits(step: Rational, steps: number): string {
  return exactText(multiply(integer(steps), step));
}

/** Seven digits, not below. */
function upwards(value: number): string {
  return rounded(value, 1);
}

function downwards(value: number): string {
  return rounded(value, -1);
}

function rounded(value: number, direction: 1 | -1): string {
  if (value === 0 || !Number.isFinite(value)) return value === 0 ? '0' : '∞';
  const digits = value.toPrecision(8);
  const off = Number(digits) - value;
  const nudged =
    off * direction >= 0
      ? Number(digits)
      : Number(digits) + direction * 10 ** (Math.floor(Math.log10(Math.abs(value))) - 7);
  return String(Number(nudged.toPrecision(8)));
}

function percent(share: number): string {
  return `${(Math.ceil(share * 1e4) / 1e2).toFixed(2)} %`;
}

/** δ against ε, ours and by other rules, with the answer marked. */
export function draw(
  { others, unit, upper }: Account,
  releases: readonly Named[],
  { profile: points, delta, epsilon, group }: Shown,
): string {
  const profile = points ?? [];
  const many = releases.reduce((sum, { times }) => sum + times, 0);
  const visible = ({ y }: { readonly y: number }) => y > 1e-14 && y <= 1;
  const curve = (name: string, deltaAt: (epsilon: number) => number | null) => ({
    name,
    points: profile.map(({ epsilon: x }) => ({ x, y: deltaAt(x) ?? Number.NaN })).filter(visible),
  });
  const series = [
    { name: 'ours', points: chords(profile).filter(visible) },
    ...RULES.filter(([rule]) => rule !== 'zcdp').map(([rule]) => curve(rule, others[rule].deltaAt)),
  ].filter(({ points }) => points.length > 1);
  const place = unit === 'epsilon' ? { x: upper, y: delta! } : { x: epsilon!, y: upper };
  const words = unit === 'epsilon' ? `ε = ${upwards(upper)}` : `δ = ${upwards(upper)}`;
  return lineChart(series, {
    title: `What ${many === 1 ? 'the release costs' : `${many} releases cost together`}${group > 1 ? `, a group of ${group}` : ''}`,
    x: 'ε, the privacy loss',
    y: 'δ, the chance of more',
    logY: true,
    height: 420,
    smooth: true,
    ...(Number.isFinite(place.x) && visible(place) ? { mark: { ...place, text: words } } : {}),
  });
}

/** δ is convex in e^ε, so between two points it is at most on the chord: what is drawn is never too low. */
function chords(profile: ProfilePoints): { x: number; y: number }[] {
  return profile.flatMap(({ epsilon, upper }, i) => {
    const next = profile[i + 1];
    if (!next) return [{ x: epsilon, y: upper }];
    return Array.from({ length: PARTS }, (_, k) => {
      const x = epsilon + ((next.epsilon - epsilon) * k) / PARTS;
      const part = Math.expm1(x - epsilon) / Math.expm1(next.epsilon - epsilon);
      return { x, y: upper + (next.upper - upper) * part };
    });
  });
}

const PARTS = 8;
