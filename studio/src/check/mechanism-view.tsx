// A mechanism's claim, recomputed before one's eyes.

import type { Chart } from '../engine/chart.js';
import type { Engine } from '../engine/engine.js';
import { Command, shellWord } from '../parts/command.js';
import { Figure, Table } from '../parts/figure.js';
import { type Asked, useAsked } from './asked.js';
import type { CheckCalls } from './calls.js';
import type { Opened, Verified } from './mechanism.js';
import { problemInside } from './sentence.js';
import type { Witness } from './witness.js';

interface ViewProps {
  readonly engine: Engine<CheckCalls>;
  readonly file: File;
  readonly opening: Asked<Opened>;
}

export function MechanismView({ engine, file, opening }: ViewProps) {
  const { value: found, error, busy, steps } = useAsked(engine, 'verify', opening.value && { file }, '');
  const drawing = useAsked(engine, 'draw', found && { file }, '');
  const wrong = opening.error ?? error;
  return (
    <>
      {wrong ? (
        <div class="warning" role="alert" data-result="problem">
          <p class="verdict">Nothing is proved.</p>
          <p>The claim could not be checked. {problemInside(wrong)}</p>
        </div>
      ) : null}
      {found ? <Verdict found={found} /> : null}
      {wrong ? null : (
        <>
          <h3>Step by step, from the whole numbers alone</h3>
          <div role="status" aria-busy={busy}>
            <ol class="steps" data-result="steps">
              {(found?.steps ?? steps).map((words) => (
                <li key={words}>{words}</li>
              ))}
              {busy || opening.busy ? <li class="wait">working…</li> : null}
            </ol>
          </div>
        </>
      )}
      {found ? <Found found={found} charts={drawing.value ?? []} name={file.name} /> : null}
      <Command about={file.name} lines={[`discreet verify ${shellWord(file.name)}`]} />
    </>
  );
}

function Verdict({ found: { holds, claimed, certified, reach, step, guess } }: { readonly found: Verified }) {
  return (
    <>
      <div class={holds ? 'good' : 'warning'} role="status">
        <p class="verdict" data-result="verdict">
          {holds ? 'The claim holds.' : 'The claim does not hold.'}
        </p>
        <p>
          {holds
            ? `The file promises ε = ${claimed.epsilon}, δ = ${claimed.delta} for values up to ${reach} apart, and its numbers keep that. This is proved, whoever made the file.`
            : `The file promises ε = ${claimed.epsilon}, δ = ${claimed.delta} for values up to ${reach} apart. Its numbers give more away. Do not rely on it, and ask whoever made it.`}
        </p>
        <p data-result="guess">
          Between two values up to {reach} apart, the best guess from what is released is right at most{' '}
          {guess} of the time.
        </p>
      </div>
      <ul class="pair">
        <li>
          <b class="big" data-result="claimed">
            ε = {claimed.epsilon}, δ = {claimed.delta}
          </b>{' '}
          is claimed
        </li>
        <li>
          <b class="big" data-result="certified-epsilon">
            {certified.epsilon === null ? 'no ε' : `ε ≤ ${certified.epsilon}`}
          </b>{' '}
          {certified.epsilon === null ? 'suffices with δ = 0' : 'is certified with δ = 0'}
        </li>
        <li>
          <b class="big" data-result="certified-delta">
            δ ≤ {certified.delta}
          </b>{' '}
          is certified at ε = {claimed.epsilon}
        </li>
        <li>
          <b class="big" data-result="adjacency">
            {reach}
          </b>{' '}
          is how far a value may move, in steps of <span data-result="step">{step}</span>
        </li>
      </ul>
    </>
  );
}

function Found({
  found,
  charts,
  name,
}: {
  readonly found: Verified;
  readonly charts: readonly Chart[];
  readonly name: string;
}) {
  return (
    <>
      <h3>Where it gives the most away</h3>
      {found.set ? <Shown witness={found.set} name="set" label={`The set of outputs of ${name}`} /> : null}
      <Shown witness={found.ratio} name="witness" label={`The largest ratio of ${name}`} />
      <div class="side">
        {charts.map((chart) => (
          <Figure key={chart.title} chart={chart} about={name} />
        ))}
      </div>
      <h3>SHA-256 of its integers and claim</h3>
      <p class="hash" data-result="sha256">
        {found.hash}
      </p>
      <p class="small">A ledger names the mechanism by it. How the file says it was made does not count.</p>
      <h3>How it says it was made</h3>
      <p class="small">Not part of the proof: nothing above rests on it, and nothing here checks it.</p>
      {found.origin.length === 0 ? (
        <p>It says nothing.</p>
      ) : (
        <table class="pairs" data-result="origin">
          <tbody>
            {found.origin.map(([key, value]) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>
                  <pre>{value}</pre>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Shown({
  witness: { words, head, rows },
  name,
  label,
}: {
  readonly witness: Witness;
  readonly name: string;
  readonly label: string;
}) {
  return (
    <>
      <p data-result={name}>{words}</p>
      {rows.length > 0 ? <Table label={label} head={head} rows={rows} /> : null}
    </>
  );
}
