// Which columns are to be protected; the others leave as they are.

import { CheckField } from '../parts/field.js';
import { ODDITY_WORDS } from './oddities.js';
import type { Survey, SurveyColumn } from './survey.js';

export interface ColumnsCardProps {
  readonly survey: Survey;
  /** Is said how cells that are no numbers are to be read? */
  readonly isRead: boolean;
  readonly chosen: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
  readonly error: string | null;
}

export function ColumnsCard({ survey, isRead, chosen, onChange, error }: ColumnsCardProps) {
  const own = survey.columns.filter(({ name }) => chosen.includes(name));
  const wrong = [...own.map(complaint), ...(isRead ? [] : own.map(mixture))].filter(
    (words) => words !== null,
  );
  return (
    <section class="card" aria-labelledby="columns-title">
      <h2 id="columns-title">
        <span class="number">2</span> Which numbers are private?
      </h2>
      <fieldset>
        <legend>Columns to protect</legend>
        <p class="hint">
          Every number in them gets noise. Choose what somebody would not want others to know: how often, how
          much, how old.
        </p>
        <div class="choices">
          {survey.columns.map((column) => (
            <CheckField
              key={column.name}
              option="column"
              value={column.name}
              label={column.name}
              checked={chosen.includes(column.name)}
              onChange={(on) =>
                onChange(on ? [...chosen, column.name] : chosen.filter((name) => name !== column.name))
              }
              hint={describe(column)}
            />
          ))}
        </div>
        <p class="error" role="alert">
          {wrong[0] ?? error ?? ''}
        </p>
      </fieldset>
    </section>
  );
}

/** What is in it, on the screen alone. */
function describe({ numbers, empty, words, odd, low, high, nested }: SurveyColumn): string {
  if (nested) return 'lists or objects';
  const parts = [
    numbers > 0 ? `numbers from ${low} to ${high}` : '',
    words > 0 ? (numbers === 0 ? 'words' : `${words.toLocaleString('en')} words`) : '',
    odd > 0 ? `${odd.toLocaleString('en')} texts with digits` : '',
    empty > 0 ? `${empty.toLocaleString('en')} empty` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/** Cells that a release would stumble over, unless it is said how they are read. */
function mixture({ name, words, odd, oddities }: SurveyColumn): string | null {
  if (odd > 0) return `“${name}” holds ${ODDITY_WORDS[oddities[0]!] ?? 'texts with digits'}`;
  if (words > 0)
    return `“${name}” holds ${words.toLocaleString('en')} ${words === 1 ? 'cell' : 'cells'} with words; say under “My file is messy” which of them mean that there is no value, or that all are to be emptied`;
  return null;
}

/** Why noise cannot be added to it as it is; null where it can. */
export function complaint({ name, numbers, words, odd, oddities, nested }: SurveyColumn): string | null {
  if (nested) return `“${name}” holds lists or objects; take it out of the file first`;
  if (numbers === 0 && odd === 0)
    return `“${name}” holds ${words > 0 ? 'words' : 'nothing'}, and noise can only be added to numbers; choose a column of numbers. Names and words that are private must be taken out of the file`;
  if (odd > 0 && numbers === 0) return `“${name}” holds ${ODDITY_WORDS[oddities[0]!] ?? 'texts with digits'}`;
  return null;
}
