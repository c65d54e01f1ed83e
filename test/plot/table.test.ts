// Tables of the terminal: no row is wider than it, whatever is in them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textTable } from '../../src/plot/index.js';

describe('a table', () => {
  it('stands as it is where there is room', () => {
    expect(
      textTable(
        ['a', 'bb'],
        [
          ['x', '1'],
          ['yy', '22'],
        ],
      ),
    ).toBe('a   bb\n──  ──\nx    1\nyy  22');
  });

  it('breaks the widest cell at spaces and commas, and puts columns below each other', () => {
    const long = 'staircase:scale=5,width=3,height=0.25,more=1 and words';
    const table = textTable(
      ['noise', 'value'],
      [
        [long, '1'],
        ['short', '2'],
      ],
      40,
    );
    expect(table.split('\n')[2]).toMatch(/^staircase:scale=5,width=3,\s+1$/);
    for (const line of table.split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    const many = textTable(['key', 'aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'], [['k', '1', '2', '3']], 30);
    expect(many.split('\n\n')).toHaveLength(2);
    expect(many).toMatch(/key {2}cccccccccc/);
  });

  it('is never wider than asked, as far as words allow, and loses nothing', () => {
    const word = fc.stringMatching(/^[a-z0-9=:.]{1,12}$/);
    const cell = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 60, max: 100 }),
        fc.infiniteStream(cell),
        (columns, width, cells) => {
          const next = () => cells.next().value as string;
          const row = () => Array.from({ length: columns }, next);
          const [header, rows] = [row(), [row(), row(), row()]];
          const table = textTable(header, rows, width);
          const words = (text: string) => (text.match(/[^\s─]+/g) ?? []).sort();
          const repeated = table.split('\n\n').length - 1;
          const first = [header, ...rows].map(([own]) => own!).join(' ');
          const all = [...[header, ...rows].flat(), ...Array.from({ length: repeated }, () => first)].join(
            ' ',
          );
          expect(words(table)).toEqual(words(all));
        },
      ),
    );
  });
});
