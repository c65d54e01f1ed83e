// SHA-256 [FIPS 180-4] in plain code, for places whose own is asynchronous or missing: a page from a plain address has none.

const K = new Uint32Array(64);
const START = new Uint32Array(8);

/** The fractional digits of square and cube roots of the first primes, as the standard says. */
function fillConstants(): void {
  const fraction = (root: bigint) => Number(root & 0xffffffffn);
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) START[found] = fraction(rootBelow(BigInt(n) << 64n, 2n));
    K[found++] = fraction(rootBelow(BigInt(n) << 96n, 3n));
  }
}

/** The largest whole number whose power is not above n. */
function rootBelow(n: bigint, power: bigint): bigint {
  let low = 0n;
  let high = 1n << (BigInt(n.toString(2).length) / power + 1n);
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= n) low = middle;
    else high = middle;
  }
  return low;
}

/** SHA-256 of a text's UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  if (START[0] === 0) fillConstants();
  const given = new TextEncoder().encode(text);
  const blocks = Math.ceil((given.length + 9) / 64);
  const bytes = new Uint8Array(64 * blocks);
  bytes.set(given);
  bytes[given.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(64 * blocks - 8, Math.floor(given.length / 2 ** 29));
  view.setUint32(64 * blocks - 4, given.length << 3);
  const state = START.slice();
  const words = new Uint32Array(64);
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(64 * block + 4 * i);
    compress(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function compress(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const out = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = state[i]! + out[i]!;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
