// A page of one file: no script, light and dark, from a telephone to paper.

import { escaped } from './escape.js';
import { tableStyle } from './page-table.js';

/** A chart as it is drawn for wide and for narrow screens. */
export interface Picture {
  readonly wide: string;
  readonly narrow: string;
}

/** For a chart that can be drawn in any width. */
export function pictureOf(draw: (width: number) => string): Picture {
  return { wide: draw(720), narrow: draw(328) };
}

/** Both of them, of which a reader sees the one that fits. */
export function figureOf({ wide, narrow }: Picture, caption = ''): string {
  return `<figure><div class="wide">${wide}</div><div class="narrow">${narrow}</div>${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

/** A table that may be wider than its page, and is then moved by itself. */
export function scrolled(table: string): string {
  return `<div class="scroll" tabindex="0">${table}</div>`;
}

/** The whole page; title is text, body is markup. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
${unbroken(body)}
</body>
</html>
`;
}

/** Figures stay with their signs at the end of a line; what is to be copied is left alone. */
function unbroken(body: string): string {
  const joined = (text: string) =>
    text.replace(/(\d) %/g, '$1\u00a0%').replace(/([εδ]) = (?=\d)/g, '$1\u00a0=\u00a0');
  return body
    .split(/(<pre>[\s\S]*?<\/pre>)/)
    .map((part) => (part.startsWith('<pre>') ? part : joined(part)))
    .join('');
}

/** How pages look: colours by what they are for, light and dark. */
export const pageStyle = `
:root { --ink: #1b1b1b; --soft: #555; --paper: #fff; --line: #ddd; --good: #eef4fb; --goodline: #2a6fb0; --mind: #fff4e0; --mindline: #b86e00; --code: #f4f4f4; --link: #0063a0; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #ececec; --soft: #b4b4b4; --paper: #16191d; --line: #3a3f45; --good: #16283a; --goodline: #5cb0ee; --mind: #36280f; --mindline: #f0b740; --code: #21262b; --link: #7cc0f5; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin-bottom: 0; } h2 { font-size: 1.25rem; margin-top: 2rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
a { color: var(--link); } .facts, .small, figcaption, .file { color: var(--soft); font-size: .875rem; }
.warning { background: var(--mind); border-left: 4px solid var(--mindline); padding: .75rem 1rem; }
.guarantee { background: var(--good); border-left: 4px solid var(--goodline); padding: .75rem 1rem; }
.summary { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem; padding: 0; margin: 1rem 0; list-style: none; }
.summary li { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem; } .summary b { display: block; font-size: 1.15rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } .figures td, .figures th, th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; } td.n, .figures td { white-space: nowrap; } .own { background: var(--good); font-weight: 600; }
.scroll { overflow-x: auto; } .hash { font: .8rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--code); padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; } .option { white-space: nowrap; } code { background: var(--code); padding: 0 .2em; }
figure { margin: 1rem 0; } svg { display: block; max-width: 100%; height: auto; } .narrow { display: none; }
@media (max-width: 600px) { body { margin-top: 1rem; } .figures th, .figures td { padding: .3rem .2rem; font-size: .85rem; } .wide { display: none; } .narrow { display: block; } .pairs th, .pairs td { display: block; border: 0; padding: .1rem 0; } .pairs tr { display: block; border-bottom: 1px solid var(--line); padding: .3rem 0; } }
@media print { body { margin: 0; font-size: 11pt; } section { break-inside: avoid-page; } h2, h3 { break-after: avoid; } .wide { display: block; } .narrow { display: none; } }
${tableStyle}`;
