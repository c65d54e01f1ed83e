// One column before and after, on the screen of whoever has it, drawn again and again, so that noise is felt.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Engine } from '../engine/engine.js';
import { SelectField, TextField } from '../parts/field.js';
import { Figure, Table } from '../parts/figure.js';
import { errorFor, figure, rough, share } from '../parts/words.js';
import type { Change, Values } from '../route.js';
import type { Preview } from './agreement.js';
import { own } from './by-column.js';
import type { ProtectCalls } from './calls.js';
import type { Resampled } from './picture.js';
import { type Answers, withNamed } from './state.js';
import type { Survey } from './survey.js';

export interface OutcomesProps {
  readonly engine: Engine<ProtectCalls>;
  readonly answers: Answers;
  readonly preview: Preview;
  readonly isFresh: boolean;
  readonly survey: Survey;
  readonly values: Values;
  readonly change: Change;
  readonly error: unknown;
  /** Of the file. */
  readonly version: string;
}

const PAUSE = 1400;
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** One column before and after; a new outcome comes by itself, unless motion is not wanted. */
export function Outcomes({
  engine,
  isFresh,
  preview,
  survey,
  version,
  answers,
  values,
  change,
  error,
}: OutcomesProps) {
  const names = preview.columns.map(({ name }) => name);
  const [picked, pick] = useState(names[0]!);
  const column = names.includes(picked) ? picked : names[0]!;
  const [moving, setMoving] = useState(!still());
  // Undefined while the first one is drawn.
  const [outcome, setOutcome] = useState<Resampled | null | undefined>(undefined);
  const alive = useRef(0);
  const place = useRef<HTMLDivElement>(null);
  const draw = async () => {
    const own = alive.current;
    const next = await engine.ask('resample', { version, column }).catch(() => null);
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
    if (!isFresh) return;
    void draw();
    if (!moving) return;
    const timer = setInterval(() => {
      // Neither where nobody looks, nor while another noise is being made.
      if (!document.hidden && isFresh && place.current?.offsetParent !== null) void draw();
    }, PAUSE);
    return () => clearInterval(timer);
  }, [key, moving]);
  const bounds = own(answers.clamp, column);
  const { meanOff: off, meanAbs } = preview.columns.find(({ name }) => name === column)!;
  // Of another file, while figures of the last one are still shown, there may be no such column.
  const { low = null, high = null } = survey.columns.find(({ name }) => name === column) ?? {};
  const drowned = low !== null && high !== null && high > low && meanAbs > (high - low) / 2;
  const useless = outcome != null && off > 0.5 * Math.abs(outcome.mean[0]);
  return (
    <div class="screen-only" ref={place}>
      <p>
        <b>On your screen only, not for release.</b> This shows the true column.
      </p>
      {drowned ? (
        <p class="warning" data-result="drowned">
          <b>Mind:</b> the noise in one value, ± {rough(meanAbs)}, is large beside the values themselves,
          which lie between {figure(low)} and {figure(high)}: single values and small groups will tell
          nothing, only means over many rows. A smaller distance, fewer rows per person or a larger ε makes
          less noise.
        </p>
      ) : null}
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
            <button type="button" class="quiet" data-action="move" onClick={() => setMoving(!moving)}>
              {moving ? 'Stop redrawing' : 'Keep redrawing'}
            </button>
          </div>
          <Table
            label="Some values before and after"
            head={['row', 'before', 'after']}
            rows={outcome.examples.map(([before, after], i) => [
              String(i + 1),
              figure(before),
              figure(after),
            ])}
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
        <p role="status">
          {outcome === undefined ? 'drawing…' : 'Nothing to draw: the column holds no numbers.'}
        </p>
      )}
      {useless ? (
        <p class="warning" data-result="useless">
          <b>Mind:</b> the noise in the mean of all rows is as large as the mean itself: the result will tell
          next to nothing. Allow fewer rows per person, a smaller distance or a larger ε, or protect more
          rows.
        </p>
      ) : null}
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
