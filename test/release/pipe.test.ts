// One partition of a release, as an engine runs it: noise by key, row and value, in every format.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import * as arrow from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { readMechanism } from '../../src/mechanism/index.js';
import { keyedSampler } from '../../src/random/index.js';
import { joined } from '../../src/release/identities.js';
import { columnKey } from '../../src/release/keys.js';
import { cells, main, scratch } from '../scratch.js';

const { folder, at, write, read, run, exists } = scratch();
const key = Uint8Array.from({ length: 32 }, (_, i) => 200 - i);
write('key', key);
run(['calibrate', 'geometric', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']);
run(['calibrate', 'geometric', '--epsilon', '1', '--adjacency', '5', '--step', '0.25', '-o', 'q.json']);

/** With the key on descriptor 3, and what it wrote as bytes. */
function pipe(args: readonly string[], input: string | Uint8Array, keys = 'key') {
  const file = openSync(at(keys), 'r');
  try {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [main, 'pipe', '--key-fd', '3', '--column', 'visits', ...args],
      { cwd: folder, input, stdio: ['pipe', 'pipe', 'pipe', file], maxBuffer: 1 << 28 },
    );
    return { code: status, out: stdout, stderr: stderr.toString() };
  } finally {
    closeSync(file);
  }
}

const byId = ['--mechanism', 'm.json', '--id', 'id'];
const people = Array.from({ length: 500 }, (_, i) => ({ id: `p${i}`, visits: i % 20, note: `n${i}` }));

const stream = (rows: readonly Record<string, unknown>[], size = 200) => {
  const tables: arrow.Table[] = [];
  for (let from = 0; from < rows.length; from += size)
    tables.push(arrow.tableFromJSON(rows.slice(from, from + size)));
  return arrow.tableToIPC(
    tables.reduce((a, b) => a.concat(b)),
    'stream',
  );
};

/** The noise of people, by the sampler itself. */
const expected = (() => {
  const { pmf } = readMechanism(read('m.json'));
  const noise = keyedSampler(pmf, columnKey(key, '', 'visits')).noise({
    identities: joined(people.map(({ id }) => id)),
    indices: BigInt64Array.from(people, ({ visits }) => BigInt(visits)),
  });
  return new Map(people.map(({ id, visits }, i) => [id, BigInt(visits) + noise[i]!]));
})();

describe('a partition', () => {
  it('gets the noise of its rows, whatever batches they come in', () => {
    const turned = people.map((_, i) => people[(i * 7) % people.length]!);
    for (const rows of [stream(people), stream(turned, 33)]) {
      const { code, out, stderr } = pipe(byId, rows);
      expect([code, stderr]).toEqual([0, '']);
      const table = arrow.tableFromIPC(out);
      expect(table.numRows).toBe(500);
      for (const row of table) {
        expect(row.visits).toBe(expected.get(row.id as string));
        expect(row.note).toBe(`n${(row.id as string).slice(1)}`);
      }
    }
  });

  it('gets the same in CSV, JSON lines and Parquet', () => {
    const csv = `id,visits,note\n${people.map((row) => Object.values(row).join(',')).join('\n')}\n`;
    const { out } = pipe([...byId, '--input-format', 'csv'], csv);
    for (const [id, visits] of cells(out.toString()).slice(1)) expect(visits).toBe(String(expected.get(id!)));
    const lines = people.map((row) => JSON.stringify(row)).join('\n');
    const jsonl = pipe([...byId, '--input-format', 'jsonl'], lines)
      .out.toString()
      .trim()
      .split('\n');
    for (const line of jsonl) {
      const { id, visits } = JSON.parse(line) as { id: string; visits: number };
      expect(visits).toBe(Number(expected.get(id)));
    }
    expect(pipe([...byId, '--input-format', 'csv', '-o', 'out.parquet'], csv).code).toBe(0);
    const back = run([
      'release',
      'out.parquet',
      '--column',
      'visits',
      '--mechanism',
      'm.json',
      '-o',
      'b.csv',
    ]);
    expect(back.code).toBe(0);
  });

  it('has whole numbers as ids, in any width', () => {
    const rows = (type: arrow.DataType, one: (i: number) => unknown) =>
      arrow.tableToIPC(
        new arrow.Table({
          id: arrow.vectorFromArray(
            Array.from({ length: 50 }, (_, i) => one(i)),
            type,
          ),
          visits: arrow.vectorFromArray(
            Array.from({ length: 50 }, (_, i) => BigInt(i)),
            new arrow.Int64(),
          ),
        }),
        'stream',
      );
    const values = (bytes: Uint8Array) =>
      [...arrow.tableFromIPC(bytes)].map(({ visits }) => visits as bigint);
    const short = values(
      pipe(
        byId,
        rows(new arrow.Int32(), (i) => i),
      ).out,
    );
    expect(
      values(
        pipe(
          byId,
          rows(new arrow.Int64(), (i) => BigInt(i)),
        ).out,
      ),
    ).toEqual(short);
    expect(
      values(
        pipe(
          byId,
          rows(new arrow.Uint32(), (i) => i),
        ).out,
      ),
    ).toEqual(short);
    expect(
      values(
        pipe(
          byId,
          rows(new arrow.Int32(), (i) => i + 1),
        ).out,
      ),
    ).not.toEqual(short);
    const texts = [new arrow.Utf8(), new arrow.LargeUtf8()].map((type) =>
      values(
        pipe(
          byId,
          rows(type, (i) => `ä${i}`),
        ).out,
      ),
    );
    expect(texts[1]).toEqual(texts[0]);
    // As words of 64 bits, these would be the same.
    const [below, above] = [
      pipe(
        byId,
        rows(new arrow.Int64(), (i) => BigInt(i - 60)),
      ).out,
      pipe(
        byId,
        rows(new arrow.Uint64(), (i) => 2n ** 64n - 60n + BigInt(i)),
      ).out,
    ];
    expect(values(below)).not.toEqual(values(above));
  });

  it('keeps NULLs, clamps, and writes decimals where the step has them', () => {
    const rows = people.map(({ id, visits }) => ({ id, visits: visits % 5 === 0 ? null : visits / 4 }));
    const table = new arrow.Table({
      id: arrow.vectorFromArray(
        rows.map(({ id }) => id),
        new arrow.Utf8(),
      ),
      visits: arrow.vectorFromArray(
        rows.map(({ visits }) => visits),
        new arrow.Float64(),
      ),
    });
    const { out } = pipe(
      ['--mechanism', 'q.json', '--id', 'id', '--clamp', '0,3'],
      arrow.tableToIPC(table, 'stream'),
    );
    const released = arrow.tableFromIPC(out);
    const { type } = released.schema.fields[1]!;
    expect([type.scale, type.precision]).toEqual([2, 18]);
    const found = [...released].map(({ visits }) => visits as { valueOf(): bigint } | null);
    expect(found.filter((value) => value === null)).toHaveLength(100);
    const values = found.flatMap((value) => (value === null ? [] : [Number(String(value))]));
    expect([Math.min(...values), Math.max(...values)]).toEqual([0, 300]);
    expect(values.every((value) => value % 25 === 0)).toBe(true);
  });

  it('is another for another key, release or column', () => {
    write(
      'other',
      Uint8Array.from(key, (byte) => byte ^ 1),
    );
    const [one, again, ...others] = [
      pipe(byId, stream(people)),
      pipe([...byId, '--release', ''], stream(people)),
      pipe(byId, stream(people), 'other'),
      pipe([...byId, '--release', 'second'], stream(people)),
    ].map(({ out }) => [...arrow.tableFromIPC(out)].map(({ visits }) => String(visits)).join(' '));
    expect(again === one).toBe(true);
    expect(new Set([one, ...others]).size).toBe(3);
  });

  it('writes protected columns alone where an engine keeps the others', () => {
    const table = arrow.tableFromIPC(pipe([...byId, '--only-protected'], stream(people)).out);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['visits']);
    expect([...table].map(({ visits }) => visits as bigint)).toEqual(
      people.map(({ id }) => expected.get(id)),
    );
    expect(pipe([...byId, '--only-protected', '--input-format', 'csv'], 'id,visits\n1,2\n').stderr).toContain(
      '--only-protected',
    );
  });

  it('gives an empty batch back as one', () => {
    const empty = arrow.tableFromJSON(people.slice(0, 1)).slice(0, 0);
    const { out } = pipe([...byId, '--only-protected'], arrow.tableToIPC(empty, 'stream'));
    expect([...arrow.RecordBatchReader.from(out)].map(({ numRows }) => numRows)).toEqual([0]);
  });

  it('tells ids apart that differ by a byte order mark, and reads dictionaries of any width', () => {
    const ids = ['a', '\ufeffa', 'b'];
    const { Dictionary, Int32, Int64, Utf8, Vector } = arrow;
    const noises = [new Int32(), new Int64()].map((width) => {
      const dictionary = arrow.vectorFromArray(ids, new Utf8());
      const indices = width instanceof Int64 ? BigInt64Array.of(0n, 1n, 2n) : Int32Array.of(0, 1, 2);
      const type = new Dictionary(dictionary.type, width as never);
      const data = arrow.makeData({ type, data: indices, dictionary, length: 3 } as never);
      const visits = arrow.vectorFromArray([5n, 5n, 5n], new Int64());
      const table = new arrow.Table({ id: new Vector([data as never]), visits });
      const { out, stderr } = pipe(byId, arrow.tableToIPC(table, 'stream'));
      expect(stderr).toBe('');
      return [...arrow.tableFromIPC(out).getChild('visits')!] as bigint[];
    });
    const { pmf } = readMechanism(read('m.json'));
    const noise = keyedSampler(pmf, columnKey(key, '', 'visits')).noise({
      identities: joined(ids),
      indices: BigInt64Array.of(5n, 5n, 5n),
    });
    for (const found of noises) expect(found).toEqual([...noise].map((own) => 5n + own));
  });

  it('passes nothing on that is noted beside columns, for it may be computed from protected values', () => {
    const table = arrow.tableFromJSON(people.slice(0, 3));
    const noted = new arrow.Schema(
      table.schema.fields.map((field) =>
        field.clone({ ...field, metadata: new Map([['largest', `of ${field.name}`]]) }),
      ),
      new Map([['largest', 'of all']]),
    );
    const data = new arrow.Table(noted, table.batches[0]!.data as never);
    const { out } = pipe(byId, arrow.tableToIPC(data, 'stream'));
    const { schema } = arrow.tableFromIPC(out);
    expect(schema.metadata.size).toBe(0);
    expect(schema.fields.map(({ name, metadata }) => [name, metadata.get('largest')])).toEqual([
      ['id', undefined],
      ['visits', undefined],
      ['note', undefined],
    ]);
  });

  it('gives one without rows back', () => {
    const none = arrow.tableToIPC(arrow.tableFromJSON(people.slice(0, 1)).slice(0, 0), 'stream');
    const table = arrow.tableFromIPC(pipe(byId, none).out);
    expect(table.numRows).toBe(0);
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['id', 'visits', 'note']);
  });
});

