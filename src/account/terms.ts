// The terms of a transform, and their sum, with what rounding may do to it.

import type { Kernel } from './kernel.js';
import { UNIT } from './losses.js';
import type { Spectrum } from './spectrum.js';

/** Terms of a modulus below e to this are only bounded. */
const FADED = -70;

/** The terms of a transform: a complex number for each frequency, with its share of the error. */
export interface Terms {
  readonly first: number;
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
  /** A bound on the error of all of them, but for their phases. */
  readonly error: number;
  readonly sizes: Float64Array;
}

/** A real transform: the first frequency once, the others twice. */
export function weighted(spectra: readonly Spectrum[], turn: number, kernel: Kernel): Terms[] {
  const largest = kernel(0).size;
  return spectra.map(({ first, log, phase, most, off }) => {
    const array = () => new Float64Array(log.length);
    const [real, imaginary, sizes] = [array(), array(), array()];
    let error = 0;
    for (let n = 0; n < log.length; n++) {
      if (most[n]! < FADED) {
        error += 2 * largest * Math.exp(most[n]!);
        continue;
      }
      const value = kernel((first + n) * turn);
      const times = first + n === 0 ? 1 : 2;
      const bound = times * value.size * Math.exp(most[n]!);
      const own = off[n]! + UNIT * (8 * Math.abs(phase[n]!) + 1024 + 2 * Math.abs(most[n]!));
      if (own < 0.5) {
        const size = times * Math.exp(log[n]!);
        const [x, y] = [size * Math.cos(phase[n]!), size * Math.sin(phase[n]!)];
        real[n] = value.real * x - value.imaginary * y;
        imaginary[n] = value.real * y + value.imaginary * x;
        sizes[n] = bound;
        error += 1.3 * bound * own;
      } else error += bound;
    }
    return { first, real, imaginary, sizes, error };
  });
}

/** Σ Re(term·e^(i·distance·frequency)), over `whole`; the distance may be off by `slip`. */
export function summed(all: readonly Terms[], turn: number, distance: number, whole: number, slip = 0) {
  let [sum, error, total, count] = [0, 0, 0, 0];
  const [turnCos, turnSin] = [Math.cos(turn * distance), Math.sin(turn * distance)];
  for (const { first, real, imaginary, sizes, error: own } of all) {
    let [cos, sin] = [0, 0];
    error += own;
    for (let n = 0; n < real.length; n++) {
      const angle = (first + n) * turn * distance;
      if (n % 16 === 0) [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      sum += real[n]! * cos - imaginary[n]! * sin;
      total += sizes[n]!;
      error += sizes[n]! * (UNIT * (8 * Math.abs(angle) + 128) + (first + n) * turn * slip);
      [cos, sin] = [cos * turnCos - sin * turnSin, sin * turnCos + cos * turnSin];
      count++;
    }
  }
  return { sum: sum / whole, error: ((error + UNIT * count * total) / whole) * (1 + 1e-9) };
}
