// The two costliest products of all programmes, where WebAssembly is there to compute them two doubles at a time (kernels.wat). What
// is multiplied is copied into its memory and out again, which costs little beside the products.

import { KERNELS } from './kernels-bytes.js';

interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  readonly products: (
    v: number,
    stride: number,
    bounds: number,
    k: number,
    rows: number,
    piece: number,
  ) => void;
  readonly factor: (m: number, stride: number, bounds: number, rows: number, small: number) => void;
}

/** As much of it as is used here, wherever it runs. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const PAGE = 65_536;
/** Of a row, what is multiplied at a time. */
const PIECE = 384 * 8;
/** Memory beyond this is left to plain JavaScript. */
const LARGEST = 2 ** 30;
/** Multiplications below which copying would take as long. */
const FEW = 20_000;

/** Undefined until it is asked for; null where there is none, as on a page that forbids it. */
let kernels: Kernels | null | undefined;

function loaded(): Kernels | null {
  if (kernels !== undefined) return kernels;
  try {
    const bytes = Uint8Array.from(atob(KERNELS), (char) => char.charCodeAt(0));
    kernels = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Kernels;
  } catch {
    kernels = null;
  }
  return kernels;
}

/** Its memory, with room for so many doubles; null where it cannot be had. */
function room(doubles: number): { readonly own: Kernels; readonly memory: Float64Array } | null {
  const own = loaded();
  const bytes = 8 * doubles;
  if (!own || bytes > LARGEST) return null;
  const missing = bytes - own.memory.buffer.byteLength;
  try {
    if (missing > 0) own.memory.grow(Math.ceil(missing / PAGE));
  } catch {
    return null;
  }
  return { own, memory: new Float64Array(own.memory.buffer) };
}

/** Where each pair of rows begins and ends to be other than 0, in bytes and whole pairs of doubles. */
function setBounds(
  memory: Float64Array,
  pairs: number,
  ends: (row: number) => readonly [from: number, to: number],
): void {
  const bounds = new Int32Array(memory.buffer);
  for (let pair = 0; pair < pairs; pair++) {
    const [[a, b], [c, d]] = [ends(2 * pair), ends(2 * pair + 1)];
    bounds[2 * pair] = 8 * (Math.min(a, c) & ~1);
    bounds[2 * pair + 1] = 8 * ((Math.max(b, d) + 1) & ~1);
  }
}

function roundUp(count: number, to: number): number {
  return Math.ceil(count / to) * to;
}

/**
 * The lower triangle of V·Vᵀ, each row of V times the roots of the weights where they are given; false where it is left to plain
 * JavaScript. Zeros at a row's ends are passed over.
 */
export function fastProducts(
  V: readonly Float64Array[],
  roots: Float64Array | null,
  K: Float64Array,
): boolean {
  const [count, length] = [V.length, V[0]?.length ?? 0];
  if (count * count * length < FEW) return false;
  const [rows, wide] = [roundUp(count, 4), roundUp(length, 2)];
  const [v, k] = [rows, rows + rows * wide];
  const found = room(k + rows * rows);
  if (!found) return false;
  const { own, memory } = found;
  const ends = V.map((row): [number, number] => {
    let [from, to] = [0, length];
    while (from < to && row[from] === 0) from++;
    while (to > from && row[to - 1] === 0) to--;
    return [from, to];
  });
  for (let i = 0; i < rows; i++) {
    const at = v + i * wide;
    if (i >= count) memory.fill(0, at, at + wide);
    else {
      memory.set(V[i]!, at);
      if (wide > length) memory[at + length] = 0;
      if (roots) for (let j = 0; j < length; j++) memory[at + j]! *= roots[j]!;
    }
  }
  setBounds(memory, rows / 2, (row) => ends[row] ?? [0, 0]);
  own.products(8 * v, 8 * wide, 0, 8 * k, rows, PIECE);
  for (let i = 0; i < count; i++) K.set(memory.subarray(k + i * rows, k + i * rows + i + 1), i * count);
  return true;
}

/** The factor of a symmetric matrix in place of its lower triangle; false where it is left to plain JavaScript. */
export function fastFactor(matrix: Float64Array, n: number, regularisation: number): boolean {
  if (n * n * n < FEW) return false;
  const rows = roundUp(n, 4);
  const found = room(rows + rows * rows);
  if (!found) return false;
  const { own, memory } = found;
  for (let i = 0; i < rows; i++) {
    const at = rows + i * rows;
    memory.fill(0, at, at + rows);
    if (i < n) memory.set(matrix.subarray(i * n, i * n + i + 1), at);
    else memory[at + i] = 1;
  }
  setBounds(memory, rows / 2, (row) => {
    let from = 0;
    while (from < row && memory[rows + row * rows + from] === 0) from++;
    return [from, row + 1];
  });
  own.factor(8 * rows, 8 * rows, 0, rows, regularisation);
  for (let i = 0; i < n; i++) matrix.set(memory.subarray(rows + i * rows, rows + i * rows + i + 1), i * n);
  return true;
}
