// One file: what it is, and what can be said of it.

import { useEffect } from 'preact/hooks';
import type { Change, Values } from '../route.js';
import { useAsked, useEngine } from './asked.js';
import { LedgerView } from './ledger-view.js';
import type { Opened } from './mechanism.js';
import { MechanismView } from './mechanism-view.js';
import { ReleasedView } from './released-view.js';
import { problemOf } from './sentence.js';

/** What the others on the page need to know of a file; a mechanism that cannot be read has null. */
export type Known =
  | { readonly kind: 'mechanism'; readonly opened: Opened | null }
  | { readonly kind: 'released' | 'ledger' | 'other' };

export interface Other {
  readonly file: File;
  readonly known: Known | null;
}

interface CardProps {
  readonly file: File;
  readonly values: Values;
  readonly change: Change;
  readonly others: readonly Other[];
  /** Is any file still being looked at? */
  readonly waiting: boolean;
  readonly onKnown: (known: Known) => void;
  readonly onRemove: () => void;
}

const KINDS = { mechanism: 'a mechanism', released: 'a released file', ledger: 'a ledger’s export' };

export function FileCard({ file, values, change, others, waiting, onKnown, onRemove }: CardProps) {
  const engine = useEngine();
  const { value: found, error, busy } = useAsked(engine, 'look', { file }, '');
  const kind = found?.kind ?? null;
  const opening = useAsked(engine, 'open', kind === 'mechanism' ? { file } : null, '');
  useEffect(() => {
    if (error) onKnown({ kind: 'other' });
    else if (kind === 'released' || kind === 'ledger') onKnown({ kind });
    else if (opening.value || opening.error) onKnown({ kind: 'mechanism', opened: opening.value });
  }, [error, kind, opening.value, opening.error]);
  const mechanisms = others.flatMap(({ file: own, known }) =>
    known?.kind === 'mechanism' ? [{ file: own, opened: known.opened }] : [],
  );
  return (
    <section class="card" aria-label={file.name} data-file={file.name} data-kind={kind ?? ''}>
      <div class="row between">
        <h2>
          <span class="name">{file.name}</span>{' '}
          <small>
            {kind ? `${KINDS[kind]}, ` : ''}
            {size(file.size)}
          </small>
        </h2>
        <button
          type="button"
          class="quiet"
          data-action="remove"
          aria-label={`Remove ${file.name}`}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
      {busy ? (
        <p role="status" class="small">
          looking…
        </p>
      ) : null}
      {error ? (
        <p class="warning" role="alert" data-result="problem">
          {problemOf(error, file)}
        </p>
      ) : null}
      {found?.kind === 'mechanism' ? (
        <MechanismView engine={engine} file={file} opening={opening} />
      ) : found?.kind === 'ledger' ? (
        <LedgerView engine={engine} file={file} values={values} change={change} mechanisms={mechanisms} />
      ) : found?.kind === 'released' ? (
        <ReleasedView
          file={file}
          look={found}
          values={values}
          change={change}
          mechanisms={mechanisms}
          waiting={waiting}
        />
      ) : null}
    </section>
  );
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${Number((bytes / 1e6).toPrecision(3))} MB`;
}
