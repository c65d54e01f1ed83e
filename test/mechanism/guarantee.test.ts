import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  exp,
  parseDecimal,
  rational,
  subtract,
  toNumberNear,
  toNumberUp,
  zero,
} from '../../src/exact/index.js';
import { calibrate, certify, compile, guaranteeOf, PrivacyError } from '../../src/mechanism/index.js';
import { families, gaussian, laplace, specOf, staircase, uniform } from '../../src/noise/index.js';
import { moments } from '../../src/pmf/index.js';
import { privacyProfile } from '../../src/privacy/index.js';
import { parseNoise } from '../../src/spec/index.js';

const one = rational(1n);
const noise = (spec: string, step = '1') =>
  parseNoise(spec, parseDecimal(step), () => {
    throw new Error('no tables here');
  });
const SPECS = [
  'gaussian:sigma=6,mu=0.3',
  'laplace:scale=3.3,mu=0.4',
  'staircase:width=3,ratio=0.6',
  'uniform:low=-5,high=9',
  'exponential:rate=0.3',
  'discrete-gaussian:sigma=4.5,mu=0.2',
  'geometric:scale=2.2',
  'geng-viswanath:epsilon=1.5,adjacency=4',
];

describe('what analyze prints', () => {
  it.each(SPECS)('%s: bounds the compiled figure, and by no more than 1e-12', (spec) => {
    for (const m of [1, 4, 11]) {
      const guarantee = guaranteeOf(noise(spec), m);
      for (const text of ['0', '0.3', '1', '2.5', '9']) {
        const epsilon = parseDecimal(text);
        const printed = guarantee.deltaAt(epsilon);
        const own = privacyProfile(compile(noise(spec), m, { epsilon, delta: printed }).pmf, m).deltaAt(
          epsilon,
        );
        expect(compare(printed, own.lower)).toBeGreaterThanOrEqual(0);
        const excess = toNumberNear(subtract(printed, own.upper));
        expect(excess).toBeLessThanOrEqual(1e-12 * toNumberNear(printed));
      }
    }
  });

  it('agrees with the compiled profile to 12 digits down to 1e-100', () => {
    for (const spec of ['gaussian:sigma=6,mu=0.3', 'discrete-gaussian:sigma=4.5,mu=0.2']) {
      const guarantee = guaranteeOf(noise(spec), 4);
      const epsilon = guarantee.epsilonAt(parseDecimal('1e-100'))!;
      const compiled = privacyProfile(
        compile(noise(spec), 4, { epsilon: one, delta: parseDecimal('1e-6') }).pmf,
        4,
      );
      const [printed, own] = [guarantee.deltaAt(epsilon), compiled.deltaAt(epsilon).lower];
      expect(toNumberUp(printed)).toBeLessThanOrEqual(1e-100);
      expect(toNumberUp(printed)).toBeGreaterThan(0.99e-100);
      expect(toNumberNear(subtract(printed, own)) / 1e-100).toBeLessThan(1e-12);
    }
    // Laplace at an ε below its own by 1e-99: δ is about 1e-100 · ½.
    const guarantee = guaranteeOf(noise('laplace:scale=4'), 4);
    const delta = guarantee.deltaAt(subtract(one, rational(1n, 10n ** 99n)));
    expect(toNumberNear(delta) / 1e-99).toBeGreaterThan(0.1);
    expect(toNumberNear(delta) / 1e-99).toBeLessThan(1);
    const exact = privacyProfile(guarantee.pmf, 4).deltaAt(subtract(one, rational(1n, 10n ** 99n)));
    expect(toNumberNear(subtract(delta, exact.lower)) / toNumberNear(delta)).toBeLessThan(1e-12);
  });

  it('is the closed form where there is one', () => {
    // Exponential: 1 − e^(−ηm) at every ε.
    const expected = subtract(one, exp(parseDecimal('-3.3'), 100).lower);
    for (const epsilon of ['0', '1', '700']) {
      const found = guaranteeOf(noise('exponential:rate=0.3'), 11).deltaAt(parseDecimal(epsilon));
      expect(toNumberUp(found)).toBeCloseTo(toNumberUp(expected), 13);
      expect(compare(found, subtract(one, exp(parseDecimal('-3.3'), 200).upper))).toBeGreaterThanOrEqual(0);
    }
    expect(guaranteeOf(noise('uniform:low=-5,high=9'), 4).deltaAt(one)).toEqual(rational(4n, 15n));
    expect(toNumberUp(guaranteeOf(noise('uniform:low=-5,high=9'), 99).deltaAt(one))).toBe(1);
    expect(guaranteeOf(noise('laplace:scale=3.3,mu=0.4'), 11).pure!.epsilonUpper).toEqual(rational(10n, 3n));
    expect(guaranteeOf(noise('laplace:scale=6.2,mu=0.3', '0.25'), 12).pure!.epsilonUpper).toEqual(
      rational(15n, 31n),
    );
  });

  it('widens the window where a figure is smaller than what the usual one cuts off', () => {
    const guarantee = guaranteeOf(noise('discrete-gaussian:sigma=10'), 1);
    // log10 δ at ε = 8: about −(8·100)²/200 / ln 10
    const delta = guarantee.deltaAt(parseDecimal('8'));
    expect(toNumberUp(delta)).toBe(5e-324);
    expect(Math.log10(Number(delta.den.toString().length) - Number(delta.num.toString().length))).toBeCloseTo(
      Math.log10(1394),
      1,
    );
  });
});

