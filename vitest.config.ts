import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const SOURCES = fileURLToPath(new URL('./src/', import.meta.url));
/** As in the package's own "imports", for files of the sources. */
const OWN: Record<string, string> = {
  '#system': 'door/node.ts',
  '#kept': 'ledger/kept/index.ts',
};

/** What takes longest comes first, so that nobody waits for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => /spark|faults|postgres|studio/.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  plugins: [
    {
      name: 'own-imports',
      enforce: 'pre',
      resolveId: (id, importer) =>
        OWN[id] && importer?.startsWith(SOURCES) ? `${SOURCES}${OWN[id]}` : undefined,
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['test/setup.ts'],
    // One more than cores there are in CI: tests wait for programs they start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
