// One worker of `discreet simulate`: batches in, distances out.

import { parentPort, workerData } from 'node:worker_threads';
import { type Simulation, simulate } from '../paper/index.js';

parentPort?.on('message', ([from, to]: [number, number]) => {
  parentPort?.postMessage([from, simulate(workerData as Simulation, from, to)]);
});
