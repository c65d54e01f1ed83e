// `--locate`: where an error is, or which columns there are, for the eyes of whoever has the data. It may tell a value, so it goes to a
// terminal, and nowhere else.

import type { Command } from 'commander';
import { isOurs, PrivacyError } from '../error/index.js';

export function addLocate(command: Command): Command {
  return command
    .option('--locate', 'on a terminal only: the line, or the columns there are, that an error is about')
    .hook('preAction', (called) => {
      const { locate, json } = called.opts<{ locate?: boolean; json?: boolean }>();
      if (locate && !mayTell(json === true))
        throw new PrivacyError(
          'where something is wrong may tell a value, so it is told on a terminal only, and not with {json}; leave it out, or let errors go to a terminal',
          'locate',
        );
    });
}

function mayTell(json: boolean): boolean {
  return process.stderr.isTTY === true && !json;
}

/** The place of an error, where it was asked for and may be told. */
export function placeOf(error: unknown, args: readonly string[]): string | null {
  const asked = args.includes('--locate') && mayTell(args.includes('--json'));
  return asked && isOurs(error) ? error.locate() : null;
}
