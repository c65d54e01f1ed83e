// The budget: how much may be published of this data in all, and what is left of it.

import { useState } from 'preact/hooks';
import type { Engine } from '../engine/engine.js';
import { Drop, download } from '../parts/drop.js';
import { TextField } from '../parts/field.js';
import { Table } from '../parts/figure.js';
import { errorFor, errorWords } from '../parts/words.js';
import type { Change } from '../route.js';
import type { Preview } from './agreement.js';
import type { ProtectCalls } from './calls.js';
import type { LedgerState } from './keeping.js';
import type { Answers } from './state.js';

export interface LedgerCardProps {
  readonly engine: Engine<ProtectCalls>;
  readonly answers: Answers;
  readonly state: LedgerState | null;
  /** Datasets that may be of the same people, as long as nobody has said whether they are. */
  readonly alike: readonly string[];
  readonly preview: Preview | null;
  readonly change: Change;
  readonly error: unknown;
  /** Entries were added. */
  readonly onChanged: () => void;
}

export function LedgerCard({
  engine,
  answers,
  state,
  alike,
  preview,
  change,
  error,
  onChanged,
}: LedgerCardProps) {
  const own = state?.fixed ?? null;
  const others = (state?.datasets ?? []).filter(
    ({ name, releases }) => name !== own?.name && releases.length > 0,
  );
  const [many, few] = [others.length, others.slice(0, 3).map(({ name }) => `“${name}”`)];
  return (
    <section class="card" aria-labelledby="budget-title">
      <h2 id="budget-title">
        <span class="number">6</span> The budget
      </h2>
      {answers.ledger === 'practice' ? (
        <p class="good">
          This is for practice: it is written into a ledger of its own, which counts for nothing else.
        </p>
      ) : null}
      <TextField
        option="dataset"
        label="Name of the data"
        value={alike.length > 0 ? '' : answers.dataset}
        list={state?.datasets.map(({ name }) => name) ?? []}
        onChange={(dataset) => change({ dataset })}
        error={errorFor(error, 'dataset')}
        hint="All files about the same people share one name, and one budget: new files of the same people are no new data."
      />
      {alike.length > 0 ? (
        <Whose alike={alike} dataset={answers.dataset} onAnswer={(dataset) => change({ dataset })} />
      ) : own ? (
        <p data-result="budget">
          <b>{own.left?.epsilon === '0' ? 'Nothing' : `ε = ${own.left?.epsilon}`}</b> of ε ={' '}
          {own.budget!.epsilon} is left for “{own.name}”.
          {preview ? ` This release takes ${costWords(preview.cost)}.` : ''}
        </p>
      ) : (
        <>
          <TextField
            option="budget"
            numeric
            label="ε that may be published of this data in all, for ever"
            value={answers.budget}
            onChange={(budget) => change({ budget })}
            error={errorFor(error, 'budget')}
            hint="3 lets you publish three times at ε = 1. Beyond it this page refuses. It is fixed with the first release."
          />
          {Number(answers.delta) === 0 ? null : (
            <TextField
              option="budget-delta"
              numeric
              label="δ in all"
              value={answers.budgetDelta}
              onChange={(delta) => change({ 'budget-delta': delta })}
            />
          )}
          {many > 0 ? (
            <p class="warning">
              This ledger knows {few.join(', ')}
              {many > few.length ? ` and ${many - few.length} more` : ''} already. Are these the same people?
              Then take that name: a new name would give them a second budget.
            </p>
          ) : null}
        </>
      )}
      {preview && !preview.fits && alike.length === 0 ? (
        <p class="error" role="alert" data-result="beyond">
          This would cost {costWords(preview.cost)}, and {preview.left ? costWords(preview.left) : 'nothing'}{' '}
          is left of {preview.budget ? costWords(preview.budget) : 'the budget'}. Nothing is released beyond
          the budget
          {own
            ? own.left?.epsilon === '0'
              ? '.'
              : ': make the noise stronger.'
            : ': make the noise stronger, or allow more in all.'}
        </p>
      ) : null}
      <Keeping engine={engine} answers={answers} state={state} onChanged={onChanged} />
    </section>
  );
}

/** Names that are asked about. */
const MOST = 6;

