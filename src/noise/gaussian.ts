// Gaussian noise, floor-discretised [QHFL, Eq. 2] and, for comparison, sampled on the lattice [CKS].
// Neither has geometric tails nor a pure guarantee: the window ends where next to nothing is left, and
// what is cut off costs δ.

import { normalDensityOf } from '../density/index.js';
import { invalid } from '../error/index.js';
import {
  add,
  ceiling,
  divide,
  floor,
  integer,
  multiply,
  type Rational,
  rational,
  subtract,
  toDecimal,
  toNumberUp,
} from '../exact/index.js';
import { type Approximation, windowPmf } from '../pmf/index.js';
import { bellBits, bellCells, bellPoints } from './_bell.js';
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
      `${family}: expected sigma of at least a 2000th of the step ${toDecimal(step)}, got ${toDecimal(sigma)}; use a smaller step`,
    );
  return {
    family,
    parameters: { sigma: toDecimal(sigma), mu: toDecimal(mu) },
    step,
    approximate: (precision) => approximate(family, sigma, mu, step, precision),
    pureEpsilon: () => null,
    continuous: {
      density: normalDensityOf(sigma, mu),
      rounding: family === 'gaussian' ? 'down' : null,
      at: (finer) => build(family, values, finer),
    },
  };
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
      `${family}: expected a window of at most ${WIDEST} points, got ${to - from}; use a larger step than ${toDecimal(step)}`,
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
