// Arrow files and streams as a format of releases: in, out, and to and from every other one.

import { readFileSync } from 'node:fs';
import * as arrow from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { cells, scratch } from '../scratch.js';

const { at, write, read, run, json, exists } = scratch();

const rows = Array.from({ length: 300 }, (_, i) => i);
const table = new arrow.Table({
  id: arrow.vectorFromArray(rows.map(BigInt), new arrow.Int64()),
  small: arrow.vectorFromArray(
    rows.map((i) => i % 100),
    new arrow.Int8(),
  ),
  visits: arrow.vectorFromArray(
    rows.map((i) => (i % 9 === 0 ? null : i % 7)),
    new arrow.Int32(),
  ),
  price: arrow.vectorFromArray(
    rows.map((i) => i / 8),
    new arrow.Float64(),
  ),
  rough: arrow.vectorFromArray(
    rows.map((i) => i / 10),
    new arrow.Float32(),
  ),
  name: arrow.vectorFromArray(
    rows.map((i) => (i === 5 ? null : `ä "${i}", b`)),
    new arrow.Utf8(),
  ),
  kind: arrow.vectorFromArray(rows.map((i) => `k${i % 3}`)),
  yes: arrow.vectorFromArray(
    rows.map((i) => i % 2 === 0),
    new arrow.Bool(),
  ),
  day: arrow.vectorFromArray(
    rows.map((i) => new Date(86_400_000 * i)),
    new arrow.DateDay(),
  ),
  time: arrow.vectorFromArray(
    rows.map((i) => new Date(1e12 + i)),
    new arrow.TimestampMicrosecond(),
  ),
});
write('in.arrow', arrow.tableToIPC(table, 'file'));
write('in.arrows', arrow.tableToIPC(table, 'stream'));

const release = (input: string, output: string, ...more: string[]) =>
  run([
    ...['release', input, '--column', 'visits', '--epsilon', '1', '--adjacency', '3', '--dataset', 'd'],
    ...['-o', output, ...more],
  ]);
const back = (name: string) => arrow.tableFromIPC(readFileSync(at(name)));

