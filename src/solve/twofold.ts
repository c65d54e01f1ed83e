// Numbers of twice the digits of a double, each a double and what it lacks [Dek71]: for small systems that doubles cannot solve.

/** Numbers `high[i] + low[i]`. */
export interface Twofold {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

export function twofold(length: number): Twofold {
  return { high: new Float64Array(length), low: new Float64Array(length) };
}

/** For splitting a double into halves of 26 digits, whose products are exact. */
const SPLIT = 2 ** 27 + 1;

/** A sum that grows, as a double and what it lacks. */
export class Sum {
  high = 0;
  low = 0;

  start(high: number, low = 0): this {
    this.high = high;
    this.low = low;
    return this;
  }

  add(x: number): this {
    const sum = this.high + x;
    const part = sum - this.high;
    this.low += this.high - (sum - part) + (x - part);
    this.high = sum;
    return this;
  }

  /** x·y, exactly. */
  addProduct(x: number, y: number): this {
    const product = x * y;
    const [cx, cy] = [SPLIT * x, SPLIT * y];
    const [xHigh, yHigh] = [cx - (cx - x), cy - (cy - y)];
    const [xLow, yLow] = [x - xHigh, y - yHigh];
    this.low += xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
    return this.add(product);
  }

  /** The product of two twofold numbers, to twice a double's digits. */
  addTwofold(xHigh: number, xLow: number, yHigh: number, yLow: number): this {
    this.low += xHigh * yLow + xLow * yHigh;
    return this.addProduct(xHigh, yHigh);
  }

  /** High and low apart again. */
  settle(): this {
    const sum = this.high + this.low;
    this.low -= sum - this.high;
    this.high = sum;
    return this;
  }

  /** Divided by a twofold number. */
  divide(high: number, low: number): this {
    this.settle();
    const first = this.high / high;
    this.addTwofold(-first, 0, high, low).settle();
    const second = this.high / high;
    this.addTwofold(-second, 0, high, low).settle();
    const third = this.high / high;
    return this.start(first).add(second).add(third).settle();
  }

  /** Its root; it is above 0. */
  root(): this {
    this.settle();
    const first = Math.sqrt(this.high);
    this.addProduct(-first, first).settle();
    const second = this.high / (2 * first);
    return this.start(first).add(second).settle();
  }

  into({ high, low }: Twofold, at: number): void {
    this.settle();
    high[at] = this.high;
    low[at] = this.low;
  }
}

/** Digits of these numbers, about: below this part of where it began, a pivot says nothing. */
const LITTLE = 2 ** -96;
/** A pivot that says nothing leaves its unknown where it is. */
const BEYOND = 2 ** 400;

/** Overwrite the lower triangle of M (order n, by rows) with its factor L, M = L·Lᵀ. */
export function factorTwofold(matrix: Twofold, n: number): void {
  const { high, low } = matrix;
  const sum = new Sum();
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const least = high[row + i]! * LITTLE;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      sum.start(high[row + j]!, low[row + j]!);
      for (let k = 0; k < j; k++)
        if (high[row + k] !== 0)
          sum.addTwofold(-high[row + k]!, -low[row + k]!, high[other + k]!, low[other + k]!);
      sum.settle();
      if (j < i) sum.divide(high[other + j]!, low[other + j]!);
      else if (sum.high > least) sum.root();
      else sum.start(BEYOND);
      sum.into(matrix, row + j);
    }
  }
}

/** Solve L·Lᵀ·x = b in place. */
export function solveTwofold({ high, low }: Twofold, n: number, x: Twofold): void {
  const sum = new Sum();
  for (let i = 0; i < n; i++) {
    sum.start(x.high[i]!, x.low[i]!);
    for (let k = 0; k < i; k++) sum.addTwofold(-high[i * n + k]!, -low[i * n + k]!, x.high[k]!, x.low[k]!);
    sum.divide(high[i * n + i]!, low[i * n + i]!).into(x, i);
  }
  for (let i = n - 1; i >= 0; i--) {
    sum.start(x.high[i]!, x.low[i]!);
    for (let k = i + 1; k < n; k++)
      sum.addTwofold(-high[k * n + i]!, -low[k * n + i]!, x.high[k]!, x.low[k]!);
    sum.divide(high[i * n + i]!, low[i * n + i]!).into(x, i);
  }
}

/** Σ x·y. */
export function dotTwofold(x: Twofold, y: Twofold, sum: Sum): Sum {
  sum.start(0);
  for (let i = 0; i < x.high.length; i++)
    if (x.high[i] !== 0) sum.addTwofold(x.high[i]!, x.low[i]!, y.high[i]!, y.low[i]!);
  return sum.settle();
}
