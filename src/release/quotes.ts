// The quotes of delimited text, followed as the engine follows them: one opens a cell where the cell begins, blanks aside, two of them
// inside stand for one. An engine that reads in one piece takes a quote that is never closed for the end of the data, without a word.

export interface Quotes {
  readonly push: (bytes: Uint8Array) => void;
  /** Neither quotes nor carriage returns so far: every line feed ends a row. */
  readonly plain: () => boolean;
  /** Is a quote open at the end of what was pushed? */
  readonly open: () => boolean;
}

const QUOTE = 0x22;
const BLANK = 0x20;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

export function watchQuotes(delimiter: string): Quotes {
  const separator = Buffer.from(delimiter);
  let plain = true;
  let inside = false;
  /** The last byte was a quote inside quotes: the next one tells whether it closes the cell. */
  let pending = false;
  /** Outside: does a cell begin here? */
  let atStart = true;
  /** The end of what was pushed, for separators of several bytes. */
  let before = Buffer.alloc(0);

  /** Does a cell begin before `end`, blanks aside? `from` is where it is known by `atStart`. */
  const beginsAt = (bytes: Buffer, from: number, end: number): boolean => {
    let at = end;
    while (at > from && bytes[at - 1] === BLANK && separator[0] !== BLANK) at--;
    if (at === from) return atStart;
    const last = bytes[at - 1];
    if (last === LINE_FEED || last === RETURN) return true;
    return bytes.subarray(at - separator.length, at).equals(separator);
  };

  const push = (piece: Uint8Array) => {
    // With what came before, so that a separator is never cut in two.
    const bytes =
      before.length === 0
        ? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
        : Buffer.concat([before, piece]);
    let at = before.length;
    if (plain && (bytes.includes(QUOTE, at) || bytes.includes(RETURN, at))) plain = false;
    if (pending && at < bytes.length) {
      pending = false;
      if (bytes[at] === QUOTE) at++;
      else [inside, atStart] = [false, false];
    }
    while (at < bytes.length) {
      const quote = bytes.indexOf(QUOTE, at);
      if (!inside) {
        const end = quote < 0 ? bytes.length : quote;
        atStart = beginsAt(bytes, at, end);
        if (quote < 0) break;
        inside = atStart;
        atStart = false;
        at = quote + 1;
      } else if (quote < 0) break;
      else if (quote + 1 === bytes.length) {
        pending = true;
        break;
      } else if (bytes[quote + 1] === QUOTE) at = quote + 2;
      else [inside, atStart, at] = [false, false, quote + 1];
    }
    // Copied: the piece may be written to again.
    before = Buffer.from(bytes.subarray(Math.max(0, bytes.length - separator.length + 1)));
  };

  return { push, plain: () => plain, open: () => inside && !pending };
}
