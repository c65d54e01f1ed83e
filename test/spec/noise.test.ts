import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDecimal, rational } from '../../src/exact/index.js';
import { families, specOf } from '../../src/noise/index.js';
import { parseFamily, parseNoise } from '../../src/spec/index.js';
import { probabilityAt } from '../arbitrary.js';

const one = rational(1n);
const noTable = () => {
  throw new Error('no tables here');
};

describe('a family', () => {
  it('is found by its name, with the parameters that are given and no others', () => {
    for (const family of families) {
      expect(parseFamily(family.name)).toEqual({ family, values: {} });
      for (const { key } of family.parameters)
        expect(parseFamily(`${family.name}:${key}=7`)).toEqual({ family, values: { [key]: '7' } });
      const pairs = family.parameters.map(({ key }, i) => [key, String(i)] as const);
      const text = pairs.map(([key, value]) => `${key}=${value}`);
      expect(parseFamily(`${family.name}:${text}`).values).toEqual(Object.fromEntries(pairs));
      expect(parseFamily(`${family.name}:${text.reverse()}`).values).toEqual(Object.fromEntries(pairs));
    }
  });

  it('keeps a value as it stands, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        fc.pre(!text.includes(','));
        expect(parseFamily(`gaussian:sigma=${text}`).values).toEqual({ sigma: text });
      }),
    );
    expect(parseFamily('gaussian:sigma=a=b:c').values).toEqual({ sigma: 'a=b:c' });
  });

  it('may end with its colon', () => {
    expect(parseFamily('gaussian:').values).toEqual({});
  });

  it.each([
    [
      'gausian',
      /^unknown noise family "gausian"; did you mean gaussian\? \(known are gaussian, .*, table, cdf\)$/,
    ],
    ['Laplace:scale=1', /^unknown noise family "Laplace"; did you mean laplace\?/],
    ['tabel', /did you mean table\?/],
    ['', /^unknown noise family ""; known are gaussian/],
    ['constructor', /^unknown noise family "constructor"; known are/],
    [
      'gaussian:sgima=3',
      /^gaussian: unknown parameter "sgima"; did you mean sigma\? \(it takes sigma, mu\)$/,
    ],
    ['gaussian:__proto__=3', /^gaussian: unknown parameter "__proto__"; it takes sigma, mu$/],
    ['gaussian:Sigma=3', /unknown parameter "Sigma"; did you mean sigma/],
    ['gaussian: sigma=3', /unknown parameter " sigma"; did you mean sigma/],
    ['gaussian:3', /unknown parameter "3"; did you mean mu/],
    ['gaussian:sigma=3,', /unknown parameter ""; did you mean mu/],
    ['gaussian:sigma', /^gaussian: expected sigma=value, got "sigma"$/],
    ['gaussian:sigma=', /^gaussian: expected sigma=value, got "sigma="$/],
    ['gaussian:sigma=1,mu=2,sigma=1', /^gaussian: expected sigma once, got it twice$/],
    ['table:noise.csv', /^table: expected a family with a parameter to calibrate; a table has none$/],
  ])('refuses %j', (text, message) => {
    expect(() => parseFamily(text)).toThrow(RangeError);
    expect(() => parseFamily(text)).toThrow(message);
  });
});

describe('a noise', () => {
  it('has its parameters, its defaults and its step', () => {
    const step = parseDecimal('0.25');
    const noise = parseNoise('gaussian:sigma=3.50', step, noTable);
    expect(noise).toMatchObject({ family: 'gaussian', parameters: { sigma: '3.5', mu: '0' }, step });
    expect(parseNoise('gaussian:mu=-2,sigma=3', step, noTable).parameters).toEqual({ sigma: '3', mu: '-2' });
    expect(specOf(parseNoise('uniform:high=4,low=-3', one, noTable))).toBe('uniform:low=-3,high=4');
  });

  it('says which parameter is missing, and how all of them are written', () => {
    expect(() => parseNoise('gaussian', one, noTable)).toThrow(
      /^gaussian: expected the parameter sigma, as in gaussian:sigma=…,mu=…$/,
    );
    expect(() => parseNoise('uniform:low=1', one, noTable)).toThrow(
      /^uniform: expected the parameter high, as in uniform:low=…,high=…$/,
    );
    for (const family of families)
      for (const { key, default: fallback } of family.parameters) {
        const others = family.parameters
          .filter((entry) => entry.key !== key)
          .map((entry) => `${entry.key}=1`);
        if (fallback === undefined)
          expect(() => parseNoise(`${family.name}:${others}`, one, noTable)).toThrow(
            `${family.name}: expected the parameter ${key}, as in`,
          );
      }
  });

  it.each([
    ['gaussian:sigma=three', /gaussian: sigma: expected a decimal such as 0\.25 or 1e-6, got "three"/],
    ['gaussian:sigma=1=2', /sigma: expected a decimal.*"1=2"/],
    ['gaussian:sigma=0', /gaussian: expected sigma to be above 0, got 0/],
    ['gaussain:sigma=3', /did you mean gaussian/],
    ['laplace:sigma=3', /unknown parameter "sigma"; .*it takes scale, mu/],
  ])('refuses %j', (text, message) => {
    expect(() => parseNoise(text, one, noTable)).toThrow(message);
  });

  it('comes from a table whose path may hold anything', () => {
    const asked: string[] = [];
    const read = (path: string) => {
      asked.push(path);
      return [
        { value: '-0.5', probability: '1/3' },
        { value: '1', probability: '2/3' },
      ];
    };
    const noise = parseNoise('table:C:\\my, own=noise#1.csv', parseDecimal('0.5'), read);
    expect(asked).toEqual(['C:\\my, own=noise#1.csv']);
    expect(specOf(noise)).toBe('table:C:\\my, own=noise#1.csv');
    const { pmf } = noise.approximate({ adjacency: 1, cut: 400 });
    expect([-1, 0, 1, 2].map((k) => probabilityAt(pmf, k))).toEqual([
      rational(1n, 3n),
      rational(0n),
      rational(0n),
      rational(2n, 3n),
    ]);
    expect(() => parseNoise('table:t.csv', one, read)).toThrow(/table t\.csv, row 1.*multiple of the step/);
  });

  it('does not read a table without a path', () => {
    for (const text of ['table', 'table:'])
      expect(() => parseNoise(text, one, noTable)).toThrow(
        /^table: expected a path, as in table:noise\.csv$/,
      );
  });
});
