import { describe, expect, it } from 'vitest';
import { audit, binomialLower, binomialUpper } from '../../src/audit/index.js';
import { rational } from '../../src/exact/index.js';
import { makePmf, type Pmf } from '../../src/pmf/index.js';
import { sampler, seededSource, wordReader } from '../../src/random/index.js';
import { parseNoise } from '../../src/spec/index.js';

type Draws = [string[], string[]];

const noise = (spec: string) =>
  parseNoise(spec, rational(1n), () => []).approximate({ adjacency: 1, cut: 400 }).pmf;
const flat = (points: number, from = 0) =>
  makePmf({
    step: rational(1n),
    from,
    weights: new Array<bigint>(points).fill(1n),
    left: null,
    right: null,
  });
const tails = (ratio: Pmf['step']) => ({ left: { period: 1, ratio }, right: { period: 1, ratio } });

/** Seeded draws from a law at two neighbouring inputs, 0 and 1. */
function neighbours(law: Pmf, draws: number, seed: string, other: Pmf = law): Draws {
  return [law, other].map((pmf, input) => {
    const values = new Int32Array(draws);
    sampler(pmf, seededSource(seed, input)).fill(values, 'saturate');
    return Array.from(values, (value) => String(value + input));
  }) as Draws;
}

/** Uniform numbers between 0 and 1. */
function uniform(seed: string): () => number {
  const next = wordReader(seededSource(seed));
  return () => next() / 2 ** 32;
}

const fill = (count: number, draw: (i: number) => string) => Array.from({ length: count }, (_, i) => draw(i));
const sure = { delta: 0, confidence: 0.999999 };

