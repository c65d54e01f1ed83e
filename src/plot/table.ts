// A plain table for the terminal: the first column to the left, numbers to the right. No row is wider than the terminal: long
// cells go on in the next line, and where that is not enough, columns go into a second table below.

/** As lines of text. */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width = 80,
): string {
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.map((row) => lengthOf(row[i] ?? ''))));
  const fitted = shrunk(widths, all, width);
  return blocksOf(fitted, width)
    .map((columns) => block(columns, fitted, all))
    .join('\n\n');
}

const GAP = 2;
/** Before what goes on in the next line. */
const INDENT = '  ';
/** No cell is made narrower. */
const NARROWEST = 24;

function lengthOf(text: string): number {
  return [...text].length;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}

/** The widest column as wide as there is room for it, and as its words can be broken to. */
function shrunk(widths: readonly number[], rows: readonly (readonly string[])[], width: number): number[] {
  const over = total(widths) - width;
  if (over <= 0) return [...widths];
  const widest = widths.indexOf(Math.max(...widths));
  const pieces = rows
    .flatMap((row) => piecesOf(row[widest] ?? ''))
    .map((piece) => lengthOf(piece) + INDENT.length);
  const least = Math.min(widths[widest]!, Math.max(NARROWEST, ...pieces));
  return widths.map((own, i) => (i === widest ? Math.max(least, own - over) : own));
}

/** Columns that stand beside each other, the first in each of the tables. */
function blocksOf(widths: readonly number[], width: number): number[][] {
  const blocks: number[][] = [[0]];
  for (let i = 1; i < widths.length; i++) {
    const last = blocks.at(-1)!;
    if (last.length > 1 && total([...last, i].map((k) => widths[k]!)) > width) blocks.push([0, i]);
    else last.push(i);
  }
  return blocks;
}

function block(
  columns: readonly number[],
  widths: readonly number[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => {
        const room = ' '.repeat(Math.max(0, widths[columns[i]!]! - lengthOf(cell)));
        return columns[i] === 0 ? cell + room : room + cell;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const lines = rows.flatMap((row) => {
    const cells = columns.map((k) => broken(row[k] ?? '', widths[k]!));
    const height = Math.max(...cells.map((parts) => parts.length));
    return Array.from({ length: height }, (_, at) => line(cells.map((parts) => parts[at] ?? '')));
  });
  const headings = Math.max(...columns.map((k) => broken(rows[0]![k] ?? '', widths[k]!).length));
  const rule = columns.map((k) => '─'.repeat(widths[k]!)).join(' '.repeat(GAP));
  return [...lines.slice(0, headings), rule, ...lines.slice(headings)].join('\n');
}

/** Where a text may be broken: after spaces and commas. */
function piecesOf(text: string): string[] {
  return text.match(/[^\s,]+,?|,/g) ?? [];
}

function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(/[^\s,]+,?\s*|,\s*/g) ?? []) {
    if (line !== '' && lengthOf((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = `${INDENT}${piece}`;
    } else line += piece;
  }
  return [...lines, line.trimEnd()];
}
