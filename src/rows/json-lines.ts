// JSON lines to JSON lines: protected values are replaced where they stand, every other character passes.

import { badData, type DiscreetError, quote } from '../error/index.js';
import { readsLike } from '../spec/index.js';
import {
  checkDropped,
  checkOwnColumn,
  checkPassed,
  gateOf,
  type Outcome,
  plainColumn,
} from '../terms/index.js';
import {
  cellOf,
  hasOneText,
  isNested,
  lineSplitter,
  type Member,
  namesInside,
  personIn,
  readLine,
  truth,
} from './json-line.js';
import { manyTexts, noPart } from './names.js';
import { peopleCounter } from './people.js';
import { otherPart } from './refusals.js';
import type { Draw, Rewriter, RowsJob } from './rows.js';
import { valuesOf } from './values.js';

export type Members = readonly Member[];

export interface LineReleaser {
  /** A line with its end, as it is released. */
  readonly release: (line: string) => string;
  readonly outcome: () => Outcome;
  /** Refuse what can only be told of all lines together. */
  readonly finish: () => void;
}

/** What a line is, for noise that is a function of it. */
export type LineIdentity = (line: string, members: Members) => string;

/** Lines one after the other. */
export function lineReleaser(job: RowsJob, shown: string, draw: Draw, identity: LineIdentity): LineReleaser {
  checkDropped(job);
  const places = new Map(job.columns.map(({ name }, i) => [name, i]));
  const dropped = new Set(job.dropped ?? []);
  const left = new Set<string>();
  const values = valuesOf(job, shown, draw);
  const seen = job.columns.map(() => false);
  const gate = gateOf(job, false);
  const unchanged = new Set<string>();
  const count = job.person && peopleCounter(job.person, shown);
  const checkPart = partChecker(job, shown);
  let rows = 0;
  let number = 0;

  const replaced = (text: string, i: number, row: () => string): string => {
    if (text === 'null') return text;
    if (text === 'true' || text === 'false') return values.release(i, truth(text), rows, row, true) ?? 'null';
    const quoted = text.startsWith('"');
    return values.release(i, quoted ? (JSON.parse(text) as string) : text, rows, row, !quoted) ?? 'null';
  };

  /** What is not protected leaves as it is, unless something speaks against it. */
  const leave = (name: string, text: string) => {
    const nested = isNested(text);
    const refusal = gate.refusal({
      ...plainColumn(name),
      doubt: nested ? 'nested' : null,
      inside: nested ? namesInside(text) : [],
    });
    if (refusal !== null) throw badData(`${shown}: ${refusal}`).at(`line ${number}`);
    unchanged.add(name);
  };

  const release = (text: string): string => {
    number++;
    if (text.trim() === '') return text;
    rows++;
    const { line, members } = readLine(text, number, shown);
    checkPart(members, line, number);
    if (count) {
      const own = members.find(({ key }) => key === job.person!.column);
      if (own && isNested(line.slice(own.start, own.end)))
        checkOwnColumn({ ...plainColumn(own.key), doubt: 'nested' }, 'person', shown);
      count(own ? personIn(own, line) : null);
    }
    let [out, at] = ['', 0];
    let known: string | undefined;
    const row = () => (known ??= identity(line, members));
    if (members.some(({ key }) => dropped.has(key))) return rebuilt(line, members, row);
    for (const { key, start, end } of members) {
      const i = places.get(key);
      if (i === undefined) {
        leave(key, line.slice(start, end));
        continue;
      }
      seen[i] = true;
      out += line.slice(at, start) + replaced(line.slice(start, end), i, row);
      at = end;
    }
    return out + line.slice(at);
  };

  /** Member by member, where some are left out. */
  const rebuilt = (line: string, members: Members, row: () => string): string => {
    const kept = members.flatMap(({ key, start, end }) => {
      if (dropped.has(key)) {
        left.add(key);
        return [];
      }
      const text = line.slice(start, end);
      const i = places.get(key);
      if (i === undefined) {
        leave(key, text);
        return [`${JSON.stringify(key)}:${text}`];
      }
      seen[i] = true;
      return [`${JSON.stringify(key)}:${replaced(text, i, row)}`];
    });
    return `{${kept.join(',')}}${line.slice(line.trimEnd().length)}`;
  };

  return {
    release,
    outcome: () => ({ rows, unchanged: [...unchanged], values: [...values.counts] }),
    /** A key that no line has is a mistake, not a column of NULLs. */
    finish: () => {
      values.check();
      if (rows === 0) throw badData(`${shown}: the file is empty; expected a JSON object on each line`);
      seen.forEach((found, i) => {
        if (!found) throw noKey('columns', shown, job.columns[i]!.name);
      });
      const there = (name: string) => unchanged.has(name) || left.has(name);
      for (const name of dropped) if (!there(name)) throw noKey('drop', shown, name);
      if (job.person && !there(job.person.column)) throw noKey('person', shown, job.person.column);
      checkPassed(job, [...unchanged], shown, false);
    },
  };
}

/** A copy of JSON lines with noise in the keys of the job. */
export function jsonLinesRewriter(job: RowsJob, draw: Draw, shown: string): Rewriter {
  const lines = lineSplitter(shown);
  const line = lineReleaser(job, shown, draw, () => '');
  const encoder = new TextEncoder();
  const released = (own: readonly string[]) => encoder.encode(own.map(line.release).join(''));
  return {
    push: (bytes) => released(lines.push(bytes)),
    finish: () => {
      const rest = released(lines.finish());
      line.finish();
      return rest;
    },
    outcome: line.outcome,
  };
}

/** The keys there are may be data: none of them is listed. */
export function noKey(field: string, shown: string, name: string): DiscreetError {
  return badData(`no line of ${shown} has the key ${quote(name)}`, field);
}

/** Every line must tell its part, and it must be the one. */
function partChecker(
  { part }: RowsJob,
  shown: string,
): (members: Members, line: string, number: number) => void {
  if (!part) return () => undefined;
  const spellings = new Map<string, boolean>();
  const tells = (key: string) => {
    if (!spellings.has(key)) spellings.set(key, readsLike(key, part.column));
    return spellings.get(key)!;
  };
  return (members, line, number) => {
    const found = members.filter(({ key }) => tells(key));
    if (found.length === 0) throw badData(`line ${number}: ${noPart(shown, part.column).message}`);
    for (const member of found) {
      const text = line.slice(member.start, member.end);
      if (isNested(text)) throw otherPart(`${shown}, line ${number}`, part);
      if (!hasOneText(text)) throw manyTexts(shown, part.column);
      if (cellOf(member, line) !== part.value) throw otherPart(`${shown}, line ${number}`, part);
    }
  };
}