describe('rows without an id', () => {
  const rows = Array.from({ length: 400 }, (_, i) => ({ region: i % 2 === 0 ? 'N' : 'S', visits: 3 }));
  const args = (partition: string, ...more: string[]) => [
    ...['--mechanism', 'm.json', '--partition', partition],
    ...more,
  ];
  const csv = `region,visits\n${rows.map(({ region, visits }) => `${region},${visits}`).join('\n')}\n`;
  const inputs = [
    ['arrow', stream(rows)],
    ['csv', csv],
    ['jsonl', rows.map((row) => JSON.stringify(row)).join('\n')],
  ] as const;

  it.each(inputs)(
    'have noise of their own, the same every time, and another elsewhere: %s',
    (format, input) => {
      const values = (partition: string) => {
        const { out, code } = pipe(args(partition, '--input-format', format), input);
        expect(code).toBe(0);
        if (format === 'arrow') return [...arrow.tableFromIPC(out)].map(({ visits }) => Number(visits));
        const lines = out.toString().trim().split('\n');
        return format === 'csv'
          ? lines.slice(1).map((line) => Number(line.split(',')[1]))
          : lines.map((line) => (JSON.parse(line) as { visits: number }).visits);
      };
      const one = values('a');
      // Equal rows of equal noise would all have one value.
      expect(new Set(one.filter((_, i) => i % 2 === 0)).size).toBeGreaterThan(10);
      expect(values('a')).toEqual(one);
      expect(values('b')).not.toEqual(one);
    },
  );

  it('need the name of their partition', () => {
    const { code, stderr } = pipe(['--mechanism', 'm.json'], stream(rows));
    expect([code, stderr]).toEqual([2, expect.stringContaining('--partition')]);
  });
});

