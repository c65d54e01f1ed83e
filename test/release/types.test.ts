// What is read from Parquet and Arrow is what pyarrow wrote, in every numeric type, or it is refused by the name of its type before
// anything is charged (test/vectors/generate-types.py).

import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import * as arrow from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { cellTexts } from '../../src/release/arrow-cells.js';
import { cells, scratch } from '../scratch.js';

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
  readonly type: string;
  readonly bytes: string;
}
const vectors = JSON.parse(readFileSync(new URL('../vectors/types.json', import.meta.url), 'utf8')) as {
  readonly parquet: readonly Vector[];
  readonly refused: readonly Refused[];
  readonly arrow: Vector;
  readonly arrowOdd: readonly Refused[];
  readonly times: {
    readonly bytes: string;
    readonly arrow: string;
    readonly nanoseconds: Readonly<Record<string, readonly (string | null)[]>>;
  };
};

const here = scratch();
const bytesOf = (base64: string) => inflateSync(Buffer.from(base64, 'base64'));
/** Noise that is 0 but for once in e^80: what comes out is what went in, on the lattice. */
const STEPS = ['0.01', '1'] as const;
beforeAll(() => {
  for (const step of [...STEPS, '100'])
    expect(
      here.run([
        ...['calibrate', 'geometric', '--epsilon', '80', '--adjacency', step, '--step', step],
        ...['-o', `step${step}.json`],
      ]).code,
    ).toBe(0);
});

/** Rows of a CSV as columns by their names; an empty cell is null. */
function columnsIn(text: string): Map<string, (string | null)[]> {
  const [names, ...rows] = cells(
    text.replaceAll(/"([^"]*)"/g, (_, inner: string) => inner.replaceAll(',', ';')),
  );
  return new Map(names!.map((name, k) => [name, rows.map((row) => (row[k] === '' ? null : row[k]!))]));
}
const shownName = (name: string) => name.replaceAll(',', ';');

/** A decimal, however it is written: its digits and the power of ten. */
function decimal(text: string | null): string | null {
  if (text === null) return null;
  const [, sign, whole, part = '', power = '0'] = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text)!;
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}

let releases = 0;
function release(
  input: string,
  output: string,
  columns: readonly string[],
  mechanism: string,
  pass: readonly string[] = [],
) {
  return here.json([
    ...[
      'release',
      input,
      '-o',
      output,
      '--mechanism',
      mechanism,
      '--dataset',
      `types ${releases++}`,
      '--force',
    ],
    ...columns.flatMap((name) => ['--column', name]),
    ...pass.flatMap((name) => ['--pass', name]),
  ]);
}

describe('numbers of Parquet', () => {
  it.each(vectors.parquet)(
    'are those that pyarrow reads: $file',
    ({ file, bytes, columns }) => {
      here.write('in.parquet', bytesOf(bytes));
      const names = columns.map(({ name }) => name);
      for (const step of STEPS.slice(0, file === 'plain' ? 2 : 1)) {
        release('in.parquet', 'out.csv', names, `step${step}.json`);
        const found = columnsIn(here.read('out.csv'));
        for (const { name, released } of columns)
          expect([name, step, found.get(shownName(name))]).toEqual([name, step, released[step]]);
      }
      // It may hold anything.
      const pass = names.filter((name) => name === 'JSON');
      release('in.parquet', 'out.csv', ['n'], 'step1.json', pass);
      const found = columnsIn(here.read('out.csv'));
      for (const { name, values } of columns)
        expect([name, found.get(shownName(name))!.map(decimal)]).toEqual([name, values.map(decimal)]);
      if (!['plain', 'by hand'].includes(file)) return;
      // And what leaves as it is says the same in a file of its own.
      release('in.parquet', 'out.parquet', ['n'], 'step1.json', pass);
      release('out.parquet', 'out.csv', names, 'step0.01.json');
      const again = columnsIn(here.read('out.csv'));
      for (const { name, released } of columns)
        expect([name, again.get(shownName(name))]).toEqual([name, released['0.01']]);
    },
    60_000,
  );

  it.each(vectors.refused)(
    'of other types are refused by name, and the whole file with them: $file',
    ({ file, type, bytes }) => {
      here.write('odd.parquet', bytesOf(bytes));
      const before = here.run(['ledger', 'status', '--json']).stdout;
      const asks = [
        ['release', 'odd.parquet', '--column', 'n', '--mechanism', 'step1.json', '-o', 'no.parquet'],
        ['count', 'odd.parquet', '--by', 'n', '--domain', 'n=1..2', '--epsilon', '1', '-o', 'no.csv'],
        ['prior', 'odd.parquet', '--column', 'n', '--range', '0,9', '--epsilon', '1', '-o', 'no.prior.csv'],
        ['recover', 'odd.parquet', '--column', 'n', '--mechanism', 'step1.json', '--range', '0,9'],
      ];
      // In one place for every act, which is shown with one of them.
      for (const ask of file === 'decimal 50' ? asks : asks.slice(0, 1)) {
        const { code, stderr } = here.run([...ask, ...(ask[0] === 'recover' ? [] : ['--dataset', 'odd'])]);
        expect([ask[0], code, stderr]).toEqual([
          ask[0],
          2,
          expect.stringContaining(`is of the Parquet type ${type}, which is not read exactly`),
        ]);
      }
      expect(here.run(['ledger', 'status', '--json']).stdout).toBe(before);
      expect(here.exists('no.csv')).toBe(false);
    },
    60_000,
  );

  it('pass to every output with their times of day and year', () => {
    const { bytes, nanoseconds } = vectors.times;
    here.write('times.parquet', bytesOf(bytes));
    here.write('times.arrow', bytesOf(vectors.times.arrow));
    for (const input of ['times.parquet', 'times.arrow']) {
      release(input, 'middle.parquet', ['n'], 'step1.json');
      for (const from of [input, 'middle.parquet']) {
        release(from, 'out.csv', ['n'], 'step1.json');
        const found = columnsIn(here.read('out.csv'));
        for (const [name, values] of Object.entries(nanoseconds))
          expect([input, from, name, found.get(name)!.map(nanosecondsOf)]).toEqual([
            input,
            from,
            name,
            values,
          ]);
      }
    }
  });
});

