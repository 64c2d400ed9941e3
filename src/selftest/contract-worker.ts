import { setMaxListeners } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type ContractJob, contractTrial } from './contract-trial.ts';
import { meansOf } from './trial-workers.ts';

// Many requests of many trials listen for one end.
setMaxListeners(0);

parentPort?.on('message', async (job: ContractJob) => {
  parentPort?.postMessage({ job, result: await contractTrial(job, meansOf(workerData)) });
});
