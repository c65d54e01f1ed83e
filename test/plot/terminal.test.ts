import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, floor, rational, toNumberNear } from '../../src/exact/index.js';
import { barChart, massChart, textTable } from '../../src/plot/index.js';
import { lastIndex, makePmf, type Pmf, quantile } from '../../src/pmf/index.js';
import { anyPmf, probabilityAt } from '../arbitrary.js';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Labels and lengths of a chart's bars, in eighths of a character. */
function barsOf(chart: string): { label: string; length: number }[] {
  return chart
    .split('\n')
    .filter((line) => line.includes('│'))
    .map((line) => {
      const [label, bar] = line.split(' │') as [string, string];
      const [, full, part] = /^(█*)(.?)$/.exec(bar)!;
      expect(EIGHTHS).toContain(part);
      return { label: label.trim(), length: 8 * full!.length + EIGHTHS.indexOf(part!) };
    });
}

describe('a table', () => {
  it('has its first column to the left and the others to the right', () => {
    expect(
      textTable(
        ['noise', 'ε', 'mean'],
        [
          ['a', '0.125', '7'],
          ['geometric', '1', '-12.5'],
        ],
      ).split('\n'),
    ).toEqual([
      'noise          ε   mean',
      '─────────  ─────  ─────',
      'a          0.125      7',
      'geometric      1  -12.5',
    ]);
  });

  it('is as wide as its titles where they are longer than the cells', () => {
    expect(textTable(['a', 'a long title'], [['x', 'y']]).split('\n')).toEqual([
      'a  a long title',
      '─  ────────────',
      'x             y',
    ]);
    expect(textTable(['name', 'n'], [])).toBe('name  n\n────  ─');
  });

  it('takes empty cells and rows that are too short', () => {
    expect(textTable(['a', 'b', 'c'], [['x'], ['y', '', '3'], ['', '22', '']]).split('\n')).toEqual([
      'a   b  c',
      '─  ──  ─',
      'x',
      'y      3',
      '   22',
    ]);
  });

  it('puts the end of every cell below the end of its rule', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '7', '.', 'ε'), minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((columns) =>
          fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
            minLength: 1,
            maxLength: 6,
          }),
        ),
        ([header, ...rows]) => {
          const [titles, rule, ...lines] = textTable(header!, rows).split('\n');
          const columns = [...rule!.matchAll(/─+/g)].map((run) => [run.index, run.index + run[0].length]);
          expect(lines).toHaveLength(rows.length);
          [header!, ...rows].forEach((cells, i) => {
            const line = [titles!, ...lines][i]!;
            expect(line.split(/ +/)).toEqual(cells);
            cells.forEach((text, j) => {
              const [start, end] = columns[j] as [number, number];
              expect(
                j === 0 ? line.slice(start, start + text.length) : line.slice(end - text.length, end),
              ).toBe(text);
            });
          });
          columns.forEach(([start, end], j) => {
            expect(end! - start!).toBe(Math.max(...[header!, ...rows].map((cells) => cells[j]!.length)));
          });
        },
      ),
    );
  });
});

describe('a chart of bars', () => {
  it('has one line for each, its labels to the right, the longest as wide as asked', () => {
    expect(
      barChart(
        [
          { label: '-1', value: 1 },
          { label: '0', value: 4 },
          { label: '10', value: 2 },
        ],
        4,
      ),
    ).toBe('-1 │█\n 0 │████\n10 │██');
    expect(barsOf(barChart([{ label: 'x', value: 0.001 }]))).toEqual([{ label: 'x', length: 8 * 48 }]);
  });

  it('shows eighths of a character', () => {
    const bars = Array.from({ length: 9 }, (_, i) => ({ label: String(i), value: i }));
    expect(barChart(bars, 1).split('\n')).toEqual([...EIGHTHS, '█'].map((bar, i) => `${i} │${bar}`));
  });

  it('shows a sliver of what is next to nothing, and nothing of what is nothing', () => {
    const values = [1, 1e-300, 0, 1 / 10_000];
    const bars = barsOf(barChart(values.map((value, i) => ({ label: String(i), value }))));
    expect(bars.map(({ length }) => length)).toEqual([384, 1, 0, 1]);
  });

  it('is empty where there are no bars, and has no bars where all are zero', () => {
    expect(barChart([])).toBe('');
    expect(
      barChart([
        { label: 'a', value: 0 },
        { label: 'bc', value: 0 },
      ]),
    ).toBe(' a │\nbc │');
  });

  it('is as long as its value, rounded to the nearest eighth', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 60 }),
        (values, width) => {
          const most = values.reduce((a, b) => Math.max(a, b));
          const bars = barsOf(
            barChart(
              values.map((value) => ({ label: String(value), value })),
              width,
            ),
          );
          bars.forEach(({ label, length }, i) => {
            expect(label).toBe(String(values[i]));
            const exact = (values[i]! / most) * width * 8;
            if (exact >= 0.5) expect(Math.abs(length - exact)).toBeLessThanOrEqual(0.5 + 1e-9);
            else expect(length).toBe(1);
          });
        },
      ),
    );
  });
});

