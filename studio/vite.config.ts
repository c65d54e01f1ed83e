// The studio as a static site: relative addresses, so that it runs under any path, and workers as text inside of the page's own code.

import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { defineConfig, type Plugin } from 'vite';
import { HEADER_POLICY, POLICY } from './policy.js';

const WORKER = '?worker-source';

/** `import source from './worker.ts?worker-source'`: the whole worker as one script's text. */
const workerSource: Plugin = {
  name: 'worker-source',
  enforce: 'pre',
  load: async (id) => {
    if (!id.endsWith(WORKER)) return null;
    const bundle = await rolldown({
      input: id.slice(0, -WORKER.length),
      platform: 'browser',
      // Its paths lead to the sources, for types: what is built in is the package as it is shipped.
      tsconfig: false,
      // What is loaded by name in Node is the browser's here.
      resolve: { conditionNames: ['browser', 'import', 'default'] },
    });
    const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false });
    return `export default ${JSON.stringify(output[0].code)};`;
  },
};

/** The policy in the page, and as a file for hosts that take headers from one. */
const policy: Plugin = {
  name: 'policy',
  transformIndexHtml: (html) => html.replace('__POLICY__', POLICY),
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: '_headers',
      source: `/*\n  Content-Security-Policy: ${HEADER_POLICY}\n  Referrer-Policy: no-referrer\n  X-Content-Type-Options: nosniff\n`,
    });
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [workerSource, policy],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/studio',
    emptyOutDir: true,
    target: 'es2022',
    // It would fetch, which the policy forbids.
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
});
