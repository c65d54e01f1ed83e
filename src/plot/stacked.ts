// Several charts, one below the other.

import { WIDTH } from './frame.js';

/** Several charts, one below the other, in one SVG. */
export function stacked(charts: readonly string[]): string {
  let y = 0;
  const parts = charts.map((chart) => {
    const height = Number(/height="([\d.]+)"/.exec(chart)?.[1] ?? 300);
    const part = chart.replace('<svg ', `<svg y="${y}" `);
    y += height + 10;
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}">\n<rect width="100%" height="100%" fill="white"/>\n${parts.join('\n')}\n</svg>\n`;
}
