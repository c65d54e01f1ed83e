// What the paper's formulas say of a noise, beside the exact figures.

import { Command, commandLine, shellWord } from '../parts/command.js';
import { Table } from '../parts/figure.js';
import { rough } from './exact-view.js';
import type { Figures } from './figures.js';

const VERDICTS: Readonly<Record<Figures['paper'][number]['verdict'], string>> = {
  tight: 'exactly what there is',
  loose: 'true, and more cautious than need be',
  unsound: 'promises more than there is: do not rely on it',
  undefined: 'no guarantee at all: a negative ε',
};

export function Paper({
  found,
  paperCut,
  busy,
}: {
  readonly found: Figures;
  readonly paperCut: string;
  readonly busy: boolean;
}) {
  const { paper, cut, at, theoremTwo } = found;
  const verdicts = [...new Set(paper.map(({ verdict }) => verdict))];
  return (
    <section aria-labelledby="paper" class={busy ? 'busy' : ''}>
      <h2 id="paper">The paper beside the truth</h2>
      {paper.length === 0 ? (
        <p data-result="verdict">The paper has no formula for this noise.</p>
      ) : (
        <>
          <div data-result="paper">
            <Table
              stacked
              label="What the paper says, and the exact figures"
              head={['source', 'ε', 'δ', 'exact δ at that ε', 'verdict']}
              rows={paper.map(({ source, epsilon, delta, exactDelta, verdict }) => [
                source,
                rough(epsilon),
                rough(delta),
                exactDelta ?? '–',
                verdict,
              ])}
            />
          </div>
          <ul data-result="verdict">
            {verdicts.map((verdict) => (
              <li key={verdict}>
                <b>{verdict}</b>: {VERDICTS[verdict]}.
              </li>
            ))}
          </ul>
          <details>
            <summary>Its formulas</summary>
            <ul>
              {paper.map(({ source, formula }) => (
                <li key={source}>
                  {source}: {formula}
                </li>
              ))}
              {cut === null ? null : <li>M = {cut}</li>}
            </ul>
          </details>
        </>
      )}
      <p>
        Theorem 2 of the paper, with the best split of this noise, gives{' '}
        <b data-result="theorem-two">δ = {theoremTwo}</b> at ε = {at.epsilon}; exactly it is {at.delta}.
      </p>
      <Command
        lines={[
          commandLine(`discreet analyze ${shellWord(found.noise)}`, [
            ['--adjacency', found.adjacency],
            ['--step', found.step === '1' ? null : found.step],
            ['--epsilon', at.epsilon],
            ['--delta', found.epsilonAt.delta],
            ['--paper-cut', cut === null ? null : paperCut],
          ]),
        ]}
      />
    </section>
  );
}
