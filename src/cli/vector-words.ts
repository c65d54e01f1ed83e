// The privacy of a vector with different noise for each coordinate, in words and for programs.

import { exactText, type Rational, toNumberNear } from '../exact/index.js';
import { type Guarantee, type VectorGuarantee, vectorOf, type Worst } from '../mechanism/index.js';
import { specOf } from '../noise/index.js';
import { figure, jsonFigure, jsonNumber, rough, tableText } from './output.js';

export interface Vector {
  readonly coordinates: readonly Guarantee[];
  readonly step: string;
  readonly adjacency: string;
  readonly epsilons: readonly Rational[];
  readonly deltas: readonly Rational[];
}

/** Where nothing is asked for and some coordinate is not pure. */
const ONE = { num: 1n, den: 1n };

export function vectorJson({ coordinates, step, adjacency, epsilons, deltas }: Vector) {
  const whole = vectorOf(coordinates);
  const of = <Value extends Rational | null>(key: string, worst: Worst<Value>) => ({
    ...jsonFigure(key, worst.value),
    coordinate: worst.coordinate + 1,
  });
  const figures = (found: Pick<VectorGuarantee, 'deltaAt' | 'epsilonAt'>) => ({
    profile: epsilons.map((epsilon) => ({
      epsilon: toNumberNear(epsilon),
      ...of('delta', found.deltaAt(epsilon)),
    })),
    epsilonAt: deltas.map((delta) => ({
      delta: toNumberNear(delta),
      ...of('epsilon', found.epsilonAt(delta)),
    })),
  });
  return {
    step: jsonNumber(step),
    adjacency: jsonNumber(adjacency),
    property: whole.pure.value ? 'pure' : 'approximate',
    pure: of('epsilon', whole.pure),
    ...figures(whole),
    coordinates: coordinates.map((one) => ({
      noise: specOf(one.noise),
      ...jsonFigure('epsilon', one.pure && one.pure.epsilonUpper),
      ...{ moments: one.utility(), errorQuantiles: one.errorQuantiles() },
    })),
  };
}

export function vectorText({ coordinates, step, adjacency, epsilons, deltas }: Vector): string {
  const whole = vectorOf(coordinates);
  const { value: pure, coordinate } = whole.pure;
  const at = epsilons.length + deltas.length > 0 || pure ? epsilons : [ONE];
  const rows = coordinates.map((one, i) => [
    ...[String(i + 1), specOf(one.noise), one.pure ? figure(one.pure.epsilonUpper) : 'none'],
    ...at.map((epsilon) => figure(one.deltaAt(epsilon))),
    ...deltas.map((delta) => shown(one.epsilonAt(delta))),
    rough(one.utility().meanAbs),
  ]);
  const last = [
    ...['', 'the vector', pure ? figure(pure) : 'none'],
    ...at.map((epsilon) => figure(whole.deltaAt(epsilon).value)),
    ...deltas.map((delta) => shown(whole.epsilonAt(delta).value)),
    '',
  ];
  const head = [
    ...['', 'coordinate', 'pure ε'],
    ...at.map((epsilon) => `δ(${exactText(epsilon)})`),
    ...deltas.map((delta) => `ε(${exactText(delta)})`),
    'E|θ|',
  ];
  return [
    `${coordinates.length} coordinates with noise of their own   step ${step}, adjacency ${adjacency}`,
    '',
    pure
      ? `Pure ε-DP with ε = ${figure(pure)}, by coordinate ${coordinate + 1}`
      : `Not ε-DP with δ = 0 for any ε, by coordinate ${coordinate + 1}`,
    '',
    tableText(head, [...rows, last]),
    '',
    'Neighbours differ in one coordinate, so the vector loses what its worst coordinate loses.',
  ].join('\n');
}

function shown(epsilon: Rational | null): string {
  return epsilon ? figure(epsilon) : 'none';
}
