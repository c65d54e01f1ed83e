// Benchmarks by name: `npm run bench -- privacy`. Without a name, all of them.

import { readdirSync } from 'node:fs';

const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs' && !file.startsWith('_'))
  .map((file) => file.slice(0, -4));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`unknown benchmark ${unknown.join(', ')}; known are ${names.join(', ')}\n`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : names) await (await import(`./${name}.mjs`)).run();
