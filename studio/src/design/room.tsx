// The optimal noise for a target, live while sliders move, with its proof.

import type { RoomProps } from '../app.js';
import { engineOf } from '../engine/engine.js';
import { useLatest } from '../engine/latest.js';
import { Command, commandLine } from '../parts/command.js';
import { download } from '../parts/drop.js';
import { CheckField, SelectField, SliderField, TextField } from '../parts/field.js';
import { Figure, Table } from '../parts/figure.js';
import { errorFor, errorWords, figure, isElsewhere, shortNoise } from '../parts/words.js';
import { one } from '../route.js';
import { PriorFields, usePrior } from './prior-fields.js';
import type { DesignCalls, Designed, DesignWanted } from './worker.js';

const engine = engineOf<DesignCalls>(() => import('./worker.ts?worker-source'));

const FIELDS = ['epsilon', 'delta', 'adjacency', 'step', 'prior', 'objective'];
const OBJECTIVES = [
  ['', 'what suits: W with a prior, else E|θ|'],
  ['wasserstein', 'W: the distribution moves least'],
  ['magnitude', 'E|θ|: a value is off by least'],
  ['variance', 'E θ²: means are off by least'],
  ['kl', 'KL: what is likely of the input stays likely'],
  ['js', 'JS: input and output are told apart least'],
] as const;

export function Design({ route: { values }, change }: RoomProps) {
  const get = (key: string, fallback: string) => one(values, key) ?? fallback;
  const prior = usePrior(values, change, 'poisson:rate=5');
  const wanted: DesignWanted = {
    epsilon: get('epsilon', '2'),
    delta: get('delta', '0'),
    adjacency: get('adjacency', '15'),
    step: get('step', '1'),
    ...prior.choice,
    objective: get('objective', ''),
    unbiased: values.unbiased !== undefined,
    symmetric: values.symmetric !== undefined,
  };
  const {
    value: found,
    stopped,
    error,
    busy,
    words,
  } = useLatest(engine, 'design', prior.ready ? wanted : null, { stops: true });
  const objective = OBJECTIVES.some(([key]) => key === wanted.objective)
    ? OBJECTIVES
    : [...OBJECTIVES, [wanted.objective, wanted.objective] as const];
  return (
    <>
      <h1>Design</h1>
      <p class="lead">
        Among all noise that keeps a promise, the one that hurts least: certified in whole numbers, with a
        proved bound on what any other could reach. W is the Wasserstein distance of what comes out from what
        goes in.
      </p>
      <div class="columns">
        <form class="panel" aria-label="What is wanted" onSubmit={(event) => event.preventDefault()}>
          <SliderField
            option="epsilon"
            label="ε, how much may be learned of one record"
            value={wanted.epsilon}
            low={0.05}
            high={8}
            told={`ε = ${wanted.epsilon}`}
            onChange={(epsilon) => change({ epsilon })}
            error={errorFor(error, 'epsilon')}
          />
          <SliderField
            option="adjacency"
            label="m, how far one record may move"
            value={wanted.adjacency}
            low={1}
            high={50}
            grain={Number(wanted.step) > 0 ? Number(wanted.step) : 1}
            told={`adjacency ${wanted.adjacency}`}
            onChange={(adjacency) => change({ adjacency })}
            error={errorFor(error, 'adjacency')}
          />
          <PriorFields prior={prior} error={errorFor(error, 'prior')} />
          <SelectField
            option="objective"
            label="What is to be least"
            value={wanted.objective}
            options={objective}
            onChange={(goal) => change({ objective: goal || null })}
            error={errorFor(error, 'objective')}
          />
          <CheckField
            option="unbiased"
            label="Unbiased: noise whose mean is 0"
            checked={wanted.unbiased}
            onChange={(on) => change({ unbiased: on ? '1' : null })}
          />
          <details open={wanted.delta !== '0' || wanted.step !== '1' || wanted.symmetric}>
            <summary>More</summary>
            <TextField
              option="delta"
              numeric
              label="δ, a small chance that the promise fails"
              value={wanted.delta}
              onChange={(delta) => change({ delta })}
              error={errorFor(error, 'delta')}
            />
            <TextField
              option="step"
              numeric
              label="Step, the distance of neighbouring values"
              value={wanted.step}
              onChange={(step) => change({ step })}
              error={errorFor(error, 'step')}
            />
            <CheckField
              option="symmetric"
              label="Symmetric noise alone"
              checked={wanted.symmetric}
              onChange={(on) => change({ symmetric: on ? '1' : null })}
            />
          </details>
        </form>
        <section aria-label="The design" aria-busy={busy} class={busy || error || stopped ? 'busy' : ''}>
          <p role="status" class="small">
            {busy
              ? (words ?? 'solving…')
              : found && !error && !stopped
                ? `solved in ${Math.round(found.taken)} ms`
                : ''}
          </p>
          {found && (error || stopped) ? (
            <p class="warning">
              What follows is still of ε = {found.asked.epsilon} at adjacency {found.asked.adjacency}.
            </p>
          ) : null}
          {isElsewhere(error, FIELDS) ? <p class="warning">{errorWords(error)}</p> : null}
          {found ? <Found found={found} wanted={found.asked} /> : null}
          {found && busy && words ? (
            <button type="button" class="quiet" data-action="stop" onClick={engine.stop}>
              Stop
            </button>
          ) : null}
        </section>
      </div>
    </>
  );
}

