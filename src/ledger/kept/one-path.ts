// A ledger in a file has one path. SQLite keeps a journal beside the path it was given: through a second path to the same
// file (a hard link, a file that is mounted by itself) another process would not find it, and both could spend the same.

import { readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { wrong } from '../../error/index.js';

/** Magic numbers of Linux: statfs(2). */
const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
};
const DOUBTFUL: Readonly<Record<number, string>> = { 1702057286: 'FUSE', 16914839: '9p' };

/** Refuse a ledger that can be reached in two ways, or whose locks cannot be relied on. `path` has no link left in it. */
export function checkOnePath(path: string): void {
  const refuse = (why: string) => {
    throw wrong(`ledger ${path}: ${why}`);
  };
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && found.nlink > 1)
    refuse(
      `it has ${found.nlink} names (hard links), and through each the same budget could be spent; remove all but one`,
    );
  if (mountPoints().includes(path))
    refuse(
      'it is mounted as a single file, and through its other name the same budget could be spent; mount its folder',
    );
  const network = NETWORK[fileSystemOf(path)];
  if (network !== undefined)
    refuse(
      `it is on ${network}, whose locks do not keep two machines apart; keep the ledger in PostgreSQL ({ledger} postgres://…)`,
    );
}

/** What is not refused but ought to be known. */
export function pathWarning(path: string): string | null {
  const doubtful = DOUBTFUL[fileSystemOf(path)];
  return doubtful === undefined
    ? null
    : `ledger ${path}: it is on ${doubtful}, where locks and syncing may not hold; a local disk or PostgreSQL is safer`;
}

/** Of the folder, where the journal lies too; only Linux tells by number. */
function fileSystemOf(path: string): number {
  if (process.platform !== 'linux') return 0;
  return Number(BigInt.asUintN(32, BigInt(statfsSync(dirname(path)).type)));
}

/** What is mounted where; a mounted file has the device of the file system it comes from, so only this list tells. */
function mountPoints(): string[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').map((line) => unescaped(line.split(' ')[4] ?? ''));
}

/** Blanks and the like are written \040; the bytes are those of UTF-8. */
function unescaped(text: string): string {
  const bytes = text.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return bytes === text ? text : Buffer.from(bytes, 'latin1').toString('utf8');
}
