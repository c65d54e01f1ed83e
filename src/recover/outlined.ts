// The outline of a recovered distribution, to be drawn: as fine as it can be told, and level within each group.

import type { Bar } from './recover.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Outlined = Readonly<Record<'mass' | 'low' | 'high', readonly Point[]>>;

/** Shares of single values, which lie a unit apart: each group's is spread over its values. */
export function outlined(shape: readonly Bar[], unit: number): Outlined {
  const points = (key: keyof Outlined) =>
    shape.flatMap(({ value, through, ...bar }) => {
      const y = bar[key] / ((through - value) / unit + 1);
      return through > value ? [value, through].map((x) => ({ x, y })) : [{ x: value, y }];
    });
  return { mass: points('mass'), low: points('low'), high: points('high') };
}
