// Any number of releases: what one person, or a group of them, loses in all, from below and from above.

import { invalid } from '../error/index.js';
import { MOST_ADJACENCY } from '../noise/index.js';
import type { Pmf } from '../pmf/index.js';
import type { Bracket } from './aliases.js';
import { type Choice, mixCount } from './choices.js';
import { type Composition, compose, type Method } from './composition.js';
import { countOfSums } from './few.js';
import { composeMixes, type Mixed, mixed, mixesOf } from './mixes.js';
import { pairsOf } from './pairs.js';
import type { Order } from './sampling.js';
import { type Component, cumulantOf } from './tilt.js';

/** Noise that is added `times` times, each time to a value that one person may move by up to `adjacency` steps. */
export interface Repeated {
  readonly pmf: Pmf;
  /** In steps. */
  readonly adjacency: number;
  readonly times: number;
  /** Rows have noise of their own each; the noise of a count is there once, however many records change it. */
  readonly of: 'rows' | 'counts';
  /** A secret sample: each record is in it with this probability. */
  readonly sampling: number | null;
}

export interface Total {
  /** δ(ε) of everything together. */
  readonly deltaAt: (epsilon: number) => Bracket;
  /** The least ε with δ(ε) ≤ delta; infinite where there is none. */
  readonly epsilonAt: (delta: number) => Bracket;
  readonly method: Method;
  /** Mixes of directions that were looked at one by one; 0 where one pair stands for all of them. */
  readonly mixes: number;
  /** Do the upper bounds come from a pair that dominates several, and are further off for it? */
  readonly dominated: boolean;
}

/** Mixes up to which each is looked at by itself, or all together; fewer where losses are blurred. */
const MOST_MIXES = 40;
const MOST_TOGETHER = 2_000_000;
const MOST_BLURRED = 20_000;
/** Sums of all mixes up to which they are written out. */
const MOST_SUMS = 2_000_000;
const MOST_TIMES = 1_000_000_000;

/**
 * What `releases` cost a group of so many persons, or one person with so many rows, together: the truth lies between the bounds, for the
 * worst shifts and the worst mix of their directions. Releases are fixed beforehand; where one pair of neighbours dominates, they may
 * also be chosen as one goes (proofs/account.md).
 */
export function totalOf(releases: readonly Repeated[], group = 1): Total {
  releases.forEach(check);
  if (!Number.isSafeInteger(group) || group < 1)
    throw invalid(`group: expected a whole number from 1 on, got ${group}`);
  if (group > 1 && releases.some(({ sampling }) => sampling !== null))
    throw invalid(
      'group: expected 1 with sampling; a group is sampled person by person, which is not worked out',
    );
  // A person comes or goes in all sampled releases alike.
  const orders: Order[] = releases.some(({ sampling }) => sampling !== null) ? ['goes', 'comes'] : ['comes'];
  const kinds = grouped(releases, group);
  const totals = orders.map((order) => totalIn(kinds, order));
  if (totals.some(({ above }) => above !== null)) return either(totals.map(boundsOf));
  const count = totals.reduce((sum, total) => sum + total.count, 0);
  const all = worst(totals.flatMap(({ mixes }) => mixes));
  return {
    ...all,
    get method() {
      return all.method;
    },
    get dominated() {
      return totals.some(({ together }) => together?.isDominated);
    },
    mixes: count > orders.length ? count : 0,
  };
}

/** The larger of several totals. */
function either(totals: readonly Total[]): Total {
  if (totals.length === 1) return totals[0]!;
  const most = (brackets: readonly Bracket[]): Bracket => ({
    lower: Math.max(...brackets.map(({ lower }) => lower)),
    upper: Math.max(...brackets.map(({ upper }) => upper)),
  });
  return {
    method: (['grid', 'few', 'native'] as const).find((name) =>
      totals.some(({ method }) => method === name),
    )!,
    mixes: 0,
    dominated: totals.some(({ dominated }) => dominated),
    deltaAt: (epsilon) => most(totals.map((total) => total.deltaAt(epsilon))),
    epsilonAt: (delta) => most(totals.map((total) => total.epsilonAt(delta))),
  };
}

function check({ adjacency, times, of, sampling }: Repeated): void {
  if (!Number.isSafeInteger(times) || times < 1 || times > MOST_TIMES)
    throw invalid(`times: expected a whole number from 1 to ${MOST_TIMES}, got ${times}`);
  if (!Number.isSafeInteger(adjacency) || adjacency < 1)
    throw invalid(`adjacency: expected a whole number of steps from 1 on, got ${adjacency}`);
  if (sampling !== null) checkSampling(sampling, of);
}

export function checkSampling(sampling: number, of: Repeated['of']): void {
  if (!(sampling > 0 && sampling <= 1))
    throw invalid(`sampling: expected a probability above 0 and at most 1, got ${sampling}`);
  if (of === 'rows')
    throw invalid(
      'sampling: a release of rows shows who was sampled, so sampling hides nothing there; leave it out, or say that it is of counts',
    );
}

/** Releases of one kind. */
export interface Kind {
  readonly pmf: Pmf;
  readonly adjacency: number;
  readonly sampling: number | null;
  readonly times: number;
}

