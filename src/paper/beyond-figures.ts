// Beyond the paper: what the exact optimum gains over its relaxation, and the optimum under (ε, δ).

import { alternatives, design, parseObjective } from '../design/index.js';
import { parseDecimal, rational, toNumberNear } from '../exact/index.js';
import { errorQuantile, moments, standardDeviation } from '../pmf/index.js';
import { type Chart, type Reproduction, type Section, tableFrom, withData } from './section.js';
import { furtherInputs, mechanismsAt, step } from './setting.js';

export function gainOverRelaxation({ inputs }: Reproduction): Section {
  const rows = furtherInputs(inputs).flatMap(({ name, pmf }) =>
    ['1', '2', '3', '4'].map((epsilon) => {
      const { optimum, entries } = mechanismsAt(pmf, epsilon, 15);
      const [p1, p2] = entries as [(typeof entries)[0], (typeof entries)[0]];
      return {
        input: name,
        ε: Number(epsilon),
        'W of P1': p1.w,
        'W of P2': p2.w,
        'gain in %': Math.abs(1 - p1.w / p2.w) < 1e-9 ? 0 : 100 * (1 - p1.w / p2.w),
        'E|θ| of P1': p1.meanAbs,
        'E|θ| of P2': p2.meanAbs,
        'bias of P1': p1.mean,
        'standard deviation of P1': standardDeviation(moments(p1.pmf)),
        '95 % of records off by at most': toNumberNear(errorQuantile(p1.pmf, rational(95n, 100n))),
        gap: optimum.gap,
      };
    }),
  );
  const names = [...new Set(rows.map(({ input }) => input))];
  const chart: Chart = {
    name: 'gain',
    kind: 'line',
    title: 'What solving P₁ exactly gains over P₂, m = 15',
    x: 'ε',
    y: 'per cent of W',
    series: names.map((name) => ({
      name,
      points: rows.filter(({ input }) => input === name).map((row) => ({ x: row.ε, y: row['gain in %'] })),
    })),
  };
  return withData(
    'gain',
    'Beyond the paper: P₁ against its relaxation',
    [
      'P₂ minimises E|θ| and so does not see the input. The exact optimum trades some error of the record for a closer distribution; its bias E θ need not be 0.',
    ],
    [chart],
    [tableFrom('gain-table', rows)],
  );
}

export function approximateOptimum(): Section {
  const rows = (['0.5', '1', '2'] as const).flatMap((epsilon) =>
    ['1e-6', '1e-3'].map((delta) => {
      const target = { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta), adjacency: 5 };
      const options = {
        objective: parseObjective('magnitude', step),
        prior: null,
        unbiased: false,
        symmetric: false,
      };
      const found = design(target, options, step);
      const pure = design({ ...target, delta: rational(0n) }, options, step);
      const gaussian = alternatives(target, options, step).find(({ name }) => name === 'discrete-gaussian');
      return {
        ε: Number(epsilon),
        δ: Number(delta),
        'E|θ| of the optimum': found.value,
        'proved lower bound': found.lowerBound,
        'pure optimum': pure.value,
        'discrete Gaussian': gaussian?.value ?? null,
      };
    }),
  );
  return {
    id: 'delta',
    title: 'Beyond the paper: the optimum under (ε, δ), m = 5',
    words: [
      'The least E|θ| with δ > 0, its proved lower bound, the pure optimum, and the discrete Gaussian calibrated to the same (ε, δ).',
    ],
    charts: [],
    tables: [tableFrom('delta', rows)],
  };
}
