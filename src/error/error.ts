// What a caller did wrong, or what cannot be done for them: one class, with a code that stays, the field as code names it, and what to
// do. An engine's own errors are none of these, and are never taken for them.

export type Code =
  /** An argument is missing, or not what it can be. */
  | 'argument'
  /** The data is not what it must be: where nothing has left, nothing is spent. */
  | 'data'
  /** Refused: the privacy that is asked for is not there. */
  | 'privacy'
  /** Refused: the budget does not suffice. */
  | 'budget'
  /** Refused: the ledger was edited, or says what it cannot say. */
  | 'ledger'
  /** There is no ledger at the address. */
  | 'no-ledger'
  /** A file, a disk, a server or the memory does not let it be done. */
  | 'system'
  /** An optional package is not installed. */
  | 'package'
  /** The caller's signal stopped it. */
  | 'interrupted';

/** In the texts it is made of, {step} stands for the field `step`: the command names its options there. */
export class DiscreetError extends RangeError {
  override readonly name: string = 'DiscreetError';
  /** What is wrong. */
  readonly problem: string;
  /** What to do about it, where that can be said. */
  readonly fix: string | null;
  readonly #texts: readonly [problem: string, fix: string | null];
  #place: string | null = null;

  constructor(
    readonly code: Code,
    /** The argument or the part of a file that is meant; null where it is none of them. */
    readonly field: string | null,
    problem: string,
    fix: string | null = null,
    /** The file it is in, where that says more. */
    readonly where: string | null = null,
  ) {
    super();
    this.#texts = [problem, fix];
    this.problem = filled(problem, asInCode);
    this.fix = fix === null ? null : filled(fix, asInCode);
    this.message = this.words(asInCode);
  }

  /** The message, with fields as the caller names them. */
  words(named: (field: string) => string): string {
    const { where, field } = this;
    const [problem, fix] = this.#texts;
    const subject = field === null ? '' : `${where === null ? named(field) : field}: `;
    return `${where === null ? '' : `${where}: `}${subject}${filled(problem, named)}${fix === null ? '' : `; ${filled(fix, named)}`}`;
  }

  /** What it was made of: enough to make it again in another thread. */
  parts(): [Code, string | null, string, string | null, string | null] {
    return [this.code, this.field, ...this.#texts, this.where];
  }

  /** Where it is, or what is there: it may tell a value, so it is in no message, and for the eyes of whoever has the data. */
  locate(): string | null {
    return this.#place;
  }

  /** The same, with where it is. */
  at(place: string | null): this {
    this.#place = place;
    return this;
  }

  /** The same, in this file. */
  in(where: string): DiscreetError {
    return new DiscreetError(this.code, this.field, ...this.#texts, where).at(this.#place);
  }

  /** The same, with what became of the work. */
  and(fate: string): DiscreetError {
    const [problem, fix] = this.#texts;
    const texts: [string, string | null] = fix === null ? [problem + fate, null] : [problem, fix + fate];
    return new DiscreetError(this.code, this.field, ...texts, this.where).at(this.#place);
  }
}

const asInCode = (field: string) => field;

/** What is quoted is a name of the data. */
function filled(text: string, named: (field: string) => string): string {
  return text.replace(/(?<!")\{([a-zA-Z]+)\}/g, (_, field: string) =>
    named(field) === field ? `\`${field}\`` : named(field),
  );
}

/** A refusal: the privacy asked for is not there. */
export class PrivacyError extends DiscreetError {
  override readonly name = 'PrivacyError';

  constructor(text: string, field: string | null = null, code: Code = 'privacy') {
    super(code, field, ...split(text));
  }
}

/** An argument is missing, or not what it can be: `field: problem; what to do`. */
export function invalid(text: string): DiscreetError {
  const at = text.indexOf(': ');
  return new DiscreetError('argument', text.slice(0, at), ...split(text.slice(at + 2)));
}

/** The same of what is no argument by itself: a file, a name, several arguments together. */
export function wrong(text: string): DiscreetError {
  return new DiscreetError('argument', null, ...split(text));
}

/** The data is not what it must be. */
export function badData(text: string, field: string | null = null): DiscreetError {
  return new DiscreetError('data', field, ...split(text));
}

/** A file, a disk, a server or the memory does not let it be done. */
export function cannot(text: string): DiscreetError {
  return new DiscreetError('system', null, ...split(text));
}

/** The problem, and what to do about it where that is said. */
function split(text: string): [problem: string, fix: string | null] {
  const at = text.lastIndexOf('; ');
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 2)];
}

/** Is it one of ours, of this kind where one is given? */
export function isOurs(error: unknown, code?: Code): error is DiscreetError {
  return error instanceof DiscreetError && (code === undefined || error.code === code);
}
