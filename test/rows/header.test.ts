// The header is read here and the rows by the engine: where both take a header, they must take the same.

import { writeFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { watchQuotes } from '../../src/release/quotes.js';
import { namesInside, parseHeader } from '../../src/rows/index.js';
import { scratch } from '../scratch.js';

const { at } = scratch();

describe('a header', () => {
  it.each([
    ['a,b\n', ['a', 'b']],
    ['"a","b ""c"""\r\n', ['a', 'b "c"']],
    ['\ufeffa;b\r', ['a', 'b']],
    ['a,na"me\n', ['a', 'na"me']],
    ['"a,b",c\n', ['a,b', 'c']],
  ])('%j has the names %j', (text, names) =>
    expect(parseHeader(text, null, false, 'x')?.names).toEqual(names),
  );

  it.each(['a,"b\nc"\n', '"a\n1,2\n', 'a, "b"\n', '"a"x,b\n', 'a,"b'])('%j is refused', (text) =>
    expect(() => parseHeader(text, null, true, 'x')).toThrow(/a quote in the header line/),
  );

  it('waits for the rest of its line', () => {
    for (const text of ['a,b', 'a,"b', 'a,"b"']) expect(parseHeader(text, null, false, 'x')).toBeNull();
    expect(parseHeader('a,b', null, true, 'x')?.names).toEqual(['a', 'b']);
  });

  it('has the names that the engine reads in its place, or is refused', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const line = fc.string({
      unit: fc.constantFrom('a', 'b', ',', '"', ' ', '\t', "'", '\\', ';'),
      maxLength: 14,
    });
    let [taken, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(line, fc.constantFrom('\n', '\r\n'), async (first, end) => {
        fc.pre(first.trim() !== '');
        let names: readonly string[];
        try {
          names = parseHeader(`${first}${end}1,2${end}`, ',', true, 'x')!.names;
        } catch {
          refused++;
          return;
        }
        const rows = Array.from({ length: 3 }, (_, i) => names.map((_name, k) => `${i}${k}`).join(','));
        writeFileSync(at('h.csv'), `${first}${end}${rows.join(end)}${end}`);
        const columns = names.map((_, i) => `'c${i}': 'VARCHAR'`).join(', ');
        const found = await connection.runAndReadAll(
          `SELECT * FROM read_csv('${at('h.csv')}', columns = {${columns}}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false, null_padding = false, strict_mode = true, hive_partitioning = false, parallel = false)`,
        );
        expect(found.getRows()[0]!.map((name) => name ?? '')).toEqual(names);
        expect(found.getRows()).toHaveLength(4);
        taken++;
      }),
      { numRuns: 1500 },
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
    connection.closeSync();
  });
});

describe('rows', () => {
  it('with line ends inside quotes are read whole, wherever the engine would cut the file', () => {
    const { json, at: place, run } = scratch();
    expect(
      run(['calibrate', 'geometric', '--epsilon', '80', '--adjacency', '1', '-o', 'none.json']).code,
    ).toBe(0);
    // Two shapes in which the engine, let to cut, reads rows out of cells.
    const shapes: [string, string, (n: number) => string][] = [
      ['notes', 'id,visits,note\n1,9,"xx"\n', (n) => `${n},5,"a note\nwith, a comma\nand, two, more"\n`],
      ['extra', 'id,note,visits,extra\n1,"x",5,\n', (n) => `${n},"x\na, b, c",5,\n`],
    ];
    for (const [name, start, row] of shapes) {
      const pieces = [start];
      let count = 1;
      for (let size = 0; size < 40e6; size += pieces.at(-1)!.length) pieces.push(row(++count));
      writeFileSync(place(`${name}.csv`), pieces.join(''));
      expect(
        json([
          'release',
          `${name}.csv`,
          '--column',
          'visits',
          '--mechanism',
          'none.json',
          '-o',
          `${name}.jsonl`,
          '--dataset',
          'd',
        ]),
      ).toMatchObject({ rows: count, columns: [{ values: count }] });
    }
  });
});

describe('names inside a nested value', () => {
  it('are all of them, those that are there twice included', () => {
    expect(namesInside('{"a":{"visits":88},"a":1}')).toEqual(['a', 'visits', 'a']);
    expect(namesInside('[{"b" : "x:y"}, "c", {"d\\"e"\n:{}}]')).toEqual(['b', 'd"e']);
    fc.assert(
      fc.property(fc.json(), (text) => {
        const names = new Set<string>();
        JSON.parse(text, (key, value) => {
          if (value !== null && typeof value === 'object' && !Array.isArray(value))
            for (const name of Object.keys(value)) names.add(name);
          return key === '__proto__' ? undefined : value;
        });
        for (const name of names) expect(namesInside(text)).toContain(name);
      }),
    );
  });
});

describe('quotes', () => {
  /** As the engine reads them, one character at a time: state by state. */
  const openByHand = (text: string, delimiter: string) => {
    let state: 'start' | 'cell' | 'quoted' | 'closing' = 'start';
    for (const char of text) {
      if (state === 'quoted') state = char === '"' ? 'closing' : 'quoted';
      else if (state === 'closing' && char === '"') state = 'quoted';
      else if (char === delimiter || char === '\n' || char === '\r') state = 'start';
      else if (state === 'start' && char === '"') state = 'quoted';
      else if (!(state === 'start' && char === ' ')) state = 'cell';
    }
    return state === 'quoted';
  };

  it('are followed across pieces of any size', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', ',', ' ', '\n', '\r', '€', ';'),
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(',', ';', '€'),
        fc.integer({ min: 1, max: 7 }),
        (whole, delimiter, size) => {
          const quotes = watchQuotes(delimiter);
          const bytes = Buffer.from(whole);
          for (let at = 0; at < bytes.length; at += size) quotes.push(bytes.subarray(at, at + size));
          expect(quotes.open()).toBe(openByHand(whole, delimiter));
          expect(quotes.plain()).toBe(!/["\r]/.test(whole));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('that are not closed are refused, in a file and in a pipe', () => {
    const { run, write, exists } = scratch();
    expect(run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
    const text = 'id,visits,note\n1,5,"abc\n2,88,x\n3,99,y\n';
    write('open.csv', text);
    const base = ['--column', 'visits', '--mechanism', 'm.json', '--dataset', 'd', '-o', 'o.csv'];
    expect(run(['release', 'open.csv', ...base])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a quote is not closed/),
    });
    expect(run(['release', '-', '--input-format', 'csv', ...base], text)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a quote is not closed/),
    });
    expect(exists('o.csv')).toBe(false);
  });
});
