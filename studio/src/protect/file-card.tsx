// The first question: which file.

import { Drop } from '../parts/drop.js';
import { SelectField } from '../parts/field.js';
import { errorFor, errorWords, isElsewhere } from '../parts/words.js';
import type { Survey } from './survey.js';

const ENCODINGS = [
  ['', 'UTF-8 (usual)'],
  ['latin1', 'windows-1252 (Western Europe; latin1 is read as it)'],
  ['windows-1250', 'windows-1250 (Central Europe)'],
  ['windows-1251', 'windows-1251 (Cyrillic)'],
  ['shift_jis', 'shift_jis (Japanese)'],
  ['utf-16le', 'utf-16le'],
] as const;

export interface FileCardProps {
  readonly survey: Survey | null;
  readonly error: unknown;
  readonly reading: { readonly share: number | null; readonly words: string } | null;
  readonly encoding: string;
  readonly onFile: (file: File) => void;
  readonly onSample: () => void;
  readonly onEncoding: (encoding: string) => void;
}

export function FileCard({ survey, error, reading, encoding, onFile, onSample, onEncoding }: FileCardProps) {
  const aboutEncoding = errorFor(error, 'encoding');
  return (
    <section class="card" aria-labelledby="file-title">
      <h2 id="file-title">
        <span class="number">1</span> Your file
      </h2>
      <Drop
        label="Drop a file here, or choose one"
        hint="CSV, TSV, JSON lines or Parquet, with a name for each column. It is read in this page and goes nowhere."
        accept=".csv,.tsv,.tab,.txt,.jsonl,.ndjson,.parquet"
        onFiles={([file]) => onFile(file!)}
        error={
          errorFor(error, 'input') ?? (isElsewhere(error, ['input', 'encoding']) ? errorWords(error) : null)
        }
      />
      <div class="row">
        <button type="button" class="quiet" data-action="sample" onClick={onSample}>
          Try it with a sample: visits to the doctor
        </button>
      </div>
      {aboutEncoding || encoding !== '' ? (
        <SelectField
          option="encoding"
          label="Encoding"
          hint="How letters with accents are written in the file. If you do not know, try windows-1252. The result will be UTF-8."
          value={encoding}
          options={ENCODINGS}
          onChange={onEncoding}
          error={aboutEncoding}
        />
      ) : null}
      <div role="status">
        {reading ? (
          <>
            <progress value={reading.share ?? undefined} aria-label="reading the file" /> {reading.words}
          </>
        ) : survey ? (
          <p data-result="file">
            <b>{survey.name}</b>: {survey.rows.toLocaleString('en')} rows
            {survey.whole ? '' : ' in the part that was looked at (the release will read all)'},{' '}
            {survey.columns.length} columns
          </p>
        ) : null}
      </div>
      {survey && numeric(survey) !== null ? (
        <p class="warning" data-result="header">
          <b>Is the first line a row of data?</b> One of the columns is called “{numeric(survey)}”. Where a
          file has no line with the names of its columns, its first row would leave as it is: add such a line
          first.
        </p>
      ) : null}
    </section>
  );
}

/** A name that looks like a value, and not like a year. */
function numeric({ columns }: Survey): string | null {
  const found = columns.find(
    ({ name }) => /^\s*[-+]?[\d.,]+\s*$/.test(name) && !/^(?:19|20)\d\d$/.test(name.trim()),
  );
  return found?.name ?? null;
}
