// No answer depends on a number but through the noise: every number is released, on every way, and words are told apart from values.

import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../scripts/postgres.mjs';
import { connect } from '../../src/postgres/index.js';
import { cells, type Scratch, scratch } from '../scratch.js';

let here: Scratch;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  here = scratch();
  server = await startServer();
  // Noise that is 0 but for once in e^80: what comes out is what went in, on the lattice.
  for (const [name, step] of [
    ['one', '1'],
    ['thousand', '1000'],
    ['tenth', '0.1'],
  ] as const)
    expect(
      here.run([
        'calibrate',
        'geometric',
        '--epsilon',
        '80',
        '--adjacency',
        step,
        '--step',
        step,
        '-o',
        `${name}.json`,
      ]).code,
    ).toBe(0);
});
afterAll(() => server.stop());

const limit = '9007199254740992';
/** Numbers as people and machines write them, and what they become at step 1. */
const numbers = [
  ['5', '5'],
  ['1.5', '2'],
  ['-1.5', '-1'],
  ['0.5', '1'],
  ['-0.5', '0'],
  ['2.4999999999999999999999', '2'],
  ['9007199254740993', limit],
  ['-99999999999999999999', `-${limit}`],
  ['1e30', limit],
  ['-1e400', `-${limit}`],
  ['1e-400', '0'],
  ['+007', '7'],
] as const;

describe('every number is released', () => {
  const base = (...more: string[]) => [
    '--column',
    'visits',
    '--mechanism',
    'one.json',
    '--dataset',
    'n',
    ...more,
  ];

  it('from text, by every way to every format', async () => {
    here.write('n.csv', `visits\n${numbers.map(([text]) => text).join('\n')}\n`);
    here.write('n.jsonl', numbers.map(([text]) => `{"visits":"${text}"}\n`).join(''));
    const expected = numbers.map(([, index]) => index);
    for (const [input, output] of [
      ['n.csv', 'csv.csv'],
      ['n.csv', 'csv.jsonl'],
      ['n.jsonl', 'lines.jsonl'],
      ['n.jsonl', 'lines.csv'],
    ] as const) {
      here.json(['release', input, ...base('-o', output)]);
      expect([input, output, [...here.read(output).matchAll(/-?\d+/g)].map(String)]).toEqual([
        input,
        output,
        expected,
      ]);
    }
    const piped = here.run(['release', '-', '--input-format', 'csv', ...base('-o', '-')], here.read('n.csv'));
    expect(cells(piped.stdout).slice(1).flat()).toEqual(expected);
    const client = await connect(server.address);
    await client.query('CREATE TABLE texts (n serial, visits text)');
    for (const [text] of numbers) await client.query('INSERT INTO texts (visits) VALUES ($1)', [text]);
    here.json([
      'release',
      server.address,
      '--table',
      'texts',
      ...base('-o', server.address, '--output-table', 'texts_out'),
    ]);
    here.json(['release', server.address, '--table', 'texts', ...base('-o', 'texts.csv')]);
    const { rows } = await client.query('SELECT visits::text FROM texts_out ORDER BY n');
    expect(rows.map(({ visits }) => visits)).toEqual(expected);
    expect(
      cells(here.read('texts.csv'))
        .slice(1)
        .map(([, value]) => value),
    ).toEqual(expected);
    await client.end();
  });

  it('of millions of digits, on every way', () => {
    const text = `2.${'4'.repeat(3_000_000)}`;
    here.write('long.csv', `visits\n${text}\n`);
    here.write('long.jsonl', `{"visits":${text}}\n`);
    for (const [input, output] of [
      ['long.csv', 'long-1.csv'],
      ['long.jsonl', 'long-2.csv'],
      ['long.jsonl', 'long-3.jsonl'],
    ] as const) {
      here.json(['release', input, ...base('-o', output)]);
      expect(here.read(output)).toMatch(/\b2\b/);
    }
  });

  it('from every type of number, at every step', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const client = await connect(server.address);
    for (const [type, postgres, values, ones, thousands, tenths] of [
      [
        'INTEGER',
        'int',
        ['-1500', '499', '500', '1499'],
        null,
        ['-1000', '0', '1000', '1000'],
        ['-1500.0', '499.0', '500.0', '1499.0'],
      ],
      [
        'BIGINT',
        'int8',
        ['9223372036854775807', '-501', '-500'],
        [limit, '-501', '-500'],
        ['9007199254740992000', '-1000', '0'],
        ['900719925474099.2', '-501.0', '-500.0'],
      ],
      [
        'DECIMAL(10,2)',
        'numeric(10,2)',
        ['1.50', '-0.05', '0.05', '-0.06'],
        ['2', '0', '0', '0'],
        ['0', '0', '0', '0'],
        ['1.5', '0.0', '0.1', '-0.1'],
      ],
      [
        'DOUBLE',
        'float8',
        ['1e300', '0.25', '-0.25', '0.30000000000000004'],
        [limit, '0', '0', '0'],
        ['9007199254740992000', '0', '0', '0'],
        ['900719925474099.2', '0.3', '-0.2', '0.3'],
      ],
    ] as const) {
      const name = type.replace(/\W.*/, '').toLowerCase();
      await connection.run(
        `COPY (SELECT unnest([${values.map((value) => `'${value}'::${type}`).join(', ')}]) AS visits) TO '${here.at(`${name}.parquet`)}' (FORMAT parquet)`,
      );
      await client.query(
        `CREATE TABLE ${name}_in AS SELECT n, v::${postgres} AS visits FROM unnest(ARRAY[${values.map((value) => `'${value}'`).join(', ')}]) WITH ORDINALITY AS t(v, n)`,
      );
      for (const [mechanism, expected] of [
        ['one', ones ?? values],
        ['thousand', thousands],
        ['tenth', tenths],
      ] as const) {
        const own = ['--column', 'visits', '--mechanism', `${mechanism}.json`, '--dataset', 'n'];
        const file = `${name}-${mechanism}.csv`;
        here.json(['release', `${name}.parquet`, ...own, '-o', file]);
        expect([type, mechanism, cells(here.read(file)).slice(1).flat()]).toEqual([
          type,
          mechanism,
          expected,
        ]);
        const table = `${name}_${mechanism}`;
        here.json([
          'release',
          server.address,
          '--table',
          `${name}_in`,
          ...own,
          '-o',
          server.address,
          '--output-table',
          table,
        ]);
        const { rows } = await client.query(`SELECT visits::text FROM ${table} ORDER BY n`);
        expect([postgres, mechanism, rows.map(({ visits }) => visits)]).toEqual([
          postgres,
          mechanism,
          expected,
        ]);
      }
    }
    connection.closeSync();
    await client.end();
  });
});

