// The number that a float of 32 bits or fewer says: its shortest decimal, on every way alike.

/** Below it floats have fewer digits. */
const LEAST_NORMAL = 2 ** -126;
/** Up to it a float is the whole number nearest to it. */
const WHOLE = 2 ** 24;
/** From here on products with these powers of ten are exact in doubles. */
const PLAIN = 1e-4;
const POWERS = Array.from({ length: 13 }, (_, k) => 10 ** k);

/**
 * The fewest digits that are read as this float again; of several the nearest, of two as near the even one. All else would be a
 * matter of who reads: as a double, 0.1 is 0.10000000149011612.
 */
export function floatText(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || (Number.isInteger(value) && size <= WHOLE)) return String(value);
  // Nine digits always do.
  for (let digits = size < LEAST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const found = size < PLAIN || size > WHOLE ? ofText(size, digits) : ofProduct(size, digits);
    if (found !== null) return String(value < 0 ? -found : found);
  }
  return String(Number(value.toPrecision(9)));
}

function ofProduct(size: number, digits: number): number | null {
  const power = POWERS[Math.max(0, digits - 1 - exponentOf(size))]!;
  const scaled = size * power;
  const below = Math.floor(scaled);
  const isUp = scaled - below > 0.5 || (scaled - below === 0.5 && below % 2 === 1);
  // Below a power of two floats lie closer together than above it: the nearest decimal may be none where a farther one is.
  const tried = [below + (isUp ? 1 : 0), below + 1].map((whole) => whole / power);
  return tried.find((decimal) => Math.fround(decimal) === size) ?? null;
}

/** Of the first digit. */
function exponentOf(size: number): number {
  const guess = Math.floor(Math.log10(size));
  return size < 10 ** guess ? guess - 1 : size >= 10 ** (guess + 1) ? guess + 1 : guess;
}

function ofText(size: number, digits: number): number | null {
  // One digit more tells a half, and whether it is one.
  const [more, exponent] = size.toExponential(digits).split('e') as [string, string];
  const below = Number(more.slice(0, -1).replace('.', ''));
  const isHalf = more.endsWith('5') && Number(`${more}e${exponent}`) === size;
  const near = Number(size.toExponential(digits - 1).replace(/\.|e.*/g, ''));
  const tried = [isHalf && below % 2 === 0 ? below : near, below + 1].map((whole) =>
    Number(`${whole}e${Number(exponent) - digits + 1}`),
  );
  return tried.find((decimal) => Math.fround(decimal) === size) ?? null;
}
