import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import {
  batchesOf,
  claims,
  drawnOnce,
  empiricalDistance,
  errata,
  lawOf,
  meanAbsolute,
  mechanismsAt,
  paperInputs,
  type Simulation,
  sections,
  simulate,
  summarise,
  theoremThreeClaims,
} from '../../src/paper/index.js';
import { makePmf } from '../../src/pmf/index.js';

const step = rational(1n);
const finite = (from: number, weights: readonly number[]) =>
  makePmf({ step, from, weights: weights.map(BigInt), left: null, right: null });

describe('the paper’s claims', () => {
  const checked = claims();
  for (const [claim, verdict] of [
    ['The optimum has the lowest W', 'holds'],
    ['W of the optimum falls with ε', 'holds'],
    ['W of the optimum grows with m', 'holds'],
    ['The optimum is staircase-shaped', 'holds in part'],
    ['The Laplacian is close to the Staircase with a = 5 for small ε', 'holds'],
    ['The optimal noise depends on the input', 'holds in part'],
    ['The standard Staircase mechanisms are only slightly worse than the optimum', 'does not hold'],
    ['As ε increases, the optimality is better represented', 'holds'],
    ['W of the optimum approaches zero as ε grows', 'holds'],
    ['P₀ and P₁ have the same optimal solutions', 'holds'],
  ])
    it(`${claim}: ${verdict}`, () =>
      expect(checked.find((one) => one.claim === claim)?.verdict).toBe(verdict));
});

describe('the paper’s errors', () => {
  const rows = errata();
  it('are fourteen, each with two figures that differ', () => {
    expect(rows.map(([item]) => Number.parseInt(String(item), 10))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 14,
    ]);
    for (const [item, , paper, exact] of rows) expect([item, paper]).not.toEqual([item, exact]);
  });
  it('have the values found elsewhere', () => {
    const exact = (item: number | string) => Number(rows.find(([id]) => id === item)![3]);
    expect(exact(2)).toBeCloseTo(15 / 41, 12);
    expect(exact(3)).toBeCloseTo(0.0173, 4);
    // Noise that P₀ as written allows hardly changes anything.
    expect(Number(rows.find(([id]) => id === '8a')![2])).toBeLessThan(0.001);
    expect(exact('8a')).toBeCloseTo(2.7983, 4);
    expect(exact(6)).toBeCloseTo(1 / 4.5, 12);
    expect(exact('7b')).toBeCloseTo(1 - Math.exp(-3), 9);
    expect(exact(10)).toBeCloseTo(0.51231, 5);
  });
});

describe('Theorem 1', () => {
  it('is shown against m: ε = m/λ, stairs on which it stays, and noise that has none', async () => {
    const { words, charts, tables } = await sections.theorem1!({
      ...{ inputs: [], seed: '1', simulate: async () => new Float64Array() },
    });
    const [laplace, narrow] = charts[0]!.series;
    for (const { x, y } of laplace!.points) expect(y).toBeCloseTo(x / 7.5, 12);
    // ⌈m/5⌉ stairs, each of 2/3.
    for (const { x, y } of narrow!.points) expect(y).toBeCloseTo((Math.ceil(x / 5) * 2) / 3, 9);
    expect(words.join(' ')).toMatch(/Gaussian, Uniform, Exponential noise has none.*falls at 0 steps/);
    expect(tables[0]!.rows.map((row) => row[4])).toEqual([0, 32, 38, null, null, null]);
  });
});

describe('Table V', () => {
  it('is judged for other steps too: uniform noise is unsound below 1', async () => {
    const { tables } = await sections.table5!({
      ...{ inputs: [], seed: '1', simulate: async () => new Float64Array() },
    });
    const { header, rows } = tables[0]!;
    const uniform = rows
      .filter(([noise]) => String(noise).startsWith('uniform'))
      .map((row) => [row[header.indexOf('Δ')], row[header.indexOf('verdict')]]);
    expect(uniform).toEqual([
      [1, 'tight'],
      [0.5, 'unsound'],
    ]);
    // 15 of 40.5, and the paper's half of it.
    const half = rows.find((row) => String(row[0]).startsWith('uniform') && row[1] === 0.5)!;
    expect(Number(half[header.indexOf('exact δ at that ε')])).toBeCloseTo(15 / 40.5, 12);
    expect(Number(half[header.indexOf('paper δ')])).toBeCloseTo(7.5 / 40.5, 12);
  });
});

