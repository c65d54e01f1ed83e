// What releases and counts take and give, in plain words.

import type { Ledger } from '../ledger/index.js';
import type { Mechanism } from '../mechanism/index.js';
import type { Gain, Prior } from '../prior/index.js';
import type { Decimal } from '../spec/index.js';

/** One value for all columns together, or one for each; in a map, `null` stands for all. */
export type ByColumn<T> = T | Readonly<Record<string, T>> | ReadonlyMap<string | null, T>;

/** Of releases, counts and priors alike. */
export interface Common {
  /** A file, `-` for standard input, or postgres://… with `table` or `query`. */
  readonly input: string;
  readonly output: string;
  /** Under which the ledger keeps this data. */
  readonly dataset?: string | undefined;
  /** A ledger or its address; by default the nearest from the working directory upward, or a new one there. */
  readonly ledger?: Ledger | string | undefined;
  readonly inputFormat?: string | undefined;
  readonly outputFormat?: string | undefined;
  readonly table?: string | undefined;
  readonly query?: string | undefined;
  readonly rowsOnce?: boolean | undefined;
  readonly outputTable?: string | undefined;
  readonly delimiter?: string | undefined;
  /** Of text that is not UTF-8, such as `windows-1252`, which `latin1` is read as. */
  readonly encoding?: string | undefined;
  readonly part?: string | undefined;
  readonly perPerson?: number | undefined;
  readonly person?: string | undefined;
  readonly clamp?: ByColumn<readonly [Decimal, Decimal]> | undefined;
  readonly roundTo?: ByColumn<Decimal> | undefined;
  readonly force?: boolean | undefined;
  /** With `force`: a table that is overwritten may lose what it has beside its rows. */
  readonly recreate?: boolean | undefined;
  /** Files that were read for it, such as mechanisms, which none of the outputs may overwrite. */
  readonly reads?: readonly string[] | undefined;
  /** A page for the auditor, `….html`; its figures go beside it as JSON. */
  readonly report?: string | undefined;
  /** Stops it: what has been reserved stays charged, and the error has the code `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Told of the rows so far, and of their share where that is known. */
  readonly progress?: ((rows: number, fraction: number | null) => void) | undefined;
  /** Told what should be known and nothing fails for; a warning of the process by default. */
  readonly note?: ((text: string) => void) | undefined;
}

/** How cells of protected columns are read where they are no plain numbers. */
export interface CellOptions {
  /** Texts without digits that say that there is no value. */
  readonly na?: readonly string[] | undefined;
  /** Texts that stand for a number, as `85+` may for 85. */
  readonly map?: Readonly<Record<string, Decimal>> | ReadonlyMap<string, Decimal> | undefined;
  /** What stands before decimals; the other one may then group thousands. */
  readonly decimal?: string | undefined;
  /** Pass over cells that are no numbers. */
  readonly skipInvalid?: boolean | undefined;
}

export interface ReleaseOptions extends Common, CellOptions {
  /** The columns to protect; all others leave as they are, and are told. */
  readonly columns: readonly string[];
  /** For one person, over all columns and all rows; not with `mechanism`. */
  readonly epsilon?: ByColumn<Decimal> | undefined;
  readonly delta?: ByColumn<Decimal> | undefined;
  /** How far a record may move, in data units; the budget's by default. */
  readonly adjacency?: ByColumn<Decimal> | undefined;
  /** Values are rounded to multiples of it; 1 by default. */
  readonly step?: ByColumn<Decimal> | undefined;
  readonly prior?: ByColumn<string | Prior> | undefined;
  /** Or a share of ε between 0 and 1 pays for a prior from the data first, with `range`. */
  readonly priorShare?: Decimal | undefined;
  /** For `priorShare`: the lowest and the highest value there can be, from public knowledge. */
  readonly range?: ByColumn<readonly [low: Decimal, high: Decimal]> | undefined;
  /** Noise of this family instead of the optimum. */
  readonly family?: string | undefined;
  readonly allowBias?: boolean | undefined;
  /** Instead of noise that is made now. */
  readonly mechanism?: ByColumn<Mechanism> | undefined;
  /** Columns that may leave as they are although something speaks against it. */
  readonly pass?: readonly string[] | undefined;
  /** Columns that do not leave at all. */
  readonly drop?: readonly string[] | undefined;
}

export interface PriorOptions
  extends Omit<Common, 'outputFormat' | 'outputTable' | 'recreate' | 'clamp' | 'roundTo' | 'report'>,
    CellOptions {
  readonly column: string;
  /** The lowest and the highest value there can be, from public knowledge. */
  readonly range: readonly [low: Decimal, high: Decimal];
  /** For one person. */
  readonly epsilon: Decimal;
  readonly delta?: Decimal | undefined;
  readonly step?: Decimal | undefined;
  /** Count values below thresholds an adjacency apart: half the noise, and values in between are guessed. */
  readonly thresholds?: boolean | undefined;
  /** How far a record may move, for thresholds; the budget's by default. */
  readonly adjacency?: Decimal | undefined;
}

/** A prior that was paid for, what it cost, and what is left. */
export interface PaidPrior extends Pick<Release, 'cost' | 'left' | 'entry' | 'head'> {
  readonly prior: Prior;
}

/** All values, or the ends of a range of whole numbers, days, months, quarters or weeks, as in `2026-01` and `2026-12`. */
export type DomainOf =
  | readonly (string | number)[]
  | { readonly from: string | number; readonly to: string | number };

export interface CountOptions extends Common {
  /** The columns to count by, each with all values that it may have. */
  readonly by: Readonly<Record<string, DomainOf>> | ReadonlyMap<string, DomainOf>;
  /** The column that says how many rows each row stands for, where an engine has counted them. */
  readonly counted?: string | undefined;
  /** A text that counts as another. */
  readonly map?: CellOptions['map'];
  /** Spaces around a text do not count. */
  readonly trim?: boolean | undefined;
  /** The name of a further cell in each domain, for all other values, empty ones too; without it they are counted nowhere. */
  readonly other?: string | undefined;
  /** For one person. */
  readonly epsilon: Decimal;
  readonly delta?: Decimal | undefined;
}

/** What was released, what it cost, and what is left. */
export interface Release {
  readonly rows: number;
  readonly columns: readonly {
    readonly name: string;
    readonly values: number;
    readonly mechanism: Mechanism;
  }[];
  /** Columns that left as they are: nothing protects them. */
  readonly unchanged: readonly string[];
  /** For one person: an upper bound, from the integers of the noise, so that ε = 1 may cost a little less than 1. */
  readonly cost: { readonly epsilon: string; readonly delta: string };
  /** Of the dataset's budget, rounded down; null where none is set. */
  readonly left: { readonly epsilon: string; readonly delta: string } | null;
  /** In the ledger. */
  readonly entry: number;
  /** The hash of the ledger's last entry. */
  readonly head: string;
  /** The mechanisms' files, which readers need. */
  readonly mechanismFiles: readonly string[];
  /** Priors that `priorShare` paid for, within `cost`, each with an entry of its own, and what they were good for. */
  readonly priors: readonly (Gain & { readonly column: string })[];
}
