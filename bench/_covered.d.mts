// The types of what the tests take from the simulation of coverage.

type Interval = readonly [low: number, high: number];

export const HIGHEST: number;
export function columnOf(shape: string, rows: number): number[];
export function truthOf(column: readonly number[]): Record<string, number>;
export function intervalsOf(
  usual: {
    share(from: number, to: number): Interval;
    mean(): Interval;
    variance(): Interval;
    quantile(p: number): Interval;
  },
  mean: Interval,
): Record<string, Interval>;
export function holds(interval: Interval, truth: number): boolean;
export function releasedFrom(column: readonly number[], scale: number, seed: string): Map<number, number>;
export function isRejected(hits: number, runs: number, share?: number, alpha?: number): boolean;
