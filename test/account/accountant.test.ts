import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountantOf,
  basicComposition,
  type Cost,
  minus,
  noCost,
  plus,
  readCost,
  rounded,
  within,
  written,
} from '../../src/account/index.js';
import { compare, multiply, parseDecimal, rational, toDecimal } from '../../src/exact/index.js';

const decimals = fc
  .tuple(fc.nat(99_999), fc.nat(6))
  .map(([n, places]) => rational(BigInt(n), 10n ** BigInt(places)));
const costs = fc.record({
  epsilon: decimals,
  delta: decimals.map((x) => multiply(x, parseDecimal('0.00001'))),
});
const charged = (cost: Cost) => ({ cost, parts: [] });
const part = (cost: Cost) => ({ mechanism: null, adjacency: '1', cost });

describe('a cost', () => {
  it('is written as decimals and read again, exactly', () => {
    fc.assert(
      fc.property(costs, (cost) => {
        const again = readCost(written(cost));
        expect([compare(again.epsilon, cost.epsilon), compare(again.delta, cost.delta)]).toEqual([0, 0]);
      }),
    );
  });

  it('is rounded up, never down, and by next to nothing', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 40n }),
        fc.bigInt({ min: 1n, max: 10n ** 40n }),
        (num, den) => {
          const { epsilon } = rounded({ epsilon: rational(num, den), delta: rational(0n) });
          expect(compare(epsilon, rational(num, den))).toBeGreaterThanOrEqual(0);
          expect(compare(epsilon, rational(num * (10n ** 16n + 1n), den * 10n ** 16n))).toBeLessThan(0);
        },
      ),
    );
  });

  it('is within another where neither figure is above it', () => {
    const cost = (epsilon: string, delta: string) => readCost({ epsilon, delta });
    expect(within(cost('1', '0'), cost('1', '0'))).toBe(true);
    expect(within(cost('1', '0.1'), cost('2', '0'))).toBe(false);
    expect(within(cost('2', '0'), cost('1', '0.1'))).toBe(false);
    expect(minus(plus(cost('1', '0.1'), cost('2', '0')), cost('2', '0'))).toEqual(cost('1', '0.1'));
  });
});

describe('basic composition', () => {
  it('adds up in any order, and what is left and what is spent are the budget', () => {
    fc.assert(
      fc.property(fc.array(costs, { maxLength: 6 }), costs, (all, budget) => {
        const releases = all.map(charged);
        const total = basicComposition.total(releases);
        expect(basicComposition.total([...releases].reverse())).toEqual(total);
        expect(basicComposition.fits(releases, budget)).toBe(within(total, budget));
        expect(plus(basicComposition.left(releases, budget), total)).toEqual(plus(budget, noCost));
      }),
    );
  });

  it('charges rows one by one, and a count for every change', () => {
    const cost = readCost({ epsilon: '0.3', delta: '0.0001' });
    const planned = { parts: [part(cost), part(cost)], times: 4 };
    expect(written(basicComposition.charge({ ...planned, of: 'rows' }))).toEqual({
      epsilon: '2.4',
      delta: '0.0008',
    });
    const counted = basicComposition.charge({ parts: [part(cost)], of: 'counts', times: 3 });
    expect(toDecimal(counted.epsilon)).toBe('0.9');
    // δ·(1 + e^0.3 + e^0.6), upward.
    expect(Number(toDecimal(counted.delta))).toBeCloseTo(0.0001 * (1 + Math.exp(0.3) + Math.exp(0.6)), 15);
    expect(written(basicComposition.charge({ parts: [], of: 'rows', times: 9 }))).toEqual({
      epsilon: '0',
      delta: '0',
    });
  });

  it('is found by its name, and nothing else is', () => {
    expect(accountantOf('basic')).toBe(basicComposition);
    expect(accountantOf('renyi')).toBeUndefined();
    expect(basicComposition.words(readCost({ epsilon: '1', delta: '0.1' }))).toBe('ε = 1, δ = 0.1');
  });
});
