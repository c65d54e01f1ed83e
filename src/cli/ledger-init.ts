// `discreet ledger init`: the budget of a dataset.

import { rowsOf, valuesOf } from '../door/index.js';
import { invalid, quote } from '../error/index.js';
import type { BudgetTerms } from '../ledger/index.js';
import { budgetWarning } from '../report/index.js';
import { checkChange } from './budget-change.js';
import { readValues } from './domain-text.js';
import { type LedgerOptions, withLedger } from './ledger-opening.js';
import { termsOf, unitOf } from './ledger-words.js';
import type { Flags, Maybe, Needed } from './options.js';
import { note, print, printJson } from './output.js';

type InitOptions = LedgerOptions &
  Needed<'dataset' | 'epsilon' | 'delta'> &
  Maybe<'perPerson' | 'partition' | 'filter'> &
  Flags<'change' | 'yes'> & { readonly adjacency?: readonly string[] };

export async function init(options: InitOptions): Promise<void> {
  const wanted = readBudget(options);
  await withLedger(options, 'existing or new', async (ledger) => {
    const { change = false, yes = false } = options;
    const terminal = process.stdin.isTTY === true;
    const { budget, before, head } = await ledger.setBudget(wanted, {
      agree: (next, old) => checkChange(next, old, { change, yes, terminal }),
    });
    const tooMuch = budgetWarning(budget.epsilon);
    if (tooMuch) note(tooMuch);
    if (options.json) printJson({ ...budget, unit: unitOf(budget), before, ledger: ledger.shown, head });
    else
      print(
        `${budget.dataset} may spend ε = ${budget.epsilon}, δ = ${budget.delta}`,
        ...termsOf(budget),
        ...(before
          ? [`before: ε = ${before.epsilon}, δ = ${before.delta}; ${termsOf(before).join('; ')}`]
          : []),
        `ledger ${ledger.shown}`,
        `head   ${head}`,
      );
  });
}

function readBudget(options: InitOptions): BudgetTerms {
  const adjacency: Record<string, string> = Object.create(null);
  for (const text of options.adjacency ?? []) {
    const at = text.lastIndexOf('=');
    if (at < 1) throw invalid(`adjacency: expected column=m as in visits=5, got ${text}`);
    const column = text.slice(0, at);
    if (/[*?]/.test(column))
      throw invalid(
        `adjacency: ${quote(column)} is a pattern, and no file is looked at here; name every column, an {adjacency} each`,
      );
    if (column in adjacency) throw invalid(`adjacency: given twice for ${quote(column)}, as people read it`);
    adjacency[column] = text.slice(at + 1);
  }
  const { dataset, epsilon, delta, perPerson, partition, filter } = options;
  return {
    ...{ dataset, epsilon, delta, adjacency, filter },
    perPerson: perPerson === undefined ? null : rowsOf(perPerson),
    partition: partition === undefined ? null : readPartition(partition),
  };
}

function readPartition(text: string) {
  const [column = '', ...rest] = text.split('=');
  const values = readValues(rest.join('='), 'partition');
  const parts = Array.isArray(values) ? values.map((part) => String(part).trim()) : values;
  return { column, parts: [...valuesOf(column, parts, 'partition').values] };
}
