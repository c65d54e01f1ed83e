// The list of commands: each is loaded when it is called, so what is listed is checked against it.

import { describe, expect, it } from 'vitest';
import { discreet } from './run.js';

const listed = [...discreet(['--help']).stdout.matchAll(/^ {2}([a-z]+)((?: [[<][a-z.]+[\]>])*) {2,}/gm)].map(
  ([, name, usage]) => [name!, usage!] as const,
);

describe('the help', () => {
  it('lists every command as it is called', () => {
    expect(listed.map(([name]) => name)).toEqual([
      ...[
        'advise',
        'studio',
        'release',
        'count',
        'pipe',
        'prior',
        'recover',
        'ledger',
        'design',
        'tradeoff',
        'analyze',
        'calibrate',
        'compare',
        'compile',
      ],
      ...['verify', 'sample', 'account', 'simulate', 'reproduce', 'choose', 'audit', 'help'],
    ]);
    for (const [name, usage] of listed.slice(0, -1)) {
      const { code, stdout } = discreet([name, '--help']);
      expect([name, code]).toEqual([name, 0]);
      expect(stdout.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
      // The ledger has commands of its own.
      expect(stdout.split('\n')[0]).toBe(
        `Usage: discreet ${name}${name === 'ledger' ? ' [options] [command]' : usage}`,
      );
    }
  });

  it('names the accountants where one is not known', () => {
    const args = ['ledger', 'init', '--dataset', 'd', '--epsilon', '1', '--ledger', 'never-made.db'];
    const { code, stderr } = discreet([...args, '--filter', 'best']);
    expect([code, stderr]).toEqual([2, 'error: --filter: "best" is not known; known are basic\n']);
  });

  it('is found by help, by a misspelt name, and without any', () => {
    expect(discreet(['help', 'verify']).stdout).toBe(discreet(['verify', '--help']).stdout);
    expect(discreet(['help', 'verify']).stdout).toMatch(/Usage: discreet verify \[options\] <file>/);
    const misspelt = discreet(['relase']);
    expect([misspelt.code, misspelt.stderr]).toEqual([2, expect.stringMatching(/Did you mean release\?/)]);
    const none = discreet([]);
    expect([none.code, none.stderr]).toEqual([2, discreet(['--help']).stdout]);
  });

  it('comes back in what is refused: fields are named by their options', () => {
    const { code, stderr } = discreet(['design', '--epsilon', '1', '--adjacency', '2.5']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--adjacency: .*change it or set --step/)]);
  });
});
