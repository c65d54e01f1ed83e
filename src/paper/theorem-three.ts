// The remarks on Theorem 3 of [QHFL]: its Gaussian noise beside the discrete Gaussian of [CKS], in figures.

import { parseDecimal, rational, toNumberNear } from '../exact/index.js';
import { type Guarantee, guaranteeOf } from '../mechanism/index.js';
import { lastIndex, moments, type Pmf, probabilities } from '../pmf/index.js';
import type { CheckedClaim } from './claims.js';
import { paperEstimates } from './estimate.js';
import { type Section, tableFrom } from './section.js';
import { noiseOf, pmfOf } from './setting.js';
import { percent, short } from './words.js';

const SIGMAS = ['1', '2', '5', '10', '20', '50'];
/** σ and M with m = 1, as in the remark. */
const EXAMPLES: readonly (readonly [string, number])[] = [
  ['2', 5],
  ['5', 10],
  ['10', 21],
  ['10', 30],
];
/** Figures that differ by less are almost the same. */
const ALMOST = 0.05;

const rounded = (sigma: string, m: number) => guaranteeOf(noiseOf(`gaussian:sigma=${sigma}`), m);
const discrete = (sigma: string, m: number) => guaranteeOf(noiseOf(`discrete-gaussian:sigma=${sigma}`), m);

function deltaAt(guarantee: Guarantee, epsilon: number): number {
  return toNumberNear(guarantee.deltaAt(parseDecimal(String(epsilon))));
}

/** Both estimates of δ at the ε = 2M/σ² of the remark, and the exact δ of both noises there. */
function estimates() {
  return EXAMPLES.map(([sigma, cut]) => {
    const square = Number(sigma) ** 2;
    const epsilon = (2 * cut) / square;
    const [own] = paperEstimates(noiseOf(`gaussian:sigma=${sigma}`), 1, rational(BigInt(cut)));
    const height = 1 / Math.sqrt(2 * Math.PI * square);
    const floored = Math.floor(epsilon * square * (1 + 1e-12));
    let tail = 0;
    for (let k = cut; k < cut + 40 * Number(sigma); k++) tail += Math.exp((-k * k) / (2 * square));
    return {
      σ: Number(sigma),
      M: cut,
      'ε = 2M/σ²': epsilon,
      'ε of Table V': toNumberNear(own!.epsilon.upper),
      "Canonne's estimate of δ": height * Math.exp((-floored * floored) / (2 * square)),
      "the paper's estimate of δ": 2 * height * tail,
      'exact δ, discrete': deltaAt(discrete(sigma, 1), epsilon),
      'exact δ, rounded': deltaAt(rounded(sigma, 1), epsilon),
    };
  });
}

/** The exact δ of both discretisations as σ grows, at m = 1 and ε = 1/σ. */
function discretisations() {
  return SIGMAS.map((sigma) => {
    const epsilon = 1 / Number(sigma);
    const [own, other] = [rounded(sigma, 1), discrete(sigma, 1)].map((one) => deltaAt(one, epsilon));
    const [a, b] = [`gaussian:sigma=${sigma}`, `discrete-gaussian:sigma=${sigma}`].map((text) =>
      moments(pmfOf(text)),
    );
    return {
      σ: Number(sigma),
      'δ(1/σ), rounded': own!,
      'δ(1/σ), discrete': other!,
      'they differ by': Math.abs(own! / other! - 1),
      'E θ, rounded': Number(short(toNumberNear(a!.mean))),
      'E θ, discrete': Number(short(toNumberNear(b!.mean))),
    };
  });
}

/** [CKS]'s δ as the remark quotes it: P(θ > εσ²/Δ − Δ/2) − e^ε·P(θ > εσ²/Δ + Δ/2), Δ = 1. */
function quoted(sigma: string, epsilon: number): number {
  const noise: Pmf = pmfOf(`discrete-gaussian:sigma=${sigma}`);
  const { p } = probabilities(noise, noise.from, lastIndex(noise));
  const above = (x: number) => p.reduce((sum, q, i) => (noise.from + i > x ? sum + q : sum), 0);
  const middle = epsilon * Number(sigma) ** 2;
  return above(middle - 0.5) - Math.exp(epsilon) * above(middle + 0.5);
}

