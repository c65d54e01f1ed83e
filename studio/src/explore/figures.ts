// The figures of one noise: what it promises, how far it is off, and what the paper says of it.

import {
  add,
  divide,
  exactText,
  integer,
  multiply,
  one,
  type Rational,
  rational,
  toDecimalUp,
  toNumberNear,
  zero,
} from 'discreet-dp/exact';
import { type Guarantee, guaranteeOf } from 'discreet-dp/mechanism';
import { specOf } from 'discreet-dp/noise';
import { defaultCut, judge, paperEstimates } from 'discreet-dp/paper';
import { bulkOf } from 'discreet-dp/plot';
import { type Pmf, quantile } from 'discreet-dp/pmf';
import { readPositive } from 'discreet-dp/spec';
import { masses } from '../engine/chart.js';
import { aboutNoise, type NoiseWanted, readWanted } from './read.js';

export interface FiguresWanted extends NoiseWanted {
  /** The paper's constant M; empty is three standard deviations. */
  readonly paperCut: string;
}

export type Figures = ReturnType<typeof figures>;

export function figures(wanted: FiguresWanted) {
  const started = performance.now();
  const { step, adjacency, noise, epsilon, delta } = readWanted(wanted);
  const isGaussian = noise.family === 'gaussian';
  const cut =
    isGaussian && wanted.paperCut !== '' ? readPositive(wanted.paperCut, 'paperCut') : defaultCut(noise);
  return aboutNoise(() => {
    const guarantee = guaranteeOf(noise, adjacency);
    const { pure, pmf } = guarantee;
    const found = guarantee.epsilonAt(delta);
    const inUnits = (steps: number) => exactText(multiply(integer(steps), step));
    const { mean, meanAbs, std } = guarantee.utility();
    return {
      noise: specOf(noise),
      adjacency: inUnits(adjacency),
      step: exactText(step),
      pure: pure && {
        epsilon: upward(pure.epsilonUpper),
        at: inUnits(pure.witness.k),
        shift: inUnits(pure.witness.shift),
      },
      notPure: pure ? null : notPure(guarantee, inUnits),
      at: { epsilon: exactText(epsilon), delta: upward(guarantee.deltaAt(epsilon)) },
      theoremTwo: upward(guarantee.theoremTwoAt(epsilon)),
      epsilonAt: {
        delta: upward(delta),
        epsilon: found && upward(found),
        none: isUnbounded(guarantee) ? 'not within reach of the window' : 'no ε suffices',
      },
      guess: `${toDecimalUp(multiply(add(one, guarantee.deltaAt(zero)), integer(50)), 3)} %`,
      ...{ mean, meanAbs, std },
      quantiles: guarantee.errorQuantiles(),
      cut: isGaussian ? exactText(cut) : null,
      paper: paperEstimates(noise, adjacency, cut).map((estimate) => {
        const { source, formula, epsilon: e, delta: d, exactDelta, verdict } = judge(estimate, guarantee);
        return {
          ...{ source, formula, verdict },
          epsilon: toNumberNear(e.upper),
          delta: toNumberNear(d.upper),
          exactDelta: exactDelta && upward(exactDelta),
        };
      }),
      chart: isDrawable(pmf)
        ? masses([{ name: noise.family, points: bulkOf(pmf).points }], {
            title: 'The noise: how likely is each value',
            x: 'noise, in data units',
            y: 'probability',
          })
        : null,
      taken: performance.now() - started,
    };
  });
}

/** Seven digits, not below. */
const upward = (x: Rational) => toDecimalUp(x, 7);

/** More steps than this are not drawn. */
const WIDEST = 2_000_000;

function isDrawable(pmf: Pmf): boolean {
  const at = (num: bigint) => toNumberNear(divide(quantile(pmf, rational(num, 1000n)), pmf.step));
  return at(998n) - at(2n) <= WIDEST;
}

/** Gaussian noise has no zero; its window ends where the integers do. */
function isUnbounded({ noise }: Guarantee): boolean {
  return noise.family.includes('gaussian');
}

/** Why there is no pure guarantee, with the place. */
function notPure(guarantee: Guarantee, inUnits: (steps: number) => string): string {
  if (isUnbounded(guarantee)) return 'the ratios of its probabilities grow without bound outward';
  const { k, shift } = guarantee.witness;
  const [zeroAt, before] = [inUnits(k), inUnits(k - shift)];
  return `p(${zeroAt}) = 0 while p(${before}) > 0, and ${zeroAt} and ${before} are within the adjacency`;
}
