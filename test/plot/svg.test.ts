import { JSDOM } from 'jsdom';
import { describe, expect, it } from 'vitest';
import {
  type Axes,
  barsChart,
  escaped,
  lineChart,
  lookOf,
  massCurves,
  type Series,
  stacked,
  verdictMap,
} from '../../src/plot/index.js';

interface Element {
  readonly textContent: string;
  readonly nodeName: string;
  readonly parentElement: Element | null;
  readonly children: Iterable<Element>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}
interface Window {
  readonly DOMParser: new () => { parseFromString(text: string, type: string): { documentElement: Element } };
}

const window = new JSDOM('').window as unknown as Window;

/** As XML, which is read strictly. */
function parsed(svg: string): Element {
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  const root = new window.DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  expect(root.nodeName).toBe('svg');
  return root;
}

const all = (root: Element, selector: string) => [...root.querySelectorAll(selector)];
const words = (root: Element, selector = 'text') =>
  all(root, selector)
    .filter((element) => element.getAttribute('aria-hidden') === null)
    .map(({ textContent }) => textContent);
const number = (element: Element, name: string) => Number(element.getAttribute(name));
const ticks = (root: Element, axis: 'x' | 'y') =>
  all(root, `g[data-axis="${axis}"] text`).map((tick) => ({
    value: tick.textContent,
    at: axis === 'x' ? number(tick, 'x') : number(tick, 'y') - 4,
  }));

/** From values to places, by the numbers that stand at the axis. */
function scale(root: Element, axis: 'x' | 'y', log = false): (value: number) => number {
  const own = log ? Math.log : (value: number) => value;
  const found = ticks(root, axis).map(({ value, at }) => ({
    value: own(Number(value.replace('−', '-'))),
    at,
  }));
  const [a, b] = [found[0]!, found.at(-1)!];
  return (value) => a.at + ((own(value) - a.value) / (b.value - a.value)) * (b.at - a.at);
}

/** The corners of a line, or of any path. */
const corners = (path: Element) =>
  path
    .getAttribute('d')!
    .slice(1)
    .split('L')
    .map((corner) => corner.split(',').map(Number));

/** Where a text is, about: letters are counted a little wider than the program does. */
function boxOf(element: Element) {
  const size = number(element, 'font-size');
  const wide = element.textContent.length * size * 0.5;
  const anchor = element.getAttribute('text-anchor') ?? 'start';
  const left = number(element, 'x') - (anchor === 'end' ? wide : anchor === 'middle' ? wide / 2 : 0);
  const bottom = number(element, 'y');
  return { left, right: left + wide, top: bottom - size * 0.7, bottom };
}

const series: Series[] = [
  {
    name: 'optimum',
    points: [
      { x: 1, y: 1 },
      { x: 2, y: 3 },
      { x: 4, y: 8 },
    ],
  },
  {
    name: 'laplace',
    points: [
      { x: 1, y: 2 },
      { x: 4, y: 7.9 },
    ],
  },
  {
    name: 'my <own> & "noise"',
    points: [
      { x: 2, y: 0.5 },
      { x: 3, y: 4 },
    ],
  },
];
const axes: Axes = { title: 'Error & <b>bias</b> of "it"', x: 'ε < 1 & more', y: 'mean <error>' };
const names = ['optimum (P₁)', 'Laplacian', 'my <own> & "noise"'];

const draw = {
  lineChart: (own: Axes) => lineChart(series, own),
  massCurves: (own: Axes) => massCurves(series, own),
  barsChart: (own: Axes) => barsChart(series, own, [{ name: 'a < b', x: 2 }]),
  verdictMap: (own: Axes) => verdictMap([{ ...series[0]!, name: 'tight <' }], own),
};
const kinds = Object.keys(draw) as (keyof typeof draw)[];

