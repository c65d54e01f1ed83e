// Tables of pages: titles for blocks of lines, numbers apart from text, names that may be broken.

import { JSDOM } from 'jsdom';
import { describe, expect, it } from 'vitest';
import { breakable, pageTable } from '../../src/plot/index.js';

const cells = (...texts: string[]) => texts.map((text, i) => ({ markup: breakable(text), isNumber: i > 0 }));
interface Element {
  readonly className: string;
  readonly textContent: string;
  getAttribute(name: string): string | null;
}
interface Window {
  readonly document: {
    querySelector(selector: string): Element | null;
    querySelectorAll(selector: string): Iterable<Element>;
  };
}
const parsed = (markup: string) => (new JSDOM(markup).window as Window).document;

describe('a table of a page', () => {
  it('has the title of its column in every cell, for pages too narrow for columns', () => {
    const page = parsed(pageTable(['noise "a" < b', 'ε'], [cells('laplace:scale=7.5', '2')]));
    const found = [...page.querySelectorAll('td')];
    expect(found.map((cell) => [cell.getAttribute('data-title'), cell.className, cell.textContent])).toEqual([
      ['noise "a" < b', '', 'laplace:scale=7.5'],
      ['ε', 'n', '2'],
    ]);
    expect([...page.querySelectorAll('th')].map(({ className }) => className)).toEqual(['', 'n']);
  });

  it('may go beyond the text beside it where it has many columns', () => {
    const kind = (columns: number) =>
      parsed(
        pageTable(
          Array.from({ length: columns }, (_, i) => `c${i}`),
          [cells(...Array.from({ length: columns }, String))],
        ),
      ).querySelector('div')!.className;
    expect([kind(3), kind(9)]).toEqual(['scroll', 'scroll many']);
  });

  it('breaks names after their signs, and keeps what is markup as text', () => {
    expect(breakable('staircase:width=5,ratio=0.5 <b>')).toBe(
      'staircase:<wbr>width=5,<wbr>ratio=0.5 &lt;b&gt;',
    );
  });
});
