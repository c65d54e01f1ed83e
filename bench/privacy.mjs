// The sup ratio and the profile over window and adjacency. Each time is set against the plainest pass over
// the same integers, their sum, in the same run: a ratio that stays level means linear cost.

import { parseDecimal, rational } from '../dist/exact/index.js';
import { makePmf } from '../dist/pmf/index.js';
import { privacyProfile, supRatio } from '../dist/privacy/index.js';
import { save, seconds } from './_report.mjs';

/** Smoothly falling weights of 448 bits on either side of a peak; rough ones have a ripple and are not unimodal. */
function noise(points, rough, tails) {
  const half = points / 2;
  const unit = 1n << 440n;
  const weights = Array.from({ length: points }, (_, i) => {
    const height = 1 - Math.abs(i - half) / (half + 1);
    const ripple = rough ? 1 + 0.05 * Math.sin(i / 7) : 1;
    return (unit * BigInt(Math.floor((0.05 + height) * ripple * 2 ** 40))) >> 34n;
  });
  const tail = tails ? { period: 1, ratio: rational(999n, 1000n) } : null;
  return makePmf({ step: rational(1n), from: -half, weights, left: tail, right: tail });
}

export async function run() {
  const rows = [];
  const epsilon = parseDecimal('0.05');
  for (const points of [10_000, 100_000, 1_000_000]) {
    const [withTails, without, rippled] = [
      noise(points, false, true),
      noise(points, false, false),
      noise(points, true, false),
    ];
    const sum = seconds(() => without.weights.reduce((a, b) => a + b, 0n));
    for (const m of [10, 1000, 100_000]) {
      const sup = seconds(() => supRatio(withTails, m), points > 100_000 ? 1 : 3);
      const profile = seconds(() => privacyProfile(without, m).deltaAt(epsilon), points > 100_000 ? 1 : 3);
      const search =
        m <= 1000 && points <= 100_000 ? seconds(() => privacyProfile(rippled, m).deltaAt(epsilon), 1) : null;
      const cell = (time) =>
        time === null ? '–' : `${(time * 1000).toFixed(0)} ms (${(time / sum).toFixed(0)}×)`;
      rows.push([
        points.toLocaleString('en'),
        m.toLocaleString('en'),
        `${(sum * 1000).toFixed(1)} ms`,
        cell(sup),
        cell(profile),
        cell(search),
      ]);
    }
  }
  save(
    'privacy',
    'Sup ratio and profile',
    ['window', 'm', 'sum of the weights', 'sup ratio', 'profile, unimodal', 'profile, rippled'],
    rows,
    [
      'Weights of 440 bits; the sup ratio with geometric tails on both sides. In brackets: times the sum of the same weights. The rippled noise is not unimodal, so its worst shift is searched.',
    ],
  );
  strangers();
}

/** Files that anyone may send: small, within the limits of the format, and made to take long. */
function strangers() {
  const one = rational(1n);
  const half = { period: 5, ratio: rational(1n, 2n) };
  const peaks = makePmf({ step: one, from: 0, weights: [1n, 3n, 2n, 5n, 1n], left: half, right: half });
  const long = { period: 1, ratio: rational(10n ** 20_000n - 1n, 10n ** 20_000n) };
  const digits = makePmf({ step: one, from: 0, weights: [1n, 3n, 2n, 5n, 1n], left: long, right: long });
  const claim = { epsilon: parseDecimal('1'), delta: parseDecimal('0.001') };
  const rows = [
    ['weights 1, 3, 2, 5, 1 and tails of ½ every 5 points', peaks, [1000, 10_000, 1_000_000]],
    ['the same with a ratio of 20,000 digits', digits, [1000]],
  ].flatMap(([title, pmf, adjacencies]) =>
    adjacencies.map((adjacency) => {
      let answer;
      const time = seconds(() => {
        try {
          answer = privacyProfile(pmf, adjacency).satisfies(claim.epsilon, claim.delta)
            ? 'holds'
            : 'does not hold';
        } catch (error) {
          answer = error.message;
        }
      }, 1);
      return [title, adjacency.toLocaleString('en'), `${(time * 1000).toFixed(0)} ms`, answer];
    }),
  );
  save(
    'privacy/strangers',
    'Files from strangers: is the claim ε = 1, δ = 0.001 kept?',
    ['file', 'm', 'time', 'answer'],
    rows,
    [],
  );
}
