// The inner loops of the solvers: WebAssembly against the plain loops beside it, copying in and out included.

import { plainFactor } from '../dist/solve/cholesky.js';
import { fastFactor, fastProducts } from '../dist/solve/kernels.js';
import { plainProducts } from '../dist/solve/products.js';
import { save, seconds } from './_report.mjs';

const random = (length) => Float64Array.from({ length }, () => Math.random() - 0.5);

function row(name, flops, fast, plain) {
  const [own, other] = [seconds(fast, 9), seconds(plain, 9)];
  const speed = (time) =>
    `${(1000 * time).toPrecision(3)} ms, ${(flops / time / 1e9).toPrecision(3)} GFlop/s`;
  return [name, speed(own), speed(other), `**${(other / own).toPrecision(2)}**`];
}

export async function run() {
  const rows = [60, 200, 400].map((count) => {
    const V = Array.from({ length: count }, () => random(2000));
    const K = new Float64Array(count * count);
    const [fast, plain] = [() => fastProducts(V, null, K), () => plainProducts(V, K, count)];
    return row(`products of ${count} rows of 2000`, count * count * 2000, fast, plain);
  });
  for (const n of [100, 400, 1000]) {
    const matrix = random(n * n).map((v, at) => (at % (n + 1) === 0 ? n : v));
    const of = (factor) => () => factor(matrix.slice(), n, 1e-13);
    rows.push(row(`factor of order ${n}`, n ** 3 / 3, of(fastFactor), of(plainFactor)));
  }
  save('kernels', 'The inner loops of the solvers', ['loop', 'WebAssembly', 'plain', 'times as fast'], rows);
}
