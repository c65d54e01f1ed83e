// A vector with different noise for each coordinate, against brute force over neighbouring vectors and all outputs.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, rational, toNumberNear } from '../../src/exact/index.js';
import { analyzeVector } from '../../src/index.js';
import { guaranteeOf, vectorOf } from '../../src/mechanism/index.js';
import { parseNoise } from '../../src/spec/index.js';

const step = rational(1n);

/** Noise from a list of weights. */
function noiseOf(weights: readonly number[]) {
  const sum = weights.reduce((a, b) => a + b);
  const rows = weights.map((w, i) => ({ value: String(i), probability: `${w}/${sum}` }));
  return parseNoise('table:noise.csv', step, () => rows);
}

describe('the profile of a vector', () => {
  it('is what neighbouring vectors lose over all sets of outputs', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(weights, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('0', '0.5', '2'),
        (all, adjacency, text) => {
          const epsilon = Number(text);
          const laws = all.map((own) => own.map((w) => w / own.reduce((a, b) => a + b)));
          // Vectors 0 and one that is shifted in one coordinate; every vector of outputs.
          let worst = 0;
          for (const [i, law] of laws.entries())
            for (let shift = -adjacency; shift <= adjacency; shift++) {
              const others = laws.filter((_, j) => j !== i).reduce((mass, one) => mass * one.length, 1);
              let sum = 0;
              for (let rest = 0; rest < others; rest++) {
                let [mass, left] = [1, rest];
                for (const [j, one] of laws.entries()) {
                  if (j === i) continue;
                  mass *= one[left % one.length]!;
                  left = Math.floor(left / one.length);
                }
                for (let k = -adjacency; k < law.length + adjacency; k++)
                  sum += mass * Math.max(0, (law[k] ?? 0) - Math.exp(epsilon) * (law[k - shift] ?? 0));
              }
              worst = Math.max(worst, sum);
            }
          const guarantees = all.map((own) => guaranteeOf(noiseOf(own), adjacency));
          const exact = rational(BigInt(Math.round(epsilon * 2)), 2n);
          const { value, coordinate } = vectorOf(guarantees).deltaAt(exact);
          expect(toNumberNear(value)).toBeCloseTo(worst, 12);
          expect(compare(guarantees[coordinate]!.deltaAt(exact), value)).toBe(0);
        },
      ),
    );
  });

  it('has no pure ε where one coordinate has none, and says which', () => {
    const all = ['laplace:scale=5', 'gaussian:sigma=9', 'geometric:scale=1'].map((text) =>
      guaranteeOf(
        parseNoise(text, step, () => []),
        5,
      ),
    );
    expect(vectorOf(all).pure).toEqual({ value: null, coordinate: 1 });
    const pure = vectorOf([all[0]!, all[2]!]).pure;
    expect([toNumberNear(pure.value!), pure.coordinate]).toEqual([5, 1]);
    expect(() => vectorOf([])).toThrow(/at least one coordinate/);
  });

  it('is one call of the library', () => {
    const found = analyzeVector(['laplace:scale=7.5', 'geometric:scale=5'], { adjacency: 15 });
    expect([found.epsilon, found.deltaAt(3), found.epsilonAt(0)]).toEqual(['3', '0', '3']);
    expect(found.coordinates.map(({ noise }) => noise)).toEqual([
      'laplace:scale=7.5,mu=0',
      'geometric:scale=5',
    ]);
  });
});
