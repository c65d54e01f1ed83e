// Charts for the terminal, from plain data.

/** One bar: its label and its height. */
export interface Bar {
  readonly label: string;
  readonly value: number;
}

const EIGHTHS = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/** Horizontal bars, one line each, in units of an eighth of a character. */
export function barChart(bars: readonly Bar[], width = 48): string {
  const most = bars.reduce((top, { value }) => Math.max(top, value), 0);
  const labelWidth = bars.reduce((longest, { label }) => Math.max(longest, label.length), 0);
  return bars
    .map(({ label, value }) => {
      const eighths = most > 0 ? Math.round((value / most) * width * 8) : 0;
      // What is there is shown: a value above zero has at least a sliver.
      const shown = value > 0 ? Math.max(1, eighths) : 0;
      const bar = '█'.repeat(Math.floor(shown / 8)) + (shown % 8 ? EIGHTHS[shown % 8] : '');
      return `${label.padStart(labelWidth)} │${bar}`;
    })
    .join('\n');
}
