// The optimal integer staircase of Geng and Viswanath [GV16, Thm 7]: symmetric about 0, a first stair of
// 2r − 1 points and further ones as wide as the adjacency, each e^(−ε) times as high as the one before;
// r is the one with the least E|θ| or E θ².

import { wrong } from '../error/index.js';
import {
  divide,
  exactly,
  exactText,
  integer,
  isInteger,
  multiply,
  parseRational,
  type Rational,
  toDecimalDown,
  toNumberNear,
  toNumberUp,
} from '../exact/index.js';
import { makePmf } from '../pmf/index.js';
import { ratioUp, tailError } from './_geometric-tail.js';
import { type Family, isPositive, parameter } from './noise.js';

const WIDEST = 5_000_000;

export const gengViswanath: Family = {
  name: 'geng-viswanath',
  meaning: 'the optimal integer staircase for E|θ| or E θ² (Geng and Viswanath)',
  parameters: [
    { key: 'epsilon', meaning: 'ε that the noise has at its own adjacency' },
    { key: 'adjacency', meaning: 'the adjacency it is optimal for, in data units' },
    { key: 'objective', meaning: 'magnitude (E|θ|) or variance (E θ²)', default: 'magnitude' },
  ],
  dial: {
    key: 'epsilon',
    grows: false,
    solve: ({ epsilon, delta, adjacency }, values, step) => {
      const own = values.adjacency ?? exactText(multiply(integer(adjacency), step));
      const stairs = Math.ceil(
        adjacency / toNumberUp(divide(parseRational(own, 'geng-viswanath: adjacency'), step)),
      );
      return delta.num > 0n
        ? null
        : { epsilon: toDecimalDown(divide(epsilon, integer(stairs)), 15), adjacency: own };
    },
    guess: ({ epsilon }) => toNumberUp(epsilon),
    range: { lower: 0, upper: Infinity },
  },
  build(values, step) {
    const epsilon = parameter('geng-viswanath', values, 'epsilon', 'above 0', isPositive);
    const inSteps = (value: Rational) => divide(value, step);
    const fits = (value: Rational) =>
      isInteger(inSteps(value)) && value.num > 0n && toNumberUp(inSteps(value)) <= WIDEST;
    const condition = `a positive multiple of the step ${exactText(step)}, up to ${WIDEST} steps`;
    const adjacency = parameter('geng-viswanath', values, 'adjacency', condition, fits);
    const objective = values.objective ?? 'magnitude';
    if (objective !== 'magnitude' && objective !== 'variance')
      throw wrong(`geng-viswanath: expected objective to be magnitude or variance, got ${objective}`);
    const period = toNumberUp(inSteps(adjacency));
    return {
      family: 'geng-viswanath',
      parameters: { epsilon: exactText(epsilon), adjacency: exactText(adjacency), objective },
      step,
      approximate: () => {
        const rounded = ratioUp(epsilon, 'geng-viswanath: epsilon');
        const { num, den } = rounded.ratio;
        const r = bestFirstStair(toNumberNear(epsilon), period, objective);
        const half = Array.from({ length: period }, (_, i) => (i < r ? den : num));
        const tail = { period, ratio: rounded.ratio };
        const weights = [...half.slice(1).reverse(), ...half];
        // A period must fit into the window on either side of 0: for period 1 it is the point 0 itself.
        const pmf = makePmf({ step, from: 1 - period, weights, left: tail, right: tail });
        return { pmf, error: tailError(rounded, rounded.relative) };
      },
      pureEpsilon: (at) => exactly(multiply(integer(Math.ceil(at / period)), epsilon)),
    };
  },
};

/** The r from 1 to the period with the least cost; a float decides, for it is only utility. */
function bestFirstStair(epsilon: number, period: number, objective: 'magnitude' | 'variance'): number {
  const b = Math.exp(-epsilon);
  const gap = -Math.expm1(-epsilon);
  // Σ over repetitions j of b^j·cost(i + j·period), from the sums of 1, i and i² over a block
  const [s0, s1, s2] = [1 / gap, b / gap ** 2, (b * (1 + b)) / gap ** 3];
  const cost = (n: number, first: number, second: number) =>
    objective === 'magnitude'
      ? first * s0 + period * n * s1
      : second * s0 + 2 * period * first * s1 + period ** 2 * n * s2;
  let best = { r: 1, value: Infinity };
  for (let r = 1; r <= period; r++) {
    const upTo = (n: number) => [n, (n * (n - 1)) / 2, ((n - 1) * n * (2 * n - 1)) / 6] as const;
    const [n, first, second] = upTo(r).map((inner, i) => inner + b * (upTo(period)[i]! - inner)) as [
      number,
      number,
      number,
    ];
    const value = cost(n, first, second) / (2 * n * s0 - 1);
    if (value < best.value) best = { r, value };
  }
  return best.r;
}
