// Any noise, looked at closely: what it promises exactly, what the paper says of it, many releases of it; and a budget among columns.

import { useEffect, useState } from 'preact/hooks';
import type { RoomProps } from '../app.js';
import { engineOf } from '../engine/engine.js';
import { useLatest } from '../engine/latest.js';
import { errorWords, isElsewhere } from '../parts/words.js';
import { Exact } from './exact-view.js';
import { ManyReleases } from './many-view.js';
import { NoisePanel } from './noise-panel.js';
import { Paper } from './paper-view.js';
import type { NoiseTable } from './read.js';
import { BudgetSplit } from './split-view.js';
import { fieldsOf } from './state.js';
import type { ExploreCalls } from './worker.js';

const load = () => import('./worker.ts?worker-source');
// Each can be given up without the others.
const figuresEngine = engineOf<ExploreCalls>(load);
const curvesEngine = engineOf<ExploreCalls>(load);

const FIELDS = ['noise', 'adjacency', 'step', 'epsilon', 'delta', 'paperCut'];

export function Explore({ route: { values }, change }: RoomProps) {
  const fields = fieldsOf(values, change);
  const { get, set } = fields;
  const [table, setTable] = useState<NoiseTable | null>(null);
  const noise = {
    noise: get('noise', 'gaussian:sigma=10'),
    adjacency: get('adjacency', '15'),
    step: get('step', '1'),
    table,
  };
  const wanted = { ...noise, epsilon: get('epsilon', '') || '1', delta: get('delta', '') || '1e-6' };
  const paperCut = get('paper-cut', '');
  const exact = useLatest(figuresEngine, 'figures', { ...wanted, paperCut }, { stops: true });
  // At first the figures alone, so that they are there soon.
  const begun = exact.value !== null || exact.error !== null;
  const curves = useLatest(curvesEngine, 'curves', begun ? { ...wanted, delta: '0' } : null, { stops: true });
  useEffect(
    () => () => {
      figuresEngine.stop();
      curvesEngine.stop();
    },
    [],
  );
  const { value: found, error, busy } = exact;
  const family = noise.noise.split(':', 1)[0]!.trim();
  return (
    <>
      <h1>Explore</h1>
      <p class="lead">
        Any noise, and what it is worth: its exact privacy, worked out in whole numbers and rounded against
        you, beside what a paper says of it, and what many releases of it cost together.
      </p>
      <div class="columns">
        <NoisePanel
          fields={fields}
          error={error}
          family={family}
          onTable={async (file) => {
            setTable({ name: file.name, text: await file.text() });
            set('noise', `${family}:${file.name}`);
          }}
        />
        <div>
          <section aria-labelledby="exact" aria-busy={busy} class={busy ? 'busy' : ''}>
            <h2 id="exact">What it gives</h2>
            <p role="status" class="small">
              {busy
                ? 'working it out…'
                : error
                  ? found
                    ? `not worked out; what follows is still of ${found.noise}`
                    : 'not worked out'
                  : found
                    ? `worked out in ${Math.round(found.taken)} ms`
                    : ''}
            </p>
            {isElsewhere(error, FIELDS) ? <p class="warning">{errorWords(error)}</p> : null}
            {found ? <Exact found={found} curves={curves} /> : null}
          </section>
          {found ? <Paper found={found} paperCut={paperCut} busy={busy} /> : null}
          <ManyReleases fields={fields} noise={noise} begun={begun} />
        </div>
      </div>
      <BudgetSplit values={values} change={change} fields={fields} step={noise.step} begun={begun} />
    </>
  );
}
