// Fields of the library as the command names them: options, and other commands.

import type { Command } from 'commander';

const OTHERS: Readonly<Record<string, string>> = {
  columns: '--column',
  quantiles: '--quantile',
  output: '-o',
  setBudget: 'discreet ledger init',
  check: 'discreet ledger check',
  verify: 'discreet verify',
};

/** The names of all options of all commands; what is no option stays as it is. */
export function namesOf(program: Command): (field: string) => string {
  const flags = new Map<string, string>();
  const walk = (command: Command) => {
    for (const option of command.options)
      flags.set(option.attributeName(), option.long ?? option.short ?? option.attributeName());
    command.commands.forEach(walk);
  };
  walk(program);
  // A field may go on in words, as in "objective: weight of tail", or name the one that is meant, as in "columns visits".
  const start = /^(?:(?:columns|domain)(?= )|[a-zA-Z]+(?=$|:))/;
  return (field) => field.replace(start, (name) => OTHERS[name] ?? flags.get(name) ?? name);
}
