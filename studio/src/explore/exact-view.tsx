// What a noise promises and how far it is off, in figures and pictures.

import { Fault } from '../engine/engine.js';
import type { Latest } from '../engine/latest.js';
import { Figure } from '../parts/figure.js';
import { figure } from '../parts/words.js';
import type { Curves } from './curves.js';
import type { Figures } from './figures.js';

export function Exact({ found, curves }: { readonly found: Figures; readonly curves: Latest<Curves> }) {
  const failed = curves.error instanceof Fault;
  const { pure, notPure, at, epsilonAt, adjacency } = found;
  return (
    <>
      <p>
        <code data-result="noise">{found.noise}</code>, one record moving by up to {adjacency}
        {found.step === '1' ? '' : `, in steps of ${found.step}`}.
      </p>
      <ul class="pair">
        <li>
          <b class="big" data-result="pure">
            {pure ? `ε = ${pure.epsilon}` : 'no ε'}
          </b>{' '}
          {pure
            ? `with δ = 0, exactly: attained at p(k − m₀) / p(k) with k = ${minus(pure.at)}, m₀ = ${minus(pure.shift)}`
            : `is enough with δ = 0: ${minus(notPure!)}`}
        </li>
        <li>
          <b class="big" data-result="delta-at">
            δ = {at.delta}
          </b>{' '}
          at ε = {at.epsilon}, exactly
        </li>
        <li>
          <b class="big" data-result="epsilon-at">
            {epsilonAt.epsilon === null ? 'none' : `ε = ${epsilonAt.epsilon}`}
          </b>{' '}
          at δ = {epsilonAt.delta}
          {epsilonAt.epsilon === null ? `: ${epsilonAt.none}` : ', exactly'}
        </li>
        <li>
          <b class="big" data-result="best-guess">
            {found.guess}
          </b>{' '}
          of the time, at most, the best guess between two values {adjacency} apart is right; a coin is right
          half the time
        </li>
        <li>
          <b class="big" data-result="mean-abs">
            {rough(found.meanAbs)}
          </b>{' '}
          E|θ|: how far a value is off, on average
        </li>
        <li>
          <b class="big" data-result="std">
            {rough(found.std)}
          </b>{' '}
          standard deviation; the mean of the noise is{' '}
          <span data-result="mean">{Math.abs(found.mean) < 1e-9 * found.std ? '0' : rough(found.mean)}</span>
        </li>
      </ul>
      <p data-result="quantiles">
        A record is off by at most{' '}
        {found.quantiles
          .map(({ probability, error }) => `${rough(error)} (${figure(100 * probability)} %)`)
          .join(', ')}
        .
      </p>
      {found.chart ? (
        <Figure chart={found.chart} caption="99.6 % of the noise are drawn." />
      ) : (
        <p class="small">The noise has too many steps to be drawn.</p>
      )}
      <p role="status" class="small">
        {curves.busy
          ? (curves.words ?? 'drawing the curves…')
          : failed
            ? 'the curves could not be drawn'
            : ''}
      </p>
      <div class={curves.busy ? 'busy' : ''} data-result="curves">
        {curves.value?.map((chart, i) => (
          <Figure
            key={chart.title}
            chart={chart}
            {...(i === 1
              ? {
                  caption:
                    'Drawn from the exact profile, and nowhere too high: whoever makes few errors of one kind makes at least so many of the other. Who only tosses a coin is on the straight line.',
                }
              : {})}
          />
        ))}
      </div>
    </>
  );
}

/** Six digits; whole numbers whole. */
export function rough(x: number): string {
  return minus(String(Number.isInteger(x) ? x : Number(x.toPrecision(6))));
}

function minus(text: string): string {
  return text.replace(/(?<![\w.])-(?=\d)/g, '−');
}
