// Which columns are to be protected; the others leave as they are. Cells that are no numbers are shown, with what helps.

import { CheckField } from '../parts/field.js';
import type { Change } from '../route.js';
import type { Preview } from './agreement.js';
import type { Answers } from './state.js';
import type { Survey, SurveyColumn } from './survey.js';

export interface ColumnsCardProps {
  readonly survey: Survey;
  readonly answers: Answers;
  readonly preview: Preview | null;
  readonly change: Change;
  readonly error: string | null;
}

export function ColumnsCard({ survey, answers, preview, change, error }: ColumnsCardProps) {
  const chosen = answers.columns;
  const wrong = survey.columns
    .filter(({ name }) => chosen.includes(name))
    .flatMap((own) => complaint(own) ?? []);
  return (
    <section class="card" aria-labelledby="columns-title">
      <h2 id="columns-title">
        <span class="number">2</span> Which numbers are private?
      </h2>
      <fieldset>
        <legend>Columns to protect</legend>
        <p class="hint">
          Every number in them gets noise. Choose what somebody would not want others to know: how often, how
          much, how old. Choose all of them now: what leaves as it is can never be protected later.
        </p>
        <div class="choices">
          {survey.columns.map((column) => (
            <div key={column.name}>
              <CheckField
                option="column"
                value={column.name}
                label={column.name}
                checked={chosen.includes(column.name)}
                onChange={(on) =>
                  change({
                    column: on ? [...chosen, column.name] : chosen.filter((name) => name !== column.name),
                  })
                }
                hint={describe(column)}
              />
              {chosen.includes(column.name) ? (
                <Unread
                  column={column}
                  texts={preview?.columns.find(({ name }) => name === column.name)?.unread ?? []}
                  answers={answers}
                  change={change}
                />
              ) : null}
            </div>
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
function describe({ numbers, empty, texts, low, high, nested }: SurveyColumn): string {
  if (nested) return 'lists or objects';
  const shown = texts.slice(0, 3).map(([text, count]) => `“${text}” (${count.toLocaleString('en')}×)`);
  const parts = [
    numbers > 0 ? `numbers from ${low} to ${high}` : '',
    shown.length > 0 ? `${shown.join(', ')}${texts.length > 3 ? ' …' : ''}` : '',
    empty > 0 ? `${empty.toLocaleString('en')} empty` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/** Why noise cannot be added to it, whatever is said of its cells; null where it can. */
export function complaint({ name, numbers, words, odd, nested }: SurveyColumn): string | null {
  if (nested) return `“${name}” holds lists or objects; take it out of the file first`;
  if (numbers === 0 && odd === 0)
    return `“${name}” holds ${words > 0 ? 'words' : 'nothing'}, and noise can only be added to numbers; choose a column of numbers. Words that are private can be left out of the result (5)`;
  return null;
}

const MOST = 6;

/** Cells that a release would stumble over, each with what helps. */
function Unread({
  column,
  texts,
  answers,
  change,
}: Pick<ColumnsCardProps, 'answers' | 'change'> & {
  readonly column: SurveyColumn;
  readonly texts: SurveyColumn['texts'];
}) {
  if (texts.length === 0) return null;
  const empty = (text: string) =>
    change({ na: [...answers.na.split(',').filter((own) => own.trim() !== ''), text].join(',') });
  const count = (text: string, value: string) =>
    change({ map: [...answers.map.split('\n').filter((line) => line.trim() !== ''), `${text}=${value}`] });
  const commas = texts.some(([text]) => /^[+-]?[\d.]+,\d+$/.test(text));
  return (
    <div class="unread" data-result="unread" data-column={column.name}>
      <p class="error" role="alert">
        “{column.name}” holds cells that are no plain numbers. Say what they mean:
      </p>
      {commas ? (
        <p>
          <button
            type="button"
            class="quiet small"
            data-action="comma"
            onClick={() => change({ decimal: ',' })}
          >
            a comma stands before decimals, as in 1,5
          </button>{' '}
          <button
            type="button"
            class="quiet small"
            data-action="point"
            onClick={() => change({ decimal: '.' })}
          >
            a comma groups thousands, as in 1,234
          </button>
        </p>
      ) : null}
      <ul>
        {texts.slice(0, MOST).map(([text, times]) => {
          const number = /-?\d+(?:\.\d+)?/.exec(text)?.[0];
          return (
            <li key={text}>
              “{text}” ({times.toLocaleString('en')}×){' '}
              {number === undefined ? (
                <button type="button" class="quiet small" data-action="empty" onClick={() => empty(text)}>
                  means no value
                </button>
              ) : (
                <button
                  type="button"
                  class="quiet small"
                  data-action="counts-as"
                  onClick={() => count(text, number)}
                >
                  counts as {number}
                </button>
              )}
            </li>
          );
        })}
        {texts.length > MOST ? <li>and {texts.length - MOST} other kinds</li> : null}
      </ul>
      <p class="hint">More under “My file is messy” (3).</p>
    </div>
  );
}
