// What the page says of what was counted.

import { escaped } from '../plot/index.js';
import type { Counted } from './counted.js';

export function countedSection({ by, rowsBy, trimmed, othersNowhere }: Counted): string {
  const cells = by.reduce((product, own) => product * own.cells, 1).toLocaleString('en');
  const names = by.map(({ column }) => `<b>${escaped(column)}</b>`).join(', ');
  const rows = by.map(
    (own) => `<tr><th>${escaped(own.column)}</th><td>${escaped(domainWords(own))}</td></tr>`,
  );
  return `<h2>What was counted</h2>
<p>${rowsBy === null ? 'Rows' : `Rows, each as many times as its “${escaped(rowsBy)}” says`}, by ${names}: a noisy count for each of ${cells} cells, which the publisher stated without regard to the data.</p>
<table class="pairs">
${rows.join('\n')}
</table>
<p>A row is in a cell where the text of its value is the same${trimmed ? ', but for spaces around it' : ''}. ${
    othersNowhere
      ? 'Rows with other values, or none, are counted nowhere, so that the counts need not add up to all rows.'
      : 'All other values, and none, are in the cell that stands for them.'
  }</p>
`;
}

/** The values, or as many of them as are kept, and how many there are. */
function domainWords({ cells, values, last, other }: Counted['by'][number]): string {
  const listed = cells > values.length ? `${values.join(', ')} … ${last}` : values.join(', ');
  const all = other === null ? '' : `; “${other}” stands for all others`;
  return `${cells.toLocaleString('en')} ${cells === 1 ? 'value' : 'values'}: ${listed}${all}`;
}
