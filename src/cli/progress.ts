// Progress on stderr: one line that is rewritten on a terminal, nothing elsewhere.

export interface ProgressLine {
  /** With a relative gap, also how it came down since the start. */
  show(message: string, gap?: number): void;
  end(): void;
}

const BARS = '▁▂▃▄▅▆▇█';
/** Gaps of 1 and more are a full bar, of this and less an empty one. */
const LEAST_GAP = 1e-7;
/** Bars at most; then every other one is left out. */
const MOST_BARS = 40;

/** `hint` follows a gap: what one can do about it. */
export function progressLine(hint = ''): ProgressLine {
  const terminal = process.stderr.isTTY;
  const started = Date.now();
  let shown = 0;
  let bars: string[] = [];
  let [every, waiting] = [1, 0];
  const draw = (gap: number): string => {
    const height = Math.log(Math.min(1, Math.max(LEAST_GAP, gap)) / LEAST_GAP) / -Math.log(LEAST_GAP);
    if (++waiting >= every) {
      waiting = 0;
      bars.push(BARS[Math.min(BARS.length - 1, Math.floor(height * BARS.length))]!);
    }
    if (bars.length > MOST_BARS) {
      bars = bars.filter((_, i) => i % 2 === 1);
      every *= 2;
    }
    return bars.join('');
  };
  return {
    show(message, gap) {
      const now = Date.now();
      if (!terminal || now - shown < 100) return;
      shown = now;
      const seconds = ((now - started) / 1000).toFixed(1);
      const tail =
        gap === undefined
          ? ''
          : `: relative gap ${gap.toExponential(1)} after ${seconds} s${hint} ${draw(gap)}`;
      process.stderr.write(`\r\x1b[K${`${message}${tail}`.slice(0, (process.stderr.columns || 80) - 1)}`);
    },
    end() {
      if (terminal && shown > 0) process.stderr.write('\r\x1b[K');
    },
  };
}
