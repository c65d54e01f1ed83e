import { describe, expect, it } from 'vitest';
import { emptyHistogram, gTest, histogramRange } from '../../src/audit/index.js';
import { compare, exp, parseDecimal, rational, toNumberNear } from '../../src/exact/index.js';
import { makePmf, type Pmf } from '../../src/pmf/index.js';
import { permute } from '../../src/random/chacha.js';
import {
  type Choice,
  choose,
  discreteGaussianSampler,
  discreteLaplaceSampler,
  entropySource,
  exponentialMechanism,
  makeTables,
  sampler,
  seededSource,
} from '../../src/random/index.js';
import { parseNoise } from '../../src/spec/index.js';

const entropy = entropySource(globalThis.crypto);
const noise = (spec: string) =>
  parseNoise(spec, rational(1n), () => []).approximate({ adjacency: 5, cut: 400 }).pmf;
const one = rational(1n);

function count(pmf: Pmf, draws: number, law: Pmf = pmf, change: (x: number) => number = (x) => x) {
  const histogram = emptyHistogram(histogramRange(law));
  const source = sampler(pmf, entropy);
  const chunk = new Int32Array(1 << 20);
  const { from, counts } = histogram;
  for (let left = draws; left > 0; left -= chunk.length) {
    const part = left < chunk.length ? chunk.subarray(0, left) : chunk;
    source.fill(part, 'saturate');
    for (let i = 0; i < part.length; i++) {
      const at = change(part[i]!) - from;
      if (at < 0) histogram.below++;
      else if (at >= counts.length) histogram.above++;
      else counts[at]!++;
    }
  }
  return gTest(law, histogram);
}

describe('a hundred million draws follow the certified law', () => {
  const point = makePmf({ step: one, from: 3, weights: [7n], left: null, right: null });
  const giant = makePmf({
    step: one,
    from: 0,
    weights: [1n << 80n, ...new Array<bigint>(500).fill(1n << 60n)],
    left: null,
    right: null,
  });
  const many = makePmf({
    step: one,
    from: -50_000,
    weights: Array.from({ length: 100_000 }, (_, i) => BigInt(1 + ((i * 7919) % 1000))),
    left: null,
    right: null,
  });
  const stairs = makePmf({
    step: one,
    from: -3,
    weights: [2n, 5n, 5n, 9n, 5n, 3n],
    left: { period: 3, ratio: rational(2n, 5n) },
    right: { period: 2, ratio: rational(9n, 10n) },
  });
  it.each<[string, Pmf, number]>([
    ['geometric of scale 7.5', noise('geometric:scale=7.5'), 1e8],
    ['staircase with unequal tails', stairs, 1e8],
    ['one giant and many tiny weights', giant, 1e8],
    ['a hundred thousand outcomes', many, 1e8],
    ['Gaussian of σ = 40, off the lattice', noise('gaussian:sigma=40,mu=0.3'), 3e7],
    ['very long tails', noise('geometric:scale=100000'), 1e7],
    ['a window wider than the table', noise('uniform:low=-200000,high=200000'), 2e6],
    ['stairs wider than the table, with tails', noise('staircase:width=150000,ratio=0.5'), 2e6],
    ['a single point', point, 1e6],
  ])('%s', (_, pmf, draws) => {
    expect(count(pmf, draws).pValue).toBeGreaterThan(1e-6);
  });

  it('and the same test rejects a scale off by 1 %, a shift by one, and double mass at zero', () => {
    const pmf = noise('geometric:scale=7.5');
    expect(count(noise('geometric:scale=7.575'), 1e7, pmf).pValue).toBeLessThan(1e-6);
    expect(count(pmf, 1e6, pmf, (x) => x + 1).pValue).toBeLessThan(1e-6);
    const doubled = makePmf({
      ...pmf,
      from: -1,
      weights: [pmf.right!.ratio.num, 2n * pmf.right!.ratio.den, pmf.right!.ratio.num],
    });
    expect(count(doubled, 1e6, pmf).pValue).toBeLessThan(1e-6);
  });
});

