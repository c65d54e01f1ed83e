// The independent verifier in Python against certify, on random and on corrupted mechanisms.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDecimal, rational, toDecimalDown, toDecimalUp } from '../../src/exact/index.js';
import {
  certify,
  compile,
  type Mechanism,
  readMechanism,
  writeMechanism,
} from '../../src/mechanism/index.js';
import { privacyProfile } from '../../src/privacy/index.js';
import { parseNoise } from '../../src/spec/index.js';

import { anyPmf } from '../arbitrary.js';

const script = fileURLToPath(new URL('../../docs/verify.py', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'discreet-verify-'));
  if (spawnSync('python3', ['--version']).status !== 0) {
    execFileSync('apt-get', ['install', '-y', 'python3'], { stdio: 'ignore' });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Verdict = 'holds' | 'fails' | 'invalid';

/** The Python verifier's answers, a line for each file. */
function byPython(files: readonly string[]): Verdict[] {
  const paths = files.map((content, i) => {
    const path = join(folder, `${i}.json`);
    writeFileSync(path, content);
    return path;
  });
  const { stdout, stderr } = spawnSync('python3', [script, ...paths], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => /: (holds|fails|invalid)/.exec(line)![1] as Verdict);
}

function byUs(content: string): Verdict {
  let mechanism: Mechanism;
  try {
    mechanism = readMechanism(content);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return 'invalid';
  }
  return certify(mechanism).holds ? 'holds' : 'fails';
}

/** Claims on either side of the truth, some of them by very little. */
function withClaim(pmf: Mechanism['pmf'], adjacency: number, kind: number, epsilon: string): Mechanism {
  const profile = privacyProfile(pmf, adjacency);
  const base = { pmf, adjacency, origin: {} };
  const sup = profile.supRatio;
  if (kind < 2 && sup.finite) {
    const { lower, upper } = sup.epsilon(100);
    const text = kind === 0 ? toDecimalUp(upper, 20) : toDecimalDown(lower, 20);
    return { ...base, claim: { epsilon: parseDecimal(text), delta: rational(0n) } };
  }
  const { lower, upper } = profile.deltaAt(parseDecimal(epsilon));
  const delta = [
    toDecimalUp(upper, 11),
    toDecimalDown(lower, 11),
    toDecimalDown(upper, 30),
    '0.25',
    '0',
    '1',
  ][kind]!;
  return { ...base, claim: { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta) } };
}

describe('the verifier written from the description alone', () => {
  it('agrees on a thousand random mechanisms', () => {
    const cases = fc.sample(
      fc.tuple(
        anyPmf({ mostWeights: 12 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom('0', '0.1', '0.5', '1', '1.3', '2.25', '4'),
      ),
      1000,
    );
    const files = cases.map(([pmf, m, kind, epsilon]) => writeMechanism(withClaim(pmf, m, kind, epsilon)));
    const ours = files.map(byUs);
    expect(byPython(files)).toEqual(ours);
    // The cases are of both kinds, or the agreement would say little.
    expect(ours.filter((v) => v === 'holds').length).toBeGreaterThan(250);
    expect(ours.filter((v) => v === 'fails').length).toBeGreaterThan(250);
  });

  it('agrees on the example of the description, whose claim holds', () => {
    const page = readFileSync(
      fileURLToPath(new URL('../../docs/mechanism-file.md', import.meta.url)),
      'utf8',
    );
    const [, example] = /```json\n([\s\S]*?)```/.exec(page)!;
    expect(byUs(example!)).toBe('holds');
    expect(byPython([example!, example!.replace('"0.25"', '"0.2"')])).toEqual(['holds', 'fails']);
  });

  it('agrees on corrupted files', () => {
    const cases = fc.sample(
      fc.tuple(
        anyPmf({ mostWeights: 6 }),
        fc.integer({ min: 0, max: 1 << 20 }),
        fc.constantFrom(...'0123456789-."{}[],:eE ntx'),
      ),
      400,
    );
    const files = cases.map(([pmf, place, char]) => {
      const file = writeMechanism(withClaim(pmf, 2, 3, '1'));
      const at = place % file.length;
      return place % 3 === 0
        ? file.slice(0, at) + file.slice(at + 1)
        : file.slice(0, at) + char + file.slice(at + 1);
    });
    const ours = files.map(byUs);
    expect(byPython(files)).toEqual(ours);
    expect(ours.filter((v) => v === 'invalid').length).toBeGreaterThan(100);
  });

  it('agrees on weights and ratios moved by one', () => {
    const cases = fc.sample(
      fc.tuple(anyPmf({ mostWeights: 5, zeros: false }), fc.nat(), fc.constantFrom(-1n, 1n)),
      150,
    );
    const files = cases.map(([pmf, place, by]) => {
      const { claim } = withClaim(pmf, 3, place % 2, '1');
      const weights = pmf.weights.map((w, i) => (i === place % pmf.weights.length ? w + by : w));
      return writeMechanism({ pmf: { ...pmf, weights }, adjacency: 3, claim, origin: {} });
    });
    expect(byPython(files)).toEqual(files.map(byUs));
  });

  it('agrees on compiled families', () => {
    const families = [
      ['laplace:scale=3,mu=0.3', '1', '0'],
      ['laplace:scale=3,mu=0.3', '0.999999999', '0'],
      ['geng-viswanath:epsilon=1,adjacency=3', '1', '0'],
      ['staircase:width=2,ratio=0.5', '1.3862943611198907', '0'],
      ['staircase:width=2,ratio=0.5', '1.3862943611198906', '0'],
      ['gaussian:sigma=3', '1', '0.15'],
      ['gaussian:sigma=3', '1', '0.1'],
      ['exponential:rate=0.2', '5', '0.46'],
      ['exponential:rate=0.2', '5', '0.45'],
    ] as const;
    const files = families.map(([spec, epsilon, delta]) =>
      writeMechanism(
        compile(
          parseNoise(spec, rational(1n), () => []),
          3,
          { epsilon: parseDecimal(epsilon), delta: parseDecimal(delta) },
        ),
      ),
    );
    const ours = files.map(byUs);
    expect(byPython(files)).toEqual(ours);
    expect(ours).toEqual(['holds', 'fails', 'holds', 'holds', 'fails', 'holds', 'fails', 'holds', 'fails']);
  });
});
