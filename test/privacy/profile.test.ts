import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compare,
  exp,
  multiply,
  parseDecimal,
  type Rational,
  rational,
  subtract,
  toNumberNear,
  toNumberUp,
  zero,
} from '../../src/exact/index.js';
import { laplace } from '../../src/noise/index.js';
import { isUnimodal, makePmf, mirror, type Pmf, total, valueAt } from '../../src/pmf/index.js';
import { bestSplit, privacyProfile, splitGuarantee } from '../../src/privacy/index.js';
import { anyPmf, bruteProfile, probabilityAt, writtenOut } from '../arbitrary.js';

const epsilon = () => fc.integer({ min: 0, max: 4000 }).map((n) => rational(BigInt(n), 1000n));
const adjacency = () => fc.integer({ min: 1, max: 6 });

/** max over shifts and over *all* sets of outputs S of P(S − s) − factor·P(S). */
function overAllSets(pmf: Pmf, m: number, factor: Rational): Rational {
  let best = zero;
  for (let s = -m; s <= m; s++) {
    const outputs: Rational[] = [];
    for (let k = pmf.from - m; k < pmf.from + pmf.weights.length + m; k++) {
      outputs.push(subtract(probabilityAt(pmf, k - s), multiply(factor, probabilityAt(pmf, k))));
    }
    // In integers over a common denominator, all 2^n sets by Gray code.
    const den = outputs.reduce((common, x) => common * x.den, 1n);
    const terms = outputs.map((x) => x.num * (den / x.den));
    let sum = 0n;
    let most = 0n;
    const inside = new Array<boolean>(terms.length).fill(false);
    for (let code = 1; code < 2 ** terms.length; code++) {
      const flip = 31 - Math.clz32(code & -code);
      sum += inside[flip] ? -terms[flip]! : terms[flip]!;
      inside[flip] = !inside[flip];
      if (sum > most) most = sum;
    }
    const found = { num: most, den };
    if (compare(found, best) > 0) best = found;
  }
  return best;
}

function expectBetween(bound: { lower: Rational; upper: Rational }, least: Rational, most: Rational) {
  expect(compare(bound.upper, least)).toBeGreaterThanOrEqual(0);
  expect(compare(bound.lower, most)).toBeLessThanOrEqual(0);
  expect(toNumberNear(bound.upper) - toNumberNear(bound.lower)).toBeLessThanOrEqual(
    1e-12 * toNumberNear(bound.upper),
  );
}

