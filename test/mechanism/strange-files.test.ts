// Files from strangers: everything within the format's limits is answered soon, or refused at once.

import { describe, expect, it } from 'vitest';
import { toNumberUp } from '../../src/exact/index.js';
import { certify, readMechanism } from '../../src/mechanism/index.js';

const file = (adjacency: number, ratio: readonly [string, string] = ['1', '2'], delta = '0.999999') =>
  JSON.stringify({
    format: 'discreet/mechanism@1',
    step: '1',
    adjacency,
    from: -2,
    weights: ['1', '3', '2', '5', '1'],
    tails: { left: { period: 1, ratio }, right: { period: 1, ratio } },
    claim: { epsilon: '1', delta },
  });

describe('noise with several peaks and a long reach', () => {
  // Nearly all shifts are ties there: 2·10⁶ of them for the last one.
  it.each([1_000, 10_000, 200_000])('is answered at an adjacency of %d', (adjacency) => {
    const { holds, deltaUpper } = certify(readMechanism(file(adjacency)));
    expect(holds).toBe(false);
    expect(toNumberUp(deltaUpper)).toBeGreaterThan(0.999999);
    expect(toNumberUp(deltaUpper)).toBeLessThanOrEqual(1);
    expect(certify(readMechanism(file(adjacency, ['1', '2'], '1'))).holds).toBe(true);
  });

  it('is answered with ratios of 20,000 digits', () => {
    const whole = 10n ** 19_999n;
    const long = file(1_000, [String(whole / 2n + 12_345n), String(whole)]);
    expect(certify(readMechanism(long)).holds).toBe(false);
  });

  it('is answered, or called too large, with a long ratio next to 1', () => {
    const whole = 10n ** 19_999n;
    const slow = file(300, [String(whole - 1n), String(whole)], '1e-6');
    expect(() => certify(readMechanism(slow))).not.toThrow(/finite|internal/);
  });

  it('names the limits of the format', () => {
    const wrong = (change: Record<string, unknown>) => () =>
      readMechanism(JSON.stringify({ ...JSON.parse(file(5)), ...change }));
    expect(wrong({ adjacency: 1_000_001 })).toThrow(
      /^adjacency: expected a whole number from 1 to 1000000, got 1000001$/,
    );
    expect(wrong({ adjacency: 0.5 })).toThrow(
      /^adjacency: expected a whole number from 1 to 1000000, got 0.5$/,
    );
    expect(wrong({ from: 2 ** 50 + 1 })).toThrow(
      /^from: expected a whole number from -1125899906842624 to 1125899906842624/,
    );
    expect(wrong({ tails: { left: null, right: { period: 6, ratio: ['1', '2'] } } })).toThrow(
      /^tails.right.period: expected a whole number from 1 to 5, got 6$/,
    );
  });
});
