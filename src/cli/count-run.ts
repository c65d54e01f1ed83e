// What `discreet count` does.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { design, parseGoal } from '../design/index.js';
import { one, parseDecimal } from '../exact/index.js';
import { PrivacyError, writeMechanism } from '../mechanism/index.js';
import { entropySource } from '../random/index.js';
import {
  type CountJob,
  changes,
  count,
  type Domain,
  finishOf,
  latticeOf,
  nameOf,
  shareOf,
  tryCount,
} from '../release/index.js';
import type { CountOptions } from './count.js';
import { readDelta, readEpsilon } from './input.js';
import { checkOutput, writeOutput } from './output.js';
import { progressLine } from './progress.js';
import {
  budgetFor,
  interruptible,
  openLedgerFor,
  readInput,
  readOutput,
  readPerPerson,
  rowProgress,
  showQuote,
  showReleased,
} from './release-common.js';

export async function runCount(inputText: string, options: CountOptions): Promise<void> {
  if (options.seed !== undefined)
    throw new PrivacyError('--seed: seeded noise protects nobody, so nothing is released with it');
  const input = readInput(inputText, options);
  const output = readOutput(options);
  const by = readDomains(options);
  const target = { epsilon: readEpsilon(options.epsilon!), delta: readDelta(options.delta) };
  if (target.epsilon.num <= 0n)
    throw new RangeError(`--epsilon: expected a value above 0, got ${options.epsilon}`);
  const ledger = await openLedgerFor(options, options.dryRun !== true);
  try {
    const account = {
      dataset: options.dataset ?? null,
      part: options.part ?? null,
      perPerson: readPerPerson(options.perPerson),
    };
    const budget = await budgetFor(ledger, account.dataset, input);
    const perPerson = budget?.perPerson ?? account.perPerson ?? 1;
    const share = shareOf(target, changes(perPerson, by, budget));
    const goal = { goal: parseGoal('magnitude', one), prior: null, unbiased: true, symmetric: true };
    const { mechanism: designed } = design({ ...share, adjacency: 1 }, goal, one, () => undefined);
    const mechanism = {
      ...designed,
      origin: { design: { objective: 'magnitude', symmetric: true }, for: 'counts' },
    };
    const lattice = latticeOf(one);
    const [clamp] = options.clamp.map((text) => text.split(','));
    if (clamp && clamp.length !== 2)
      throw new RangeError(`--clamp: expected low,high as in 0,100, got ${options.clamp[0]}`);
    const job: Omit<CountJob, 'signal' | 'progress'> = {
      input,
      output,
      by,
      mechanism,
      lattice,
      finish: finishOf(
        lattice,
        clamp ? { low: parseDecimal(clamp[0]!, '--clamp'), high: parseDecimal(clamp[1]!, '--clamp') } : null,
        options.roundTo[0] === undefined ? null : parseDecimal(options.roundTo[0], '--round-to'),
      ),
      delimiter: options.delimiter ?? null,
      force: options.force === true,
      person: options.person === undefined ? null : { column: options.person, rows: perPerson },
      source: entropySource(globalThis.crypto),
    };
    const columns = [{ name: 'count', mechanism, lattice, finish: job.finish }];
    if (options.dryRun) {
      const quote = await tryCount(
        { ...job, signal: new AbortController().signal, progress: () => undefined },
        account,
        ledger,
      );
      showQuote(quote, columns, ledger, options);
      return;
    }
    const path = `${output.kind === 'file' ? output.path : output.kind === 'postgres' ? basename(output.table!) : (nameOf(input) ?? 'count')}.mechanism.json`;
    const text = writeMechanism(mechanism);
    const fresh = !(existsSync(path) && readFileSync(path, 'utf8') === text);
    if (fresh) checkOutput(path, options.force === true);
    await interruptible(async (signal) => {
      if (fresh) writeOutput(path, text, true);
      const line = progressLine();
      try {
        const released = await count({ ...job, signal, progress: rowProgress(line) }, account, ledger);
        line.end();
        const told = { ...job, columns, snap: false, skipInvalid: false, part: null };
        await showReleased({
          job: told,
          released,
          ledger,
          options,
          reports: null,
          mechanisms: [path],
          verify: [path],
        });
      } catch (error) {
        line.end();
        if (fresh) rmSync(path, { force: true });
        throw error;
      }
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
  const values = text.split(',');
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined)
    throw new RangeError(`--domain ${column}: ${JSON.stringify(twice)} is named twice`);
  return { values, isRange: false };
}
