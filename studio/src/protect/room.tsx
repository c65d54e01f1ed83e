// Protect a file: which columns, what is hidden, how strong, what leaves, what it costs; then the release. What is released is what was
// looked at: every answer of the worker belongs to one opening and one set of answers, and the release is refused where these changed.

import { useEffect, useState } from 'preact/hooks';
import type { RoomProps } from '../app.js';
import { useLatest } from '../engine/latest.js';
import { errorFor, isElsewhere } from '../parts/words.js';
import { one, parseRoute } from '../route.js';
import { ColumnsCard, complaint } from './columns-card.js';
import { FileCard } from './file-card.js';
import { LeavingCard } from './leaving-card.js';
import { LedgerCard } from './ledger-card.js';
import { type Told, useOpened } from './opened.js';
import { crowdedWords, Questions } from './questions.js';
import { ReleaseCard } from './release-card.js';
import type { Done } from './report-page.js';
import { Result } from './result.js';
import { answersIn } from './state.js';
import { Strength } from './strength.js';

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

/** The ledger of the sample, which counts for nothing else. */
const PRACTICE = 'practice';

const UNSAVED = 'The result that you have paid for is not saved yet, and would be gone. Go on all the same?';

export function Protect({ route: { values }, change, active = true }: RoomProps) {
  const file = useOpened();
  const { opened, engine, version, onlyOne } = file;
  const [changes, setChanges] = useState(0);
  const [looked, setLooked] = useState('');
  const [working, setWorking] = useState<Told | null>(null);
  const [releaseError, setReleaseError] = useState<unknown>(null);
  const [done, setDone] = useState<Done | null>(null);
  const [unsaved, setUnsaved] = useState(false);

  const asked = answersIn(values, opened?.survey ?? null, null);
  const ledger = useLatest(
    engine,
    'ledger',
    {
      name: asked.ledger,
      dataset: asked.dataset,
      columns: asked.columns,
      file: opened?.survey.columns.map(({ name }) => name) ?? [],
    },
    { version: `${version} ${changes} ${onlyOne}` },
  );
  const fixed = ledger.value?.fixed ?? null;
  const answers = answersIn(values, opened?.survey ?? null, fixed);
  const { unit: _, ...wanted } = answers;
  // Whether these are people who have a budget already, nobody but the publisher knows.
  const alike = one(values, 'dataset') === undefined ? (ledger.value?.alike ?? []) : [];
  useEffect(() => {
    if (ledger.value?.kept === false) file.setOnlyOne(true);
  }, [ledger.value]);

  const survey = opened?.survey ?? null;
  const chosen = survey?.columns.filter(({ name }) => answers.columns.includes(name)) ?? [];
  const people = useLatest(
    engine,
    'people',
    answers.person === '' ? null : { version, column: answers.person },
  );
  const { na, map, decimal, skipInvalid } = answers;
  const cells = useLatest(engine, 'unread', opened ? { version, na, map, decimal, skipInvalid } : null);
  const crowded = crowdedWords(people.value, answers.perPerson, fixed !== null);
  const ready =
    opened !== null &&
    chosen.length > 0 &&
    chosen.every((column) => complaint(column) === null) &&
    !(answers.unit === 'column' && answers.person === '');
  const preview = useLatest(engine, 'preview', ready ? { version, wanted } : null, {
    version: String(changes),
    // A worker that keeps the only ledger there is, or that is releasing, is never ended.
    stops: working === null && !onlyOne,
  });

  /** Nothing is opened over a release that runs, nor, without a question, over a result that is not saved. */
  const mayOpen = (): boolean => {
    if (working !== null || (unsaved && !confirm(UNSAVED))) return false;
    setDone(null);
    setUnsaved(false);
    setLooked('');
    setReleaseError(null);
    return true;
  };
  const begin = (own: File, more: Readonly<Record<string, string | null>> = {}) => {
    if (!mayOpen()) return;
    change({ encoding: null, ...(asked.ledger === PRACTICE ? { ledger: null } : {}), ...more });
    void file.open(own, '', more.ledger ?? asked.ledger);
  };
  const sample = async () => {
    const { default: content } = await import('../../../examples/doctor-visits.csv?raw');
    begin(new File([content], 'doctor-visits.csv'), {
      ...{
        column: 'visits',
        adjacency: 'visits=5',
        unit: 'row',
        ledger: PRACTICE,
        dataset: null,
        output: null,
      },
    });
  };

  const shown = preview.value;
  const leaving = preview.fresh && !preview.error ? (shown?.unchanged ?? null) : null;
  // It is the columns themselves that somebody has looked at, of this file.
  const looking = `${version} ${JSON.stringify(leaving)}`;
  const unreadCells = cells.value?.version === version ? cells.value.columns : [];
  const unread = unreadCells.some(({ name }) => answers.columns.includes(name));
  const settled =
    ready &&
    preview.fresh &&
    preview.error === null &&
    !preview.stopped &&
    shown !== null &&
    ledger.fresh &&
    cells.fresh &&
    cells.error === null &&
    (answers.person === '' || people.fresh);
  const missing = missingWords({
    isWorking: preview.busy && ready,
    settled,
    unread,
    crowded: crowded !== null,
    named: alike.length === 0,
    fits: shown?.fits ?? true,
    looked: leaving !== null && (leaving.length === 0 || looked === looking),
  });
  const release = async () => {
    // Answered otherwise since this was drawn.
    if (JSON.stringify(parseRoute(location.hash).values) !== JSON.stringify(values)) return;
    if (unsaved && !confirm(UNSAVED)) return;
    setReleaseError(null);
    setDone(null);
    setWorking({ share: null, words: 'beginning' });
    try {
      const ask = { version, wanted, token: shown!.token };
      // Before anything is charged, so that nothing is missing afterwards.
      const { withReportPage } = await import('./report-page.js');
      const released = await engine.ask('release', ask, (share, words) => setWorking({ share, words }));
      setDone(withReportPage(released));
      setUnsaved(true);
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

  if (!active) return null;
  const error = preview.error;
  const figures = preview.fresh && !error;
  return (
    <div class="guided">
      <h1>Protect a file</h1>
      <p class="lead">
        Publish a table so that nobody can tell what one person’s number was. The numbers that you choose get
        noise; averages over many people stay right. Everything happens in this page, and nothing leaves it.
      </p>
      <FileCard
        survey={survey}
        error={file.error}
        reading={file.reading}
        encoding={answers.encoding}
        onFile={begin}
        onSample={() => void sample()}
        onEncoding={(encoding) => {
          if (!mayOpen()) return;
          change({ encoding: encoding || null });
          file.again(encoding, asked.ledger);
        }}
      />
      {opened && survey ? (
        <>
          <ColumnsCard
            survey={survey}
            answers={answers}
            unread={unreadCells}
            change={change}
            error={errorFor(error, 'columns')}
          />
          {chosen.length > 0 ? (
            <>
              <Questions
                survey={survey}
                people={people.value}
                answers={answers}
                fixed={fixed}
                values={values}
                change={change}
                error={cells.error ?? error}
              />
              <Strength
                engine={engine}
                survey={survey}
                version={version}
                answers={answers}
                preview={shown}
                isFresh={figures}
                busy={preview.busy && ready ? (preview.words ?? 'working out the noise…') : null}
                values={values}
                change={change}
                error={error}
              />
              <LeavingCard
                survey={survey}
                answers={answers}
                leaving={leaving}
                looked={looked === looking}
                onLooked={(on) => setLooked(on ? looking : '')}
                change={change}
                refusal={isElsewhere(error, FIELDS) ? error : null}
              />
              <LedgerCard
                engine={engine}
                answers={answers}
                state={ledger.value}
                alike={alike}
                preview={figures ? shown : null}
                change={change}
                error={error}
                onChanged={() => setChanges((count) => count + 1)}
              />
              <ReleaseCard
                output={answers.output}
                onOutput={(output) => change({ output })}
                error={errorFor(error, 'output')}
                working={working}
                missing={missing}
                again={done !== null}
                releaseError={releaseError}
                command={settled && alike.length === 0 ? shown!.command : null}
                onRelease={() => void release()}
              />
            </>
          ) : null}
          {done ? <Result done={done} unsaved={unsaved} onSaved={() => setUnsaved(false)} /> : null}
        </>
      ) : null}
    </div>
  );
}

/** What is still to be done before a release; null where nothing is. */
function missingWords(of: {
  readonly isWorking: boolean;
  readonly settled: boolean;
  readonly unread: boolean;
  readonly crowded: boolean;
  readonly named: boolean;
  readonly fits: boolean;
  readonly looked: boolean;
}): string | null {
  if (of.isWorking) return 'working out the noise…';
  if (!of.settled) return 'answer the questions above first';
  if (of.unread) return 'first say what the cells mean that are no numbers (2)';
  if (of.crowded) return 'somebody has more rows than one person may have (3)';
  if (!of.named) return 'first say whether these are people whose data was published before (6)';
  if (!of.fits) return 'the budget does not suffice (6)';
  return of.looked ? null : 'first look at what leaves as it is (5)';
}
