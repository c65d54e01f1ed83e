import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import {
  batchesOf,
  claims,
  empiricalDistance,
  errata,
  lawOf,
  meanAbsolute,
  mechanismsAt,
  paperInputs,
  sections,
  simulate,
  summarise,
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
  ])
    it(`${claim}: ${verdict}`, () =>
      expect(checked.find((one) => one.claim === claim)?.verdict).toBe(verdict));
});

describe('the paper’s errors', () => {
  const rows = errata();
  it('are fourteen, each with two figures that differ', () => {
    expect(rows.map(([item]) => Number.parseInt(String(item), 10))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14,
    ]);
    for (const [item, , paper, exact] of rows) expect([item, paper]).not.toEqual([item, exact]);
  });
  it('have the values found elsewhere', () => {
    const exact = (item: number | string) => Number(rows.find(([id]) => id === item)![3]);
    expect(exact(2)).toBeCloseTo(15 / 41, 12);
    expect(exact(3)).toBeCloseTo(0.0173, 4);
    expect(exact(6)).toBeCloseTo(1 / 4.5, 12);
    expect(exact('7b')).toBeCloseTo(1 - Math.exp(-3), 9);
    expect(exact(10)).toBeCloseTo(0.51231, 5);
  });
});

describe('figures 8 and 9', () => {
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

  it('know E|S| of a random walk', () => {
    expect(meanAbsolute(0.5, 0.5, 2)).toBeCloseTo(1, 12);
    expect(meanAbsolute(0.5, 0.5, 4)).toBeCloseTo(1.5, 12);
    expect(meanAbsolute(1, 0, 7)).toBeCloseTo(7, 10);
    expect(meanAbsolute(0.3, 0.2, 1)).toBeCloseTo(0.5, 12);
    expect(meanAbsolute(0.3, 0.2, 9_000) / meanAbsolute(0.3, 0.2, 11_000)).toBeCloseTo(9 / 11, 3);
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
