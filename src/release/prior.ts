// A prior from the data themselves: a private histogram, paid for before a row is read, and the distribution behind it.

import { mechanismCost, written } from '../account/index.js';
import { invalid } from '../error/index.js';
import {
  ceiling,
  divide,
  integer,
  isInteger,
  multiply,
  one,
  type Rational,
  toDecimal,
} from '../exact/index.js';
import { writeText } from '../files/index.js';
import { checkRoles, howOften, partColumn, quoteOf, refuseBeyond, rowsPerPerson } from '../ledger/index.js';
import { finishOf, latticeOf } from '../mechanism/index.js';
import { moments, standardDeviation } from '../pmf/index.js';
import { type Paid, type Prior, roundedPmf, writePrior } from '../prior/index.js';
import { groupsOf, recoverCounted } from '../recover/index.js';
import { adjacencyFor, checkEntropy, guardOf, paid, type Released } from '../terms/index.js';
import { countColumn, countMechanism, shareOf } from './count.js';
import type { Effects } from './effects.js';
import { type Counts, countValues, type PriorJob, withValues } from './prior-counts.js';
import { priorDigest } from './prior-paid.js';
import { checkRequest, jobOf, type Prepared, type Trial } from './release.js';
import type { PriorRequest } from './request.js';

export interface PriorReleased extends Released, Prepared<PriorJob> {
  readonly prior: Prior & { readonly paid: Paid };
  /** The fit is at most this below the best one, for each row. */
  readonly gap: number;
}

/** Values that a range may hold. */
const WIDEST = 100_000;

/**
 * A distribution on the range, from counts with noise of their own. A record that moves, however little, leaves one cell for
 * another: two changes a row. Of counts below thresholds that are an adjacency apart it changes one (proofs/recover.md). The cost is
 * on the ledger's disk before a row is read.
 */
export async function prior(request: PriorRequest, effects: Effects): Promise<PriorReleased> {
  const { job, quote } = await preparePrior(request, effects);
  refuseBeyond(quote);
  return withValues(job, effects, async (source) => {
    let found: Pick<PriorReleased, 'prior' | 'gap'> | null = null;
    const released = await paid(effects.ledger, quote, [job.mechanism], null, async (reservation) => {
      const { pmf, gap } = distributionOf(job, await countValues(job, source, effects));
      const { dataset, epsilon, delta } = reservation.spending;
      const receipt = {
        ...{ dataset, column: job.column, entry: reservation.sequence, hash: reservation.head },
        ...{ epsilon, delta },
      };
      found = { prior: { pmf, spec: job.output.shown, cut: null, paid: receipt }, gap };
      writeText(job.output.path!, writePrior({ pmf, paid: receipt }), job.force, effects.note);
      const words = priorDigest(pmf);
      return { rows: pmf.weights.length, unchanged: [], values: [], words };
    });
    return { ...released, ...found!, job, quote };
  });
}

/** What it would cost, from the header and the types alone. */
export async function tryPrior(request: PriorRequest, effects: Effects): Promise<Trial<PriorJob>> {
  const prepared = await preparePrior(request, effects);
  const { input } = prepared.job;
  if (input.kind !== 'pipe' && !input.format?.keyed)
    await withValues(prepared.job, effects, async () => undefined);
  return { ...prepared, unchanged: [] };
}

