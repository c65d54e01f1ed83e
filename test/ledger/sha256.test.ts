// SHA-256 in plain code, against the system's.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/ledger/index.js';

const system = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

it('is that of the system, for texts of every length around a block', () => {
  for (let length = 0; length < 200; length++)
    expect(sha256('x'.repeat(length))).toBe(system('x'.repeat(length)));
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('ledger\n'.repeat(200_000))).toBe(system('ledger\n'.repeat(200_000)));
});

it('is that of the system for any text, characters beyond one unit among them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sha256(text)).toBe(system(text));
    }),
  );
});
