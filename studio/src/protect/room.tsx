// Protect a file: which columns, what is hidden, how strong, what leaves, what it costs; then the release.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { RoomProps } from '../app.js';
import { type Engine, engineOf } from '../engine/engine.js';
import { useLatest } from '../engine/latest.js';
import { Command } from '../parts/command.js';
import { TextField } from '../parts/field.js';
import { errorFor, errorWords, isElsewhere } from '../parts/words.js';
import type { ProtectCalls } from './calls.js';
import { ColumnsCard, complaint } from './columns-card.js';
import { FileCard } from './file-card.js';
import { LeavingCard } from './leaving-card.js';
import { LedgerCard } from './ledger-card.js';
import { Questions } from './questions.js';
import type { Done } from './release.js';
import { Result } from './result.js';
import { answersIn } from './state.js';
import { Strength } from './strength.js';
import type { Survey } from './survey.js';

const text = engineOf<ProtectCalls>(() => import('./worker.ts?worker-source'));
const parquet = engineOf<ProtectCalls>(() => import('./parquet-worker.ts?worker-source'));

/** Errors that stand beside their fields. */
const FIELDS = [
  ...[
    'columns',
    'adjacency',
    'epsilon',
    'delta',
    'step',
    'prior',
    'person',
    'perPerson',
    'dataset',
    'budget',
  ],
  ...['na', 'map', 'decimal', 'clamp', 'output', 'encoding', 'input'],
];

interface Opened {
  readonly file: File;
  readonly engine: Engine<ProtectCalls>;
  readonly survey: Survey;
  /** Another one for every opening. */
  readonly version: string;
}

type Told = { readonly share: number | null; readonly words: string };

let openings = 0;

