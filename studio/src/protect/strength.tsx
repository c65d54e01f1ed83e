// How strong, and what that does: the attacker's best guess, the typical error, and the column before and after, drawn again and again.

import { useEffect, useState } from 'preact/hooks';
import type { Engine } from '../engine/engine.js';
import { SliderField, TextField } from '../parts/field.js';
import { Fold } from '../parts/fold.js';
import { errorFor, figure, rough } from '../parts/words.js';
import type { Change, Values } from '../route.js';
import type { Preview } from './agreement.js';
import type { ProtectCalls } from './calls.js';
import { Outcomes } from './outcomes.js';
import type { Answers } from './state.js';
import type { Survey } from './survey.js';

export interface StrengthProps {
  readonly engine: Engine<ProtectCalls>;
  readonly answers: Answers;
  readonly preview: Preview | null;
  readonly survey: Survey;
  readonly values: Values;
  readonly change: Change;
  readonly error: unknown;
  /** Of the file. */
  readonly version: string;
  /** Do the figures belong to what is asked now? */
  readonly isFresh: boolean;
  /** What is being worked out. */
  readonly busy: string | null;
}

/** Places of the slider: figures that people say. */
const STOPS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 0.8, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6];

/** One sentence for whoever cannot see, once the figures rest. */
function Heard({ words }: { readonly words: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(words), 900);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
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
  isFresh,
  busy,
  answers,
  preview,
  survey,
  values,
  change,
  error,
  version,
}: StrengthProps) {
  const told = preview ? `right at most ${preview.person.guessed} of the time` : '';
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
        stops={STOPS}
        told={`ε = ${answers.epsilon}, ${told}`}
        onChange={(epsilon) => change({ epsilon })}
        error={errorFor(error, 'epsilon')}
        hint={`${words(Number(answers.epsilon))}${answers.columns.length > 1 ? `; it is shared by ${answers.columns.length} columns` : ''}`}
      />
      {preview ? (
        <>
          <p role="status" class="small">
            {busy ?? ''}
          </p>
          <Heard words={isFresh ? `ε = ${answers.epsilon}: ${told}` : ''} />
          <div class={isFresh ? '' : 'busy'} aria-busy={!isFresh}>
            {preview.person.several ? (
              <ul class="pair">
                <li>
                  <b class="big" data-result="together">
                    {preview.person.guessed}
                  </b>{' '}
                  of the time at most, the best guess {preview.person.about}, is right. Tossing a coin is
                  right 50 % of the time.
                </li>
              </ul>
            ) : null}
            {preview.columns.map((column) => (
              <ul class="pair" key={column.name}>
                <li>
                  <b
                    class={preview.person.several ? '' : 'big'}
                    data-result="guess"
                    data-column={column.name}
                  >
                    {column.guessed}
                  </b>{' '}
                  of the time at most, somebody who wavers between two values of “{column.name}” that are{' '}
                  {column.adjacency} apart guesses right after seeing the result. Tossing a coin is right 50 %
                  of the time.
                </li>
                <li>
                  <b class="big" data-result="error" data-column={column.name}>
                    ± {column.published ? rangeWords(column.published) : rough(column.meanAbs)}
                  </b>{' '}
                  is how far one value of “{column.name}” is off on average
                  {column.published
                    ? ', depending on what it truly is'
                    : `; at most ${figure(column.nineOfTen)} in 9 of 10 rows`}
                  .
                </li>
                <li>
                  <b class="big">± {rough(column.meanOff)}</b> is how far{' '}
                  {column.published
                    ? 'noise alone moves the mean of all rows'
                    : 'the mean of all rows is off'}
                  , about.{' '}
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
            isFresh={isFresh}
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
      <Fold
        title="More about the noise"
        open={answers.prior !== '' || answers.delta !== '0' || answers.step !== '1'}
      >
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
      </Fold>
    </section>
  );
}

function rangeWords({
  leastError,
  greatestError,
}: NonNullable<Preview['columns'][number]['published']>): string {
  const [least, most] = [rough(leastError), rough(greatestError)];
  return least === most ? least : `${least} to ${most}`;
}

function biasWords({
  leastBias,
  greatestBias,
}: NonNullable<Preview['columns'][number]['published']>): string {
  const side = (bias: number) => `${figure(Math.abs(bias))} too ${bias < 0 ? 'low' : 'high'}`;
  return `Because values are moved into bounds, one comes out from ${side(leastBias)} to ${side(greatestBias)} on average.`;
}
