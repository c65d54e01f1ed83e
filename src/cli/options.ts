// Commands with their examples, and their options: texts that are always there or may be missing, lists of repeated ones, flags.

import type { Command } from 'commander';
import { invalid } from '../error/index.js';
import { helpText } from './help-text.js';
import { collect } from './input.js';

export function define(program: Command, name: string, description: string, examples: string): Command {
  return program
    .command(name)
    .description(description)
    .addHelpText('after', `\n${helpText(examples)}`);
}

/** An option that takes one value is given once: what would be the first is otherwise passed over. Of this command, and all below it. */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    const takesOne = (option.required || option.optional) && !option.variadic && option.parseArg !== collect;
    let before: string | undefined;
    if (takesOne)
      command.on(`option:${option.name()}`, (value: string) => {
        if (before !== undefined)
          throw invalid(
            `${option.attributeName()}: expected one value, got ${before} and ${value}; give it once`,
          );
        before = value;
      });
  }
  for (const own of command.commands) refuseRepeats(own);
}

export type Needed<Name extends string> = Readonly<Record<Name, string>>;
export type Maybe<Name extends string> = Readonly<Partial<Record<Name, string>>>;
export type Lists<Name extends string> = Readonly<Record<Name, readonly string[]>>;
export type Flags<Name extends string> = Readonly<Partial<Record<Name, boolean>>>;