export function Protect({ route: { values }, change }: RoomProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [openError, setOpenError] = useState<unknown>(null);
  const [reading, setReading] = useState<Told | null>(null);
  const [changes, setChanges] = useState(0);
  const [looked, setLooked] = useState('');
  const [working, setWorking] = useState<Told | null>(null);
  const [releaseError, setReleaseError] = useState<unknown>(null);
  const [done, setDone] = useState<Done | null>(null);
  const lastFile = useRef<File | null>(null);

  const answers = answersIn(values, opened?.survey ?? null);
  const engine = opened?.engine ?? text;
  const version = `${opened?.version ?? ''} ${changes}`;
  const { unit: _, encoding: __, ...wanted } = answers;
  const chosen = opened?.survey.columns.filter(({ name }) => answers.columns.includes(name)) ?? [];
  const ready =
    opened !== null &&
    chosen.length > 0 &&
    chosen.every((column) => complaint(column) === null || answers.map !== '');
  const preview = useLatest(engine, 'preview', ready ? wanted : null, { version });
  const ledger = useLatest(engine, 'ledger', { name: answers.ledger }, { version }).value;
  const budget = ledger?.datasets.find(({ name }) => name === answers.dataset)?.budget ?? null;

  const open = async (file: File, encoding: string) => {
    lastFile.current = file;
    const own = /\.parquet$/i.test(file.name) ? parquet : text;
    setOpenError(null);
    setDone(null);
    setLooked('');
    setReleaseError(null);
    setReading({ share: 0, words: 'opening' });
    try {
      const survey = await own.ask('open', { file, encoding }, (share, words) =>
        setReading({ share, words }),
      );
      setOpened({ file, engine: own, survey, version: String(++openings) });
    } catch (error) {
      setOpened(null);
      setOpenError(error);
    } finally {
      setReading(null);
    }
  };
  /** Another file has other columns and another name. */
  const begin = (file: File) => {
    change({
      column: null,
      adjacency: null,
      clamp: null,
      person: null,
      pass: null,
      dataset: null,
      output: null,
      encoding: null,
    });
    void open(file, '');
  };
  const sample = async () => {
    const { default: content } = await import('../../../examples/doctor-visits.csv?raw');
    begin(new File([content], 'doctor-visits.csv'));
    change({ column: 'visits', adjacency: 'visits=5' });
  };

  const leaving = preview.value?.unchanged ?? null;
  const looking = JSON.stringify(leaving);
  // What the preview says holds for what is asked now, and for nothing before it.
  const settled = ready && !preview.busy && preview.error === null && preview.value !== null;
  const mayRelease =
    settled && preview.value!.fits && (leaving!.length === 0 || looked === looking) && working === null;
  const release = async () => {
    setReleaseError(null);
    setDone(null);
    setWorking({ share: null, words: 'beginning' });
    try {
      setDone(await engine.ask('release', wanted, (share, words) => setWorking({ share, words })));
    } catch (error) {
      setReleaseError(error);
    } finally {
      setWorking(null);
      setChanges((count) => count + 1);
    }
  };
  useEffect(() => {
    if (done) document.getElementById('result-title')?.focus();
  }, [done]);

  const refusal = isElsewhere(preview.error, FIELDS) && ready ? preview.error : null;
  return (
    <div class="guided">
      <h1>Protect a file</h1>
      <p class="lead">
        Publish a table so that nobody can tell what one person’s number was. The numbers that you choose get
        noise; averages over many people stay right. Everything happens in this page, and nothing leaves it.
      </p>
      <FileCard
        survey={opened?.survey ?? null}
        error={openError}
        reading={reading}
        encoding={answers.encoding}
        onFile={begin}
        onSample={() => void sample()}
        onEncoding={(encoding) => {
          change({ encoding: encoding || null });
          if (lastFile.current) void open(lastFile.current, encoding);
        }}
      />
      {opened ? (
        <>
          <ColumnsCard
            survey={opened.survey}
            isRead={answers.na !== '' || answers.map !== '' || answers.decimal !== '' || answers.skipInvalid}
            chosen={answers.columns}
            onChange={(column) => change({ column })}
            error={errorFor(preview.error, 'columns')}
          />
          {chosen.length > 0 ? (
            <>
              <Questions
                engine={engine}
                survey={opened.survey}
                version={version}
                answers={answers}
                budget={budget}
                values={values}
                change={change}
                error={preview.error}
              />
              <Strength
                engine={engine}
                survey={opened.survey}
                version={version}
                answers={answers}
                preview={preview.value}
                values={values}
                change={change}
                error={preview.error}
              />
              <LeavingCard
                leaving={leaving}
                looked={looked === looking}
                onLooked={(on) => setLooked(on ? looking : '')}
                pass={answers.pass}
                onPass={(pass) => change({ pass })}
                others={opened.survey.columns
                  .map(({ name }) => name)
                  .filter((name) => !answers.columns.includes(name))}
                refusal={refusal}
              />
              <LedgerCard
                engine={engine}
                answers={answers}
                state={ledger}
                preview={preview.value}
                change={change}
                error={preview.error}
                onChanged={() => setChanges((count) => count + 1)}
              />
              <section class="card" aria-labelledby="release-title">
                <h2 id="release-title">
                  <span class="number">7</span> Release
                </h2>
                <TextField
                  option="output"
                  label="Name of the result"
                  value={answers.output}
                  onChange={(output) => change({ output })}
                  error={errorFor(preview.error, 'output')}
                />
                <div class="row">
                  <button
                    type="button"
                    data-action="release"
                    disabled={!mayRelease}
                    onClick={() => void release()}
                  >
                    Release
                  </button>
                  <span class="small" role="status">
                    {working
                      ? working.words
                      : missing(settled, preview.value?.fits ?? true, leaving, looked === looking)}
                  </span>
                </div>
                {working ? <progress value={working.share ?? undefined} aria-label="releasing" /> : null}
                <p class="error" role="alert" data-result="release-error">
                  {releaseError ? errorWords(releaseError) : ''}
                </p>
                {settled ? <Command lines={preview.value!.command} /> : null}
              </section>
            </>
          ) : null}
          {done ? <Result done={done} /> : null}
        </>
      ) : null}
    </div>
  );
}

/** What is still to be done before a release. */
function missing(
  settled: boolean,
  fits: boolean,
  leaving: readonly string[] | null,
  looked: boolean,
): string {
  if (!settled) return 'answer what is marked above first';
  if (!fits) return 'the budget does not suffice';
  if (leaving && leaving.length > 0 && !looked) return 'first look at what leaves as it is (5)';
  return 'the cost is written into the ledger before anything is made';
}
