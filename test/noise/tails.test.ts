// Noise that somebody wrote down, with tails or without: what is said of it is what is said of the same noise by its family.

import { describe, expect, it } from 'vitest';
import { rational, toNumberUp } from '../../src/exact/index.js';
import { guaranteeOf } from '../../src/mechanism/index.js';
import { type TableRow, tableNoise, tablePmf } from '../../src/noise/index.js';
import { tableRows } from '../../src/spec/index.js';
import { scratch } from '../scratch.js';

const one = rational(1n);
const rows = (...texts: string[]) =>
  tableRows(`value,probability\n${texts.join('\n')}\n`, 'n.csv', 'probability');
const noiseOf = (...texts: string[]) => tableNoise(rows(...texts), one, 'n.csv');
/** Geometric noise of ratio one half. */
const GEOMETRIC = ['-1,1/6', '0,1/3', '1,1/6', 'left tail,1/2', 'right tail,1/2,1'];

describe('a table with tails', () => {
  it('is pure where both sides go on: brute force over a hundred points agrees', () => {
    const guarantee = guaranteeOf(noiseOf(...GEOMETRIC), 3);
    const p = (k: number) => 2 ** -Math.abs(k) / 3;
    let most = 0;
    for (let k = -50; k <= 50; k++)
      for (let shift = -3; shift <= 3; shift++) most = Math.max(most, Math.log(p(k) / p(k + shift)));
    expect(toNumberUp(guarantee.pure!.epsilonUpper)).toBeCloseTo(most, 12);
  });

  it('sums to one with its tails, or is refused with what it sums to', () => {
    const table = ['-1,1/6', '0,1/3', '1,1/4', '2,1/4', 'left tail,1/2', 'right tail,1/4,2'];
    expect(() => noiseOf(...table)).toThrow(/sum to 1, got 1\.33/);
  });

  it('repeats blocks of several points, by a ratio that is exact', () => {
    // Stairs: two points on each, half as high each time.
    const stairs = noiseOf('0,1/8', '1,1/8', '-1,1/8', '-2,1/8', 'right tail,1/2,2', 'left tail,1/2,2');
    const { pmf } = stairs.approximate({ adjacency: 2, cut: 100 });
    expect(pmf.right).toEqual({ period: 2, ratio: rational(1n, 2n) });
    const { pure } = guaranteeOf(stairs, 2);
    expect(toNumberUp(pure!.epsilonUpper)).toBeCloseTo(Math.log(2), 12);
  });

  it('has a profile where one side ends', () => {
    const guarantee = guaranteeOf(noiseOf('0,1/2', 'right tail,1/2'), 1);
    expect(guarantee.pure).toBeNull();
    // p(k) = 2^−(k+1): moved up by one, the first point is alone, with one half.
    expect(toNumberUp(guarantee.deltaAt(rational(1n)))).toBeCloseTo(0.5, 9);
  });

  it.each([
    ['a ratio of 1', [...GEOMETRIC.slice(0, 4), 'right tail,1'], /ratio between 0 and 1/],
    [
      'a period beyond the table',
      [...GEOMETRIC.slice(0, 4), 'right tail,1/2,4'],
      /period from 1 to the table's 3/,
    ],
    ['a side twice', [...GEOMETRIC, 'RIGHT TAIL,1/2'], /right tail: expected one, got another/],
    ['a block that holds a zero', ['0,1/4', '1,0', '2,1/4', 'right tail,1/2,2'], /sum to 1|repeat|weight/],
    ['no points', ['right tail,1/2'], /at least one row of value/],
  ])('is refused: %s', (_, texts, message) => {
    expect(() => noiseOf(...texts)).toThrow(message);
  });

  it('is no prior', () => {
    const table: TableRow[] = [
      { value: '0', probability: '1/2' },
      { value: 'right tail', probability: '1/2' },
    ];
    expect(() => tablePmf(table, one, 'prior')).toThrow(/only noise has tails/);
  });

  it('may be JSON', () => {
    const text = '[{"value":0,"probability":"1/2"},{"value":"right tail","probability":"1/2","period":1}]';
    const { pmf } = tableNoise(tableRows(text, 'n.json', 'probability'), one, 'n.json').approximate({
      adjacency: 1,
      cut: 100,
    });
    expect(pmf.right).toEqual({ period: 1, ratio: rational(1n, 2n) });
  });
});

describe('analyze and compare', () => {
  const folder = scratch();
  folder.json(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);

  it('take a mechanism file wherever they take a noise, at any adjacency and prior', () => {
    const of = (adjacency: string) =>
      folder.json<{ pure: { epsilon: number } }>(['analyze', 'm.json', '--adjacency', adjacency]).pure
        .epsilon;
    expect(of('5')).toBeCloseTo(1, 9);
    expect(of('10')).toBeCloseTo(2, 9);
    const prior = ['--prior', 'poisson:rate=3'];
    const { stdout, code } = folder.run([
      'compare',
      'm.json',
      'mechanism:m.json',
      '--adjacency',
      '7',
      ...prior,
    ]);
    expect([code, stdout.match(/mechanism:m\.json +pure/g)]).toEqual([
      0,
      expect.toSatisfy((all) => all.length >= 2),
    ]);
    expect(folder.run(['analyze', 'm.json', '--adjacency', '5', '--step', '0.5']).stderr).toMatch(
      /the mechanism in m.json has the step 1, not 0.5; say so with --step/,
    );
  });

  it('say that a table is cut off, and how it could go on', () => {
    folder.write('n.csv', 'value,probability\n-1,1/4\n0,1/2\n1,1/4\n');
    expect(folder.run(['analyze', 'table:n.csv', '--adjacency', '1']).stdout).toMatch(
      /the table is cut off there; where the noise goes on, rows such as "right tail,1\/2"/,
    );
  });
});