function Found({ found, wanted }: { readonly found: Designed; readonly wanted: DesignWanted }) {
  const { utility, others } = found;
  const cells = ({ name, value, wasserstein, meanAbs, mean, std }: Designed['utility']) => [
    shortNoise(name),
    ...[value, ...(wasserstein === null ? [] : [wasserstein]), meanAbs, mean, std].map(figure),
  ];
  return (
    <>
      <ul class="pair">
        <li>
          <b class="big" data-result="value">
            {figure(found.value)}
          </b>{' '}
          {found.objective}
        </li>
        <li>
          <b class="big" data-result="lower-bound">
            {figure(found.lowerBound)}
          </b>{' '}
          {found.lowerBound > 0
            ? 'is the least that any noise with this promise can reach, proved'
            : 'no bound was found'}
        </li>
        <li>
          <b class="big" data-result="gap">
            {found.gap.toExponential(1)}
          </b>{' '}
          of the value lies between them{found.closed ? ': optimal' : ''}
        </li>
        <li>
          <b class="big" data-result="certified">
            {wanted.delta === '0' ? `ε ≤ ${found.epsilon}` : `δ ≤ ${found.delta}`}
          </b>{' '}
          certified from the whole numbers of the mechanism
          {wanted.delta === '0' ? '' : `, at ε = ${wanted.epsilon}`}
        </li>
      </ul>
      {found.prior?.cut ? <p class="small">Prior: {found.prior.cut}.</p> : null}
      {found.charts.map((chart) => (
        <Figure key={chart.title} chart={chart} />
      ))}
      <h2>At the same promise</h2>
      <Table
        label="Noise with the same guarantee"
        head={['noise', 'value', ...(utility.wasserstein === null ? [] : ['W']), 'E|θ|', 'E θ', 'std']}
        rows={[utility, ...others].map(cells)}
        own={0}
        stacked
      />
      <details>
        <summary>Its stairs</summary>
        <ul>
          {found.stairs.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
      <div class="row">
        <button
          type="button"
          data-action="download-mechanism"
          onClick={() => download('mechanism.json', new Blob([found.file], { type: 'application/json' }))}
        >
          Download the mechanism
        </button>
        <span class="small">a file that the command and the room Check verify</span>
      </div>
      <Command
        lines={[
          commandLine('discreet design', [
            ['--epsilon', wanted.epsilon],
            ['--delta', wanted.delta === '0' ? null : wanted.delta],
            ['--adjacency', wanted.adjacency],
            ['--step', wanted.step === '1' ? null : wanted.step],
            ['--prior', found.prior?.spec],
            ['--prior-is-public', found.prior?.spec.startsWith('column:') ? true : null],
            ['--objective', wanted.objective],
            ['--unbiased', wanted.unbiased || null],
            ['--symmetric', wanted.symmetric || null],
            ['-o', 'mechanism.json'],
          ]),
        ]}
      />
    </>
  );
}
