// Four questions in plain words, each with what it means for the columns that were chosen.

import { CheckField, SelectField, TextField } from '../parts/field.js';
import { Fold } from '../parts/fold.js';
import { errorFor } from '../parts/words.js';
import type { Change, Values } from '../route.js';
import { own as ownValue } from './by-column.js';
import type { LedgerState } from './keeping.js';
import { type Answers, type Unit, unitsFor, withNamed } from './state.js';
import type { People, Survey, SurveyColumn } from './survey.js';

export interface QuestionsProps {
  readonly survey: Survey;
  readonly people: People | null;
  readonly answers: Answers;
  /** Of the dataset, once something was released under its budget: then some questions are answered. */
  readonly fixed: LedgerState['fixed'];
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

export function Questions({ survey, people, answers, fixed, values, change, error }: QuestionsProps) {
  const units = unitsFor(fixed);
  const { columns, perPerson, person, unit } = answers;
  const others = survey.columns.filter(({ name }) => !columns.includes(name));
  return (
    <section class="card" aria-labelledby="questions-title">
      <h2 id="questions-title">
        <span class="number">3</span> What must stay hidden?
      </h2>
      <SelectField
        option="unit"
        label="What is one person here?"
        value={unit}
        options={UNITS.filter(([key]) => units.includes(key))}
        onChange={(own) => change({ unit: own })}
        hint={`${UNIT_HINTS[unit]}${fixed ? ` ${FIXED}` : ''}`}
      />
      {unit === 'column' ? (
        <SelectField
          option="person"
          label="The column that tells persons apart"
          value={person}
          options={[['', 'choose one'], ...others.map(({ name }) => [name, name] as const)]}
          onChange={(own) => change({ person: own })}
          error={person === '' ? 'choose the column, so that rows can be counted' : errorFor(error, 'person')}
          hint={
            people
              ? `On your screen only: ${people.people.toLocaleString('en')} persons${people.whole ? '' : ' in the part that was looked at'}, of whom nobody has more than ${people.most} ${people.most === 1 ? 'row' : 'rows'}.`
              : undefined
          }
        />
      ) : null}
      {unit === 'column' || unit === 'several' ? (
        <TextField
          option="per-person"
          numeric
          label="How many rows may one person have?"
          value={perPerson}
          disabled={fixed !== null}
          onChange={(k) => change({ 'per-person': k })}
          error={errorFor(error, 'perPerson') ?? crowdedWords(people, perPerson, fixed !== null)}
          hint={
            fixed
              ? FIXED
              : 'By what you know of the data, not by what this file happens to hold. Twice the rows take twice the noise.'
          }
        />
      ) : null}
      {columns.map((name) => {
        const column = survey.columns.find((own) => own.name === name)!;
        const declared = fixed?.adjacency.find((own) => own.column === name)?.adjacency ?? null;
        const far = declared ?? ownValue(answers.adjacency, name);
        return (
          <TextField
            key={name}
            option="adjacency"
            column={name}
            numeric
            label={`How far may one value of “${name}” move, unnoticed?`}
            value={far}
            placeholder="e.g. 5"
            disabled={declared !== null}
            onChange={(value) => change({ adjacency: withNamed(values, 'adjacency', name, value) })}
            error={far === '' ? null : errorFor(error, 'adjacency')}
            hint={hidden(column, far, answers.step, declared !== null)}
          />
        );
      })}
      <Messy answers={answers} change={change} error={error} />
    </section>
  );
}

const FIXED = 'Fixed by the first release of this data.';

/** Why a release would be refused, of whoever has more rows; null where nobody has. */
export function crowdedWords(people: People | null, perPerson: string, isFixed: boolean): string | null {
  if (!people || people.most <= Number(perPerson || '1')) return null;
  return `somebody has ${people.most} rows, so nothing can be released; ${isFixed ? '' : 'allow more, or '}take rows out of the file`;
}

const UNIT_HINTS: Readonly<Record<Unit, string>> = {
  row: 'The promise is for a whole person, if nobody is in the file twice.',
  column: 'Rows of each person are counted, and the promise is for all of them together.',
  several: 'The promise is for all rows of a person together, on your word.',
  unknown:
    'The promise is for one row. Whoever has several is protected in each of them, not in all together; the report says so.',
};

/** Steps beyond which noise takes long to make. */
const MANY_STEPS = 5000;

/** What the distance hides, by an example from the middle of this column. */
function hidden(
  { name, low, high, middle }: SurveyColumn,
  far: string,
  step: string,
  isFixed: boolean,
): string {
  const by = Number(far);
  if (!(Number.isFinite(by) && by > 0))
    return 'Which difference in one row would be embarrassing, or worth money? For visits to a doctor perhaps 5, for an age 10, for a cost what one treatment costs.';
  const from = middle ?? 2;
  const all =
    low !== null && high !== null && by >= high - low ? ' That covers every value in this file.' : '';
  const steps = by / Number(step);
  const many =
    steps > MANY_STEPS
      ? ` That is ${Math.round(steps).toLocaleString('en')} steps of ${step}, for which noise takes long to make: choose a larger smallest unit (4), such as ${Number((by / 500).toPrecision(1))}.`
      : '';
  return `Hides whether “${name}” was ${from} or ${Number((from + by).toPrecision(6))}, or anything between.${all}${many} ${isFixed ? FIXED : 'Larger differences are hidden less, smaller ones more. Twice as far takes twice the noise.'}`;
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
    <Fold title="My file is messy" open={open}>
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
        label="Make cells empty that hold no number at all"
        checked={answers.skipInvalid}
        onChange={(on) => change({ 'skip-invalid': on ? '1' : null })}
        hint="Which they were is not hidden."
      />
    </Fold>
  );
}