describe('the two independent samplers agree', () => {
  const check = (draw: () => bigint, law: Pmf, draws: number) => {
    const histogram = emptyHistogram(histogramRange(law));
    for (let i = 0; i < draws; i++) {
      const at = Number(draw()) - histogram.from;
      if (at < 0) histogram.below++;
      else if (at >= histogram.counts.length) histogram.above++;
      else histogram.counts[at]!++;
    }
    return gTest(law, histogram).pValue;
  };
  it('discrete Laplace', () => {
    expect(
      check(discreteLaplaceSampler(parseDecimal('2.75'), entropy), noise('geometric:scale=2.75'), 300_000),
    ).toBeGreaterThan(1e-6);
    expect(
      check(discreteLaplaceSampler(parseDecimal('2.75'), entropy), noise('geometric:scale=2.9'), 300_000),
    ).toBeLessThan(1e-6);
    expect(
      check(discreteLaplaceSampler(parseDecimal('0.3'), entropy), noise('geometric:scale=0.3'), 100_000),
    ).toBeGreaterThan(1e-6);
  });
  it('discrete Gaussian', () => {
    expect(
      check(
        discreteGaussianSampler(parseDecimal('12.25'), entropy),
        noise('discrete-gaussian:sigma=3.5'),
        200_000,
      ),
    ).toBeGreaterThan(1e-6);
    expect(
      check(
        discreteGaussianSampler(parseDecimal('0.25'), entropy),
        noise('discrete-gaussian:sigma=0.5'),
        100_000,
      ),
    ).toBeGreaterThan(1e-6);
    expect(
      check(
        discreteGaussianSampler(parseDecimal('12.25'), entropy),
        noise('discrete-gaussian:sigma=3.6'),
        200_000,
      ),
    ).toBeLessThan(1e-6);
  });
});

