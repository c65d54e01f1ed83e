// The mechanism file, `discreet/mechanism@1`: everything a verifier needs, as integers in JSON.
// docs/mechanism-file.md describes it for others to implement.

import { invalid, parseJson, wrong } from '../error/index.js';
import {
  bitLength,
  compare,
  exactText,
  one,
  parseDecimal,
  parseRational,
  type Rational,
  rational,
  toDecimal,
} from '../exact/index.js';
import { MOST_ADJACENCY } from '../noise/index.js';
import { FURTHEST, makePmf, type Tail } from '../pmf/index.js';
import type { Mechanism } from './mechanism.js';

export const FORMAT = 'discreet/mechanism@1';
const MOST_DIGITS = 20_000;
const FIELDS = ['format', 'step', 'adjacency', 'from', 'weights', 'tails', 'claim', 'origin'];

/** Characters beyond which a file is not written: engines do not hold longer texts. */
const LONGEST = 4e8;

/** The text of the mechanism file: everything a verifier needs, as integers (docs/mechanism-file.md). */
export function writeMechanism({ pmf, adjacency, claim, origin }: Mechanism): string {
  const digits =
    bitLength(pmf.weights.reduce((most, weight) => (weight > most ? weight : most), 0n)) *
    Math.LOG10E *
    Math.LN2;
  if (pmf.weights.length * (digits + 6) > LONGEST)
    throw wrong(
      `mechanism file: expected fewer weights than ${pmf.weights.length} of up to ${Math.ceil(digits)} digits; use a larger step`,
    );
  const tail = (side: Tail | null) =>
    side && { period: side.period, ratio: [side.ratio.num.toString(), side.ratio.den.toString()] };
  const file = {
    format: FORMAT,
    step: exactText(pmf.step),
    adjacency,
    from: pmf.from,
    weights: pmf.weights.map(String),
    tails: { left: tail(pmf.left), right: tail(pmf.right) },
    claim: { epsilon: toDecimal(claim.epsilon), delta: toDecimal(claim.delta) },
    origin,
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/** A checked mechanism from the text of a file. Errors name the field, what is wrong and what is expected. */
export function readMechanism(text: string): Mechanism {
  const file = record(parseJson(text, 'one JSON object and nothing after it'), 'the file');
  if (file.format !== FORMAT) fail('format', `"${FORMAT}"`, file.format);
  onlyFields(file, FIELDS, 'the file');
  const step = decimal(file.step, 'step', parseRational);
  if (step.num <= 0n) fail('step', 'a positive decimal or fraction', file.step);
  const adjacency = whole(file.adjacency, 'adjacency', [1, MOST_ADJACENCY]);
  const from = whole(file.from, 'from', [-FURTHEST, FURTHEST]);
  if (!Array.isArray(file.weights)) fail('weights', 'an array of integers as text', file.weights);
  const weights = (file.weights as unknown[]).map((weight, i) => integerText(weight, `weights[${i}]`));
  const tails = record(file.tails, 'tails');
  onlyFields(tails, ['left', 'right'], 'tails');
  const claim = record(file.claim, 'claim');
  onlyFields(claim, ['epsilon', 'delta'], 'claim');
  const epsilon = decimal(claim.epsilon, 'claim.epsilon');
  const delta = decimal(claim.delta, 'claim.delta');
  if (epsilon.num < 0n) fail('claim.epsilon', 'a decimal of at least 0', claim.epsilon);
  if (delta.num < 0n || compare(delta, one) > 0) fail('claim.delta', 'a decimal from 0 to 1', claim.delta);
  return {
    pmf: makePmf({
      step,
      from,
      weights,
      left: readTail(tails.left, 'left', weights.length),
      right: readTail(tails.right, 'right', weights.length),
    }),
    adjacency,
    claim: { epsilon, delta },
    origin: file.origin === undefined ? {} : record(file.origin, 'origin'),
  };
}

function readTail(value: unknown, side: string, most: number): Tail | null {
  if (value === null) return null;
  const tail = record(value, `tails.${side}`);
  onlyFields(tail, ['period', 'ratio'], `tails.${side}`);
  const period = whole(tail.period, `tails.${side}.period`, [1, Math.max(1, most)]);
  const ratio = tail.ratio;
  if (!Array.isArray(ratio) || ratio.length !== 2)
    return fail(`tails.${side}.ratio`, 'a pair ["num", "den"]', ratio);
  const [num, den] = ratio.map((part, i) => integerText(part, `tails.${side}.ratio[${i}]`)) as [
    bigint,
    bigint,
  ];
  if (den === 0n) fail(`tails.${side}.ratio[1]`, 'a denominator above 0', '0');
  return { period, ratio: rational(num, den) };
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) fail(name, 'a JSON object', value);
  return value as Record<string, unknown>;
}

function onlyFields(object: Record<string, unknown>, known: readonly string[], name: string): void {
  for (const key of Object.keys(object))
    if (!known.includes(key)) fail(name, `no field but ${known.join(', ')}`, key);
}

function whole(value: unknown, name: string, [low, high]: readonly [number, number]): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < low || value > high)
    fail(name, `a whole number from ${low} to ${high}`, value);
  return value as number;
}

function decimal(value: unknown, name: string, parse = parseDecimal): Rational {
  if (typeof value !== 'string') return fail(name, 'a decimal as text, such as "0.25"', value);
  if (value !== value.trim()) fail(name, 'a decimal without spaces around it', JSON.stringify(value));
  return parse(value, name);
}

function integerText(value: unknown, name: string): bigint {
  if (typeof value !== 'string') return fail(name, 'an integer as text, such as "12"', value);
  if (value.length > MOST_DIGITS)
    return fail(name, `at most ${MOST_DIGITS} digits`, `${value.length} of them`);
  if (/^-[0-9]+$/.test(value)) return fail(name, 'an integer of at least 0', value);
  if (!/^(0|[1-9][0-9]*)$/.test(value))
    return fail(name, 'an integer without sign, spaces or leading zeros', value);
  return BigInt(value);
}

function fail(name: string, expected: string, value: unknown): never {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  throw invalid(`${name}: expected ${expected}, got ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`);
}
