// Do two paths lead to the same file?

import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Under whatever names and links. */
export function sameFile(a: string, b: string): boolean {
  if (!existsSync(a) || !existsSync(b)) return resolve(a) === resolve(b);
  const [one, other] = [statSync(a), statSync(b)];
  return (
    realpathSync(a) === realpathSync(b) || (one.ino !== 0 && one.ino === other.ino && one.dev === other.dev)
  );
}
