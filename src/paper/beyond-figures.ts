// Beyond the paper: what the exact optimum gains over its relaxation, and the optimum under (ε, δ).

import { alternatives, design, parseObjective } from '../design/index.js';
import { parseDecimal, rational, toNumberNear } from '../exact/index.js';
import { errorQuantile, moments, standardDeviation } from '../pmf/index.js';
import { type Chart, type Reproduction, type Section, withData } from './section.js';
import { furtherInputs, mechanismsAt, step } from './setting.js';

export function gainOverRelaxation({ inputs }: Reproduction): Section {
  const rows = furtherInputs(inputs).flatMap(({ name, pmf }) =>
    ['1', '2', '3', '4'].map((epsilon) => {
      const { optimum, entries } = mechanismsAt(pmf, epsilon, 15);
      const [p1, p2] = entries as [(typeof entries)[0], (typeof entries)[0]];
      return [
        name,
        Number(epsilon),
        p1.w,
        p2.w,
        Math.abs(1 - p1.w / p2.w) < 1e-9 ? 0 : 100 * (1 - p1.w / p2.w),
        p1.meanAbs,
        p2.meanAbs,
        p1.mean,
        standardDeviation(moments(p1.pmf)),
        toNumberNear(errorQuantile(p1.pmf, rational(95n, 100n))),
        optimum.gap,
      ];
    }),
  );
  const names = [...new Set(rows.map(([name]) => name as string))];
  const chart: Chart = {
    name: 'gain',
    kind: 'line',
    title: 'What solving P₁ exactly gains over P₂, m = 15',
    x: 'ε',
    y: 'per cent of W',
    series: names.map((name) => ({
      name,
      points: rows
        .filter((row) => row[0] === name)
        .map((row) => ({ x: row[1] as number, y: row[4] as number })),
    })),
  };
  return withData(
    'gain',
    'Beyond the paper: P₁ against its relaxation',
    [
      'P₂ minimises E|θ| and so does not see the input. The exact optimum trades some error of the record for a closer distribution; its bias E θ need not be 0.',
    ],
    [chart],
    [
      {
        name: 'gain-table',
        header: [
          'input',
          'ε',
          'W of P1',
          'W of P2',
          'gain in %',
          'E|θ| of P1',
          'E|θ| of P2',
          'bias of P1',
          'standard deviation of P1',
          '95 % of records off by at most',
          'gap',
        ],
        rows,
      },
    ],
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
      return [
        Number(epsilon),
        Number(delta),
        found.value,
        found.lowerBound,
        pure.value,
        gaussian?.value ?? null,
      ];
    }),
  );
  return {
    id: 'delta',
    title: 'Beyond the paper: the optimum under (ε, δ), m = 5',
    words: [
      'The least E|θ| with δ > 0, its proved lower bound, the pure optimum, and the discrete Gaussian calibrated to the same (ε, δ).',
    ],
    charts: [],
    tables: [
      {
        name: 'delta',
        header: ['ε', 'δ', 'E|θ| of the optimum', 'proved lower bound', 'pure optimum', 'discrete Gaussian'],
        rows,
      },
    ],
  };
}
