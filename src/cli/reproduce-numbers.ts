// How the numbers of a report's tables are written.

import type { Cell } from '../paper/index.js';

/** One format for all numbers of a column, so that they can be compared at a glance. */
export function columnFormat(cells: readonly Cell[]): (cell: Cell) => string {
  const sizes = cells
    .filter((cell) => typeof cell === 'number' && cell !== 0)
    .map((cell) => Math.abs(cell as number));
  const whole = cells.every((cell) => typeof cell !== 'number' || Number.isInteger(cell));
  const most = sizes.reduce((a, b) => Math.max(a, b), 0);
  const least = sizes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const needed = sizes.reduce((places, size) => Math.max(places, decimals(size)), 0);
  const places = Math.min(needed, Math.max(0, 4 - Math.max(0, Math.floor(Math.log10(most || 1)))));
  const format = (value: number) => {
    if (!Number.isFinite(value)) return String(value);
    if (whole && most < 1e15) return String(value);
    // Numbers too far apart for one number of digits after the point.
    if ((places < needed && least < 10 ** -places) || most >= 1e7)
      return value === 0 ? '0' : value.toExponential(3);
    return value.toFixed(places);
  };
  return (cell) => (cell === null ? '–' : typeof cell === 'number' ? format(cell).replace(/-/g, '−') : cell);
}

/** How many digits a number has after the point, but for what rounding left. */
function decimals(size: number): number {
  const [digits, exponent] = size.toPrecision(12).split('e') as [string, string?];
  const after = (digits.split('.')[1] ?? '').replace(/0+$/, '').length;
  return Math.max(0, after - Number(exponent ?? 0));
}
