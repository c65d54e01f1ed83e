// What the room Protect asks its worker: one file is open at a time, and stays here.

import { DiscreetError } from 'discreet-dp/error';
import type { ProtectedColumn, Reading } from 'discreet-dp/terms';
import type { Progress } from '../engine/serve.js';
import { preview } from './agreement.js';
import { exported, imported, type LedgerAsked, ledgerState, withLedger } from './keeping.js';
import { resampled } from './picture.js';
import { release } from './release.js';
import { formatOf, type Opening, type Source, type SourceFormat } from './source.js';
import { peopleIn, type Survey, surveyOf } from './survey.js';
import { unreadIn } from './unread.js';
import { type ProtectWanted, readingWanted } from './wanted.js';

interface Open {
  readonly version: string;
  readonly source: Source;
  readonly survey: Survey;
  readonly samples: ReadonlyMap<string, readonly string[]>;
}

/** What is asked of a file says which one is meant. */
interface OfFile {
  readonly version: string;
}

const overtaken = () =>
  new DiscreetError('interrupted', 'input', 'another file was opened in the meantime', 'look at that one');

/** The functions, for the formats that there are. */
export function callsFor(formats: readonly SourceFormat[]) {
  let latest = '';
  let open: Open | null = null;
  let columns: readonly ProtectedColumn[] = [];
  let reading: Reading | null = null;
  const current = ({ version }: OfFile): Open => {
    if (open?.version !== version) throw overtaken();
    return open;
  };
  return {
    open: async (
      { file, version, ...opening }: Opening & OfFile & { readonly file: File },
      progress: Progress,
    ): Promise<Survey> => {
      latest = version;
      open = null;
      columns = [];
      const told: Progress = (share, words) => {
        if (latest !== version) throw overtaken();
        progress(share, words);
      };
      const source = await formatOf(file.name, formats).open(file, opening);
      const { survey, samples } = await surveyOf(file, source, told);
      if (latest !== version) throw overtaken();
      open = { version, source, survey, samples };
      return survey;
    },
    /** Cells that nobody has said how to read, in all columns. */
    unread: ({
      version,
      ...wanted
    }: OfFile & Pick<ProtectWanted, 'na' | 'map' | 'decimal' | 'skipInvalid'>) => ({
      version,
      columns: unreadIn(current({ version }).survey.columns, readingWanted(wanted), wanted.skipInvalid),
    }),
    people: ({ column, ...of }: OfFile & { readonly column: string }, progress: Progress) =>
      peopleIn(current(of).source, column, progress),
    preview: async ({ wanted, ...of }: OfFile & { readonly wanted: ProtectWanted }) => {
      const { source, survey } = current(of);
      const found = await preview(wanted, survey, source);
      current(of);
      columns = found.agreement.columns;
      reading = found.agreement.reading;
      return found.shown;
    },
    resample: ({ column, ...of }: OfFile & { readonly column: string }) => {
      const { samples } = current(of);
      const own = columns.find(({ name }) => name === column);
      return own ? resampled(own, samples.get(column) ?? [], reading) : null;
    },
    /** `token` is that of the preview that was looked at. */
    release: (
      { wanted, token, ...of }: OfFile & { readonly wanted: ProtectWanted; readonly token: string },
      progress: Progress,
    ) => {
      const { source, survey } = current(of);
      return release(wanted, token, survey.name, source, progress);
    },
    ledger: (asked: LedgerAsked) => ledgerState(asked),
    exportLedger: ({ name }: { readonly name: string }) => withLedger(name, ({ ledger }) => exported(ledger)),
    importLedger: ({ name, text }: { readonly name: string; readonly text: string }) => imported(name, text),
  };
}

export type ProtectCalls = ReturnType<typeof callsFor>;
