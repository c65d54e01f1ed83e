// What a row is, for noise that is a function of it: its id, or its partition, all that it holds, and its number among equal rows there.

import { BLOCK, type Identities, tagsOf } from '../random/index.js';
import { columnKey } from './keys.js';

/** Noise by key instead of fresh draws. */
export interface Keyed {
  readonly key: Uint8Array;
  /** By which the driver of the release knows it. */
  readonly release: string;
  /** The column that tells rows apart, over the whole release; or the partition within which all that rows hold does. */
  readonly by: { readonly id: string } | { readonly partition: string };
}

/** One after the other. */
export function joined(texts: readonly string[]): Exclude<Identities, BigInt64Array> {
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (let i = 0; i < texts.length; i++) {
    end += Buffer.byteLength(texts[i]!);
    ends[i] = end;
  }
  return { bytes: Buffer.from(texts.join('')), ends };
}

/** Whole rows as texts; the identity of each, in the order in which they come. */
export type RowIdentities = (rows: readonly string[]) => string[];

/** Equal rows of a partition are numbered, so that no two rows of a release have one identity. */
export function rowIdentities({ key, release }: Keyed, partition: string): RowIdentities {
  // No column is without a name.
  const { tag } = columnKey(key, release, '');
  const count = digestCounter();
  return (rows) => {
    const digests = tagsOf(joined(rows), new BigInt64Array(rows.length), tag);
    return rows.map((_, i) => {
      const digest = digests.subarray(BLOCK * i, BLOCK * (i + 1));
      return `${Buffer.from(digest).toString('hex')} ${count(digest)} ${partition}`;
    });
  };
}

const SMALLEST = 1024;

/** How often a digest came before; some 45 bytes for each that is new. */
export function digestCounter(): (digest: Uint8Array) => number {
  let size = SMALLEST;
  let used = 0;
  let words = new Uint32Array(4 * size);
  // None is 0, so that an empty place shows.
  let counts = new Uint32Array(size);
  const find = (own: Uint32Array, at: number): number => {
    let place = own[at]! & (size - 1);
    while (
      counts[place] !== 0 &&
      !(
        words[4 * place] === own[at] &&
        words[4 * place + 1] === own[at + 1] &&
        words[4 * place + 2] === own[at + 2] &&
        words[4 * place + 3] === own[at + 3]
      )
    )
      place = (place + 1) & (size - 1);
    return place;
  };
  const put = (own: Uint32Array, at: number, by: number): number => {
    const place = find(own, at);
    if (counts[place] === 0) {
      used++;
      words.set(own.subarray(at, at + 4), 4 * place);
    }
    counts[place]! += by;
    return counts[place]! - by;
  };
  const digestWords = new Uint32Array(4);
  const digestBytes = new Uint8Array(digestWords.buffer);
  return (digest) => {
    if (2 * used > size) {
      const [oldWords, oldCounts] = [words, counts];
      size *= 2;
      used = 0;
      words = new Uint32Array(4 * size);
      counts = new Uint32Array(size);
      for (let i = 0; i < oldCounts.length; i++) if (oldCounts[i] !== 0) put(oldWords, 4 * i, oldCounts[i]!);
    }
    digestBytes.set(digest);
    return put(digestWords, 0, 1);
  };
}
