// What lay behind a released column: figures, distribution, and how sure they are.

import { download } from '../parts/drop.js';
import { Figure, Table } from '../parts/figure.js';
import type { Recovered } from './recovered.js';
import { sentence } from './sentence.js';

export function RecoveredView({ found, name }: { readonly found: Recovered; readonly name: string }) {
  const { values, nulls, level, warning, rounded } = found;
  return (
    <>
      {warning ? (
        <p class="warning" role="alert" data-result="warning">
          {sentence(warning)}
        </p>
      ) : null}
      <p data-result="rows">
        {values.toLocaleString('en')} values{nulls > 0 ? `, ${nulls.toLocaleString('en')} empty cells` : ''}.
        {rounded ? ` All is of values as they were rounded to multiples of ${rounded} before the noise.` : ''}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={`Figures behind the noise of ${name}`}>
        <table class="figures short">
          <thead>
            <tr>
              <th scope="col">behind the noise</th>
              <th scope="col">estimate</th>
              <th scope="col">usually, {level}</th>
              <th scope="col">guaranteed, {level}</th>
            </tr>
          </thead>
          <tbody>
            {found.figures.map(({ name: row, key, estimate, usual, guaranteed }) => (
              <tr key={key} data-result={key}>
                <th scope="row">{row}</th>
                <td>{estimate}</td>
                <td>{usual}</td>
                <td>{guaranteed ?? 'needs a range'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="small">
        The usual interval holds all that is likely, and was measured to hold the true figure as often as it
        says. The guaranteed one is proved to, for any column whatever.
      </p>
      <Figure
        chart={found.chart}
        about={name}
        caption="The distribution, as finely as can be told, with its usual band, and what was released."
      />
      <details>
        <summary>Every share, with both intervals</summary>
        <Table
          label={`Shares behind the noise of ${name}`}
          head={['value', 'share', `usually, ${level}`, `guaranteed, ${level}`]}
          rows={found.shares}
        />
      </details>
      <p class="small">{found.how}</p>
      <div class="row">
        <button
          type="button"
          class="quiet"
          data-action="download-distribution"
          onClick={() => download(`${name}.recovered.csv`, new Blob([found.csv], { type: 'text/csv' }))}
        >
          Download the distribution (CSV)
        </button>
      </div>
    </>
  );
}
