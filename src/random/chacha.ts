// The ChaCha block function [RFC 8439, 2.3], with a 64-bit counter and a 64-bit nonce as first published.

/** Successive blocks of 16 words. */
export function chachaBlocks(
  key: readonly number[],
  nonce: readonly [number, number],
  rounds: number,
): () => Uint32Array {
  const state = new Uint32Array(16);
  state.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  state.set(key, 4);
  state.set(nonce, 14);
  const block = new Uint32Array(16);
  return () => {
    permute(state, block, rounds);
    state[12]!++;
    if (state[12] === 0) state[13]!++;
    return block;
  };
}

/** The block for a full state of 16 words. */
export function permute(state: Uint32Array, block: Uint32Array, rounds: number): void {
  block.set(state);
  for (let round = 0; round < rounds; round += 2) {
    quarter(block, 0, 4, 8, 12);
    quarter(block, 1, 5, 9, 13);
    quarter(block, 2, 6, 10, 14);
    quarter(block, 3, 7, 11, 15);
    quarter(block, 0, 5, 10, 15);
    quarter(block, 1, 6, 11, 12);
    quarter(block, 2, 7, 8, 13);
    quarter(block, 3, 4, 9, 14);
  }
  for (let i = 0; i < 16; i++) block[i] = block[i]! + state[i]!;
}

function quarter(x: Uint32Array, a: number, b: number, c: number, d: number): void {
  x[a] = x[a]! + x[b]!;
  x[d] = rotate(x[d]! ^ x[a]!, 16);
  x[c] = x[c]! + x[d]!;
  x[b] = rotate(x[b]! ^ x[c]!, 12);
  x[a] = x[a]! + x[b]!;
  x[d] = rotate(x[d]! ^ x[a]!, 8);
  x[c] = x[c]! + x[d]!;
  x[b] = rotate(x[b]! ^ x[c]!, 7);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
