// What is too large to be worked out.

import { invalid } from '../error/index.js';
import type { Part } from './spectrum.js';

/** Multiplications above which a composition is too large. */
const MOST_WORK = 1e10;

export function checkWork(parts: readonly Part[], count: number, most = MOST_WORK): void {
  if (count * (atomsOf(parts) + EACH) > most) throw tooLarge(count, parts);
}

/** What each frequency is worth by itself. */
export const EACH = 64;

export function tooLarge(count: number, parts: readonly Part[]) {
  return invalid(
    `releases: too large to be added up: ${count} frequencies of ${atomsOf(parts)} losses; use a larger step, or fewer different releases`,
  );
}

function atomsOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { x }) => sum + x.length, 0);
}
