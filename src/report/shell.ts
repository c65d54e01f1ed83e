// Words of commands that are shown.

import { escaped } from '../plot/index.js';

/** A word as a shell reads it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command on a page, no option of which is broken by its end of line. */
export function commandShown(command: string): string {
  return escaped(command).replace(/(?<=^| )--[\w-]+/g, (option) => `<span class="option">${option}</span>`);
}