describe('the remarks on Theorem 3', () => {
  const checked = theoremThreeClaims();
  it.each([
    [/is \(ε, δ\)-DP only/, 'holds', /no pure ε at σ = 1, /],
    [/^Canonne's δ as quoted/, 'holds in part', /unsound at m = 5, σ = 10/],
    [/estimate of ε is 2M\/σ²/, 'holds', /0.42 at σ = 10, M = 21/],
    // e^(−2·21²/100)/√(200π)
    [/Both estimates of δ bound it/, 'holds', /0\.0000058943 and 0\.040281 for 3\.5922e-7 and 3\.4834e-7/],
    [/only slightly different/, 'does not hold', /6833\.9/],
    [/because of the distinct discretisation/, 'does not hold', /differ by 47\.7 %/],
    [/almost the same/, 'holds', /31\.5\d* % \(σ = 1\).*0\.0192\d* % \(σ = 50\)/],
    [/more accurate discretisation/, 'holds', /mean 0, the discrete Gaussian 0, rounding down -0\.5/],
  ])('%s: %s', (claim, verdict, numbers) => {
    const found = checked.find((one) => claim.test(one.claim))!;
    expect([found.verdict, found.numbers]).toEqual([verdict, expect.stringMatching(numbers)]);
  });
});

describe('figures 8 and 9', () => {
  it('have geometric noise, the optimum at m = 1, and say what the floor costs the Laplacian', async () => {
    for (const { pmf } of paperInputs()) {
      const w = Object.fromEntries(
        mechanismsAt(pmf, '2', 1).entries.map((entry) => [entry.mechanism, entry.w]),
      ) as Record<string, number>;
      expect(w.geometric).toBeCloseTo(w.optimum!, 10);
      expect(w['laplace-centred']).toBeGreaterThan(w.geometric!);
      expect(w.laplace! - w['laplace-centred']!).toBeGreaterThan(0.4);
    }
    const { words, charts, tables } = await sections.fig9!({
      ...{ inputs: [], seed: '1', simulate: async () => new Float64Array() },
    });
    expect(words.join()).toMatch(/floor\(·\).*off by Δ\/2 = 0\.5.*larger by 0\.00\d+ to 0\.4\d+ here/);
    expect(charts[0]!.series.map(({ name }) => name)).toContain('geometric');
    // Values as they are, whatever the scale of the picture.
    for (const { header } of tables) expect(header.join()).not.toMatch(/logarithmic/);
  });
  it('contain the optima of both inputs', () => {
    const [gaussian, poisson] = paperInputs();
    const at = (input: typeof gaussian, epsilon: string) =>
      Object.fromEntries(
        mechanismsAt(input!.pmf, epsilon, 15).entries.map(({ mechanism, w }) => [mechanism, w]),
      );
    expect(at(gaussian, '3')).toMatchObject({
      optimum: expect.closeTo(1.13785, 5),
      P2: expect.closeTo(1.21338, 5),
      laplace: expect.closeTo(1.7371, 4),
    });
    expect(at(poisson, '2')).toMatchObject({
      optimum: expect.closeTo(4.98544, 5),
      laplace: expect.closeTo(6.0426, 4),
    });
    expect(at(poisson, '2')['laplace-paper']).toBeGreaterThan(6.05);
  });
  it('are all there by name', () => {
    expect(Object.keys(sections)).toEqual(
      expect.arrayContaining([
        'fig1',
        'fig2',
        'fig3',
        'fig4',
        'fig5',
        'fig6',
        'fig7',
        'fig8',
        'fig9',
        'fig10',
        'table5',
        'claims',
        'errata',
      ]),
    );
  });
});

describe('simulations', () => {
  const input = finite(0, [3, 1, 0, 2]);
  const noise = finite(-2, [1, 2, 4, 2, 1]);
  const simulation = { input, noise, records: 3, runs: 4000, seed: 'a' };

  it('give the same runs however they are dealt out', () => {
    const { count } = batchesOf(simulation);
    const whole = simulate(simulation, 0, count);
    expect(whole.length).toBe(4000);
    const parts = Array.from({ length: count }, (_, i) => [...simulate(simulation, i, i + 1)]).flat();
    expect(parts).toEqual([...whole]);
    expect([...simulate({ ...simulation, seed: 'b' }, 0, count)]).not.toEqual([...whole]);
  });

  it('have the expectation that enumeration gives', () => {
    // All 3^… outcomes of two records, exactly.
    const [px, pn] = [
      [3 / 6, 1 / 6, 0, 2 / 6],
      [0.1, 0.2, 0.4, 0.2, 0.1],
    ];
    let expectation = 0;
    for (let a = 0; a < 4; a++)
      for (let b = 0; b < 4; b++)
        for (let s = 0; s < 5; s++)
          for (let t = 0; t < 5; t++)
            expectation +=
              px[a]! *
              px[b]! *
              pn[s]! *
              pn[t]! *
              empiricalDistance(Int32Array.of(a, b), Int32Array.of(s - 2, t - 2));
    expect(lawOf({ ...simulation, records: 2 }).expectation).toBeCloseTo(expectation, 12);
  });

  it('agree with that expectation within their error, and it falls to W', () => {
    for (const records of [3, 40]) {
      const many = { ...simulation, records };
      const { mean, standardError } = summarise(simulate(many, 0, batchesOf(many).count));
      const { expectation, population } = lawOf(many);
      expect(Math.abs(mean - expectation)).toBeLessThan(5 * standardError);
      expect(expectation).toBeGreaterThan(population);
    }
    const [few, more] = [lawOf({ ...simulation, records: 10 }), lawOf({ ...simulation, records: 100_000 })];
    expect(few.expectation).toBeGreaterThan(more.expectation);
    expect(more.expectation / more.population).toBeCloseTo(1, 2);
  });

  it('of records that are held have the expectation that enumeration gives, and the mean of the runs', () => {
    const held = { input: finite(0, [2, 0, 1]), noise, records: 3, runs: 4000, seed: 'a', held: true };
    const pn = [0.1, 0.2, 0.4, 0.2, 0.1];
    let expected = 0;
    for (const [s, p] of pn.entries())
      for (const [t, q] of pn.entries())
        for (const [u, r] of pn.entries())
          expected +=
            p * q * r * empiricalDistance(Int32Array.of(0, 0, 2), Int32Array.of(s - 2, t - 2, u - 2));
    expect(lawOf(held).expectation).toBeCloseTo(expected, 12);
    const { mean, standardError } = summarise(simulate(held, 0, batchesOf(held).count));
    expect(Math.abs(mean - expected)).toBeLessThan(5 * standardError);
    const large = drawnOnce(paperInputs()[0]!.pmf, 20_000, 'b');
    expect(large.weights.reduce((a, b) => a + b)).toBe(20_000n);
    const many = { ...held, input: large, records: 20_000, runs: 40 };
    const found = summarise(simulate(many, 0, batchesOf(many).count));
    expect(Math.abs(found.mean - lawOf(many).expectation)).toBeLessThan(5 * found.standardError);
  });

  it('know E|S| of a random walk', () => {
    expect(meanAbsolute(0.5, 0.5, 2)).toBeCloseTo(1, 12);
    expect(meanAbsolute(0.5, 0.5, 4)).toBeCloseTo(1.5, 12);
    expect(meanAbsolute(1, 0, 7)).toBeCloseTo(7, 10);
    expect(meanAbsolute(0.3, 0.2, 1)).toBeCloseTo(0.5, 12);
    expect(meanAbsolute(0.3, 0.2, 9_000) / meanAbsolute(0.3, 0.2, 11_000)).toBeCloseTo(9 / 11, 3);
  });

  it('of the report take their seed from it, and hold the same records for all mechanisms', async () => {
    const asked: Simulation[] = [];
    const simulated = async (one: Simulation) => {
      asked.push(one);
      return new Float64Array(one.runs).fill(1);
    };
    await sections.fig10!({ inputs: [], seed: 'mine', simulate: simulated });
    expect(asked.filter(({ seed }) => !seed.startsWith('mine '))).toEqual([]);
    const held = asked.filter((one) => one.held === true);
    expect(held.length).toBe(asked.length / 2);
    expect(new Set(held.map(({ input }) => input)).size).toBe(held.length / 4);
    const first = (name: string) => held.filter(({ seed }) => seed.includes(name)).map(({ input }) => input);
    for (const input of first('Poisson')) expect(input).toEqual(first('Poisson')[0]);
  });

  it('measure samples as sorting them does', () => {
    const values = Int32Array.of(5, -2, 9, 0, 0, 3);
    const added = Int32Array.of(-3, 4, 0, 11, -7, 1);
    const sorted = (x: Int32Array) => [...x].sort((a, b) => a - b);
    const outputs = sorted(values.map((v, i) => v + added[i]!));
    const expected = sorted(values).reduce((sum, v, i) => sum + Math.abs(v - outputs[i]!), 0) / 6;
    expect(empiricalDistance(values, added)).toBeCloseTo(expected, 12);
    const far = added.map((v) => v * 100_000_000);
    const farOutputs = sorted(values.map((v, i) => v + far[i]!));
    expect(empiricalDistance(values, far)).toBeCloseTo(
      sorted(values).reduce((sum, v, i) => sum + Math.abs(v - farOutputs[i]!), 0) / 6,
      3,
    );
  });
});
