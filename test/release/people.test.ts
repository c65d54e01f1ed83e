// Persons, keys that may be data, cells that look like our own words, and very wide files.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { type Connection, connect } from '../../src/postgres/index.js';
import { closeEngine, type Engine, openEngine } from '../../src/release/engine.js';
import { personSql } from '../../src/release/person-sql.js';
import { literal } from '../../src/release/sql.js';
import { personOf } from '../../src/rows/index.js';
import { type Scratch, scratch } from '../scratch.js';

let here: Scratch;
beforeAll(() => {
  here = scratch();
  expect(here.run(['design', '--epsilon', '1', '--adjacency', '5', '-o', 'm.json']).code).toBe(0);
});
const release = (input: string, output: string, ...more: string[]) =>
  here.run([
    'release',
    input,
    '--column',
    'visits',
    '--mechanism',
    'm.json',
    '--dataset',
    'd',
    '-o',
    output,
    ...more,
  ]);

describe('who is meant', () => {
  it.each([
    ['7', '7.0'],
    ['7', ' 7'],
    ['7', '07'],
    ['7', '+7.'],
    ['7', '\t007.000 '],
    ['-7', '-07.0'],
    ['0', '-0.0'],
    ['1.5', '01.50'],
  ])('%j and %j are one person', (a, b) => {
    expect(personOf(a)).toBe(personOf(b));
    here.write('p.csv', `who,visits\n"${a}",1\n"${b}",2\n`);
    here.write(
      'p.jsonl',
      `{"who":${JSON.stringify(a)},"visits":1}\n{"who":${JSON.stringify(b)},"visits":2}\n`,
    );
    for (const [input, output] of [
      ['p.csv', 'o.csv'],
      ['p.jsonl', 'o.jsonl'],
      ['p.jsonl', 'o2.csv'],
    ] as const) {
      expect(release(input, output, '--person', 'who', '--force').stderr).toMatch(/more than 1 row/);
      expect(release(input, output, '--person', 'who', '--per-person', '2', '--force').code).toBe(0);
    }
  });

  it.each([
    ['7', '70'],
    ['a', 'A'],
    ['1.5', '15'],
    ['7a', '07a'],
    ['', '0'],
  ])('%j and %j are two', (a, b) => expect(personOf(a)).not.toBe(personOf(b)));

  describe('in SQL as in JavaScript', () => {
    let engine: Engine;
    let server: Awaited<ReturnType<typeof startServer>>;
    let connection: Connection;
    beforeAll(async () => {
      engine = await openEngine();
      server = await startServer();
      connection = await connect(server.address);
    });
    afterAll(async () => {
      closeEngine(engine);
      await connection.end();
      await server.stop();
    });
    const names = fc.oneof(
      fc.stringMatching(/^[ \t]{0,2}[+-]?0{0,3}\d{0,4}(\.\d{0,3}0{0,3})?[ \t]{0,2}$/),
      fc.stringMatching(/^[a-z0-9 .+-]{0,6}$/),
    );

    it('agrees for DuckDB and for PostgreSQL', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 100 }), async (values) => {
          const expected = values.map(personOf);
          const list = values.map((name) => `(${literal(name)})`).join(', ');
          const found = await engine.rows(`SELECT ${personSql('x')} FROM (VALUES ${list}) AS t(x)`);
          expect(found.map(([name]) => name)).toEqual(expected);
          const { rows } = await connection.query(
            `SELECT ${personSql('x')} AS name FROM unnest($1::text[]) WITH ORDINALITY AS t(x, n) ORDER BY n`,
            [values],
          );
          expect(rows.map(({ name }) => name)).toEqual(expected);
        }),
        { numRuns: 60 },
      );
    });
  });
});

describe('keys of JSON lines', () => {
  it('are in no message, for they may be data', () => {
    const secret = 'patient-4711';
    here.write('k.jsonl', `{"visits":1,"${secret}":2}\n{"${secret}":2}\n`);
    here.write('twice.jsonl', `{"visits":1,"${secret}":2,"${secret}":3}\n`);
    here.write('nested.jsonl', `{"visits":1,"${secret}":{"a":1}}\n`);
    here.write('case.jsonl', `{"visits":1,"${secret}":2,"${secret.toUpperCase()}":3}\n`);
    for (const [input, ...more] of [
      ['k.jsonl', '--column', 'patient-4712'],
      ['k.jsonl', '--person', 'patient-4712'],
      ['k.jsonl', '--pass', 'patient-4712'],
      ['twice.jsonl'],
      ['nested.jsonl'],
      ['case.jsonl'],
    ] as [string, ...string[]][])
      for (const output of ['never.jsonl', 'never.csv']) {
        if (input === 'case.jsonl' && output === 'never.jsonl') continue;
        const { code, stdout, stderr } = release(input, output, ...more);
        expect([input, output, code]).not.toEqual([input, output, 0]);
        expect(`${stdout}${stderr}`.toLowerCase()).not.toContain(secret);
      }
  });
});

describe('a NUL in a name', () => {
  it('is refused before anything is charged', () => {
    here.write('nul.jsonl', '{"visits":5,"a\\u0000b":"x"}\n');
    expect(release('nul.jsonl', 'nul.csv').stderr).toMatch(
      /^error: nul.jsonl: a key has a NUL in its name; rename it\n$/,
    );
  });
});

describe('cells that look like words of ours', () => {
  it('are cells', () => {
    here.write('cell.csv', 'id,visits\n1,2\ndiscreet:part\n');
    expect(release('cell.csv', 'cell-out.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/not valid CSV: .* a row has more or fewer cells/),
    });
    here.write('mark.csv', 'id,visits\n1,discreet:0:5\n');
    expect(release('mark.csv', 'mark-out.csv').stderr).toMatch(/holds text with digits/);
  });
});

describe('very wide files', () => {
  it('are refused within seconds, in every format', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `c${i}`);
    here.write('wide.csv', `visits,${names.join(',')}\n1,${names.map(() => 1).join(',')}\n`);
    here.write('wide.jsonl', `{"visits":1,${names.map((name) => `"${name}":1`).join(',')}}\n`);
    expect(release('wide.csv', 'wide-out.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/it has 100001 columns; expected at most 10000/),
    });
    expect(release('wide.jsonl', 'wide2.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/100001 columns/),
    });
    // Value by value, JSON lines need no table.
    expect(release('wide.jsonl', 'wide-out.jsonl')).toMatchObject({ code: 0 });
  });

  it('of a thousand protected columns are released', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `c${i}`);
    here.write('many.csv', `${names.join(',')}\n${names.map(() => 1).join(',')}\n`);
    const columns = names.flatMap((name) => ['--column', name]);
    const { code } = here.run([
      'release',
      'many.csv',
      ...columns,
      '--epsilon',
      '9',
      '--adjacency',
      '1',
      '--dataset',
      'm',
      '-o',
      'many-out.csv',
    ]);
    expect(code).toBe(0);
    expect(here.exists('many-out.csv.mechanism.json')).toBe(true);
  });

  it('of a few thousand columns are released', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `c${i}`);
    here.write('some.csv', `visits,${names.join(',')}\n1,${names.map(() => 1).join(',')}\n`);
    expect(release('some.csv', 'some-out.csv').code).toBe(0);
    expect(here.read('some-out.csv').split('\n')[0]!.split(',')).toHaveLength(3001);
  });
});
