// How strong, and what that does: the attacker's best guess, the typical error, and the column before and after, drawn again and again.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine } from '../engine/engine.js';
import { SelectField, SliderField, TextField } from '../parts/field.js';
import { Figure, Table } from '../parts/figure.js';
import { errorFor, figure, rough, share } from '../parts/words.js';
import type { Change, Values } from '../route.js';
import type { Preview } from './agreement.js';
import type { ProtectCalls } from './calls.js';
import type { Resampled } from './picture.js';
import { type Answers, withNamed } from './state.js';
import type { Survey } from './survey.js';

export interface StrengthProps {
  readonly engine: Engine<ProtectCalls>;
  readonly answers: Answers;
  readonly preview: Preview | null;
  readonly survey: Survey;
  readonly values: Values;
  readonly change: Change;
  readonly error: unknown;
  /** Another one draws anew. */
  readonly version: string;
}

/** What an ε means, for data about people. */
function words(epsilon: number): string {
  if (epsilon <= 0.2) return 'next to nothing is learned of anybody; only large totals remain';
  if (epsilon <= 0.75) return 'cautious';
  if (epsilon <= 1.5) return 'a good beginning for data about people';
  if (epsilon <= 2.5) return 'for data that is hardly sensitive';
  return epsilon <= 4 ? 'weak' : 'hardly any protection';
}

export function Strength({
  engine,
  answers,
  preview,
  survey,
  values,
  change,
  error,
  version,
}: StrengthProps) {
  const strongest = preview?.columns.reduce((a, b) => (b.guess > a.guess ? b : a));
  const told = strongest ? `right at most ${percentUp(strongest.guess)} of the time` : '';
  return (
    <section class="card" aria-labelledby="strength-title">
      <h2 id="strength-title">
        <span class="number">4</span> How strong?
      </h2>
      <SliderField
        option="epsilon"
        label="ε for this release: small is private, large is exact"
        value={answers.epsilon}
        low={0.1}
        high={6}
        told={`ε = ${answers.epsilon}, ${told}`}
        onChange={(epsilon) => change({ epsilon })}
        error={errorFor(error, 'epsilon')}
        hint={`${words(Number(answers.epsilon))}${answers.columns.length > 1 ? `; it is shared by ${answers.columns.length} columns` : ''}`}
      />
      {preview ? (
        <>
          <div role="status" class="pairs-told">
            {preview.columns.map((column) => (
              <ul class="pair" key={column.name}>
                <li>
                  <b class="big" data-result="guess" data-column={column.name}>
                    {percentUp(column.guess)}
                  </b>{' '}
                  of the time at most, somebody who wavers between two values of “{column.name}” that are{' '}
                  {column.adjacency} apart guesses right after seeing the result. Tossing a coin is right 50 %
                  of the time.
                </li>
                <li>
                  <b class="big" data-result="error" data-column={column.name}>
                    ± {rough(column.meanAbs)}
                  </b>{' '}
                  is how far one value of “{column.name}” is off on average; at most{' '}
                  {figure(column.nineOfTen)} in 9 of 10 rows.
                </li>
                <li>
                  <b class="big">± {rough(column.meanOff)}</b> is how far the mean of all rows is off, about.{' '}
                  {column.published ? biasWords(column.published) : 'The noise goes up as often as down.'}
                </li>
              </ul>
            ))}
          </div>
          {[
            ...preview.warnings,
            ...preview.columns.flatMap(({ warnings, published }) => [
              ...warnings,
              ...(published?.warning ? [published.warning] : []),
            ]),
          ].map((line) => (
            <p class="warning" key={line}>
              <b>Mind:</b> {line}.
            </p>
          ))}
          <Outcomes
            engine={engine}
            preview={preview}
            survey={survey}
            version={version}
            answers={answers}
            values={values}
            change={change}
            error={error}
          />
        </>
      ) : null}
      <details open={answers.prior !== '' || answers.delta !== '0' || answers.step !== '1'}>
        <summary>More about the noise</summary>
        <TextField
          option="prior"
          label="What is publicly known of these numbers"
          placeholder="poisson:rate=3"
          value={answers.prior}
          onChange={(prior) => change({ prior: prior || null })}
          error={errorFor(error, 'prior')}
          hint="The noise is then the best for such numbers. Never take it from this file: that would tell of it."
        />
        <TextField
          option="step"
          numeric
          label="Smallest unit of the numbers"
          value={answers.step}
          onChange={(step) => change({ step })}
          error={errorFor(error, 'step')}
          hint="1 for counts, 0.01 for money with cents. Numbers are rounded to multiples of it."
        />
        <TextField
          option="delta"
          numeric
          label="A small chance that the promise fails (δ)"
          value={answers.delta}
          onChange={(delta) => change({ delta })}
          error={errorFor(error, 'delta')}
          hint="0 is the strongest promise."
        />
      </details>
    </section>
  );
}

