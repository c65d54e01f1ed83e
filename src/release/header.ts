// The first line of delimited text: its cells, and what separates them.

export interface Header {
  readonly names: readonly string[];
  readonly delimiter: string;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Null where the text ends before the line does; `whole` says that no more will come. */
export function parseHeader(start: string, delimiter: string | null, whole: boolean): Header | null {
  const source = start.startsWith('\ufeff') ? start.slice(1) : start;
  const end = lineEnd(source);
  if (end < 0 && !whole) return null;
  const text = end < 0 ? source : source.slice(0, end);
  const separator = delimiter ?? mostFrequent(text);
  return { names: cells(text, separator), delimiter: separator };
}

/** Where the first line ends, outside quotes; −1 where it does not. */
function lineEnd(text: string): number {
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) return i;
  }
  return -1;
}

function mostFrequent(line: string): string {
  const outside = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((char) => outside.split(char).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

function cells(line: string, delimiter: string): string[] {
  const found: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (char === '"') {
      if (quoted && line[i + 1] === '"') {
        cell += '"';
        i++;
      } else quoted = !quoted;
    } else if (char === delimiter && !quoted) {
      found.push(cell);
      cell = '';
    } else cell += char;
  }
  return [...found, cell];
}
