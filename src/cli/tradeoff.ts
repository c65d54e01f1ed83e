// `discreet tradeoff`: how far a value is off, and how well it is protected, over ε or over the adjacency; and the ε that a wanted
// error takes.

import type { Command } from 'commander';
import { invalid } from '../error/index.js';
import { collect } from './input.js';
import { define } from './options.js';
import { checkDocuments } from './output.js';
import { type TradeoffOptions, targetError } from './target-error.js';
import { byMechanism } from './tradeoff-paper.js';
import { curves } from './tradeoff-plain.js';

export function add(program: Command): void {
  define(
    program,
    'tradeoff',
    'How far a released value is off, and how often the best guess at a true one is right, over a range of ε or of the adjacency; or the ε that a wanted error takes. No data is read.',
    `Examples:
  discreet tradeoff --adjacency 5
  discreet tradeoff --adjacency 5 --target-error 2
  discreet tradeoff --adjacency visits=5 --adjacency age=10 --target-error visits=2 --target-error age=8
  discreet tradeoff --epsilon 1 --adjacency 1..40 --svg curves.svg --csv curves.csv
  discreet tradeoff --paper --prior poisson:rate=5 --epsilon 0.1..4 --adjacency 15
  discreet tradeoff --prior poisson:rate=5 --epsilon 0.1..6 --adjacency 15 --target-w 1

With --paper: W and E|θ| of the optimum and of every mechanism of the paper.`,
  )
    .requiredOption(
      '--adjacency <[column=]m>',
      'how far one record may move, in data units, or a range: 1..40; repeat for several columns',
      collect,
    )
    .option('--epsilon <e|from..to>', 'ε, or a range of it', '0.1..4')
    .option(
      '--target-error <[column=]e>',
      'the least ε with which a value is off by no more, on average; repeat for several columns',
      collect,
    )
    .option('--per-person <k>', 'with --target-error: rows that one person may have (default: 1)')
    .option('--points <n>', 'points in the range', '12')
    .option('--delta <d>', 'the δ to meet', '0')
    .option(
      '--step <step>',
      'Δ, the distance of neighbouring values; with --paper also a fraction such as 1/3',
      '1',
    )
    .option('--prior <prior>', 'what is publicly known of the data; the noise is the best for it')
    .option('--prior-is-public', 'a prior read from a column is public')
    .option('--paper', 'every mechanism of the paper, with W and E|θ|')
    .option(
      '--target-w <w>',
      'an ε of the range whose optimum has a W of at most this, the smallest where that can be proved',
    )
    .option('--svg <file>', 'draw the curves')
    .option('--csv <file>', 'write the curves')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print one JSON object')
    .action((options: TradeoffOptions) => run({ ...options, targetError: options.targetError ?? [] }));
}

function run(options: TradeoffOptions): void {
  const { adjacency, svg, csv, force, json } = options;
  checkDocuments([svg, csv], force === true, json === true);
  if (options.targetError.length > 0) {
    targetError(options);
    return;
  }
  if (options.perPerson !== undefined) throw invalid('perPerson: it is for {targetError}; leave it out');
  if (adjacency.length > 1)
    throw invalid('adjacency: expected one, or {targetError} for each of several columns');
  const one = { ...options, adjacency: adjacency[0]! };
  if (options.paper || options.targetW !== undefined) byMechanism(one);
  else curves(one);
}
