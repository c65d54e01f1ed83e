// docs/verify-ledger.py on many exports at once.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const VERIFIER = fileURLToPath(new URL('../../docs/verify-ledger.py', import.meta.url));

/** Each file is verified as by a process of its own; whatever else ends the program is told as it is. */
const DRIVER = `
import contextlib, io, json, runpy, sys
class Told(io.StringIO):
    def reconfigure(self, **how): pass
told = []
for path in list(sys.argv[1:]):
    sys.argv[1:], code, out = [path], None, Told()
    try:
        with contextlib.redirect_stdout(out):
            runpy.run_path("${VERIFIER}", run_name="__main__")
    except SystemExit as end:
        code = end.code
    except BaseException as error:
        out.write(repr(error))
    told.append([code, out.getvalue()])
print(json.dumps(told))
`;

/** Exit code and words for each; null is a traceback. */
export function verified(
  at: (name: string) => string,
  ledgers: readonly (readonly string[])[],
): [code: number | null, told: string][] {
  const paths = ledgers.map((lines, i) => {
    const path = at(`ledger-${i}.jsonl`);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  });
  const { stdout, stderr } = spawnSync('python3', ['-c', DRIVER, ...paths], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
