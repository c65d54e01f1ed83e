// W, W₂ and W∞ of input + noise against their definition, in whole numbers: what is u-th of the one becomes what is u-th of the other.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputDistances } from '../../src/design/index.js';
import { rational, toNumberNear } from '../../src/exact/index.js';
import { makePmf, type Pmf } from '../../src/pmf/index.js';

const step = rational(1n, 3n);
const unit = 1 / 3;
const pmfOf = (from: number, list: readonly bigint[]): Pmf =>
  makePmf({ step, from, weights: list, left: null, right: null });

/** E|X − Y|, E(X − Y)² and the most of |X − Y|, by masses in whole numbers. */
function coupled(input: Pmf, noise: Pmf) {
  const output = new Map<number, bigint>();
  input.weights.forEach((x, i) => {
    if (x > 0n)
      noise.weights.forEach((y, j) => {
        const at = input.from + i + noise.from + j;
        output.set(at, (output.get(at) ?? 0n) + x * y);
      });
  });
  const mass = noise.weights.reduce((a, b) => a + b);
  const whole = mass * input.weights.reduce((a, b) => a + b);
  const p = input.weights
    .map((x, i) => [input.from + i, x * mass] as [number, bigint])
    .filter(([, x]) => x > 0n);
  const q = [...output].filter(([, y]) => y > 0n).sort(([a], [b]) => a - b);
  let [i, j, one, two, most] = [0, 0, 0n, 0n, 0];
  while (i < p.length && j < q.length) {
    const [first, second] = [p[i]!, q[j]!];
    const moved = first[1] < second[1] ? first[1] : second[1];
    const away = Math.abs(first[0] - second[0]);
    one += moved * BigInt(away);
    two += moved * BigInt(away) ** 2n;
    most = Math.max(most, away);
    first[1] -= moved;
    second[1] -= moved;
    if (first[1] === 0n) i++;
    if (second[1] === 0n) j++;
  }
  const mean = (sum: bigint) => toNumberNear(rational(sum, whole));
  return { one: mean(one) * unit, two: Math.sqrt(mean(two)) * unit, infinity: most * unit };
}

/** Two-sided, falling by 2^−fall a step. */
function falling(fall: bigint, reach: number): Pmf {
  const weights = Array.from(
    { length: 2 * reach + 1 },
    (_, k) => 2n ** (fall * BigInt(reach - Math.abs(k - reach))),
  );
  return pmfOf(-reach, weights);
}

function check(input: Pmf, noise: Pmf) {
  const [found, exact] = [outputDistances(input, noise), coupled(input, noise)];
  for (const key of ['one', 'two', 'infinity'] as const)
    expect(Math.abs(found[key]! - exact[key]), key).toBeLessThanOrEqual(1e-7 * exact[key] + 1e-300);
}

describe('the distances of input + noise from the input', () => {
  const weights = fc
    .array(fc.nat({ max: 5 }), { minLength: 0, maxLength: 7 })
    .map((list) => [1n, ...list.map(BigInt), 1n]);

  it('are those of masses that keep their order', () => {
    fc.assert(
      fc.property(weights, fc.integer({ min: -9, max: 5 }), weights, (input, from, noise) =>
        check(pmfOf(2, input), pmfOf(from, noise)),
      ),
      { numRuns: 500 },
    );
  });

  it('keep their digits where values lie far apart and little is moved', () => {
    // What rounding leaves of a sum was moved across the gap: 2.2 for 1.3, 1.1e-3 for 6.4e-5.
    for (const gap of [30, 3000, 300_000])
      for (const fall of [1n, 8n, 29n, 120n]) {
        const weights = new Array<bigint>(gap + 8).fill(0n);
        [weights[0], weights[7], weights[gap + 7]] = [1n, 2n, 7n];
        check(pmfOf(-3, weights), falling(fall, 6));
      }
  });

  it('with tails are those of a long window', () => {
    const tail = { period: 1, ratio: rational(1n, 4n) };
    const noise = makePmf({ step, from: 0, weights: [1n], left: tail, right: tail });
    const input = pmfOf(2, [3n, 0n, 1n, 2n]);
    const [found, exact] = [outputDistances(input, noise), coupled(input, falling(2n, 60))];
    expect(found.one).toBeCloseTo(exact.one, 12);
    expect(found.two).toBeCloseTo(exact.two, 12);
    expect(found.infinity).toBe(Infinity);
  });
});
