// Before and after discretising: the five families against Δ, with the density as the limit, and Table I of [QHFL] as figures.

import { isOurs } from '../error/index.js';
import { integer, multiply, one, type Rational, rational, toNumberNear } from '../exact/index.js';
import { guaranteeOf } from '../mechanism/index.js';
import type { Noise } from '../noise/index.js';
import { type Chart, type Section, tableFrom, withData } from './section.js';
import { noiseOf } from './setting.js';

const FAMILIES = [
  'gaussian:sigma=10',
  'laplace:scale=7.5',
  'staircase:width=5,ratio=0.5134171190325920',
  'uniform:low=-20,high=20',
  'exponential:rate=0.2',
];
const ADJACENCY = 15;
/** Steps of which the adjacency is a multiple. */
const STEPS: readonly (readonly [bigint, bigint])[] = [
  [1n, 16n],
  [1n, 8n],
  [1n, 4n],
  [1n, 2n],
  [1n, 1n],
  [3n, 1n],
  [5n, 1n],
  [15n, 1n],
];

/** The same density on another lattice; null where it does not fit on it. */
function onStep(noise: Noise, step: Rational): Noise | null {
  try {
    return noise.continuous!.at(step);
  } catch (error) {
    if (isOurs(error, 'argument')) return null;
    throw error;
  }
}

/** δ(1) and the pure ε on a lattice. */
function onLattice(noise: Noise, adjacency: number, epsilon: Rational) {
  const guarantee = guaranteeOf(noise, adjacency);
  return {
    pure: guarantee.pure ? toNumberNear(guarantee.pure.epsilonUpper) : null,
    delta: toNumberNear(guarantee.deltaAt(epsilon)),
  };
}

function ofDensity(noise: Noise, adjacency: number, epsilon: Rational) {
  const { density } = noise.continuous!;
  const distance = multiply(integer(adjacency), noise.step);
  const { epsilon: pure } = density.pure(distance);
  return {
    pure: pure && toNumberNear(pure.upper),
    delta: toNumberNear(density.deltaAt(distance, epsilon).upper),
  };
}

export function beforeAndAfterDiscretising(): Section {
  const rows = FAMILIES.flatMap((text) => {
    const noise = noiseOf(text);
    const limit = ofDensity(noise, ADJACENCY, one);
    const lattices = STEPS.flatMap(([num, den]) => {
      const made = onStep(noise, rational(num, den));
      if (made === null) return [];
      const { pure, delta } = onLattice(made, (ADJACENCY * Number(den)) / Number(num), one);
      return [{ noise: text, Δ: Number(num) / Number(den), 'pure ε': pure, 'δ(1)': delta }];
    });
    return [{ noise: text, Δ: 0, 'pure ε': limit.pure, 'δ(1)': limit.delta }, ...lattices];
  });
  const chart: Chart = {
    name: 'continuous',
    kind: 'line',
    title: 'δ(1) against the step, m = 15',
    x: 'Δ, the step; 0 is the density',
    y: 'δ at ε = 1',
    series: FAMILIES.map((text) => ({
      name: text.split(':')[0]!,
      points: rows.filter(({ noise }) => noise === text).map((row) => ({ x: row.Δ, y: row['δ(1)'] })),
    })),
  };
  return withData(
    'continuous',
    'Before and after discretising',
    [
      'Noise rounded down to the lattice is never less private than its density, as everybody rounds alike; as Δ falls it comes up to it. Staircase and uniform noise have their edges on the lattice, so nothing is lost by rounding; on coarse lattices, where they have not, they are left out.',
      'Table I of the paper as figures: what each of the three works is about, at adjacency 1 and 15. The discrete Gaussian is no rounding, and needs its own figure.',
    ],
    [chart],
    [tableFrom('continuous-steps', rows), tableFrom('continuous-table1', tableOne())],
  );
}

/** The three columns of Table I as rows: continuous, discrete and specific, discrete and general. */
function tableOne() {
  return FAMILIES.flatMap((text) =>
    [1, ADJACENCY].flatMap((m) => {
      const noise = noiseOf(text);
      const own = text.startsWith('gaussian') ? noiseOf('discrete-gaussian:sigma=10') : null;
      const epsilon = rational(1n, 2n);
      const row = (
        work: string,
        scope: string,
        found: { pure: number | null; delta: number },
        of = text,
      ) => ({
        ...{ work, scope, noise: of, m, 'pure ε': found.pure, 'δ(0.5)': found.delta },
      });
      return [
        row('He et al.', 'continuous, general', ofDensity(noise, m, epsilon)),
        ...(own
          ? [
              row(
                'Canonne et al.',
                'discrete, Gaussian only',
                onLattice(own, m, epsilon),
                'discrete-gaussian:sigma=10',
              ),
            ]
          : []),
        row('the paper', 'discrete, general', onLattice(noise, m, epsilon)),
      ];
    }),
  );
}
