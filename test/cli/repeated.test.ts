// An option that takes one value is refused where it is given twice, by every command: the first would be passed over.

import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { scratch } from '../scratch.js';

const { run, write } = scratch();
write('in.csv', 'id,visits\n1,3\n');

const TWICE: Record<string, readonly [before: readonly string[], option: string, values: readonly string[]]> =
  {
    advise: [['in.csv'], '--column', ['visits', 'id']],
    studio: [[], '--port', ['4001', '4002']],
    release: [['in.csv', '--column', 'visits', '--epsilon', '1'], '--adjacency', ['2', '3']],
    count: [['in.csv', '--by', 'id'], '--dataset', ['a', 'b']],
    pipe: [['true'], '--id', ['a', 'b']],
    prior: [['in.csv'], '--column', ['visits', 'id']],
    recover: [['in.csv'], '--column', ['visits', 'id']],
    'ledger init': [[], '--epsilon', ['1', '10']],
    design: [['--epsilon', '1'], '--adjacency', ['2', '3']],
    tradeoff: [['--epsilon', '1'], '--step', ['1', '2']],
    analyze: [['geometric:scale=5'], '--adjacency', ['2', '3']],
    calibrate: [['laplace', '--epsilon', '1'], '--adjacency', ['2', '3']],
    compare: [['geometric:scale=5'], '--adjacency', ['2', '3']],
    compile: [['geometric:scale=5'], '--adjacency', ['2', '3']],
    sample: [['mechanism.json'], '--seed', ['1', '2']],
    account: [['geometric:scale=5'], '--adjacency', ['2', '3']],
    simulate: [[], '--noise', ['geometric:scale=5', 'geometric:scale=50']],
    reproduce: [[], '--only', ['a', 'b']],
    choose: [['in.csv', '--sensitivity', '1'], '--epsilon', ['1', '2']],
    audit: [['true', '--input', '1', '--input', '2'], '--claim-epsilon', ['1', '2']],
  };
/** What says what else to do. */
const SAID: Record<string, string> = {
  account: 'given twice; for releases',
  release: 'given twice for all columns; name the column',
};
/** Has no option with a value. */
const WITHOUT = ['verify'];

describe('an option that takes one value', () => {
  it('is looked at for every command', () => {
    const names = Object.keys(COMMANDS).map((usage) => usage.split(' ')[0]!);
    const tested = [...Object.keys(TWICE).map((name) => name.split(' ')[0]!), ...WITHOUT];
    expect(tested.sort()).toEqual(names.sort());
  });

  it.each(Object.entries(TWICE))(
    'is refused by %s where it is given twice',
    (name, [before, option, [one, other]]) => {
      const { code, stderr } = run([...name.split(' '), option, one!, ...before, `${option}=${other}`]);
      expect(stderr).toContain(`${option}: ${SAID[name] ?? `expected one value, got ${one} and ${other}`}`);
      expect(code).toBe(2);
    },
  );

  it('may be repeated where it takes several', () => {
    const { stderr } = run(['recover', 'none.csv', '--column', 'a', '--at-least', '1', '--at-least', '2']);
    expect(stderr).toMatch(/there is no such file/);
  });
});
