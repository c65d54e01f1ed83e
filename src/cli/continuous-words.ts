// A density beside the noise that is made from it, for people and for programs.

import { exactText, type Rational, subtract, toNumberNear } from '../exact/index.js';
import type { BeforeAndAfter } from '../mechanism/index.js';
import { figure, jsonFigure, rough, tableText } from './output.js';

export function continuousJson(found: BeforeAndAfter) {
  const { continuous, pure, profile, moments, discrete } = found;
  return {
    density: continuous.density.text,
    rounding: continuous.rounding,
    pure: pure.epsilon && { ...jsonFigure('epsilon', pure.epsilon.upper), where: pure.where },
    notPure: pure.epsilon ? null : pure.reason,
    profile: profile.map(({ epsilon, delta }) => ({
      epsilon: toNumberNear(epsilon),
      ...jsonFigure('delta', delta.upper),
    })),
    moments,
    steps: discrete.map(({ step, pure: own, deltas, utility }) => ({
      step: toNumberNear(step),
      pure: own && jsonFigure('epsilon', own),
      profile: deltas.map((delta, i) => ({
        epsilon: toNumberNear(profile[i]!.epsilon),
        ...jsonFigure('delta', delta),
        difference: difference(delta, profile[i]!.delta.upper),
      })),
      meanAbs: { value: utility.meanAbs, difference: utility.meanAbs - moments.meanAbs },
      meanSquare: { value: utility.meanSquare, difference: utility.meanSquare - moments.meanSquare },
    })),
    verdict: verdictOf(found),
    reason: reasonOf(found),
  };
}

export function continuousText(found: BeforeAndAfter): string[] {
  const { continuous, pure, profile, moments, discrete } = found;
  const head = ['', 'pure ε', ...profile.map(({ epsilon }) => `δ(${exactText(epsilon)})`), 'E|θ|', 'E θ²'];
  const density = [
    'density',
    pure.epsilon ? figure(pure.epsilon.upper) : '–',
    ...profile.map(({ delta }) => figure(delta.upper)),
    rough(moments.meanAbs),
    rough(moments.meanSquare),
  ];
  const rows = discrete.map(({ step, pure: own, deltas, utility }) => [
    `step ${exactText(step)}`,
    own ? figure(own) : '–',
    ...deltas.map(figure),
    rough(utility.meanAbs),
    rough(utility.meanSquare),
  ]);
  const [first] = discrete;
  const differences = first && [
    `step ${exactText(first.step)} less density`,
    '',
    ...first.deltas.map((delta, i) => signed(difference(delta, profile[i]!.delta.upper))),
    signed(first.utility.meanAbs - moments.meanAbs),
    signed(first.utility.meanSquare - moments.meanSquare),
  ];
  return [
    'Before and after discretising',
    `  ${continuous.density.text}: ${
      pure.epsilon
        ? `pure ε = ${figure(pure.epsilon.upper)}, ${pure.where}`
        : `not ε-DP with δ = 0 for any ε: ${pure.reason}`
    }`,
    tableText(head, [density, ...rows, ...(differences ? [differences] : [])]),
    `${capital(verdictOf(found))}: ${reasonOf(found)}`,
  ];
}

/** Of two upper bounds: what their rounding makes is none. */
function difference(a: Rational, b: Rational): number {
  const found = toNumberNear(subtract(a, b));
  return Math.abs(found) < 1e-12 * toNumberNear(b) ? 0 : found;
}

function signed(x: number): string {
  return x > 0 ? `+${rough(x)}` : rough(x);
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

function verdictOf({ mayBeUsed }: BeforeAndAfter): string {
  return mayBeUsed ? 'the figures of the density may be used' : 'the figures of the density may not be used';
}

function reasonOf({ continuous: { rounding }, discrete, profile }: BeforeAndAfter): string {
  if (rounding !== null)
    return `the noise is its value rounded ${rounding} to the lattice, and so is the output; rounding only hides`;
  const above = discrete[0]?.deltas.some((delta, i) => difference(delta, profile[i]!.delta.upper) > 0);
  return `the noise has its heights in the lattice points, which is no rounding; use those of the noise${above ? ', which are larger here' : ''}`;
}
