// Each error of [QHFL], shown by a number.

import { outputDistance } from '../design/index.js';
import { parseDecimal, type Rational, rational, toNumberNear } from '../exact/index.js';
import { guaranteeOf } from '../mechanism/index.js';
import {
  lastIndex,
  makePmf,
  outputOf,
  type Pmf,
  probabilities,
  totalVariation,
  wasserstein,
  windowPmf,
} from '../pmf/index.js';
import { privacyProfile } from '../privacy/index.js';
import { parseNoise } from '../spec/index.js';
import { paperEstimates } from './estimate.js';
import type { Cell, Section } from './section.js';
import { furtherInputs, mechanismsAt, noiseOf, paperInputs, pmfOf, step } from './setting.js';
import { short } from './words.js';

/** Item, what the paper has, what is true, in numbers. */
export function errata(): readonly (readonly Cell[])[] {
  const at = (text: string, m: number, of: Rational = step) =>
    guaranteeOf(
      parseNoise(text, of, () => []),
      m,
    );
  const number = (x: Rational | null | undefined) => (x ? toNumberNear(x) : null);
  const estimate = (text: string, m: number, cut = 0n) => paperEstimates(noiseOf(text), m, rational(cut))[0]!;
  const ratio = (m: number) => number(at('staircase:width=5,ratio=0.5', m).pure?.epsilonUpper);
  const [gaussian, poisson] = paperInputs();
  const half = rational(1n, 2n);
  const optimum = mechanismsAt(gaussian!.pmf, '4', 15);
  const cut = mechanismsAt(gaussian!.pmf, '2', 15).optimum.mechanism.pmf;
  const zipf = furtherInputs([]).find(({ name }) => name.startsWith('Zipf'))!.pmf;
  const px = probabilities(poisson!.pmf, poisson!.pmf.from, lastIndex(poisson!.pmf)).p;
  const copies = px.reduce(
    (sum, p, i) => sum + p * px.reduce((inner, q, j) => inner + q * Math.abs(i - j), 0),
    0,
  );
  const spread = (input: Pmf) => {
    const { p } = probabilities(input, input.from - 7, lastIndex(input) + 7);
    let [f, sum] = [0, 0];
    const F = p.map((v) => (f += v));
    for (let k = 0; k < F.length; k++) sum += Math.abs(F[k]! - (F[k - 7] ?? 0));
    return sum;
  };
  // Four records at 0, 0, 20 and 20; one of them moves by 15.
  const records = (values: readonly number[]) =>
    windowPmf(
      step,
      0,
      Array.from({ length: 21 }, (_, k) => BigInt(values.filter((v) => v === k).length)),
    );
  const designed = (input: Pmf) => mechanismsAt(input, '2', 15).optimum.mechanism.pmf;
  const halved = windowPmf(half, 0, [1n, 2n, 1n]);
  const halvedNoise = parseNoise('geometric:scale=1', half, () => []).approximate({
    adjacency: 1,
    cut: 64,
  }).pmf;
  const trueW = wasserstein(halved, outputOf(halved, halvedNoise));
  return [
    [
      1,
      'log c_b of staircase a = 5, ρ = ½ is said to grow with m: by how much it does from m = 6 to m = 7',
      'above 0',
      ratio(7)! - ratio(6)!,
    ],
    [
      2,
      'Theorem 2 read with k ∈ Θ₁: δ(0) of uniform noise on −20 … 20, m = 15',
      0,
      number(at('uniform:low=-20,high=20', 15).deltaAt(rational(0n))),
    ],
    [
      3,
      'Gaussian σ = 10, m = 15, M = 30: δ at ε = 3.68',
      number(estimate('gaussian:sigma=10', 15, 30n).delta.upper),
      number(at('gaussian:sigma=10', 15).deltaAt(parseDecimal('3.68'))),
    ],
    [
      4,
      'Laplacian λ = 7.5, m = 15: ε',
      number(estimate('laplace:scale=7.5', 15).epsilon.upper),
      number(at('laplace:scale=7.5', 15).pure?.epsilonUpper),
    ],
    [5, 'Staircase a = 5, ρ = ½, m = 10: ε by the sentence before the formula', Math.log(2), ratio(10)],
    [
      6,
      'Uniform on −2 … 2, Δ = ½, m = 1: δ',
      0.5 / 4.5,
      number(at('uniform:low=-2,high=2', 2, half).deltaAt(rational(0n))),
    ],
    ['7a', 'Exponential η = 0.2: Σ p(k)', 0.2 * (Math.exp(-0.2) / (1 - Math.exp(-0.2))), 1],
    [
      '7b',
      'Exponential η = 0.2, m = 15: δ at ε = ηm = 3 and at every other',
      0,
      number(at('exponential:rate=0.2', 15).deltaAt(parseDecimal('3'))),
    ],
    [
      '8a',
      'P₀ as written asks for ε ≤ log c_b. W of noise it allows, Gaussian input, ε = 2, m = 15, beside the least W at log c_b ≤ ε',
      Number(short(outputDistance(gaussian!.pmf, pmfOf('geometric:scale=0.1')))),
      mechanismsAt(gaussian!.pmf, '2', 15).optimum.value,
    ],
    ['8b', 'W of geometric noise of scale 1 on Δ = ½ without and with the factor Δ', 2 * trueW, trueW],
    [
      9,
      'Σ_k |P_x(k) − P_x(k − 7)|, which P₂ weighs: said to depend on the input; Gaussian, Poisson',
      'depends',
      `${short(spread(gaussian!.pmf))}, ${short(spread(poisson!.pmf))}`,
    ],
    [10, 'W at ε = 4, Gaussian input: P₂ and P₁', optimum.entries[1]!.w, optimum.entries[0]!.w],
    [
      11,
      'δ(2) of the optimum cut to its window, without tails',
      0,
      number(
        privacyProfile(makePmf({ ...cut, left: null, right: null }), 15).deltaAt(parseDecimal('2')).upper,
      ),
    ],
    [
      12,
      'E θ of the optimum for the Zipf input of this report, ε = 1, m = 15',
      0,
      mechanismsAt(zipf, '1', 15).entries[0]!.mean,
    ],
    [13, 'E|error| of a record for the mechanism that ignores x and draws from p_x, whose W is 0', 0, copies],
    [
      14,
      'Total variation between the optimal noises for two neighbouring datasets taken as priors, ε = 2',
      0,
      totalVariation(designed(records([0, 0, 20, 20])), designed(records([0, 0, 5, 20]))),
    ],
  ];
}

export function errataSection(): Section {
  return {
    id: 'errata',
    title: 'Each error of the paper, by a number',
    words: [
      'Item, what is measured, what follows from the paper, what is true. The items are explained in docs/paper-and-truth.md.',
    ],
    charts: [],
    tables: [{ name: 'errata', header: ['item', 'what', 'paper', 'exact'], rows: errata() }],
  };
}
