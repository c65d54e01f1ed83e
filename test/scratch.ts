// A folder of one's own for a test, and the built command run in it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import type { Run } from './cli/run.js';

export const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
export const visits = fileURLToPath(new URL('../examples/doctor-visits.csv', import.meta.url));

export interface Scratch {
  readonly folder: string;
  readonly at: (name: string) => string;
  readonly write: (name: string, text: string | Uint8Array) => string;
  readonly read: (name: string) => string;
  readonly exists: (name: string) => boolean;
  /** All names, hidden ones too. */
  readonly names: () => string[];
  readonly run: (args: readonly string[], input?: string | Uint8Array) => Run;
  readonly json: <T = Record<string, unknown>>(args: readonly string[], input?: string) => T;
  readonly start: (args: readonly string[]) => {
    child: ChildProcess;
    ended: Promise<Run & { signal: string | null }>;
  };
}

export function scratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'discreet-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  const run = (args: readonly string[], input: string | Uint8Array = ''): Run => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      cwd: folder,
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    return { code: status ?? -1, stdout, stderr };
  };
  return {
    folder,
    at,
    write: (name, text) => {
      writeFileSync(at(name), text);
      return at(name);
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    exists: (name) => existsSync(at(name)),
    names: () => readdirSync(folder).sort(),
    run,
    json: <T>(args: readonly string[], input = '') => {
      const { code, stdout, stderr } = run([...args, '--json'], input);
      if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    start: (args) => {
      const child = spawn(process.execPath, [main, ...args], { cwd: folder });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (bytes) => {
        stdout += bytes;
      });
      child.stderr.on('data', (bytes) => {
        stderr += bytes;
      });
      const ended = new Promise<Run & { signal: string | null }>((done) => {
        child.once('close', (code, signal) => done({ code: code ?? -1, stdout, stderr, signal }));
      });
      return { child, ended };
    },
  };
}

/** Arguments of a command with other options, each in place of its own. */
export function instead(args: readonly string[], other: readonly string[]): string[] {
  const options = new Set(other.filter((word) => word.startsWith('-')));
  const kept: string[] = [];
  for (let i = 0; i < args.length; i++) {
    if (!options.has(args[i]!)) kept.push(args[i]!);
    else if (!(args[i + 1] ?? '-').startsWith('-')) i++;
  }
  return [...kept, ...other];
}

/** Cells of a CSV without quotes. */
export function cells(text: string): string[][] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
}
