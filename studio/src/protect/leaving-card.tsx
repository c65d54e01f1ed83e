// What leaves as it is: nothing protects it, so somebody must look, and can leave columns out.

import { CheckField } from '../parts/field.js';
import { errorWords } from '../parts/words.js';
import type { Change } from '../route.js';
import type { Answers } from './state.js';
import type { Survey } from './survey.js';

export interface LeavingCardProps {
  readonly survey: Survey;
  readonly answers: Answers;
  /** The columns that leave; null where that is not known yet. */
  readonly leaving: readonly string[] | null;
  readonly looked: boolean;
  readonly onLooked: (looked: boolean) => void;
  readonly change: Change;
  /** A refusal that is about what leaves. */
  readonly refusal: unknown;
}

export function LeavingCard({
  survey,
  answers,
  leaving,
  looked,
  onLooked,
  change,
  refusal,
}: LeavingCardProps) {
  const { columns, drop, pass } = answers;
  const others = survey.columns.filter(({ name }) => !columns.includes(name));
  const toggled = (list: readonly string[], name: string, on: boolean) =>
    on ? [...list, name] : list.filter((own) => own !== name);
  return (
    <section class="card" aria-labelledby="leaving-title">
      <h2 id="leaving-title">
        <span class="number">5</span> What leaves as it is
      </h2>
      {refusal ? (
        <p class="error" role="alert" data-result="refusal">
          {errorWords(refusal)}
        </p>
      ) : null}
      {others.length === 0 ? (
        <p data-result="unchanged">
          No column: all of them are protected. How many rows there are, and their order, is not hidden.
        </p>
      ) : (
        <>
          <p>
            All columns that are not protected are copied as they are. Nothing protects them, nor the number
            and the order of rows. Look at each:
          </p>
          <ul class="leaving">
            {others.map(({ name, telling }) => (
              <li key={name}>
                <b>{name}</b>{' '}
                {drop.includes(name) ? (
                  <span class="small">is left out</span>
                ) : telling ? (
                  <span class="telling">is another one in nearly every row: it may tell who somebody is</span>
                ) : null}
                <CheckField
                  option="drop"
                  value={name}
                  label={
                    <>
                      leave it out<span class="hidden"> of the result: {name}</span>
                    </>
                  }
                  checked={drop.includes(name)}
                  onChange={(on) =>
                    change({ drop: toggled(drop, name, on), pass: toggled(pass, name, false) })
                  }
                />
                {refusal && !drop.includes(name) ? (
                  <CheckField
                    option="pass"
                    value={name}
                    label={
                      <>
                        let it leave all the same<span class="hidden">: {name}</span>
                      </>
                    }
                    checked={pass.includes(name)}
                    onChange={(on) => change({ pass: toggled(pass, name, on) })}
                    hint="It is recorded in the ledger and said in the report."
                  />
                ) : null}
              </li>
            ))}
          </ul>
          {leaving === null ? null : (
            <>
              <p>
                These leave as they are:{' '}
                <b data-result="unchanged">{leaving.length === 0 ? 'none' : leaving.join(', ')}</b>
              </p>
              {leaving.length === 0 ? null : (
                <CheckField
                  option="looked"
                  label="I have looked at each of them. None tells who somebody is, or what they would not want known."
                  checked={looked}
                  onChange={onLooked}
                />
              )}
            </>
          )}
        </>
      )}
    </section>
  );
}