describe('arrays', () => {
  const wide = makePmf({ step: one, from: 2 ** 31 - 2, weights: [1n, 1n, 1n, 1n], left: null, right: null });
  const huge = makePmf({
    step: one,
    from: 2 ** 50,
    weights: [1n],
    left: null,
    right: null,
  });

  it('are never overrun: refused before drawing, or saturated on request', () => {
    const source = sampler(wide, entropy);
    const short = new Int32Array(1000);
    expect(() => source.fill(short)).toThrow(/saturate/);
    expect([...short].every((x) => x === 0)).toBe(true);
    source.fill(short, 'saturate');
    expect(new Set(short)).toEqual(new Set([2 ** 31 - 2, 2 ** 31 - 1]));
    const long = new BigInt64Array(1000);
    source.fill(long);
    expect([...new Set(long)].sort()).toEqual([2147483646n, 2147483647n, 2147483648n, 2147483649n]);
    expect(() => sampler(noise('geometric:scale=2'), entropy).fill(short)).toThrow(/may exceed/);
    sampler(noise('uniform:low=-3,high=3'), entropy).fill(short);
    expect(Math.max(...short)).toBe(3);
  });

  it('get noise added to them, saturating and never wrapping', () => {
    const values = new Int32Array([2 ** 31 - 1, -(2 ** 31), 0, 5]);
    sampler(makePmf({ ...wide, from: 3, weights: [1n] }), entropy).addTo(values, 'saturate');
    expect([...values]).toEqual([2 ** 31 - 1, -(2 ** 31) + 3, 3, 8]);
    // Noise beyond 32 bits on a value that brings the sum back into range.
    const back = new Int32Array([-(2 ** 31), 0]);
    sampler(makePmf({ ...wide, from: 2 ** 31 + 5, weights: [1n] }), entropy).addTo(back, 'saturate');
    expect([...back]).toEqual([5, 2 ** 31 - 1]);
    const long = new BigInt64Array([(1n << 63n) - 1n, 0n]);
    sampler(huge, entropy).addTo(long, 'saturate');
    expect([...long]).toEqual([(1n << 63n) - 1n, BigInt(2 ** 50)]);
    expect(() => sampler(huge, entropy).addTo(long, undefined as never)).toThrow(/saturate/);
    expect(sampler(huge, entropy).draw()).toBe(BigInt(2 ** 50));
  });

  it('of any length are filled', () => {
    for (const length of [0, 1, 16_383, 16_384, 16_385, 40_000]) {
      const out = new Int32Array(length);
      sampler(makePmf({ ...wide, from: 9, weights: [1n] }), entropy).fill(out);
      expect([...out].every((x) => x === 9)).toBe(true);
    }
  });

  it('of noise that doubles cannot measure are drawn all the same, and noise too wide to draw is refused first', () => {
    const unit = 10n ** 400n;
    const steep = makePmf({
      step: one,
      from: 0,
      weights: [unit, unit, unit, 1n],
      left: { period: 1, ratio: rational(1n, 2n) },
      right: { period: 1, ratio: rational(1n, unit) },
    });
    const counts = new Map<bigint, number>();
    const draws = sampler(steep, entropy);
    for (let i = 0; i < 4000; i++) {
      const value = draws.draw();
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    for (const k of [0n, 1n, 2n]) expect(Math.abs((counts.get(k) ?? 0) - 1000)).toBeLessThan(150);
    const flat = { period: 1, ratio: rational(unit - 1n, unit) };
    expect(() =>
      sampler(makePmf({ step: one, from: 0, weights: [1n], left: flat, right: flat }), entropy),
    ).toThrow(/larger step/);
    // A wide tail takes many stretches, one after the other, without recursion.
    const wide = sampler(noise('geometric:scale=1000000000'), entropy);
    const sum = Array.from({ length: 200 }, () => Math.abs(Number(wide.draw()))).reduce((a, b) => a + b);
    expect(sum / 200 / 1e9).toBeGreaterThan(0.6);
    expect(sum / 200 / 1e9).toBeLessThan(1.6);
  });

  it('tables are small: a window of 10⁵ outcomes takes less than 4 MB', () => {
    const weights = Array.from({ length: 100_000 }, (_, i) => BigInt(i + 1));
    const { table } = makeTables(makePmf({ step: one, from: 0, weights, left: null, right: null }));
    expect(table.slots.byteLength + table.low.byteLength).toBeLessThan(4e6);
  });
});

describe('seeded sources', () => {
  it('repeat themselves, differ by seed and by stream, and say what they are', () => {
    const words = (seed: string, stream?: number) => {
      const out = new Uint32Array(40);
      seededSource(seed, stream).fill(out);
      return out.join();
    };
    expect(words('7')).toBe(words('7'));
    expect(
      new Set([words('7'), words('8'), words('77'), words('7', 1), words('7', 2 ** 32), words('')]).size,
    ).toBe(6);
    expect(seededSource('7')).toMatchObject({ kind: 'seeded', seed: '7' });
    expect(entropy.kind).toBe('entropy');
  });

  it('stand on ChaCha as published', () => {
    // RFC 8439, section 2.3.2
    const state = new Uint32Array([
      0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
      0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c, 0x00000001, 0x09000000, 0x4a000000, 0x00000000,
    ]);
    const block = new Uint32Array(16);
    permute(state, block, 20);
    expect([...block].map((word) => word.toString(16).padStart(8, '0')).join(' ')).toBe(
      'e4e7f110 15593bd1 1fdd0f50 c47120a3 c7f4d1c7 0368c033 9aaa2204 4e6cd4c3 466482d2 09aa9f07 05d7c214 a2028bd9 d19c12b5 b94e16de e883d0cb 4e3c50a2',
    );
  });

  it('fill by any pieces with the same words', () => {
    const [whole, parts] = [new Uint32Array(100), new Uint32Array(100)];
    seededSource('x').fill(whole);
    const source = seededSource('x');
    for (const [a, b] of [
      [0, 1],
      [1, 40],
      [40, 100],
    ] as const)
      source.fill(parts.subarray(a, b));
    expect(parts).toEqual(whole);
  });
});

describe('the exponential mechanism', () => {
  const candidates = (scores: number[]) =>
    scores.map((score, i) => ({ name: `c${i}`, score: rational(BigInt(score)) }));
  const privacy = { epsilon: parseDecimal('1.5'), sensitivity: rational(2n), step: one };
  /** The probabilities as integers: r^(most − behind). */
  const weights = ({ ratio, behind }: Choice) => {
    const most = behind.reduce((a, b) => (a > b ? a : b));
    const list = behind.map((b) => ratio.num ** (most - b) * ratio.den ** b);
    return { list, total: list.reduce((a, b) => a + b, 0n) };
  };

  it('has weights that are exact powers, none zero, and keeps ε against every neighbouring list of scores', () => {
    const limit = Math.exp(1.5);
    for (let shift = 0; shift < 3 ** 4; shift++) {
      const scores = [0, 5, -3, 40];
      const near = scores.map((s, i) => s + ((Math.floor(shift / 3 ** i) % 3) - 1) * 2);
      const [a, b] = [scores, near].map((list) => weights(exponentialMechanism(candidates(list), privacy)));
      for (let i = 0; i < 4; i++) {
        expect(a!.list[i]! > 0n).toBe(true);
        const ratio = toNumberNear(rational(a!.list[i]! * b!.total, b!.list[i]! * a!.total));
        expect(ratio).toBeLessThanOrEqual(limit);
        expect(1 / ratio).toBeLessThanOrEqual(limit);
      }
    }
    const { ratio } = exponentialMechanism(candidates([0]), privacy);
    expect(compare(ratio, exp(parseDecimal('0.375'), 200).lower)).toBeLessThanOrEqual(0);
    expect(toNumberNear(ratio)).toBeCloseTo(Math.exp(0.375), 14);
  });

  it('draws by its weights', () => {
    const choice = exponentialMechanism(candidates([0, 3, 1, -20]), privacy);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 60_000; i++) counts[choose(choice, entropy)]!++;
    const law = makePmf({ step: one, from: 0, weights: weights(choice).list, left: null, right: null });
    const test = gTest(law, { from: 0, counts: Float64Array.from(counts), below: 0, above: 0 });
    expect(test.pValue).toBeGreaterThan(1e-6);
    const other = makePmf({
      ...law,
      weights: weights(
        exponentialMechanism(candidates([0, 3, 1, -20]), { ...privacy, epsilon: parseDecimal('1.65') }),
      ).list,
    });
    expect(
      gTest(other, { from: 0, counts: Float64Array.from(counts), below: 0, above: 0 }).pValue,
    ).toBeLessThan(1e-3);
  });

  it('answers for scores of any range, and says nothing about them', () => {
    expect(choose(exponentialMechanism(candidates([0, 1_000_000_000]), privacy), entropy)).toBe(1);
    expect(
      choose(
        exponentialMechanism(candidates(Array.from({ length: 1000 }, (_, i) => i * 5)), privacy),
        entropy,
      ),
    ).toBeGreaterThan(900);
    expect(choose(exponentialMechanism(candidates([-7]), privacy), entropy)).toBe(0);
    expect(() => exponentialMechanism([], privacy)).toThrow(/at least one/);
    expect(() => exponentialMechanism(candidates([0]), { ...privacy, sensitivity: rational(0n) })).toThrow(
      /sensitivity/,
    );
  });

  it('rounds scores to the lattice, halves up, and holds them within 2^52 steps: none is refused', () => {
    const behind = (...scores: string[]) =>
      exponentialMechanism(
        scores.map((score, i) => ({ name: String(i), score: parseDecimal(score) })),
        privacy,
      ).behind;
    expect(behind('0.5', '-0.5', '0.49', '-0.51', '1.5')).toEqual([1n, 2n, 2n, 3n, 0n]);
    expect(behind('1e30', '0', '-1e5000')).toEqual([0n, 2n ** 52n, 2n ** 53n]);
    for (const [a, b] of [
      ['0', '1e30'],
      ['1e5000', '-1e5000'],
    ] as const)
      for (const epsilon of ['1e-30', '1e-10', '1', '1000'])
        expect(() =>
          choose(
            exponentialMechanism(
              [a, b].map((score) => ({ name: score, score: parseDecimal(score) })),
              { ...privacy, epsilon: parseDecimal(epsilon) },
            ),
            entropy,
          ),
        ).not.toThrow();
    // A sensitivity that is no multiple of the step counts as the next one.
    const ratio = (sensitivity: string) =>
      exponentialMechanism(candidates([0]), { ...privacy, sensitivity: parseDecimal(sensitivity) }).ratio;
    expect(ratio('1.5')).toEqual(ratio('2'));
    expect(ratio('0.5')).toEqual(ratio('1'));
  });

  it('decides exactly where the ratio is next to 1, and doubles lose it', () => {
    // r = 1 + 3·2^−54, which a double takes for 1 + 2^−52; n such that r^(−n) is about 1.5·2^−64.
    const ratio = rational(2n ** 54n + 3n, 2n ** 54n);
    const n = BigInt(Math.round((64 - Math.log2(1.5)) / ((3 * 2 ** -54) / Math.LN2)));
    /** One of two candidates is tried, with a coin whose uniform number begins with these words. */
    const kept = (...digits: number[]) => {
      const words = [0xffffffff, ...digits];
      let at = 0;
      const source = {
        kind: 'seeded' as const,
        fill: (into: Uint32Array) => {
          for (let i = 0; i < into.length; i++) into[i] = words[at++] ?? 0;
        },
      };
      // Index 1 is tried first; where it is not kept, the zeros that follow choose index 0, which always is.
      return choose({ ratio, behind: [0n, n] }, source) === 1;
    };
    expect(kept(0, 0)).toBe(true);
    expect(kept(0, 1, 0x10000000, 0)).toBe(true);
    expect(kept(0, 1, 0xf0000000, 0)).toBe(false);
    expect(kept(0, 2)).toBe(false);
  });
});
