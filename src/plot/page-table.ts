// A table that fits its page: small where it has many columns, and a block of lines for each row where the page is narrow.

import { escaped } from './escape.js';

/** Markup of a cell; numbers stand to the right and are not broken. */
export interface PageCell {
  readonly markup: string;
  readonly isNumber: boolean;
}

/** From here on a table takes more room than text. */
const MANY = 7;

export function pageTable(header: readonly string[], rows: readonly (readonly PageCell[])[]): string {
  const kind = (isNumber: boolean) => (isNumber ? ' class="n"' : '');
  const isNumber = (i: number) => rows.some((row) => row[i]!.isNumber);
  const titles = header.map((title, i) => `<th${kind(isNumber(i))}>${escaped(title)}</th>`).join('');
  const lines = rows.map((row) => {
    const cells = row.map(
      (cell, i) =>
        `<td${kind(cell.isNumber)} data-title="${escaped(header[i]!)}"><span>${cell.markup}</span></td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  const many = header.length >= MANY ? ' many' : '';
  return `<div class="scroll${many}" tabindex="0"><table class="fits"><thead><tr>${titles}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

/** Text of a cell, which may be broken after the signs within a name such as `staircase:width=5,ratio=0.5`. */
export function breakable(words: string): string {
  return escaped(words).replace(/([:,/])(?=[^\s])/g, '$1<wbr>');
}

const blocks = (within: string) =>
  [
    '.fits, .fits tbody, .fits tr { display: block; }',
    '.fits thead { display: none; }',
    '.fits tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }',
    '.fits td { display: block; border: 0; padding: .1rem 0; }',
    '.fits td.n { display: flex; justify-content: space-between; gap: 1rem; }',
    '.fits td::before { content: attr(data-title); color: var(--soft); margin-right: 1rem; }',
    '.fits td:first-child span { font-weight: 600; }',
  ]
    .map((rule) => rule.replaceAll('.fits', `${within}.fits`))
    .join(' ');

/** Blocks for telephones, and for tables of many columns until there is room for them. */
export const tableStyle = `
.fits { font-size: .875rem; } .fits th, .fits td { padding: .25rem .4rem; }
@media screen and (max-width: 600px) { ${blocks('')} }
@media screen and (max-width: 900px) { ${blocks('.many ')} }
@media screen and (min-width: 901px) { .many { --room: min(72rem, 100vw - 3rem); width: var(--room); margin-inline: calc((100% - var(--room)) / 2); } }
@media print { .scroll { overflow: visible; } .fits { font-size: 8.5pt; } .many .fits { font-size: 7pt; } .many .fits th, .many .fits td { padding: .15rem .25rem; } tr { break-inside: avoid; } }
`;
