// No word on the analyst's way that the guide does not explain.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { scratch, visits } from '../scratch.js';

const { run, write } = scratch();
const guide = readFileSync(fileURLToPath(new URL('../../docs/guide.md', import.meta.url)), 'utf8');

it('is in what a release or a count prints, at the beginning of a line', () => {
  const explained = new Set(
    [...guide.matchAll(/^\| ([^|]+) \|/gm)].map(([, word]) => word!.replace(/ \(.*/, '')),
  );
  write('own.csv', 'region,visits,age\nnorth,3,NA\nsouth,4,40\n');
  const noise = ['--epsilon', '9', '--adjacency', '5'];
  const two = ['--column', 'visits', '--column', 'age', '--clamp', 'visits=0,9', '--skip-invalid'];
  const outputs = [
    ['release', visits, '--column', 'visits', ...noise, '-o', 'a.csv', '--report', 'a.html'],
    ['release', visits, '--column', 'visits', ...noise, '-o', 'n.csv', '--dry-run'],
    ['release', 'own.csv', ...two, ...noise, '--drop', 'region', '--decimal', '.', '-o', 'b.csv'],
    ['count', 'own.csv', '--by', 'region', '--domain', 'region=north', '--epsilon', '1', '-o', 'c.csv'],
  ].map((args) => {
    const { code, stdout } = run(args);
    expect([args.join(' '), code]).toEqual([args.join(' '), 0]);
    return stdout;
  });
  const labels = new Set(
    outputs.flatMap((text) => [...text.matchAll(/^([a-z]+) {2,}/gm)].map(([, word]) => word!)),
  );
  expect(labels.size).toBeGreaterThan(10);
  expect([...labels].filter((label) => !explained.has(label))).toEqual([]);
});
