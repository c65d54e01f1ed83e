// Where a mechanism gives the most away: two neighbouring inputs and an output, or a set of outputs, for people to check.

import {
  exactText,
  integer,
  multiply,
  type Rational,
  toDecimalUp,
  toNumberNear,
  toNumberUp,
} from 'discreet-dp/exact';
import type { Certificate, Mechanism } from 'discreet-dp/mechanism';
import { lastIndex, type Pmf, type Tail, total, valueAt } from 'discreet-dp/pmf';

export interface Witness {
  readonly words: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The largest ratio, or the output that only one of two inputs can give. */
export function ratioWitness({ pmf, adjacency }: Mechanism, { epsilonUpper, witness }: Certificate): Witness {
  const { k, shift } = witness;
  const [input, output] = [units(shift, pmf), units(k, pmf)];
  const reach = units(adjacency, pmf);
  const words = epsilonUpper
    ? `Take two neighbouring inputs, ${input} and 0. The output ${output} is e^${toDecimalUp(epsilonUpper, 7)} ≈ ${figure(Math.exp(toNumberUp(epsilonUpper)))} times as likely from ${input} as from 0. No two inputs within ${reach} of each other, and no output, have a larger ratio.`
    : `Take two neighbouring inputs, ${input} and 0. The output ${output} can come from ${input} and never from 0. So no ε alone is a promise here; it takes a δ.`;
  const row = (from: string, noise: number) => [
    from,
    output,
    units(noise, pmf),
    weightWords(pmf, noise),
    probability(2 ** (logAt(pmf, noise) - logTotal(pmf))),
  ];
  return {
    words,
    head: ['input', 'output', 'noise', 'weight in the file', 'probability'],
    rows: [row(input, k - shift), row('0', k)],
  };
}

/** The outputs that realise δ at the claimed ε; null where δ is 0 there. */
export function setWitness({ pmf, claim }: Mechanism, { deltaUpper, profile }: Certificate): Witness | null {
  if (deltaUpper.num === 0n) return null;
  const { shift } = profile.deltaAt(claim.epsilon);
  const found = setOf(pmf, shift, toNumberNear(claim.epsilon) / Math.LN2);
  const [input, epsilon] = [units(shift, pmf), exactText(claim.epsilon)];
  const delta = toDecimalUp(deltaUpper, 7);
  if (!found)
    return {
      words: `δ(${epsilon}) = ${delta} is reached by the neighbouring inputs ${input} and 0. The window is too wide to list the outputs here.`,
      head: [],
      rows: [],
    };
  return {
    words: `Take the neighbouring inputs ${input} and 0, and the outputs ${found.words}. From ${input} one of them comes with probability ${probability(found.over)}, from 0 with ${probability(found.under)}. The first less e^${epsilon} times the second is δ(${epsilon}) = ${delta}. No other inputs and no other outputs give more.`,
    head: [],
    rows: [],
  };
}

/** Lattice points that are looked at one by one. */
const WIDEST = 2_000_000;
const NAMED = 5;
/** Tails are followed until no double sees them. */
const BITS = 60;

/** Where p(o − shift) > e^ε·p(o): by logarithms in doubles, for the words alone. */
function setOf(pmf: Pmf, shift: number, epsilon: number) {
  const far = (tail: Tail | null) =>
    tail ? tail.period * (2 + Math.ceil(BITS / -Math.log2(toNumberNear(tail.ratio)))) : 0;
  const reach = Math.abs(shift);
  const low = pmf.from - far(pmf.left) - reach;
  const high = lastIndex(pmf) + far(pmf.right) + reach;
  if (!(high - low <= WIDEST)) return null;
  const logs = Float64Array.from({ length: high - low + 1 + 2 * reach }, (_, i) =>
    logAt(pmf, low - reach + i),
  );
  const whole = logTotal(pmf);
  const runs: [from: number, to: number][] = [];
  let [over, under] = [0, 0];
  for (let o = low; o <= high; o++) {
    const [a, b] = [logs[o - low + reach - shift]!, logs[o - low + reach]!];
    if (!(a - b > epsilon + 1e-9)) continue;
    over += 2 ** (a - whole);
    under += 2 ** (b - whole);
    const last = runs.at(-1);
    if (last && last[1] === o - 1) last[1] = o;
    else runs.push([o, o]);
  }
  const named = runs.slice(0, NAMED).map(([from, to]) => {
    if (from === low && pmf.left) return `${units(to, pmf)} and below`;
    if (to === high && pmf.right) return `${units(from, pmf)} and above`;
    return from === to ? units(from, pmf) : `${units(from, pmf)} to ${units(to, pmf)}`;
  });
  const more = runs.length - named.length;
  return { over, under, words: `${named.join(', ')}${more > 0 ? ` and ${more} more stretches` : ''}` };
}

export function units(index: number, { step }: Pick<Pmf, 'step'>): string {
  return exactText(multiply(integer(index), step)).replace('-', '−');
}

function logAt(pmf: Pmf, index: number): number {
  const { weight, leftPower, rightPower } = valueAt(pmf, index);
  const tail = (power: number, side: Tail | null) => (power === 0 ? 0 : power * logOf(side!.ratio));
  return log2(weight) + tail(leftPower, pmf.left) + tail(rightPower, pmf.right);
}

function logTotal(pmf: Pmf): number {
  return logOf(total(pmf));
}

function logOf({ num, den }: Rational): number {
  return log2(num) - log2(den);
}

function log2(n: bigint): number {
  if (n <= 0n) return Number.NEGATIVE_INFINITY;
  const digits = n.toString(16).length;
  const shift = Math.max(0, 4 * digits - 100);
  return Math.log2(Number(n >> BigInt(shift))) + shift;
}

function weightWords(pmf: Pmf, index: number): string {
  const { weight, leftPower, rightPower } = valueAt(pmf, index);
  const text = weight.toString();
  const shown = text.length > 24 ? `${text.slice(0, 12)}… (${text.length} digits)` : text;
  const power = leftPower || rightPower;
  return power === 0 ? shown : `${shown} × (tail’s ratio)^${power}`;
}

function probability(p: number): string {
  return p === 0 ? '0' : p < 1e-300 ? 'below 1e−300' : figure(p);
}

function figure(x: number): string {
  return String(Number(x.toPrecision(5))).replace('e-', 'e−');
}