describe('every chart', () => {
  it.each(kinds)('%s says its title and axes as they are', (kind) => {
    const root = parsed(draw[kind](axes));
    expect(root.querySelector('title')!.textContent).toBe(axes.title);
    const own = [...root.children].filter(({ nodeName }) => nodeName === 'text');
    expect(own[0]!.textContent).toBe(axes.title);
    expect(all(root, 'b, own, error')).toEqual([]);
    expect(words(root, 'g[data-label="x"] text')).toEqual([axes.x]);
    expect(words(root, 'g[data-label="y"] text')).toEqual([axes.y]);
    expect(root.getAttribute('role')).toBe('img');
  });

  it.each(kinds.flatMap((kind) => [360, 760, 1200].map((width) => [kind, width] as const)))(
    '%s is %i wide, no text leaves it or is below 11, and no two numbers of an axis touch',
    (kind, width) => {
      const root = parsed(draw[kind]({ ...axes, width }));
      expect([number(root, 'width'), root.getAttribute('viewBox')!.split(' ')[2]]).toEqual([
        width,
        `${width}`,
      ]);
      for (const element of all(root, 'text')) {
        const { left, right, top, bottom } = boxOf(element);
        expect(number(element, 'font-size')).toBeGreaterThanOrEqual(11);
        expect([left >= 0, right <= width, top >= 0, bottom <= number(root, 'height')]).toEqual(
          Array(4).fill(true),
        );
      }
      for (const axis of ['x', 'y']) {
        const boxes = all(root, `g[data-axis="${axis}"] text`).map(boxOf);
        boxes.forEach((a, i) => {
          for (const b of boxes.slice(i + 1))
            expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);
        });
      }
    },
  );

  it.each(kinds)('%s has a counterpart for dark pages of every colour that it uses', (kind) => {
    const svg = draw[kind](axes);
    const used = new Set([...svg.matchAll(/class="(c[0-9a-f]{6})"/g)].map(([, name]) => name));
    expect(used.size).toBeGreaterThan(3);
    const [, rules] = /<style>@media screen and \(prefers-color-scheme:dark\)\{(.*?)\}<\/style>/.exec(svg)!;
    for (const name of used) expect(rules).toMatch(new RegExp(`\\.${name}\\{color:#[0-9a-f]{6}\\}`));
    // Whatever is drawn is drawn in the current colour, so that none is left behind.
    expect(svg.replace(/color="[^"]*"/g, '')).not.toMatch(/(?:fill|stroke)="#/);
  });

  it('breaks a long title, and is as much higher', () => {
    const title = 'What 12 releases of a column cost together, by this account and by others';
    const root = parsed(lineChart(series, { ...axes, title, width: 360 }));
    const own = [...root.children].filter(({ nodeName }) => nodeName === 'text').slice(0, 3);
    expect(own.map(({ textContent }) => textContent).join(' ')).toBe(title);
    const one = parsed(lineChart(series, { ...axes, title: 'What', width: 360 }));
    expect(number(root, 'height') - number(one, 'height')).toBe(40);
  });

  it('breaks a word that is longer than a line', () => {
    const title = 'n'.repeat(100);
    const root = parsed(lineChart(series, { ...axes, title, width: 360 }));
    const own = [...root.children].filter(({ textContent }) => /^n+$/.test(textContent ?? ''));
    const texts = own.filter(({ nodeName }) => nodeName === 'text').map(({ textContent }) => textContent!);
    expect(texts.join('')).toBe(title);
    expect(texts.length).toBe(4);
  });

  it('is as high as asked', () => {
    expect(number(parsed(lineChart(series, { ...axes, height: 200 })), 'height')).toBe(200);
  });
});

