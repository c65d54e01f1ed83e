// What an account says, to people, to programs, and as a picture.

import { type Account, type Named, type Rule, tradeOff } from '../account/index.js';
import { integer, multiply, type Rational, toDecimal } from '../exact/index.js';
import { picture, textTable } from '../plot/index.js';

/** What is told beside the account itself. */
export interface Shown {
  readonly group: number;
  readonly fits: number | null;
  readonly more: readonly number[] | null;
  readonly noise: string | null;
  readonly delta: number | undefined;
  readonly epsilon: number | undefined;
  readonly svg: string | undefined;
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
  const { group, fits, more, noise, delta, epsilon } = shown;
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
    group,
    releases: releases.map(({ name, pmf, adjacency, times, of, sampling }, i) => ({
      ...{ name, step: toDecimal(pmf.step), adjacency: inUnits(pmf.step, adjacency), times, of, sampling },
      ...(more === null ? {} : { moreFit: more[i] }),
    })),
    tradeOff: tradeOff(found.total, 17),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function toText(releases: readonly Named[], found: Account, shown: Shown): string {
  const { upper, lower, unit, attacker, comparison, parameters, error } = found;
  const { group, fits, more, noise, delta, epsilon, svg } = shown;
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
            ? `budget     ${budget} does not suffice`
            : `budget     ${budget} suffices${fits > 1 ? ` for all of it ${fits} times` : ''}`,
        ]),
    '',
    textTable(
      ['release', 'adjacency', 'times', 'of', ...(more === null ? [] : ['more fit'])],
      releases.map(({ name, pmf, adjacency, times, of, sampling }, i) => [
        name,
        inUnits(pmf.step, adjacency),
        String(times),
        `${of}${sampling === null ? '' : `, sampled at ${sampling}`}`,
        ...(more === null ? [] : [String(more[i])]),
      ]),
    ),
    '',
    textTable(
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

/** In data units. */
function inUnits(step: Rational, steps: number): string {
  return toDecimal(multiply(integer(steps), step));
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

/** δ against ε, ours and by other rules. */
export async function draw({ total, others }: Account, releases: readonly Named[]): Promise<string> {
  const many = releases.reduce((sum, { times }) => sum + times, 0);
  const { charts, document } = await picture();
  const least = total.epsilonAt(1e-12).upper;
  const most = Number.isFinite(least) ? Math.max(least, 1e-6) : 20;
  const epsilons = Array.from({ length: 48 }, (_, i) => (most * i) / 47);
  const curve = (name: string, deltaAt: (epsilon: number) => number | null) => ({
    name,
    points: epsilons.map((x) => ({ x, y: deltaAt(x) ?? Number.NaN })).filter(({ y }) => y > 1e-14 && y <= 1),
  });
  const series = [
    curve('ours', (x) => total.deltaAt(x).upper),
    ...RULES.filter(([rule]) => rule !== 'zcdp').map(([rule]) => curve(rule, others[rule].deltaAt)),
  ].filter(({ points }) => points.length > 1);
  return charts.lineChart(
    series,
    {
      title: `What ${many === 1 ? 'the release costs' : `${many} releases cost together`}`,
      x: 'ε',
      y: 'δ',
      logY: true,
      height: 420,
    },
    document,
  );
}
