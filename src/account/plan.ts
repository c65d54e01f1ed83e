// A plan: releases as somebody writes them down, with noise by its text or a mechanism by its file.

import { invalid, isOurs, parseJson, wrong } from '../error/index.js';
import { exactText, toNumberNear } from '../exact/index.js';
import { CUT, type Mechanism } from '../mechanism/index.js';
import {
  type Decimal,
  parseNoise,
  quote,
  type ReadTable,
  readDecimal,
  readSteps,
  suggest,
} from '../spec/index.js';
import { checkSampling, type Repeated } from './total.js';

/** One release of a plan; what is not said is once, of rows, unsampled, on whole numbers. */
export interface PlanRelease {
  readonly name?: string | undefined;
  /** A text such as `discrete-gaussian:sigma=10`; or a mechanism. */
  readonly noise?: string | undefined;
  /** A mechanism; in the text of a plan, the path of its file. */
  readonly mechanism?: Mechanism | string | undefined;
  /** How far one record may move, in data units; a mechanism's own by default. */
  readonly adjacency?: Decimal | undefined;
  readonly step?: Decimal | undefined;
  readonly times?: number | undefined;
  readonly of?: 'rows' | 'counts' | undefined;
  /** The probability with which a record is in a sample that stays secret. */
  readonly sampling?: Decimal | undefined;
}

/** How files are found; a plan itself reads none. */
export interface PlanFiles {
  /** The mechanism in a file. */
  readonly mechanism: (path: string) => Mechanism;
  readonly table: ReadTable;
}

export interface Named extends Repeated {
  readonly name: string;
  /** The text of the noise, or the mechanism's file. */
  readonly noise: string;
}

const KEYS = ['name', 'noise', 'mechanism', 'adjacency', 'step', 'times', 'of', 'sampling'];

/** The releases of a plan's text: {"releases": […]}. */
export function readPlan(text: string, files: PlanFiles, group = 1): Named[] {
  const plan = parseJson(text, 'a plan as JSON');
  const releases = (plan as { releases?: unknown } | null)?.releases;
  const isObject = plan !== null && typeof plan === 'object' && !Array.isArray(plan);
  const stray = isObject ? Object.keys(plan).find((key) => key !== 'releases') : undefined;
  if (!Array.isArray(releases) || stray !== undefined)
    throw wrong(
      stray === undefined
        ? 'expected {"releases": [{"noise": "geometric:scale=10", "adjacency": 1, "times": 12}]}'
        : `unknown key ${quote(stray)}; ${suggest(stray, ['releases'], 'a plan has')}`,
    );
  return readReleases(releases as PlanRelease[], files, group);
}

/** What each release is; a mistake is told with the release's number. */
export function readReleases(releases: readonly PlanRelease[], files: PlanFiles, group = 1): Named[] {
  if (!Array.isArray(releases))
    throw invalid(
      "releases: expected a list such as [{ noise: 'geometric:scale=10', adjacency: 1, times: 12 }]",
    );
  if (releases.length === 0) throw invalid('releases: expected at least one release, got none');
  return releases.map((release, i) => {
    try {
      return readRelease(release, files, group);
    } catch (error) {
      const name = (release as PlanRelease | null)?.name;
      throw isOurs(error) && releases.length > 1
        ? error.in(`release ${i + 1}${name === undefined ? '' : ` (${name})`}`)
        : error;
    }
  });
}

function readRelease(release: PlanRelease, files: PlanFiles, group: number): Named {
  if (release === null || typeof release !== 'object')
    throw wrong('expected an object such as {"noise": "geometric:scale=10", "adjacency": 1, "times": 12}');
  const stray = Object.keys(release).find((key) => !KEYS.includes(key));
  if (stray !== undefined) throw wrong(`unknown key ${quote(stray)}; ${suggest(stray, KEYS, 'there are')}`);
  const { noise, mechanism, times = 1, of = 'rows', sampling } = release;
  if ((noise === undefined) === (mechanism === undefined))
    throw wrong('expected either "noise" or "mechanism", and one of them only');
  if (release.name !== undefined && typeof release.name !== 'string')
    throw invalid(`name: expected a text, got ${quote(release.name)}`);
  if (of !== 'rows' && of !== 'counts')
    throw invalid(`of: expected rows or counts, got ${quote(String(of))}`);
  if (!Number.isSafeInteger(times) || times < 1)
    throw invalid(`times: expected a whole number from 1 on, got ${quote(times)}`);
  const q = sampling === undefined ? null : readSampling(sampling, of);
  const common = { times, of, sampling: q };
  if (mechanism !== undefined) {
    const found = typeof mechanism === 'string' ? files.mechanism(mechanism) : mechanism;
    if (!found?.pmf?.weights)
      throw invalid(`mechanism: expected a mechanism or the path of its file, got ${typeof mechanism}`);
    const { step } = found.pmf;
    const { adjacency } =
      release.adjacency === undefined
        ? found
        : readSteps({ step: exactText(step), adjacency: release.adjacency });
    return {
      ...common,
      name: release.name ?? (typeof mechanism === 'string' ? mechanism : 'mechanism'),
      noise: typeof mechanism === 'string' ? mechanism : 'mechanism',
      pmf: found.pmf,
      adjacency,
    };
  }
  if (typeof noise !== 'string')
    throw invalid(`noise: expected a text such as geometric:scale=10, got ${typeof noise}`);
  if (release.adjacency === undefined)
    throw invalid('adjacency: expected how far one record may move, in data units, got none');
  const { step, adjacency } = readSteps({ step: release.step ?? 1, adjacency: release.adjacency });
  const reach = of === 'counts' ? adjacency * group : adjacency;
  const { pmf } = parseNoise(noise, step, files.table).approximate({ adjacency: reach, cut: CUT });
  return { ...common, name: release.name ?? noise, noise, pmf, adjacency };
}

function readSampling(sampling: Decimal, of: 'rows' | 'counts'): number {
  const q = toNumberNear(readDecimal(sampling, 'sampling'));
  checkSampling(q, of);
  return q;
}
