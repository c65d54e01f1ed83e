// Laplace noise, floor-discretised [QHFL, Eq. 2]: ε = m / scale exactly, for every mu.

import { laplaceDensity } from '../density/index.js';
import {
  absolute,
  add,
  compare,
  divide,
  type Enclosure,
  exactly,
  exactText,
  exp,
  floor,
  integer,
  maximum,
  multiply,
  negate,
  one,
  type Rational,
  rational,
  subtract,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { type LogConcave, makePmf } from '../pmf/index.js';
import { RATIO_BITS, ratioUp, tailError } from './_geometric-tail.js';
import { type Family, halfStepUp, isPositive, parameter, scaleDial } from './noise.js';

export const laplace: Family = {
  name: 'laplace',
  meaning: 'Laplace noise rounded down to the lattice',
  parameters: [
    { key: 'scale', meaning: 'λ, the scale; the standard deviation is about 1.41 λ' },
    { key: 'mu', meaning: 'μ, where the density peaks', default: '0' },
  ],
  centre: halfStepUp,
  dial: scaleDial,
  build(values, step) {
    const scale = parameter('laplace', values, 'scale', 'above 0', isPositive);
    const mu = parameter('laplace', values, 'mu');
    return {
      family: 'laplace',
      parameters: { scale: exactText(scale), mu: exactText(mu) },
      step,
      approximate: () => approximate(scale, mu, step),
      pureEpsilon: (adjacency) => exactly(divide(multiply(integer(adjacency), step), scale)),
      law: lawOf(scale, mu, step),
      continuous: {
        density: laplaceDensity(scale, mu),
        rounding: 'down',
        at: (finer) => laplace.build(values, finer),
      },
    };
  },
};

/** Scales from which on a tail is only known to be below e^(−NEGLIGIBLE) < 2^−16384. */
const NEGLIGIBLE = 11_400n;

/** P(θ ≥ k) = P(X ≥ k·step) of the density. */
function lawOf(scale: Rational, mu: Rational, step: Rational): LogConcave {
  const tail = (x: Rational, bits: number): Enclosure => {
    const small =
      absolute(x).num > NEGLIGIBLE * x.den
        ? { lower: zero, upper: { num: 1n, den: 1n << 16_384n } }
        : times(exactly({ num: 1n, den: 2n }), exp(negate(absolute(x)), bits));
    return x.num >= 0n ? small : complement(small);
  };
  const place = (k: number) => divide(subtract(multiply(integer(k), step), mu), scale);
  const [s, centre] = [divide(scale, step), divide(mu, step)].map(toNumberUp) as [number, number];
  return {
    above: (k, bits) => tail(place(k), bits),
    below: (k, bits) => tail(negate(place(k + 1)), bits),
    covers: (adjacency) =>
      compare(multiply(integer(adjacency), step), multiply(rational(NEGLIGIBLE), scale)) <= 0,
    // (|x + m| − |x|) / λ = ε
    near: (shift, epsilon) =>
      Math.min(0, (epsilon * s - Math.abs(shift)) / 2) + Math.sign(shift) * (centre - 0.5),
  };
}

/** One cell with the peak inside, or two that share it on their border, and geometric tails. */
function approximate(scale: Rational, mu: Rational, step: Rational) {
  const exponent = divide(step, scale);
  const rounded = ratioUp(exponent, 'laplace: scale');
  const tail = { period: 1, ratio: rounded.ratio };
  const index = floor(divide(mu, step));
  const offset = divide(subtract(mu, multiply(rational(index), step)), scale);
  if (offset.num === 0n) {
    const pmf = makePmf({ step, from: Number(index) - 1, weights: [1n, 1n], left: tail, right: tail });
    return { pmf, error: tailError(rounded, zero) };
  }
  // Twice the masses of the cells before, around and after the peak.
  const bits = 2 * RATIO_BITS + Math.ceil(toNumberUp(exponent) * 1.5);
  const before = exp(negate(offset), bits);
  const after = exp(subtract(offset, exponent), bits);
  const whole = exp(negate(exponent), bits);
  const cells: Enclosure[] = [
    times(before, complement(whole)),
    sum(complement(before), complement(after)),
    times(after, complement(whole)),
  ];
  const weights = lipschitz(
    cells.map(({ lower }) => (lower.num << BigInt(bits)) / lower.den),
    rounded.ratio,
  );
  const error = cells
    .map(({ lower, upper }, i) => {
      const weight = rational(weights[i]!, 1n << BigInt(bits));
      return maximum(subtract(divide(upper, weight), one), subtract(divide(weight, lower), one));
    })
    .reduce(maximum);
  const pmf = makePmf({ step, from: Number(index) - 1, weights, left: tail, right: tail });
  return { pmf, error: tailError(rounded, error) };
}

/** The least weights not below the given ones whose neighbours differ by at most the ratio. */
function lipschitz(weights: bigint[], { num, den }: Rational): bigint[] {
  const raised = [...weights];
  const atLeast = (weight: bigint, neighbour: bigint) => {
    const least = (neighbour * num + den - 1n) / den;
    return weight < least ? least : weight;
  };
  for (let i = 1; i < raised.length; i++) raised[i] = atLeast(raised[i]!, raised[i - 1]!);
  for (let i = raised.length - 2; i >= 0; i--) raised[i] = atLeast(raised[i]!, raised[i + 1]!);
  return raised;
}

function complement({ lower, upper }: Enclosure): Enclosure {
  return { lower: subtract(one, upper), upper: subtract(one, lower) };
}

function times(a: Enclosure, b: Enclosure): Enclosure {
  return { lower: multiply(a.lower, b.lower), upper: multiply(a.upper, b.upper) };
}

function sum(a: Enclosure, b: Enclosure): Enclosure {
  return { lower: add(a.lower, b.lower), upper: add(a.upper, b.upper) };
}
