// Texts that stand for values although they are no numbers, in the protected columns of a copy: told when all is through.

import { type Oddity, oddityOf, type Reading } from '../terms/index.js';
import { valueAsText } from './refusals.js';

export interface OddTexts {
  readonly add: (column: number, text: string) => void;
  /** Refuses them, by the first of the columns that has some and all kinds that are there, so that no row shows. */
  readonly check: (shown: string) => void;
}

export function oddTexts(columns: readonly { readonly name: string }[], reading: Reading | null): OddTexts {
  const kinds = columns.map(() => new Set<Oddity>());
  return {
    add: (column, text) => {
      kinds[column]!.add(oddityOf(text));
    },
    check: (shown) => {
      const at = kinds.findIndex(({ size }) => size > 0);
      if (at >= 0) throw valueAsText(shown, columns[at]!.name, kinds[at]!, reading);
    },
  };
}
