// What a publisher and a reader are told of a release: the best guess, warnings, the summary, and lines that read the file.

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/index.js';
import { scratch } from '../scratch.js';

const { run, json, read, write } = scratch();
write('v.csv', `id,v,w\n${Array.from({ length: 400 }, (_, i) => `${i},${i % 9},1`).join('\n')}\n`);
json(['ledger', 'init', '--dataset', 'd', '--epsilon', '90', '--adjacency', 'v=5']);
let made = 0;

interface Told {
  readonly error: readonly { readonly bestGuess: number; readonly warnings: readonly string[] }[];
}
const args = (epsilon: string, more: readonly string[] = []) => [
  ...['release', 'v.csv', '--column', 'v', '--epsilon', epsilon, '--dataset', 'd', '-o', `o${made++}.csv`],
  ...more,
];
/** Figures and page of a release. */
function released(epsilon: string, ...more: string[]) {
  const name = `r${made}`;
  const { error } = json<Told>(args(epsilon, ['--report', `${name}.html`, ...more]));
  return { error, report: JSON.parse(read(`${name}.json`)) as Report, page: read(`${name}.html`) };
}

describe('the best guess', () => {
  it('is never below what e^ε allows by half, nor above it, and is the table’s marked line', () => {
    for (const epsilon of ['0.5', '1', '2']) {
      const { error, report, page } = released(epsilon);
      const [{ bestGuess }] = error as [Told['error'][0]];
      const odds = Math.exp(Number(epsilon));
      expect(bestGuess).toBeGreaterThan(0.5);
      expect(bestGuess).toBeLessThanOrEqual((odds / (1 + odds)) * (1 + 1e-12));
      const marked = report.columns[0]!.learnable.filter(({ own }) => own);
      expect(marked.map(({ distance, guess }) => [distance, guess])).toEqual([['5', bestGuess]]);
      expect(page.match(/<tr class="own">/g)).toHaveLength(1);
    }
  });

  it('is told where the adjacency is no multiple of the step, for as many steps as it can be', () => {
    const { code, stdout, stderr } = run(args('1', ['--step', '2']));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/guess {6}v: between two values 5 apart, the best guess is right at most/);
    const { report, page } = released('1', '--step', '2');
    expect(report.columns[0]!.learnable.filter(({ own }) => own).map(({ distance }) => distance)).toEqual([
      '6',
    ]);
    expect(page.match(/<tr class="own">/g)).toHaveLength(1);
  });
});

describe('warnings', () => {
  it('are of noise that is mostly 0, and of an ε above 3; of neither there is none', () => {
    expect(released('1').error[0]!.warnings).toEqual([]);
    const { error, report, page } = released('5');
    expect(error[0]!.warnings).toEqual([
      expect.stringMatching(/^94 % of the values of “v” leave as they are/),
      expect.stringMatching(
        /^ε = 5 for one value of “v” protects little: .*right at most 98\.1 % of the time/,
      ),
    ]);
    // The dataset has spent before.
    const [all, ...own] = report.warnings;
    expect(all).toMatch(/^ε = [\d.]+ in all, over all that was published of d,/);
    expect(own).toEqual(error[0]!.warnings);
    expect(page.match(/class="warning"/g)).toHaveLength(3);
    expect(released('3').error[0]!.warnings).toHaveLength(1);
    expect(run(args('5', ['--dry-run'])).stdout).toMatch(/^warning {4}94 %[\s\S]*^warning {4}ε = 5/m);
  });
});

describe('the page', () => {
  it('begins with what it comes to', () => {
    const { page, report } = released('1');
    const [, summary] = /<ul class="summary">(.*?)<\/ul>/.exec(page.replaceAll('\u00a0', ' '))!;
    expect(summary).toContain('“v” protected');
    expect(summary).toContain('Guessed right: at most 71.2 %');
    expect(summary).toContain(
      `Off by ${Number(report.columns[0]!.noise.meanAbsolute.toPrecision(4))} on average`,
    );
    expect(summary).toMatch(/ε = [\d.]+ is left.*of ε = 90.*this took ε = 1/);
  });

  it('has lines that read the file, and a command that recovers it, which work', () => {
    const name = `o${made}.csv`;
    const { page } = released('1');
    const code = (title: string) =>
      new RegExp(`${title}:</p>\\s*<pre>([\\s\\S]*?)</pre>`).exec(page)![1]!.replaceAll('&quot;', '"');
    expect(code('In Python')).toContain(`pd.read_csv("${name}", sep=None, engine="python")`);
    expect(code('In R')).toContain(`read.csv("${name}", sep = `);
    const [, lines] = /<pre>(discreet recover .*?)<\/pre>/s.exec(page)!;
    const [command, ...others] = lines!.replace(/<[^>]*>/g, '').split('\n');
    expect(others).toEqual([]);
    expect(command).toMatch(/ --range &lt;low,high&gt; /);
    expect(run(command!.replace('&lt;low,high&gt;', '0,8').split(' ').slice(1)).code).toBe(0);
    // No line ends inside of an option.
    expect(lines).toContain('<span class="option">--range</span>');
    // Whoever has only this page learns which version made it, and how it is got.
    const version = run(['--version']).stdout.trim();
    expect(released('1').report.version).toBe(version);
    expect(page).toContain(`with discreet ${version} ·`);
    expect(page).toContain(`those of discreet ${version} or later, which is installed in a clone`);
    const python = spawnSync('python3', [
      '-c',
      `import ast; ast.parse(${JSON.stringify(code('In Python'))})`,
    ]);
    expect(python.status).toBe(0);
  });

  it('has a line for each column that recovers it, with the mechanism that is its own', () => {
    const two = ['release', 'v.csv', '--column', 'v', '--column', 'id', '--epsilon', '1'];
    const own = ['--adjacency', 'v=5', '--adjacency', 'id=2', '--dataset', 'two', '-o', 'two.csv'];
    const folder = scratch();
    folder.write('v.csv', read('v.csv'));
    expect(folder.run([...two, ...own, '--report', 'two.html']).code).toBe(0);
    const page = folder.read('two.html').replace(/<span[^>]*>|<\/span>/g, '');
    for (const column of ['v', 'id'])
      expect(page).toContain(
        `discreet recover two.csv --column ${column} --range &lt;low,high&gt; --mechanism two.csv.${column}.mechanism.json`,
      );
  });

  it('says the guess of one value in one way', () => {
    const { page } = released('1');
    const [, box] = /Guessed right: at most ([\d.]+\s%)/.exec(page)!;
    const [, row] = /<tr class="own">(.*?)<\/tr>/.exec(page)!;
    expect(row).toContain(`<td>${box}</td>`);
  });

  it('of counts says too which version made it, and how the command is got', () => {
    const by = '--by w --domain w=1 --epsilon 1 --dataset d -o c.csv --report c.html';
    json(['count', 'v.csv', ...by.split(' ')]);
    const version = run(['--version']).stdout.trim();
    expect(read('c.html')).toContain(`with discreet ${version} ·`);
    expect(read('c.html')).toContain('is installed in a clone of the project (git clone)');
  });

  it('leaves queries and commands as they are typed, and keeps figures with their signs elsewhere', () => {
    const { page } = released('1');
    for (const [, text] of page.matchAll(/<pre>([\s\S]*?)<\/pre>/g)) expect(text).not.toContain('\u00a0');
    expect(page).toContain('ε\u00a0=\u00a01');
    expect(page).toMatch(/\d\u00a0%/);
  });
});
