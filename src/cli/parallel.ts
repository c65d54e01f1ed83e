// Simulations on all cores. Batches carry their own random streams, so the answer is the same on any number.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { batchesOf, type Simulation, simulate } from '../paper/index.js';

export async function simulateInParallel(
  simulation: Simulation,
  workers: number | undefined,
  progress: (done: number) => void = () => {},
): Promise<Float64Array> {
  const { size, count } = batchesOf(simulation);
  const found = new Float64Array(simulation.runs);
  const threads = Math.min(workers ?? availableParallelism(), count);
  // Small work is done before a thread has started.
  if (threads <= 1 || simulation.runs * simulation.records < 2_000_000) {
    for (let batch = 0; batch < count; batch++) {
      found.set(simulate(simulation, batch, batch + 1), batch * size);
      progress(Math.min(simulation.runs, (batch + 1) * size));
    }
    return found;
  }
  const share = Math.max(1, Math.ceil(count / (threads * 16)));
  let [next, done] = [0, 0];
  await Promise.all(
    Array.from(
      { length: threads },
      () =>
        new Promise<void>((resolve, reject) => {
          const worker = new Worker(new URL('./simulate-worker.js', import.meta.url), {
            workerData: simulation,
          });
          const give = () => {
            if (next >= count) {
              void worker.terminate();
              resolve();
              return;
            }
            worker.postMessage([next, Math.min(count, next + share)]);
            next += share;
          };
          worker.on('message', ([from, values]: [number, Float64Array]) => {
            found.set(values, from * size);
            done += values.length;
            progress(done);
            give();
          });
          worker.on('error', reject);
          give();
        }),
    ),
  );
  return found;
}
