// Four questions in plain words, each with what it means for the columns that were chosen.

import type { Engine } from '../engine/engine.js';
import { useLatest } from '../engine/latest.js';
import { CheckField, SelectField, TextField } from '../parts/field.js';
import { errorFor } from '../parts/words.js';
import type { Change, Values } from '../route.js';
import type { ProtectCalls } from './calls.js';
import type { LedgerState } from './keeping.js';
import { type Answers, type Unit, withNamed } from './state.js';
import type { Survey } from './survey.js';

type Budget = NonNullable<LedgerState['datasets'][number]['budget']>;

export interface QuestionsProps {
  readonly engine: Engine<ProtectCalls>;
  readonly survey: Survey;
  readonly version: string;
  readonly answers: Answers;
  /** Of the dataset, where it has one: then two of the questions are answered. */
  readonly budget: Budget | null;
  readonly values: Values;
  readonly change: Change;
  readonly error: unknown;
}

const UNITS: readonly (readonly [Unit, string])[] = [
  ['row', 'One row is one person'],
  ['column', 'A column says whose row it is'],
  ['several', 'A person has several rows, and no column says whose'],
  ['unknown', 'I do not know: protect each row by itself'],
];

export function Questions(props: QuestionsProps) {
  const { engine, survey, version, answers, budget, values, change, error } = props;
  const people = useLatest(engine, 'people', answers.person === '' ? null : { column: answers.person }, {
    version,
  }).value;
  const rows = budget ? (budget.perPerson ?? 1) : Number(answers.perPerson || '1');
  return (
    <section class="card" aria-labelledby="questions-title">
      <h2 id="questions-title">
        <span class="number">3</span> What must stay hidden?
      </h2>
      <SelectField
        option="unit"
        label="What is one person here?"
        value={answers.unit}
        options={UNITS}
        onChange={(unit) => change({ unit })}
        hint={UNIT_HINTS[answers.unit]}
      />
      {answers.unit === 'column' ? (
        <SelectField
          option="person"
          label="The column that tells persons apart"
          value={answers.person}
          options={[
            ['', 'choose one'],
            ...survey.columns
              .filter(({ name }) => !answers.columns.includes(name))
              .map(({ name }) => [name, name] as const),
          ]}
          onChange={(person) => change({ person })}
          error={errorFor(error, 'person')}
          hint={
            people
              ? `On your screen only: ${people.people.toLocaleString('en')} persons${people.whole ? '' : ' in the part that was looked at'}, of whom nobody has more than ${people.most} ${people.most === 1 ? 'row' : 'rows'}.`
              : undefined
          }
        />
      ) : null}
      {answers.unit === 'column' || answers.unit === 'several' ? (
        <TextField
          option="per-person"
          numeric
          label="How many rows may one person have?"
          value={budget ? String(rows) : answers.perPerson}
          disabled={budget !== null}
          onChange={(k) => change({ 'per-person': k })}
          error={
            errorFor(error, 'perPerson') ??
            (people && people.most > rows
              ? `somebody has ${people.most} rows: the release would be refused. Allow more, or take rows out of the file`
              : null)
          }
          hint={
            budget
              ? 'As it is stated in the budget of this data.'
              : 'By what you know of the data, not by what this file happens to hold. Twice the rows take twice the noise.'
          }
        />
      ) : null}
      {answers.columns.map((name) => {
        const column = survey.columns.find((own) => own.name === name)!;
        const declared = budget?.adjacency[name];
        const far = declared ?? answers.adjacency[name] ?? '';
        return (
          <TextField
            key={name}
            option="adjacency"
            column={name}
            numeric
            label={`How far may one value of “${name}” move, unnoticed?`}
            value={far}
            placeholder="for example 5"
            disabled={declared !== undefined}
            onChange={(value) => change({ adjacency: withNamed(values, 'adjacency', name, value) })}
            error={far === '' ? 'say how far, such as 5' : errorFor(error, 'adjacency')}
            hint={hidden(name, far, column.low, column.high, declared !== undefined)}
          />
        );
      })}
      <Messy answers={answers} change={change} error={error} />
    </section>
  );
}

const UNIT_HINTS: Readonly<Record<Unit, string>> = {
  row: 'The promise is for a whole person, if nobody is in the file twice.',
  column: 'Rows of each person are counted, and the promise is for all of them together.',
  several: 'The promise is for all rows of a person together, on your word.',
  unknown:
    'The promise is for one row. Whoever has several is protected in each of them, not in all together; the report says so.',
};

/** What the distance hides, by an example. */
function hidden(
  name: string,
  far: string,
  low: number | null,
  high: number | null,
  declared: boolean,
): string {
  const by = Number(far);
  const from = low === null ? 2 : Math.max(low, Math.min(2, high ?? 2));
  const example =
    Number.isFinite(by) && by > 0
      ? `Hides whether “${name}” was ${from} or ${Number((from + by).toPrecision(6))}, or anything between. `
      : 'Which difference in one row would be embarrassing, or worth money? ';
  const all =
    low !== null && high !== null && by >= high - low ? 'That covers every value in this file. ' : '';
  return `${example}${all}${declared ? 'As it is stated in the budget of this data.' : 'Larger differences are hidden less, smaller ones more. Twice as far takes twice the noise.'}`;
}

/** Cells that are no plain numbers. */
function Messy({
  answers,
  change,
  error,
}: {
  readonly answers: Answers;
  readonly change: Change;
  readonly error: unknown;
}) {
  const errors = ['na', 'map', 'decimal'].map((field) => errorFor(error, field));
  const open =
    errors.some((words) => words !== null) ||
    answers.na !== '' ||
    answers.map !== '' ||
    answers.decimal !== '' ||
    answers.skipInvalid;
  return (
    <details open={open}>
      <summary>My file is messy</summary>
      <TextField
        option="na"
        label="Marks for no value"
        placeholder="NA,-"
        value={answers.na}
        onChange={(na) => change({ na: na || null })}
        error={errors[0]}
        hint="Cells with these texts come out empty. Separate them by commas."
      />
      <div class="field">
        <label for="map">Texts that stand for a number, one to a line</label>
        <textarea
          id="map"
          data-field="map"
          rows={3}
          placeholder="85+=85"
          value={answers.map}
          aria-describedby="map-error"
          onInput={({ currentTarget: { value } }) => change({ map: value === '' ? null : value.split('\n') })}
        />
        <p class="error" id="map-error" role="alert">
          {errors[1] ?? ''}
        </p>
      </div>
      <SelectField
        option="decimal"
        label="Decimals"
        value={answers.decimal}
        options={[
          ['', 'plain numbers: 1234.5'],
          ['.', 'after a point, thousands in groups: 1,234.5'],
          [',', 'after a comma: 1.234,5'],
        ]}
        onChange={(decimal) => change({ decimal: decimal || null })}
        error={errors[2]}
      />
      <CheckField
        option="skip-invalid"
        label="Empty cells that are no numbers at all"
        checked={answers.skipInvalid}
        onChange={(on) => change({ 'skip-invalid': on ? '1' : null })}
        hint="Which they were is not hidden."
      />
    </details>
  );
}
