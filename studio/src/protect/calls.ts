// What the room Protect asks its worker: one file is open at a time, and stays here.

import { invalid } from 'discreet-dp/error';
import type { ProtectedColumn, Reading } from 'discreet-dp/terms';
import type { Progress } from '../engine/serve.js';
import { preview } from './agreement.js';
import { exported, imported, ledgerState, withLedger } from './keeping.js';
import { resampled } from './picture.js';
import { release } from './release.js';
import { formatOf, type Opening, type Source, type SourceFormat } from './source.js';
import { peopleIn, type Survey, surveyOf } from './survey.js';
import type { ProtectWanted } from './wanted.js';

interface Open {
  readonly source: Source;
  readonly survey: Survey;
  readonly samples: ReadonlyMap<string, readonly string[]>;
}

/** The functions, for the formats that there are. */
export function callsFor(formats: readonly SourceFormat[]) {
  let open: Open | null = null;
  let columns: readonly ProtectedColumn[] = [];
  let reading: Reading | null = null;
  const current = (): Open => {
    if (!open) throw invalid('input: open a file first');
    return open;
  };
  return {
    open: async (
      { file, ...opening }: Opening & { readonly file: File },
      progress: Progress,
    ): Promise<Survey> => {
      open = null;
      columns = [];
      const source = await formatOf(file.name, formats).open(file, opening);
      const { survey, samples } = await surveyOf(file, source, progress);
      open = { source, survey, samples };
      return survey;
    },
    people: ({ column }: { readonly column: string }, progress: Progress) =>
      peopleIn(current().source, column, progress),
    preview: async (wanted: ProtectWanted) => {
      const { source, survey } = current();
      const found = await preview(wanted, survey.name, source, survey.rows);
      columns = found.agreement.columns;
      reading = found.agreement.reading;
      return found.shown;
    },
    resample: ({ column }: { readonly column: string }) => {
      const own = columns.find(({ name }) => name === column);
      return own ? resampled(own, current().samples.get(column) ?? [], reading) : null;
    },
    release: (wanted: ProtectWanted, progress: Progress) => {
      const { source, survey } = current();
      return release(wanted, survey.name, source, progress);
    },
    ledger: ({ name }: { readonly name: string }) => ledgerState(name),
    exportLedger: ({ name }: { readonly name: string }) => withLedger(name, ({ ledger }) => exported(ledger)),
    importLedger: ({ name, text }: { readonly name: string; readonly text: string }) => imported(name, text),
  };
}

export type ProtectCalls = ReturnType<typeof callsFor>;
