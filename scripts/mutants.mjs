// Plants known bugs one by one in a copy of the project and runs the tests that should see them.
// A bug that no test notices is printed and makes the run fail.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is wrong, the file, the text to replace, its replacement, the tests to run. */
const MUTANTS = [
  [
    'text that stands for a value told where it is',
    'src/release/copy-json-lines.ts',
    'if (!leaves) throw value;',
    'throw value;',
    'test/release/numbers.test.ts',
  ],
  [
    'text that stands for a value released as 0, and nothing said',
    'src/release/copy-with-duckdb.ts',
    'if (held !== null) throw valueAsText(source.shown, held);',
    '',
    'test/release/numbers.test.ts',
  ],
  [
    'a mechanism beside an output that did not appear',
    'src/release/copy-tables.ts',
    '    undo();\n',
    '',
    'test/release/postgres.test.ts',
  ],
  [
    'persons that a column takes for one counted as two',
    'src/release/table.ts',
    "if (type === 'citext') return personSql(`lower(${identifier(name)}::text)`);",
    '',
    'test/release/postgres.test.ts',
  ],
  [
    'a mechanism kept under a hash that is not its own',
    'src/ledger/check.ts',
    "if (typeof text !== 'string' || hash(text) !== own) return 'its text does not have its hash: it was edited';\n",
    '',
    'test/ledger/kept.test.ts',
  ],
  [
    'a release whose mechanism the ledger does not keep',
    'src/ledger/ledger.ts',
    'return { rows: [row], mechanisms: kept };',
    'return { rows: [row] };',
    'test/ledger/kept.test.ts',
  ],
  [
    'an accountant that is not asked whether a release fits',
    'src/ledger/spending.ts',
    'every((releases) => accountant.fits(releases, readCost(budget)))',
    'every(() => true)',
    'test/ledger/ledger.test.ts',
  ],
  [
    "an engine's error taken for a caller's",
    'src/error/error.ts',
    'return error instanceof DiscreetError &&',
    'return error instanceof RangeError &&',
    'test/error',
  ],
  [
    'an output that is there found out after it was paid for',
    'src/release/release.ts',
    '  checkOutputs([...paths(output.path), ...writes], force);\n',
    '',
    'test/door',
  ],
  [
    'values that wrap in a small array',
    'src/door/protect.ts',
    'return value < -limit ? -limit : value >= limit ? limit - 1n : value;',
    'return value;',
    'test/door',
  ],
  [
    'a kept mechanism that is gone, unnoticed',
    'src/ledger/check.ts',
    'entry.kept && gone !== undefined',
    'entry.kept && gone === ""',
    'test/ledger/kept.test.ts',
  ],
  [
    'two entries of one process at once',
    'src/ledger/kept/postgres.ts',
    'last.then(() => told(work))',
    'told(work)',
    'test/ledger/kept.test.ts',
  ],
  [
    'a gzip file read until something else follows',
    'src/release/formats/gzip.ts',
    'if (gunzip.bytesWritten !== size) throw damaged();',
    '',
    'test/release/gzip.test.ts',
  ],
  [
    'a report that fails after the release for a package',
    'src/door/node.ts',
    'await prepareReport();',
    ';',
    'test/package.test.ts',
  ],
  [
    'a damaged gzip file read to its damage',
    'src/release/formats/gzip.ts',
    "startsWith('Z_') ? damaged() : error;",
    "startsWith('Z_') ? new Error() : error;",
    'test/release/gzip.test.ts',
  ],
  [
    'a flag in a message of the library',
    'src/ledger/quote.ts',
    '; leave it out`',
    '; leave --per-person out`',
    'test/architecture.test.ts',
  ],
  [
    'a quote that is followed only from the second piece on',
    'src/release/quotes.ts',
    'pending = true;',
    'inside = false;',
    'test/release/header.test.ts',
  ],
  [
    'a file with quotes cut into pieces',
    'src/release/formats/delimited.ts',
    'parallel = ${quotes.plain()}',
    'parallel = true',
    'test/release/header.test.ts',
  ],
  [
    'an entry that costs less than nothing',
    'src/ledger/valid.ts',
    'return positive ? num > 0n : num >= 0n;',
    'return true;',
    'test/ledger/format.test.ts',
  ],
  [
    'digits of a negative number cut toward zero',
    'src/mechanism/lattice.ts',
    '-(cut ? tenths + 1n : tenths)',
    '-tenths',
    'test/release/lattice.test.ts',
  ],
  [
    'a large number that wraps instead of being held',
    'src/mechanism/lattice.ts',
    "if (size > FAR) return sign === '-' ? -MOST_STEPS : MOST_STEPS;",
    'if (size > FAR) return 0n;',
    'test/release/lattice.test.ts',
  ],
  [
    'text with digits emptied like a word',
    'src/release/copy-json-lines.ts',
    'if (holdsDigit(plain)) throw valueAsText(shown, job.columns[i]!.name);\n',
    '',
    'test/release/numbers.test.ts',
  ],
  [
    'names compared letter by letter',
    'src/spec/names.ts',
    'return a === b || readsAs(a) === readsAs(b);',
    'return a === b;',
    'test/ledger/format.test.ts',
  ],
  [
    'a column of the budget lifted by --pass',
    'src/release/guard.ts',
    '    if (never !== undefined)\n',
    '    if (never !== undefined && !passed.includes(name))\n',
    'test/release/leaving.test.ts',
  ],
  [
    'what an earlier release protected forgotten',
    'src/ledger/spending.ts',
    'const columns = countedReleases(dataset)',
    "const columns = dataset.releases.filter(({ state }) => state === 'open')",
    'test/release/leaving.test.ts',
  ],
  [
    'an input that changed published all the same',
    'src/release/copy-with-duckdb.ts',
    '      source.check();\n',
    '',
    'test/release/opening.test.ts',
  ],
  [
    'a hidden file that all can read',
    'src/files/hidden.ts',
    "openSync(hidden, 'wx+', 0o600)",
    "openSync(hidden, 'wx+')",
    'test/release/opening.test.ts',
  ],
  [
    'a ledger with two names accepted',
    'src/ledger/kept/one-path.ts',
    'if (found && found.nlink > 1)',
    'if (found && found.nlink > 2)',
    'test/ledger/place.test.ts',
  ],
  [
    'a named ledger begun where there is none',
    'src/cli/ledger-opening.ts',
    "openToWrite(found, namedBy === null ? 'existing or new' : 'existing')",
    "openToWrite(found, 'existing or new')",
    'test/ledger/place.test.ts',
  ],
  [
    'a share that is not divided by the rows',
    'src/release/noise.ts',
    'divide(whole, integer(rows))',
    'divide(whole, integer(Math.min(rows, 1)))',
    'test/release/noise.test.ts',
  ],
  [
    'an expression taken for a column of a table',
    'src/release/table.ts',
    "c.relkind IN ('r', 'p')",
    "c.relkind IN ('r', 'p', 'v')",
    'test/release/queries.test.ts',
  ],
  [
    'one column of a table selected twice',
    'src/release/table.ts',
    'if (tableID !== 0 && same !== i)',
    'if (tableID !== 0 && same > i)',
    'test/release/queries.test.ts',
  ],
  [
    'noise centred the wrong way',
    'src/mechanism/centre.ts',
    'mixedWithNext(shifted, share, (1n << SHARE_BITS) - share)',
    'mixedWithNext(shifted, (1n << SHARE_BITS) - share, share)',
    'test/mechanism/centre.test.ts',
  ],
  [
    'a coin of the exponential mechanism decided too early',
    'src/random/exponential-mechanism.ts',
    'rational(36n, 25n)',
    'rational(37n, 25n)',
    'test/random/sampler.test.ts',
  ],
  [
    'clamping left out of what readers are told',
    'src/release/published.ts',
    'const off = Math.min(Math.max(rounded, least), most);',
    'const off = rounded;',
    'test/release/noise.test.ts',
  ],
  [
    'a text that is rounded to the lattice in SQL',
    'src/release/lattice-sql.ts',
    '(\\\\.[0-9]{0,${places}}0*)?',
    '(\\\\.[0-9]*)?',
    'test/release/lattice.test.ts',
  ],
  [
    'halves rounded away from zero',
    'src/mechanism/lattice.ts',
    'return within(floorDivide(2n * value + 10n * unit, 20n * unit));',
    'return within(value < 0n ? -floorDivide(-2n * value + 10n * unit, 20n * unit) : floorDivide(2n * value + 10n * unit, 20n * unit));',
    'test/release/lattice.test.ts',
  ],
  [
    'a clamp that turns NULL into a bound',
    'src/release/lattice-sql.ts',
    'return `CASE WHEN ${index} IS NOT NULL THEN ${valueSql(`CAST(${sum} AS BIGINT)`, lattice)} END`;',
    'return valueSql(`CAST(${sum} AS BIGINT)`, lattice);',
    'test/release/lattice.test.ts',
  ],
  [
    'noise of a chunk used again',
    'src/release/engine.ts',
    '        vector.flush();',
    '        const kept = globalThis as unknown as { last?: bigint[] };\n        for (let i = 0; i < Math.min(64, chunk.rowCount); i++) vector.items[i] = kept.last?.[i] ?? vector.items[i]!;\n        kept.last = [...vector.items.slice(0, 64)];\n        vector.flush();',
    'test/release/law.test.ts',
  ],
  [
    'a mechanism charged at the adjacency it was made for',
    'src/account/charge.ts',
    'const profile = profileOf(mechanism.pmf, adjacency);',
    'const profile = profileOf(mechanism.pmf, mechanism.adjacency);',
    'test/ledger/ledger.test.ts',
  ],
  [
    'what is aborted given back',
    'src/ledger/spending.ts',
    "filter(({ state }) => state !== 'void')",
    "filter(({ state }) => state === 'complete' || state === 'open')",
    'test/ledger/ledger.test.ts',
  ],
  [
    'a part that does not pay for what all parts share',
    'src/ledger/spending.ts',
    'part === null || part === own',
    'part === own',
    'test/ledger/ledger.test.ts',
  ],
  [
    'rows of a person that are not charged',
    'src/account/basic.ts',
    "of === 'rows' ? timesRows(once, times)",
    "of === 'rows' ? timesRows(once, 1)",
    'test/ledger/ledger.test.ts',
  ],
  [
    'a chain that is not followed',
    'src/ledger/entry.ts',
    'if (entry.previous !== previous)',
    'if (entry.previous.length !== previous.length)',
    'test/ledger/ledger.test.ts',
  ],
  [
    'group privacy without its growth',
    'src/account/charge.ts',
    'return divide(subtract(exp(kEpsilon, bits).upper, one), subtract(exp(epsilon, bits).lower, one));',
    'return integer(changes);',
    'test/ledger/ledger.test.ts',
  ],
  [
    'empty cells left out of counts',
    'src/release/count-cells.ts',
    'LEFT JOIN',
    'JOIN',
    'test/release/count.test.ts',
  ],
  [
    'a failed source published as a whole one',
    'src/release/copy-with-duckdb.ts',
    '      await all;\n      signal.throwIfAborted();',
    '      signal.throwIfAborted();',
    'test/release/faults.test.ts',
  ],
  [
    'an input that is invalid charged',
    'src/release/paid.ts',
    "const given = isOurs(error, 'data') && !left;",
    'const given = false;',
    'test/release/refusals.test.ts',
  ],
  [
    'what went to standard output given back',
    'src/release/paid.ts',
    "const given = isOurs(error, 'data') && !left;",
    "const given = isOurs(error, 'data');",
    'test/release/pipes.test.ts',
  ],
  [
    'digits of numeric one place off',
    'src/release/tuples.ts',
    'const weight = digits.length - behind - 1;',
    'const weight = digits.length - behind;',
    'test/release/postgres.test.ts',
  ],
  [
    'going up a level divides twice',
    'src/design/level-function.ts',
    'up = sf + v2 / q;',
    'up = sf + v2 / (q * q);',
    'test/design/level-function.test.ts',
  ],
  [
    'a bound that forgets its rounding and more',
    'src/design/level-function.ts',
    'if (!(x + y >= SLACK * (Math.abs(x) + Math.abs(y)) + TINY)) return false;',
    'if (!(x + y >= -1e-3 * (Math.abs(x) + Math.abs(y)))) return false;',
    'test/design/level-function.test.ts',
  ],
  [
    'the right tail of the transport forgotten',
    'src/design/transport.ts',
    'const right = j < 0 ? 0 : j >= rows ? 1 : tail[rows - j]!;',
    'const right = j <= 0 ? 0 : j >= rows ? 1 : tail[rows - j]!;',
    'test/design/vectors.test.ts',
  ],
  [
    'one direction of shifts forgotten in the programme for δ',
    'src/design/blocks.ts',
    'for (let s = symmetric ? 1 : -m; s <= m; s++) {',
    'for (let s = 1; s <= m; s++) {',
    'test/design/vectors.test.ts',
  ],
  [
    'an empirical distance that counts one side only',
    'src/paper/simulate.ts',
    'change[values[i]! + added[i]! - low]!--;',
    '',
    'test/paper/reproduce.test.ts',
  ],
  [
    'a designed noise with a ratio below e^−ε',
    'src/design/design.ts',
    'q: toNumberUp(enclosed.upper) * (1 + room),',
    'q: toNumberUp(enclosed.upper) * (1 - 1e-9),',
    'test/design/design.test.ts',
  ],
  [
    'the dual of the mean with the wrong sign',
    'src/design/pure.ts',
    'const tilt = problem.unbiased ? penalty * y[transport.rows]! : 0;',
    'const tilt = problem.unbiased ? -penalty * y[transport.rows]! : 0;',
    'test/design/vectors.test.ts',
  ],
  [
    'stairs of the wrong width beyond the window',
    'src/design/integers.ts',
    'return Math.min(levels.length - 1, k + m - 1);',
    'return Math.min(levels.length - 1, k + m - 2);',
    'test/design',
  ],
  [
    'log base 10 for the natural logarithm',
    'src/exact/elementary.ts',
    'return { lower: dyadic(y.lower + multiple.lower, work), upper: dyadic(y.upper + multiple.upper, work) };',
    'return { lower: dyadic(((y.lower + multiple.lower) * 434294n) / 1000000n, work), upper: dyadic(((y.upper + multiple.upper) * 434295n) / 1000000n, work) };',
    'test/exact',
  ],
  [
    'calibration with m / (ε·ln 10)',
    'src/noise/noise.ts',
    'divide(multiply(integer(adjacency), step), epsilon), 15',
    'divide(multiply(integer(adjacency), step), multiply(integer(2), epsilon)), 15',
    'test/mechanism',
  ],
  [
    'one direction of shifts forgotten in the profile',
    'src/privacy/profile.ts',
    '[at(adjacency), at(-adjacency)]',
    '[at(adjacency), at(adjacency)]',
    'test/privacy',
  ],
  [
    'one direction forgotten in the search for the worst shift',
    'src/privacy/largest-shift.ts',
    'add(1, adjacency, -1);',
    '',
    'test/privacy',
  ],
  [
    'Δ forgotten in the pure ε of Laplace',
    'src/noise/laplace.ts',
    'exactly(divide(multiply(integer(adjacency), step), scale))',
    'exactly(divide(integer(adjacency), scale))',
    'test/noise',
  ],
  [
    'Δ forgotten in the Wasserstein distance',
    'src/pmf/distance.ts',
    'return sum * toNumberNear(a.step);',
    'return sum;',
    'test/pmf',
  ],
  [
    'Δ forgotten in the moments',
    'src/pmf/moments.ts',
    'const mean = multiply(pmf.step, all(',
    'const mean = multiply({ num: 1n, den: 1n }, all(',
    'test/pmf test/noise',
  ],
  [
    'a weight off by one',
    'src/noise/geng-viswanath.ts',
    '(i < r ? den : num)',
    '(i < r ? den : i === r ? num - 1n : num)',
    'test/noise test/mechanism',
  ],
  [
    'Theorem 2 with the wrong point in Θ₁',
    'src/privacy/theorem-two.ts',
    'theta0.some((interval) => contains(interval, index))',
    'theta0.some((interval) => contains(interval, leastIndex)) || !(leastIndex >= pmf.from && leastIndex <= lastIndex(pmf))',
    'test/privacy',
  ],
  [
    'the seam of the right tail not checked',
    'src/privacy/sup-ratio.ts',
    'const denominators = [windowLeast[n]!, rightLeast[n]!,',
    'const denominators = [windowLeast[n]!, Number.NaN,',
    'test/privacy',
  ],
  [
    'the seam of the left tail not checked',
    'src/privacy/sup-ratio.ts',
    '-leftLeast[count - 1 - n]!]',
    'Number.NaN]',
    'test/privacy',
  ],
  [
    'a zero inside the window overlooked',
    'src/privacy/sup-ratio.ts',
    'const hole = pmf.weights.indexOf(0n);',
    'const hole = -1;',
    'test/privacy test/mechanism',
  ],
  [
    'a tail that reaches too far back',
    'src/privacy/sup-ratio.ts',
    'Math.max(last + 1, first + n - adjacency, first',
    'Math.max(last + 1, first',
    'test/privacy test/mechanism',
  ],
  [
    'tails left out of the total',
    'src/pmf/pmf.ts',
    "return add(add(rational(sum), tailWeight(pmf, 'left')), tailWeight(pmf, 'right'));",
    'return rational(sum);',
    'test/pmf',
  ],
  [
    'the repeated part of the profile left out',
    'src/privacy/hockey-stick.ts',
    'l.num * left[key] * r.den +',
    '',
    'test/privacy',
  ],
  [
    'a shortcut by the logarithm of a lower bound',
    'src/privacy/hockey-stick.ts',
    'if (inside && upperLogs[a]! - lowerLogs',
    'if (inside && lowerLogs[a]! - lowerLogs',
    'test/privacy',
  ],
  [
    'a sampler that forgets the second word',
    'src/random/draw.ts',
    'at.side === 0 ? words.next() < table.low[at.slot]! : at.side < 0',
    'at.side < 0',
    'test/random/enumeration.test.ts',
  ],
  [
    'a tail that starts one step too far',
    'src/random/draw.ts',
    'base += outward * BigInt(toLeft ? stretch.low : stretch.high);',
    'base += outward * BigInt(toLeft ? stretch.low : stretch.high + 1);',
    'test/random/enumeration.test.ts',
  ],
  [
    'digits that are rounded to nearest',
    'src/random/digits.ts',
    'divideDown((weight * mass.den) << (shift + extra), mass.num)',
    'divideDown(((weight * mass.den) << (shift + extra)) + mass.num / 2n, mass.num)',
    'test/random/enumeration.test.ts',
  ],
  [
    'a score ratio rounded up',
    'src/random/exponential-mechanism.ts',
    'rational((lower.num << BigInt(RATIO_BITS)) / lower.den, 1n << BigInt(RATIO_BITS))',
    'rational((lower.num << BigInt(RATIO_BITS)) / lower.den + (1n << 50n), 1n << BigInt(RATIO_BITS))',
    'test/random/sampler.test.ts',
  ],
  [
    'ratios rounded toward more loss',
    'src/noise/_geometric-tail.ts',
    'divideUp(ideal.upper.num << shift, ideal.upper.den)',
    'ideal.lower.num * (1n << shift) / ideal.lower.den',
    'test/noise test/mechanism',
  ],
  [
    'exp rounded to the wrong side below zero',
    'src/exact/elementary.ts',
    '- (x.num < 0n ? 1n : 0n)',
    '+ (x.num < 0n ? 1n : 0n)',
    'test/exact',
  ],
  [
    'a search that takes unimodality for granted',
    'src/pmf/pmf.ts',
    'if (weights[i + 1]! > weights[i]!) return false;\n',
    ';\n',
    'test/pmf test/privacy',
  ],
  [
    'the order of a quantile',
    'src/pmf/moments.ts',
    'compare(cumulative(k).lower, wanted) >= 0',
    'compare(cumulative(k).lower, wanted) > 0',
    'test/pmf',
  ],
  [
    'a ceiling for a floor in the floor discretisation',
    'src/noise/laplace.ts',
    'const index = floor(divide(mu, step));',
    'const index = floor(divide(mu, step)) + 1n;',
    'test/noise',
  ],
  [
    'verify that takes the file at its word',
    'src/mechanism/certify.ts',
    'holds: profile.satisfies(claim.epsilon, claim.delta)',
    'holds: true',
    'test/mechanism',
  ],
  [
    'a figure rounded down',
    'src/exact/decimal.ts',
    'return significant(x, digits, divideUp);',
    'return significant(x, digits, divideDown);',
    'test/exact',
  ],
];

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'discreet-mutants-'));
let survivors = 0;
try {
  for (const name of [
    'src',
    'test',
    'scripts',
    'tsconfig.build.json',
    'docs',
    'proofs',
    'examples',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'README.md',
    'REFERENCES.md',
  ]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [title, file, from, to, tests] of MUTANTS) {
    if (asked.length > 0 && !asked.some((word) => title.includes(word))) continue;
    const path = join(folder, file);
    const original = readFileSync(path, 'utf8');
    if (!original.includes(from)) {
      process.stdout.write(`GONE      ${title}: ${file} has changed, plant it anew\n`);
      survivors++;
      continue;
    }
    writeFileSync(path, original.replace(from, to));
    // Tests of releases, ledgers, the front door and the package run what is built.
    if (/test\/(?:release|ledger|door|package)/.test(tests))
      spawnSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: folder, stdio: 'ignore' });
    const { status } = spawnSync(
      'npx',
      ['vitest', 'run', '--bail', '1', '--testTimeout', '60000', ...tests.split(' ')],
      { cwd: folder, encoding: 'utf8', timeout: 240_000 },
    );
    writeFileSync(path, original);
    if (status === 0) survivors++;
    process.stdout.write(`${status === 0 ? 'SURVIVED ' : 'caught   '} ${title}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(survivors === 0 ? 0 : 1);
