// With the first touch of the page all that it may need later is loaded, so that it goes on without a connection, and so that what is
// loaded, and when, does not tell what somebody does.

const PARTS = [
  () => import('./design/room.js'),
  () => import('./explore/room.js'),
  () => import('./check/room.js'),
  () => import('./protect/worker.ts?worker-source'),
  () => import('./protect/report-page.js'),
  () => import('./protect/parquet-worker.ts?worker-source'),
  () => import('./design/worker.ts?worker-source'),
  () => import('./explore/split-worker.ts?worker-source'),
  () => import('./explore/worker.ts?worker-source'),
  () => import('./check/parquet-worker.ts?worker-source'),
  () => import('./check/worker.ts?worker-source'),
  () => import('../../examples/doctor-visits.csv?raw'),
];

const SIGNS = ['pointerdown', 'keydown', 'dragenter', 'change'];

export function preloadOnce(): void {
  const load = async () => {
    for (const sign of SIGNS) removeEventListener(sign, load, true);
    // One after the other, so that what is asked for comes first. What fails is tried again where it is needed.
    for (const part of PARTS) await part().catch(() => undefined);
  };
  for (const sign of SIGNS) addEventListener(sign, load, true);
}
