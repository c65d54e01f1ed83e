import { describe, expect, it } from 'vitest';
import {
  badData,
  cannot,
  DiscreetError,
  invalid,
  isOurs,
  optional,
  PrivacyError,
  parseJson,
  wrong,
} from '../../src/error/index.js';
import { parseDecimal } from '../../src/exact/index.js';
import { calibrate } from '../../src/mechanism/index.js';
import type { Family } from '../../src/noise/index.js';
import { readDecimal, readDelta, readEpsilon, readPositive, readSteps } from '../../src/spec/index.js';

describe('JSON from people', () => {
  it('may begin with a byte order mark, and reaches no terminal as it is', () => {
    expect(parseJson('\uFEFF{"a": 1}', 'an object')).toEqual({ a: 1 });
    expect(() => parseJson('\u001b[31mEVIL{', 'an object')).toThrow(/^expected an object: it is not JSON$/);
  });

  it('is told with its line, and without what is there', () => {
    expect(() => parseJson('Bob,$4711\n', 'an object')).toThrow(/^expected an object: it is not JSON$/);
    expect(() => parseJson('{"a": 1\n', 'an object')).toThrow(/^expected an object: .*line 2/);
    expect(() => parseJson('{"a": 1,\n "b" 4711}', 'an object')).toThrow(
      /^(?!.*4711)expected an object: line 2/,
    );
  });
});

describe('what a caller did wrong', () => {
  it('names fields, and leaves names of the data as they are', () => {
    const error = invalid('clamp: "{force}" is not released; leave it out, or set {step}');
    expect(error.words((field) => `--${field}`)).toBe(
      '--clamp: "{force}" is not released; leave it out, or set --step',
    );
    expect(error.in('m.json').words((field) => `--${field}`)).toMatch(/^m\.json: clamp: /);
  });

  it('has a code, the field, the problem and what to do', () => {
    const error = invalid('epsilon: expected a value above 0, got 0; see {step}; use a larger {perPerson}');
    expect(error).toMatchObject({
      code: 'argument',
      field: 'epsilon',
      problem: 'expected a value above 0, got 0; see `step`',
      fix: 'use a larger `perPerson`',
      message: 'epsilon: expected a value above 0, got 0; see `step`; use a larger `perPerson`',
      name: 'DiscreetError',
    });
    expect(error).toBeInstanceOf(RangeError);
  });

  it('is told in the words of whoever names the fields', () => {
    const flags = (field: string) => (field === 'perPerson' ? '--per-person' : field);
    expect(invalid('perPerson: got 0; leave {perPerson} out').words(flags)).toBe(
      '--per-person: got 0; leave --per-person out',
    );
    expect(invalid('weights: expected {step}').in('m.json').words(flags)).toBe(
      'm.json: weights: expected `step`',
    );
    // Braces that hold no field stay as they are.
    expect(wrong('expected {"a": 1}, got {}').message).toBe('expected {"a": 1}, got {}');
  });

  it('keeps its code whatever is added to it', () => {
    const error = badData('a.csv: not valid; mend it', 'columns').and('. Nothing was charged');
    expect(error).toMatchObject({
      code: 'data',
      field: 'columns',
      message: 'columns: a.csv: not valid; mend it. Nothing was charged',
    });
    expect(cannot('disk full').and('!')).toMatchObject({ code: 'system', fix: null, message: 'disk full!' });
    expect(new PrivacyError('too much; spend less', 'epsilon')).toMatchObject({
      code: 'privacy',
      field: 'epsilon',
      fix: 'spend less',
      name: 'PrivacyError',
    });
  });

  it("is never an engine's own error", () => {
    for (const work of [() => new Array(-1), () => 'x'.repeat(2 ** 30), () => (1.5).toFixed(101)])
      try {
        work();
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        expect(isOurs(error)).toBe(false);
      }
    expect(isOurs(wrong('x'))).toBe(true);
    expect(isOurs(wrong('x'), 'data')).toBe(false);
    expect(isOurs(new PrivacyError('x'), 'privacy')).toBe(true);
  });

  it("is not made of an engine's error on the way", () => {
    // A family that runs out of room while it is searched for: that is no family without an answer.
    const family: Family = {
      name: 'broken',
      meaning: '',
      parameters: [{ key: 'scale', meaning: '' }],
      dial: {
        key: 'scale',
        grows: true,
        solve: () => null,
        guess: () => 1,
        range: { lower: 0, upper: Infinity },
      },
      build: () => {
        throw new RangeError('Invalid array length');
      },
    };
    const target = { epsilon: parseDecimal('1'), delta: parseDecimal('0.1'), adjacency: 1 };
    expect(() => calibrate(family, {}, target, parseDecimal('1'))).toThrow(/^Invalid array length$/);
  });
});

describe('a package that was left out', () => {
  it('is asked for by name, and only it', async () => {
    const missing = Object.assign(new Error("Cannot find package 'pg' imported from x"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(optional('pg', () => Promise.reject(missing))).rejects.toMatchObject({
      code: 'package',
      fix: 'install it with npm install pg',
    });
    await expect(optional('libsql', () => Promise.reject(missing))).rejects.toBe(missing);
    const broken = new Error('pg is broken');
    await expect(optional('pg', () => Promise.reject(broken))).rejects.toBe(broken);
    await expect(optional('pg', async () => 7)).resolves.toBe(7);
  });
});

describe('figures of a caller', () => {
  it('are texts, or numbers by their shortest decimal', () => {
    expect(readDecimal(0.1, 'x')).toEqual(parseDecimal('0.1'));
    expect(readDecimal(1e-7, 'x')).toEqual(parseDecimal('0.0000001'));
    expect(readDecimal('1e-7', 'x')).toEqual(readDecimal(1e-7, 'x'));
    for (const value of [Number.NaN, Infinity, null, undefined, {}, 1n, true])
      expect(() => readDecimal(value as never, 'x')).toThrow(DiscreetError);
  });

  it('are checked in one place', () => {
    expect(() => readEpsilon('-1')).toThrow(/^epsilon: expected a value of at least 0, got -1$/);
    expect(() => readEpsilon(1_000_001)).toThrow(/at most 1000000/);
    expect(() => readDelta(1)).toThrow(/^delta: expected a value of at least 0 and below 1, got 1$/);
    expect(() => readPositive('0', 'step')).toThrow(/^step: expected a positive decimal, got 0$/);
    expect(readSteps({ step: '0.25', adjacency: 5 }).adjacency).toBe(20);
    expect(() => readSteps({ step: '0.3', adjacency: 1 })).toThrow(/multiple of the step 0\.3, got 1/);
    expect(() => readSteps({ step: '0.000001', adjacency: 5 })).toThrow(/at most 1000000 steps, got 5000000/);
  });
});