describe('a chart of a mass function', () => {
  const finite = (weights: readonly bigint[], from: number, step = rational(1n)) =>
    makePmf({ step, from, weights, left: null, right: null });
  const twoSided = (ratio: Pmf['step']) =>
    makePmf({
      ...finite([1n], 0),
      left: { period: 1, ratio },
      right: { period: 1, ratio },
    });

  it('shows each point, and an empty bar where the law ends', () => {
    const full = '█'.repeat(48);
    expect(massChart(finite([1n, 2n, 0n, 1n], -1, rational(1n, 4n))).split('\n')).toEqual([
      ' -0.5 │',
      `-0.25 │${full.slice(24)}`,
      `    0 │${full}`,
      ' 0.25 │',
      `  0.5 │${full.slice(24)}`,
      ' 0.75 │',
      '(each bar one step of 0.25; 99 % of the noise lies from -0.25 to 0.5)',
    ]);
    expect(massChart(finite([1n, 1n], -1, rational(5n, 2n))).split('\n')).toEqual([
      '  -5 │',
      `-2.5 │${full}`,
      `   0 │${full}`,
      ' 2.5 │',
      '(each bar one step of 2.5; 99 % of the noise lies from -2.5 to 0)',
    ]);
    expect(massChart(finite([7n], 3)).split('\n')).toEqual([
      '2 │',
      `3 │${full}`,
      '4 │',
      '(each bar one step of 1; 99 % of the noise lies from 3 to 3)',
    ]);
  });

  it('has bars as long as the probabilities, from one quantile to the other', () => {
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const at = (num: bigint) => Number(floor(quantile(pmf, rational(num, 200n))));
        const low = at(1n) - (pmf.left ? 0 : 1);
        const high = at(199n) + (pmf.right ? 0 : 1);
        fc.pre(high - low < 25);
        const bars = barsOf(massChart(pmf));
        const masses = bars.map((_, i) => toNumberNear(probabilityAt(pmf, low + i)));
        expect(bars.map(({ label }) => label)).toEqual(masses.map((_, i) => String(low + i)));
        expect(low + bars.length - 1).toBe(high);
        const most = masses.reduce((a, b) => Math.max(a, b));
        bars.forEach(({ length }, i) => {
          const exact = (masses[i]! / most) * 384;
          if (masses[i] === 0) expect(length).toBe(0);
          else expect(Math.abs(length - Math.max(1, exact))).toBeLessThanOrEqual(0.5 + 1e-6);
        });
      }),
    );
  });

  it('says where 99 % of it lies', () => {
    const law = finite([1n, 300n, 300n, 300n, 1n], 0);
    expect(massChart(law)).toMatch(/99 % of the noise lies from 1 to 3\)$/);
    expect(barsOf(massChart(law)).map(({ label }) => label)).toEqual(['0', '1', '2', '3', '4']);
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const [, low, high] = /from (-?\d+) to (-?\d+)\)$/.exec(massChart(pmf))!;
        expect(Number(low)).toBeLessThanOrEqual(Number(high));
        expect(compare(quantile(pmf, rational(1n, 200n)), rational(BigInt(low!)))).toBe(0);
        expect(compare(quantile(pmf, rational(199n, 200n)), rational(BigInt(high!)))).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it('has labels that scale with the step, and the same bars', () => {
    fc.assert(
      fc.property(anyPmf(), (pmf) => {
        const [bars, scaled] = [pmf, { ...pmf, step: rational(5n, 2n) }].map((law) => barsOf(massChart(law)));
        expect(scaled).toEqual(
          bars!.map(({ label, length }) => ({ label: String(2.5 * Number(label)), length })),
        );
      }),
    );
  });

  it('gathers the points of a wide law into few bars with 0 in the middle of one', () => {
    const law = twoSided(rational(7n, 8n));
    const chart = massChart(law);
    expect(chart).toMatch(/\n\(each bar 3 steps of 1; 99 % of the noise lies from -34 to 34\)$/);
    const bars = barsOf(chart);
    expect(bars.length).toBeLessThanOrEqual(25);
    bars.forEach(({ label }, i) => {
      expect(Number(label)).toBe(3 * (i - (bars.length - 1) / 2));
    });
    expect(bars).toEqual([...bars].reverse().map(({ length }, i) => ({ label: bars[i]!.label, length })));
    const gathered = (centre: number) =>
      [-1, 0, 1].reduce((sum, k) => sum + toNumberNear(probabilityAt(law, centre + k)), 0);
    for (const { label, length } of bars)
      expect(Math.abs(length - (384 * gathered(Number(label))) / gathered(0))).toBeLessThanOrEqual(
        0.5 + 1e-6,
      );
  });

  it('never has more than 25 bars', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: -2000, max: 2000 }),
        (points, from) => {
          const law = finite(new Array<bigint>(points).fill(1n), from);
          const bars = barsOf(massChart(law));
          expect(bars.length).toBeLessThanOrEqual(25);
          expect(bars.length).toBeGreaterThanOrEqual(Math.min(points, 12));
          expect(Number(bars[bars.length - 1]!.label)).toBeGreaterThan(from + points / 2);
          expect(lastIndex(law) - Number(bars[0]!.label)).toBeGreaterThan(points / 2 - 2);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says so where there is too much to draw', () => {
    const step = rational(1n, 10n);
    const ratio = rational(9_999_999n, 10_000_000n);
    expect(massChart({ ...twoSided(ratio), step })).toMatch(
      /^\(99 % of the noise lies from -4605170 to 4605170: too many steps of 0\.1 to plot\)$/,
    );
  });
});
