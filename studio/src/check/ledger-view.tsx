// A ledger's export: whole or not, and what each dataset has spent.

import type { Engine } from '../engine/engine.js';
import { useLatest } from '../engine/latest.js';
import { Command, commandLine, shellWord } from '../parts/command.js';
import { TextField } from '../parts/field.js';
import { Table } from '../parts/figure.js';
import { errorFor, isElsewhere } from '../parts/words.js';
import { type Change, one, type Values } from '../route.js';
import type { CheckCalls } from './calls.js';
import type { Checked } from './ledger.js';
import type { Mechanisms } from './released-view.js';
import { problemOf, sentence } from './sentence.js';

interface ViewProps {
  readonly engine: Engine<CheckCalls>;
  readonly file: File;
  readonly values: Values;
  readonly change: Change;
  readonly mechanisms: Mechanisms;
}

export function LedgerView({ engine, file, values, change, mechanisms }: ViewProps) {
  const head = one(values, 'head') ?? '';
  const { value: found, error, busy, words } = useLatest(engine, 'ledger', { file, head });
  return (
    <>
      <TextField
        option="head"
        label="A head to look for"
        hint="From a report or an earlier export, 64 signs. Without it nobody can tell whether entries are missing at the end."
        value={head}
        onChange={(next) => change({ head: next.trim() })}
        error={errorFor(error, 'head')}
      />
      {busy ? (
        <p role="status" class="small">
          {words ?? 'reading'}…
        </p>
      ) : null}
      {isElsewhere(error, ['head']) ? (
        <p class="warning" role="alert" data-result="problem">
          {problemOf(error, file)}
        </p>
      ) : null}
      {found && !error ? <Found found={found} head={head} mechanisms={mechanisms} name={file.name} /> : null}
      <Command
        about={file.name}
        lines={[
          commandLine(`discreet ledger import ${shellWord(file.name)}`, [
            ['--ledger', 'checked.db'],
            ['--head', head],
          ]),
        ]}
      />
      <p class="small">It checks the export in full and makes a new ledger of it only where it is whole.</p>
    </>
  );
}

function Found({
  found,
  head,
  mechanisms,
  name,
}: {
  readonly found: Checked;
  readonly head: string;
  readonly mechanisms: Mechanisms;
  readonly name: string;
}) {
  const { kept, missing } = found.mechanisms;
  const uses = new Map(found.uses);
  return (
    <>
      <div class={found.whole ? 'good' : 'warning'} role="status">
        <p class="verdict" data-result="verdict">
          {!found.whole
            ? 'The ledger is not whole.'
            : head === ''
              ? 'The ledger is whole, as far as it goes.'
              : 'The ledger is whole.'}
        </p>
        {found.whole ? (
          <p>
            {found.entries} entries, none edited, removed or moved
            {head === '' ? '' : `; the given head is that of entry ${found.at}`}
            {kept + missing === 0 ? '' : `; ${kept} of ${kept + missing} mechanisms are kept`}.
            {head === ''
              ? ' Whether some are missing at its end cannot be told without a head from a report.'
              : ''}
          </p>
        ) : (
          <ul data-result="problems">
            {found.problems.map((problem) => (
              <li key={problem}>{sentence(problem)}</li>
            ))}
          </ul>
        )}
      </div>
      {found.whole ? (
        <p>
          Its head, to be kept and looked for later:{' '}
          <span class="hash" data-result="head">
            {found.head ?? 'none'}
          </span>
        </p>
      ) : null}
      {(found.whole ? mechanisms : []).map(({ file, opened }) => (
        <p key={file.name} data-result="used">
          {opened && uses.has(opened.hash)
            ? `${file.name} is the mechanism that entry ${uses.get(opened.hash)!.join(', ')} was charged for.`
            : `${file.name} is in no entry of this ledger.`}
        </p>
      ))}
      {found.trusted < found.entries ? (
        <p data-result="before-break">
          What follows is what the first {found.trusted} of {found.entries} entries say, before the break. One
          of them may be the one that was changed: do not rely on it.
        </p>
      ) : null}
      {found.datasets.map((dataset) => (
        <DatasetView key={dataset.name} dataset={dataset} where={name} />
      ))}
    </>
  );
}

function DatasetView({
  dataset,
  where,
}: {
  readonly dataset: Checked['datasets'][number];
  readonly where: string;
}) {
  const { name, accountant, unit, terms, status, entries } = dataset;
  return (
    <section data-result="dataset" data-dataset={name} aria-label={`The dataset ${name} in ${where}`}>
      <h3>{name}</h3>
      <p class="small">
        {unit ? sentence(unit) : 'No budget was set.'}{' '}
        {terms.length > 0 ? `A record may differ in ${terms.join(', ')}. ` : ''}Added up by {accountant}.
      </p>
      <Table
        label={`What ${name} may spend and has spent by ${where}`}
        head={['dataset', 'releases', 'budget ε', 'spent ε', 'left ε', 'budget δ', 'spent δ', 'left δ']}
        rows={status}
        stacked
      />
      <Table
        label={`Entries of ${name} in ${where}`}
        head={['entry', 'time (UTC)', 'act', 'columns', 'ε', 'δ', 'state', 'into']}
        rows={entries}
        stacked
      />
    </section>
  );
}
