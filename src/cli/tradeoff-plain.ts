// Error and best guess over ε or over the adjacency, of the noise that a release would make.

import { type Rational, zero } from '../exact/index.js';
import { errorQuantiles, type Mechanism, utilityOf } from '../mechanism/index.js';
import { lineChart, stacked } from '../plot/index.js';
import { bestGuess, percentUp } from '../report/index.js';
import { readDelta, readPositive, readPositiveEpsilon } from '../spec/index.js';
import { makeMechanisms } from '../terms/index.js';
import { readPrior } from './input.js';
import { glance, print, printJson, tableText, writeOutput } from './output.js';
import { progressLine } from './progress.js';
import { gridOf, pointsOf, range } from './tradeoff-grid.js';
import type { PaperOptions } from './tradeoff-paper.js';

/** What is said of noise that is made for one column. */
export interface Wanted {
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly adjacency: string;
  readonly step: Rational;
  readonly prior: ReturnType<typeof readPrior>;
}

/** What noise does to a value, and for it. */
export interface Effect {
  /** How far a value is off, on average, and at most in 9 of 10. */
  readonly error: number;
  readonly within: number;
  /** How often the better guess between two values an adjacency apart is right, at most. */
  readonly bestGuess: number;
}

/** The noise that a release makes for one value. */
export function usualNoise({ epsilon, delta, adjacency, step, prior }: Wanted): Mechanism {
  const shares = (all: Rational) => ({ all, own: new Map<string, Rational>() });
  const distance = readPositive(adjacency, 'adjacency');
  const request = {
    epsilon: shares(epsilon),
    delta: shares(delta),
    adjacency: () => distance,
    step: () => ({ value: step, own: true }),
    prior: () => prior,
    ...{ share: null, family: null, unbiased: true },
  };
  return makeMechanisms(['value'], request, null, 1).get('value')!;
}

export function effectOf(mechanism: Mechanism, adjacency: string, epsilon: string): Effect {
  const [, most] = errorQuantiles(mechanism.pmf);
  const charge = { on: 'value', mechanism: '', adjacency, epsilon, delta: '0' };
  return {
    error: utilityOf(mechanism.pmf).meanAbs,
    within: most!.error,
    bestGuess: bestGuess({ mechanism }, charge),
  };
}

interface Point extends Effect {
  readonly epsilon: string;
  readonly adjacency: string;
}

export function curves(options: PaperOptions): void {
  const step = readPositive(options.step, 'step');
  const delta = options.delta === '0' ? zero : readDelta(options.delta);
  const epsilons = range(options.epsilon, 'epsilon');
  const adjacencies = range(options.adjacency, 'adjacency');
  const grid = gridOf(epsilons, adjacencies, pointsOf(options.points), options.step, 2);
  const prior = readPrior(options, step);
  const progress = progressLine();
  const points = grid.map(([epsilon, adjacency]): Point => {
    progress.show(`ε = ${epsilon}, adjacency ${adjacency}`);
    const wanted = { epsilon: readPositiveEpsilon(epsilon), delta, adjacency, step, prior };
    return { epsilon, adjacency, ...effectOf(usualNoise(wanted), adjacency, epsilon) };
  });
  progress.end();
  const over = epsilons.to ? 'epsilon' : 'adjacency';
  const fixed = epsilons.to ? `values ${options.adjacency} apart` : `ε = ${options.epsilon}`;
  if (options.csv !== undefined) writeOutput(options.csv, csv(points), options.force === true);
  if (options.svg !== undefined) writeOutput(options.svg, draw(points, over, fixed), options.force === true);
  if (options.json)
    printJson({
      over,
      step: Number(options.step),
      delta: Number(options.delta),
      rows: points.map((row) => ({ ...row, epsilon: Number(row.epsilon), adjacency: Number(row.adjacency) })),
    });
  else if (options.csv !== '-' && options.svg !== '-')
    print(
      tableText(
        [over === 'epsilon' ? 'ε' : 'adjacency', 'off by', 'in 9 of 10', 'best guess'],
        points.map((row) => [
          row[over],
          glance(row.error),
          `≤ ${glance(row.within)}`,
          `≤ ${percentUp(row.bestGuess)}`,
        ]),
      ),
      '',
      fixed,
      'off by: how far a released value is from the true one, on average',
      'best guess: how often somebody who wavers between two values so far apart is',
      '  right, at most; 50 % is tossing a coin',
    );
}

function csv(points: readonly Point[]): string {
  const lines = points.map((row) =>
    [row.epsilon, row.adjacency, row.error, row.within, row.bestGuess].join(','),
  );
  return `${['epsilon,adjacency,mean_error,error_9_of_10,best_guess', ...lines].join('\n')}\n`;
}

function draw(points: readonly Point[], over: 'epsilon' | 'adjacency', fixed: string): string {
  const chart = (
    title: string,
    y: string,
    series: readonly (readonly [string, (p: Point) => number])[],
    logY: boolean,
  ) =>
    lineChart(
      series.map(([name, value]) => ({
        name,
        points: points.map((point) => ({ x: Number(point[over]), y: value(point) })),
      })),
      {
        ...{ title, y, logY, height: 360 },
        x: over === 'epsilon' ? 'ε' : 'adjacency, in data units',
        logX: over === 'epsilon',
      },
    );
  return stacked([
    chart(
      `How far a released value is off, ${fixed}`,
      'in data units',
      [
        ['on average', ({ error }) => error],
        ['in 9 of 10 at most', ({ within }) => within],
      ],
      true,
    ),
    chart(
      `How often the best guess is right, ${fixed}`,
      'per cent, at most',
      [['best guess', (point) => 100 * point.bestGuess]],
      false,
    ),
  ]);
}
