// What others published: a mechanism, a released file with its mechanism, a ledger's export; each known by its content.

import { useState } from 'preact/hooks';
import type { RoomProps } from '../app.js';
import { Drop } from '../parts/drop.js';
import { FileCard, type Known } from './file-card.js';

interface Item {
  readonly id: number;
  readonly file: File;
  readonly known: Known | null;
}

/** Files stay while other rooms are looked at. */
let kept: readonly Item[] = [];
let last = 0;

export function Check({ route: { values }, change }: RoomProps) {
  const [items, setItems] = useState(kept);
  const update = (next: (old: readonly Item[]) => readonly Item[]) => {
    kept = next(kept);
    setItems(kept);
  };
  // A file of the same name is the same file, corrected.
  const add = (files: readonly File[]) =>
    update((old) => [
      ...old.filter(({ file }) => !files.some(({ name }) => name === file.name)),
      ...files.map((file) => ({ id: ++last, file, known: null })),
    ]);
  return (
    <>
      <h1>Check</h1>
      <p class="lead">
        You received files, and want to know. A mechanism’s promise is recomputed from its whole numbers. A
        released file with its mechanism tells what lay behind the noise. A ledger’s export is whole, or it
        says where it is not.
      </p>
      <Drop
        label="Files to check, one or several at once"
        hint="A mechanism (.mechanism.json), a released file (CSV, TSV, JSON lines, Parquet, also gzipped) together with its mechanism, or a ledger’s export (.jsonl). Each is known by what is in it."
        accept=".json,.csv,.tsv,.txt,.jsonl,.ndjson,.parquet,.gz"
        multiple
        onFiles={add}
      />
      <p role="status" class="small" data-result="files">
        {summary(items)}
      </p>
      {items.map(({ id, file }) => (
        <FileCard
          key={id}
          file={file}
          values={values}
          change={change}
          others={items.filter((other) => other.id !== id)}
          waiting={items.some(({ known }) => known === null)}
          onKnown={(known) =>
            update((old) => old.map((item) => (item.id === id ? { ...item, known } : item)))
          }
          onRemove={() => {
            update((old) => old.filter((item) => item.id !== id));
            // The button that had it is gone.
            document.querySelector<HTMLElement>('[data-field="input"]')?.focus();
          }}
        />
      ))}
    </>
  );
}

const KINDS = {
  mechanism: ['mechanism', 'mechanisms'],
  released: ['released file', 'released files'],
  ledger: ['ledger', 'ledgers'],
  other: ['file that is none of these', 'files that are none of these'],
} as const;

function summary(items: readonly Item[]): string {
  if (items.length === 0) return '';
  const counts = Object.entries(KINDS).flatMap(([kind, [one, several]]) => {
    const n = items.filter(({ known }) => known?.kind === kind).length;
    return n === 0 ? [] : [`${n} ${n === 1 ? one : several}`];
  });
  const open = items.filter(({ known }) => known === null).length;
  return [...counts, ...(open > 0 ? [`${open} being looked at`] : [])].join(', ');
}
