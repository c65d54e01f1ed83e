// A stream that must be read more than once: kept in a file without a name, which is gone with the process, however it ends.

import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenedFile } from './opened.js';

/** The stream in a file that has no name. */
export async function spool(stream: AsyncIterable<Uint8Array>): Promise<OpenedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-'));
  const file = openSync(join(folder, 'input'), 'wx+', 0o600);
  unlinkSync(join(folder, 'input'));
  rmSync(folder, { recursive: true });
  try {
    for await (const bytes of stream) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    file,
    path: `/proc/self/fd/${file}`,
    size: fstatSync(file).size,
    // Nobody else has it.
    check: () => undefined,
    close: () => closeSync(file),
  };
}
