// What leaves as it is: nothing protects it, so somebody must look.

import { CheckField } from '../parts/field.js';
import { errorWords } from '../parts/words.js';

export interface LeavingCardProps {
  /** The columns that leave; null where that is not known yet. */
  readonly leaving: readonly string[] | null;
  readonly looked: boolean;
  readonly onLooked: (looked: boolean) => void;
  readonly pass: readonly string[];
  readonly onPass: (pass: readonly string[]) => void;
  /** All that are not protected. */
  readonly others: readonly string[];
  /** A refusal that is about what leaves. */
  readonly refusal: unknown;
}

export function LeavingCard({ leaving, looked, onLooked, pass, onPass, others, refusal }: LeavingCardProps) {
  return (
    <section class="card" aria-labelledby="leaving-title">
      <h2 id="leaving-title">
        <span class="number">5</span> What leaves as it is
      </h2>
      {refusal ? (
        <>
          <p class="error" role="alert" data-result="refusal">
            {errorWords(refusal)}
          </p>
          <details>
            <summary>Let a column leave all the same</summary>
            {others.map((name) => (
              <CheckField
                key={name}
                option="pass"
                value={name}
                label={name}
                checked={pass.includes(name)}
                onChange={(on) => onPass(on ? [...pass, name] : pass.filter((own) => own !== name))}
              />
            ))}
            <p class="hint">It is recorded in the ledger and said in the report.</p>
          </details>
        </>
      ) : null}
      {leaving === null ? null : leaving.length === 0 ? (
        <p data-result="unchanged">
          No column: all of them are protected. How many rows there are, and their order, is not hidden.
        </p>
      ) : (
        <>
          <p>
            These columns are copied as they are. Nothing protects them, nor the number and the order of rows:
          </p>
          <ul class="names" data-result="unchanged">
            {leaving.map((name) => (
              <li key={name}>
                <b>{name}</b>
              </li>
            ))}
          </ul>
          <CheckField
            option="looked"
            label="I have looked at each of them. None tells who somebody is, or what they would not want known."
            checked={looked}
            onChange={onLooked}
            hint="Take columns with names, addresses or numbers of persons out of the file first."
          />
        </>
      )}
    </section>
  );
}