export async function preparePrior(request: PriorRequest, effects: Effects): Promise<Prepared<PriorJob>> {
  const { ledger, entropy } = effects;
  const { input, output, column } = request;
  checkEntropy(entropy);
  if (output.kind !== 'file') throw invalid(`output: expected a file, got ${output.shown}`);
  checkRequest(request, ledger.address);
  const account = await ledger.account({ dataset: request.dataset, inputName: input.name });
  const { person } = request;
  checkRoles({ protects: [column], person, part: partColumn(account, request.part) }, account);
  const perPerson = rowsPerPerson(account, request.perPerson, person !== null);
  const distance = request.thresholds ? adjacencyFor(column, request.adjacency, account.budget) : null;
  const counts = countsOf(request, distance);
  const apart = distance ? { apart: toDecimal(distance) } : {};
  const moves = { act: 'prior', perPerson, query: input.query, byProtected: [column], ...apart } as const;
  const { times } = howOften(moves, account);
  const mechanism = countMechanism(shareOf(request, times));
  const quote = quoteOf(
    {
      act: 'prior',
      part: request.part,
      input: input.shown,
      output: output.shown,
      query: input.query,
      by: [column],
      ...apart,
      perPerson,
      perPersonEnforced: person !== null,
      person,
      charges: [
        {
          on: `prior of ${column}`,
          mechanism: ledger.mechanismHash(mechanism),
          adjacency: '1',
          ...written(mechanismCost(mechanism, 1)),
        },
      ],
    },
    account,
  );
  const [guard, lattice] = [guardOf(account), latticeOf(one)];
  const columns = [{ name: countColumn, mechanism, lattice, finish: finishOf(lattice, null, null) }];
  const rest = { columns, passed: [], skipInvalid: request.skipInvalid, reading: request.reading, guard };
  return { quote, job: { ...jobOf(request, quote, []), ...rest, changes: times, column, counts, mechanism } };
}

function countsOf({ range, step, thresholds }: PriorRequest, distance: Rational | null): Counts {
  const [low, high] = [range.low, range.high].map((end) => {
    const index = divide(end, step);
    if (!isInteger(index))
      throw invalid(`range: expected multiples of the step ${toDecimal(step)}, got ${toDecimal(end)}`);
    return Number(index.num / index.den);
  }) as [number, number];
  const shown = `${toDecimal(range.low)},${toDecimal(range.high)}`;
  if (!(low < high)) throw invalid(`range: expected low,high with low below high, got ${shown}`);
  if (!(high - low < WIDEST) || Math.max(Math.abs(low), Math.abs(high)) > 2 ** 50)
    throw invalid(
      `range: expected at most ${WIDEST} steps, got ${high - low + 1}; name a narrower one, or a larger {step}`,
    );
  const { apart } = groupsOf(low, high);
  // Rounded to the lattice, values within the distance can be so many steps apart.
  const steps = distance === null ? apart : Math.max(apart, Number(ceiling(divide(distance, step))));
  const edges: number[] = [];
  for (let edge = low + steps; edge <= high; edge += steps) edges.push(edge);
  if (edges.length === 0)
    throw invalid(
      `thresholds: none lies within the range ${shown} at adjacency ${toDecimal(multiply(integer(steps), step))}; leave it out, or widen the range`,
    );
  return { lattice: latticeOf(step), range: [low, high], edges, below: thresholds };
}

/** Behind noisy counts; where every value is counted, their sum stands for the number of rows. */
function distributionOf(
  { mechanism, counts: { lattice, range, edges, below } }: PriorJob,
  { counts, rows }: { readonly counts: readonly number[]; readonly rows: number | null },
) {
  const [low, high] = range;
  const cells = counts.map((count, j) => ({
    low: below || j === 0 ? -Infinity : edges[j - 1]!,
    high: j < edges.length ? edges[j]! - 1 : Infinity,
    count,
  }));
  const all = rows ?? counts.reduce((sum, count) => sum + count, 0);
  const std = standardDeviation(moments({ ...mechanism.pmf, step: one }));
  const { support, masses, gap } = recoverCounted(cells, std, Math.max(1, all), range);
  const values = Array.from({ length: high - low + 1 }, (_, i) => {
    const group = Math.floor(i / support.apart);
    const size = Math.min(support.apart, high - low + 1 - group * support.apart);
    return Math.max(0, masses[group]!) / size;
  });
  return { pmf: roundedPmf(lattice.step, low, values), gap };
}
