// `discreet sample`: exact draws from a mechanism file, streamed.

import { basename } from 'node:path';
import type { Command } from 'commander';
import { emptyHistogram, gTest, histogramRange } from '../audit/index.js';
import { invalid } from '../error/index.js';
import { exactText, multiply, rational } from '../exact/index.js';
import { checkOutput } from '../files/index.js';
import { requireClaim } from '../mechanism/index.js';
import { barChart } from '../plot/index.js';
import { lastIndex, type Pmf, probabilities } from '../pmf/index.js';
import { entropySource, sampler, seededSource } from '../random/index.js';
import { readMechanismFile } from './input.js';
import { define, type Flags, type Maybe, type Needed } from './options.js';
import { print, printJson, rough, streamTo } from './output.js';
import { refusal } from './verify.js';

type Options = Needed<'n' | 'format'> &
  Maybe<'seed' | 'output'> &
  Flags<'forSimulation' | 'force' | 'histogram' | 'json'>;

const FORMATS = ['text', 'csv', 'i32', 'i64'] as const;
type Format = (typeof FORMATS)[number];
const CHUNK = 65_536;

export function add(program: Command): void {
  define(
    program,
    'sample',
    'Draw noise with exactly the certified probabilities, from the randomness of the operating system.',
    `Examples:
  discreet sample mechanism.json -n 10
  discreet sample mechanism.json -n 100000000 --format i32 -o noise.i32
  discreet sample mechanism.json -n 10000000 --histogram
  discreet sample mechanism.json -n 1000 --seed 7 --for-simulation --format csv`,
  )
    .argument('<mechanism>', 'the mechanism file (- for standard input)')
    .requiredOption('-n <count>', 'how many draws')
    .option('--format <format>', 'text or csv in data units, i32 or i64 in steps', 'text')
    .option('-o, --output <file>', 'where to write (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .option('--histogram', 'show drawn against certified, with the p-value of a G-test, instead of the draws')
    .option('--seed <seed>', 'the same draws for the same seed; only with --for-simulation')
    .option('--for-simulation', 'say that seeded draws are for a simulation: they protect nobody')
    .option('--json', 'with --histogram: print one JSON object')
    .action(sample);
}

function sample(path: string, options: Options): void {
  const count = readCount(options.n);
  if (!FORMATS.includes(options.format as Format))
    throw invalid(`format: expected ${FORMATS.join(', ')}, got ${options.format}`);
  const format = options.format as Format;
  if (options.seed !== undefined && !options.forSimulation)
    throw invalid('seed: seeded noise protects nobody; say {forSimulation} if that is what it is for');
  if (options.forSimulation && options.seed === undefined)
    throw invalid('forSimulation: expected {seed} with it');
  const binary = format === 'i32' || format === 'i64';
  if (
    options.seed !== undefined &&
    binary &&
    options.output !== undefined &&
    options.output !== '-' &&
    !/simulat/i.test(basename(options.output))
  )
    throw invalid(
      `output: a binary file has no room for a note that its noise is seeded; expected a name with "simulated" in it, got ${options.output}`,
    );
  checkOutput(options.output, options.force === true);
  const mechanism = readMechanismFile(path);
  requireClaim(mechanism, (found) => `${path}: ${refusal(mechanism, found)}; nothing was drawn`);
  const source = options.seed === undefined ? entropySource(globalThis.crypto) : seededSource(options.seed);
  const draws = sampler(mechanism.pmf, source);
  const { from } = mechanism.pmf;
  if (format === 'i32' && (from < -(2 ** 31) || lastIndex(mechanism.pmf) >= 2 ** 31))
    throw invalid(
      `format: i32 cannot hold this noise, which reaches from ${from} to ${lastIndex(mechanism.pmf)} steps; use i64`,
    );
  if (options.histogram) {
    if (options.output !== undefined)
      throw invalid('output: a histogram goes to standard output; redirect it instead');
    showHistogram(mechanism.pmf, draws, count, options);
    return;
  }

  const note =
    options.seed === undefined
      ? null
      : `simulated noise, seed ${JSON.stringify(options.seed)}: not for release`;
  if (note !== null && binary) process.stderr.write(`${note}\n`);
  const encode = encoder(format, mechanism.pmf, draws);
  const header = `${note !== null && !binary ? `# ${note}\n` : ''}${format === 'csv' ? 'noise\n' : ''}`;
  streamTo(options.output, options.force === true, (write) => {
    if (header !== '') write(Buffer.from(header));
    for (let left = count; left > 0; left -= CHUNK) write(encode(Math.min(left, CHUNK)));
  });
}

function readCount(text: string): number {
  if (!/^\d+$/.test(text) || BigInt(text) > 2n ** 53n)
    throw invalid(`n: expected a whole number from 0 to 2^53, got ${text}`);
  return Number(text);
}

/** A chunk of draws as bytes. Text and csv are exact; beyond 32 or 64 bits binary values saturate, never wrap. */
function encoder(format: Format, pmf: Pmf, draws: ReturnType<typeof sampler>): (count: number) => Uint8Array {
  const values = format === 'i32' ? new Int32Array(CHUNK) : new BigInt64Array(CHUNK);
  const width = values.BYTES_PER_ELEMENT;
  if (format === 'i32' || format === 'i64')
    return (count) => {
      draws.fill(values.subarray(0, count), 'saturate');
      return littleEndian(new Uint8Array(values.buffer, 0, width * count), width);
    };
  // A window within ±2^50 steps and tails that can be drawn at all leave 64 bits with next to no probability.
  const known = new Map<bigint, string>();
  const text = (index: bigint) => {
    let line = known.get(index);
    if (line === undefined) {
      line = `${exactText(multiply(rational(index), pmf.step))}\n`;
      if (known.size < 100_000) known.set(index, line);
    }
    return line;
  };
  return (count) => {
    draws.fill(values.subarray(0, count), 'saturate');
    let lines = '';
    for (let i = 0; i < count; i++) lines += text(values[i] as bigint);
    return Buffer.from(lines);
  };
}

function littleEndian(bytes: Uint8Array, width: number): Uint8Array {
  if (new Uint8Array(new Uint32Array([1]).buffer)[0] === 1) return bytes;
  const swapped = Buffer.from(bytes);
  return width === 4 ? swapped.swap32() : swapped.swap64();
}

function showHistogram(pmf: Pmf, draws: ReturnType<typeof sampler>, count: number, options: Options): void {
  const histogram = emptyHistogram(histogramRange(pmf));
  const { from, counts } = histogram;
  // 32 bits where they hold the histogram's range, for speed.
  const short = from > -(2 ** 31) && from + counts.length < 2 ** 31;
  const values = short ? new Int32Array(1 << 20) : new BigInt64Array(1 << 16);
  let shown = Date.now();
  for (let left = count; left > 0; left -= values.length) {
    const part = left < values.length ? values.subarray(0, left) : values;
    draws.fill(part, 'saturate');
    for (let i = 0; i < part.length; i++) {
      const at = Number(part[i]!) - from;
      if (at < 0) histogram.below++;
      else if (at >= counts.length) histogram.above++;
      else counts[at]!++;
    }
    if (process.stderr.isTTY && Date.now() - shown > 500) {
      process.stderr.write(`\r${(((count - left) / count) * 100).toFixed(0)} % drawn`);
      shown = Date.now();
    }
  }
  const test = gTest(pmf, histogram);
  const { p } = probabilities(pmf, from, from + counts.length - 1);
  if (options.json) {
    printJson({ draws: count, seeded: options.seed !== undefined, gTest: test });
    return;
  }
  const middle = p.reduce((best, value, i) => (value > p[best]! ? i : best), 0);
  const rows = [];
  for (let i = Math.max(0, middle - 10); i <= Math.min(p.length - 1, middle + 10); i++) {
    const label = exactText(multiply(rational(BigInt(from + i)), pmf.step));
    rows.push(
      { label: `${label} drawn`, value: counts[i]! / Math.max(1, count) },
      { label: 'certified', value: p[i]! },
    );
  }
  print(
    barChart(rows),
    '',
    `${count} draws${options.seed === undefined ? '' : ' (simulated)'}; G = ${rough(test.statistic)} on ${test.degrees} degrees of freedom, p = ${rough(test.pValue)}`,
  );
}