/** Forty rows, written by pyarrow with compression lz4. */
const COMPRESSED =
  '/////7AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABIAAAABAAAAND///8AAAECEAAAABgAAAAEAAAAAAAAAAYAAAB2aXNpdHMAAMT///8AAAABQAAAABAAFAAIAAYABwAMAAAAEAAQAAAAAAABAhAAAAAcAAAABAAAAAAAAAACAAAAaWQAAAgADAAIAAcACAAAAAAAAAFAAAAAAAAAAP/////IAAAAFAAAAAAAAAAMABgABgAFAAgADAAMAAAAAAMEABwAAADoAAAAAAAAAAAAAAAMABwAEAAEAAgADAAMAAAAaAAAABwAAAAUAAAAKAAAAAAAAAAAAAAABAAEAAQAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAvAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAAnAAAAAAAAAAAAAAACAAAAKAAAAAAAAAAAAAAAAAAAACgAAAAAAAAAAAAAAAAAAABAAQAAAAAAAAQiTRhgQIKlAAAAEwABABMBCAATAggAEwMIABMECAATBQgAEwYIABMHCAATCAgAEwkIABMKCAATCwgAEwwIABMNCAATDggAEw8IABMQCAATEQgAExIIABMTCAATFAgAExUIABMWCAATFwgAExgIABMZCAATGggAExsIABMcCAATHQgAEx4IABMfCAATIAgAEyEIABMiCAATIwgAEyQIABMlCAATJggAgCcAAAAAAAAAAAAAAAAAAABAAQAAAAAAAAQiTRhgQIIQAAAAIgMAAQAPCAD/IVAAAAAAAAAAAAAA/////wAAAAA=';

