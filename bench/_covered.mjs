// Releases of known columns, and how often the usual intervals of their figures hold the truth. What is measured is what is printed:
// the library's own intervals, passed in, so that the tests measure the sources and the benchmark what is built.

/** The true values: shares of 0, 1, … 60. */
export const SHAPES = {
  exponential: (k) => Math.exp(-k / 10),
  'Zipf 1.5': (k) => (k + 1) ** -1.5,
  'two hills': (k) => Math.exp(-(((k - 12) / 4) ** 2) / 2) + 0.5 * Math.exp(-(((k - 42) / 6) ** 2) / 2),
  'Poisson 5': (k) => Math.exp(k * Math.log(5) - logFactorial(k)),
  even: () => 1,
  'one point': (k) => (k === 7 ? 1 : 0),
  'both ends': (k) => (k === 0 || k === 60 ? 1 : 0),
};
export const HIGHEST = 60;
export const QUANTILES = [0.5, 0.9];
export const THRESHOLDS = [1, 10, 30];
export const SINGLES = [0, 7, 12, 60];
export const CONFIDENCE = 0.95;

function logFactorial(k) {
  let sum = 0;
  for (let i = 2; i <= k; i++) sum += Math.log(i);
  return sum;
}

/** How often each value is there, in so many rows. */
export function columnOf(shape, rows, highest = HIGHEST) {
  const masses = Array.from({ length: highest + 1 }, (_, k) => SHAPES[shape]((k * HIGHEST) / highest));
  const whole = masses.reduce((a, b) => a + b);
  let [sum, before] = [0, 0];
  return masses.map((mass) => {
    sum += mass;
    const upTo = Math.round((rows * sum) / whole);
    const own = upTo - before;
    before = upTo;
    return own;
  });
}

/** The true figures of a column, by name. */
export function truthOf(column) {
  const rows = column.reduce((a, b) => a + b);
  const average = (f) => column.reduce((sum, own, k) => sum + f(k) * own, 0) / rows;
  const mean = average((k) => k);
  const quantile = (p) => {
    let sum = 0;
    return column.findIndex((own) => {
      sum += own;
      return sum >= p * rows - 1e-9;
    });
  };
  return {
    mean,
    'mean, by shares': mean,
    variance: average((k) => (k - mean) ** 2),
    ...Object.fromEntries(QUANTILES.map((p) => [`quantile ${p}`, quantile(p)])),
    ...Object.fromEntries(THRESHOLDS.map((t) => [`${t} or more`, average((k) => (k >= t ? 1 : 0))])),
    ...Object.fromEntries(SINGLES.map((v) => [`exactly ${v}`, average((k) => (k === v ? 1 : 0))])),
  };
}

/** The printed intervals of one release: `usual`, of the shares of `recover`, and the mean where nothing but noise was added. */
export function intervalsOf(usual, mean) {
  return {
    mean,
    'mean, by shares': usual.mean(),
    variance: usual.variance(),
    ...Object.fromEntries(QUANTILES.map((p) => [`quantile ${p}`, usual.quantile(p)])),
    ...Object.fromEntries(THRESHOLDS.map((t) => [`${t} or more`, usual.share(t, Infinity)])),
    ...Object.fromEntries(SINGLES.map((v) => [`exactly ${v}`, usual.share(v, v + 1)])),
  };
}

export function holds([low, high], truth) {
  return low - 1e-9 * (1 + Math.abs(low)) <= truth && truth <= high + 1e-9 * (1 + Math.abs(high));
}

/** A release with two-sided geometric noise: how often each value is seen, from a seed. */
export function releasedFrom(column, scale, seed) {
  const next = numbers(seed);
  const geometric = () => Math.floor(-Math.log(next()) * scale);
  const counts = new Map();
  column.forEach((own, k) => {
    for (let i = 0; i < own; i++) {
      const value = k + geometric() - geometric();
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  });
  return counts;
}

/** sfc32, from a text. */
function numbers(seed) {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const word = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (const letter of seed) {
    a ^= letter.codePointAt(0);
    for (let i = 0; i < 4; i++) word();
  }
  for (let i = 0; i < 16; i++) word();
  return () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6) + 0.5) / 2 ** 53;
}

/** Is "holds in at least 94 %" rejected, but for one chance in ten thousand? P(at most so many hits), summed from the last. */
export function isRejected(hits, runs, share = 0.94, alpha = 1e-4) {
  let logarithm = runs * Math.log1p(-share);
  let below = Math.exp(logarithm);
  for (let i = 1; i <= hits; i++) {
    logarithm += Math.log(((runs - i + 1) / i) * (share / (1 - share)));
    below += Math.exp(logarithm);
  }
  return below < alpha;
}
