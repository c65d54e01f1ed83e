// Assembles src/solve/kernels.wat: `node scripts/kernels.mjs` writes src/solve/kernels-bytes.ts anew.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import wabt from 'wabt';

const source = new URL('../src/solve/kernels.wat', import.meta.url);
const target = new URL('../src/solve/kernels-bytes.ts', import.meta.url);

/** The module that goes with the text. */
export async function assembled() {
  const { parseWat } = await wabt();
  const module = parseWat('kernels.wat', readFileSync(source, 'utf8'), { simd: true, bulk_memory: true });
  module.validate();
  const bytes = Buffer.from(module.toBinary({}).buffer).toString('base64');
  return `// Made from kernels.wat by scripts/kernels.mjs.\n\nexport const KERNELS =\n  '${bytes}';\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(target, await assembled());