describe('the profile', () => {
  it('equals the brute force over all sets of outputs', () => {
    fc.assert(
      fc.property(
        anyPmf({ tails: false, mostWeights: 8 }),
        fc.integer({ min: 1, max: 2 }),
        epsilon(),
        (pmf, m, e) => {
          const factor = exp(e, 80);
          const bound = privacyProfile(pmf, m).deltaAt(e);
          expectBetween(bound, overAllSets(pmf, m, factor.upper), overAllSets(pmf, m, factor.lower));
        },
      ),
      { numRuns: 120 },
    );
  });

  it('equals the brute force over shifts, for larger adjacencies and wider windows', () => {
    fc.assert(
      fc.property(
        anyPmf({ tails: false, mostWeights: 24 }),
        fc.integer({ min: 1, max: 30 }),
        epsilon(),
        (pmf, m, e) => {
          const factor = exp(e, 80);
          const written = writtenOut(pmf, 0);
          const bound = privacyProfile(pmf, m).deltaAt(e);
          expectBetween(
            bound,
            bruteProfile(written, m, factor.upper),
            bruteProfile(written, m, factor.lower),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('with tails equals the limit of brute force over longer and longer windows', () => {
    fc.assert(
      fc.property(anyPmf(), adjacency(), epsilon(), (pmf, m, e) => {
        const slow = [pmf.left, pmf.right].some((t) => t && toNumberNear(t.ratio) ** (1 / t.period) > 0.8);
        fc.pre(!slow);
        const reach = 160;
        const written = [...writtenOut(pmf, reach)].map(([k, p]) => [k, toNumberNear(p)] as const);
        const p = new Map(written);
        const factor = Math.exp(toNumberNear(e));
        let best = 0;
        for (let s = -m; s <= m; s++) {
          let sum = 0;
          for (const [i, mass] of written) {
            // What the written-out window cannot see beyond its end is left out, not taken for zero.
            if (i + s < pmf.from - reach && pmf.left) continue;
            if (i + s >= pmf.from + pmf.weights.length + reach && pmf.right) continue;
            sum += Math.max(0, mass - factor * (p.get(i + s) ?? 0));
          }
          best = Math.max(best, sum);
        }
        const bound = privacyProfile(pmf, m).deltaAt(e);
        expect(toNumberNear(bound.upper)).toBeCloseTo(best, 12);
        expect(toNumberNear(bound.lower)).toBeCloseTo(best, 12);
      }),
      { numRuns: 120 },
    );
  });

  it('finds the one bad shift of a comb, which ±m alone would miss', () => {
    const weights = Array.from({ length: 41 }, (_, i) => (i % 4 === 0 ? 50n : 1n));
    const comb = makePmf({ step: rational(1n), from: -20, weights, left: null, right: null });
    expect(isUnimodal(comb)).toBe(false);
    const { shift, upper } = privacyProfile(comb, 4).deltaAt(rational(2n));
    const written = writtenOut(comb, 0);
    expect(Math.abs(shift)).toBeLessThan(4);
    expect(toNumberNear(upper)).toBeCloseTo(
      toNumberNear(bruteProfile(written, 4, exp(rational(2n), 80).lower)),
      13,
    );
  });

  it('treats the two directions alike only when the noise does', () => {
    fc.assert(
      fc.property(anyPmf(), adjacency(), epsilon(), (pmf, m, e) => {
        const [a, b] = [privacyProfile(pmf, m).deltaAt(e), privacyProfile(mirror(pmf), m).deltaAt(e)];
        expect(toNumberUp(a.upper)).toBeCloseTo(toNumberUp(b.upper), 13);
      }),
    );
    // One-sided noise: a shift to the right costs nothing at ε = log 2, a shift to the left does.
    const oneSided = makePmf({
      step: rational(1n),
      from: 0,
      weights: [1n],
      left: null,
      right: { period: 1, ratio: rational(1n, 2n) },
    });
    expect(toNumberUp(privacyProfile(oneSided, 1).deltaAt(rational(1n)).upper)).toBe(0.5);
  });

  it('never increases with ε and never decreases with the adjacency', () => {
    fc.assert(
      fc.property(anyPmf(), adjacency(), epsilon(), epsilon(), (pmf, m, a, b) => {
        const [low, high] = compare(a, b) <= 0 ? [a, b] : [b, a];
        const profile = privacyProfile(pmf, m);
        expect(compare(profile.deltaAt(high).lower, profile.deltaAt(low).upper)).toBeLessThanOrEqual(0);
        const wider = privacyProfile(pmf, m + 1);
        expect(compare(profile.deltaAt(a).lower, wider.deltaAt(a).upper)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  it('is zero from log c_b on, and only from there', () => {
    fc.assert(
      fc.property(anyPmf({ zeros: false }), adjacency(), (pmf, m) => {
        const profile = privacyProfile(pmf, m);
        fc.pre(profile.supRatio.finite);
        if (!profile.supRatio.finite) return;
        const at = profile.supRatio.epsilon(100);
        expect(profile.deltaAt(at.upper).upper.num).toBe(0n);
        const before = subtract(at.lower, rational(1n, 1_000_000n));
        if (before.num > 0n) expect(profile.deltaAt(before).lower.num > 0n).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('decides claims exactly, equality included', () => {
    const uniform = makePmf({
      step: rational(1n),
      from: 0,
      weights: new Array(20).fill(3n),
      left: null,
      right: null,
    });
    const profile = privacyProfile(uniform, 2);
    expect(profile.satisfies(parseDecimal('7'), parseDecimal('0.1'))).toBe(true);
    expect(profile.satisfies(parseDecimal('7'), parseDecimal('0.09999999999999999999999999999999'))).toBe(
      false,
    );
    expect(profile.satisfies(parseDecimal('7'), zero)).toBe(false);
    // A third of geometric tails: δ(0) is exactly one half.
    const tail = { period: 1, ratio: rational(1n, 3n) };
    const geometric = makePmf({ step: rational(1n), from: 0, weights: [1n], left: tail, right: tail });
    expect(privacyProfile(geometric, 1).satisfies(zero, parseDecimal('0.5'))).toBe(true);
    expect(privacyProfile(geometric, 1).satisfies(zero, parseDecimal('0.49999999999999999999999999'))).toBe(
      false,
    );
  });

  it('counts points of a tail too small for the precision: no shortcut may drop them', () => {
    // Far out the written-out weights are bounded by 1 and 2 units only; a logarithm of the lower bound is off by a whole bit.
    const weights = [
      ...Array(60).fill(200n),
      ...Array(40).fill(398n),
      ...Array(60).fill(2000n),
      ...Array(40).fill(200n),
    ];
    const tail = { period: 100, ratio: rational(1n, 200n << 1024n) };
    const pmf = makePmf({ step: rational(1n), from: -100, weights, left: tail, right: tail });
    const profile = privacyProfile(pmf, 300);
    const { upper } = profile.deltaAt(parseDecimal('0.5'));
    // A lower bound on the truth: the terms at shift ±300 of the points written out here, in integers.
    const base = 200n << 1024n;
    const value = (k: number) => {
      const { weight, leftPower, rightPower } = valueAt(pmf, k);
      return weight * base ** BigInt(8 - leftPower - rightPower);
    };
    const factor = exp(parseDecimal('0.5'), 12_000).upper;
    const truths = [300, -300].map((s) => {
      let sum = 0n;
      for (let i = -400; i < 400; i++) {
        const term = value(i) * factor.den - value(i + s) * factor.num;
        if (term > 0n) sum += term;
      }
      const mass = total(pmf);
      return { num: sum * mass.den, den: base ** 8n * factor.den * mass.num };
    });
    for (const truth of truths) {
      expect(compare(upper, truth)).toBeGreaterThanOrEqual(0);
      const less = { num: truth.num * (1n << 1100n) - truth.den, den: truth.den << 1100n };
      expect(profile.satisfies(parseDecimal('0.5'), less)).toBe(false);
    }
  });

  it('says at once that a file does not fit, rather than run out of memory', () => {
    const weights = [3n, 2n, 5n].map((weight) => weight << 60_000n);
    const tail = { period: 1, ratio: rational(1n, 3n) };
    const large = makePmf({ step: rational(1n), from: 0, weights, left: tail, right: tail });
    expect(() => privacyProfile(large, 1_000_000).deltaAt(rational(1n, 2n))).toThrow(
      /too large to verify here/,
    );
  });

  it('at infinity counts zeros only, not what is merely small', () => {
    const right = { period: 1, ratio: rational(1n, 10n ** 400n) };
    const pmf = makePmf({
      step: rational(1n),
      from: 0,
      weights: [1n, 1n, 1n, 1n, 10n ** 9n],
      left: null,
      right,
    });
    expect(toNumberNear(privacyProfile(pmf, 4).deltaAtInfinity().upper)).toBeCloseTo(4e-9, 15);
    expect(privacyProfile(pmf, 4).epsilonAt(parseDecimal('1e-6'))).not.toBeNull();
  });

  it('takes any ε, however large', () => {
    const uniform = makePmf({
      step: rational(1n),
      from: 0,
      weights: [1n, 1n, 1n, 1n],
      left: null,
      right: null,
    });
    expect(privacyProfile(uniform, 1).satisfies(parseDecimal('1e13'), parseDecimal('0.25'))).toBe(true);
    expect(privacyProfile(uniform, 1).satisfies(parseDecimal('1e13'), parseDecimal('0.2499'))).toBe(false);
    expect(toNumberUp(privacyProfile(uniform, 1).deltaAt(parseDecimal('1e9')).upper)).toBe(0.25);
  });

  it('refuses a negative ε and an adjacency that is no whole number of steps', () => {
    const pmf = makePmf({ step: rational(1n), from: 0, weights: [1n], left: null, right: null });
    expect(() => privacyProfile(pmf, 1).deltaAt(rational(-1n))).toThrow(/epsilon/);
    for (const m of [0, -1, 1.5, Number.NaN]) expect(() => privacyProfile(pmf, m)).toThrow(/adjacency/);
  });
});

describe('the inverse profile', () => {
  it('is the least ε that meets δ, from above', () => {
    fc.assert(
      fc.property(anyPmf(), adjacency(), fc.integer({ min: 1, max: 9000 }), (pmf, m, ten) => {
        const delta = rational(BigInt(ten), 10_000n);
        const profile = privacyProfile(pmf, m);
        const found = profile.epsilonAt(delta);
        if (found === null) {
          expect(compare(profile.deltaAtInfinity().upper, delta)).toBeGreaterThan(0);
          return;
        }
        expect(profile.satisfies(found, delta)).toBe(true);
        if (found.num > 0n) {
          const less = multiply(found, rational(999_999_999_998n, 1_000_000_000_000n));
          expect(compare(profile.deltaAt(less).lower, delta)).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('at δ = 0 is log c_b, or nothing', () => {
    const tail = { period: 1, ratio: rational(1n, 2n) };
    const geometric = makePmf({ step: rational(1n), from: 0, weights: [1n], left: tail, right: tail });
    expect(toNumberNear(privacyProfile(geometric, 3).epsilonAt(zero)!)).toBeCloseTo(3 * Math.LN2, 14);
    expect(privacyProfile({ ...geometric, left: null }, 3).epsilonAt(zero)).toBeNull();
  });
});

describe('Theorem 2', () => {
  it('is never below the exact profile, for the best split at ε', () => {
    fc.assert(
      fc.property(anyPmf(), adjacency(), epsilon(), (pmf, m, e) => {
        const { deltaUpper } = bestSplit(pmf, m, e);
        expect(compare(deltaUpper, privacyProfile(pmf, m).deltaAt(e).lower)).toBeGreaterThanOrEqual(0);
        expect(compare(deltaUpper, rational(1n))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 150 },
    );
  });

  it('the best split meets ε when it is given back as a split, with the same δ', () => {
    fc.assert(
      fc.property(anyPmf(), adjacency(), epsilon(), (pmf, m, e) => {
        const best = bestSplit(pmf, m, e);
        fc.pre(!best.repeats);
        const split = splitGuarantee(pmf, m, best.theta0);
        expect(split.epsilonUpper).not.toBeNull();
        // log is rounded up a little.
        expect(
          compare(split.epsilonUpper!, { num: e.num * 10n ** 30n + e.den, den: e.den * 10n ** 30n }),
        ).toBeLessThanOrEqual(0);
        expect(toNumberUp(split.deltaUpper)).toBeCloseTo(toNumberUp(best.deltaUpper), 12);
      }),
      { numRuns: 80 },
    );
  });

  it('for any split gives a pair that the exact profile allows', () => {
    fc.assert(
      fc.property(
        anyPmf(),
        adjacency(),
        fc.integer({ min: -8, max: 8 }),
        fc.integer({ min: 0, max: 6 }),
        (pmf, m, from, length) => {
          const split = splitGuarantee(pmf, m, [{ from, to: from + length }]);
          if (split.epsilonUpper === null) return;
          expect(
            compare(split.deltaUpper, privacyProfile(pmf, m).deltaAt(split.epsilonUpper).lower),
          ).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 120 },
    );
  });

  it('does not call uniform noise (0, 0)-DP: the numerator is what must lie in Θ₁', () => {
    const uniform = makePmf({
      step: rational(1n),
      from: 0,
      weights: new Array(10).fill(1n),
      left: null,
      right: null,
    });
    const whole = splitGuarantee(uniform, 1, []);
    expect(whole.epsilonUpper).toBeNull();
    expect(whole.witness).toEqual({ k: -1, shift: -1 });
    const ends = splitGuarantee(uniform, 1, [
      { from: 0, to: 0 },
      { from: 9, to: 9 },
    ]);
    expect(ends).toMatchObject({ deltaUpper: rational(1n, 5n), epsilonUpper: zero });
  });

  it('is 0 from log c_b on and never above 1', () => {
    const noise = laplace
      .build({ scale: '7.5', mu: '0' }, rational(1n))
      .approximate({ adjacency: 15, cut: 400 });
    expect(bestSplit(noise.pmf, 15, rational(2n)).deltaUpper).toEqual(zero);
    expect(compare(bestSplit(noise.pmf, 15, rational(199n, 100n)).deltaUpper, rational(1n))).toBe(0);
  });

  it('takes rays as Θ₀', () => {
    const tail = { period: 1, ratio: rational(1n, 2n) };
    const geometric = makePmf({ step: rational(1n), from: 0, weights: [1n], left: tail, right: tail });
    const split = splitGuarantee(geometric, 1, [
      { from: null, to: -5 },
      { from: 5, to: null },
    ]);
    // 2·(2^−5 + 2^−6 + …) / 3 = 1/24
    expect(split.deltaUpper).toEqual(rational(1n, 24n));
    expect(toNumberNear(split.epsilonUpper!)).toBeCloseTo(Math.LN2, 14);
    expect(splitGuarantee(geometric, 1, [{ from: null, to: null }])).toMatchObject({
      deltaUpper: rational(1n),
      epsilonUpper: zero,
    });
  });
});
