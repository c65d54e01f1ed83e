// Table V of [QHFL] beside the exact figures, and where its Gaussian estimate is unsound.

import { type Rational, rational, toNumberNear } from '../exact/index.js';
import { guaranteeOf } from '../mechanism/index.js';
import { parseNoise } from '../spec/index.js';
import { judge, paperEstimates } from './estimate.js';
import { type Chart, type Section, tableFrom, withData } from './section.js';
import { noiseOf, step } from './setting.js';

export function tableFive(): Section {
  const [whole, half] = [step, rational(1n, 2n)];
  /** Noise, m and M in data units, and Δ. */
  const sets: [string, number, number, Rational][] = [
    ['gaussian:sigma=10', 1, 21, whole],
    ['gaussian:sigma=10', 5, 15, whole],
    ['gaussian:sigma=10', 15, 30, whole],
    ['gaussian:sigma=5', 15, 25, whole],
    ['gaussian:sigma=2', 5, 10, whole],
    ['laplace:scale=7.5', 15, 0, whole],
    ['staircase:width=5,ratio=0.5', 15, 0, whole],
    ['staircase:width=4,ratio=0.5', 15, 0, whole],
    ['uniform:low=-20,high=20', 15, 0, whole],
    ['exponential:rate=0.2', 15, 0, whole],
    ['gaussian:sigma=10', 15, 30, half],
    ['laplace:scale=7.5', 15, 0, half],
    ['staircase:width=5,ratio=0.5', 15, 0, half],
    ['uniform:low=-20,high=20', 15, 0, half],
    ['exponential:rate=0.2', 15, 0, half],
  ];
  const rows = sets.flatMap(([text, m, cut, of]) => {
    const noise = parseNoise(text, of, () => []);
    const adjacency = Math.round(m / toNumberNear(of));
    const guarantee = guaranteeOf(noise, adjacency);
    return paperEstimates(noise, adjacency, rational(BigInt(cut))).map((estimate) => {
      const { source, epsilon, delta, exactDelta, verdict } = judge(estimate, guarantee);
      return {
        noise: text,
        Δ: toNumberNear(of),
        m,
        M: cut || null,
        source,
        'paper ε': toNumberNear(epsilon.upper),
        'paper δ': toNumberNear(delta.upper),
        'exact δ at that ε': exactDelta ? toNumberNear(exactDelta) : null,
        'exact pure ε': guarantee.pure ? toNumberNear(guarantee.pure.epsilonUpper) : null,
        verdict,
      };
    });
  });
  // Where the Gaussian estimate promises more than there is.
  const map: { m: number; cut: number; sigma: number; verdict: string }[] = [];
  for (const sigma of [5, 10]) {
    const noise = noiseOf(`gaussian:sigma=${sigma}`);
    for (let m = 1; m <= 25; m += 3) {
      const guarantee = guaranteeOf(noise, m);
      for (let cut = 5; cut <= 50; cut += 5) {
        const [estimate] = paperEstimates(noise, m, rational(BigInt(cut)));
        map.push({ m, cut, sigma, verdict: judge(estimate!, guarantee).verdict });
      }
    }
  }
  const charts = [5, 10].map(
    (sigma): Chart => ({
      name: `table5-map-${sigma}`,
      kind: 'map',
      title: `Where Table V's Gaussian estimate is unsound, σ = ${sigma}`,
      x: 'adjacency m',
      y: "the paper's constant M",
      series: ['loose', 'tight', 'unsound', 'undefined'].map((verdict) => ({
        name: verdict,
        points: map
          .filter((one) => one.sigma === sigma && one.verdict === verdict)
          .map(({ m, cut }) => ({ x: m, y: cut })),
      })),
    }),
  );
  // [QHFL, Appendix C] asks for M of at least m.
  const asked = map.filter(({ m, cut }) => cut >= m);
  const unsound = asked.filter(({ verdict }) => verdict === 'unsound').length;
  return withData(
    'table5',
    'Table V: what each mechanism guarantees',
    [
      "The paper's estimate, the exact δ at the estimated ε, the exact pure ε, and the verdict. Loose is safe but wasteful; unsound promises more privacy than there is; undefined is no guarantee at all.",
      `Of ${asked.length} combinations of m, M and σ on the maps with M ≥ m, as Appendix C asks, the Gaussian estimate is unsound in ${unsound}. Below the diagonal, where M < m, it is not claimed.`,
    ],
    charts,
    [tableFrom('table5', rows), tableFrom('table5-map', [{ combinations: asked.length, unsound }])],
  );
}
