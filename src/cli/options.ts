// Commands with their examples, and their options: texts that are always there or may be missing, lists of repeated ones, flags.

import type { Command } from 'commander';
import { helpText } from './help-text.js';

export function define(program: Command, name: string, description: string, examples: string): Command {
  return program
    .command(name)
    .description(description)
    .addHelpText('after', `\n${helpText(examples)}`);
}

export type Needed<Name extends string> = Readonly<Record<Name, string>>;
export type Maybe<Name extends string> = Readonly<Partial<Record<Name, string>>>;
export type Lists<Name extends string> = Readonly<Record<Name, readonly string[]>>;
export type Flags<Name extends string> = Readonly<Partial<Record<Name, boolean>>>;
