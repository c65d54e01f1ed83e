// `discreet ledger`: set budgets, see what is spent, check that nothing was changed.

import type { Command } from 'commander';
import { helpText } from './help-text.js';
import { collect } from './input.js';
import { history } from './ledger-history.js';
import { init } from './ledger-init.js';
import { check, exportEntries, importEntries } from './ledger-lines.js';
import { LEDGER_OPTION } from './ledger-opening.js';
import { status } from './ledger-status.js';

export function add(program: Command): void {
  const ledger = program
    .command('ledger')
    .description(
      'The durable record of what each dataset has spent: one chain of entries, none of which is ever changed.',
    )
    .addHelpText(
      'after',
      helpText(`
Examples:
  discreet ledger init --dataset trips --epsilon 3 --delta 1e-6 --adjacency visits=5
  discreet ledger init --dataset trips --epsilon 3 --adjacency visits=5 --per-person 2 --partition region=north,south
  discreet ledger status
  discreet ledger check --head 3f9c…
  discreet ledger history --ledger postgres://me@host/db
  discreet ledger import entries.jsonl --ledger new.db`),
    );
  const add = (name: string, summary: string) =>
    ledger
      .command(name)
      .summary(summary)
      .description(summary)
      .option(...LEDGER_OPTION)
      .option('--json', 'print one JSON object')
      .exitOverride();
  add('init', 'set the budget of a dataset; makes the ledger if there is none')
    .requiredOption('--dataset <name>', 'the dataset')
    .requiredOption('--epsilon <e>', 'ε that may be spent in all')
    .option('--delta <d>', 'δ that may be spent in all', '0')
    .option('--adjacency <column=m>', 'how far one record may move in a column; repeat', collect)
    .option('--per-person <k>', 'rows that one person may have (default: not stated, and all is for one row)')
    .option('--partition <column=a,b,c>', 'parts that share no person: your declaration')
    .option('--filter <name>', 'how releases add up (default: basic, where ε and δ are added)')
    .option('--change', 'of a budget that is there: terms that are not repeated are meant to be gone')
    .option('--yes', 'on a terminal: ten times the budget or more is meant')
    .action(init);
  add('status', 'what each dataset has spent and has left')
    .option('--dataset <name>', 'only this one')
    .action(status);
  add('history', 'every entry').option('--dataset <name>', 'only this one').action(history);
  add('check', 'find edited, removed or moved entries; exit code 3 where there are any')
    .option('--head <hash>', 'a head from a report: it must still be in the ledger')
    .action(check);
  add('export', 'all entries as JSON lines, each as it is hashed, and the mechanisms that they name')
    .option('-o, --output <file>', 'where to write (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .action(exportEntries);
  add('import', 'make a new ledger from an export, checked in full; exit code 3 where it does not hold')
    .argument('<entries.jsonl>', 'what ledger export wrote (- for standard input)')
    .option('--head <hash>', 'a head from a report: it must be in the export')
    .action(importEntries);
}
