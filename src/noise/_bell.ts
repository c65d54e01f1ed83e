// e^(−c²/2) along an arithmetic progression of c, and its integral over cells, to a relative error below
// 2^−120 that does not depend on how small the values are. Proof of the error: proofs/bell.md.

import {
  add,
  bitLength,
  ceiling,
  divide,
  type Enclosure,
  exp,
  floor,
  integer,
  multiply,
  negate,
  type Rational,
  toNumberUp,
} from '../exact/index.js';

/** Mantissa bits. */
const WORK = 288;
const W = BigInt(WORK);
const TOP = 1n << (W - 1n);

/** mantissa · 2^exponent with a mantissa of exactly WORK bits. */
interface Float {
  mantissa: bigint;
  exponent: number;
}

/** How far beyond the inner edge of a cell its mass matters, in standard deviations. */
const CELL_REACH = 16;
/** Widest cell that is integrated in one piece. */
const WIDEST = { num: 1n, den: 4n };

/** The weights e^(−c²/2), c = start + i·spacing for i = 0 … count − 1, times a power of two. */
export function bellPoints(start: Rational, spacing: Rational, count: number, bits: number): bigint[] {
  const weights = new Array<bigint>(count).fill(0n);
  progression(start, spacing, 0, count - 1, (i, value) => {
    weights[i] = scaled(value.mantissa, value.exponent + bits);
  });
  return weights;
}

/** The integrals of e^(−c²/2) over [start + i·width, start + (i + 1)·width], i = 0 … count − 1, times a constant. */
export function bellCells(start: Rational, width: Rational, count: number, bits: number): bigint[] {
  const parts = Number(ceiling(divide(width, WIDEST)));
  const spacing = divide(width, integer(parts));
  const first = add(start, divide(spacing, integer(2)));
  const edge = toNumberUp(width) > CELL_REACH ? CELL_REACH : Infinity;
  const [h, low] = [toNumberUp(spacing), toNumberUp(start)];
  const high = low + count * parts * h;
  const whole = parts * h;
  // Outermost inner edges, and from there as far as a cell's mass can matter.
  const from = Math.max(0, Math.floor((Math.min(low + whole, 0) - edge - low) / h) - 2);
  const to = Math.min(count * parts - 1, Math.ceil((Math.max(high - whole, 0) + edge - low) / h) + 2);
  // Few bits are lost where the series hardly alternates (proofs/bell.md).
  const work = (Math.max(-low, high) * h) / 2 <= 4 ? 160 : 288;
  const integral = cellIntegral(first, spacing, work);
  const weights = new Array<bigint>(count).fill(0n);
  progression(first, spacing, from, to, (i, value) => {
    const cell = Math.floor(i / parts);
    // Less than a unit even with an integral of e^|C|, |C| ≤ |c| / 8: not worth computing.
    if (value.exponent + WORK + bits + Math.abs(low + i * h) / 2 + 64 < 0) return;
    weights[cell]! += scaled(value.mantissa * integral(i), value.exponent + bits - work);
  });
  return weights;
}

/** Bits that keep a precision of 128 at c standard deviations from the centre. */
export function bellBits(c: number): number {
  return Math.ceil((c * c * Math.LOG2E) / 2) + 224;
}

/** Visit e^((c_b² − c_i²)/2) for i from `from` to `to`, c_i = start + i·spacing, b the index nearest to c = 0. */
function progression(
  start: Rational,
  spacing: Rational,
  from: number,
  to: number,
  visit: (i: number, value: Float) => void,
): void {
  const nearest = Number(floor(add(divide(negate(start), spacing), { num: 1n, den: 2n })));
  const base = Math.min(to, Math.max(from, nearest));
  const centre = add(start, multiply(integer(base), spacing));
  const half = divide(multiply(spacing, spacing), integer(2));
  const slope = multiply(centre, spacing);
  const decay = base === from && base === to ? null : toFloat(exp(multiply(integer(-2), half), WORK + 8));
  visit(base, { mantissa: TOP, exponent: 1 - WORK });
  for (const direction of [1, -1] as const) {
    const end = direction === 1 ? to : from;
    if (base === end || !decay) continue;
    // The first quotient of neighbours; each further one is smaller by e^(−spacing²).
    const exponent = negate(add(direction === 1 ? slope : negate(slope), half));
    const quotient = toFloat(exp(exponent, WORK + 8));
    const value: Float = { mantissa: TOP, exponent: 1 - WORK };
    for (let i = base + direction; i !== end + direction; i += direction) {
      multiplyInto(value, quotient);
      visit(i, value);
      multiplyInto(quotient, decay);
    }
  }
}

/**
 * i ↦ (1/h)·∫ e^(−c·u − u²/2) du over |u| ≤ h/2, at c = first + i·h, in fixed point of `work` bits: the
 * Taylor series Σ v_n / (n + 1) over even n with v_{n+1} = (C·v_n − H·v_{n−1}) / (n + 1), C = c·h/2, H = h²/4.
 */
function cellIntegral(first: Rational, h: Rational, work: number): (i: number) => bigint {
  const w = BigInt(work);
  const half = divide(h, integer(2));
  const offset = multiply(first, half);
  const growth = multiply(h, half);
  const den = offset.den * growth.den;
  const base = offset.num * growth.den;
  const slope = growth.num * offset.den;
  const square = multiply(half, half);
  const H = (square.num << w) / square.den;
  const unit = 1n << w;
  const small = 256n;
  return (i) => {
    const C = ((base + BigInt(i) * slope) << w) / den;
    const reach = 2n * ((C < 0n ? -C : C) + H);
    let previous = unit;
    let current = C;
    let sum = unit;
    for (let n = 1n; ; n++) {
      [previous, current] = [current, ((C * current - H * previous) >> w) / (n + 1n)];
      if (n & 1n) sum += current / (n + 2n);
      const settled = current < small && current > -small && previous < small && previous > -small;
      // From here each term is at most half the larger of the two before it.
      if (settled && reach <= (n + 2n) << w) return sum;
    }
  };
}

function multiplyInto(a: Float, b: Float): void {
  const product = (a.mantissa * b.mantissa) >> (W - 1n);
  const carry = product >> W !== 0n;
  a.mantissa = carry ? product >> 1n : product;
  a.exponent += b.exponent + WORK - 1 + (carry ? 1 : 0);
}

function toFloat({ lower }: Enclosure): Float {
  const shift = WORK + bitLength(lower.den) - bitLength(lower.num);
  const mantissa =
    shift >= 0 ? (lower.num << BigInt(shift)) / lower.den : lower.num / (lower.den << BigInt(-shift));
  const excess = bitLength(mantissa) - WORK;
  return {
    mantissa: excess > 0 ? mantissa >> BigInt(excess) : mantissa << BigInt(-excess),
    exponent: excess - shift,
  };
}

function scaled(mantissa: bigint, exponent: number): bigint {
  return exponent >= 0 ? mantissa << BigInt(exponent) : mantissa >> BigInt(-exponent);
}
