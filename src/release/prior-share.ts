// A release that begins with a prior where part of ε is for one: the prior is paid for, and noise is designed for it with the rest.

import { readCost, written } from '../account/index.js';
import { outputDistance } from '../design/index.js';
import { invalid, quote } from '../error/index.js';
import {
  add,
  integer,
  multiply,
  one,
  parseDecimal,
  type Rational,
  subtract,
  toDecimal,
  toNumberNear,
  zero,
} from '../exact/index.js';
import { type Quote, refuseBeyond, requoted } from '../ledger/index.js';
import type { Mechanism } from '../mechanism/index.js';
import { moments } from '../pmf/index.js';
import type { Gain } from '../prior/index.js';
import {
  Interrupted,
  makeMechanisms,
  type PriorShare,
  type ProtectedColumn,
  pathsBeside,
  type Released,
  shareOut,
} from '../terms/index.js';
import type { Effects } from './effects.js';
import type { Job } from './job.js';
import { stemOf } from './mechanism-files.js';
import { placeOf } from './places/index.js';
import { type PriorReleased, preparePrior, prior } from './prior.js';
import {
  type Prepared,
  prepareRelease,
  release as releaseRows,
  type Trial,
  tryHold,
  tryRelease as tryRows,
} from './release.js';
import type { PriorRequest, ReleaseRequest } from './request.js';

/** A release, and before it the priors that part of its ε is for. */
export async function release(request: ReleaseRequest, effects: Effects): Promise<Released & Prepared<Job>> {
  const { share } = request.noise ?? {};
  if (!share) return releaseRows(request, effects);
  const split = splitRequest(request, share);
  const { job, quote } = await tryBoth(split, effects);
  // Nothing is spent on priors of what cannot be paid, or written.
  refuseBeyond(quote);
  await tryHold(job, effects);
  const priors = new Map<string, PriorReleased>();
  try {
    for (const own of split.priors) priors.set(own.column, await prior(own, effects));
    const found = new Map([...priors].map(([column, done]) => [column, done.prior]));
    const done = await releaseRows(
      { ...split.rest, noise: { ...split.rest.noise!, prior: (column) => found.get(column) ?? null } },
      effects,
    );
    return { ...done, job: { ...done.job, columns: withGains(done.job.columns, priors, request, quote) } };
  } catch (error) {
    throw keeping(error, [...priors.values()], effects);
  }
}

/** What both would cost together; the noise is told as it would be without the prior. */
export async function tryRelease(request: ReleaseRequest, effects: Effects): Promise<Trial> {
  const { share } = request.noise ?? {};
  if (!share) return tryRows(request, effects);
  const split = splitRequest(request, share);
  const { unchanged } = await tryRows(split.rest, effects);
  const both = await tryBoth(split, effects);
  const { account, spending } = both.quote;
  const names = split.priors.map(({ column }) => column);
  const whole = makeMechanisms(
    names,
    { ...request.noise!, share: null },
    account.budget,
    spending.perPerson ?? 1,
  );
  const instead = split.priors.map(({ column, epsilon, output }) => ({
    column,
    epsilon: toDecimal(epsilon),
    file: output.path!,
    without: toNumberNear(moments(whole.get(column)!.pmf).meanAbsolute),
  }));
  return { ...both, unchanged, priors: instead };
}

/** Whatever ends it, priors that were paid for are there. */
function keeping(error: unknown, priors: readonly PriorReleased[], { note }: Effects): unknown {
  if (priors.length === 0) return error;
  const kept = priors.map(
    ({ job, reservation }) =>
      `the prior of ${quote(job.column)} stays paid for, as entry ${reservation.sequence}, in ${job.output.shown}`,
  );
  if (error instanceof Interrupted && error.entry === null)
    return new Interrupted(error.signal, null, kept.join('; '));
  note(`${kept.join('; ')}; go on with what is there instead of a new one`);
  return error;
}

interface Split {
  readonly priors: readonly PriorRequest[];
  readonly rest: ReleaseRequest;
}

