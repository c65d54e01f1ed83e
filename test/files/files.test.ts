// Files by the library's own functions: whole or not at all, one opening, named pipes.

import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  checkOutputs,
  checkPaths,
  hiddenFile,
  makeFifo,
  openFile,
  sameFile,
  spool,
  systemWords,
  writeAll,
  writeFile,
  writeText,
} from '../../src/files/index.js';
import { scratch } from '../scratch.js';

const { at, read, write, exists, names } = scratch();
const silent = () => undefined;
const all = async (stream: AsyncIterable<Uint8Array>) => {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

describe('a file that is written', () => {
  it('appears whole, and overwrites only where that is said', () => {
    writeText(at('a.txt'), 'one', false, silent);
    expect(() => writeText(at('a.txt'), 'two', false, silent)).toThrow(/the file exists/);
    expect(read('a.txt')).toBe('one');
    writeText(at('a.txt'), 'two', true, silent);
    expect(read('a.txt')).toBe('two');
  });

  it('leaves nothing where its making fails', () => {
    const before = names();
    expect(() =>
      writeFile(at('b.txt'), false, silent, (put) => {
        put(Buffer.from('half'));
        throw new Error('no more');
      }),
    ).toThrow('no more');
    expect(names()).toEqual(before);
  });

  it('is hidden until it is published, and does not take a name that somebody else took meanwhile', () => {
    const hidden = hiddenFile(at('c.txt'), false);
    writeAll(hidden.file, Buffer.from('mine'));
    expect(exists('c.txt')).toBe(false);
    write('c.txt', 'theirs');
    expect(() => hidden.publish()).toThrow(/exists by now/);
    hidden.discard();
    expect(read('c.txt')).toBe('theirs');
    expect(readdirSync(at('.')).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('is no other output, no input and no ledger, under whatever name', () => {
    write('d.txt', '');
    mkdirSync(at('folder'), { recursive: true });
    symlinkSync(at('d.txt'), at('link.txt'));
    linkSync(at('d.txt'), at('hard.txt'));
    for (const name of ['d.txt', 'link.txt', 'hard.txt', 'folder/../d.txt'])
      expect(sameFile(at('d.txt'), at(name))).toBe(true);
    expect(sameFile(at('d.txt'), at('a.txt'))).toBe(false);
    expect(() => checkOutputs([at('x'), at('folder/../x')], false)).toThrow(/two outputs/);
    expect(() => checkOutputs([at('nowhere/x')], false)).toThrow(/folder .* does not exist/);
    expect(() => checkPaths([at('d.txt')], [at('hard.txt')], at('l.db'))).toThrow(/the output is the input/);
    expect(() => checkPaths([], [at('l.db-journal')], at('l.db'))).toThrow(/this is the ledger/);
    expect(() => checkPaths([at('d.txt')], [at('x'), '-'], at('l.db'))).not.toThrow();
  });
});

describe('a file that is read', () => {
  it('is the one that was opened, as often as it is read, and says when it has changed', async () => {
    write('e.txt', 'first');
    const opened = openFile(at('e.txt'), 'e.txt');
    try {
      renameSync(at('e.txt'), at('f.txt'));
      write('e.txt', 'another');
      expect([await all(bytesOf(opened)), await all(bytesOf(opened))]).toEqual(['first', 'first']);
      writeFileSync(at('f.txt'), 'later');
      expect(() => opened.check()).toThrow(/was changed, moved or replaced/);
    } finally {
      opened.close();
    }
    expect(() => openFile(at('folder'), 'folder')).toThrow(/expected a file/);
    expect(() => openFile(at('nothing'), 'nothing')).toThrow(/no such file/);
  });

  it('may be a stream, which is kept without a name', async () => {
    const before = names();
    const stream = new PassThrough();
    stream.end('a stream');
    const kept = await spool(stream);
    expect([await all(bytesOf(kept)), kept.size]).toEqual(['a stream', 8]);
    kept.close();
    expect(names()).toEqual(before);
  });
});

describe('a named pipe', () => {
  it('passes on what is poured in, and ends with it', async () => {
    const fifo = makeFifo();
    const source = new PassThrough();
    const sink = new PassThrough();
    const drained = fifo.drain(sink, silent);
    const big = 'x'.repeat(300_000);
    source.end(big);
    const [text] = await Promise.all([
      all(sink),
      fifo.feed(source),
      drained.then(() => {
        sink.end();
      }),
    ]);
    expect(text).toBe(big);
    fifo.close();
    expect(() => readFileSync(fifo.path)).toThrow(/ENOENT/);
  });
});

describe('what a system says', () => {
  it('is told in words, and otherwise as it is or as asked', () => {
    expect(systemWords(Object.assign(new Error('x'), { code: 'ENOSPC' }))).toBe(
      'no space left on the device',
    );
    expect(systemWords(Object.assign(new Error('its own'), { code: 'EODD' }))).toBe('its own');
    expect(systemWords(Object.assign(new Error('a secret'), { code: 'EODD' }), 'EODD')).toBe('EODD');
  });
});
