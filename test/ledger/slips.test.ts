// What may be a slip of whoever keeps a ledger is told as what it is: terms that would be gone, ten times the budget, a file that was moved, and
// so little left that it is nothing.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../src/exact/index.js';
import { leftFigures, leftWords, openLedger } from '../../src/ledger/index.js';
import { main, scratch } from '../scratch.js';

const init = (epsilon: string, ...more: string[]) => [
  ...['ledger', 'init', '--dataset', 'd', '--epsilon', epsilon],
  ...more,
];
const visits = ['--adjacency', 'visits=5'];
const release = (output: string, ...more: string[]) => [
  ...['release', 'd.csv', '--column', 'visits', '--dataset', 'd', '-o', output],
  ...more,
];

/** The command on a terminal: what it writes, and its exit code. */
function onTerminal(folder: string, args: readonly string[]): { code: number | null; text: string } {
  const script = `import os, pty, sys
code = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(code))`;
  const { status, stdout } = spawnSync('python3', ['-c', script, process.execPath, main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    input: '',
  });
  return { code: status, text: stdout.replace(/\s+/g, ' ') };
}

describe('a budget that promises little', () => {
  it('is noted where it is set, and set all the same; one that is usual is not', () => {
    const { run } = scratch();
    const much = run(init('50', ...visits));
    expect(much.code).toBe(0);
    expect(much.stderr).toMatch(/^note: a budget of ε = 50 in all protects little; 1 to 3 in all is usual/m);
    const usual = scratch().run(init('3', ...visits));
    expect([usual.code, usual.stderr]).toEqual([0, expect.not.stringContaining('protects little')]);
  });
});

describe('so little left that it is nothing', () => {
  it('is told as nothing wherever it is shown, and exactly to programs', () => {
    const { run, json, read, write } = scratch();
    write('d.csv', 'visits\n1\n2\n');
    run(init('1', '--delta', '1e-6', ...visits));
    const done = run(release('o.csv', '--epsilon', '1', '--report', 'r.html'));
    expect([done.code, done.stdout.replace(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringMatching(/of ε = 1, δ = 1e-6, nothing left/),
    ]);
    expect(read('r.html')).toMatch(/Nothing is left/);
    expect(read('r.html')).not.toMatch(/e-1\d is left|<td>ε = \S*e-1\d/);
    expect(run(['ledger', 'status']).stdout).toMatch(/\bnothing\b/);
    expect(run(['ledger', 'status']).stdout).not.toMatch(/e-1\d/);
    expect(run(release('p.csv', '--epsilon', '1'))).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/of which nothing is left/),
    });
    const { datasets } = json<{ datasets: { remaining: { epsilon: string } }[] }>(['ledger', 'status']);
    expect(Number(datasets[0]!.remaining.epsilon)).toBeGreaterThan(0);
    expect(Number(datasets[0]!.remaining.epsilon)).toBeLessThan(1e-6);
  });

  it('is less than a millionth of the budget, and all else is rounded down', () => {
    const rest = (epsilon: string, delta = '0') => ({
      epsilon: parseDecimal(epsilon),
      delta: parseDecimal(delta),
    });
    const budget = { epsilon: '3', delta: '1e-6' };
    expect(leftWords(rest('6.8e-12', '1e-6'), budget)).toBe('nothing');
    expect(leftWords(rest('0.0000029'), budget)).toBe('nothing');
    expect(leftWords(rest('0.000003', '9.99999999e-7'), budget)).toBe('ε = 3e-6, δ = 9.999999e-7');
    expect(leftFigures(rest('2.99999999', '9e-13'), budget)).toEqual({ epsilon: '2.999999', delta: '0' });
    expect(leftWords(rest('6.8e-12'), { epsilon: '1e-11', delta: '0' })).toBe('ε = 6.8e-12');
  });
});

