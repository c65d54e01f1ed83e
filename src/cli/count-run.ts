// What `discreet count` does.

import { design, parseGoal } from '../design/index.js';
import { one } from '../exact/index.js';
import { PrivacyError } from '../mechanism/index.js';
import { entropySource } from '../random/index.js';
import {
  type CountJob,
  changes,
  count,
  countColumn,
  type Domain,
  type Job,
  latticeOf,
  type Released,
  shareOf,
  tryCount,
} from '../release/index.js';
import type { CountOptions } from './count.js';
import { parseCsv } from './csv.js';
import { readDelta, readEpsilon } from './input.js';
import { progressLine } from './progress.js';
import {
  budgetFor,
  checkPaths,
  interruptible,
  keptMechanisms,
  ledgerFrom,
  note,
  openLedgerFor,
  readDelimiter,
  readFinish,
  readInput,
  readOutput,
  readPerColumn,
  readPerPerson,
  reportPaths,
  usedMechanisms,
} from './release-common.js';
import { rowProgress, showReleased, showTrial } from './release-told.js';

export async function runCount(inputText: string, options: CountOptions): Promise<void> {
  if (options.seed !== undefined)
    throw new PrivacyError('--seed: seeded noise protects nobody, so nothing is released with it');
  const input = readInput(inputText, options);
  const output = readOutput(options, input);
  const by = readDomains(options);
  const target = { epsilon: readEpsilon(options.epsilon), delta: readDelta(options.delta ?? '0') };
  if (target.epsilon.num <= 0n)
    throw new RangeError(`--epsilon: expected a value above 0, got ${options.epsilon}`);
  const reports = reportPaths(options);
  const found = ledgerFrom(options.ledger);
  const read = [input.kind === 'file' ? input.path : null];
  const written = [output.kind === 'file' ? output.path : null, reports?.html ?? null, reports?.json ?? null];
  checkPaths(read, written, found.address);
  const ledger = await openLedgerFor(found, options.dryRun === true);
  try {
    const account = {
      dataset: options.dataset ?? null,
      part: options.part ?? null,
      perPerson: readPerPerson(options.perPerson),
    };
    const budget = await budgetFor(ledger, account.dataset, input);
    const perPerson = budget?.perPerson ?? account.perPerson ?? 1;
    const share = shareOf(target, changes(perPerson, by, budget, input));
    const goal = { goal: parseGoal('magnitude', one), prior: null, unbiased: true, symmetric: true };
    const { mechanism: designed } = design({ ...share, adjacency: 1 }, goal, one, () => undefined);
    const mechanism = {
      ...designed,
      origin: { design: { objective: 'magnitude', symmetric: true }, for: 'counts' },
    };
    const lattice = latticeOf(one);
    const only = (texts: readonly string[], flag: string) =>
      readPerColumn(texts, flag, [countColumn])(countColumn);
    const finish = readFinish(lattice, only(options.clamp, '--clamp'), only(options.roundTo, '--round-to'));
    const columns = [{ name: countColumn, mechanism, lattice, finish }];
    const used = usedMechanisms(columns, output, input);
    const files = used.map(({ path }) => path);
    checkPaths(read, [...written, ...files], found.address);
    const beforePublish = keptMechanisms(used, options.force === true);
    const job: Omit<CountJob, 'signal' | 'progress'> = {
      input,
      output,
      by,
      mechanism,
      lattice,
      finish,
      delimiter: readDelimiter(options.delimiter),
      force: options.force === true,
      person: options.person === undefined ? null : { column: options.person, rows: perPerson },
      beforePublish,
      note,
      source: entropySource(globalThis.crypto),
    };
    if (options.dryRun) {
      const signal = new AbortController().signal;
      const trial = await tryCount({ ...job, signal, progress: () => undefined }, account, ledger);
      showTrial(trial, columns, ledger, options);
      return;
    }
    await interruptible(async (signal) => {
      const line = progressLine();
      let released: Released;
      try {
        released = await count({ ...job, signal, progress: rowProgress(line) }, account, ledger);
      } finally {
        line.end();
      }
      const told: Omit<Job, 'signal' | 'progress'> = {
        ...job,
        columns,
        passed: [],
        skipInvalid: false,
        part: null,
        guard: { budget: [], earlier: [] },
      };
      await showReleased({ job: told, released, ledger, options, reports, mechanisms: files });
    });
  } finally {
    await ledger.close();
  }
}

const LARGEST_RANGE = 10_000_000;

function readDomains({ by, domain }: CountOptions): Domain[] {
  const stated = new Map<string, Domain>();
  for (const text of domain) {
    const at = text.indexOf('=');
    if (at < 1)
      throw new RangeError(
        `--domain: expected column=values as in region=N,S or year=2019..2024, got ${text}`,
      );
    const column = text.slice(0, at);
    if (stated.has(column)) throw new RangeError(`--domain: given twice for ${JSON.stringify(column)}`);
    stated.set(column, { column, ...readValues(text.slice(at + 1), column) });
  }
  const columns = by.split(',').map((column) => column.trim());
  const unused = [...stated.keys()].find((column) => !columns.includes(column));
  if (unused !== undefined)
    throw new RangeError(`--domain: ${JSON.stringify(unused)} is not counted by; add it to --by`);
  return columns.map((column, i) => {
    if (columns.indexOf(column) !== i) throw new RangeError(`--by: ${JSON.stringify(column)} is named twice`);
    const found = stated.get(column);
    if (!found)
      throw new RangeError(
        `--domain: expected all values that ${JSON.stringify(column)} may have, as in --domain ${column}=a,b,c; they are not read from the data, for that would tell which occur`,
      );
    return found;
  });
}

function readValues(text: string, column: string): { values: string[]; isRange: boolean } {
  const range = /^(-?\d{1,15})\.\.(-?\d{1,15})$/.exec(text);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (to < from || to - from >= LARGEST_RANGE)
      throw new RangeError(
        `--domain ${column}: expected a range upward of at most ${LARGEST_RANGE} values, got ${text}`,
      );
    return { values: Array.from({ length: to - from + 1 }, (_, i) => String(from + i)), isRange: true };
  }
  const values = parseCsv(text)[0] ?? [];
  if (values.length === 0 || (values.length === 1 && values[0] === ''))
    throw new RangeError(`--domain ${column}: expected the values that it may have, as in ${column}=a,b,c`);
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined)
    throw new RangeError(`--domain ${column}: ${JSON.stringify(twice)} is named twice`);
  return { values, isRange: false };
}