describe('an audit', () => {
  it('takes fractions for the numbers that they are', () => {
    // As labels hardly any is drawn twice, and nothing would be seen.
    const next = uniform('fractions');
    const draws = [0, 1].map((input) =>
      fill(4000, () => `${Math.floor(300_000 * next()) + 150_000 * input}/7`),
    ) as Draws;
    expect(audit(draws, sure).epsilonLower).toBeGreaterThan(1);
  });

  it('does not refute a sound mechanism, and comes close to its ε', () => {
    for (const law of [
      noise('geometric:scale=1'),
      noise('laplace:scale=1'),
      noise('laplace:scale=1,mu=0.5'),
    ]) {
      const { epsilonLower } = audit(neighbours(law, 60_000, 'sound'), sure);
      expect(epsilonLower).toBeLessThanOrEqual(1);
      expect(epsilonLower).toBeGreaterThan(0.8);
    }
  });

  it.each<[string, Pmf, Pmf?]>([
    ['half the scale', noise('geometric:scale=0.5')],
    ['one-sided noise', makePmf({ ...noise('geometric:scale=1'), left: null })],
    ['a window that ends', noise('uniform:low=-20,high=20')],
    [
      'double mass at 0',
      makePmf({ ...flat(1), from: -1, weights: [37n, 200n, 37n], ...tails(rational(37n, 100n)) }),
    ],
    ['less noise at one input', noise('geometric:scale=1'), noise('geometric:scale=0.5')],
  ])('refutes a claim of ε = 1 for %s', (_, law, other) => {
    expect(audit(neighbours(law, 60_000, 'broken', other), sure).epsilonLower).toBeGreaterThan(1);
  });

  it('bounds ε by both limits on the draws that it did not choose by', () => {
    const draws: Draws = [fill(200, () => 'yes'), fill(400, () => 'no')];
    const found = audit(draws, { delta: 0, confidence: 0.9 });
    const [lower, upper] = [binomialLower(100, 100, 0.05), binomialUpper(0, 200, 0.05)];
    expect(found).toEqual({
      event: 'output = yes',
      epsilonLower: Math.log(lower / upper),
      more: { input: 0, hits: 100, draws: 100, lower },
      less: { input: 1, hits: 0, draws: 200, upper },
    });
    const turned = audit([draws[1], draws[0]], { delta: 0, confidence: 0.9 });
    expect(turned.epsilonLower).toBe(found.epsilonLower);
    expect([turned.more.input, turned.less.input]).toEqual([1, 0]);
    const odd = audit([draws[0].slice(0, 51), draws[1].slice(0, 7)], { delta: 0, confidence: 0.9 });
    expect([odd.more, odd.less].map(({ draws: n }) => n).sort()).toEqual([26, 4]);
  });

  it('takes the event that occurs more often at the second input too', () => {
    const next = uniform('second');
    const answers = (rare: number) => fill(4000, () => (next() < rare ? 'rare' : 'usual'));
    const { event, more, less, epsilonLower } = audit([answers(0.001), answers(0.2)], sure);
    expect([event, more.input, less.input]).toEqual(['output = rare', 1, 0]);
    expect(more.hits / more.draws).toBeCloseTo(0.2, 1);
    expect(epsilonLower).toBeGreaterThan(2);
    expect(epsilonLower).toBeLessThan(Math.log(200));
  });

  it('takes δ off before the ratio', () => {
    // Between neighbours the uniform law on ten values is (0, 0.1)-private.
    const draws = neighbours(flat(10), 20_000, 'delta');
    expect(audit(draws, sure).epsilonLower).toBeGreaterThan(3);
    expect(audit(draws, { ...sure, delta: 0.1 }).epsilonLower).toBe(0);
    const found = audit(draws, { ...sure, delta: 0.05 });
    expect(found.epsilonLower).toBeGreaterThan(2);
    expect(found.epsilonLower).toBe(Math.log((found.more.lower - 0.05) / found.less.upper));
  });

  it('finds half-lines where no value comes twice', () => {
    const next = uniform('half-lines');
    const apart: Draws = [fill(1000, () => String(next())), fill(1000, () => String(next() + 0.5))];
    const both = [...apart[0].slice(0, 500), ...apart[1].slice(0, 500)];
    for (const [one, event] of [
      [apart[0], /^output ≥ (1|0\.9\d)/],
      [apart[1], /^output ≤ 0\.[45]\d/],
    ] as const) {
      const told = audit([one, both], sure);
      expect([told.more.input, told.event]).toEqual([1, expect.stringMatching(event)]);
      expect(told.epsilonLower).toBeGreaterThan(1.5);
    }
  });

  it('finds a half-line far out', () => {
    const next = uniform('far');
    const draws = (leak: number) => fill(10_000, () => String(next() < leak ? 1 + next() : next()));
    const found = audit([draws(0), draws(0.02)], sure);
    expect([found.more.input, found.event]).toEqual([1, expect.stringMatching(/^output ≥ (1|0\.99)/)]);
    expect(found.epsilonLower).toBeGreaterThan(1);
  });

  it('finds one value in the middle', () => {
    const next = uniform('middle');
    const draw = (leak: number) => (next() < leak ? '50' : String(Math.floor(next() * 101)));
    const found = audit([fill(20_000, () => draw(0.05)), fill(20_000, () => draw(0))], sure);
    expect([found.event, found.more.input]).toEqual(['output = 50', 0]);
    expect(found.epsilonLower).toBeGreaterThan(1);
  });

  it('finds sets of values each of which tells little', () => {
    const next = uniform('sets');
    const names = (likely: number) =>
      fill(6000, () => `name ${2 * Math.floor(next() * 100) + (next() < likely ? 0 : 1)}`);
    const found = audit([names(0.8), names(0.2)], sure);
    expect(found.event).toMatch(/^output among \d+ values$/);
    expect(found.epsilonLower).toBeGreaterThan(0.7);
    expect(found.epsilonLower).toBeLessThan(Math.log(4));
  });

  it('finds a set that one input never gives', () => {
    const next = uniform('never');
    const usual = fill(3000, () => 'usual');
    const odd = fill(3000, () => (next() < 0.5 ? 'usual' : `name ${Math.floor(next() * 100)}`));
    for (const input of [0, 1] as const) {
      const found = audit(input === 0 ? [odd, usual] : [usual, odd], sure);
      expect([found.more.input, found.less.hits]).toEqual([input, 0]);
      expect(found.epsilonLower).toBeGreaterThan(2.5);
    }
  });

  it('is not misled by the order of the draws', () => {
    const draws: Draws = [fill(1000, (i) => (i < 500 ? 'early' : 'late')), fill(1000, () => 'late')];
    expect(audit(draws, sure).epsilonLower).toBeGreaterThan(2.5);
    expect(audit([[...draws[0]].reverse(), draws[1]], sure).epsilonLower).toBeGreaterThan(2.5);
  });

  it('finds nothing where both inputs give the same', () => {
    const same = fill(1000, (i) => String(i % 7));
    expect(audit([same, same], sure).epsilonLower).toBe(0);
    expect(
      audit(
        [
          ['1', '1'],
          ['1', '1'],
        ],
        sure,
      ),
    ).toMatchObject({ epsilonLower: 0, event: 'any output' });
    expect(
      audit(
        [
          ['', 'NaN'],
          ['Infinity', 'x'],
        ],
        sure,
      ).epsilonLower,
    ).toBe(0);
  });

  it('can be repeated', () => {
    const draws = neighbours(noise('geometric:scale=1'), 3000, 'again');
    expect(audit(draws, sure)).toEqual(audit(draws, sure));
  });

  it('is wrong no more often than its confidence allows, however much it may choose from', () => {
    const options = { delta: 0, confidence: 0.8 };
    // The same law at both inputs, and values rare enough that some of them look different.
    const next = uniform('alike');
    const value = () => `v${Math.floor(next() * 50)}`;
    let alarms = 0;
    for (let i = 0; i < 20; i++)
      if (audit([fill(600, value), fill(600, value)], options).epsilonLower > 0) alarms++;
    expect(alarms).toBeLessThanOrEqual(4);
    // Randomized response: its ε is 1, and one event shows it.
    const truthful = Math.E / (1 + Math.E);
    const answer = (truth: string, lie: string) => () => (next() < truthful ? truth : lie);
    const bounds = Array.from(
      { length: 100 },
      () => audit([fill(400, answer('a', 'b')), fill(400, answer('b', 'a'))], options).epsilonLower,
    );
    expect(bounds.filter((bound) => bound > 1).length).toBeLessThanOrEqual(20);
    expect(bounds.filter((bound) => bound > 0.5).length).toBeGreaterThan(50);
  });

  it('expects two draws of each input', () => {
    for (const draws of [
      [['1'], ['1', '2']],
      [['1', '2'], []],
    ])
      expect(() => audit(draws as Draws, sure)).toThrow(/expected at least two draws for each input/);
  });
});
