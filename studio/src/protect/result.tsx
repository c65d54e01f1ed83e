// What came of it: files to save, and how readers read them.

import { useEffect, useState } from 'preact/hooks';
import { Copied } from '../parts/command.js';
import { download } from '../parts/drop.js';
import type { OutputFile } from './release.js';
import type { Done } from './report-page.js';

const ABOUT: Readonly<Record<OutputFile['kind'], string>> = {
  data: 'the protected file: this is what you publish',
  mechanism: 'the noise itself: publish it too, readers need it',
  report: 'for whoever has to agree, and for readers',
  figures: 'the figures of the report, for programs',
  ledger: 'what has been spent: keep it, and do not lose it',
};

export interface ResultProps {
  readonly done: Done;
  /** Is the data itself in this page alone? */
  readonly unsaved: boolean;
  readonly onSaved: () => void;
}

export function Result({ done, unsaved, onSaved }: ResultProps) {
  const [saved, setSaved] = useState<readonly string[]>([]);
  const save = ({ kind, name, content }: OutputFile) => {
    download(name, content);
    if (kind === 'data') onSaved();
    setSaved((old) => [...new Set([...old, name])]);
  };
  const all = async () => {
    for (const file of done.files) {
      save(file);
      // Browsers take files that come at once for one.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };
  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unsaved]);
  return (
    <section class="card" aria-labelledby="result-title" data-result="released">
      <h2 id="result-title" tabIndex={-1}>
        Released
      </h2>
      <p class="good">
        {done.rows.toLocaleString('en')} rows are protected, and the cost is in the ledger as entry{' '}
        {done.entry}
        {done.settled ? '' : ' (it could not be marked as complete, and counts as spent)'}.
        {done.left
          ? done.left.epsilon === '0'
            ? ' Nothing of the budget is left.'
            : ` ε = ${done.left.epsilon} is left.`
          : ''}{' '}
        Save the files now: they are in this page alone, and a second release costs again.
      </p>
      <div class="row">
        <button type="button" data-action="save-all" onClick={() => void all()}>
          Save all {done.files.length} files
        </button>
        <span class="small">your browser may ask whether the page may save several</span>
      </div>
      <ul class="files">
        {done.files.map((file) => (
          <li key={file.name}>
            <button
              type="button"
              class="quiet"
              data-action={`save-${file.kind}`}
              data-file={file.name}
              onClick={() => save(file)}
            >
              Save {file.name}
            </button>{' '}
            {ABOUT[file.kind]}
            {saved.includes(file.name) ? <span class="small"> ✓ saved</span> : null}
          </li>
        ))}
      </ul>
      {done.snippets ? (
        <>
          <h3>How readers read it</h3>
          <p class="hint">
            A value below 0, or otherwise impossible, is noise. Whoever deletes such values, or sets them to
            0, makes every mean too large.
          </p>
          {(['python', 'r', 'javascript'] as const).map((language) => (
            <details key={language} open={language === 'python'}>
              <summary>{{ python: 'Python', r: 'R', javascript: 'JavaScript' }[language]}</summary>
              <Copied
                text={done.snippets![language]}
                action={`copy-${language}`}
                about={`the lines for ${language}`}
              />
            </details>
          ))}
        </>
      ) : null}
    </section>
  );
}
