// A released file with its mechanism: what lay behind the noise.

import { unquoted } from 'discreet-dp/error';
import { useLatest } from '../engine/latest.js';
import { Command, commandLine, shellWord } from '../parts/command.js';
import { SelectField, TextField } from '../parts/field.js';
import { errorFor, isElsewhere } from '../parts/words.js';
import { type Change, one, type Values } from '../route.js';
import { useAsked, useEngine } from './asked.js';
import type { Look } from './look.js';
import type { Opened } from './mechanism.js';
import { RecoveredView } from './recovered-view.js';
import { problemOf } from './sentence.js';

export type Mechanisms = readonly { readonly file: File; readonly opened: Opened | null }[];

interface ViewProps {
  readonly file: File;
  readonly look: Look & { readonly kind: 'released' };
  readonly values: Values;
  readonly change: Change;
  readonly mechanisms: Mechanisms;
  readonly waiting: boolean;
}

const FIELDS = ['column', 'range', 'confidence', 'atLeast'];

export function ReleasedView({ file, look, values, change, mechanisms, waiting }: ViewProps) {
  const parquet = look.format === 'parquet';
  const engine = useEngine(parquet);
  const listing = useAsked(engine, 'columns', parquet ? { file } : null, '');
  const names = parquet ? (listing.value ?? []) : look.columns;
  const pairs = pairsOf(file, names, mechanisms, look.format === 'json-lines');
  const wanted = pairs.filter(({ column }) => column === one(values, 'column'));
  const candidates = wanted.length > 0 ? wanted : pairs.filter(({ column }) => column === pairs[0]?.column);
  const chosen = candidates.find((pair) => pair.file.name === one(values, 'mechanism')) ?? candidates[0];
  const asked = {
    range: one(values, 'range') ?? '',
    confidence: one(values, 'confidence') ?? '0.95',
    atLeast: one(values, 'at-least') ?? '',
  };
  const counting = useAsked(
    engine,
    'count',
    chosen ? { file, format: look.format, column: chosen.column, step: chosen.opened.step } : null,
    chosen ? `${chosen.column} ${chosen.opened.step}` : '',
  );
  const {
    value: found,
    error,
    busy,
  } = useLatest(
    engine,
    'recovered',
    chosen && counting.value ? { ...counting.value, ...asked, mechanism: chosen.file } : null,
    { version: chosen ? `${chosen.file.name} ${chosen.opened.hash} ${chosen.column}` : '', stops: true },
  );
  // What was wrong with an earlier question is not told of the one that is being answered.
  const wrong = listing.error ?? counting.error ?? (busy ? null : error);
  if (!chosen)
    return listing.error ? (
      <Problem error={listing.error} file={file} />
    ) : listing.busy || waiting ? (
      <p role="status" class="small">
        reading…
      </p>
    ) : (
      <Missing file={file} names={names} mechanisms={mechanisms} />
    );
  const columns = [...new Set(pairs.map(({ column }) => column))];
  return (
    <div class="columns">
      <form class="panel" aria-label={`What is asked of ${file.name}`} onSubmit={(e) => e.preventDefault()}>
        <SelectField
          option="column"
          label="Column"
          hint={madeWords(chosen.file.name, chosen.opened)}
          value={chosen.column}
          options={columns.map((name) => [name, name] as const)}
          onChange={(column) => change({ column })}
          error={errorFor(wrong, 'column')}
        />
        {candidates.length > 1 ? (
          <SelectField
            option="mechanism"
            label="Its mechanism"
            hint="The one that the column was released with."
            value={chosen.file.name}
            options={candidates.map((pair) => [pair.file.name, pair.file.name] as const)}
            onChange={(mechanism) => change({ mechanism })}
          />
        ) : null}
        <TextField
          option="range"
          label="Range: the lowest and the highest true value there can be"
          hint="As in 0,77, from public knowledge. Released values lie outside of it, for they hold noise. Without it only the mean can have a guaranteed interval."
          placeholder="0,77"
          value={asked.range}
          onChange={(range) => change({ range })}
          error={errorFor(wrong, 'range')}
        />
        <TextField
          option="confidence"
          numeric
          label="Confidence of the intervals"
          value={asked.confidence}
          onChange={(confidence) => change({ confidence })}
          error={errorFor(wrong, 'confidence')}
        />
        <TextField
          option="at-least"
          label="Share of values of so much or more"
          hint="Such as 10; several with blanks between. May be left empty."
          value={asked.atLeast}
          onChange={(atLeast) => change({ 'at-least': atLeast })}
          error={errorFor(wrong, 'atLeast')}
        />
      </form>
      <section aria-label={`Behind ${chosen.column} of ${file.name}`} aria-busy={busy || counting.busy}>
        <p role="status" class="small" data-result="progress">
          {counting.busy
            ? (counting.steps.at(-1) ?? 'reading…')
            : busy
              ? 'looking for the distribution behind the noise…'
              : ''}
        </p>
        {counting.busy ? <progress aria-label="Read so far" max={1} value={counting.share ?? 0} /> : null}
        {isElsewhere(wrong, FIELDS) ? <Problem error={wrong} file={file} /> : null}
        {found && !wrong ? (
          <div class={busy ? 'busy' : ''}>
            <RecoveredView found={found} name={file.name} />
          </div>
        ) : null}
        <Command
          about={file.name}
          lines={[
            commandLine(`discreet recover ${shellWord(file.name)}`, [
              ['--column', chosen.column],
              ['--mechanism', chosen.file.name],
              ['--range', asked.range],
              ['--confidence', asked.confidence === '0.95' ? null : asked.confidence],
              ...['0.25', '0.5', '0.75'].map((p) => ['--quantile', p] as const),
              ...asked.atLeast
                .split(/[\s;,]+/)
                .filter(Boolean)
                .map((t) => ['--at-least', t] as const),
            ]),
          ]}
        />
      </section>
    </div>
  );
}

