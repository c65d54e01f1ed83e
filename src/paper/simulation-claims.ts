// What [QHFL] says in words of its Figure 10, with verdicts from the runs.

import { lookOf } from '../plot/index.js';
import type { CheckedClaim, ClaimVerdict } from './claims.js';
import { COMPARED, type Compared, RUNS, type Setting, shareOfRuns } from './simulated-runs.js';
import { percent, short } from './words.js';

/** Means that differ by less are called similar, or close. */
export const CLOSE = 0.05;
/** From here on a share is a vast majority. */
export const VAST = 0.9;

export const OTHERS = COMPARED.filter((name) => name !== 'optimum');

const named = ({ input, epsilon, m }: Setting) => `${input}, ε = ${epsilon}${m === 15 ? '' : `, m = ${m}`}`;

export function simulationClaims(settings: readonly Setting[]): CheckedClaim[] {
  const at = (...epsilons: number[]) =>
    settings.filter(({ epsilon, m }) => m === 15 && epsilons.includes(epsilon));
  const shares = settings.map((setting) => ({
    name: named(setting),
    share: shareOfRuns(setting.held, OTHERS),
  }));
  const inExpectation = settings.filter(({ held }) =>
    OTHERS.every((name) => held.optimum.expectation < held[name].expectation),
  ).length;
  const smaller = settings.filter(({ held }) => OTHERS.every((name) => isBelow(held.optimum, held[name])));
  return [
    {
      claim:
        'With higher privacy protection (ε = 0.5) the optimum is similar to the Staircase mechanism (a = 5)',
      ...besides(at(0.5), 'staircase:width=5', 'staircase:width=20'),
    },
    {
      claim: 'In the low privacy regime the optimum is close to the Laplacian mechanism',
      ...besides(at(4, 6), 'laplace'),
    },
    {
      claim: 'The optimum ensures the maximum utility in the vast majority of cases',
      verdict: verdictOf(shares.filter(({ share }) => share >= VAST).length, shares.length),
      numbers: `it has the least W of the four in ${shares.map(({ name, share }) => `${percent(share)} (${name})`).join(', ')} of ${RUNS.toLocaleString('en')} runs; a vast majority is nine of ten`,
    },
    {
      claim: 'The optimum is not always the best, partially due to the uncertainty of the noise',
      verdict: verdictOf(shares.filter(({ share }) => share < 1).length && inExpectation, settings.length),
      numbers: `in expectation it is the best in ${inExpectation} of ${settings.length} settings; another is better by luck in up to ${percent(1 - Math.min(...shares.map(({ share }) => share)))} of the runs`,
    },
    {
      claim: 'The optimum has a higher probability of a small W',
      verdict: verdictOf(smaller.length, settings.length),
      numbers: `each of the nine deciles of its W is below that of every other in ${smaller.length} of ${settings.length} settings`,
    },
  ];
}

/** Are the means of the optimum and another close in all these settings? */
function besides(
  settings: readonly Setting[],
  other: Compared,
  another?: Compared,
): Pick<CheckedClaim, 'verdict' | 'numbers'> {
  const more =
    another === undefined
      ? ''
      : `; ${lookOf(another).label} has ${settings.map(({ held }) => short(held[another].mean)).join(', ')}`;
  const apart = settings.map(({ held }) => held[other].mean / held.optimum.mean - 1);
  return {
    verdict: verdictOf(apart.filter((part) => Math.abs(part) < CLOSE).length, settings.length),
    numbers: `the means are ${settings
      .map(
        (setting, i) =>
          `${short(setting.held.optimum.mean)} beside ${short(setting.held[other].mean)}, ${percent(apart[i]!)} more (${named(setting)}; drawn anew ${short(setting.drawn.optimum.mean)} beside ${short(setting.drawn[other].mean)})`,
      )
      .join('; ')}${more}; close is within ${percent(CLOSE)}`,
  };
}

function verdictOf(holding: number, all: number): ClaimVerdict {
  return holding === all ? 'holds' : holding > 0 ? 'holds in part' : 'does not hold';
}

/** By all deciles of the runs. */
function isBelow(one: Setting['held'][Compared], other: Setting['held'][Compared]): boolean {
  const [a, b] = [one, other].map(({ distances }) => distances.slice().sort()) as [
    Float64Array,
    Float64Array,
  ];
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].every((tenth) => a[(tenth * RUNS) / 10]! < b[(tenth * RUNS) / 10]!);
}