describe('a chart of lines', () => {
  it('has one path, one colour and one dash for each series, the first on top', () => {
    const root = parsed(lineChart(series, axes));
    const groups = all(root, 'g[data-series]');
    expect(groups.map((group) => group.getAttribute('data-series'))).toEqual(['2', '1', '0']);
    groups.reverse();
    expect(groups.map((group) => group.getAttribute('color'))).toEqual(
      series.map(({ name }) => lookOf(name).colour),
    );
    const paths = groups.map((group) => group.querySelector('path')!);
    expect(paths.map((path) => path.getAttribute('stroke-dasharray') ?? '')).toEqual(
      series.map(({ name }) => lookOf(name).dash),
    );
    expect(paths.map((path) => number(path, 'stroke-width'))).toEqual([3, 1.8, 1.8]);
    expect(groups.map((group) => all(group, 'circle').length)).toEqual([3, 2, 2]);
    expect(all(parsed(lineChart(series, { ...axes, smooth: true })), 'circle')).toEqual([]);
  });

  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('puts each point where it belongs (logarithms: x %s, y %s)', (logX, logY) => {
    const root = parsed(lineChart(series, { ...axes, logX, logY }));
    const [across, up] = [scale(root, 'x', logX), scale(root, 'y', logY)];
    const groups = all(root, 'g[data-series]').reverse();
    series.forEach(({ points }, i) => {
      const circles = all(groups[i]!, 'circle');
      const places = corners(groups[i]!.querySelector('path')!);
      expect(places).toHaveLength(points.length);
      points.forEach(({ x, y }, j) => {
        for (const [left, top] of [[number(circles[j]!, 'cx'), number(circles[j]!, 'cy')], places[j]!]) {
          expect(left).toBeCloseTo(across(x), 1);
          expect(top).toBeCloseTo(up(y), 1);
        }
      });
    });
  });

  it('names each line at its right end', () => {
    const root = parsed(lineChart(series, axes));
    const [across, up] = [scale(root, 'x'), scale(root, 'y')];
    for (const [i, { name, points }] of series.entries()) {
      const label = all(root, 'text').find(({ textContent }) => textContent === names[i])!;
      expect(label.getAttribute('color')).toBe(lookOf(name).colour);
      expect(label.getAttribute('font-weight')).toBe(name === 'optimum' ? '700' : null);
      const end = points.at(-1)!;
      expect(number(label, 'x')).toBeCloseTo(across(end.x) + 10, 1);
      expect(Math.abs(number(label, 'y') - 4 - up(end.y))).toBeLessThan(16);
    }
  });

  it('names the lines above a narrow picture, each with a sample', () => {
    const root = parsed(lineChart(series, { ...axes, width: 360 }));
    const top = Math.min(...ticks(root, 'y').map(({ at }) => at));
    for (const [i, { name }] of series.entries()) {
      const label = all(root, 'text').find(({ textContent }) => textContent === names[i])!;
      expect(number(label, 'y')).toBeLessThan(top);
      const { colour, dash } = lookOf(name);
      const sample = all(root, 'line').find((line) => line.getAttribute('color') === colour)!;
      expect(sample.getAttribute('stroke-dasharray') ?? '').toBe(dash);
      expect(number(label, 'x') - number(sample, 'x2')).toBe(6);
    }
  });

  it('says of curves that coincide that they do', () => {
    const twice = [series[0]!, { name: 'geometric', points: series[0]!.points }, series[1]!];
    expect(words(parsed(lineChart(twice, axes)))).toEqual(
      expect.arrayContaining(['optimum (P₁)', '= geometric', 'Laplacian']),
    );
    const near = series[0]!.points.map(({ x, y }) => ({ x, y: y * 1.2 }));
    expect(words(parsed(lineChart([series[0]!, { name: 'geometric', points: near }], axes)))).toContain(
      'geometric',
    );
  });

  it.each([
    ['at the top', 100, false],
    ['at the bottom', 0.5, false],
    ['at the bottom', 0.5, true],
  ])('moves names apart that would overlap %s, in their order', (_, level, logY) => {
    const crowd: Series[] = [
      ...Array.from({ length: 8 }, (_, i) => ({
        name: `noise ${i}`,
        points: [
          { x: 0, y: 50 + 4 * i },
          { x: 1, y: level - i * 0.001 },
        ],
      })),
      {
        name: 'high',
        points: [
          { x: 0, y: 1 },
          { x: 0.5, y: 100 },
        ],
      },
    ];
    const root = parsed(lineChart(crowd, { ...axes, logY }));
    const places = all(root, 'text')
      .filter(({ textContent }) => textContent.startsWith('noise'))
      .map((label) => ({ name: label.textContent, y: number(label, 'y') }))
      .sort((a, b) => a.y - b.y);
    expect(places.map(({ name }) => name)).toEqual(crowd.slice(0, 8).map(({ name }) => name));
    for (let i = 1; i < places.length; i++)
      expect(places[i]!.y - places[i - 1]!.y).toBeGreaterThan(15 - 1e-6);
    expect(places[7]!.y).toBeLessThan(number(root, 'height') - 40);
  });

  it('leaves out what has no points, and what has no logarithm', () => {
    const empty = parsed(lineChart([{ name: 'gaussian', points: [] }, series[0]!], axes));
    expect(words(empty)).not.toContain('Gaussian');
    const zero = { name: 'laplace', points: [...series[1]!.points, { x: 5, y: 0 }] };
    const root = parsed(lineChart([series[0]!, zero], { ...axes, logY: true }));
    expect(all(root, 'g[data-series]').map((group) => all(group, 'circle').length)).toEqual([2, 3]);
    parsed(lineChart([], axes));
    parsed(lineChart([{ name: 'one', points: [{ x: 3, y: 0 }] }], axes));
  });

  it('writes large and small numbers as powers of ten', () => {
    const points = Array.from({ length: 16 }, (_, i) => ({ x: i, y: 10 ** (i - 9) }));
    const root = parsed(lineChart([{ name: 'a', points }], { ...axes, logY: true }));
    const found = ticks(root, 'y').map(({ value }) => value);
    expect(found).toEqual(expect.arrayContaining(['10⁻⁸', '1', '10000']));
    const wide = Array.from({ length: 30 }, (_, i) => ({ x: (i - 15) * 123_457, y: i }));
    const other = ticks(parsed(lineChart([{ name: 'a', points: wide }], axes)), 'x');
    expect(other.map(({ value }) => value)).toEqual(expect.arrayContaining(['−10⁶', '0', '10⁶']));
  });

  it('has numbers where the data are, if those are few', () => {
    const points = [0.25, 0.5, 1, 2.5].map((x) => ({ x, y: 1 / x }));
    const root = parsed(lineChart([{ name: 'a', points }], { ...axes, logX: true }));
    expect(ticks(root, 'x').map(({ value }) => value)).toEqual(['0.25', '0.5', '1', '2.5']);
    const crowded = [...points, { x: 0.2501, y: 4 }];
    expect(ticks(parsed(lineChart([{ name: 'a', points: crowded }], axes)), 'x')).not.toContainEqual(
      expect.objectContaining({ value: '0.2501' }),
    );
  });

  it('shows a place with lines to both axes, and its words', () => {
    const mark = { x: 2, y: 5, text: 'ε = 2' };
    const root = parsed(lineChart(series, { ...axes, mark }));
    const label = all(root, 'text').filter(({ textContent }) => textContent === 'ε = 2');
    expect(label).toHaveLength(2);
    const dot = all(root, 'circle').find((circle) => number(circle, 'r') === 4)!;
    expect(number(dot, 'cx')).toBeCloseTo(scale(root, 'x')(2), 1);
    expect(number(dot, 'cy')).toBeCloseTo(scale(root, 'y')(5), 1);
  });
});