describe('compile and certify', () => {
  it('certify what the noise has and refuse the smallest violation', () => {
    const claim = (epsilon: string, delta: string) => ({
      epsilon: parseDecimal(epsilon),
      delta: parseDecimal(delta),
    });
    expect(certify(compile(noise('laplace:scale=15'), 15, claim('1', '0'))).holds).toBe(true);
    expect(certify(compile(noise('laplace:scale=15'), 15, claim('0.99999999999999999999', '0'))).holds).toBe(
      false,
    );
    expect(certify(compile(noise('laplace:scale=14.99999999999999'), 15, claim('1', '0'))).holds).toBe(false);
    // A base-10 logarithm where a natural one belongs.
    const wrong = String((15 / 1) * Math.LOG10E);
    expect(certify(compile(noise(`laplace:scale=${wrong}`), 15, claim('1', '0'))).holds).toBe(false);
    expect(certify(compile(noise('uniform:low=0,high=19'), 2, claim('0', '0.1'))).holds).toBe(true);
    expect(certify(compile(noise('uniform:low=0,high=18'), 2, claim('0', '0.1'))).holds).toBe(false);
    expect(certify(compile(noise('gaussian:sigma=10'), 15, claim('3.68', '0.0173229213'))).holds).toBe(true);
    expect(certify(compile(noise('gaussian:sigma=10'), 15, claim('3.68', '0.0173229212'))).holds).toBe(false);
    expect(certify(compile(noise('gaussian:sigma=10'), 15, claim('3.68', '0'))).holds).toBe(false);
  });

  it('a weight that is off by one is seen where it breaks the claim', () => {
    const good = compile(noise('geng-viswanath:epsilon=1,adjacency=3'), 3, { epsilon: one, delta: zero });
    expect(certify(good).holds).toBe(true);
    const weights = good.pmf.weights.map((w, i) => (i === 0 ? w - (1n << 20n) : w));
    expect(certify({ ...good, pmf: { ...good.pmf, weights } }).holds).toBe(false);
  });
});

describe('calibration', () => {
  const target = (epsilon: string, delta: string, adjacency: number) => ({
    epsilon: parseDecimal(epsilon),
    delta: parseDecimal(delta),
    adjacency,
  });

  it('is exact where the formula is', () => {
    expect(specOf(calibrate(laplace, {}, target('2', '0', 15), one).noise)).toBe('laplace:scale=7.5,mu=0');
    expect(specOf(calibrate(laplace, { mu: '0.3' }, target('1', '0', 12), parseDecimal('0.25')).noise)).toBe(
      'laplace:scale=3,mu=0.3',
    );
    expect(specOf(calibrate(uniform, {}, target('1', '0.01', 15), one).noise)).toBe(
      'uniform:low=-750,high=749',
    );
    const stairs = calibrate(staircase, { width: '5' }, target('2', '0', 15), one);
    expect(Number(stairs.noise.parameters.ratio)).toBeCloseTo(Math.exp(-2 / 3), 13);
    expect(Number(stairs.noise.parameters.ratio)).toBeGreaterThanOrEqual(Math.exp(-2 / 3) - 1e-16);
  });

  it.each(families.map((family) => [family.name, family] as const))(
    '%s meets (1, 1e-3) with certificate, and a little less noise does not',
    (_, family) => {
      const given: Record<string, string> = family.name === 'staircase' ? { width: '3' } : {};
      const wanted = target('1', '1e-3', 4);
      const found = calibrate(family, given, wanted, one);
      expect(found.certificate.holds).toBe(true);
      expect(compare(certify(found.mechanism).deltaUpper, wanted.delta)).toBeLessThanOrEqual(0);
      const dial = family.dial!;
      const less = { ...found.noise.parameters };
      if (family.name === 'uniform') less.high = String(Number(less.high) - 1);
      else less[dial.key] = (Number(less[dial.key]) * (dial.grows ? 1 - 1e-9 : 1 + 1e-9)).toPrecision(16);
      const weaker = compile(family.build(less, one), 4, wanted);
      expect(certify(weaker).holds).toBe(false);
    },
  );

  it('gives less noise for a larger ε or δ', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 40 }), fc.integer({ min: 2, max: 8 }), (tenths, digits) => {
        const size = (epsilon: number, delta: string) => {
          const { mechanism } = calibrate(gaussian, {}, target(String(epsilon / 10), delta, 3), one);
          return toNumberNear(moments(mechanism.pmf).meanAbsolute);
        };
        expect(size(tenths + 1, `1e-${digits}`)).toBeLessThan(size(tenths, `1e-${digits}`));
        expect(size(tenths, `1e-${digits}`)).toBeLessThan(size(tenths, `1e-${digits + 1}`));
      }),
      { numRuns: 5 },
    );
  });

  it('refuses with a reason where no parameter can meet the target', () => {
    for (const name of ['gaussian', 'discrete-gaussian', 'uniform', 'exponential']) {
      const family = families.find((f) => f.name === name)!;
      expect(() => calibrate(family, {}, target('1', '0', 3), one)).toThrow(PrivacyError);
      expect(() => calibrate(family, {}, target('1', '0', 3), one)).toThrow(/cannot be ε-DP with δ = 0/);
    }
    expect(() => calibrate(staircase, {}, target('1', '0', 3), one)).toThrow(/width/);
  });
});
