// A mechanism file: read, and its claim recomputed from the integers alone, step by step.

import {
  add,
  exactText,
  fromNumber,
  integer,
  multiply,
  one,
  toDecimalUp,
  toNumberNear,
  zero,
} from 'discreet-dp/exact';
import { mechanismText, sha256 } from 'discreet-dp/ledger';
import { certify, type Mechanism, profileOf, readMechanism } from 'discreet-dp/mechanism';
import { bulkOf } from 'discreet-dp/plot';
import { lastIndex, type Pmf } from 'discreet-dp/pmf';
import { releaseIn } from 'discreet-dp/recover';
import { type Chart, lines, masses } from '../engine/chart.js';
import type { Progress } from '../engine/serve.js';
import { textOf } from './pieces.js';
import { ratioWitness, setWitness, units } from './witness.js';

/** What others need to know of a mechanism. */
export interface Opened {
  /** Columns that it says it was made for; null where it says nothing of a release. */
  readonly columns: readonly string[] | null;
  readonly clamp: readonly [string, string] | null;
  readonly roundTo: string | null;
  readonly step: string;
  /** Of its integers and claim, as a ledger has it. */
  readonly hash: string;
}

export type Verified = Awaited<ReturnType<typeof verify>>;

let last: { readonly key: string; readonly read: Promise<Mechanism> } | null = null;

/** The mechanism in a file, which is read once. */
export function mechanismIn(file: File): Promise<Mechanism> {
  const key = `${file.name} ${file.size} ${file.lastModified}`;
  if (last?.key !== key) last = { key, read: textOf(file).then(readMechanism) };
  return last.read;
}

export async function open({ file }: { readonly file: File }): Promise<Opened> {
  const mechanism = await mechanismIn(file);
  const { columns = null, clamp = null, roundTo = null } = releaseOf(mechanism) ?? {};
  return {
    columns: columns?.map(String) ?? null,
    clamp,
    roundTo,
    step: exactText(mechanism.pmf.step),
    hash: sha256(mechanismText(mechanism)),
  };
}

/** What the file says of its release; what says it in another way says nothing. */
function releaseOf({ origin }: Mechanism): ReturnType<typeof releaseIn> {
  try {
    return releaseIn(origin);
  } catch {
    return null;
  }
}

export async function verify({ file }: { readonly file: File }, progress: Progress) {
  const mechanism = await mechanismIn(file);
  const { pmf, adjacency, claim, origin } = mechanism;
  const steps: string[] = [];
  const step = (words: string) => {
    steps.push(words);
    progress(steps.length / STEPS, words);
  };
  const reach = units(adjacency, pmf);
  step(`Read: ${file.size.toLocaleString('en')} bytes, every field is there and what it must be.`);
  step(`Window and tails: ${windowWords(pmf)}.`);
  const { supRatio } = profileOf(pmf, adjacency);
  const epsilon = supRatio.finite ? toDecimalUp(supRatio.epsilon(512).upper, 7) : null;
  step(
    epsilon === null
      ? 'Largest ratio: none is largest, for some output comes from one of two neighbours alone.'
      : `Largest ratio of two probabilities within ${reach}: e^${epsilon}.`,
  );
  const certificate = certify(mechanism);
  const delta = toDecimalUp(certificate.deltaUpper, 7);
  const claimed = { epsilon: exactText(claim.epsilon), delta: exactText(claim.delta) };
  step(`δ at the claimed ε = ${claimed.epsilon}: at most ${delta}.`);
  const { holds } = certificate;
  step(
    `Verdict: ${delta} is ${holds ? 'not above' : 'above'} the claimed δ = ${claimed.delta}, so the claim ${holds ? 'holds' : 'does not hold'}.`,
  );
  return {
    holds,
    steps,
    claimed,
    certified: { epsilon, delta },
    adjacency,
    reach,
    step: exactText(pmf.step),
    window: windowWords(pmf),
    // Half of what 1 and δ(0) are together, upward.
    guess: `${toDecimalUp(multiply(add(one, certificate.profile.deltaAt(zero).upper), integer(50)), 3)}\u00a0%`,
    ratio: ratioWitness(mechanism, certificate),
    set: setWitness(mechanism, certificate),
    hash: sha256(mechanismText(mechanism)),
    origin: Object.entries(origin).map(
      ([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value, null, 1)] as const,
    ),
  };
}

/** The noise and its profile; they take longer than the verdict. */
export async function draw({ file }: { readonly file: File }): Promise<Chart[]> {
  const mechanism = await mechanismIn(file);
  return [
    masses([{ name: 'noise', points: bulkOf(mechanism.pmf).points }], {
      title: 'The noise that is added',
      x: 'noise, in data units',
      y: 'probability',
    }),
    profileChart(mechanism),
  ];
}

const STEPS = 5;

function windowWords(pmf: Pmf): string {
  const { left, right, weights } = pmf;
  const n = weights.length;
  const tails =
    left && right
      ? 'a geometric tail on either side'
      : left
        ? 'a geometric tail on the left'
        : right
          ? 'a geometric tail on the right'
          : 'no tails';
  return `${n.toLocaleString('en')} whole ${n === 1 ? 'weight' : 'weights'}, from ${units(pmf.from, pmf)} to ${units(lastIndex(pmf), pmf)} in steps of ${exactText(pmf.step)}, ${tails}`;
}

const POINTS = 32;
/** Milliseconds for a picture of the profile; wide noise has fewer points then. */
const PATIENCE = 2500;

/** δ(ε), exact at each point, with the claim marked. */
function profileChart({ pmf, adjacency, claim }: Mechanism) {
  const profile = profileOf(pmf, adjacency);
  const pure = profile.supRatio.finite ? toNumberNear(profile.supRatio.epsilon(96).upper) : null;
  const [epsilon, delta] = [toNumberNear(claim.epsilon), toNumberNear(claim.delta)];
  const most = Math.max(1.3 * epsilon, pure === null ? 0 : Math.min(1.1 * pure, 4 * epsilon + 1), 0.1);
  const until = performance.now() + PATIENCE;
  const points = coarseFirst(POINTS).flatMap((i) => {
    if (i % 8 !== 0 && performance.now() > until) return [];
    const x = (most * i) / POINTS;
    return [{ x, y: toNumberNear(profile.deltaAt(fromNumber(x)).upper) }];
  });
  points.sort((a, b) => a.x - b.x);
  return lines([{ name: 'δ(ε)', points }], {
    title: 'Exact profile δ(ε), and the claim',
    x: 'ε',
    y: 'δ',
    logY: delta > 0 && delta < 1e-2,
    smooth: true,
    mark: { x: epsilon, y: delta, text: 'the claim' },
  });
}

/** 0 … n, every eighth, fourth, second, and the rest. */
function coarseFirst(n: number): number[] {
  const all = Array.from({ length: n + 1 }, (_, i) => i);
  const rank = (i: number) => (i % 8 === 0 ? 0 : i % 4 === 0 ? 1 : i % 2 === 0 ? 2 : 3);
  return all.sort((a, b) => rank(a) - rank(b));
}