/** The same noise, taken together: so many records with noise of their own each, or a count that they all move. */
export function grouped(releases: readonly Repeated[], group: number): Kind[] {
  const kinds: Kind[] = [];
  for (const { pmf, adjacency: own, times: given, of, sampling } of releases) {
    const adjacency = of === 'counts' ? own * group : own;
    if (adjacency > MOST_ADJACENCY)
      throw invalid(`group: expected a count to move by at most ${MOST_ADJACENCY} steps, got ${adjacency}`);
    const times = of === 'rows' ? given * group : given;
    if (times > MOST_TIMES)
      throw invalid(
        `group: expected at most ${MOST_TIMES} releases of a kind for all of a group, got ${given} for each of ${group}`,
      );
    const at = kinds.findIndex(
      (kind) => kind.pmf === pmf && kind.adjacency === adjacency && kind.sampling === sampling,
    );
    if (at < 0) kinds.push({ pmf, adjacency, sampling, times });
    else kinds[at] = { ...kinds[at]!, times: kinds[at]!.times + times };
  }
  return kinds;
}

/** All mixes of directions, one by one or together; or, where they are too many, some of them, and a pair that dominates all. */
interface Mixes {
  readonly mixes: readonly Composition[];
  readonly count: number;
  readonly together: Mixed | null;
  readonly above: Composition | null;
}

function totalIn(kinds: readonly Kind[], order: Order): Mixes {
  const pairs = kinds.map(({ pmf, adjacency, sampling }) => pairsOf(pmf, adjacency, sampling, order));
  const choices = pairs.map(({ laws }, i) => ({ laws, times: kinds[i]!.times }));
  const count = mixCount(choices);
  if (count <= MOST_MIXES || count * sumsOf(choices) <= MOST_SUMS)
    return {
      mixes: Array.from(mixesOf(choices), (mix) => compose(mixed(choices, mix))),
      count,
      together: null,
      above: null,
    };
  const dominating = () =>
    compose(pairs.map((pair, i) => ({ losses: pair.dominating(), times: kinds[i]!.times })));
  const isCertain = choices.some(({ laws }) => laws.some(({ loss }) => loss.length === 0));
  const together = count <= MOST_TOGETHER && !isCertain ? composeMixes(choices, dominating) : null;
  if (together && (together.method === 'native' || count <= MOST_BLURRED))
    return { mixes: [together], count, together, above: null };
  const above = dominating();
  return { mixes: candidates(choices).map(compose), count: 0, together: null, above };
}

/** About how many sums of losses a mix has. */
function sumsOf(choices: readonly Choice[]): number {
  return countOfSums(
    choices.flatMap(({ laws, times }) =>
      laws.map((losses) => ({ losses, times: Math.ceil(times / laws.length) })),
    ),
  );
}

/** Upper bounds from a pair that dominates, lower ones from what can happen. */
function boundsOf({ mixes: some, above }: Mixes): Total {
  const below = worst(some);
  if (above === null) return below;
  return {
    method: above.method,
    mixes: 0,
    dominated: true,
    deltaAt: (epsilon) => ({ lower: below.deltaAt(epsilon).lower, upper: above.deltaAt(epsilon).upper }),
    epsilonAt: (delta) => ({ lower: below.epsilonAt(delta).lower, upper: above.epsilonAt(delta).upper }),
  };
}

/** The largest of several, each between bounds. What a quick bound says cannot be the largest is not looked at closer. */
function worst(all: readonly Composition[]): Total {
  const most = (
    bracketOf: (one: Composition) => Bracket,
    isBelow: (one: Composition, least: number) => boolean,
  ) => {
    let found: Bracket = { lower: 0, upper: 0 };
    for (const one of all) {
      if (found.lower > 0 && isBelow(one, found.lower)) continue;
      const { lower, upper } = bracketOf(one);
      found = { lower: Math.max(found.lower, lower), upper: Math.max(found.upper, upper) };
    }
    return found;
  };
  return {
    get method() {
      return (['grid', 'few', 'native'] as const).find((name) => all.some(({ method }) => method === name))!;
    },
    mixes: 0,
    dominated: false,
    deltaAt: (epsilon) =>
      most(
        ({ deltaAt }) => deltaAt(epsilon),
        ({ quickly }, least) => quickly(epsilon) <= least,
      ),
    epsilonAt: (delta) =>
      most(
        ({ epsilonAt }) => epsilonAt(delta),
        ({ quickly }, least) => least === Infinity || quickly(least) <= delta,
      ),
  };
}

/** Mixes that may be the worst: for several sizes of ε the law that loses most of it. */
function candidates(choices: readonly Choice[]): Component[][] {
  const picks = new Set<string>();
  const scale = Math.sqrt(
    choices.reduce((sum, { laws, times }) => sum + times * cumulantOf(laws[0]!, 0).variance, 1e-300),
  );
  for (const factor of [0.5, 1, 2, 4, 8]) {
    const best = choices.map(({ laws }) => {
      const values = laws.map((law) => cumulantOf(law, factor / scale).value);
      return values.indexOf(Math.max(...values));
    });
    picks.add(best.join());
  }
  // One law throughout, too.
  for (let j = 0; j < Math.max(...choices.map(({ laws }) => laws.length)); j++)
    picks.add(choices.map(({ laws }) => Math.min(j, laws.length - 1)).join());
  return [...picks].map((pick) =>
    pick.split(',').map((j, i) => ({ losses: choices[i]!.laws[Number(j)]!, times: choices[i]!.times })),
  );
}
