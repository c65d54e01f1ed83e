import { JSDOM } from 'jsdom';
import { beforeAll, describe, expect, it } from 'vitest';
import { escaped, lookOf, type Series, svgCharts } from '../../src/plot/index.js';

interface Element {
  readonly textContent: string;
  readonly nodeName: string;
  readonly parentElement: Element;
  readonly children: Iterable<Element>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}
interface Window {
  readonly document: unknown;
  readonly DOMParser: new () => { parseFromString(text: string, type: string): { documentElement: Element } };
}

let charts: Awaited<ReturnType<typeof svgCharts>>;
const window = new JSDOM('').window as unknown as Window;
const { document } = window;
beforeAll(async () => {
  charts = await svgCharts();
});

/** As XML, which is read strictly. */
function parsed(svg: string): Element {
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  const root = new window.DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  expect(root.nodeName).toBe('svg');
  return root;
}

const all = (root: Element, selector: string) => [...root.querySelectorAll(selector)];
const groups = (root: Element, label: string) => all(root, `g[aria-label="${label}"]`);
const texts = (root: Element) => groups(root, 'text').map(({ textContent }) => textContent);
const number = (element: Element, name: string) => Number(element.getAttribute(name));

/** Where a text stands: its own place and that of its group. */
function placeOf(text: Element): { x: number; y: number } {
  const [a, b] = [text, text.parentElement].map((element) =>
    /translate\((-?[\d.]+),(-?[\d.]+)\)/
      .exec(element.getAttribute('transform') ?? '')!
      .slice(1)
      .map(Number),
  );
  return { x: a![0]! + b![0]!, y: a![1]! + b![1]! };
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
const axes = { title: 'Error & <b>bias</b> of "it"', x: 'ε < 1 & more', y: 'mean <error>' };
const names = ['optimum (P₁)', 'Laplacian', 'my <own> & "noise"'];

describe('every chart', () => {
  const draw = {
    lineChart: () => charts.lineChart(series, axes, document),
    massCurves: () => charts.massCurves(series, axes, document),
    barsChart: () => charts.barsChart(series, axes, document, [{ name: 'a < b', x: 2 }]),
    verdictMap: () => charts.verdictMap([{ ...series[0]!, name: 'tight <' }], axes, document),
  };

  it.each(Object.keys(draw) as (keyof typeof draw)[])('%s says its title and axes as they are', (name) => {
    const root = parsed(draw[name]());
    expect(root.querySelector('title')!.textContent).toBe(axes.title);
    const own = [...root.children].filter(({ nodeName }) => nodeName === 'text');
    expect(own.map(({ textContent }) => textContent)).toEqual([axes.title]);
    expect(all(root, 'b, own, error')).toEqual([]);
    expect(groups(root, 'x-axis label').map(({ textContent }) => textContent)).toEqual([axes.x]);
    expect(groups(root, 'y-axis label').map(({ textContent }) => textContent)).toEqual([axes.y]);
  });

  it.each(Object.keys(draw) as (keyof typeof draw)[])('%s has room for its title', (name) => {
    const root = parsed(draw[name]());
    expect(['width', 'height', 'viewBox', 'role'].map((key) => root.getAttribute(key))).toEqual([
      '760',
      '368',
      '0 0 760 368',
      'img',
    ]);
    const inner = root.querySelector('svg')!;
    expect([number(inner, 'y'), number(inner, 'height')]).toEqual([28, 340]);
  });

  it('is as high as asked', () => {
    const root = parsed(charts.massCurves(series, { ...axes, height: 200 }, document));
    expect([number(root, 'height'), number(root.querySelector('svg')!, 'height')]).toEqual([228, 200]);
  });
});

describe('a chart of lines', () => {
  it('has one path, one colour and one dash for each series, the first on top', () => {
    const root = parsed(charts.lineChart(series, axes, document));
    const lines = groups(root, 'line').reverse();
    expect(lines.map((line) => all(line, 'path').length)).toEqual([1, 1, 1]);
    expect(lines.map((line) => line.getAttribute('stroke'))).toEqual(
      series.map(({ name }) => lookOf(name).colour),
    );
    expect(lines.map((line) => line.getAttribute('stroke-dasharray') ?? '')).toEqual(
      series.map(({ name }) => lookOf(name).dash),
    );
    expect(lines.map((line) => number(line, 'stroke-width'))).toEqual([3, 1.8, 1.8]);
    const dots = groups(root, 'dot').reverse();
    expect(dots.map((group) => all(group, 'circle').length)).toEqual([3, 2, 2]);
  });

  it.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('puts each point where it belongs (logarithms: x %s, y %s)', (logX, logY) => {
    const root = parsed(charts.lineChart(series, { ...axes, logX, logY }, document));
    const scale = (log: boolean) => (log ? Math.log : (v: number) => v);
    // Left to right from 64 to 610, bottom to top from 296 to 30.
    const across = (x: number) =>
      ((scale(logX)(x) - scale(logX)(1)) / (scale(logX)(4) - scale(logX)(1))) * 546 + 64;
    const least = logY ? 0.5 : 0;
    const up = (y: number) =>
      296 - ((scale(logY)(y) - scale(logY)(least)) / (scale(logY)(8) - scale(logY)(least))) * 266;
    const dots = groups(root, 'dot').reverse();
    const lines = groups(root, 'line').reverse();
    series.forEach(({ points }, i) => {
      const circles = all(dots[i]!, 'circle');
      const corners = lines[i]!.querySelector('path')!.getAttribute('d')!.slice(1).split('L');
      expect(corners).toHaveLength(points.length);
      points.forEach(({ x, y }, j) => {
        expect(number(circles[j]!, 'cx')).toBeCloseTo(across(x), 6);
        expect(number(circles[j]!, 'cy')).toBeCloseTo(up(y), 6);
        const [left, top] = corners[j]!.split(',').map(Number);
        expect(left).toBeCloseTo(across(x), 2);
        expect(top).toBeCloseTo(up(y), 2);
      });
    });
    expect(groups(root, 'rule').length).toBe(logY ? 0 : 1);
  });

  it('names each line at its right end', () => {
    const root = parsed(charts.lineChart(series, axes, document));
    expect(texts(root).sort()).toEqual([...names].sort());
    for (const { name, points } of series) {
      const { label, colour } = lookOf(name);
      const group = groups(root, 'text').find(({ textContent }) => textContent === label)!;
      expect(group.getAttribute('fill')).toBe(colour);
      expect(group.getAttribute('font-weight')).toBe(name === 'optimum' ? '700' : '400');
      const place = placeOf(group.querySelector('text')!);
      const end = points[points.length - 1]!;
      expect(place.x).toBeCloseTo(64 + ((end.x - 1) / 3) * 546 + 8, 6);
      expect(Math.abs(place.y - (296 - (end.y / 8) * 266))).toBeLessThan(15);
    }
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
          { x: 0, y: 50 },
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
    const root = parsed(charts.lineChart(crowd, { ...axes, logY }, document));
    const places = groups(root, 'text')
      .filter(({ textContent }) => textContent.startsWith('noise'))
      .map((group) => ({ name: group.textContent, ...placeOf(group.querySelector('text')!) }))
      .sort((a, b) => a.y - b.y);
    expect(places.map(({ name }) => name)).toEqual(crowd.slice(0, 8).map(({ name }) => name));
    for (let i = 1; i < places.length; i++)
      expect(places[i]!.y - places[i - 1]!.y).toBeGreaterThan(15 - 1e-6);
    expect(places[0]!.y).toBeGreaterThan(29.9);
    expect(places[7]!.y).toBeLessThan(296.1);
  });

  it('leaves out what has no points, and what has no logarithm', () => {
    const empty = parsed(charts.lineChart([{ name: 'gaussian', points: [] }, series[0]!], axes, document));
    expect(texts(empty)).toEqual(['optimum (P₁)']);
    const zero = { name: 'laplace', points: [...series[1]!.points, { x: 5, y: 0 }] };
    const root = parsed(charts.lineChart([series[0]!, zero], { ...axes, logY: true }, document));
    expect(groups(root, 'dot').map((group) => all(group, 'circle').length)).toEqual([2, 3]);
  });

  it('writes large and small numbers as powers of ten', () => {
    const points = [
      { x: 1, y: 1e-9 },
      { x: 2, y: 1e6 },
    ];
    const root = parsed(charts.lineChart([{ name: 'a', points }], { ...axes, logY: true }, document));
    const ticks = all(groups(root, 'y-axis tick label')[0]!, 'text').map(({ textContent }) => textContent);
    expect(ticks).toEqual(['10⁻⁸', '10⁻⁶', '10⁻⁴', '0.01', '1', '100', '10000', '10⁶']);
  });
});

describe('curves of mass functions', () => {
  it('have one path for each series, in steps, and only the first is filled', () => {
    const root = parsed(charts.massCurves(series, axes, document));
    const lines = groups(root, 'line');
    expect(lines.map((line) => all(line, 'path').length)).toEqual([1, 1, 1]);
    expect(lines.map((line) => line.getAttribute('stroke'))).toEqual(
      series.map(({ name }) => lookOf(name).colour),
    );
    const areas = groups(root, 'area');
    expect(areas.map((area) => area.getAttribute('fill'))).toEqual([lookOf('optimum').colour]);
    const corners = lines[1]!.querySelector('path')!.getAttribute('d')!.slice(1).split(/[LHV]/);
    // From 2 to 7.9, half-way between the points.
    expect(corners.map((corner) => corner.split(',').map(Number))).toEqual([
      [64, expect.closeTo(296 - (2 / 8) * 266, 2)],
      [337, expect.closeTo(296 - (2 / 8) * 266, 2)],
      [337, expect.closeTo(296 - (7.9 / 8) * 266, 2)],
      [610, expect.closeTo(296 - (7.9 / 8) * 266, 2)],
    ]);
  });

  it('are not filled where heights are logarithms', () => {
    const root = parsed(charts.massCurves(series, { ...axes, logY: true }, document));
    expect(groups(root, 'area')).toEqual([]);
    expect(groups(root, 'line')).toHaveLength(3);
  });

  it('are named in their order, one below the other', () => {
    const root = parsed(charts.massCurves(series, axes, document));
    expect(texts(root)).toEqual(names);
    const heights = groups(root, 'text').map((group) => placeOf(group.querySelector('text')!).y);
    expect(heights).toEqual([34, 51, 68]);
    expect(groups(root, 'text').map((group) => group.getAttribute('fill'))).toEqual(
      series.map(({ name }) => lookOf(name).colour),
    );
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
    const bars = all(groups(parsed(charts.barsChart([bins], axes, document)), 'rect')[0]!, 'rect');
    expect(bars.map((bar) => number(bar, 'x'))).toEqual(
      [0, 1, 2].map((i) => expect.closeTo(64 + i * 222, 6)),
    );
    for (const bar of bars) expect(number(bar, 'width')).toBeCloseTo(222, 6);
    expect(bars.map((bar) => number(bar, 'height'))).toEqual(
      [66.5, 266, 133].map((height) => expect.closeTo(height, 6)),
    );
  });

  it('marks values and says them with four digits', () => {
    const marked = [
      { name: 'mean', x: 1.234567 },
      { name: 'median', x: 3 },
    ];
    const root = parsed(charts.barsChart([bins], axes, document, marked));
    expect(texts(root)).toEqual(['── mean: 1.235', '– – median: 3']);
    const rules = groups(root, 'rule').slice(1);
    rules.forEach((rule, i) => {
      expect(number(rule.querySelector('line')!, 'x1')).toBeCloseTo(64 + ((marked[i]!.x + 1) / 6) * 666, 6);
    });
    expect(rules.map((rule) => rule.getAttribute('stroke-dasharray'))).toEqual(['', '6 3']);
  });

  it('draws a single bin', () => {
    const one = { name: 'bias', points: [{ x: 3, y: 5 }] };
    const bars = all(groups(parsed(charts.barsChart([one], axes, document)), 'rect')[0]!, 'rect');
    expect(bars.map((bar) => [number(bar, 'x'), number(bar, 'width')])).toEqual([[64, 666]]);
  });
});

describe('a map of verdicts', () => {
  it('has a mark for each point, a shape for each verdict, and names those that occur', () => {
    const points = [
      { x: 1, y: 1 },
      { x: 2, y: 3 },
    ];
    const root = parsed(
      charts.verdictMap(
        [
          { name: 'loose', points },
          { name: 'tight', points: [] },
          { name: 'unsound', points: [{ x: 3, y: 2 }] },
          { name: 'unknown', points: [{ x: 1, y: 2 }] },
        ],
        axes,
        document,
      ),
    );
    expect(texts(root)).toEqual(['○ loose', '× unsound', '○ unknown']);
    const marks = groups(root, 'dot');
    expect(marks.map((mark) => [all(mark, 'circle').length, all(mark, 'path').length])).toEqual([
      [2, 0],
      [0, 1],
      [1, 0],
    ]);
    const colours = marks.map((mark) => mark.getAttribute('stroke'));
    expect(new Set(colours).size).toBe(3);
    expect(groups(root, 'text').map((text) => text.getAttribute('fill'))).toEqual(colours);
  });
});

describe('charts in one picture', () => {
  it('stand one below the other, ten apart, and are as high together', () => {
    const heights = [340, 200, 100];
    const parts = heights.map((height) => charts.lineChart(series, { ...axes, height }, document));
    const root = parsed(charts.stacked(parts));
    const inside = [...root.children].filter(({ nodeName }) => nodeName === 'svg');
    expect(inside.map((part) => [number(part, 'y'), number(part, 'height')])).toEqual([
      [0, 368],
      [378, 228],
      [616, 128],
    ]);
    expect([number(root, 'width'), number(root, 'height'), root.getAttribute('viewBox')]).toEqual([
      760,
      754,
      '0 0 760 754',
    ]);
    expect(inside.map((part) => part.querySelector('title')!.textContent)).toEqual(
      heights.map(() => axes.title),
    );
    // The place of the picture within each part is its own.
    for (const part of inside) expect(number(part.querySelector('svg')!, 'y')).toBe(28);
  });

  it('may be none', () => {
    expect([...parsed(charts.stacked([])).children].map(({ nodeName }) => nodeName)).toEqual(['rect']);
  });
});

describe('text in a picture', () => {
  it('is escaped once, whatever it holds', () => {
    expect(escaped('a < b > c & "d" &lt; \'e\'')).toBe("a &lt; b &gt; c &amp; &quot;d&quot; &amp;lt; 'e'");
    expect(escaped('$& <svg ')).toBe('$&amp; &lt;svg ');
  });
});
