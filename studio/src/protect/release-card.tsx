// The button itself, what is still missing, and the same as a command.

import { Command } from '../parts/command.js';
import { TextField } from '../parts/field.js';
import { errorWords } from '../parts/words.js';
import type { Told } from './opened.js';

export interface ReleaseCardProps {
  readonly output: string;
  readonly onOutput: (output: string) => void;
  readonly error: string | null;
  readonly working: Told | null;
  /** Why nothing can be released yet. */
  readonly missing: string | null;
  /** Was it released already? */
  readonly again: boolean;
  readonly releaseError: unknown;
  readonly command: readonly string[] | null;
  readonly onRelease: () => void;
}

export function ReleaseCard(props: ReleaseCardProps) {
  const { output, onOutput, error, working, missing, again, releaseError, command, onRelease } = props;
  return (
    <section class="card" aria-labelledby="release-title">
      <h2 id="release-title">
        <span class="number">7</span> Release
      </h2>
      <TextField
        option="output"
        label="Name of the result"
        value={output}
        onChange={onOutput}
        error={error}
      />
      <div class="row">
        <button
          type="button"
          class={again ? 'quiet' : ''}
          data-action="release"
          disabled={missing !== null || working !== null}
          onClick={onRelease}
        >
          {again ? 'Release once more, which costs again' : 'Release'}
        </button>
        <span class="small" role="status">
          {working
            ? working.words
            : (missing ?? 'the cost is written into the ledger before anything is made')}
        </span>
      </div>
      {working ? <progress value={working.share ?? undefined} aria-label="releasing" /> : null}
      <p class="error" role="alert" data-result="release-error">
        {releaseError ? errorWords(releaseError) : ''}
      </p>
      {command ? <Command lines={command} /> : null}
    </section>
  );
}