const common = ['--column', 'visits', '--mechanism', 'one.json', '--dataset', 'n'];

describe('text that stands for a value', () => {
  it.each(['85+', '<5', '1,234', '1.234.5', '٣', '½', '0x10', '5 days'])(
    '%j is never emptied and never named by row',
    (text) => {
      here.write('v.csv', `id,visits\n1,3\n2,"${text}"\n`);
      here.write('v.jsonl', `{"id":1,"visits":3}\n{"id":2,"visits":${JSON.stringify(text)}}\n`);
      for (const [input, output] of [
        ['v.csv', 'v-out.csv'],
        ['v.jsonl', 'v-out.jsonl'],
        ['v.jsonl', 'v-out.csv'],
      ] as const)
        for (const more of [[], ['--skip-invalid']]) {
          const { code, stderr } = here.run([
            'release',
            input,
            '--column',
            'visits',
            '--mechanism',
            'one.json',
            '--dataset',
            'n',
            '-o',
            output,
            ...more,
          ]);
          expect([code, stderr]).toEqual([
            2,
            expect.stringMatching(/column "visits" holds .*Such cells stand for values/),
          ]);
          expect(stderr).not.toMatch(/row|line/);
          expect(stderr).not.toContain(`"${text}"`);
          expect(here.exists(output)).toBe(false);
        }
    },
  );

  it('says the same beside a word, whichever comes first', () => {
    for (const [i, values] of [
      ['many', '85+'],
      ['85+', 'many'],
    ].entries()) {
      here.write(`w${i}.csv`, `visits\n1\n${values.join('\n')}\n`);
      here.write(`w${i}.jsonl`, ['1', ...values].map((value) => `{"visits":"${value}"}\n`).join(''));
      for (const [input, output] of [
        [`w${i}.csv`, 'never.csv'],
        [`w${i}.jsonl`, 'never.jsonl'],
      ] as const)
        expect(
          here.run([
            'release',
            input,
            '--column',
            'visits',
            '--mechanism',
            'one.json',
            '--dataset',
            'n',
            '-o',
            output,
          ]).stderr,
        ).toMatch(/holds numbers with a bound.*Such cells stand for values/);
    }
  });

  it('lets nothing leave, so that nothing shows where it is', () => {
    const rows = (at: number) => Array.from({ length: 30_000 }, (_, i) => (i === at ? '85+' : '3'));
    const texts: [string, (at: number) => string][] = [
      ['csv', (at) => `visits\n${rows(at).join('\n')}\n`],
      [
        'jsonl',
        (at) =>
          rows(at)
            .map((value) => `{"visits":"${value}"}\n`)
            .join(''),
      ],
    ];
    for (const [format, text] of texts) {
      for (const at of [10, 15_000, 29_000])
        expect(
          here.run(['release', '-', '--input-format', format, ...common, '-o', '-'], text(at)),
        ).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/holds numbers with a bound.*Nothing was released or charged/),
        });
    }
  });

  it('does not show on which side of a word it is, between tables and from pipes', async () => {
    const client = await connect(server.address);
    const told = new Map<string, Set<string>>();
    const add = (way: string, words: string) => told.set(way, (told.get(way) ?? new Set()).add(words));
    for (const [i, values] of [
      ['3', '85+', 'n/a', '4'],
      ['3', '85', 'n/a', '85+'],
    ].entries()) {
      await client.query(`CREATE TABLE side${i} (id serial, visits text)`);
      for (const value of values) await client.query(`INSERT INTO side${i} (visits) VALUES ('${value}')`);
      const from = ['release', server.address, '--table', `side${i}`, ...common];
      for (const output of [[server.address, '--output-table', 'never'], ['never.csv']])
        add(output.at(-1)!, here.run([...from, '-o', ...output]).stderr.replace(/side\d/g, 'side'));
      for (const format of ['csv', 'jsonl']) {
        const text =
          format === 'csv'
            ? `visits\n${values.join('\n')}\n`
            : values.map((value) => `{"visits":"${value}"}\n`).join('');
        add(format, here.run(['release', '-', '--input-format', format, ...common, '-o', '-'], text).stderr);
      }
    }
    await client.end();
    expect(told.size).toBe(4);
    for (const words of told.values())
      expect([...words]).toEqual([
        expect.stringMatching(/data row 3: expected a number|holds numbers with a bound/),
      ]);
  });

  it('says the same wherever it is, and whatever else there is', () => {
    const messages = [
      ['1', '2', '85+'],
      ['85+', '1', '2'],
      ['0', '85+', '<5'],
    ].map((values) => {
      here.write('same.csv', `visits\n${values.join('\n')}\n`);
      return here.run([
        'release',
        'same.csv',
        '--column',
        'visits',
        '--mechanism',
        'one.json',
        '-o',
        'never.csv',
        '--skip-invalid',
      ]).stderr;
    });
    expect(new Set(messages).size).toBe(1);
  });
});

