// Closed forms against the profile of the compiled integers, and sums of bell curves against sums of their terms.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  parseDecimal,
  type Rational,
  rational,
  subtract,
  toNumberNear,
} from '../../src/exact/index.js';
import { calibrate, guaranteeOf } from '../../src/mechanism/index.js';
import { bellSum } from '../../src/noise/_bell-sum.js';
import { logConcaveProfile, privacyProfile } from '../../src/privacy/index.js';
import { parseFamily, parseNoise } from '../../src/spec/index.js';

const noiseOf = (text: string) => parseNoise(text, rational(1n), () => []);
/** |a − b| / b */
const apart = (a: Rational, b: Rational) => {
  const away = subtract(a, b);
  return Math.abs(toNumberNear({ num: away.num * b.den, den: away.den * b.num }));
};

describe('the profile of log-concave noise in closed form', () => {
  const decimal = (low: number, high: number) =>
    fc.integer({ min: low * 100, max: high * 100 }).map((n) => String(n / 100));
  const noises = fc.oneof(
    fc.tuple(decimal(0.4, 12), decimal(-1, 1)).map(([s, mu]) => `gaussian:sigma=${s},mu=${mu}`),
    fc.tuple(decimal(0.4, 12), decimal(-1, 1)).map(([s, mu]) => `discrete-gaussian:sigma=${s},mu=${mu}`),
    fc.tuple(decimal(0.3, 12), decimal(-1, 1)).map(([s, mu]) => `laplace:scale=${s},mu=${mu}`),
    decimal(0.3, 12).map((s) => `geometric:scale=${s}`),
  );

  it('is that of the compiled integers', () => {
    fc.assert(
      fc.property(noises, fc.integer({ min: 1, max: 6 }), decimal(0, 3), (text, adjacency, epsilon) => {
        const noise = noiseOf(text);
        const at = parseDecimal(epsilon);
        const pure = noise.pureEpsilon(adjacency);
        fc.pre(!pure || compare(pure.lower, at) > 0);
        const { lower, upper } = logConcaveProfile(noise.law!, adjacency).deltaAt(at);
        const { pmf } = noise.approximate({ adjacency, cut: 3200 });
        const compiled = privacyProfile(pmf, adjacency).deltaAt(at);
        expect(compare(lower, upper)).toBeLessThanOrEqual(0);
        expect(apart(upper, compiled.upper)).toBeLessThan(1e-12);
        expect(apart(lower, compiled.upper)).toBeLessThan(1e-12);
      }),
      { numRuns: 150 },
    );
  });

  it('has the values of Theorem 2 with the best split', () => {
    // P(θ ≥ t) + P(θ ≤ −t) at σ = 10, m = 1: ratios above e^0.05 begin at k = 5.
    const split = logConcaveProfile(noiseOf('discrete-gaussian:sigma=10').law!, 1).splitAt(
      parseDecimal('0.05'),
    );
    const { pmf } = noiseOf('discrete-gaussian:sigma=10').approximate({ adjacency: 1, cut: 400 });
    const whole = pmf.weights.reduce((a, b) => a + b, 0n);
    const far = pmf.weights.reduce((sum, w, i) => (Math.abs(pmf.from + i) >= 5 ? sum + w : sum), 0n);
    expect(apart(split, rational(far, whole))).toBeLessThan(1e-25);
  });

  it('needs no window: σ of a million steps, to any depth', () => {
    for (const family of ['gaussian', 'discrete-gaussian']) {
      const wide = guaranteeOf(noiseOf(`${family}:sigma=1000000`), 1_000_000);
      // Nearly the density's own: Φ(½ − 1) − e·Φ(−½ − 1).
      expect(toNumberNear(wide.deltaAt(rational(1n)))).toBeCloseTo(0.12693674, 7);
      expect(wide.errorQuantiles()[0]!.error).toBe(674_490);
      const narrow = guaranteeOf(noiseOf(`${family}:sigma=1000000`), 1);
      expect(toNumberNear(narrow.deltaAt(parseDecimal('0.000001')))).toBeCloseTo(8.34e-8, 9);
      expect(compare(narrow.deltaAt(rational(1n)), rational(1n, 1n << 12_700n))).toBeLessThan(0);
    }
  });
});

describe('calibration in closed form', () => {
  const calibrated = (family: string, epsilon: string, delta: string, adjacency: number) => {
    const { family: own, values } = parseFamily(family);
    const target = { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta), adjacency };
    return calibrate(own, values, target, rational(1n));
  };

  // So little noise that both sides of the centre are all there is: what compiling changes decides.
  it.each([
    ['gaussian', '1', '0.5', 1],
    ['gaussian', '0', '0.5', 1],
    ['laplace', '0', '0.5', 1],
    ['laplace', '1', '0.6', 1],
    // Tails that are not known where they would matter.
    ['laplace', '12000', '0.1', 10],
    ['geometric', '12000', '0.01', 100],
    ['gaussian', '20000', '0.1', 100],
  ])('%s at ε = %s, δ = %s, m = %d is certified', (family, epsilon, delta, adjacency) => {
    expect(calibrated(family, epsilon, delta, adjacency).certificate.holds).toBe(true);
  });

  it('is told by σ alone where windows hold what they need, however far off the centre is', () => {
    const { law } = noiseOf('gaussian:sigma=1,mu=300000000');
    expect([law!.covers(8), law!.covers(9)]).toEqual([true, false]);
  });
});

describe('the sum of a bell curve', () => {
  // Added up term by term with mpmath at 60 digits: Σ e^(−(c + kh)²/2).
  it.each([
    ['0', '0.5', '3.006628274631000502415765284811045509811'],
    ['3.25', '0.01', '0.1471955378554068120422014220901623796216'],
    ['0.001', '0.002', '626.6570686577501256039413212027613132517'],
    ['0.5', '0.001', '773.8302035776142923091621868600778525866'],
    ['20', '0.0005', '1.387393429766513853557713571526828617163e-85'],
    ['60', '0.0003', '1.043382098975014536045950015605999724239e-780'],
    ['140', '0.25', '8.204976624894319379802132406080570125092e-4257'],
  ])('from %s in steps of %s', (start, spacing, sum) => {
    const { lower, upper } = bellSum(parseDecimal(start), parseDecimal(spacing));
    expect(compare(lower, upper)).toBeLessThan(0);
    expect(apart(lower, upper)).toBeLessThan(2 ** -98);
    expect(apart(lower, decimalOf(sum))).toBeLessThan(1e-29);
  });
});

function decimalOf(text: string): Rational {
  const [digits = '', exponent = '0'] = text.split('e');
  const places = (digits.split('.')[1] ?? '').length - Number(exponent);
  return rational(BigInt(digits.replace('.', '')), 10n ** BigInt(places));
}
