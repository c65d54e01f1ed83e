// Names and texts in messages. A file that is read wrongly has its values for names, so what is no name by its looks is not shown.

const LONGEST = 100;
/** Control characters, line separators, what turns lines around, and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Names that nobody typed. */
const found = new Set<string>();

/**
 * What a pattern found in a header is in no message from now on, until all went well: of a file without a header line it may be
 * values.
 */
export function hideNames(names: Iterable<string>): void {
  for (const name of names) found.add(name);
}

export function showNames(): void {
  found.clear();
}

/** Can it be shown in a message? */
export function isPlain(text: string): boolean {
  return text.length <= LONGEST && !UNSEEN.test(text) && !found.has(text);
}

/** A name or another text in quotes; in words what is too long, or holds control characters. All messages quote with it. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  if (!isPlain(text)) return hidden(text);
  return typeof value === 'string' ? JSON.stringify(text) : text;
}

/** The same without quotes, as in a list. */
export function unquoted(text: string): string {
  return isPlain(text) ? text : hidden(text);
}

function hidden(text: string): string {
  if (found.has(text)) return '(a name that a pattern found)';
  return UNSEEN.test(text) ? '(a text with control characters)' : '(a text of more than 100 characters)';
}
