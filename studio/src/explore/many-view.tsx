// What many releases of the noise cost together.

import { useEffect, useRef } from 'preact/hooks';
import type { Chart } from '../engine/chart.js';
import { engineOf } from '../engine/engine.js';
import { useLatest } from '../engine/latest.js';
import { Command, commandLine, shellWord } from '../parts/command.js';
import { TextField } from '../parts/field.js';
import { Figure, Table } from '../parts/figure.js';
import { errorFor, errorWords, isElsewhere } from '../parts/words.js';
import type { Many } from './many.js';
import type { NoiseWanted } from './read.js';
import type { Fields } from './state.js';
import type { ExploreCalls } from './worker.js';

const load = () => import('./worker.ts?worker-source');
const totalEngine = engineOf<ExploreCalls>(load);
const growthEngine = engineOf<ExploreCalls>(load);

export function ManyReleases({
  fields: { get, set },
  noise,
  begun,
}: {
  readonly fields: Fields;
  readonly noise: Pick<NoiseWanted, 'noise' | 'adjacency' | 'step' | 'table'>;
  /** May it begin? */
  readonly begun: boolean;
}) {
  const wanted = { ...noise, times: get('times', '12'), delta: get('delta', '') || '1e-6' };
  const {
    value: found,
    error,
    busy,
  } = useLatest(totalEngine, 'many', begun ? wanted : null, { stops: true });
  // The picture comes after the figures, and is given up with them.
  const settled = found !== null && !busy && !error;
  const growth = useLatest(growthEngine, 'growth', settled ? wanted : null, { stops: true });
  useEffect(() => {
    if (!settled && growth.busy) growthEngine.stop();
  }, [settled]);
  // Until there is a new one, the old one stays, pale.
  const drawn = useRef<Chart | null>(null);
  if (growth.value) drawn.current = growth.value.chart;
  useEffect(
    () => () => {
      totalEngine.stop();
      growthEngine.stop();
    },
    [],
  );
  return (
    <section aria-labelledby="many" aria-busy={busy}>
      <h2 id="many">Many releases</h2>
      <p>
        The same noise again and again, fresh each time: all of it together mostly costs less than the sum.
      </p>
      <div class="trio" data-form="many">
        <TextField
          option="times"
          numeric
          label="How often it is released"
          value={wanted.times}
          onChange={(text) => set('times', text)}
          error={errorFor(error, 'times')}
        />
        <TextField
          option="delta"
          numeric
          label="δ, the same as above"
          placeholder="1e-6"
          value={get('delta', '')}
          onChange={(text) => set('delta', text)}
          error={errorFor(error, 'delta')}
        />
      </div>
      <p role="status" class="small">
        {busy
          ? 'adding it up…'
          : error
            ? found
              ? `not worked out; what follows is still of ${found.noise}, ${found.times} times`
              : 'not worked out'
            : found
              ? `worked out in ${Math.round(found.taken)} ms`
              : ''}
      </p>
      {isElsewhere(error, ['noise', 'adjacency', 'step', 'times', 'delta']) ? (
        <p class="warning">{errorWords(error)}</p>
      ) : null}
      {found ? (
        <div class={busy ? 'busy' : ''}>
          <Total found={found} />
          <p role="status" class="small">
            {growth.busy ? (growth.words ?? 'drawing how it grows…') : ''}
          </p>
          {drawn.current ? (
            <div class={growth.busy ? 'busy' : ''} data-result="growth">
              <Figure chart={drawn.current} />
            </div>
          ) : null}
          <Command
            title="Many releases as a command"
            lines={[
              commandLine(`discreet account ${shellWord(found.noise)}`, [
                ['--adjacency', found.adjacency],
                ['--step', found.step === '1' ? null : found.step],
                ['--times', String(found.times)],
                ['--delta', found.delta],
              ]),
            ]}
          />
        </div>
      ) : null}
    </section>
  );
}

function Total({ found }: { readonly found: Many }) {
  const { upper, lower, times, delta, rules, rho, mu } = found;
  return (
    <>
      <ul class="pair">
        <li>
          <b class="big" data-result="total-upper">
            {upper === null ? 'no ε' : `ε ≤ ${upper}`}
          </b>{' '}
          {upper === null
            ? `at δ = ${delta}: outputs that only one dataset can give are more likely than δ`
            : `${times === 1 ? 'for one release' : `for all ${times} releases together`}, at δ = ${delta}`}
        </li>
        {lower === null || upper === null ? null : (
          <li>
            <b class="big" data-result="total-lower">
              ε ≥ {lower}
            </b>{' '}
            proved from below: the truth lies between the two
          </li>
        )}
        <li>
          <b class="big" data-result="attacker">
            {found.attacker}
          </b>{' '}
          of the time, at most, two neighbouring datasets are told apart; a coin is right half the time
        </li>
      </ul>
      <div data-result="rules">
        <Table
          label="The same by other rules"
          head={['rule', `ε at δ = ${delta}`, 'against ours']}
          rows={[
            ['this account', upper ?? 'none', ''],
            ...rules.map(({ name, epsilon, ratio }) => [name, epsilon, ratio]),
          ]}
          own={0}
          stacked
        />
      </div>
      <p class="small">
        zCDP ρ = {rho ?? 'none'}, GDP μ = {mu ?? 'none'}. How: {found.how}.
      </p>
    </>
  );
}
