// What would leave although the budget protects it, all of it at once and with the ways out; then whatever else must not leave.

import { PrivacyError, quote } from '../error/index.js';
import { readsLike } from '../spec/index.js';
import { checkLeaving as checkGuarded, type InputColumn, type Rules } from './guard.js';

/** The names of the columns that will leave as they are, or a refusal. */
export function checkLeaving(
  job: Rules,
  columns: readonly InputColumn[],
  shown: string,
  named: boolean,
): string[] {
  const own = new Set(job.columns.map(({ name }) => name));
  const budgeted = columns.filter(
    (column) => !own.has(column.name) && budgetName(column, job.guard.budget) !== undefined,
  );
  if (budgeted.length > 0)
    throw new PrivacyError(`${shown}: ${budgetedWords(budgeted, job.guard.budget, named)}`);
  return checkGuarded(job, columns, shown, named);
}

/** What the budget calls it, or its table's name for it. */
function budgetName({ name, tableName }: InputColumn, budget: readonly string[]): string | undefined {
  return budget.find(
    (known) => readsLike(known, name) || (tableName !== null && readsLike(known, tableName)),
  );
}

function budgetedWords(columns: readonly InputColumn[], budget: readonly string[], named: boolean): string {
  const one = columns.length === 1;
  const names = columns.map((column) => {
    const known = budgetName(column, budget)!;
    const where = named ? `column ${quote(column.name)}` : 'a key';
    const spelt = known === column.name ? '' : ` in ${where}`;
    return one
      ? `${quote(known)}, which would leave as it is${spelt}`
      : `${quote(known)}${spelt === '' ? '' : ` (${spelt.trim()})`}`;
  });
  const all = one ? names[0]! : `${names.join(', ')}, which would leave as they are`;
  const them = one ? 'it' : 'them';
  const drops = named ? columns.map(({ name }) => `{drop} ${dropped(name)}`).join(' ') : '{drop} and the key';
  return `the budget protects ${all}; name ${them} with {columns} too, or leave ${them} out of the input, as with ${drops}`;
}

/** As it is typed. */
function dropped(name: string): string {
  return /^[\p{L}\p{N}_.-]+$/u.test(name) ? name : quote(name);
}
