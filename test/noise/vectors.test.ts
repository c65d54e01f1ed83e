import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  compare,
  divide,
  parseDecimal,
  type Rational,
  rational,
  subtract,
  toNumberNear,
  toNumberUp,
} from '../../src/exact/index.js';
import { guaranteeOf } from '../../src/mechanism/index.js';
import { moments } from '../../src/pmf/index.js';
import { parseNoise } from '../../src/spec/index.js';

interface Case {
  noise: string;
  rows?: [string, string][];
  step: string;
  adjacency: string;
  pure: string | null;
  profile: [string, string][];
  epsilonAt: [string, string][];
  mean: string;
  meanAbsolute: string;
  variance: string;
}

const { cases } = JSON.parse(readFileSync(new URL('../vectors/families.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};

/** The vectors have 25 to 30 digits: they may themselves be above the truth by this part. */
const ROUNDING = rational(1n, 10n ** 24n);

/** An upper bound may exceed the reference by 1e-12 of it and may not be below it. */
function expectUpperBound(bound: Rational, reference: Rational) {
  expect(
    compare(
      bound,
      subtract(reference, { num: reference.num * ROUNDING.num, den: reference.den * ROUNDING.den }),
    ),
  ).toBeGreaterThanOrEqual(0);
  if (reference.num === 0n) expect(toNumberUp(bound)).toBe(0);
  else expect(toNumberNear(divide(subtract(bound, reference), reference))).toBeLessThanOrEqual(1e-12);
}

describe('every family agrees with mpmath', () => {
  it.each(cases.map((c) => [`${c.noise} at step ${c.step}, adjacency ${c.adjacency}`, c] as const))(
    '%s',
    (_, c) => {
      const step = parseDecimal(c.step);
      const noise = parseNoise(c.noise, step, () =>
        (c.rows ?? []).map(([value, probability]) => ({ value, probability })),
      );
      const adjacency = toNumberUp(divide(parseDecimal(c.adjacency), step));
      const guarantee = guaranteeOf(noise, adjacency);
      if (c.pure === null) expect(guarantee.pure).toBeNull();
      else expectUpperBound(guarantee.pure!.epsilonUpper, parseDecimal(c.pure));
      for (const [epsilon, delta] of c.profile) {
        expectUpperBound(guarantee.deltaAt(parseDecimal(epsilon)), parseDecimal(delta));
      }
      for (const [delta, epsilon] of c.epsilonAt) {
        expectUpperBound(guarantee.epsilonAt(parseDecimal(delta))!, parseDecimal(epsilon));
      }
      const own = moments(guarantee.pmf);
      const close = (x: Rational, text: string) =>
        expect(toNumberNear(subtract(x, parseDecimal(text)))).toBeCloseTo(0, 12);
      close(own.mean, c.mean);
      close(own.meanAbsolute, c.meanAbsolute);
      expect(toNumberNear(own.variance) / Number(c.variance)).toBeCloseTo(1, 12);
    },
  );
});
