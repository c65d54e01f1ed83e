// Delimited text that is rewritten where it stands: against another reader, in any pieces, and what is refused.

import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellText,
  delimitedHeader,
  delimitedRewriter,
  isEmptyCell,
  type RowsJob,
  rowScanner,
} from '../../src/rows/index.js';
import { readingOf } from '../../src/terms/index.js';
import { scratch } from '../scratch.js';
import { jobOf } from './job.js';

const { at } = scratch();
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Each value is moved by 1000, so that a true one cannot be taken for a released one. */
const FAR = 1000n;

function rewritten(
  text: string | Uint8Array,
  job: RowsJob,
  cuts: readonly number[] = [],
  delimiter: string | null = null,
) {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  const rewriter = delimitedRewriter(job, delimiter, () => FAR, 'x.csv');
  const places = [
    0,
    ...[...cuts].map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  const parts = places.slice(1).map((end, i) => rewriter.push(bytes.slice(places[i], end)).slice());
  parts.push(rewriter.finish().slice());
  return { text: parts.map((part) => decoder.decode(part)).join(''), outcome: rewriter.outcome() };
}

describe('delimited text', () => {
  it.each([
    ['a,visits\n1,5\n2,7\n', 'a,visits\n1,1005\n2,1007\n'],
    ['visits;a\r\n5;x\r\n;y\r\n', 'visits;a\r\n1005;x\r\n;y\r\n'],
    ['\ufeffvisits\n5', '\ufeffvisits\n1005'],
    ['a,visits\n"x, ""y""\nz","5"\n', 'a,visits\n"x, ""y""\nz",1005\n'],
    ['a,visits\n1,\n2,""\n\n3,4\n', 'a,visits\n1,\n2,""\n\n3,1004\n'],
    ['visits\n5\n\n6\n', 'visits\n1005\n\n1006\n'],
    ['a,visits,b\né, 5 ,ü\n', 'a,visits,b\né,1005,ü\n'],
    ['\ufeff"a, b",visits\n1,5\n', '\ufeff"a, b",visits\n1,1005\n'],
    ['a,visits\n1,-3.5\n1,1e3\n1,+.5\n', 'a,visits\n1,997\n1,2000\n1,1001\n'],
  ])('%j becomes %j', (before, after) => {
    expect(rewritten(before, jobOf(['visits'])).text).toBe(after);
  });

  it('is the same in whatever pieces it comes', () => {
    const cell = fc.oneof(fc.integer({ min: -99, max: 99 }).map(String), fc.constantFrom('', '"7"', '""'));
    const other = fc.oneof(
      fc
        .string({ unit: fc.constantFrom('a', 'é', ' ', '.', '😀'), maxLength: 5 })
        .map((text) => text.trimStart()),
      fc
        .string({ unit: fc.constantFrom('a', ',', '""', '\n', '\r\n', 'é'), maxLength: 6 })
        .map((text) => `"${text}"`),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(other, cell), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.array(fc.nat(120), { maxLength: 6 }),
        (rows, end, last, cuts) => {
          const line = ([a, b]: readonly [string, string]) => `${a},${b}`;
          const text = ['a,visits', ...rows.map(line)].join(end) + (last ? end : '');
          const moved = (own: string) => {
            const value = own.replaceAll('"', '');
            return value === '' ? own : String(Number(value) + 1000);
          };
          const wanted =
            ['a,visits', ...rows.map(([a, b]) => line([a, moved(b)]))].join(end) + (last ? end : '');
          const { text: found, outcome } = rewritten(text, jobOf(['visits']), cuts);
          expect(found).toBe(wanted);
          expect(outcome.rows).toBe(rows.length);
          expect(outcome.unchanged).toEqual(['a']);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('is cut into the same cells as by DuckDB, or refused', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const body = fc.string({
      unit: fc.constantFrom('a', '1', ',', '"', ' ', '\n', '\n', ',', '1'),
      maxLength: 30,
    });
    let [taken, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(body, async (rest) => {
        const text = `x,y\n${rest}`;
        const bytes = encoder.encode(text);
        const rows: (string | null)[][] = [];
        try {
          delimitedHeader(bytes, ',', true, 'x');
          rowScanner(',', 2, 'x').scan(bytes, true, (row) => {
            if (row.number > 0) rows.push([0, 1].map((i) => (isEmptyCell(row, i) ? null : cellText(row, i))));
          });
        } catch {
          refused++;
          return;
        }
        writeFileSync(at('rows.csv'), text);
        const found = await connection.runAndReadAll(
          `SELECT * FROM read_csv('${at('rows.csv')}', columns = {'x': 'VARCHAR', 'y': 'VARCHAR'}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', null_padding = false, strict_mode = true, hive_partitioning = false, parallel = false)`,
        );
        expect(found.getRows().map((row) => row.map((cell) => (cell === '' ? null : cell)))).toEqual(rows);
        taken++;
      }),
      { numRuns: 1500 },
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
    connection.closeSync();
  });

  it('leaves columns out where it is told', () => {
    const text = '\ufeffa,visits,"b, c",d\r\n1,5,"x ""y""",\r\n\r\n2,,z,w';
    const drop = (...dropped: string[]) => rewritten(text, jobOf(['visits'], { dropped }), [5, 9, 20]).text;
    expect(drop('a')).toBe('\ufeffvisits,"b, c",d\r\n1005,"x ""y""",\r\n\r\n,z,w');
    expect(drop('d', 'a')).toBe('\ufeffvisits,"b, c"\r\n1005,"x ""y"""\r\n\r\n,z');
    expect(drop('b, c')).toBe('\ufeffa,visits,d\r\n1,1005,\r\n\r\n2,,w');
    expect(() => drop('visits')).toThrow(/is protected/);
    expect(() => drop('e')).toThrow(/no column "e"/);
    // What the budget protects may be left out, but not leave.
    const guard = { budget: ['a', 'visits'], earlier: [] };
    expect(rewritten(text, jobOf(['visits'], { guard, dropped: ['a'] })).text).not.toContain('1,1005');
  });

  it('reads cells as it is told', () => {
    const reading = readingOf({ na: ['NA'], map: new Map([['85+', '85']]), decimal: ',' }, false);
    const job = jobOf(['visits'], { reading });
    expect(rewritten('a;visits\n1;NA\n2;85+\n3;1.234\n', job).text).toBe('a;visits\n1;\n2;1085\n3;2234\n');
  });

  it.each<[string, string, Partial<RowsJob>, RegExp]>([
    ['a word', 'a,visits\n1,5\n2,secret\n', {}, /data row 2: expected a number/],
    ['text that stands for a value', 'a,visits\n1,85+\n', {}, /holds numbers with a bound/],
    ['such text, whatever word comes first', 'a,visits\n1,secret\n2,85+\n', {}, /holds numbers with a bound/],
    [
      'a row with a cell too many',
      'a,visits\n1,2,31337\n',
      {},
      /^x.csv: not valid CSV: .* more or fewer cells/,
    ],
    ['a row with a cell too few', 'a,visits\n31337\n', {}, /^x.csv: not valid CSV: .* more or fewer cells/],
    ['an open quote', 'a,visits\n"31337,5\n', {}, /a quote is not closed/],
    ['a quote that ends before its cell', 'a,visits\n"x"31337,5\n', {}, /a quote is not closed/],
    ['a quote behind a blank', 'a,visits\n "x,31337",5\n', {}, /a quote is not closed/],
    ['mixed line ends', 'a,visits\n1,31337\r\n', {}, /line ends are mixed/],
    ['a missing column', 'a,b\n1,31337\n', {}, /has no column "visits"/],
    [
      'a column of the budget',
      'a,visits\n31337,5\n',
      { guard: { budget: ['a'], earlier: [] } },
      /the budget protects "a"/,
    ],
    ['one in other letters', 'Visits ,visits\n31337,5\n', {}, /reads like the protected "visits"/],
    [
      'more rows of a person',
      'a,visits\n7,1\n07,1\n',
      { person: { column: 'a', rows: 1 } },
      /has more than 1 row/,
    ],
    [
      'another part',
      'a,visits\n31337,1\n',
      { part: { column: 'a', value: 'N' } },
      /another "a" than the part N/,
    ],
    ['a header alone without a name', 'a,,visits\n1,2,3\n', {}, /column 2 has no name/],
    ['nothing', '', {}, /the file is empty/],
  ])('refuses %s, without any of it', (_, text, more, words) => {
    let message = '';
    try {
      rewritten(text, jobOf(['visits'], more));
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(words);
    expect(message).not.toMatch(/31337|secret/);
  });

  it('empties words where it may, and counts what it released', () => {
    const { text, outcome } = rewritten('a,visits\n1,x\n2,5\n3,\n', jobOf(['visits'], { skipInvalid: true }));
    expect(text).toBe('a,visits\n1,\n2,1005\n3,\n');
    expect(outcome).toEqual({ rows: 3, unchanged: ['a'], values: [1] });
  });

  it.each([',,', '', '"', '\n', 'é', '😀'])(
    'is not cut at %j, which is no delimiter of one byte',
    (delimiter) => {
      expect(() => rewritten('a,visits\n1,2\n', jobOf(['visits']), [], delimiter)).toThrow(
        /delimiter|has no column/,
      );
      expect(() => rowScanner(delimiter, 2, 'x')).toThrow(/delimiter: expected one character/);
    },
  );

  it('is refused where it is not UTF-8, wherever that is', () => {
    const latin = Uint8Array.from([...encoder.encode('a,visits\n'), 0xe9, ...encoder.encode(',5\n')]);
    expect(() => rewritten(latin, jobOf(['visits']))).toThrow(/not UTF-8/);
    const wide = Uint8Array.from([0xff, 0xfe, 0x61, 0x00]);
    expect(() => rewritten(wide, jobOf(['visits']))).toThrow(/not UTF-8/);
  });
});
