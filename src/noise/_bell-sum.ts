// Σ e^(−c²/2) over c = start, start + spacing, … without end, to a relative width of 2^−100: term by term where few count, else by
// Euler and Maclaurin's formula. Proof of the error: proofs/bell.md.

import {
  add,
  divide,
  type Enclosure,
  exp,
  integer,
  multiply,
  normalDensity,
  normalTail,
  one,
  type Rational,
  rational,
  subtract,
  toNumberUp,
  zero,
} from '../exact/index.js';
import { bellPoints } from './_bell.js';

const WIDTH = rational(1n, 1n << 101n);
/** Terms that are added up one by one. */
const MOST_TERMS = 3000;
/** Bits of the fixed point in which the formula's corrections are worked out. */
const WORK = 320;
const W = BigInt(WORK);

/** From a start of at least 0. */
export function bellSum(start: Rational, spacing: Rational): Enclosure {
  const [c, h] = [toNumberUp(start), toNumberUp(spacing)];
  // From here on what is left is below 2^−110 of the first term.
  const distance = 77 / (c / 2 + Math.sqrt((c * c) / 4 + 77 / 2)) + h;
  const terms = Math.ceil(distance / h) + 2;
  return terms <= MOST_TERMS ? termByTerm(start, spacing, terms) : byFormula(start, spacing);
}

function termByTerm(start: Rational, spacing: Rational, terms: number): Enclosure {
  const bits = 256;
  const last = add(start, multiply(integer(terms - 1), spacing));
  const scale = bits + Math.ceil((toNumberUp(last) ** 2 - toNumberUp(start) ** 2 / 1.0001) * 0.7214) + 8;
  const points = bellPoints(start, spacing, terms, scale);
  const first = exp(divide(multiply(start, start), integer(-2)), 160);
  // Relative to the first.
  const sum = points.reduce((all, point) => all + point, 0n);
  const ratio = rational(sum, points[0]!);
  return around({ lower: multiply(first.lower, ratio), upper: multiply(first.upper, ratio) });
}

/** (1/h)·∫ f + f(c)/2 − Σ_r B_2r/(2r)!·h^(2r−1)·f^(2r−1)(c), where f^(n) = (−1)^n·He_n·f. */
function byFormula(start: Rational, spacing: Rational): Enclosure {
  const first = exp(divide(multiply(start, start), integer(-2)), 192);
  const tail = normalTail(start, 192);
  const root = circleRoot();
  const c = (start.num << W) / start.den;
  const h = (spacing.num << W) / spacing.den;
  // u_n = h^n·He_n(c): u_{n+1} = h·c·u_n − n·h²·u_{n−1}
  const [hc, hh] = [(c * h) >> W, (h * h) >> W];
  let [previous, current] = [1n << W, hc];
  let sum = 1n << (W - 1n);
  // Made when first asked for: every program that loads this file would wait for them.
  coefficients ??= bernoulli(24);
  for (let r = 1; r <= coefficients.length; r++) {
    const [num, den] = coefficients[r - 1]!;
    sum += (current * num) / den;
    for (const n of [2 * r - 1, 2 * r])
      [previous, current] = [current, (hc * current - BigInt(n) * hh * previous) >> W];
  }
  const corrections = rational(sum, 1n << W);
  const integral = (a: Rational, b: Rational) => divide(multiply(a, b), spacing);
  return around({
    lower: add(integral(tail.lower, root.lower), multiply(first.lower, corrections)),
    upper: add(integral(tail.upper, root.upper), multiply(first.upper, corrections)),
  });
}

/** B_2r / (2r)! for r = 1, 2, … */
let coefficients: (readonly [bigint, bigint])[] | undefined;

function bernoulli(count: number): (readonly [bigint, bigint])[] {
  // t/(e^t − 1) = Σ b_n·t^n: Σ_{j ≤ n} b_j/(n + 1 − j)! = 0 for n ≥ 1.
  const factorials = [1n];
  for (let n = 1; n <= 2 * count + 2; n++) factorials.push(factorials[n - 1]! * BigInt(n));
  const b: Rational[] = [rational(1n)];
  for (let n = 1; n <= 2 * count; n++) {
    let sum = rational(0n);
    for (let j = 0; j < n; j++) sum = subtract(sum, multiply(b[j]!, rational(1n, factorials[n + 1 - j]!)));
    b.push(sum);
  }
  return Array.from({ length: count }, (_, i) => [b[2 * i + 2]!.num, b[2 * i + 2]!.den] as const);
}

/** √(2π), as φ(0) is its inverse. */
function circleRoot(): Enclosure {
  const { lower, upper } = normalDensity(zero, 224);
  return { lower: divide(one, upper), upper: divide(one, lower) };
}

function around({ lower, upper }: Enclosure): Enclosure {
  return { lower: subtract(lower, multiply(lower, WIDTH)), upper: add(upper, multiply(upper, WIDTH)) };
}
