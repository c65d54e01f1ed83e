// What is publicly known of the data: nothing, a family, numbers that are pasted, or a column of a public file.

import { useState } from 'preact/hooks';
import { Drop } from '../parts/drop.js';
import { SelectField, TextField } from '../parts/field.js';
import type { PriorChoice } from '../parts/prior.js';
import { type Change, one, type Values } from '../route.js';

const EXAMPLES = ['poisson:rate=5', 'gaussian:mu=0,sigma=10', 'uniform:low=0,high=100', 'point:at=0'];
const KINDS = [
  ['none', 'nothing'],
  ['family', 'a family, such as poisson:rate=5'],
  ['pasted', 'numbers that I paste'],
  ['file', 'a column of a public file'],
] as const;

type Kind = (typeof KINDS)[number][0];

/** The prior in the address, and what cannot be there: pasted numbers and files. */
export function usePrior(values: Values, change: Change, fallback: string) {
  const spec = one(values, 'prior') ?? fallback;
  const [kind, setKind] = useState<Kind>(spec === 'none' ? 'none' : 'family');
  const [pasted, setPasted] = useState('');
  const [file, setFile] = useState<{ name: string; text: string; columns: string[] } | null>(null);
  const [column, setColumn] = useState('');
  const choice: { prior: PriorChoice; pasted: string | null } = {
    none: { prior: { spec: '' }, pasted: null },
    family: { prior: { spec: spec === 'none' ? '' : spec }, pasted: null },
    pasted: { prior: { spec: '' }, pasted },
    file: { prior: { spec: `column:${file?.name}#${column}`, text: file?.text ?? '' }, pasted: null },
  }[kind];
  return {
    kind,
    spec: spec === 'none' ? '' : spec,
    choice,
    /** Is there enough to go on? */
    ready: kind === 'pasted' ? /\d/.test(pasted) : kind === 'file' ? file !== null && column !== '' : true,
    pasted,
    setPasted,
    file,
    column,
    setColumn,
    open: async (given: File) => {
      const text = await given.text();
      const columns = (text.split(/\r?\n/, 1)[0] ?? '')
        .split(/[,;\t|]/)
        .map((name) => name.replace(/^"|"$/g, ''));
      setFile({ name: given.name, text, columns });
      setColumn(columns[0] ?? '');
    },
    setKind: (next: Kind) => {
      setKind(next);
      if (next === 'none') change({ prior: 'none' });
      else if (next === 'family' && spec === 'none') change({ prior: null });
    },
    setSpec: (next: string) => change({ prior: next }),
  };
}

export function PriorFields({
  prior,
  error,
}: {
  readonly prior: ReturnType<typeof usePrior>;
  readonly error: string | null;
}) {
  const { kind } = prior;
  return (
    <>
      <SelectField
        option="prior-kind"
        label="What is publicly known of the data"
        hint="Never the data that is to be protected itself: noise that was made for it would tell of it."
        value={kind}
        options={KINDS}
        onChange={(next) => prior.setKind(next as Kind)}
        error={kind === 'none' ? error : null}
      />
      {kind === 'family' ? (
        <TextField
          option="prior"
          label="Its distribution (prior)"
          value={prior.spec}
          list={EXAMPLES}
          onChange={prior.setSpec}
          error={error}
        />
      ) : null}
      {kind === 'pasted' ? (
        <div class="field">
          <label for="pasted">Numbers, one to a line or with spaces between</label>
          <textarea
            id="pasted"
            data-field="values"
            rows={4}
            value={prior.pasted}
            aria-describedby="pasted-error"
            onInput={({ currentTarget }) => prior.setPasted(currentTarget.value)}
          />
          <p class="error" id="pasted-error" role="alert">
            {error ?? ''}
          </p>
        </div>
      ) : null}
      {kind === 'file' ? (
        <>
          <Drop
            label="A public CSV file"
            hint={prior.file ? `${prior.file.name} is read` : 'It stays in this page like everything else.'}
            accept=".csv,.tsv,.txt"
            onFiles={([first]) => void prior.open(first!)}
            error={error}
          />
          {prior.file ? (
            <SelectField
              option="prior-column"
              label="Its column"
              value={prior.column}
              options={prior.file.columns.map((name) => [name, name] as const)}
              onChange={prior.setColumn}
            />
          ) : null}
        </>
      ) : null}
    </>
  );
}
