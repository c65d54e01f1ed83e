// The kernels in WebAssembly against plain loops, at every remainder of their blocks.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembled } from '../../scripts/kernels.mjs';
import { plainFactor } from '../../src/solve/cholesky.js';
import { fastFactor, fastProducts } from '../../src/solve/kernels.js';
import { plainProducts } from '../../src/solve/products.js';

const entry = fc.double({ min: -2, max: 2, noNaN: true, noDefaultInfinity: true });

/** Rows with zeros at their ends, as those of narrow kernels are. */
const rows = fc
  .tuple(fc.integer({ min: 20, max: 71 }), fc.integer({ min: 60, max: 130 }), fc.infiniteStream(entry))
  .chain(([count, length, stream]) =>
    fc
      .array(fc.tuple(fc.integer({ min: 0, max: length }), fc.integer({ min: 0, max: length })), {
        minLength: count,
        maxLength: count,
      })
      .map((ends) =>
        ends.map(([a, b]) => {
          const row = new Float64Array(length);
          for (let k = Math.min(a, b); k < Math.max(a, b); k++) row[k] = stream.next().value as number;
          return row;
        }),
      ),
  );

describe('the kernels', () => {
  it('are those of the text beside them', async () => {
    const bytes = readFileSync(new URL('../../src/solve/kernels-bytes.ts', import.meta.url), 'utf8');
    expect(bytes).toBe(await assembled());
  });

  it('multiply rows with rows, weighted or not', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (V, isWeighted) => {
        const n = V.length;
        const weights = Float64Array.from(V[0]!, (_, k) => (isWeighted ? 0.5 + (k % 3) : 1));
        const K = new Float64Array(n * n);
        expect(fastProducts(V, isWeighted ? weights.map(Math.sqrt) : null, K)).toBe(true);
        for (let i = 0; i < n; i++)
          for (let j = 0; j <= i; j++) {
            const sum = V[i]!.reduce((total, v, k) => total + v * V[j]![k]! * weights[k]!, 0);
            expect(Math.abs(K[i * n + j]! - sum)).toBeLessThan(1e-10);
          }
      }),
      { numRuns: 30 },
    );
  });

  it.each([28, 29, 30, 31, 32, 33, 35, 64, 65, 97, 130])('factor a matrix of order %i', (n) => {
    // Positive, with zeros at the start of rows, as bands have.
    const width = Math.ceil(n / 3);
    const root = Array.from({ length: n }, (_, i) =>
      Float64Array.from({ length: n }, (_, j) =>
        j > i || j < i - width ? 0 : j === i ? 2 + (i % 3) : Math.sin(7 * i + 3 * j),
      ),
    );
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++)
        for (let k = 0; k <= j; k++) matrix[i * n + j]! += root[i]![k]! * root[j]![k]!;
    expect(fastFactor(matrix, n, 0)).toBe(true);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) expect(matrix[i * n + j]!).toBeCloseTo(root[i]![j]!, 7);
  });

  it('agree with the plain loops', () => {
    const V = Array.from({ length: 37 }, (_, i) =>
      Float64Array.from({ length: 50 }, (_, k) => Math.sin(i * 11 + k * 5) + (i === k ? 3 : 0)),
    );
    const [fast, plain] = [new Float64Array(37 * 37), new Float64Array(37 * 37)];
    expect(fastProducts(V, null, fast)).toBe(true);
    plainProducts(V, plain, 37);
    const lower = (matrix: Float64Array) => matrix.filter((_, at) => at % 37 <= Math.floor(at / 37));
    const apart = () =>
      lower(fast).reduce((most, v, at) => Math.max(most, Math.abs(v - lower(plain)[at]!)), 0);
    expect(apart()).toBeLessThan(1e-11);
    expect(fastFactor(fast, 37, 1e-13)).toBe(true);
    plainFactor(plain, 37);
    expect(apart()).toBeLessThan(1e-9);
  });

  it('hold up a pivot that vanishes', () => {
    const n = 40;
    const matrix = new Float64Array(n * n).fill(1);
    expect(fastFactor(matrix, n, 1e-13)).toBe(true);
    expect(matrix.every(Number.isFinite)).toBe(true);
    expect(matrix[0]).toBeCloseTo(1, 9);
    for (let i = 1; i < n; i++) expect(matrix[i * n + i]!).toBeLessThan(1e-5);
  });

  it('leave small ones alone', () => {
    expect(fastFactor(Float64Array.of(4), 1, 0)).toBe(false);
    expect(fastProducts([Float64Array.of(1, 2)], null, new Float64Array(1))).toBe(false);
  });
});
