// How figures are written on the page.

import { fromNumber, integer, multiply, parseDecimal, toDecimalDown, toDecimalUp } from '../exact/index.js';

/** Four digits. */
export function number(x: number): string {
  return String(Number(x.toPrecision(4))).replace('-', '−');
}

/** Seven digits at most, upward. */
export function short(decimal: string): string {
  return toDecimalUp(parseDecimal(decimal), 7);
}

/** Seven digits at most, downward. */
export function down(decimal: string): string {
  return toDecimalDown(parseDecimal(decimal), 7);
}

/** Four digits of a per cent, upward. */
export function percent(share: number): string {
  return `${toDecimalUp(multiply(fromNumber(share), integer(100)), 4)} %`;
}
