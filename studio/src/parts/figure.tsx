// A chart as text of SVG, wide and narrow, and the same as a table.

import type { Chart } from '../engine/chart.js';

export function Figure({
  chart,
  caption,
  about,
}: {
  readonly chart: Chart;
  readonly caption?: string;
  /** What it is of, where there are several of the same title on a page. */
  readonly about?: string;
}) {
  const { picture, table } = chart;
  return (
    <figure>
      {/* Drawn by plot/, which escapes every text that is put in. */}
      <div class="wide" dangerouslySetInnerHTML={{ __html: picture.wide }} />
      <div class="narrow" dangerouslySetInnerHTML={{ __html: picture.narrow }} />
      {caption ? <figcaption>{caption}</figcaption> : null}
      <details class="behind">
        <summary>As a table</summary>
        <Table {...table} label={about === undefined ? chart.title : `${chart.title}: ${about}`} />
      </details>
    </figure>
  );
}

export interface TableProps {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly label: string;
  /** The row to mark. */
  readonly own?: number;
  /** On narrow screens, each row below the other, every figure with its heading: for tables of few rows with long names. */
  readonly stacked?: boolean;
}

/** A table that is moved by itself where it is wider than the page. */
export function Table({ head, rows, label, own, stacked = false }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table class={stacked ? 'figures stacked' : 'figures'}>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i} class={i === own ? 'own' : ''}>
              {row.map((cell, k) =>
                k === 0 ? (
                  <th scope="row" data-head={head[k]}>
                    {cell}
                  </th>
                ) : (
                  <td data-head={head[k]}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
