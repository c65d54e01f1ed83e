// Quantiles of the normal distribution: found in doubles [Wichura, AS 241], and where a figure rests on one, checked by enclosure.

import { fromNumber, normalCdf, type Rational, toNumberUp } from '../exact/index.js';

/** A polynomial over another, from the constant coefficient on. */
type Ratio = readonly [readonly number[], readonly number[]];

const CENTRAL: Ratio = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
];
const NEAR: Ratio = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
];
const FAR: Ratio = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    0.000018463183175100548, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
];

/** Φ⁻¹(p) to about 1e-15; `rest` is 1 − p, for p close to 1. */
export function normalQuantile(p: number, rest: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * quotient(CENTRAL, 0.180625 - q * q);
  const tail = Math.sqrt(-Math.log(Math.min(p, rest)));
  const size = tail <= 5 ? quotient(NEAR, tail - 1.6) : quotient(FAR, tail - 5);
  return q < 0 ? -size : size;
}

function quotient([top, bottom]: Ratio, x: number): number {
  return polynomial(top, x) / polynomial(bottom, x);
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i]!;
  return sum;
}

/** At least Φ⁻¹(p), by enclosure: Φ there is at least p. */
export function normalQuantileUp(p: Rational): Rational {
  const [near, rest] = [toNumberUp(p), toNumberUp({ num: p.den - p.num, den: p.den })];
  const x = normalQuantile(near, rest);
  for (let pad = 1e-14 * Math.max(1, Math.abs(x)); ; pad *= 4) {
    const candidate = fromNumber(x + pad);
    const { lower } = normalCdf(candidate, 90);
    if (lower.num * p.den >= p.num * lower.den) return candidate;
  }
}