describe('a budget over one that stands', () => {
  const full = [...visits, '--adjacency', 'days=2', '--delta', '1e-6', '--partition', 'region=a,b'];

  it('says what it would drop, and wants --change', () => {
    const { run, json } = scratch();
    json(init('3', ...full, '--per-person', '2'));
    const { code, stderr } = run(init('4', ...visits));
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /d has a budget already.*δ = 0.000001 → 0; days by up to 2 → no more protected; rows per person: 2 → not stated; parts: region=a,b → none; repeat what is to stay, or say --change/,
      ),
    ]);
    expect(run(init('4', ...full)).stderr).toMatch(/would change rows per person: 2 → not stated; repeat/);
    expect(run(init('2', ...full, '--per-person', '2')).stderr).toMatch(/would change ε = 3 → 2; repeat/);
    const moved = full.map((text) => (text === 'visits=5' ? 'visits=4' : text));
    expect(run(init('3', ...moved, '--per-person', '2')).stderr).toMatch(
      /would change visits by up to 5 → by up to 4; repeat/,
    );
    expect(json<{ datasets: object[] }>(['ledger', 'status']).datasets).toEqual([
      expect.objectContaining({ budget: { epsilon: '3', delta: '0.000001' }, perPerson: 2 }),
    ]);
    expect(json(init('4', ...visits, '--change'))).toMatchObject({ delta: '0', partition: null });
  });

  it('needs no word where all that was there stays', () => {
    const { json } = scratch();
    json(init('3', ...full));
    const more = [...full, '--adjacency', 'age=1', '--per-person', '2'];
    expect(json(init('4', ...more))).toMatchObject({ epsilon: '4', perPerson: 2 });
    // Spelt otherwise, it is the same column.
    const spelt = more.map((text) => (text === 'visits=5' ? 'Visits=7.0' : text));
    expect(json(init('5', ...spelt))).toMatchObject({ epsilon: '5' });
  });

  it('that is ten times as large wants --yes on a terminal, and there alone', () => {
    const { json, run, folder } = scratch();
    json(init('3', ...visits, '--delta', '1e-6'));
    const asked = onTerminal(folder, init('30', ...visits, '--delta', '1e-6'));
    expect(asked).toEqual({
      code: 2,
      text: expect.stringMatching(/d has ε = 3, and 30 is ten times that or more; .* say --yes/),
    });
    expect(onTerminal(folder, init('3', ...visits, '--delta', '0.1')).text).toMatch(
      /d has δ = 0.000001, and 0.1/,
    );
    expect(json<{ datasets: object[] }>(['ledger', 'status']).datasets).toEqual([
      expect.objectContaining({ budget: { epsilon: '3', delta: '0.000001' } }),
    ]);
    expect(onTerminal(folder, init('29', ...visits, '--delta', '1e-6')).code).toBe(0);
    expect(onTerminal(folder, init('290', ...visits, '--delta', '1e-6', '--yes')).code).toBe(0);
    expect(run(init('2900', ...visits, '--delta', '1e-6')).code).toBe(0);
  });
});

describe('a ledger that was moved', () => {
  it.each([
    ['moved', false],
    ['replaced', true],
  ])('while it was open, is told as that: %s', async (_, replaced) => {
    const { run, at, json } = scratch();
    json(init('3', ...visits, '--ledger', 'l.db'));
    copyFileSync(at('l.db'), at('copy.db'));
    const ledger = await openLedger(at('l.db'), 'existing');
    await ledger.rows();
    renameSync(at('l.db'), at('moved.db'));
    if (replaced) copyFileSync(at('copy.db'), at('l.db'));
    await expect(ledger.setBudget({ dataset: 'd', epsilon: 4, adjacency: { visits: 5 } })).rejects.toThrow(
      /l\.db: its file was moved, renamed or replaced while it was open, so nothing more is written to it/,
    );
    await ledger.close();
    expect(existsSync(at('l.db'))).toBe(replaced);
    for (const name of replaced ? ['moved.db', 'l.db'] : ['moved.db'])
      expect(run(['ledger', 'check', '--ledger', name]).stdout).toMatch(/^1 entries, none edited/);
  });

  it('from under a link, is told as that, and none is begun where it was', () => {
    const { run, at, json, write, names } = scratch();
    write('d.csv', 'visits\n1\n');
    json(init('3', ...visits, '--ledger', 'kept.db'));
    symlinkSync('kept.db', at('discreet-ledger.db'));
    expect(run(release('o.csv', '--epsilon', '1')).code).toBe(0);
    renameSync(at('kept.db'), at('elsewhere.db'));
    const moved = /discreet-ledger\.db: it is a link to kept\.db, where there is none: the ledger was moved/;
    expect(run(release('p.csv', '--epsilon', '1'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(moved),
    });
    expect(run(['ledger', 'status']).stderr).toMatch(moved);
    expect(run(init('9', ...visits)).stderr).toMatch(moved);
    expect(names().filter((name) => /\.db$/.test(name))).toEqual(['discreet-ledger.db', 'elsewhere.db']);
    expect(existsSync(at('p.csv'))).toBe(false);
  });

  it('from where it is named, may be told as that', () => {
    const { run } = scratch();
    expect(run(['ledger', 'status', '--ledger', 'gone.db']).stderr).toMatch(
      /there is none; correct the name, or name its new place if it was moved/,
    );
  });
});
