// Which noise is looked at, and where.

import { Drop } from '../parts/drop.js';
import { SliderField, TextField } from '../parts/field.js';
import { errorFor } from '../parts/words.js';
import type { Fields } from './state.js';

const EXAMPLES = [
  'gaussian:sigma=10',
  'laplace:scale=7.5',
  'staircase:width=5,ratio=0.5',
  'uniform:low=-10,high=10',
  'exponential:rate=0.2',
  'discrete-gaussian:sigma=10',
  'geometric:scale=7.5',
  'geng-viswanath:epsilon=1,adjacency=15',
  'canonical:epsilon=1,delta=0.000001,adjacency=15',
  'table:noise.csv',
  'cdf:density.csv',
];

/** What a file for each of them holds. */
const TABLES: Readonly<Record<string, string>> = {
  table: 'A CSV with the columns value and probability, or the same as JSON.',
  cdf: 'A CSV with the columns value and cdf, or the same as JSON.',
};

export function NoisePanel({
  fields: { get, set },
  error,
  family,
  onTable,
}: {
  readonly fields: Fields;
  readonly error: unknown;
  readonly family: string;
  /** The file behind the noise was opened. */
  readonly onTable: (file: File) => void;
}) {
  const adjacency = get('adjacency', '15');
  const step = get('step', '1');
  const unit = Number(step) > 0 ? Number(step) : 1;
  return (
    <form class="panel" aria-labelledby="noise" onSubmit={(event) => event.preventDefault()}>
      <h2 id="noise">The noise</h2>
      <TextField
        option="noise"
        label="Family and parameters"
        hint="As in laplace:scale=7.5. The list has one of every family."
        value={get('noise', EXAMPLES[0]!)}
        list={EXAMPLES}
        onChange={(text) => set('noise', text)}
        error={errorFor(error, 'noise')}
      />
      <fieldset class="row">
        <legend class="hidden">Examples</legend>
        {EXAMPLES.map((example) => (
          <button
            key={example}
            type="button"
            class="quiet small"
            data-action="example"
            data-value={example}
            aria-pressed={example.startsWith(`${family}:`)}
            onClick={() => set('noise', example)}
          >
            {example.split(':')[0]}
          </button>
        ))}
      </fieldset>
      {Object.hasOwn(TABLES, family) ? (
        <Drop
          label="The noise, from a file"
          hint={TABLES[family]!}
          accept=".csv,.json"
          onFiles={([file]) => onTable(file!)}
        />
      ) : null}
      <SliderField
        option="adjacency"
        label="Adjacency, how far one record may move"
        value={adjacency}
        low={unit}
        high={100 * unit}
        grain={unit}
        told={`adjacency ${adjacency}`}
        onChange={(text) => set('adjacency', text)}
        error={errorFor(error, 'adjacency')}
      />
      <TextField
        option="epsilon"
        numeric
        label="ε to look at"
        hint="Its δ is shown. 1 where nothing is said."
        placeholder="1"
        value={get('epsilon', '')}
        onChange={(text) => set('epsilon', text)}
        error={errorFor(error, 'epsilon')}
      />
      <TextField
        option="delta"
        numeric
        label="δ to look at"
        hint="Its ε is shown. 1e-6 where nothing is said."
        placeholder="1e-6"
        value={get('delta', '')}
        onChange={(text) => set('delta', text)}
        error={errorFor(error, 'delta')}
      />
      <details open={step !== '1' || get('paper-cut', '') !== '' || errorFor(error, 'step') !== null}>
        <summary>More</summary>
        <TextField
          option="step"
          numeric
          label="Step, the smallest unit: how far neighbouring values are apart"
          value={step}
          onChange={(text) => set('step', text)}
          error={errorFor(error, 'step')}
        />
        {family === 'gaussian' ? (
          <TextField
            option="paper-cut"
            numeric
            label="M, where the paper cuts Gaussian noise"
            placeholder="3σ"
            value={get('paper-cut', '')}
            onChange={(text) => set('paper-cut', text)}
            error={errorFor(error, 'paperCut')}
          />
        ) : null}
      </details>
    </form>
  );
}