/** A request for each prior, and one for the release with what they leave. */
function splitRequest(request: ReleaseRequest, { part, range }: PriorShare): Split {
  const { columns, input, output } = request;
  const noise = request.noise!;
  if (part.num <= 0n || part.num >= part.den)
    throw invalid(`priorShare: expected a number above 0 and below 1, got ${toDecimal(part)}`);
  if (noise.family)
    throw invalid('priorShare: noise of a family does not depend on a prior; leave out one of the two');
  if (input.kind === 'pipe')
    throw invalid('priorShare: a prior takes a second reading; save the input to a file first');
  const names = columns.filter(({ mechanism }) => mechanism === null).map(({ name }) => name);
  if (names.some((name) => noise.prior(name)))
    throw invalid('priorShare: the prior is given with {prior}; leave out one of the two');
  const epsilons = shareOut(noise.epsilon, 'epsilon', names);
  const files = pathsBeside(names, 'prior.csv', stemOf(output, input));
  const left = (epsilon: Rational) => multiply(epsilon, subtract(one, part));
  const priors = names.map((column, i): PriorRequest => {
    const { writes, reads, dataset, part: of, perPerson, person, delimiter, force } = request;
    const own = { address: files[i]!, format: 'csv', table: null, query: null, rowsOnce: false };
    return {
      ...{ input, output: placeOf(own, 'output'), dataset, part: of, perPerson, person, delimiter, force },
      recreate: false,
      // Those before it are there by then.
      reads: [...reads, ...files.slice(0, i)],
      writes: [...writes, ...files.slice(i + 1), ...(output.path === null ? [] : [output.path])],
      column,
      range: range(column),
      step: noise.step(column).value,
      epsilon: multiply(epsilons.get(column)!, part),
      delta: zero,
      thresholds: false,
      skipInvalid: request.skipInvalid,
      reading: request.reading,
      adjacency: null,
    };
  });
  const rest = new Map([...epsilons].map(([column, epsilon]) => [column, left(epsilon)]));
  return {
    priors,
    rest: {
      ...request,
      noise: { ...noise, share: null, epsilon: { all: null, own: rest } },
      // Nothing may overwrite them.
      reads: [...request.reads, ...files],
    },
  };
}

/** One quote for all of it, with the noise as it would be without a prior. */
async function tryBoth({ priors, rest }: Split, effects: Effects): Promise<Prepared<Job>> {
  const { job, quote } = await prepareRelease(rest, effects);
  const { spending, account } = quote;
  let cost = readCost(spending);
  for (const own of priors) {
    const more = readCost((await preparePrior(own, effects)).quote.spending);
    cost = { epsilon: add(cost.epsilon, more.epsilon), delta: add(cost.delta, more.delta) };
  }
  return { job, quote: requoted({ ...spending, ...written(cost) }, account) };
}

/** Columns with what their priors were good for. */
function withGains(
  columns: readonly ProtectedColumn[],
  priors: ReadonlyMap<string, PriorReleased>,
  { noise }: ReleaseRequest,
  { account, spending }: Quote,
): ProtectedColumn[] {
  const rows = spending.perPerson ?? 1;
  const whole = makeMechanisms([...priors.keys()], { ...noise!, share: null }, account.budget, rows);
  return columns.map((column) => {
    const found = priors.get(column.name);
    if (!found) return column;
    const { prior: own, job } = found;
    const both = (of: (mechanism: Mechanism) => number) => ({
      own: of(column.mechanism),
      without: of(whole.get(column.name)!),
    });
    const spent = multiply(column.mechanism.claim.epsilon, integer(rows));
    const gain: Gain = {
      paid: own.paid,
      file: job.output.path!,
      epsilon: toDecimal(add(parseDecimal(own.paid.epsilon), spent)),
      wasserstein: both(({ pmf }) => outputDistance(own.pmf, pmf)),
      meanAbsolute: both(({ pmf }) => toNumberNear(moments(pmf).meanAbsolute)),
    };
    return { ...column, gain };
  });
}
