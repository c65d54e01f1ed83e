import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, quote, suggest } from '../../src/spec/index.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });

/** All words that one insertion, deletion, replacement or swap of neighbours makes of a word. */
function oneAway(from: string): Set<string> {
  const found = new Set<string>();
  for (let i = 0; i <= from.length; i++) {
    const [left, right] = [from.slice(0, i), from.slice(i)];
    for (const letter of 'abc') {
      found.add(left + letter + right);
      if (right !== '') found.add(left + letter + right.slice(1));
    }
    if (right !== '') found.add(left + right.slice(1));
    if (right.length > 1) found.add(left + right[1] + right[0] + right.slice(2));
  }
  found.delete(from);
  return found;
}

/** The definition, by what happens to the last letters. */
function byDefinition(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const ways = [
    byDefinition(x, b) + 1,
    byDefinition(a, y) + 1,
    byDefinition(x, y) + (a.at(-1) === b.at(-1) ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1))
    ways.push(byDefinition(x.slice(0, -1), y.slice(0, -1)) + 1);
  return Math.min(...ways);
}

describe('the distance of two words', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['sigma', 'sigma', 0],
    ['sigma', 'Sigma', 1],
    ['kitten', 'sitting', 3],
    ['gaussain', 'gaussian', 1],
    ['laplase', 'laplace', 1],
    ['flaw', 'lawn', 2],
    // No letter is changed twice: with that, it would be 2.
    ['ca', 'abc', 3],
    ['abcd', 'badc', 2],
  ])('%j and %j is %d', (a, b, expected) => {
    expect([editDistance(a, b), editDistance(b, a)]).toEqual([expected, expected]);
  });

  it('is 1 for the words that one change makes, and for no others', () => {
    const words = ['', 'a', 'b', 'c'];
    for (let i = 1; words[i]!.length < 4; i++) for (const letter of 'abc') words.push(words[i]! + letter);
    for (const a of words.filter(({ length }) => length < 4)) {
      const near = oneAway(a);
      expect(words.filter((b) => editDistance(a, b) === 1).sort()).toEqual(
        words.filter((b) => near.has(b)).sort(),
      );
      expect(words.filter((b) => editDistance(a, b) === 0)).toEqual([a]);
    }
  });

  it('is what its definition says', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(byDefinition(a, b));
      }),
      { numRuns: 200 },
    );
  });

  it('is symmetric, does not see what both begin or end with, and is no more than the longer word', () => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        const distance = editDistance(a, b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(`${c}x${a}`, `${c}x${b}`)).toBe(distance);
        expect(editDistance(`${a}x${c}`, `${b}x${c}`)).toBe(distance);
      }),
    );
  });
});

describe('a suggestion', () => {
  const names = ['gaussian', 'laplace', 'uniform'];

  it('names the nearest, and all of them', () => {
    expect(suggest('gausian', names, 'known are')).toBe(
      'did you mean gaussian? (known are gaussian, laplace, uniform)',
    );
    expect(suggest('unifrom', names, 'it has')).toBe(
      'did you mean uniform? (it has gaussian, laplace, uniform)',
    );
  });

  it('names only the list where nothing is near', () => {
    expect(suggest('poisson', names, 'known are')).toBe('known are gaussian, laplace, uniform');
    expect(suggest('', names, 'known are')).toBe('known are gaussian, laplace, uniform');
  });

  it('is near up to two changes of a short name and up to half of a long one', () => {
    expect(suggest('zz', ['mu'], 'it takes')).toMatch(/^did you mean mu/);
    expect(suggest('zzz', ['mu'], 'it takes')).toBe('it takes mu');
    expect(suggest('lapXXXX', ['laplace'], 'it takes')).toBe('it takes laplace');
    expect(suggest('laplaceXXXX', ['laplace'], 'it takes')).toBe('it takes laplace');
    expect(suggest('laplXXX', ['laplace'], 'it takes')).toMatch(/^did you mean laplace/);
  });

  it('takes the first of several that are equally near, and says where there are none', () => {
    expect(suggest('mt', ['mu', 'at'], 'it takes')).toBe('did you mean mu? (it takes mu, at)');
    expect(suggest('mt', ['at', 'mu'], 'it takes')).toBe('did you mean at? (it takes at, mu)');
    expect(suggest('x', [], 'it takes')).toBe('it takes none');
  });
});

describe('a quotation', () => {
  it('is JSON, so that nothing in it can be taken for the message', () => {
    expect(quote('a "b"\\')).toBe('"a \\"b\\"\\\\"');
    expect(quote('')).toBe('""');
  });

  it('shows nothing of a text beyond a hundred characters', () => {
    expect(quote('x'.repeat(100))).toBe(`"${'x'.repeat(100)}"`);
    expect(quote('x'.repeat(101))).toBe('(a text of more than 100 characters)');
  });

  it.each(['a\nb', '\u001b[2J', '5\u20287', '5\u001e7', '5\u00857', '5\u2029', '\u202e', '\ud800'])(
    'shows nothing of a text with control characters: %j',
    (text) => {
      expect(quote(text)).toBe('(a text with control characters)');
    },
  );
});
