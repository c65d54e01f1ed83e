// Addresses without their passwords, and a server's errors without the values that they quote.

import { describe, expect, it } from 'vitest';
import { connect, isPostgres, serverFailure, shownAddress } from '../../src/postgres/index.js';

describe('an address', () => {
  it('is known by its beginning', () => {
    for (const [address, is] of [
      ['postgres://me@host/db', true],
      ['PostgreSQL://host', true],
      ['postgres.csv', false],
      ['./postgres://x', false],
    ] as const)
      expect(isPostgres(address)).toBe(is);
  });

  it('is shown without its password, and not used with one', async () => {
    for (const address of ['postgres://me:s3cret@host/db', 'postgres://me@host/db?a=1&password=s3cret&b=2']) {
      expect(shownAddress(address)).not.toContain('s3cret');
      expect(shownAddress(address)).toContain('me@host/db');
      const error = (await connect(address).catch((thrown: unknown) => thrown)) as Error;
      expect(error.message).toMatch(/take the password out of the address/);
      expect(error.message).not.toContain('s3cret');
    }
    expect(shownAddress('postgres://me@host/db')).toBe('postgres://me@host/db');
  });

  it('of no server is told in words', async () => {
    await expect(connect('postgres://me@127.0.0.1:1/db')).rejects.toMatchObject({
      code: 'system',
      message: expect.stringMatching(/^postgres:\/\/me@127\.0\.0\.1:1\/db: /),
    });
    await expect(connect('postgres://[')).rejects.toThrow(/expected an address such as/);
  });
});

describe('what a server says', () => {
  it('is told without its message, which may quote a value', () => {
    const failure = (code: string, message: string) =>
      serverFailure('postgres://me:pw@h/d', Object.assign(new Error(message), { code })).message;
    expect(failure('22P02', 'invalid input syntax for type integer: "4711"')).not.toMatch(/4711|pw/);
    expect(failure('99XYZ', 'the value 4711 is odd')).toBe(
      'postgres://me@h/d: the server refused with code 99XYZ',
    );
    expect(failure('42501', 'permission denied for table visits')).toBe(
      'postgres://me@h/d: permission denied',
    );
    expect(failure('', 'Connection terminated unexpectedly')).toMatch(/the server closed the connection/);
  });

  it('of an engine stays what it is', () => {
    const own = new TypeError('x is not a function');
    expect(serverFailure('postgres://h/d', own)).toBe(own);
  });
});
