// Which columns are to be protected; the others leave as they are. Cells that are no numbers are shown, with what helps.

import { COMMAND } from 'discreet-dp/report';
import { CheckField } from '../parts/field.js';
import type { Change } from '../route.js';
import type { Answers } from './state.js';
import type { Survey, SurveyColumn } from './survey.js';
import type { Unread } from './unread.js';

export interface ColumnsCardProps {
  readonly survey: Survey;
  readonly answers: Answers;
  /** Cells that nobody has said how to read. */
  readonly unread: readonly Unread[];
  readonly change: Change;
  readonly error: string | null;
}

export function ColumnsCard({ survey, answers, unread, change, error }: ColumnsCardProps) {
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
                hint={describe(
                  column,
                  unread.some(({ name }) => name === column.name),
                )}
              />
              {unread
                .filter(({ name }) => name === column.name)
                .map((cells) =>
                  chosen.includes(column.name) ? (
                    <Unreadable key={cells.name} cells={cells} answers={answers} change={change} />
                  ) : (
                    <p key={cells.name} class="unread small" data-result="unread" data-column={column.name}>
                      {unreadWords(cells)}
                    </p>
                  ),
                )}
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
function describe({ numbers, empty, texts, low, high, nested }: SurveyColumn, isUnread: boolean): string {
  if (nested) return 'lists or objects';
  // What is not read is told below.
  const shown = (isUnread ? [] : texts)
    .slice(0, 3)
    .map(([text, count]) => `“${text}” (${count.toLocaleString('en')}×)`);
  const parts = [
    numbers > 0 ? `numbers from ${low} to ${high}` : '',
    shown.length > 0 ? `${shown.join(', ')}${texts.length > 3 ? ' …' : ''}` : '',
    empty > 0 ? `${empty.toLocaleString('en')} empty` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? (isUnread ? '' : 'nothing') : parts.join(', ');
}

/** Why noise cannot be added to it, whatever is said of its cells; null where it can. */
export function complaint({ name, numbers, words, odd, nested }: SurveyColumn): string | null {
  if (nested) return `“${name}” holds lists or objects; take it out of the file first`;
  if (numbers === 0 && odd === 0)
    return `“${name}” holds ${words > 0 ? 'words' : 'nothing'}, and noise can only be added to numbers; choose a column of numbers. Words that are private can be left out of the result (5)`;
  return null;
}

const MOST = 6;

/** Cells that a release would stumble over, each with what helps where that is plain. */
function Unreadable({
  cells: { name, texts, decimals, codes },
  answers,
  change,
}: Pick<ColumnsCardProps, 'answers' | 'change'> & { readonly cells: Unread }) {
  const empty = (text: string) =>
    change({ na: [...answers.na.split(',').filter((own) => own.trim() !== ''), text].join(',') });
  const count = (text: string, value: string) =>
    change({ map: [...answers.map.split('\n').filter((line) => line.trim() !== ''), `${text}=${value}`] });
  return (
    <div class="unread" data-result="unread" data-column={name}>
      <p class="error" role="alert">
        “{name}” holds cells that are no plain numbers. Say what they mean:
      </p>
      {decimals.length > 0 ? (
        <p>
          {decimals.map(({ mark, text, number }) => (
            <button
              key={mark}
              type="button"
              class="quiet small"
              data-action={MARKS[mark].action}
              onClick={() => change({ decimal: mark })}
            >
              {MARKS[mark].words}: “{text}” is {number}
            </button>
          ))}
        </p>
      ) : null}
      <ul>
        {texts.slice(0, MOST).map(({ text, times, number, holdsDigit }) => (
          <li key={text}>
            “{text}”{timesWords(times)}{' '}
            {number !== null ? (
              <button
                type="button"
                class="quiet small"
                data-action="counts-as"
                onClick={() => count(text, number)}
              >
                counts as {number}
              </button>
            ) : holdsDigit || text.includes(',') ? null : (
              <button type="button" class="quiet small" data-action="empty" onClick={() => empty(text)}>
                means no value
              </button>
            )}
          </li>
        ))}
        {texts.length > MOST ? <li>and {texts.length - MOST} other kinds</li> : null}
      </ul>
      {codes ? <p data-result="codes">{CODES}</p> : null}
      <p class="hint">More under “My file is messy” (3).</p>
    </div>
  );
}

const MARKS = {
  '.': { action: 'point', words: 'a point stands before decimals' },
  ',': { action: 'comma', words: 'a comma stands before decimals' },
};

const CODES = `Letters stand beside digits. These may be numbers with a unit: then say what they count as. Or they are categories, such as codes, which a release cannot protect yet: leave the column out of the result (5), or publish how many there are of each, with the command ${COMMAND} count.`;

function timesWords(times: number | null): string {
  return times === null ? '' : ` (${times.toLocaleString('en')}×)`;
}

/** The same of a column that is not chosen, in a sentence. */
function unreadWords({ texts, decimals, codes }: Unread): string {
  const shown = texts.slice(0, 3).map(({ text, times }) => `“${text}”${timesWords(times)}`);
  const all = `${shown.join(', ')}${texts.length > 3 ? ' …' : ''}`;
  if (codes)
    return `${all}: numbers with a unit, or categories such as codes, which a release cannot protect yet`;
  return decimals.length > 0
    ? `${all}: before it can be protected, somebody must say what stands before decimals`
    : `${all}: before it can be protected, somebody must say what these cells mean`;
}
