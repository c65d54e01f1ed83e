// The same as a command, to be copied.

import { COMMAND, INSTALLED, shellWord } from 'discreet-dp/report';
import { useState } from 'preact/hooks';

export { shellWord };

export function Command({
  lines,
  title = 'The same as a command',
  about,
}: {
  readonly lines: readonly string[];
  readonly title?: string;
  /** What it is of, where there are several on a page. */
  readonly about?: string;
}) {
  return (
    <section class="command" aria-label={about === undefined ? title : `${title}: ${about}`}>
      <h3>{title}</h3>
      <Copied
        text={lines.map((line) => line.replace(/^discreet /, `${COMMAND} `)).join('\n')}
        action="copy-command"
        about={about === undefined ? 'the command' : `the command for ${about}`}
      />
      <p class="hint">
        {COMMAND} is installed {INSTALLED}
      </p>
    </section>
  );
}

export interface CopiedProps {
  readonly text: string;
  readonly action: string;
  /** What is copied, for whoever hears it. */
  readonly about: string;
}

/** Text in a box, with a button that copies it. */
export function Copied({ text, action, about }: CopiedProps) {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('copied');
    } catch {
      setCopied('this browser does not let a page copy; mark the text instead');
    }
  };
  return (
    <div class="copied">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      <button type="button" class="quiet" data-action={action} aria-label={`Copy ${about}`} onClick={copy}>
        Copy
      </button>
      <span class="small" role="status">
        {copied}
      </span>
    </div>
  );
}

/** Options of a command, in the order they are given; those without a value are left out. */
export function commandLine(
  start: string,
  options: readonly (readonly [flag: string, value: string | undefined | null | true])[],
): string {
  const words = options.flatMap(([flag, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : value === true
        ? [flag]
        : [flag, shellWord(value)],
  );
  return [start, ...words].join(' ');
}