function percentUp(x: number): string {
  return `${(Math.ceil(x * 1000 - 1e-9) / 10).toFixed(1).replace('.0', '')} %`;
}

function biasWords({
  leastBias,
  greatestBias,
}: NonNullable<Preview['columns'][number]['published']>): string {
  const side = (bias: number) => `${figure(Math.abs(bias))} too ${bias < 0 ? 'low' : 'high'}`;
  return `Because values are moved into bounds, one comes out from ${side(leastBias)} to ${side(greatestBias)} on average.`;
}

const PAUSE = 1400;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** One column before and after; a new outcome comes by itself, unless motion is not wanted. */
function Outcomes({
  engine,
  preview,
  survey,
  version,
  answers,
  values,
  change,
  error,
}: Omit<StrengthProps, 'preview'> & { readonly preview: Preview }) {
  const names = preview.columns.map(({ name }) => name);
  const [picked, pick] = useState(names[0]!);
  const column = names.includes(picked) ? picked : names[0]!;
  const [moving, setMoving] = useState(!still());
  const [outcome, setOutcome] = useState<Resampled | null>(null);
  const alive = useRef(0);
  const draw = async () => {
    const own = alive.current;
    const next = await engine.ask('resample', { column }).catch(() => null);
    if (own === alive.current) setOutcome(next);
  };
  const key = JSON.stringify([
    version,
    column,
    answers.epsilon,
    answers.delta,
    answers.step,
    answers.prior,
    answers.adjacency,
    answers.clamp,
    preview.columns,
  ]);
  useEffect(() => {
    alive.current++;
    void draw();
    if (!moving) return;
    const timer = setInterval(() => {
      if (!document.hidden) void draw();
    }, PAUSE);
    return () => clearInterval(timer);
  }, [key, moving]);
  const bounds = answers.clamp[column] ?? '';
  return (
    <div class="screen-only">
      <p>
        <b>On your screen only, not for release.</b> This shows the true column.
      </p>
      {names.length > 1 ? (
        <SelectField
          option="shown"
          label="Show"
          value={column}
          options={names.map((name) => [name, name] as const)}
          onChange={pick}
        />
      ) : null}
      {outcome ? (
        <>
          <Figure chart={outcome.chart} />
          <div class="row">
            <button type="button" class="quiet" data-action="again" onClick={() => void draw()}>
              Draw again
            </button>
            <button
              type="button"
              class="quiet"
              data-action="move"
              aria-pressed={moving}
              onClick={() => setMoving(!moving)}
            >
              {moving ? 'Stop redrawing' : 'Keep redrawing'}
            </button>
          </div>
          <Table
            label="Some values before and after"
            head={['value', ...outcome.examples.map((_, i) => `row ${i + 1}`)].slice(
              0,
              1 + outcome.examples.length,
            )}
            rows={[
              ['before', ...outcome.examples.map(([before]) => figure(before))],
              ['after', ...outcome.examples.map(([, after]) => figure(after))],
            ]}
          />
          <p class="small">
            Mean before {figure(outcome.mean[0])}, after {figure(outcome.mean[1])}
            {outcome.values < survey.rows ? `, of ${outcome.values.toLocaleString('en')} rows` : ''}.
            {outcome.negative[1] > outcome.negative[0] + 0.001
              ? ` ${share(outcome.negative[1])} of the values come out below 0${outcome.negative[0] === 0 ? ', although none is' : ''}: that is noise, no error. Readers leave them as they are, or every mean would be too large.`
              : ''}
          </p>
        </>
      ) : (
        <p role="status">Nothing to draw: the column holds no numbers.</p>
      )}
      <TextField
        option="clamp"
        column={column}
        label={`Keep “${column}” within`}
        placeholder="no bounds"
        value={bounds}
        onChange={(value) => change({ clamp: withNamed(values, 'clamp', column, value) })}
        error={errorFor(error, 'clamp')}
        hint="For example 0,80: values beyond are moved to the bounds. It costs nothing, and makes means wrong; better leave it empty."
      />
    </div>
  );
}
