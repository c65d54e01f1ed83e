// Progress on stderr: one line that is rewritten on a terminal, nothing elsewhere.

export interface ProgressLine {
  show(message: string): void;
  end(): void;
}

export function progressLine(): ProgressLine {
  const terminal = process.stderr.isTTY;
  let shown = 0;
  return {
    show(message) {
      const now = Date.now();
      if (!terminal || now - shown < 100) return;
      shown = now;
      process.stderr.write(`\r\x1b[K${message}`);
    },
    end() {
      if (terminal && shown > 0) process.stderr.write('\r\x1b[K');
    },
  };
}
