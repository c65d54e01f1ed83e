import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const SOURCES = fileURLToPath(new URL('./src/', import.meta.url));
/** As in the package's own "imports", for files of the sources. */
const OWN: Record<string, string> = {
  '#system': 'door/node.ts',
  '#kept': 'ledger/kept/index.ts',
  '#document': 'plot/document.ts',
};

export default defineConfig({
  plugins: [
    {
      name: 'own-imports',
      enforce: 'pre',
      resolveId: (id, importer) =>
        OWN[id] && importer?.startsWith(SOURCES) ? `${SOURCES}${OWN[id]}` : undefined,
    },
  ],
  test: { include: ['test/**/*.test.ts'], testTimeout: 120_000, maxWorkers: 2 },
});
