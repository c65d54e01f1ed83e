// The rooms Check and Explore: what is dropped is worked out again, and what is said is what the command says.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';
import { fileOf, studio } from './studio.js';

const { open } = studio();
const own = scratch();

beforeAll(() => {
  own.json('ledger init --dataset visits --epsilon 3 --adjacency visits=5'.split(' '));
  own.json(['release', visits, ...'--column visits --epsilon 1 --dataset visits -o released.csv'.split(' ')]);
  own.json([
    'release',
    visits,
    ...'--column visits --epsilon 1 --dataset visits -o released.parquet'.split(' '),
  ]);
  own.write('ledger.jsonl', own.run(['ledger', 'export']).stdout);
});

describe('Check', () => {
  it('works out a claim again, and finds one that does not hold', async () => {
    const { page } = await open('#/check');
    await page.setInputFiles('[data-field=input]', own.at('released.csv.mechanism.json'));
    await page.waitForSelector('[data-result=verdict]:has-text("The claim holds")');
    const broken = readFileSync(own.at('released.csv.mechanism.json'), 'utf8').replace(
      '"epsilon": "1"',
      '"epsilon": "0.9"',
    );
    await page.setInputFiles('[data-field=input]', fileOf('broken.json', broken));
    await page.waitForSelector('[data-file="broken.json"] [data-result=verdict]:has-text("does not hold")');
    await page.waitForSelector('[data-file="broken.json"] [data-result=witness]');
    await page.setInputFiles(
      '[data-field=input]',
      fileOf('other.json', '{\n  "format": "something else"\n}'),
    );
    await page.waitForSelector('[data-file="other.json"] [data-result=problem]');
  });

  it.each(['csv', 'parquet'])(
    'recovers what is behind a released %s file, as the command does',
    async (ending) => {
      const { page } = await open('#/check');
      const file = `released.${ending}`;
      await page.setInputFiles('[data-field=input]', own.at(file));
      await page.waitForSelector(`[data-result=missing]:has-text("${file}.mechanism.json")`);
      await page.setInputFiles('[data-field=input]', own.at(`${file}.mechanism.json`));
      await page.fill('[data-field=range]', '0,77');
      await page.waitForSelector('[data-result=variance]:not(:has-text("needs"))');
      const { mean } = own.json<{ mean: { estimate: number } }>([
        'recover',
        file,
        '--column',
        'visits',
        '--range',
        '0,77',
      ]);
      const told = await page.textContent('[data-result=mean]');
      expect(told).toContain(String(Number(mean.estimate.toPrecision(4))));
      await page.fill('[data-field=range]', '77,0');
      await page.waitForSelector('.field:has([data-field=range]) .error:not(:empty)');
    },
  );

  it('checks a ledger: whole, or where it is not', async () => {
    const { page } = await open('#/check');
    await page.setInputFiles('[data-field=input]', own.at('ledger.jsonl'));
    await page.waitForSelector('[data-kind=ledger] [data-result=verdict]');
    expect(await page.textContent('[data-kind=ledger] [data-result=verdict]')).toMatch(/whole/i);
    const edited = readFileSync(own.at('ledger.jsonl'), 'utf8').replace('"epsilon":"3"', '"epsilon":"9"');
    await page.setInputFiles('[data-field=input]', fileOf('edited.jsonl', edited));
    await page.waitForSelector(
      '[data-file="edited.jsonl"] [data-result=problems]:has-text("entry 2"), [data-file="edited.jsonl"] [data-result=problems]:has-text("Entry 2")',
    );
  });
});

describe('Explore', () => {
  it('says what the command says of a noise, of the paper, and of many releases', async () => {
    const { page } = await open('#/explore?noise=laplace:scale=7.5&adjacency=15&times=12&delta=1e-6');
    await page.waitForSelector('[data-result=pure]:has-text("2")');
    await page.waitForSelector('[data-result=verdict]');
    const account = own.json<{ epsilon: { upper: number } } & Record<string, unknown>>(
      'account laplace:scale=7.5 --adjacency 15 --times 12 --delta 1e-6'.split(' '),
    );
    await page.waitForSelector('[data-result=total-upper]');
    const told = Number(/[\d.]+/.exec((await page.textContent('[data-result=total-upper]'))!)![0]);
    expect(JSON.stringify(account)).toContain(String(told).slice(0, 7));
    await page.fill('[data-field=noise]', 'gaussian:sigma=-1');
    await page.waitForSelector('.field:has([data-field=noise]) .error:not(:empty)');
  });

  it('takes noise from a file, as the command does', async () => {
    own.write('noise.csv', 'value,probability\n-1,0.25\n0,0.5\n1,0.25\n');
    const { page } = await open('#/explore?adjacency=1&epsilon=0.5');
    await page.click('[data-action=example][data-value="table:noise.csv"]');
    expect(await page.textContent('.field:has([data-field=noise]) .error:not(:empty)')).toMatch(
      /open noise.csv below/,
    );
    await page.setInputFiles('.panel [data-field=input]', own.at('noise.csv'));
    const analysed = JSON.stringify(
      own.json('analyze table:noise.csv --adjacency 1 --epsilon 0.5'.split(' ')),
    );
    const told = await page.textContent('[data-result=delta-at]:has-text("0.")');
    expect(analysed).toContain(/0\.\d{3}/.exec(told!)![0]);
    await page.waitForSelector('[data-result=total-upper]');
  });

  it('divides a budget among columns, and keeps that in the address', async () => {
    const { page } = await open('#/explore?split=visits:5:2&split=age:10:8');
    await page.waitForSelector('[data-result=total-epsilon]');
    const told = Number(/[\d.]+/.exec((await page.textContent('[data-result=total-epsilon]'))!)![0]);
    const command = own.json<Record<string, unknown>>(
      'tradeoff --adjacency visits=5 --adjacency age=10 --target-error visits=2 --target-error age=8'.split(
        ' ',
      ),
    );
    expect(JSON.stringify(command)).toContain(String(told));
    await page.click('[data-action=add-column]');
    await page.waitForFunction(`location.hash.split('split=').length === 4`);
  });
});