export function theoremThreeClaims(): CheckedClaim[] {
  const [found, wide] = [estimates(), discretisations()];
  const pure = SIGMAS.flatMap((sigma) => [rounded(sigma, 1), discrete(sigma, 1)]).filter(
    (guarantee) => guarantee.pure !== null,
  );
  const offAt = (m: number) =>
    ['0.1', '0.3', '0.5'].map((epsilon) => {
      const exact = deltaAt(discrete('10', m), Number(epsilon));
      return { quoted: quoted('10', Number(epsilon)), exact };
    });
  const same = offAt(1).every(({ quoted: q, exact }) => Math.abs(q / exact - 1) < 1e-6);
  const wider = offAt(5);
  const stated = found.every((row) => Math.abs(row['ε = 2M/σ²'] / row['ε of Table V'] - 1) < 1e-9);
  const safe = found.every(
    (row) =>
      row["Canonne's estimate of δ"] >= row['exact δ, discrete'] &&
      row["the paper's estimate of δ"] >= row['exact δ, rounded'],
  );
  const times = found.map((row) => row["the paper's estimate of δ"] / row["Canonne's estimate of δ"]);
  const apart = found.map((row) => Math.abs(row['exact δ, rounded'] / row['exact δ, discrete'] - 1));
  const last = wide.at(-1)!;
  return [
    {
      claim: 'Gaussian noise is (ε, δ)-DP only, whichever way it is made discrete',
      verdict: pure.length === 0 ? 'holds' : 'does not hold',
      numbers: `no pure ε at σ = ${SIGMAS.join(', ')}, rounded or discrete`,
    },
    {
      claim: "Canonne's δ as quoted, P(θ > εσ²/Δ − Δ/2) − e^ε·P(θ > εσ²/Δ + Δ/2)",
      verdict: same ? 'holds in part' : 'does not hold',
      numbers: `exact for the discrete Gaussian at m = Δ; Δ is the sensitivity there, and read as the step it is unsound at m = 5, σ = 10: ${wider.map(({ quoted: q, exact }) => `${short(q)} instead of ${short(exact)}`).join(', ')} at ε = 0.1, 0.3, 0.5`,
    },
    {
      claim: 'At m = 1 the estimate of ε is 2M/σ²',
      verdict: stated ? 'holds' : 'does not hold',
      numbers: found.map((row) => `${short(row['ε of Table V'])} at σ = ${row.σ}, M = ${row.M}`).join(', '),
    },
    {
      claim: 'Both estimates of δ bound it at that ε, m = 1',
      verdict: safe ? 'holds' : 'does not hold',
      numbers: found
        .map(
          (row) =>
            `${short(row["Canonne's estimate of δ"])} and ${short(row["the paper's estimate of δ"])} for ${short(row['exact δ, discrete'])} and ${short(row['exact δ, rounded'])}`,
        )
        .join('; '),
    },
    {
      claim: 'The two estimates of δ are only slightly different',
      verdict: Math.max(...times) < 2 ? 'holds' : 'does not hold',
      numbers: `the paper's is ${times.map(short).join(', ')} times Canonne's: one falls as e^(−M²/2σ²), the other as e^(−2M²/σ²)`,
    },
    {
      claim: 'They differ because of the distinct discretisation methods',
      verdict: times.every((factor, i) => factor - 1 < 2 * apart[i]!) ? 'holds' : 'does not hold',
      numbers: `the exact δ of the two noises differ by ${apart.map(percent).join(', ')}; the rest is the estimate`,
    },
    {
      claim: 'Under a large σ the guarantees of both discretisations are almost the same',
      verdict: last['they differ by'] < ALMOST ? 'holds' : 'does not hold',
      numbers: `exact δ at ε = 1/σ, m = 1 differ by ${wide.map((row) => `${short(100 * row['they differ by'])} % (σ = ${row.σ})`).join(', ')}; almost the same is within ${percent(ALMOST)}`,
    },
    {
      claim: 'The discrete Gaussian is the more accurate discretisation',
      verdict: wide.every((row) => Math.abs(row['E θ, discrete']) < Math.abs(row['E θ, rounded']))
        ? 'holds'
        : 'does not hold',
      numbers: `the density has the mean 0, the discrete Gaussian ${short(last['E θ, discrete'])}, rounding down ${short(last['E θ, rounded'])} at σ = ${last.σ}`,
    },
  ];
}

export function theoremThree(): Section {
  return {
    id: 'theorem3',
    title: 'Theorem 3: its remarks, checked',
    words: [
      'What the paper says of its Gaussian noise, rounded down to the lattice, beside the discrete Gaussian of Canonne, Kamath and Steinke; Δ = 1, μ = 0. Table V and the theorem itself stand above.',
    ],
    charts: [],
    tables: [
      tableFrom(
        'theorem3-claims',
        theoremThreeClaims().map((claim) => ({ ...claim })),
      ),
      tableFrom('theorem3-estimates', estimates()),
      tableFrom('theorem3-discretisations', discretisations()),
    ],
  };
}
