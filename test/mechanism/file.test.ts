import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDecimal, rational, zero } from '../../src/exact/index.js';
import { compile, readMechanism, writeMechanism } from '../../src/mechanism/index.js';
import { parseNoise } from '../../src/spec/index.js';
import { anyPmf } from '../arbitrary.js';

const good = {
  format: 'discreet/mechanism@1',
  step: '0.5',
  adjacency: 6,
  from: -1,
  weights: ['2', '5', '2'],
  tails: { left: { period: 1, ratio: ['1', '2'] }, right: null },
  claim: { epsilon: '2', delta: '0.5' },
  origin: { noise: 'by hand' },
} as const;

const text = (change: object) => JSON.stringify({ ...good, ...change });

describe('the mechanism file', () => {
  it('survives a round trip', () => {
    fc.assert(
      fc.property(anyPmf(), fc.integer({ min: 1, max: 9 }), (pmf, adjacency) => {
        const mechanism = {
          pmf,
          adjacency,
          claim: { epsilon: rational(1n, 8n), delta: zero },
          origin: { a: 1 },
        };
        expect(readMechanism(writeMechanism(mechanism))).toEqual(mechanism);
      }),
    );
    const compiled = compile(
      parseNoise('gaussian:sigma=3,mu=0.2', parseDecimal('0.25'), () => []),
      8,
      { epsilon: rational(1n), delta: parseDecimal('1e-6') },
    );
    expect(readMechanism(writeMechanism(compiled))).toEqual(compiled);
  });

  it('is read as written', () => {
    const { pmf, adjacency } = readMechanism(text({}));
    expect(pmf.weights).toEqual([2n, 5n, 2n]);
    expect(pmf.left).toEqual({ period: 1, ratio: rational(1n, 2n) });
    expect(adjacency).toBe(6);
  });

  const without = (key: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(good).filter(([k]) => k !== key)));
  it.each(['format', 'step', 'adjacency', 'from', 'weights', 'tails', 'claim'])(
    'needs the field %s',
    (key) => {
      expect(() => readMechanism(without(key))).toThrow(new RegExp(`^${key}: expected .* got nothing`));
    },
  );

  const tail = (change: object) =>
    text({ tails: { left: { period: 1, ratio: ['1', '2'], ...change }, right: null } });
  it.each([
    ['another format', text({ format: 'discreet/mechanism@2' }), /^format.*mechanism@1.*mechanism@2/],
    ['a negative weight', text({ weights: ['2', '-5', '2'] }), /^weights\[1\].*at least 0.*-5/],
    ['a zero at an end', text({ weights: ['2', '5', '0'] }), /^weights\[2\].*end of the window.*0/],
    [
      "a zero in a tail's block",
      text({ weights: ['2', '0', '2'], tails: { left: { period: 2, ratio: ['1', '2'] }, right: null } }),
      /^weights\[1\].*left tail repeats/,
    ],
    ['a weight as a number', text({ weights: [2, 5, 2] }), /^weights\[0\].*as text/],
    ['a weight with letters', text({ weights: ['2', '5x', '2'] }), /^weights\[1\].*5x/],
    ['a weight with leading zeros', text({ weights: ['2', '05', '2'] }), /^weights\[1\].*leading zeros/],
    [
      'ten million digits',
      text({ weights: ['2', '9'.repeat(10_000_000), '2'] }),
      /^weights\[1\].*at most 20000 digits.*10000000/,
    ],
    ['no weights', text({ weights: [] }), /at least one weight/],
    ['weights that are no array', text({ weights: '2' }), /^weights.*array/],
    ['a ratio of one', tail({ ratio: ['2', '2'] }), /tails.left.ratio.*below 1/],
    ['a ratio above one', tail({ ratio: ['3', '2'] }), /tails.left.ratio.*below 1.*3\/2/],
    ['a ratio of zero', tail({ ratio: ['0', '2'] }), /tails.left.ratio.*above 0/],
    ['a ratio over zero', tail({ ratio: ['1', '0'] }), /denominator above 0/],
    ['a ratio of one number', tail({ ratio: ['1'] }), /pair/],
    ['a period of zero', tail({ period: 0 }), /tails.left.period.*1 to 3.*got 0/],
    ['a period longer than the window', tail({ period: 4 }), /tails.left.period.*1 to 3.*got 4/],
    ['a tail that is missing', text({ tails: { left: null } }), /^tails.right.*got nothing/],
    ['an unknown field', text({ extra: 1 }), /no field but.*extra/],
    ['an unknown field of a tail', tail({ extra: 1 }), /tails.left.*no field but/],
    ['a step of zero', text({ step: '0' }), /^step/],
    ['a step as a number', text({ step: 0.5 }), /^step.*as text/],
    ['spaces around a decimal', text({ step: ' 0.5' }), /^step.*without spaces/],
    ['an adjacency of zero', text({ adjacency: 0 }), /^adjacency.*from 1 to 1000000, got 0/],
    ['a fractional adjacency', text({ adjacency: 1.5 }), /^adjacency.*whole number/],
    ['an adjacency that is true', text({ adjacency: true }), /^adjacency.*whole number/],
    ['a negative ε', text({ claim: { epsilon: '-1', delta: '0' } }), /^claim.epsilon/],
    ['a δ above one', text({ claim: { epsilon: '1', delta: '1.5' } }), /^claim.delta/],
    ['a missing δ', text({ claim: { epsilon: '1' } }), /^claim.delta.*nothing/],
    ['trailing garbage', `${text({})}x`, /one JSON object and nothing after it/],
    ['half a file', text({}).slice(0, 80), /JSON/],
    ['an array', '[]', /JSON object/],
    ['nothing', '', /JSON/],
  ])('refuses %s in one sentence', (_, file, message) => {
    expect(() => readMechanism(file)).toThrow(message);
    expect(() => readMechanism(file)).toThrow(RangeError);
    try {
      readMechanism(file);
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(220);
    }
  });
});
