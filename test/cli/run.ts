// Runs the built command as a user would, from the project's folder.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function discreet(args: readonly string[], input = ''): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: root,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { code: status ?? -1, stdout, stderr };
}

/** The object that --json prints, and nothing else. */
export function discreetJson<T>(args: readonly string[]): T {
  const { code, stdout, stderr } = discreet([...args, '--json']);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