/** A column of the same name was protected before: whether it is of the same people, the publisher must say. */
function Whose({
  alike,
  dataset,
  onAnswer,
}: {
  readonly alike: readonly string[];
  readonly dataset: string;
  readonly onAnswer: (dataset: string) => void;
}) {
  return (
    <fieldset data-result="whose">
      <legend>Are these people whose data was published before?</legend>
      <p>
        This ledger has {alike.length === 1 ? 'data' : `${alike.length} kinds of data`} with a column of the
        same name as one of this file. A later month of the same people shares their budget: under a name of
        its own it would get a second one.
      </p>
      <div class="row">
        {alike.slice(0, MOST).map((name) => (
          <button
            key={name}
            type="button"
            class="quiet"
            data-action="same-people"
            data-value={name}
            onClick={() => onAnswer(name)}
          >
            Yes, those of “{name}”
          </button>
        ))}
        <button type="button" class="quiet" data-action="other-people" onClick={() => onAnswer(dataset)}>
          No, nobody in this file is in {alike.length === 1 ? 'it' : 'any of them'}: a new budget for “
          {dataset}”
        </button>
      </div>
      {alike.length > MOST ? (
        <p class="hint">For one of {alike.length - MOST} others, write its name above.</p>
      ) : null}
    </fieldset>
  );
}

function costWords({ epsilon, delta }: { readonly epsilon: string; readonly delta: string }): string {
  return `ε = ${epsilon}${Number(delta) === 0 ? '' : `, δ = ${delta}`}`;
}

const STATES = {
  open: 'not finished: counts as spent',
  complete: 'released',
  void: 'refused: nothing spent',
  abort: 'failed: counts as spent',
};

/** Where it is kept, in plain words, and how it gets out and in. */
function Keeping({
  engine,
  answers,
  state,
  onChanged,
}: Pick<LedgerCardProps, 'engine' | 'answers' | 'state' | 'onChanged'>) {
  const [problem, setProblem] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  if (!state) return null;
  const save = async () => {
    const text = await engine.ask('exportLedger', { name: answers.ledger });
    download('ledger.jsonl', new Blob([text], { type: 'application/x-ndjson' }));
  };
  const load = async (file: File) => {
    setSaid('');
    try {
      const problems = await engine.ask('importLedger', { name: answers.ledger, text: await file.text() });
      setProblem(problems.length > 0 ? `${file.name}: ${problems.join('; ')}. Nothing was taken over` : null);
      if (problems.length === 0) setSaid(`${file.name} is taken over`);
      onChanged();
    } catch (error) {
      setProblem(errorWords(error));
    }
  };
  const releases = state.datasets.flatMap(({ name, releases: own }) =>
    own.map((release) => ({ name, ...release })),
  );
  return (
    <>
      {state.kept ? null : (
        <p class="warning" data-result="unkept">
          <b>The budget is not kept.</b> {state.why ?? 'This browser keeps no data for this page'}. When you
          close the page, what was spent is forgotten: save <b>ledger.jsonl</b> with the result, and open it
          here the next time.
        </p>
      )}
      <details>
        <summary>
          The ledger: {state.entries} {state.entries === 1 ? 'entry' : 'entries'}
        </summary>
        <p class="hint">
          {state.kept
            ? 'It is kept by this browser on this machine, for the address of this page alone: another browser, another address or port has another ledger, and whoever clears the data of this page clears it too. So save it beside your results. It holds what was spent, names of files and columns, and noise; no value of your data.'
            : 'It is kept in memory, until the page is closed.'}
        </p>
        {releases.length > 0 ? (
          <Table
            stacked
            label="Releases"
            head={['entry', 'data', 'time', 'columns', 'ε', 'state']}
            rows={releases.map(({ entry, name, time, columns, epsilon, state: own }) => [
              String(entry),
              name,
              time.slice(0, 16).replace('T', ' '),
              columns.join(', '),
              epsilon,
              STATES[own],
            ])}
          />
        ) : null}
        {state.head ? <p class="hash">head {state.head}</p> : null}
        <div class="row">
          <button
            type="button"
            class="quiet"
            data-action="export-ledger"
            disabled={state.entries === 0}
            onClick={() => void save()}
          >
            Save ledger.jsonl
          </button>
        </div>
        <Drop
          label="Open a ledger.jsonl of this page or of the command"
          hint="It is checked in full. It must be new here, or go on where this one ends."
          accept=".jsonl"
          onFiles={([file]) => void load(file!)}
          error={problem}
        />
        <p role="status" class="small" data-result="imported">
          {said}
        </p>
      </details>
    </>
  );
}
