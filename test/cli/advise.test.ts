// From a column's name to the commands that release it, by questions or by options, without a look at any value.

import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.js';

const { run, json, read, write, names, exists } = scratch();
write('my visits.csv', 'person,region,visits\n1,N,3\n2,S,secret\n3,N,99999\n');
write('visits.csv', 'person,region,visits\n1,N,3\n2,S,5\n3,N,4\n');

interface Advice {
  readonly unchanged: readonly string[];
  readonly strengths: readonly {
    readonly epsilon: string;
    readonly bestGuess: number;
    readonly meanError: number;
  }[];
  readonly commands: readonly string[];
}
const facts = ['--column', 'visits', '--adjacency', '5', '--per-person', '1', '--times', '4'];

describe('advice', () => {
  it('asks what was not said, and prints commands that work', () => {
    const { code, stdout, stderr } = run(['advise', 'visits.csv', '--column', 'visits'], '5\n\n4\n0.5\n');
    expect(code).toBe(0);
    expect(stderr).toMatch(/nothing protects them: person, region[\s\S]*nobody may find out\?/);
    const commands = [...stdout.matchAll(/^ {2}discreet (.*)$/gm)].map(([, words]) => words!.split(' '));
    expect(commands.map(([name]) => name)).toEqual(['ledger', 'release']);
    for (const args of commands) expect(run(args).code).toBe(0);
    expect(exists('visits-released.csv')).toBe(true);
    const [{ budget, spent }] = json<{ datasets: [{ budget: object; spent: { epsilon: string } }] }>([
      'ledger',
      'status',
    ]).datasets;
    expect(budget).toEqual({ epsilon: '2', delta: '0' });
    expect(Number(spent.epsilon)).toBeCloseTo(0.5, 6);
  });

  it('takes all of it as options, and quotes names', () => {
    const advice = json<Advice>(['advise', 'my visits.csv', ...facts, '--epsilon', '0.5']);
    expect(advice.unchanged).toEqual(['person', 'region']);
    expect(advice.commands[1]).toContain(
      "release 'my visits.csv' --column visits --epsilon 0.5 --dataset 'my visits'",
    );
    const guesses = advice.strengths.map(({ bestGuess }) => bestGuess);
    expect(guesses).toEqual([...guesses].sort((a, b) => a - b));
    expect(guesses[0]).toBeGreaterThan(0.5);
  });

  it('reads no value: a file with a word in the column, and one with another number, get the same', () => {
    const one = json<Advice>(['advise', 'my visits.csv', ...facts, '--epsilon', '1', '--dataset', 'v']);
    const other = json<Advice>(['advise', 'visits.csv', ...facts, '--epsilon', '1', '--dataset', 'v']);
    expect(one.strengths).toEqual(other.strengths);
    expect(names().filter((name) => name.includes('advised'))).toEqual([]);
  });

  it('takes a step above 1, which is judged by the adjacency that is said', () => {
    const coarse = ['advise', 'visits.csv', '--column', 'visits', '--per-person', '1', '--times', '1'];
    const step = ['--epsilon', '1', '--step', '10'];
    const { commands } = json<Advice>([...coarse, ...step, '--adjacency', '1000', '--dataset', 's']);
    expect(commands[1]).toContain('--step 10 ');
    const { code, stderr } = run([...coarse, ...step, '--adjacency', '5']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--step: expected at most 5, as far as/)]);
  });

  it('leaves out the column that tells persons apart, and the commands work', () => {
    const args = [...facts.slice(0, 4), '--per-person', '2', '--person', 'person', '--times', '1'];
    const advise = ['advise', 'visits.csv', ...args, '--epsilon', '1', '--dataset', 'people'];
    const { commands } = json<Advice>(advise);
    expect(commands[1]).toContain('--person person --drop person');
    for (const command of commands) expect(run(command.split(' ').slice(1)).code).toBe(0);
    expect(read('people-released.csv')).toMatch(/^region,visits\n/);
    expect(run(advise).stdout).toMatch(/^person tells persons apart, so --drop leaves it out/m);
  });

  it('says what to do for several columns', () => {
    const { code, stderr } = run(['advise', 'visits.csv', '--column', 'person,visits']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--column person,visits is one column of that name; for several, ask for each/);
  });

  it.each([
    [['--column', 'visit'], /no column "visit"; did you mean "visits"/],
    [['--column', 'visits'], /there was no answer; say it with --adjacency/],
    [['--column', 'visits', '--adjacency', 'far'], /--adjacency/],
    [['--column', 'visits', '--adjacency', '5', '--per-person', '0'], /--per-person|whole number/],
    [['--column', 'visits', '--adjacency', '5', '--per-person', '1', '--times', 'x'], /--times/],
    [[...facts, '--epsilon', '-1'], /--epsilon/],
  ])('says what is wrong with %j', (args, words) => {
    const { code, stderr } = run(['advise', 'visits.csv', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});
