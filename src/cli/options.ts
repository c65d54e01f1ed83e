// Options as a command gives them: texts that are always there or may be missing, lists of repeated ones, and flags.

export type Needed<Name extends string> = Readonly<Record<Name, string>>;
export type Maybe<Name extends string> = Readonly<Partial<Record<Name, string>>>;
export type Lists<Name extends string> = Readonly<Record<Name, readonly string[]>>;
export type Flags<Name extends string> = Readonly<Partial<Record<Name, boolean>>>;
