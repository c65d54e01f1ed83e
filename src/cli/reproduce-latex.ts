// The report's tables and figures as LaTeX, to be \input: tables with booktabs, figures with pgfplots and their data inside.

import type { Cell, Chart, Table } from '../paper/index.js';
import { lookOf } from '../plot/index.js';
import { columnFormat } from './reproduce-numbers.js';

const SIGNS: Readonly<Record<string, string>> = {
  ...{ ε: '\\epsilon', δ: '\\delta', Δ: '\\Delta', θ: '\\theta', Θ: '\\Theta', σ: '\\sigma', Σ: '\\Sigma' },
  ...{ γ: '\\gamma', λ: '\\lambda', ρ: '\\rho', η: '\\eta', μ: '\\mu', Φ: '\\Phi', π: '\\pi' },
  ...{ '−': '-', '≤': '\\le', '≥': '\\ge', '∈': '\\in', '±': '\\pm', '×': '\\times', '·': '\\cdot' },
  ...{ '₀': '_0', '₁': '_1', '₂': '_2', '²': '^2', '½': '\\frac12', '∞': '\\infty', '…': '\\dots' },
  ...{ '|': '|', '<': '<', '>': '>', '√': '\\surd' },
};
const TEXT: Readonly<Record<string, string>> = {
  ...{ '\\': '\\textbackslash{}', '^': '\\textasciicircum{}', '~': '\\textasciitilde{}' },
  ...{ '“': '``', '”': "''", '’': "'", '–': '--', '—': '---', é: "\\'e" },
};

/** Text as LaTeX takes it; letters of mathematics become its commands. */
export function latex(words: string): string {
  return [...words]
    .map((letter) => {
      if (Object.hasOwn(SIGNS, letter)) return `\\ensuremath{${SIGNS[letter]}}`;
      return TEXT[letter] ?? (/[#$%&_{}]/.test(letter) ? `\\${letter}` : letter);
    })
    .join('');
}

/** Text of so many letters is set in lines. */
const LONG = 40;

export function latexTable({ header, rows }: Table): string {
  const kinds = header.map((_, i) => {
    if (rows.some((row) => typeof row[i] === 'number')) return 'r';
    return rows.some((row) => String(row[i] ?? '').length > LONG) ? 'long' : 'l';
  });
  const width = (0.8 / Math.max(1, kinds.filter((kind) => kind === 'long').length)).toFixed(2);
  const columns = kinds.map((kind) => (kind === 'long' ? `p{${width}\\linewidth}` : kind)).join('');
  const shown = header.map((_, i) => columnFormat(rows.map((row) => row[i] ?? null)));
  const cell = (value: Cell, i: number) => {
    const words = shown[i]!(value);
    const power = /^(−?[\d.]+)e([+−])(\d+)$/.exec(words);
    if (typeof value !== 'number' || power === null) return latex(words);
    const [, digits, sign, exponent] = power;
    return `\\ensuremath{${digits!.replace('−', '-')}\\cdot10^{${sign === '−' ? '-' : ''}${exponent}}}`;
  };
  return [
    '% needs \\usepackage{booktabs}',
    `\\begin{tabular}{${columns}}`,
    '\\toprule',
    `${header.map(latex).join(' & ')} \\\\ \\midrule`,
    ...rows.map((row) => `${row.map(cell).join(' & ')} \\\\`),
    '\\bottomrule',
    '\\end{tabular}',
    '',
  ].join('\n');
}

/** How each kind of chart is drawn. */
const PLOTS: Readonly<Record<Chart['kind'], string>> = {
  mass: 'const plot mark mid, no marks',
  line: 'mark size=1.2pt',
  bars: 'ybar interval, fill, fill opacity=0.4, draw opacity=1',
  map: 'only marks',
};

export function latexFigure({ kind, title, x, y, logY, series, marks = [] }: Chart): string {
  const there = series.filter(({ points }) => points.length > 0);
  const colours = there.map(
    ({ name }, i) => `\\definecolor{series${i}}{HTML}{${lookOf(name).colour.slice(1).toUpperCase()}}`,
  );
  const plots = there.flatMap(({ name, points }, i) => {
    const { label, dash } = lookOf(name);
    const look = [`series${i}`, PLOTS[kind], ...(kind !== 'bars' && dash ? [dashes(dash)] : [])];
    return [
      `\\addplot+ [${look.join(', ')}] table {`,
      'x y',
      ...(kind === 'bars' ? edges(points) : points).map((point) => `${point.x} ${point.y}`),
      '};',
      `\\addlegendentry{${latex(label)}}`,
    ];
  });
  const most = Math.max(...there.flatMap(({ points }) => points.map((point) => point.y)));
  const rules = marks.flatMap(({ name, x: at }) => [
    `\\addplot [dashed] coordinates {(${at},0) (${at},${most})};`,
    `\\addlegendentry{${latex(name)}}`,
  ]);
  const axis = [
    `title={${latex(title)}}, title style={align=center, text width=0.9\\linewidth}`,
    `xlabel={${latex(x)}}, ylabel={${latex(y)}}`,
    'width=\\linewidth, height=0.6\\linewidth, legend pos=outer north east, legend cell align=left',
    ...(logY ? ['ymode=log'] : []),
  ];
  return [
    '% needs \\usepackage{pgfplots} and \\pgfplotsset{compat=1.18}',
    '\\begin{tikzpicture}',
    ...colours,
    `\\begin{axis}[${axis.join(',\n  ')}]`,
    ...plots,
    ...rules,
    '\\end{axis}',
    '\\end{tikzpicture}',
    '',
  ].join('\n');
}

/** Strokes and gaps in points. */
function dashes(dash: string): string {
  const lengths = dash.split(' ').map((length, i) => `${i % 2 === 0 ? 'on' : 'off'} ${length}pt`);
  return `dash pattern=${lengths.join(' ')}`;
}

/** Where bars begin, and where the last one ends. */
function edges(points: Chart['series'][number]['points']) {
  const half = points.length > 1 ? (points[1]!.x - points[0]!.x) / 2 : 0.5;
  return [
    ...points.map(({ x, y }) => ({ x: Number((x - half).toFixed(9)), y })),
    { x: Number((points.at(-1)!.x + half).toFixed(9)), y: 0 },
  ];
}
