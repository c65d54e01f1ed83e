// Bytes as text, in pieces that need not end where a character does.

import { badData, type DiscreetError } from '../error/index.js';

/** Wherever it is: bytes of a protected cell may be the cause. */
export function notUtf8(shown: string): DiscreetError {
  return badData(`${shown}: the text is not UTF-8; say what it is, as in {encoding} windows-1252`);
}

/** Refuses what is not UTF-8; call it without a piece at the end. */
export function utf8Check(shown: string): (piece?: Uint8Array) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (piece) => {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw notUtf8(shown);
    }
  };
}

/** One array after the other. */
export function joinedBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
