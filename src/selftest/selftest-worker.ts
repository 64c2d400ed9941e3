import { setMaxListeners } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../model/thrown.ts';
import { changeOf, type Job } from './accuracy.ts';
import { makeTrials, nothing } from './trial.ts';
import { meansOf } from './trial-workers.ts';

// Many requests of many trials listen for one end.
setMaxListeners(0);

const trial = makeTrials(() => meansOf(workerData));
const never = new AbortController().signal;

parentPort?.on('message', async (job: Job) => {
  const of = changeOf(job);
  const result = await trial(
    {
      change: of?.change ?? {},
      ...(of?.settings === undefined ? {} : { settings: of.settings }),
      ...(of?.declares === undefined ? {} : { declares: of.declares }),
      ...(of === undefined || !('publishes' in of) ? {} : { publishes: of.publishes }),
      operations: of?.operations.length === 0 || of === undefined ? ['createCase'] : of.operations,
      seed: job.seed,
      budget: job.budget,
      ...(job.keep === undefined ? {} : { keep: job.keep }),
      ...(job.early && of !== undefined && 'breaks' in of ? { until: of.breaks } : {}),
    },
    never,
  ).catch((error: unknown) => nothing(`no report: ${messageOf(error)}`));
  parentPort?.postMessage({ job, result });
});
