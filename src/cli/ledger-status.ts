// `discreet ledger status`: what each dataset has spent and has left.

import { type Cost, written } from '../account/index.js';
import {
  accountantFor,
  countedReleases,
  type Dataset,
  leftFigures,
  left as leftOf,
  protectedSoFar,
  spent,
} from '../ledger/index.js';
import { type LedgerOptions, withLedger } from './ledger-opening.js';
import { only, termsOf, unitOf } from './ledger-words.js';
import { figure, print, printJson, tableText } from './output.js';

export async function status(options: LedgerOptions & { dataset?: string }): Promise<void> {
  await withLedger(options, 'reading', async (ledger) => {
    const datasets = only(await ledger.datasets(), options.dataset);
    if (options.json) {
      printJson({
        ledger: ledger.shown,
        accountant:
          [...new Set(datasets.map(({ budget }) => accountantFor(budget)?.name ?? 'unknown'))].join(', ') ||
          'basic composition',
        head: (await ledger.rows()).at(-1)?.hash ?? null,
        datasets: datasets.map(statusJson),
      });
      return;
    }
    if (datasets.length === 0) print(`${ledger.shown} has no entries yet`);
    else
      print(
        tableText(
          ['dataset', 'releases', 'spent ε', 'of', 'left', 'spent δ', 'of', 'left'],
          datasets.flatMap((dataset) => [
            statusLine(dataset, dataset.name),
            ...partsOf(dataset).map((part) => statusLine(onlyPart(dataset, part), `  ${part}`)),
          ]),
        ),
        '',
        `ledger ${ledger.shown}`,
        ...datasets.flatMap(({ name, budget }) => (budget ? [`${name}: ${termsOf(budget).join('; ')}`] : [])),
      );
  });
}

function statusJson(dataset: Dataset) {
  const { name, budget } = dataset;
  const rest = leftOf(dataset);
  return {
    dataset: name,
    releases: countedReleases(dataset).length,
    spent: written(spent(dataset)),
    budget: budget && { epsilon: budget.epsilon, delta: budget.delta },
    remaining: rest && written(rest),
    adjacency: budget?.adjacency ?? null,
    protected: [...new Set([...Object.keys(budget?.adjacency ?? {}), ...protectedSoFar(dataset)])],
    perPerson: budget?.perPerson ?? null,
    unit: budget && unitOf(budget),
    partition: budget?.partition ?? null,
    parts: partsOf(dataset).map((part) => ({ part, spent: written(spent(onlyPart(dataset, part))) })),
  };
}

function partsOf({ budget }: Dataset): readonly string[] {
  return budget?.partition?.parts ?? [];
}

function statusLine(dataset: Dataset, name: string): string[] {
  const { budget } = dataset;
  const [cost, left]: [Cost, Cost | null] = [spent(dataset), leftOf(dataset)];
  const rest = left && budget && leftFigures(left, budget);
  return [
    name,
    String(countedReleases(dataset).length),
    figure(cost.epsilon),
    budget?.epsilon ?? 'no budget',
    rest ? (rest.epsilon === '0' ? 'nothing' : rest.epsilon) : '–',
    figure(cost.delta),
    budget?.delta ?? '–',
    rest?.delta ?? '–',
  ];
}

/** What a person of this part has had: its own releases and those of all parts. */
function onlyPart(dataset: Dataset, part: string): Dataset {
  return {
    ...dataset,
    releases: dataset.releases.filter(({ entry }) => entry.part === null || entry.part === part),
  };
}
