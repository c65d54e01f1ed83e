// A budget among columns: what each one needs, or what each one gets.

import { useEffect, useRef } from 'preact/hooks';
import { engineOf } from '../engine/engine.js';
import { useLatest } from '../engine/latest.js';
import { Command, commandLine } from '../parts/command.js';
import { SelectField, TextField } from '../parts/field.js';
import { Table } from '../parts/figure.js';
import { errorFor, errorWords, figure, isElsewhere } from '../parts/words.js';
import type { Change, Values } from '../route.js';
import { ColumnFields } from './column-fields.js';
import type { Split, SplitCalls } from './split-worker.js';
import { columnsOf, type Fields, type SplitColumn, writeColumn } from './state.js';

const engine = engineOf<SplitCalls>(() => import('./split-worker.ts?worker-source'));

const MOST_COLUMNS = 12;
const WAYS = [
  ['error', 'a wanted error for each: which ε does it take?'],
  ['epsilon', 'one ε for all of them: how far off is each?'],
] as const;

export function BudgetSplit({
  values,
  change,
  fields: { get, set },
  step,
  begun,
}: {
  readonly values: Values;
  readonly change: Change;
  readonly fields: Fields;
  readonly step: string;
  /** May it begin? */
  readonly begun: boolean;
}) {
  const columns = columnsOf(values);
  const isTotal = get('by', 'error') === 'epsilon';
  const total = get('total', '2');
  const wanted = { columns, step, total: isTotal ? total : null };
  const {
    value: found,
    error,
    busy,
    words,
  } = useLatest(engine, 'split', begun ? wanted : null, { stops: true });
  useEffect(() => engine.stop, []);
  const adding = useRef<HTMLButtonElement>(null);
  const write = (next: readonly SplitColumn[]) => change({ split: next.map(writeColumn) });
  const remove = (place: number) => {
    write(columns.filter((_, i) => i !== place));
    // The button that was pressed goes with its column.
    adding.current?.focus();
  };
  return (
    <section aria-labelledby="split" aria-busy={busy}>
      <h2 id="split">A budget among columns</h2>
      <p class="lead">
        Whoever sees several columns of one person learns from all of them: their ε add up. The noise is the
        best that a release makes for each column with nothing known of the data, with δ = 0
        {step === '1' ? '' : `, in steps of ${step}`}.
      </p>
      <div class="measure">
        <SelectField
          option="split-by"
          label="What is given"
          value={isTotal ? 'epsilon' : 'error'}
          options={WAYS}
          onChange={(way) => change({ by: way === 'error' ? null : way })}
        />
        {isTotal ? (
          <TextField
            option="epsilon"
            column="all"
            numeric
            label="ε of all columns together"
            value={total}
            onChange={(text) => set('total', text)}
            error={errorFor(error, 'epsilon')}
          />
        ) : null}
      </div>
      {columns.map((column, i) => (
        <ColumnFields
          key={i}
          column={column}
          place={i}
          isTotal={isTotal}
          error={error}
          onChange={(next) => write(columns.map((old, k) => (k === i ? next : old)))}
          onRemove={columns.length > 1 ? () => remove(i) : null}
        />
      ))}
      <button
        ref={adding}
        type="button"
        class="quiet"
        data-action="add-column"
        disabled={columns.length >= MOST_COLUMNS}
        onClick={() =>
          write([...columns, { name: freshName(columns), adjacency: '1', error: '1', share: '1' }])
        }
      >
        Add a column
      </button>
      <p role="status" class="small">
        {busy
          ? (words ?? 'working it out…')
          : error
            ? `not worked out${found ? '; what follows is of before' : ''}`
            : ''}
      </p>
      {isElsewhere(error, ['column', 'adjacency', 'targetError', 'share', 'epsilon', 'step']) ? (
        <p class="warning">{errorWords(error)}</p>
      ) : null}
      {found ? (
        <div class={busy ? 'busy' : ''}>
          <Found found={found} step={step} columns={columns} isTotal={isTotal} />
        </div>
      ) : null}
    </section>
  );
}

function freshName(columns: readonly SplitColumn[]): string {
  for (let i = columns.length + 1; ; i++)
    if (columns.every(({ name }) => name !== `column ${i}`)) return `column ${i}`;
}

interface FoundProps {
  readonly found: Split;
  readonly step: string;
  readonly columns: readonly SplitColumn[];
  readonly isTotal: boolean;
}

function Found({ found: { rows, total, even, guess }, step, columns, isTotal }: FoundProps) {
  const unit = step === '1' ? null : step;
  const adjacencies = rows.map(({ name, adjacency }) => ['--adjacency', `${name}=${adjacency}`] as const);
  return (
    <>
      <ul class="pair">
        <li>
          <b class="big" data-result="total-epsilon">
            ε = {total}
          </b>{' '}
          in all, for one person with one row
        </li>
        {guess === null ? null : (
          <li>
            <b class="big" data-result="together">
              {guess}
            </b>{' '}
            of the time at most, somebody who sees all columns and wavers between two versions of a person is
            right; tossing a coin is right 50 % of the time
          </li>
        )}
      </ul>
      <div data-result="split">
        <Table
          stacked
          label="Each column, with its noise"
          head={['column', 'adjacency', 'ε', 'off by, on average', 'in 9 of 10', 'best guess']}
          rows={rows.map(({ name, adjacency, shown, error, within, guess }) => [
            name,
            adjacency,
            shown,
            figure(error),
            `≤ ${figure(within)}`,
            `≤ ${guess}`,
          ])}
        />
      </div>
      <p class="small">
        Best guess: how often somebody is right, at most, who sees that column alone and wavers between two
        values an adjacency apart; 50 % is tossing a coin.
      </p>
      <Command
        title="The columns as a command"
        lines={
          isTotal
            ? [
                commandLine('discreet ledger init --dataset name', [['--epsilon', total], ...adjacencies]),
                commandLine('discreet release data.csv --dataset name', [
                  ...rows.map(({ name }) => ['--column', name] as const),
                  ...(even
                    ? [['--epsilon', total] as const]
                    : rows.map(({ name, epsilon }) => ['--epsilon', `${name}=${epsilon}`] as const)),
                  ['--step', unit],
                  ['-o', 'released.csv'],
                ]),
              ]
            : [
                commandLine('discreet tradeoff', [
                  ...adjacencies,
                  ...columns.map(({ name, error }) => ['--target-error', `${name.trim()}=${error}`] as const),
                  ['--step', unit],
                ]),
              ]
        }
      />
    </>
  );
}
