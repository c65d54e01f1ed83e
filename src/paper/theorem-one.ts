// Theorem 1 of [QHFL]: log c_b against the adjacency, and the noises for which it is not finite.

import { toNumberNear } from '../exact/index.js';
import { guaranteeOf } from '../mechanism/index.js';
import { lookOf } from '../plot/index.js';
import { type Chart, type Section, tableFrom, withData } from './section.js';
import { noiseOf } from './setting.js';

const FAMILIES = {
  laplace: 'laplace:scale=7.5',
  'staircase:width=5': 'staircase:width=5,ratio=0.5134171190325920',
  'staircase:width=20': 'staircase:width=20,ratio=0.5134171190325920',
  gaussian: 'gaussian:sigma=10',
  uniform: 'uniform:low=-20,high=20',
  exponential: 'exponential:rate=0.2',
};
const WIDEST = 40;

export function theoremOne(): Section {
  const found = Object.entries(FAMILIES).map(([name, text]) => ({
    name,
    text,
    losses: Array.from({ length: WIDEST }, (_, i) => {
      const { pure } = guaranteeOf(noiseOf(text), i + 1);
      return pure && toNumberNear(pure.epsilonUpper);
    }),
  }));
  const finite = found.filter(({ losses }) => losses.every((loss) => loss !== null));
  const chart: Chart = {
    name: 'theorem1',
    kind: 'line',
    title: 'Theorem 1: the exact ε = log c_b against m',
    x: 'adjacency m',
    y: 'log c_b',
    series: finite.map(({ name, losses }) => ({
      name,
      points: losses.map((loss, i) => ({ x: i + 1, y: loss! })),
    })),
  };
  const rows = found.map(({ text, losses }) => ({
    noise: text,
    'log c_b at m = 1': losses[0]!,
    [`at m = ${WIDEST}`]: losses.at(-1)!,
    'steps of m at which it grows': stepsThat(losses, (more) => more > 1e-9),
    'stays the same': stepsThat(losses, (more) => Math.abs(more) <= 1e-9),
    falls: stepsThat(losses, (more) => more < -1e-9),
  }));
  return withData(
    'theorem1',
    'Theorem 1: the largest ratio',
    [
      `c_b is finite if and only if the noise is ε-DP: ${labels(found.filter((one) => !finite.includes(one)))} noise has none.`,
      `As m grows from 1 to ${WIDEST}, it falls at ${counted(rows.map(({ falls }) => falls))} steps and stays the same at ${counted(rows.map((row) => row['stays the same']))}, on the stairs of staircases: the paper calls it increasing.`,
    ],
    [chart],
    [tableFrom('theorem1-steps', rows)],
  );
}

/** Null where there is no ratio. */
function stepsThat(losses: readonly (number | null)[], is: (more: number) => boolean): number | null {
  if (losses.includes(null)) return null;
  return losses.filter((loss, i) => i > 0 && is(loss! - losses[i - 1]!)).length;
}

const labels = (noises: readonly { readonly name: string }[]) =>
  noises.map(({ name }) => lookOf(name).label).join(', ');

const counted = (steps: readonly (number | null)[]) =>
  steps.reduce<number>((sum, own) => sum + (own ?? 0), 0);
