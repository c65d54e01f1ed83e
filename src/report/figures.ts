// How figures are written on the page.

import { parseDecimal, toDecimalUp } from '../exact/index.js';

/** Four digits. */
export function number(x: number): string {
  return String(Number(x.toPrecision(4))).replace('-', '−');
}

/** So many digits at most, upward. */
export function short(decimal: string, digits = 7): string {
  return toDecimalUp(parseDecimal(decimal), digits);
}
