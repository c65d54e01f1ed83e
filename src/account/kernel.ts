// What the transform of the losses is multiplied by: the transforms of the functions whose mean is wanted.

/** A complex number, and a bound on the terms it was added up from. */
export interface Value {
  readonly real: number;
  readonly imaginary: number;
  readonly size: number;
}

/** At z = c + it. */
export type Kernel = (t: number) => Value;

/** Σ_j e^(−zj·spacing)·e^(−c·ahead)·(1 − e^(−y_j)) over y_j = ahead + j·spacing, j ≥ 0: for losses on a progression. */
export function latticeKernel(c: number, ahead: number, spacing: number): Kernel {
  return (t) => {
    const one = geometric(c, t, ahead, spacing);
    const other = geometric(c + 1, t, ahead, spacing);
    return {
      real: one.real - other.real,
      imaginary: one.imaginary - other.imaginary,
      size: one.size + other.size,
    };
  };
}

/** e^(−c·ahead) / (1 − e^(−z·spacing)), the denominator without cancellation */
function geometric(c: number, t: number, ahead: number, spacing: number): Value {
  const shrink = Math.exp(-c * spacing);
  const s = Math.sin((t * spacing) / 2);
  const real = -Math.expm1(-c * spacing) + 2 * shrink * s * s;
  const imaginary = shrink * Math.sin(t * spacing);
  const square = real * real + imaginary * imaginary;
  const top = Math.exp(-c * ahead);
  return {
    real: (top * real) / square,
    imaginary: (-top * imaginary) / square,
    size: top / Math.sqrt(square),
  };
}

/**
 * A further release whose loss is U = V + lift, V the sum of ORDER even distributions on ±width/ORDER: `lift` is such that
 * E e^−U = 1, so that it is one.
 */
export interface Blur {
  readonly width: number;
  readonly lift: number;
  /** E (1 − e^−U)₊ from above: what it can add to δ at most, wherever the loss lies. */
  readonly gain: number;
}

const ORDER = 16;

export function blurOf(width: number): Blur {
  const part = width / ORDER;
  // log (sinh x / x), whose series alternates
  const lift =
    ORDER *
    (part < 1e-2 ? (part * part) / 6 - part ** 4 / 180 + part ** 6 / 2835 : Math.log(Math.sinh(part) / part));
  // E (1 − e^−U)₊ ≤ E U₊ ≤ ½·E|V| + lift ≤ ½·√(E V²) + lift, E V² = width² / 3·ORDER
  return { width, lift: lift * (1 + 1e-12), gain: (width / Math.sqrt(12 * ORDER) + lift) * (1 + 1e-12) };
}

/** E e^zU / (z(z + 1)): δ of the losses and the blur. */
export function blurredKernel(c: number, blur: Blur): Kernel {
  return (t) => {
    const spread = spreadAt(c, t, blur.width);
    const lifted = times(spread, turn(c * blur.lift, t * blur.lift));
    const value = over(over(lifted, c, t), c + 1, t);
    return { ...value, size: 2 * Math.hypot(value.real, value.imaginary) };
  };
}

/** E e^zV·2 sinh(z·reach)/z: of the probability that losses and V together are within `reach` of ε. */
export function windowKernel(c: number, blur: Blur, reach: number): Kernel {
  return (t) => {
    const spread = spreadAt(c, t, blur.width);
    const wave = {
      real: 2 * Math.sinh(c * reach) * Math.cos(t * reach),
      imaginary: 2 * Math.cosh(c * reach) * Math.sin(t * reach),
    };
    const value = over(times(spread, wave), c, t);
    return {
      ...value,
      size: (2 * Math.hypot(spread.real, spread.imaginary) * 2 * Math.cosh(c * reach)) / Math.hypot(c, t),
    };
  };
}

/** An upper bound on |E e^zU / (z(z + 1))| for every t from here on. */
export function blurredSize(c: number, t: number, { width, lift }: Blur): number {
  const part = width / ORDER;
  const fall =
    t * part > 1 ? (Math.cosh(c * part) / (t * part)) ** ORDER : (Math.sinh(c * part) / (c * part)) ** ORDER;
  return (fall * Math.exp(c * lift)) / (Math.hypot(c, t) * Math.hypot(c + 1, t));
}

/** The frequency from which the sizes of all further ones add up to at most `rest`, over 2π. */
export function blurredReach(c: number, blur: Blur, rest: number): number {
  let t = ORDER / blur.width;
  while (blurredSize(c, t, blur) * t > rest) t *= 1.1;
  return t;
}

interface Complex {
  readonly real: number;
  readonly imaginary: number;
}

/** E e^zV = (sinh y / y)^ORDER with y = z·width/ORDER */
function spreadAt(c: number, t: number, width: number): Complex {
  const [a, b] = [(c * width) / ORDER, (t * width) / ORDER];
  let value =
    a * a + b * b < 1e-16
      ? { real: 1, imaginary: 0 }
      : over({ real: Math.sinh(a) * Math.cos(b), imaginary: Math.cosh(a) * Math.sin(b) }, a, b);
  for (let power = 1; power < ORDER; power *= 2) value = times(value, value);
  return value;
}

function turn(growth: number, angle: number): Complex {
  const size = Math.exp(growth);
  return { real: size * Math.cos(angle), imaginary: size * Math.sin(angle) };
}

function times(a: Complex, b: Complex): Complex {
  return {
    real: a.real * b.real - a.imaginary * b.imaginary,
    imaginary: a.real * b.imaginary + a.imaginary * b.real,
  };
}

/** a / (c + it) */
function over({ real, imaginary }: Complex, c: number, t: number): Complex {
  const square = c * c + t * t;
  return { real: (real * c + imaginary * t) / square, imaginary: (imaginary * c - real * t) / square };
}
