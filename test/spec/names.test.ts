import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameLike, readsAs, readsLike } from '../../src/spec/index.js';

const vectors = JSON.parse(readFileSync(new URL('../vectors/names.json', import.meta.url), 'utf8')) as {
  pairs: [number, string][];
  ignorable: [number, number][];
};

describe('names as people read them', () => {
  it.each([
    ['visits', ' visits'],
    ['visits', 'Visits'],
    ['visits', 'VISITS\t'],
    ['visits', 'vis\u200bits'],
    ['visits', 'vis\u00adits'],
    ['visits', '\ufeffvisits'],
    ['visits', 'ｖｉｓｉｔｓ'],
    ['visits', 'vi\u0000sits'],
    ['visits', 'visits\u2800'],
    ['visits', 'vi\ufff9sits'],
    ['doctor visits', 'Doctor\u00a0 visits'],
    ['doctor visits', 'doctor\n visits '],
    ['straße', 'STRASSE'],
    ['straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ﬁle', 'FILE'],
    ['é', 'e\u0301'],
    ['İ', 'i\u0307'],
    ['K', '\u212a'],
  ])('%j and %j are one name', (a, b) => expect(readsLike(a, b)).toBe(true));

  it.each([
    ['visits', 'visit'],
    ['visits', 'vi sits'],
    ['visits', 'visits2'],
    ['a-b', 'a_b'],
    // Letters of another script that look alike: out of scope.
    ['visits', 'vіsits'],
  ])('%j and %j are two', (a, b) => expect(readsLike(a, b)).toBe(false));

  it('agree with another program on every character that folds to others', () => {
    const wrong = vectors.pairs.filter(([code, folded]) => !readsLike(String.fromCodePoint(code), folded));
    expect(wrong).toEqual([]);
    for (const [low, high] of vectors.ignorable)
      for (const code of [low, high]) expect(readsLike(`a${String.fromCodePoint(code)}b`, 'ab')).toBe(true);
  });

  it('do not change when they are read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (name) => {
        expect(readsAs(readsAs(name))).toBe(readsAs(name));
        expect(readsLike(name, name.toUpperCase()) && readsLike(name, name.toLowerCase())).toBe(true);
        expect(readsLike(name, ` ${name}\u200b `)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('are found by their spelling first, then where only one reads so', () => {
    expect(nameLike('visits', ['Visits', 'visits'])).toBe('visits');
    expect(nameLike('VISITS', ['Visits', 'trips'])).toBe('Visits');
    expect(nameLike('VISITS', ['Visits', 'visits'])).toBeUndefined();
    expect(nameLike('days', ['Visits'])).toBeUndefined();
  });
});