describe('a release of Arrow data', () => {
  it.each(['in.arrow', 'in.arrows'])('to Arrow leaves every other column bit by bit: %s', (input) => {
    const name = `out-${input}`;
    expect(release(input, name)).toMatchObject({ code: 0 });
    const out = back(name);
    expect(out.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual(
      table.schema.fields.map(({ name, type }) => `${name} ${name === 'visits' ? 'Int64' : type}`),
    );
    for (const { name } of table.schema.fields.filter(({ name }) => name !== 'visits'))
      expect([...out.getChild(name)!].map(String)).toEqual([...table.getChild(name as never)!].map(String));
    const [now, then] = [[...out.getChild('visits')!], [...table.getChild('visits')!]];
    expect(now.map((value) => value === null)).toEqual(then.map((value) => value === null));
    expect(now.filter((value, i) => String(value) !== String(then[i])).length).toBeGreaterThan(100);
    expect(exists(`${name}.mechanism.json`)).toBe(true);
  });

  it('to CSV, Parquet and back keeps values and types', () => {
    expect(release('in.arrow', 'out.csv').code).toBe(0);
    const [header, ...lines] = cells(read('out.csv').replaceAll(/"[^"]*(?:""[^"]*)*"/g, 'x'));
    expect(header).toEqual(table.schema.fields.map(({ name }) => name));
    expect(lines[7]!.toSpliced(2, 1)).toEqual([
      ...['7', '7', '0.875', '0.7', 'x', 'k1', 'false', '1970-01-08', '2001-09-09 01:46:40.007000'],
    ]);
    expect(release('in.arrow', 'out.parquet').code).toBe(0);
    expect(release('out.parquet', 'again.arrow').code).toBe(0);
    const again = back('again.arrow');
    const types = Object.fromEntries(again.schema.fields.map(({ name, type }) => [name, String(type)]));
    expect(types).toMatchObject({
      id: 'Int64',
      small: 'Int8',
      visits: 'Int64',
      price: 'Float64',
      rough: 'Float32',
      name: 'Utf8',
      yes: 'Bool',
      day: 'Date32<DAY>',
      time: 'Timestamp<MICROSECOND>',
    });
    for (const name of ['id', 'small', 'price', 'rough', 'name', 'kind', 'yes', 'day', 'time'])
      expect([...again.getChild(name)!].map(String)).toEqual([...table.getChild(name as never)!].map(String));
  });

  it('from CSV, with decimals where the step has them', () => {
    write('in.csv', 'id,visits\n1,2.5\n2,\n3,7\n');
    expect(release('in.csv', 'steps.arrow', '--step', '0.5').code).toBe(0);
    const out = back('steps.arrow');
    expect(out.schema.fields.map(({ type }) => String(type))).toEqual(['Utf8', 'Decimal[18e+1]']);
    expect(out.getChild('visits')!.nullCount).toBe(1);
  });

  it('through pipes', () => {
    const { code, stdout } = run(
      [
        ...['release', '-', '--input-format', 'arrow', '--column', 'visits', '--epsilon', '1'],
        ...['--adjacency', '3', '--dataset', 'd', '-o', '-', '--output-format', 'csv'],
      ],
      readFileSync(at('in.arrows')),
    );
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(302);
  });

  it('is counted, described and recovered like any other', () => {
    const counts = json<{ rows: number }>([
      ...['count', 'in.arrow', '--by', 'kind', '--domain', 'kind=k0,k1,k2', '--epsilon', '1'],
      ...['--dataset', 'd', '-o', 'counts.csv'],
    ]);
    expect(counts.rows).toBe(3);
    const found = json<{ rows: number; nulls: number }>([
      ...['recover', 'out-in.arrow', '--column', 'visits', '--range', '0,6'],
    ]);
    expect(found).toMatchObject({ rows: 266, nulls: 34 });
    const people = release('in.arrow', 'people.arrow', '--person', 'kind', '--per-person', '99');
    expect([people.code, exists('people.arrow')]).toEqual([2, false]);
    expect(people.stderr).toContain('more than 99 rows');
    expect(release('in.arrow', 'people.arrow', '--person', 'kind', '--per-person', '100').code).toBe(0);
    expect(release('in.arrow', 'people.csv', '--person', 'kind', '--per-person', '99').code).toBe(2);
  });

  it('has a part of its dataset, and a report', () => {
    json([
      ...['ledger', 'init', '--ledger', 'parts.db', '--dataset', 'p', '--epsilon', '9'],
      ...['--adjacency', 'visits=3', '--partition', 'kind=k0,k1,k2'],
    ]);
    const whole = run([
      ...['release', 'in.arrow', '--column', 'visits', '--epsilon', '1', '--dataset', 'p', '--part', 'k0'],
      ...['--ledger', 'parts.db', '-o', 'part.arrow'],
    ]);
    expect([whole.code, exists('part.arrow')]).toEqual([2, false]);
    expect(whole.stderr).toContain('another "kind"');
    expect(release('in.arrow', 'told.arrow', '--report', 'told.html').code).toBe(0);
    expect(read('told.html')).toContain('visits');
  });

  it.each([
    ['a file that is none', 'no.arrow', 'id,visits\n1,2\n', /no Arrow stream or file/],
    [
      'half a file',
      'half.arrow',
      arrow.tableToIPC(table, 'file').subarray(0, 5000),
      /no Arrow stream or file/,
    ],
    [
      'a stream without its end',
      'cut.arrow',
      arrow.tableToIPC(table, 'stream').subarray(0, -8),
      /has no end/,
    ],
    ['an empty one', 'empty.arrow', '', /it is empty/],
  ])('refuses %s, and charges nothing', (_, name, content, message) => {
    write(name, content);
    const { code, stderr } = release(name, `o-${name}`);
    expect([code, exists(`o-${name}`)]).toEqual([2, false]);
    expect(stderr).toMatch(message);
  });
});
