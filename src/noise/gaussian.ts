// Gaussian noise, floor-discretised [QHFL, Eq. 2] and, for comparison, sampled on the lattice [CKS].
// Neither has geometric tails nor a pure guarantee: the window ends where next to nothing is left, and
// what is cut off costs δ.

import { normalDensityOf } from '../density/index.js';
import { invalid } from '../error/index.js';
import {
  add,
  ceiling,
  compare,
  divide,
  type Enclosure,
  exactText,
  floor,
  integer,
  multiply,
  negate,
  normalTail,
  one,
  type Rational,
  rational,
  squareRoot,
  subtract,
  toDecimalUp,
  toNumberNear,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { type Approximation, type LogConcave, windowPmf } from '../pmf/index.js';
import { bellBits, bellCells, bellPoints } from './_bell.js';
import { bellSum } from './_bell-sum.js';
import {
  type Family,
  halfStepUp,
  isPositive,
  type Noise,
  type Precision,
  parameter,
  type Target,
} from './noise.js';

const WIDEST = 8_000_000;
/** Standard deviations beyond which no window reaches: further out a weight has more digits than a file may hold. */
const FURTHEST = 290;
/** Long windows of long weights reach less far, to fit into memory. */
const LESS_FAR = 150;
const MOST_BITS = 6e9;
/** Relative error of the weights; see proofs/bell.md. */
const RELATIVE = rational(1n, 1n << 118n);

const NOT_PURE = 'its ratios of neighbouring probabilities grow without bound; give a delta, or use laplace';

export const gaussian = family('gaussian', 'normal noise rounded down to the lattice', [
  { key: 'sigma', meaning: 'σ, the standard deviation before rounding down' },
  { key: 'mu', meaning: 'μ, the mean before rounding down', default: '0' },
]);

export const discreteGaussian = family(
  'discrete-gaussian',
  'the normal density at the lattice points, normalised (Canonne, Kamath and Steinke)',
  [
    { key: 'sigma', meaning: 'σ: p(k) ∝ e^(−(k − μ)² / 2σ²)' },
    { key: 'mu', meaning: 'μ, the centre', default: '0' },
  ],
);

function family(
  name: 'gaussian' | 'discrete-gaussian',
  meaning: string,
  parameters: Family['parameters'],
): Family {
  return {
    name,
    meaning,
    parameters,
    ...(name === 'gaussian' ? { centre: halfStepUp } : {}),
    dial: {
      key: 'sigma',
      grows: true,
      notPure: NOT_PURE,
      solve: () => null,
      guess: (target, _values, step) => guessSigma(target, step),
      range: { lower: 0, upper: Infinity },
    },
    build: (values, step) => build(name, values, step),
  };
}

function build(
  family: 'gaussian' | 'discrete-gaussian',
  values: Readonly<Record<string, string>>,
  step: Rational,
): Noise {
  const sigma = parameter(family, values, 'sigma', 'above 0', isPositive);
  const mu = parameter(family, values, 'mu');
  if (sigma.num * step.den * 2000n < step.num * sigma.den)
    throw invalid(
      `${family}: expected sigma of at least a 2000th of the step ${exactText(step)}, got ${exactText(sigma)}; use a smaller step`,
    );
  return {
    family,
    parameters: { sigma: exactText(sigma), mu: exactText(mu) },
    step,
    approximate: (precision) => approximate(family, sigma, mu, step, precision),
    pureEpsilon: () => null,
    law: family === 'gaussian' ? roundedLaw(sigma, mu, step) : pointLaw(sigma, mu, step),
    ...(sigma.num * step.den > WIDE * step.num * sigma.den
      ? { outline: (times = 1) => outlineOf(family, sigma, mu, step, times) }
      : {}),
    continuous: {
      density: normalDensityOf(sigma, mu),
      rounding: family === 'gaussian' ? 'down' : null,
      at: (finer) => build(family, values, finer),
    },
  };
}

/** Standard deviations from which on a tail is only known to be below e^(−c²/2): less than any window leaves out. */
const NEGLIGIBLE = 150n;

function tailAt(c: Rational, tail: (c: Rational) => Enclosure): Enclosure {
  // 150²/2 > 16200·ln 2, and 16 bits for the discrete Gaussian's polynomial factor.
  if (c.num > NEGLIGIBLE * c.den) return { lower: zero, upper: { num: 1n, den: 1n << 16_184n } };
  return tail(c);
}

/** At most 8 standard deviations: the deepest cut is at 142 of them, and no window is held to fewer than `LESS_FAR`. */
function covers(sigma: Rational, step: Rational, adjacency: number): boolean {
  return compare(multiply(integer(adjacency), step), multiply(integer(8), sigma)) <= 0;
}

/** Where (c + d/2)·d = ε, d = shift·step/σ, in the direction of the shift. */
function nearEdge(sigma: Rational, mu: Rational, step: Rational, shift: number, epsilon: number): number {
  const [s, centre] = [divide(sigma, step), divide(mu, step)].map(toNumberNear) as [number, number];
  const d = Math.abs(shift) / s;
  return Math.min(Number(NEGLIGIBLE), epsilon / d - d / 2) * s + Math.sign(shift) * centre;
}

/** P(θ ≥ k) = P(X ≥ k·step) of the density. */
function roundedLaw(sigma: Rational, mu: Rational, step: Rational): LogConcave {
  const place = (k: number) => divide(subtract(multiply(integer(k), step), mu), sigma);
  return {
    above: (k, bits) => tailAt(place(k), (c) => normalTail(c, bits)),
    below: (k, bits) => tailAt(negate(place(k + 1)), (c) => normalTail(c, bits)),
    covers: (adjacency) => covers(sigma, step, adjacency),
    near: (shift, epsilon) => nearEdge(sigma, subtract(mu, divide(step, integer(2))), step, shift, epsilon),
  };
}

/** p(k) ∝ e^(−c²/2), c = (k·step − μ)/σ: the logarithm of p(k) / p(k + s) is (c + d/2)·d, d = s·step/σ. */
function pointLaw(sigma: Rational, mu: Rational, step: Rational): LogConcave {
  const place = (k: number) => divide(subtract(multiply(integer(k), step), mu), sigma);
  const width = divide(step, sigma);
  // Both halves meet at the first point that is not below the centre.
  const middle = Number(ceiling(divide(mu, step)));
  let whole: Enclosure | null = null;
  const outward = (k: number, side: 1 | -1) => bellSum(side > 0 ? place(k) : negate(place(k)), width);
  const all = () => {
    if (!whole) {
      const [right, left] = [outward(middle, 1), outward(middle - 1, -1)];
      whole = { lower: add(right.lower, left.lower), upper: add(right.upper, left.upper) };
    }
    return whole;
  };
  const part = (k: number, side: 1 | -1): Enclosure =>
    tailAt(side > 0 ? place(k) : negate(place(k)), (c) => {
      const total = all();
      const sum = bellSum(c, width);
      return { lower: divide(sum.lower, total.upper), upper: divide(sum.upper, total.lower) };
    });
  const rest = ({ lower, upper }: Enclosure) => ({
    lower: subtract(one, upper),
    upper: subtract(one, lower),
  });
  return {
    above: (k) => (k >= middle ? part(k, 1) : rest(part(k - 1, -1))),
    below: (k) => (k < middle ? part(k, -1) : rest(part(k + 1, 1))),
    covers: (adjacency) => covers(sigma, step, adjacency),
    near: (shift, epsilon) => nearEdge(sigma, mu, step, shift, epsilon),
    exceeds: (k, shift, epsilon) => {
      const d = multiply(integer(shift), width);
      return compare(multiply(add(place(k), divide(d, integer(2))), d), epsilon) > 0;
    },
  };
}

/** Standard deviations of more steps than this are looked at on a coarser lattice, with a quarter as many. */
const WIDE = 4000n;

/** The same mean and variance on a lattice that is coarser by a whole number. */
function outlineOf(
  family: 'gaussian' | 'discrete-gaussian',
  sigma: Rational,
  mu: Rational,
  step: Rational,
  times: number,
): Noise {
  const parts = BigInt(times) * floor(divide(divide(sigma, step), rational(WIDE / 4n)));
  const coarse = multiply(rational(parts), step);
  if (family === 'discrete-gaussian')
    return build(family, { sigma: exactText(sigma), mu: exactText(mu) }, coarse);
  // Rounded down, noise loses half a step of its mean and gains a twelfth of a squared step of variance.
  const more = divide(subtract(multiply(coarse, coarse), multiply(step, step)), integer(12));
  const narrower = squareRoot(subtract(multiply(sigma, sigma), more), 96).lower;
  const centre = add(mu, divide(subtract(coarse, step), integer(2)));
  return build(family, { sigma: toDecimalUp(narrower, 20), mu: exactText(centre) }, coarse);
}

function approximate(
  family: 'gaussian' | 'discrete-gaussian',
  sigma: Rational,
  mu: Rational,
  step: Rational,
  { adjacency, cut, mostEpsilon = Infinity }: Precision,
): Approximation {
  const width = divide(step, sigma);
  // Mass beyond z is below e^(−z²/2); the discrete Gaussian's is up to a polynomial factor and the
  // offset of the lattice from the centre, covered by the extra bits and the factor (proofs/bell.md).
  const z = Math.sqrt(2 * Math.LN2 * (cut + 48) * 1.13) + 0.01;
  // Points are needed as counterparts up to m beyond z, or as far as e^ε lifts them to what is not negligible.
  const wanted = Math.min(z + adjacency * toNumberUp(width), Math.sqrt(z * z + 2 * mostEpsilon) + 1);
  const fits = (c: number) => ((2 * c) / toNumberUp(width)) * bellBits(c) < MOST_BITS;
  const reach = Math.max(z, Math.min(wanted, fits(Math.min(wanted, FURTHEST)) ? FURTHEST : LESS_FAR));
  const from = Number(floor(divide(subtract(mu, multiply(fraction(reach), sigma)), step))) - 1;
  const to = Number(ceiling(divide(add(mu, multiply(fraction(reach), sigma)), step)));
  if (to - from > WIDEST)
    throw invalid(
      `${family}: expected a window of at most ${WIDEST} points, got ${to - from}; use a step of ${exactText(multiply(step, integer(Math.ceil((to - from) / WIDEST))))} or more, or discrete geometric noise`,
    );
  const start = divide(subtract(multiply(integer(from), step), mu), sigma);
  const bits = bellBits(reach + Math.min(16, 2 * toNumberUp(width)));
  const weights = (family === 'gaussian' ? bellCells : bellPoints)(start, width, to - from + 1, bits);
  // Weights too small for their precision are left out: they are the outermost.
  const least = 1n << 126n;
  const first = weights.findIndex((weight) => weight >= least);
  const last = weights.findLastIndex((weight) => weight >= least);
  const pmf = windowPmf(step, from + first, weights.slice(first, last + 1));
  const outside = rational(1n, 1n << BigInt(cut));
  return { pmf, error: () => ({ relative: add(RELATIVE, outside), outside }) };
}

/** Twelve binary places are plenty for the edge of a window. */
function fraction(value: number): Rational {
  return rational(BigInt(Math.ceil(value * 4096)), 4096n);
}

/** The classical bound is a start; the search does the rest. */
function guessSigma({ epsilon, delta, adjacency }: Target, step: Rational): number {
  const [d, loss] = [Math.max(toNumberUp(delta), 1e-300), toNumberUp(epsilon)];
  const spread = Math.sqrt(2 * Math.log(1.25 / Math.min(d, 0.9)));
  // For small ε what counts is the total variation, about m / (σ·√(2π)).
  const classical = (spread + Math.sqrt(loss)) / loss / 1.5;
  return adjacency * toNumberUp(step) * Math.min(classical, 1 / (2.5 * d));
}