describe('what a partition refuses', () => {
  it.each([
    [
      'an id that is missing',
      stream([
        { id: 'a', visits: 1 },
        { id: null, visits: 2 },
      ]),
      /a row has no "id"/,
    ],
    ['a word', stream([{ id: 'a', visits: 'many' }]), /data row 1: expected a number, got a word/],
    ['text that stands for a value', stream([{ id: 'a', visits: '85+' }]), /numbers with a bound/],
    ['a nested column', stream([{ id: 'a', visits: 1, more: { deep: 2 } }]), /"more" is nested/],
    ['a column that is not there', stream([{ id: 'a', other: 1 }]), /has no column "visits"/],
    ['no Arrow stream', Buffer.from('id,visits\n1,2\n'), /no Arrow stream/],
    ['half a stream', stream(people).subarray(0, 7000), /Arrow stream/],
    ['nothing', Buffer.alloc(0), /it is empty/],
    [
      'a date',
      arrow.tableToIPC(arrow.tableFromJSON([{ id: 'a', visits: new Date(0) }]), 'stream'),
      /expected numbers/,
    ],
  ])('%s', (_, input, message) => {
    const { code, stderr } = pipe(byId, input);
    expect(stderr).toMatch(message);
    expect(code).toBeGreaterThan(1);
  });

  it('ids that are missing in CSV and JSON lines', () => {
    for (const [format, text] of [
      ['csv', 'id,visits\na,1\n,2\n'],
      ['jsonl', '{"id":"a","visits":1}\n{"visits":2}\n'],
      ['jsonl', '{"id":null,"visits":2}\n'],
    ] as const) {
      const { code, stderr } = pipe([...byId, '--input-format', format, '-o', `x.${format}`], text);
      expect([code, exists(`x.${format}`)]).toEqual([2, false]);
      expect(stderr).toContain('a row has no "id"');
    }
  });

  it('two streams in one, and one that only seems to have its end', () => {
    const two = Buffer.concat([stream(people), stream(people)]);
    expect(pipe(byId, two)).toMatchObject({ code: 2, stderr: expect.stringContaining('something follows') });
    const last = new arrow.Table({
      id: arrow.vectorFromArray([1, 2], new arrow.Int32()),
      visits: arrow.vectorFromArray([-1, 0], new arrow.Int32()),
    });
    const cut = arrow.tableToIPC(last, 'stream').subarray(0, -8);
    expect(Buffer.from(cut.subarray(-8)).toString('hex')).toBe('ffffffff00000000');
    expect(pipe(byId, cut)).toMatchObject({ code: 2, stderr: expect.stringContaining('has no end') });
  });

  it('batches whose columns are not as long as they say', () => {
    const rows = [{ visits: 1, id: 7 }];
    const bytes = Buffer.from(arrow.tableToIPC(arrow.tableFromJSON(rows.concat(rows)), 'stream'));
    // Lengths and numbers of NULLs of the two columns, 64 bits each: 2 0 2 0.
    const nodes = Buffer.from(BigInt64Array.of(2n, 0n, 2n, 0n).buffer);
    const at = bytes.indexOf(nodes);
    expect(at).toBeGreaterThan(0);
    for (const [place, value] of [
      [0, 1n],
      [0, 9n],
      [8, -1n],
      [24, 3n],
    ] as const) {
      const damaged = Buffer.from(bytes);
      damaged.writeBigInt64LE(value, at + place);
      expect(pipe(byId, damaged).stderr).toContain('damaged');
    }
  });

  it('to write Arrow or JSON lines as anything else, where rows would be others', () => {
    for (const format of ['arrow', 'jsonl'])
      expect(pipe([...byId, '--input-format', format, '--output-format', 'csv'], '')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--output-format'),
      });
  });

  it('ids that are neither whole numbers nor text', () => {
    const odd = arrow.tableFromJSON([{ id: 1.5, visits: 1 }]);
    expect(pipe(byId, arrow.tableToIPC(odd, 'stream')).stderr).toContain('expected whole numbers or text');
  });

  it('compressed batches, by name', () => {
    const { code, stderr } = pipe(byId, Buffer.from(COMPRESSED, 'base64'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('Arrow batches are compressed')]);
  });

  it('to work without a key, or with a short one', () => {
    const { code, stderr } = run(['pipe', '--column', 'visits', ...byId]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('expected a key')]);
    write('short', key.subarray(0, 31));
    expect(pipe(byId, stream(people), 'short').stderr).toContain('expected 32 bytes, got 31');
    expect(run(['pipe', '--key-fd', '77', '--column', 'visits', ...byId]).stderr).toMatch(
      /descriptor 77 holds no key.*pipe --drive/,
    );
  });

  it('what goes with other commands', () => {
    expect(pipe(['--epsilon', '1', '--id', 'id'], stream(people)).stderr).toContain('--epsilon');
    expect(pipe([...byId, 'more'], stream(people)).stderr).toContain('--drive');
    expect(pipe(['--mechanism', 'm.json', '--id', 'visits'], stream(people)).stderr).toContain('--id');
  });
});
