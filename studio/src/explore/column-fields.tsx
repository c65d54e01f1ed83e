// One column of a budget: its name, how far a value may move, and what is wanted of it.

import { DiscreetError } from 'discreet-dp/error';
import { TextField } from '../parts/field.js';
import { errorFor } from '../parts/words.js';
import type { SplitColumn } from './state.js';

export function ColumnFields({
  column,
  place,
  isTotal,
  error,
  onChange,
  onRemove,
}: {
  readonly column: SplitColumn;
  readonly place: number;
  readonly isTotal: boolean;
  readonly error: unknown;
  readonly onChange: (column: SplitColumn) => void;
  /** Null where it is the only one. */
  readonly onRemove: (() => void) | null;
}) {
  const name = column.name || `column ${place + 1}`;
  const own = (field: string) =>
    error instanceof DiscreetError && error.field === `${field}:${place}` ? errorFor(error, field) : null;
  return (
    <fieldset class="trio">
      <legend class="hidden">{name}</legend>
      <TextField
        option="column"
        column={column.name}
        label="Column"
        value={column.name}
        onChange={(text) => onChange({ ...column, name: text })}
        error={own('column')}
      />
      <TextField
        option="adjacency"
        column={column.name}
        numeric
        label="Adjacency"
        value={column.adjacency}
        onChange={(adjacency) => onChange({ ...column, adjacency })}
        error={own('adjacency')}
      />
      {isTotal ? (
        <TextField
          option="share"
          column={column.name}
          numeric
          label="Share"
          value={column.share}
          onChange={(share) => onChange({ ...column, share })}
          error={own('share')}
        />
      ) : (
        <TextField
          option="target-error"
          column={column.name}
          numeric
          label="Off by, on average"
          value={column.error}
          onChange={(wanted) => onChange({ ...column, error: wanted })}
          error={own('targetError')}
        />
      )}
      {onRemove ? (
        <button
          type="button"
          class="quiet"
          data-action="remove-column"
          data-column={column.name}
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          Remove
        </button>
      ) : null}
    </fieldset>
  );
}
