// Noisy counts of every cell of a public domain. The domain is never read from the data: which cells are empty, and which
// rows fall outside, must not show.

import { growthUpper, mechanismCost, written } from '../account/index.js';
import { design, parseObjective } from '../design/index.js';
import { invalid } from '../error/index.js';
import { divide, integer, one, parseDecimal, type Rational, toDecimalDown, zero } from '../exact/index.js';
import {
  checkRoles,
  howOften,
  movedBy,
  partColumn,
  quoteOf,
  refuseBeyond,
  rowsPerPerson,
} from '../ledger/index.js';
import type { Mechanism } from '../mechanism/index.js';
import { finishOf, latticeOf } from '../mechanism/index.js';
import { nearZeroWords } from '../report/index.js';
import { checkEntropy, guardedBy, guardOf, mechanismFiles, paid, type Released } from '../terms/index.js';
import { countCells } from './count-cells.js';
import { domainDoubts } from './domain-words.js';
import { type Effects, orAborted } from './effects.js';
import { closeEngine, openEngine } from './engine.js';
import type { Job } from './job.js';
import { stemOf } from './mechanism-files.js';
import { readAs, textsAs } from './reading-sql.js';
import { checkRequest, jobOf, type Prepared, type Trial } from './release.js';
import type { CountRequest, Domain } from './request.js';
import type { Source } from './source.js';

/** The one protected column is that of the counts. */
export interface CountJob extends Job {
  readonly by: readonly Domain[];
  readonly counted: string | null;
}

const MOST_CELLS = 100_000_000;
/** The name of the column of counts. */
export const countColumn = 'count';

/** The (ε, δ) of one change such that so many in a row cost no more than the target; rounded down. */
export function shareOf(target: { readonly epsilon: Rational; readonly delta: Rational }, count: number) {
  const epsilon = parseDecimal(toDecimalDown(divide(target.epsilon, integer(count)), 15));
  if (target.delta.num === 0n) return { epsilon, delta: zero };
  const growth = growthUpper(epsilon, count);
  if (growth === null)
    throw invalid('epsilon: expected at most 20000 with a δ above 0; there is no privacy beyond');
  return { epsilon, delta: parseDecimal(toDecimalDown(divide(target.delta, growth), 15)) };
}

/**
 * A noisy count for every cell of the domain. The cost, an upper bound on what one person with all their rows loses, is on the
 * ledger's disk before the first noisy byte exists (proofs/release.md).
 */
export async function count(request: CountRequest, effects: Effects): Promise<Released & Prepared<CountJob>> {
  const { job, quote } = await prepareCount(request, effects);
  refuseBeyond(quote);
  return withSource(job, effects, async (cells) => {
    await cells.hold();
    const mechanisms = job.columns.map(({ mechanism }) => mechanism);
    const leaves = job.output.kind === 'pipe' ? 'What has gone to standard output' : null;
    try {
      const released = await paid(effects.ledger, quote, mechanisms, leaves, cells.run);
      for (const words of nearZeroWords(released.outcome)) effects.note(words);
      return { ...released, job, quote };
    } finally {
      await cells.release();
    }
  });
}

/** What a count would cost, from the header and the types alone. */
export async function tryCount(request: CountRequest, effects: Effects): Promise<Trial<CountJob>> {
  const prepared = await prepareCount(request, effects);
  const { input } = prepared.job;
  if (input.kind !== 'pipe' && !input.format?.keyed)
    await withSource(prepared.job, effects, (cells) => cells.check());
  return { ...prepared, unchanged: [] };
}

async function withSource<T>(
  job: CountJob,
  effects: Effects,
  work: (cells: ReturnType<typeof countCells>) => Promise<T>,
): Promise<T> {
  const engine = await openEngine();
  let source: Source | null = null;
  try {
    const opened = job.input.open({ engine, delimiter: job.delimiter, guarded: guardedBy(job) }, effects);
    const found = await orAborted(effects.signal, opened, (late) => void late.close());
    const names = job.by.map(({ column }) => column);
    source = readAs(textsAs(found, names, job.reading), job.counted === null ? [] : [job.counted], null);
    return await work(countCells(job, engine, source, effects));
  } finally {
    await source?.close();
    closeEngine(engine);
  }
}

async function prepareCount(request: CountRequest, effects: Effects): Promise<Prepared<CountJob>> {
  const { ledger, entropy } = effects;
  const { by, input, output } = request;
  checkEntropy(entropy);
  checkRequest(request, ledger.address);
  const cells = by.reduce((product, { values }) => product * values.length, 1);
  if (cells > MOST_CELLS)
    throw invalid(`domain: expected at most ${MOST_CELLS} cells, got ${cells}; use smaller domains`);
  if (by.some(({ column }) => column === countColumn))
    throw invalid(`by: the counts are written to a column ${countColumn}; rename the input's column first`);
  const account = await ledger.account({ dataset: request.dataset, inputName: input.name });
  const names = by.map(({ column }) => column);
  const { counted, person } = request;
  checkRoles(
    {
      ...{ protects: [], by: names, counted, person },
      part: partColumn(account, request.part),
      query: input.query !== null,
    },
    account,
  );
  const perPerson = rowsPerPerson(account, request.perPerson, person !== null);
  const byProtected = movedBy(names, account);
  const { times } = howOften({ act: 'count', perPerson, query: input.query, byProtected }, account);
  const mechanism = countMechanism(shareOf(request, times));
  const lattice = latticeOf(one);
  const columns = [
    { name: countColumn, mechanism, lattice, finish: finishOf(lattice, request.clamp, request.roundTo) },
  ];
  for (const words of domainDoubts(by)) effects.note(words);
  const quote = quoteOf(
    {
      act: 'count',
      part: request.part,
      input: input.shown,
      output: output.shown,
      query: input.query,
      by: names,
      counted,
      perPerson,
      perPersonEnforced: person !== null,
      person,
      charges: [
        {
          on: `count by ${names.join(', ')}`,
          mechanism: ledger.mechanismHash(mechanism),
          adjacency: '1',
          ...written(mechanismCost(mechanism, 1)),
        },
      ],
    },
    account,
  );
  const files = mechanismFiles(columns, stemOf(output, input), ledger.mechanismHash);
  checkRequest(request, ledger.address, files);
  const guard = guardOf(account);
  return {
    quote,
    job: {
      ...jobOf(request, quote, files),
      by,
      counted,
      changes: times,
      columns,
      passed: [],
      skipInvalid: false,
      reading: request.reading,
      guard,
    },
  };
}

/** The least E|θ| for a change of one count by one. */
export function countMechanism(target: { readonly epsilon: Rational; readonly delta: Rational }): Mechanism {
  const objective = parseObjective('magnitude', one);
  const options = { objective, prior: null, unbiased: true, symmetric: true };
  const { mechanism } = design({ ...target, adjacency: 1 }, options, one);
  return { ...mechanism, origin: { ...mechanism.origin, for: 'counts' } };
}