describe('curves of mass functions', () => {
  it('have one path for each series, in steps, and only the first is filled', () => {
    const root = parsed(massCurves(series, axes));
    const groups = all(root, 'g[data-series]');
    expect(groups.map((group) => group.getAttribute('color'))).toEqual(
      series.map(({ name }) => lookOf(name).colour),
    );
    expect(groups.map((group) => all(group, 'path[fill-opacity]').length)).toEqual([1, 0, 0]);
    const [across, up] = [scale(root, 'x'), scale(root, 'y')];
    // From 2 to 7.9, half-way between the points.
    const expected = [
      [1, 2],
      [2.5, 2],
      [2.5, 7.9],
      [4, 7.9],
    ];
    expect(corners(groups[1]!.querySelector('path[stroke-width]')!)).toEqual(
      expected.map(([x, y]) => [expect.closeTo(across(x!), 1), expect.closeTo(up(y!), 1)]),
    );
  });

  it('are not filled where heights are logarithms', () => {
    const root = parsed(massCurves(series, { ...axes, logY: true }));
    expect(all(root, 'path[fill-opacity]')).toEqual([]);
    expect(all(root, 'g[data-series]')).toHaveLength(3);
  });

  const bell = (centre: number, height: number) =>
    Array.from({ length: 61 }, (_, i) => ({
      x: i - 30,
      y: height * Math.exp(-((i - 30 - centre) ** 2) / 50),
    }));

  it('are named beside themselves, in their colours, and no name lies on a curve', () => {
    const two = [
      { name: 'input', points: bell(-12, 1) },
      { name: 'output', points: bell(10, 0.6) },
    ];
    const root = parsed(massCurves(two, axes));
    expect(all(root, 'line[stroke-width="2.5"]')).toEqual([]);
    const paths = all(root, 'path[stroke-width]').map(corners);
    for (const [i, { name }] of two.entries()) {
      const label = all(root, 'text').find(({ textContent }) => textContent === lookOf(name).label)!;
      expect(label.getAttribute('color')).toBe(lookOf(name).colour);
      const { left, right, top, bottom } = boxOf(label);
      const inside = ([x, y]: number[]) => x! > left && x! < right && y! > top && y! < bottom;
      expect(paths.flat().some(inside)).toBe(false);
      const distance = (path: number[][]) =>
        Math.min(
          ...path.map(([x, y]) =>
            Math.hypot(Math.max(left - x!, 0, x! - right), Math.max(top - y!, 0, y! - bottom)),
          ),
        );
      expect(distance(paths[i]!)).toBeLessThan(distance(paths[1 - i]!));
    }
  });

  it('are named above where there is no room beside them', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({
      name: `noise number ${i}`,
      points: bell(i / 10, 1),
    }));
    const root = parsed(massCurves(many, axes));
    expect(all(root, 'line[stroke-width="2.5"]')).toHaveLength(9);
  });
});

