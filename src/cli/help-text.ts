// What stands below the options: paragraphs and examples in lines that fit a terminal.

import { fits, paragraph } from './output.js';

/** Paragraphs are filled; an example that is too long goes on after a backslash, as a shell reads it. */
export function helpText(text: string): string {
  const lines: string[] = [];
  let words: string[] = [];
  const fill = () => {
    if (words.length > 0) lines.push(paragraph(words.join(' '), ''));
    words = [];
  };
  for (const line of text.split('\n')) {
    if (line !== '' && !line.startsWith(' ') && !line.endsWith(':')) {
      words.push(line);
      continue;
    }
    fill();
    lines.push(line.startsWith('  ') ? example(line) : line);
  }
  fill();
  return lines.join('\n');
}

/** Names side by side. */
export function listed(forms: readonly string[]): string {
  const lines: string[] = [];
  for (const form of forms) {
    const longer = `${lines.at(-1) ?? ' '}   ${form}`.replace(/^ {4}/, '  ');
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(`  ${form}`);
  }
  return lines.join('\n');
}

function example(line: string): string {
  const lines: string[] = [];
  let last = '';
  for (const piece of line.split(/ (?=-)/)) {
    const longer = last === '' ? piece : `${last} ${piece}`;
    if (last === '' || fits(`${longer} \\`)) last = longer;
    else {
      lines.push(`${last} \\`);
      last = `      ${piece}`;
    }
  }
  return [...lines, last].join('\n');
}