/** Of a day, a time of day or both, in UTC. */
function nanosecondsOf(text: string | null): string | null {
  if (text === null) return null;
  const [, day, time, fraction = ''] =
    /^(\d+-\d\d-\d\d)?[ T]?(\d\d:\d\d:\d\d)?(?:\.(\d+))?(?:\+00(?::00)?|Z)?$/.exec(text)!;
  const seconds = Date.parse(`${day ?? '1970-01-01'}T${time ?? '00:00:00'}Z`) / 1000;
  return String(BigInt(seconds) * 10n ** 9n + BigInt(fraction.padEnd(9, '0')));
}

describe('numbers of Arrow', () => {
  const { bytes, columns } = vectors.arrow;
  const names = columns.map(({ name }) => name);

  it('are those that pyarrow wrote, to text and to Arrow', () => {
    here.write('in.arrow', bytesOf(bytes));
    for (const step of STEPS) {
      release('in.arrow', 'out.csv', names, `step${step}.json`);
      const found = columnsIn(here.read('out.csv'));
      for (const { name, released } of columns)
        expect([name, step, found.get(shownName(name))]).toEqual([name, step, released[step]]);
      release('in.arrow', 'out.arrow', names, `step${step}.json`);
      const read = arrowTexts('out.arrow');
      for (const { name, released } of columns)
        expect([name, step, read.get(name)]).toEqual([name, step, released[step]]);
    }
  }, 60_000);

  it('pass as they are, to text, to Arrow and to Parquet', () => {
    here.write('in.arrow', bytesOf(bytes));
    release('in.arrow', 'out.csv', ['n'], 'step1.json');
    release('in.arrow', 'out.arrow', ['n'], 'step1.json');
    release('in.arrow', 'out.parquet', ['n'], 'step1.json');
    release('out.parquet', 'out2.csv', ['n'], 'step1.json');
    const [text, own] = [columnsIn(here.read('out.csv')), arrowTexts('out.arrow')];
    const parquet = columnsIn(here.read('out2.csv'));
    for (const { name, values } of columns)
      for (const found of [text.get(shownName(name)), own.get(name), parquet.get(shownName(name))])
        expect([name, found!.map(decimal)]).toEqual([name, values.map(decimal)]);
  }, 60_000);

  it.each(vectors.arrowOdd)(
    'are not read from $type',
    ({ type, bytes: odd }) => {
      here.write('odd.arrow', bytesOf(odd));
      const asks = [
        ['release', 'odd.arrow', '--column', 'odd', '--mechanism', 'step1.json', '-o', 'no.csv'],
        ['release', 'odd.arrow', '--column', 'odd', '--mechanism', 'step1.json', '-o', 'no.arrow'],
        ['prior', 'odd.arrow', '--column', 'odd', '--range', '0,9', '--epsilon', '1', '-o', 'no.prior.csv'],
      ].slice(0, type === 'binary' ? 3 : 1);
      for (const ask of asks)
        expect(here.run([...ask, '--dataset', 'odd'])).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/column "odd" is of type \S.*; expected numbers/),
        });
    },
    60_000,
  );
});

/** By a reader that the values of pyarrow have proved above. */
function arrowTexts(name: string): Map<string, (string | null)[]> {
  const { schema, batches } = arrow.tableFromIPC(readFileSync(here.at(name)));
  return new Map(
    schema.fields.map((field, k) => [
      field.name,
      batches.flatMap((batch) => {
        const textOf = cellTexts(arrow, batch.getChildAt(k)!);
        return Array.from({ length: batch.numRows }, (_, i) => textOf(i));
      }),
    ]),
  );
}