describe('a chart of counts', () => {
  const bins: Series = {
    name: 'bias',
    points: [
      { x: 0, y: 1 },
      { x: 2, y: 4 },
      { x: 4, y: 2 },
    ],
  };

  it('has bars as wide as the distance of the bins and as high as their counts', () => {
    const root = parsed(barsChart([bins], axes));
    const [across, up] = [scale(root, 'x'), scale(root, 'y')];
    const bars = all(root, 'g[data-series] rect');
    bins.points.forEach(({ x, y }, i) => {
      expect(number(bars[i]!, 'x')).toBeCloseTo(across(x - 1), 1);
      expect(number(bars[i]!, 'width')).toBeCloseTo(across(2) - across(0), 1);
      expect(number(bars[i]!, 'height')).toBeCloseTo(up(0) - up(y), 1);
    });
  });

  it('marks values and says them with four digits', () => {
    const marked = [
      { name: 'mean', x: 1.234567 },
      { name: 'median', x: 3 },
    ];
    const root = parsed(barsChart([bins], axes, marked));
    expect(words(root, 'g[data-marked] text')).toEqual(['── mean: 1.235', '– – median: 3']);
    const rules = all(root, 'line[stroke-width="1.6"]');
    rules.forEach((rule, i) => {
      expect(number(rule, 'x1')).toBeCloseTo(scale(root, 'x')(marked[i]!.x), 1);
    });
    expect(rules.map((rule) => rule.getAttribute('stroke-dasharray'))).toEqual([null, '6 3']);
  });

  it('draws a single bin', () => {
    const one = { name: 'bias', points: [{ x: 3, y: 5 }] };
    const bars = all(parsed(barsChart([one], axes)), 'g[data-series] rect');
    expect(bars.map((bar) => number(bar, 'width') > 600)).toEqual([true]);
  });
});

describe('a map of verdicts', () => {
  it('has a mark for each point, a shape for each verdict, and names those that occur', () => {
    const points = [
      { x: 1, y: 1 },
      { x: 2, y: 3 },
    ];
    const root = parsed(
      verdictMap(
        [
          { name: 'loose', points },
          { name: 'tight', points: [] },
          { name: 'unsound', points: [{ x: 3, y: 2 }] },
          { name: 'unknown', points: [{ x: 1, y: 2 }] },
        ],
        axes,
      ),
    );
    expect(words(root, 'g[data-names] text')).toEqual(['loose', 'unsound', 'unknown']);
    const marks = all(root, 'g[data-series] g');
    expect(marks.map((mark) => [all(mark, 'circle').length, all(mark, 'path').length])).toEqual([
      [2, 0],
      [0, 1],
      [1, 0],
    ]);
    const colours = marks.map((mark) => mark.getAttribute('color'));
    expect(new Set(colours).size).toBe(3);
    expect(all(root, 'g[data-names] g').map((mark) => mark.getAttribute('color'))).toEqual(colours);
    // A column of marks can be read off: its number stands below it.
    expect(ticks(root, 'x').map(({ value }) => value)).toEqual(['1', '2', '3']);
    const [circle] = all(marks[0]!, 'circle');
    expect(number(circle!, 'cx')).toBeCloseTo(ticks(root, 'x')[0]!.at, 1);
  });
});

describe('charts in one picture', () => {
  it('stand one below the other, ten apart, and are as high together', () => {
    const heights = [340, 200, 100];
    const root = parsed(stacked(heights.map((height) => lineChart(series, { ...axes, height }))));
    const inside = [...root.children].filter(({ nodeName }) => nodeName === 'svg');
    expect(inside.map((part) => [number(part, 'y'), number(part, 'height')])).toEqual([
      [0, 340],
      [350, 200],
      [560, 100],
    ]);
    expect([number(root, 'width'), number(root, 'height'), root.getAttribute('viewBox')]).toEqual([
      760,
      670,
      '0 0 760 670',
    ]);
    expect(inside.map((part) => part.querySelector('title')!.textContent)).toEqual(
      heights.map(() => axes.title),
    );
  });

  it('may be none', () => {
    expect([...parsed(stacked([])).children].map(({ nodeName }) => nodeName)).toEqual([
      'title',
      'style',
      'rect',
    ]);
  });
});

describe('text in a picture', () => {
  it('is escaped once, whatever it holds', () => {
    expect(escaped('a < b > c & "d" &lt; \'e\'')).toBe("a &lt; b &gt; c &amp; &quot;d&quot; &amp;lt; 'e'");
    expect(escaped('$& <svg ')).toBe('$&amp; &lt;svg ');
  });
});
