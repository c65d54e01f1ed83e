// Releases of CSV: what stays as it is, and how values are written.

import { describe, expect, it } from 'vitest';
import { cells } from '../scratch.js';
import { withMechanisms } from './mechanisms.js';

const here = withMechanisms();
const { write, read, run, release } = here;

describe('what passes and what changes', () => {
  it('keeps rows, other cells and NULLs of a CSV as they are', () => {
    const text =
      'id,visits,note\n007,12,"a,b"\n1.50,,""\n,7,"x ""q"" y"\n4, 8 ,"two\nlines"\n5,+9.0,  spaced  \n6,1e1,NULL\n';
    write('in.csv', text);
    release('in.csv', 'out.csv');
    const shape = (csv: string) =>
      csv.replace(/^(\d*(?:\.\d+)?),([^,\n]*),/gm, (_, id, value) => `${id},${value === '' ? '' : '#'},`);
    expect(shape(read('out.csv'))).toBe(shape(text));
    for (const line of ['007', '4', '5', '6'])
      expect(read('out.csv')).toMatch(new RegExp(`^${line},-?\\d+,`, 'm'));
  });

  it('reads byte order marks, CRLF, other delimiters and quotes', () => {
    for (const [name, text] of [
      ['bom.csv', '\ufeffid,visits\n1,2\n'],
      ['crlf.csv', 'id,visits\r\n1,2\r\n'],
      ['semicolon.csv', 'id;visits\n1;2\n'],
      ['pipe.csv', 'id|visits\n1|2\n'],
      ['tab.tsv', 'id\tvisits\n1\t2\n'],
      ['quoted.csv', '"id","visits"\n"1","2"\n'],
      ['open-end.csv', 'id,visits\n1,2'],
    ] as const) {
      write(name, text);
      expect([name, release(name, `out-${name}`).rows]).toEqual([name, 1]);
      expect(read(`out-${name}`)).toMatch(/^id[,;|\t]visits\n1[,;|\t]-?\d+\n$/);
    }
    // A first line leaves as it is, and of one without rows nobody knows that it holds names.
    write('header.csv', 'id,visits\n');
    expect(() => release('header.csv', 'header-out.csv')).toThrow('a first line and no row');
    expect(here.exists('header-out.csv')).toBe(false);
    write('one.csv', 'visits\n1\n\n3\n');
    release('one.csv', 'one-out.csv');
    expect(read('one-out.csv')).toMatch(/^visits\n-?\d+\n\n-?\d+\n$/);
  });

  it('writes decimals with the digits of the step, and no float shows', () => {
    write(
      'price.csv',
      `visits\n${Array.from({ length: 2000 }, (_, i) => (i % 3 === 0 ? (i / 4).toString() : (i / 4).toFixed(4))).join('\n')}\n`,
    );
    release('price.csv', 'price-out.csv', '--mechanism', 'quarter.json');
    const values = read('price-out.csv').trim().split('\n').slice(1);
    expect(values).toHaveLength(2000);
    for (const value of values) expect(value).toMatch(/^-?\d+\.(00|25|50|75)$/);
    // 0.1 + 0.2 is 0.3 and nothing else.
    write('tenth.csv', 'visits\n0.1\n0.2\n0.30\n');
    release('tenth.csv', 'tenth-out.csv', '--epsilon', '1', '--adjacency', '0.5', '--step', '0.1');
    for (const value of read('tenth-out.csv').trim().split('\n').slice(1))
      expect(value).toMatch(/^-?\d+\.\d$/);
    expect(here.exists('tenth-out.csv.mechanism.json')).toBe(true);
    expect(run(['verify', 'tenth-out.csv.mechanism.json']).code).toBe(0);
  });

  it('takes a quote inside a name for a part of it, as the engine does', () => {
    write('inner.csv', 'visits,na"me\n88,al"ice\n5,bob\n7,carl\n');
    expect(release('inner.csv', 'inner-out.csv')).toMatchObject({ rows: 3, unchanged: ['na"me'] });
    expect(read('inner-out.csv')).toMatch(/^visits,"na""me"\n-?\d+,"al""ice"\n-?\d+,bob\n-?\d+,carl\n$/);
  });

  it('treats names with quotes, spaces and patterns as names', () => {
    const name = `odd [1] *'"; drop.csv`;
    write(name, `"vi""s; --",it's\n1,2\n`);
    expect(release(name, `out of ${name}`, '--column', 'vi"s; --', '--column', "it's").rows).toBe(1);
    expect(cells(read(`out of ${name}`))).toHaveLength(2);
  });

  it('clamps and rounds afterwards, column by column', () => {
    write('two.csv', `a,b\n${Array.from({ length: 500 }, (_, i) => `${i},${i}`).join('\n')}\n`);
    release(
      'two.csv',
      'two-out.csv',
      '--column',
      'a',
      '--column',
      'b',
      '--clamp',
      'a=0,100',
      '--round-to',
      'b=10',
    );
    const rows = cells(read('two-out.csv'))
      .slice(1)
      .map((row) => row.map(Number)) as [number, number][];
    expect(rows.every(([a, b]) => a >= 0 && a <= 100 && b % 10 === 0)).toBe(true);
    expect(rows.some(([a]) => a === 100)).toBe(true);
    expect(rows.some(([, b]) => b > 100)).toBe(true);
  });
});

describe('text that is not UTF-8', () => {
  it('is read as windows-1252 where it is called latin1, and the help says so', () => {
    write('l.csv', Buffer.from('visits,note\n5,\x80 5\x85\n', 'latin1'));
    for (const encoding of ['latin1', 'iso-8859-1', 'windows-1252']) {
      release('l.csv', 'l-out.csv', '--encoding', encoding, '--force');
      expect(read('l-out.csv')).toMatch(/^visits,note\n-?\d+,€ 5…\n$/);
    }
    expect(run(['release', '--help']).stdout.replace(/\s+/g, ' ')).toContain(
      'windows-1252, which latin1 is read as',
    );
  });
});
