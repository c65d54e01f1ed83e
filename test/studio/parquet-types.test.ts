// The page's own reader of Parquet, against pyarrow: every numeric type is read as pyarrow reads it, released so, and passes so.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rational } from '../../src/exact/index.js';
import { finishOf, latticeOf } from '../../src/mechanism/index.js';

/** Of the page, whose sources are compiled for a browser. */
interface Source {
  readonly columns: readonly { readonly name: string }[];
  readonly each: (
    row: (cell: (column: number) => string | null) => void,
    most: number,
    progress: () => void,
  ) => Promise<boolean>;
  readonly rewrite: (job: object, draw: () => bigint, progress: () => void) => Promise<{ blob: Blob }>;
}
const { parquetFormat } = (await import(
  fileURLToPath(new URL('../../studio/src/protect/parquet-source.ts', import.meta.url))
)) as { parquetFormat: { open: (file: File, opening: object) => Promise<Source> } };

interface Vector {
  readonly file: string;
  readonly bytes: string;
  readonly columns: readonly {
    readonly name: string;
    readonly values: readonly (string | null)[];
    readonly released: Readonly<Record<string, readonly (string | null)[]>>;
  }[];
}
interface Refused {
  readonly file: string;
  readonly bytes: string;
}
const { parquet, refused } = JSON.parse(
  readFileSync(new URL('../vectors/types.json', import.meta.url), 'utf8'),
) as { readonly parquet: readonly Vector[]; readonly refused: readonly Refused[] };

const lattice = latticeOf(rational(1n, 100n));
/** Without noise: what comes out is what went in, on the lattice. */
const rewritten = async (bytes: Blob, names: readonly string[]) => {
  const columns = names.map((name) => ({ name, lattice, finish: finishOf(lattice, null, null) }));
  const rest = { skipInvalid: false, reading: null, passed: [], part: null, person: null };
  const source = await opened(bytes);
  const job = { columns, ...rest, guard: { budget: [], earlier: [] } };
  return (
    await source.rewrite(
      job,
      () => 0n,
      () => undefined,
    )
  ).blob;
};
const opened = (bytes: Blob) => parquetFormat.open(new File([bytes], 'in.parquet'), { encoding: '' });
const blobOf = (base64: string) => new Blob([inflateSync(Buffer.from(base64, 'base64'))]);

async function textsOf(bytes: Blob): Promise<Map<string, (string | null)[]>> {
  const source = await opened(bytes);
  const columns = source.columns.map(({ name }) => [name, [] as (string | null)[]] as const);
  await source.each(
    (cell) => {
      for (const [k, [, texts]] of columns.entries()) texts.push(cell(k));
    },
    Infinity,
    () => undefined,
  );
  return new Map(columns);
}

/** A decimal, however it is written. */
function plain(text: string | null): string | null {
  if (text === null) return null;
  const [, sign, whole, part = '', power = '0'] = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)!;
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}

describe('numbers of Parquet in the page', () => {
  it.each(parquet)('are those that pyarrow reads: $file', async ({ bytes, columns }) => {
    const file = blobOf(bytes);
    // Of 16 bits it reads none.
    const known = columns.filter(({ name }) => !/^float16$/i.test(name));
    const read = await textsOf(file);
    for (const { name, values } of known)
      expect([name, read.get(name)!.map(plain)]).toEqual([name, values.map(plain)]);
    const passed = await textsOf(await rewritten(file, ['n']));
    for (const { name } of known) expect([name, passed.get(name)]).toEqual([name, read.get(name)]);
    const numbers = known.filter(({ name }) => !['JSON', 'ENUM', 'nothing'].includes(name));
    const noisy = await textsOf(
      await rewritten(
        file,
        numbers.map(({ name }) => name),
      ),
    );
    for (const { name, released } of numbers)
      expect([name, noisy.get(name)]).toEqual([name, released['0.01']]);
    for (const { name } of columns.filter((column) => !numbers.includes(column)))
      await expect(rewritten(file, [name])).rejects.toThrow(/choose a column of numbers|JSON/);
  });

  it.each(refused)('of other types are read right, or refused: $file', async ({ file, bytes }) => {
    const found = await rewritten(blobOf(bytes), ['odd']).then(textsOf, (error: Error) => error.message);
    if (typeof found === 'string')
      expect([file, found]).toEqual([
        file,
        expect.stringMatching(
          /choose a column of numbers|says two things|old form|nested|not a Parquet file|cannot unpack/,
        ),
      ]);
    else expect([file, found.get('odd')]).toEqual([file, EXACT[file]]);
  });
});

/** At the step 0.01. */
const EXACT: Readonly<Record<string, readonly (string | null)[]>> = {
  ...Object.fromEntries(
    ['decimal 39', 'decimal 50', 'decimal of new words', 'decimal of more digits than it holds'].map(
      (file) => [file, ['0.05', '-0.07', '0.01', null]],
    ),
  ),
  'decimal 76': ['5.00', '-7.00', '1.00', null],
  'decimal of more places than digits': ['0.00', '0.00', '0.00', null],
  'unsigned of new words': ['5.00', '4294967289.00', '1.00', null],
  'unsigned long of new words': ['5.00', '90071992547409.92', '1.00', null],
  'text of new words': ['5.00', '7.00', '1.00', null],
  'whole numbers split by bytes': ['5.00'],
};
