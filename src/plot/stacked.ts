// Several charts, one below the other.

import { paper, WIDTH } from './frame.js';
import { darkRules } from './ink.js';

/** Several charts, one below the other, in one SVG. */
export function stacked(charts: readonly string[]): string {
  const sizes = charts.map(
    (chart) => (name: string) => Number(new RegExp(` ${name}="([\\d.]+)"`).exec(chart)![1]),
  );
  const width = sizes.reduce((most, size) => Math.max(most, size('width')), charts.length === 0 ? WIDTH : 0);
  let y = 0;
  const parts = charts.map((chart, i) => {
    const part = chart.replace('<svg ', `<svg y="${y}" `);
    y += sizes[i]!('height') + 10;
    return part;
  });
  const behind = paper(width, y);
  const titles = charts.map((chart) => /<title>(.*?)<\/title>/.exec(chart)![1]).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img"><title>${titles}</title>\n${darkRules(behind)}${behind}\n${parts.join('\n')}\n</svg>\n`;
}
