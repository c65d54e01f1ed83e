// Which file is open, and in which worker: the one that was chosen last, whatever is still being read.

import { useRef, useState } from 'preact/hooks';
import { type Engine, engineOf } from '../engine/engine.js';
import type { ProtectCalls } from './calls.js';
import { sessionOf } from './session.js';
import type { Survey } from './survey.js';

const text = engineOf<ProtectCalls>(() => import('./worker.ts?worker-source'));
const parquet = engineOf<ProtectCalls>(() => import('./parquet-worker.ts?worker-source'));

export interface Opened {
  readonly engine: Engine<ProtectCalls>;
  readonly survey: Survey;
  readonly version: string;
}

/** What long work says of itself. */
export interface Told {
  readonly share: number | null;
  readonly words: string;
}

let openings = 0;

export function useOpened() {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [reading, setReading] = useState<Told | null>(null);
  /** Ledgers that no disk keeps live in one worker, which must then be the same for all files, and is never ended. */
  const [onlyOne, setOnlyOne] = useState(false);
  const last = useRef<File | null>(null);
  const latest = useRef('');

  const open = async (file: File, encoding: string, ledger: string) => {
    const own = String(++openings);
    latest.current = own;
    last.current = file;
    const isLatest = () => latest.current === own;
    setError(null);
    setOpened(null);
    setReading({ share: 0, words: 'opening' });
    // Work for the file before is no longer wanted.
    if (!onlyOne) opened?.engine.stop();
    const about = { file, encoding, version: own };
    try {
      const { kept } = await text.ask('ledger', { name: ledger, dataset: '', columns: [], file: [] });
      if (!kept) setOnlyOne(true);
      const worker = !kept || /\.parquet$/i.test(file.name) ? parquet : text;
      const survey = await worker.ask('open', about, (share, words) => {
        if (isLatest()) setReading({ share, words });
      });
      if (isLatest()) setOpened({ engine: sessionOf(worker, about), survey, version: own });
    } catch (failure) {
      if (isLatest()) setError(failure);
    } finally {
      if (isLatest()) setReading(null);
    }
  };

  return {
    opened,
    error,
    reading,
    /** Of the file that is open, or for questions that are about none. */
    engine: opened?.engine ?? (onlyOne ? parquet : text),
    version: opened?.version ?? '',
    onlyOne,
    setOnlyOne,
    open,
    /** The same file, read otherwise. */
    again: (encoding: string, ledger: string) => {
      if (last.current) void open(last.current, encoding, ledger);
    },
  };
}
