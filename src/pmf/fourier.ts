// Convolution of doubles: directly where that is cheap, else by the fast Fourier transform.

/** Products up to which the plain double loop is used; it has no cancellation. */
export const DIRECT = 2e7;

/** The convolution of two sequences in doubles: utility only. */
export function convolveDoubles(a: Float64Array, b: Float64Array): Float64Array {
  const sums = new Float64Array(a.length + b.length - 1);
  if (a.length * b.length <= DIRECT) {
    for (let i = 0; i < a.length; i++) {
      const x = a[i]!;
      if (x === 0) continue;
      for (let j = 0; j < b.length; j++) sums[i + j]! += x * b[j]!;
    }
    return sums;
  }
  let size = 1;
  while (size < sums.length) size *= 2;
  // One complex transform of a + i·b; the square's imaginary part is twice the convolution.
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  re.set(a);
  im.set(b);
  transform(re, im, 1);
  for (let i = 0; i < size; i++) {
    const [x, y] = [re[i]!, im[i]!];
    re[i] = x * x - y * y;
    im[i] = 2 * x * y;
  }
  transform(re, im, -1);
  // Rounding may leave a tiny negative number where the sum is next to nothing.
  for (let i = 0; i < sums.length; i++) sums[i] = Math.max(0, im[i]! / (2 * size));
  return sums;
}

/** In place, unscaled; sign −1 inverts up to the factor size. */
function transform(re: Float64Array, im: Float64Array, sign: 1 | -1): void {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j]!, re[i]!];
      [im[i], im[j]] = [im[j]!, im[i]!];
    }
  }
  const cos = new Float64Array(size >> 1);
  const sin = new Float64Array(size >> 1);
  for (let k = 0; k < size >> 1; k++) {
    cos[k] = Math.cos((2 * Math.PI * k) / size);
    sin[k] = sign * Math.sin((2 * Math.PI * k) / size);
  }
  for (let span = 1; span < size; span *= 2) {
    const stride = size / (2 * span);
    for (let start = 0; start < size; start += 2 * span) {
      for (let k = 0; k < span; k++) {
        const [c, s] = [cos[k * stride]!, sin[k * stride]!];
        const [top, bottom] = [start + k, start + k + span];
        const x = re[bottom]! * c - im[bottom]! * s;
        const y = re[bottom]! * s + im[bottom]! * c;
        re[bottom] = re[top]! - x;
        im[bottom] = im[top]! - y;
        re[top]! += x;
        im[top]! += y;
      }
    }
  }
}
