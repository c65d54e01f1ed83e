// Figures as they are printed: with as many digits as their intervals' widths need, lower ends rounded down and upper ends up, so that
// what is printed holds all that was computed.

import type { Figure, Interval } from './figures.js';

export interface Told {
  readonly estimate: string;
  readonly usual: string;
  readonly guaranteed: string | null;
}

/** What a number is printed as: itself, a share in per cent, or a share of so many rows. */
export type Unit = 'value' | 'share' | { readonly rows: number };

/** An interval has the width of at least so many of its last digits: rounding makes it 4 % wider at most. */
const PARTS = 50;
/** Digits that doubles hold. */
const DIGITS = 15;

export function told({ estimate, usual, guaranteed }: Figure, unit: Unit): Told {
  return {
    estimate: toldWithin(estimate, usual, unit),
    usual: toldInterval(usual, unit),
    guaranteed: guaranteed && toldInterval(guaranteed, unit),
  };
}

/** A number that lies within an interval, with the interval's digits: as printed, it does so too. */
export function toldWithin(x: number, interval: Interval, unit: Unit): string {
  const { scale, place } = scaleOf(interval, unit);
  return written(rounded(x * scale, place), unit);
}

export function toldInterval(interval: Interval, unit: Unit): string {
  const { scale, place } = scaleOf(interval, unit);
  const end = (x: number, outward: 1 | -1) => {
    const near = rounded(x * scale, place);
    const isOutside = outward < 0 ? near / scale <= x : near / scale >= x;
    return written(isOutside ? near : rounded(near + outward * 10 ** place, place), unit);
  };
  return `${end(interval[0], -1)} to ${end(interval[1], 1)}`;
}

/** By what is printed, in numbers, and the power of ten of its last digit. */
function scaleOf([low, high]: Interval, unit: Unit): { readonly scale: number; readonly place: number } {
  const scale = unit === 'value' ? 1 : unit === 'share' ? 100 : unit.rows;
  const power = (x: number) => Math.floor(Math.log10(x));
  const finest = power(scale * Math.max(Math.abs(low), Math.abs(high), Number.MIN_VALUE)) + 1 - DIGITS;
  const place = Math.max(-100, finest, power((scale * (high - low)) / PARTS));
  return { scale, place: typeof unit === 'object' ? Math.max(0, place) : place };
}

function rounded(x: number, place: number): number {
  return place > 0 ? Math.round(x / 10 ** place) * 10 ** place : Number(x.toFixed(-place));
}

function written(x: number, unit: Unit): string {
  if (typeof unit === 'object') return x.toLocaleString('en');
  return unit === 'share' ? `${x} %` : `${x}`;
}
