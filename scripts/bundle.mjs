// The command in few files: a program starts in two thirds of the time where it need not find two hundred. The library's own files
// stay as they are.

import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const path = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
const [from, to] = [path('cli'), path('cli-bundled')];
const { COMMANDS } = await import('../dist/cli/commands.js');

/** What is loaded by name: the program, its commands, and what runs in threads of its own. */
const names = [
  'main',
  ...Object.keys(COMMANDS).map((usage) => usage.split(' ')[0]),
  ...readdirSync(from).flatMap((name) => /^(.*-worker)\.js$/.exec(name)?.[1] ?? []),
];
const bundle = await rolldown({
  input: Object.fromEntries(names.map((name) => [name, join(from, `${name}.js`)])),
  platform: 'node',
  // The package's own names lead to its own files; everything else is somebody else's.
  resolve: { alias: { '#system': path('door/node.js'), '#kept': path('ledger/kept/index.js') } },
  external: (id) => !/^[./#]/.test(id),
});
// All in one folder, at the depth that the files had, from which they find those of the package.
await bundle.write({ dir: to, format: 'esm', chunkFileNames: '_[name]-[hash].js' });
rmSync(from, { recursive: true });
renameSync(to, from);