function Problem({ error, file }: { readonly error: unknown; readonly file: File }) {
  return (
    <p class="warning" role="alert" data-result="problem">
      {problemOf(error, file)}
    </p>
  );
}

/** Columns with a mechanism that says it is theirs; a mechanism that says nothing may be any column's. */
function pairsOf(file: File, names: readonly string[], mechanisms: Mechanisms, open: boolean) {
  const pairs = mechanisms.flatMap(({ file: own, opened }) => {
    if (!opened) return [];
    // Of JSON lines, only the first keys are known.
    const columns = opened.columns?.filter((name) => open || names.includes(name)) ?? names;
    return columns.map((column) => ({ file: own, opened, column }));
  });
  const rank = (pair: (typeof pairs)[number]) =>
    (pair.file.name.startsWith(`${file.name}.`) ? 0 : 2) + (pair.opened.columns ? 0 : 1);
  // Where some were written beside the file, others are of other files.
  const beside = pairs.filter((pair) => rank(pair) === 0);
  return beside.length > 0 ? beside : pairs.sort((a, b) => rank(a) - rank(b));
}

function madeWords(name: string, { clamp, roundTo, columns }: Opened): string {
  if (!columns) return `By ${name}, which does not say what it was made for.`;
  return `By ${name}${clamp ? `, clamped to ${clamp.join(' … ')}` : ''}${roundTo ? `, rounded to multiples of ${roundTo}` : ''}.`;
}

function Missing({
  file,
  names,
  mechanisms,
}: {
  readonly file: File;
  readonly names: readonly string[];
  readonly mechanisms: Mechanisms;
}) {
  const read = mechanisms.filter(({ opened }) => opened !== null);
  const theirs = [...new Set(read.flatMap(({ opened }) => opened?.columns ?? []))];
  return (
    <div class="warning" data-result="missing">
      {read.length === 0 ? (
        <p>
          {mechanisms.length === 0
            ? 'Its mechanism is missing.'
            : 'Its mechanism is missing: the one that is here cannot be read.'}{' '}
          Drop <b>{file.name}.mechanism.json</b> as well, which was written beside it; with several columns
          there is one for each, such as <b>{file.name}.COLUMN.mechanism.json</b>. Without it nobody can tell
          the noise from what lies behind it.
        </p>
      ) : (
        <p>
          The mechanism that is here is of {theirs.map(unquoted).join(', ')}, and this file has no such
          column: it has {names.map(unquoted).join(', ')}. Drop <b>{file.name}.mechanism.json</b>, which was
          written beside it.
        </p>
      )}
    </div>
  );
}
