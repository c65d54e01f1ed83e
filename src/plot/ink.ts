// Ink on paper: text and shapes as SVG. Each colour has its counterpart for dark pages, taken where the reader prefers those.

import { escaped } from './escape.js';

/** Colours by what they are for. */
export const INK = '#1b1b1b';
export const SOFT = '#595959';
export const FAINT = '#dddddd';
export const PAPER = '#ffffff';

/** On a dark page. */
const DARK: Readonly<Record<string, string>> = {
  '#1b1b1b': '#ececec',
  '#595959': '#b4b4b4',
  '#dddddd': '#3a3f45',
  '#ffffff': '#16191d',
  '#d55e00': '#ff8b42',
  '#e69f00': '#f0b740',
  '#0072b2': '#5cb0ee',
  '#5b8fb9': '#93bfe2',
  '#56b4e9': '#8fd0f5',
  '#009e73': '#35c99e',
  '#6b4e9b': '#b49be6',
  '#cc79a7': '#e6a3c8',
  '#777777': '#a8a8a8',
  '#444444': '#c9c9c9',
  '#000000': '#ececec',
};

/** Attributes that make a colour the current one, whatever the page. */
export function inked(colour: string): string {
  return `class="c${colour.slice(1)}" color="${colour}"`;
}

/** The rules for dark pages, of the colours that a drawing uses. */
export function darkRules(drawing: string): string {
  const used = Object.entries(DARK).filter(([light]) => drawing.includes(`class="c${light.slice(1)}"`));
  const rules = used.map(([light, dark]) => `.c${light.slice(1)}{color:${dark}}`);
  return `<style>@media screen and (prefers-color-scheme:dark){${rules.join('')}}</style>`;
}

/** A length or place, to a hundredth. */
export function px(value: number): string {
  return String(Number(value.toFixed(2)));
}

export interface TextLook {
  readonly colour?: string;
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
  /** With a rim of paper, so that lines behind it do not disturb. */
  readonly rim?: boolean;
}

/** Text, whose base line is at y. */
export function text(words: string, x: number, y: number, look: TextLook = {}): string {
  const { colour = INK, size = 13, anchor = 'start', bold = false, rim = false } = look;
  const place = `x="${px(x)}" y="${px(y)}" font-size="${size}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${bold ? ' font-weight="700"' : ''}`;
  const behind = rim
    ? `<text ${place} ${inked(PAPER)} fill="none" stroke="currentColor" stroke-width="4" stroke-linejoin="round" aria-hidden="true">${escaped(words)}</text>`
    : '';
  return `${behind}<text ${place} ${inked(colour)} fill="currentColor">${escaped(words)}</text>`;
}

/** About how wide a text is: letters of a usual font without serifs. */
export function widthOf(words: string, size = 13): number {
  const share = [...words].reduce(
    (sum, letter) =>
      sum + (/[ijlt.,:;'|!()[\] ·]/.test(letter) ? 0.32 : /[mwMW@%—]/.test(letter) ? 0.9 : 0.57),
    0,
  );
  return share * size;
}

/** Words in lines of this width; a word that is longer goes on in the next one. */
export function lines(words: string, width: number, size: number): string[] {
  const found: string[] = [];
  for (const word of words.split(' ')) {
    const last = found.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`, size) <= width)
      found[found.length - 1] = `${last} ${word}`;
    else found.push(...pieces(word, width, size));
  }
  return found;
}

function pieces(word: string, width: number, size: number): string[] {
  const found = [''];
  for (const letter of word) {
    const last = found.at(-1)!;
    if (last !== '' && widthOf(last + letter, size) > width) found.push(letter);
    else found[found.length - 1] = last + letter;
  }
  return found;
}
