// The Python package on a real Spark: its own tests, run against the built command, and the law of a million rows.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { pyspark, sparkEnvironment } from '../../scripts/spark.mjs';
import { emptyHistogram, gTest, histogramRange } from '../../src/audit/index.js';
import { readMechanism } from '../../src/mechanism/index.js';
import { main, scratch } from '../scratch.js';

const { at } = scratch();
const spark = fileURLToPath(new URL('../../spark', import.meta.url));
let python = '';

beforeAll(() => {
  python = pyspark();
  // As anybody installs it, from a copy of the tree, for pip leaves things there; what it needs is there.
  cpSync(spark, at('tree'), { recursive: true });
  const pip = [
    '-m',
    'pip',
    'install',
    '-q',
    '--disable-pip-version-check',
    '--no-deps',
    '--no-build-isolation',
  ];
  execFileSync(python, [...pip, '--target', at('installed'), at('tree')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}, 300_000);

function unittest(file: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(python, [file], {
    cwd: `${spark}/tests`,
    env: sparkEnvironment(python, {
      PYTHONPATH: at('installed'),
      PYTHONDONTWRITEBYTECODE: '1',
      // Tests are over before a better compiler would pay, and Spark's own classes need no check at each start.
      JDK_JAVA_OPTIONS:
        '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote',
      DISCREET_COMMAND: `"${process.execPath}" "${main}"`,
      DISCREET_TEST_FOLDER: dirname(at('x')),
      DISCREET_TEST_NOISE: at('noise.json'),
    }),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      said += bytes;
    });
  return new Promise((done) => child.once('close', (code) => done({ code, said })));
}

describe('releases from Spark', () => {
  it('are the same whatever is run again, on one machine', async () => {
    const { code, said } = await unittest('test_local.py');
    expect(said).toMatch(/^OK$/m);
    expect(code).toBe(0);
  }, 400_000);

  it('follow the law of their mechanism', () => {
    const { counts, mechanism } = JSON.parse(readFileSync(at('noise.json'), 'utf8')) as {
      counts: Record<string, number>;
      mechanism: object;
    };
    const { pmf } = readMechanism(JSON.stringify(mechanism));
    const histogram = emptyHistogram(histogramRange(pmf));
    for (const [value, count] of Object.entries(counts)) {
      const place = Number(value) - histogram.from;
      if (place < 0) histogram.below += count;
      else if (place >= histogram.counts.length) histogram.above += count;
      else histogram.counts[place]! += count;
    }
    expect(gTest(pmf, histogram).pValue).toBeGreaterThan(1e-6);
  });

  it('are the same where executors are killed and tasks run twice', async () => {
    const { code, said } = await unittest('test_cluster.py');
    expect(said).toMatch(/^OK$/m);
    expect(code).toBe(0);
  }, 400_000);
});