describe('steps', () => {
  it('do not tell values apart that are no multiples of them', () => {
    // The old oracle: which cells are zero, for ε = 0.01; which row is odd, for nothing.
    here.write('o.csv', `visits\n${Array.from({ length: 200 }, (_, i) => i % 7).join('\n')}\n`);
    for (const [step, epsilon] of [
      ['1000', '0.01'],
      ['2', '1'],
    ] as const) {
      const { code } = here.run([
        'release',
        'o.csv',
        '--column',
        'visits',
        '--epsilon',
        epsilon,
        '--adjacency',
        '5',
        '--step',
        `visits=${step}`,
        '--skip-invalid',
        '-o',
        `step-${step}.csv`,
      ]);
      expect(code).toBe(0);
      expect(
        cells(here.read(`step-${step}.csv`))
          .slice(1)
          .every(([value]) => /^-?\d+$/.test(value!)),
      ).toBe(true);
    }
  });

  it('that do not divide the adjacency are charged for the next multiple', () => {
    here.write('c.csv', 'visits\n1\n');
    const { charges, cost } = here.json<{ charges: { adjacency: string }[]; cost: { epsilon: string } }>([
      'release',
      'c.csv',
      '--column',
      'visits',
      '--epsilon',
      '1',
      '--adjacency',
      '5',
      '--step',
      '2',
      '-o',
      'c-out.csv',
    ]);
    expect(Number(cost.epsilon)).toBeLessThanOrEqual(1);
    expect(Number(cost.epsilon)).toBeCloseTo(1, 9);
    expect(charges[0]!.adjacency).toBe('6');
    expect(JSON.parse(here.read('c-out.csv.mechanism.json')).adjacency).toBe(3);
  });
});

describe('scores', () => {
  it('are rounded and held, never refused', () => {
    for (const [i, scores] of [
      ['0', '1e30'],
      ['0', `${'9'.repeat(30_000)}`],
      ['0', '1e999999999999'],
      ['0.5', '1000000.25'],
    ].entries()) {
      here.write(`s${i}.csv`, `candidate,score\na,${scores[0]}\nb,${scores[1]}\n`);
      for (const epsilon of ['1', '100'])
        expect(
          here.run(['choose', `s${i}.csv`, '--epsilon', epsilon, '--sensitivity', '1', '--dataset', 's']),
        ).toMatchObject({
          code: 0,
          stdout: 'b\n',
        });
    }
  });
});
