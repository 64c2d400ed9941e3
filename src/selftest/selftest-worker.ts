import { setMaxListeners } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../model/thrown.ts';
import { changeOf, type Job } from './accuracy.ts';
import { isWorthKeeping, lineOf } from './lines.ts';
import { makeTrials, nothing, type TrialResult } from './trial.ts';
import { meansOf } from './trial-workers.ts';

// Many requests of many trials listen for one end.
setMaxListeners(0);

const trial = makeTrials(() => meansOf(workerData));
const never = new AbortController().signal;

/** Whether evidence is written at once. In virtual time a trial can be run again, so that what is hardly ever kept costs nothing. */
const isWritten = (job: Job): boolean => workerData === 'http' || (job.kind === 'fault' && job.seed === 1);

async function tried(job: Job, keep: string | undefined): Promise<TrialResult> {
  const of = changeOf(job);
  return trial(
    {
      change: of?.change ?? {},
      ...(of?.settings === undefined ? {} : { settings: of.settings }),
      ...(of?.declares === undefined ? {} : { declares: of.declares }),
      ...(of === undefined || !('publishes' in of) ? {} : { publishes: of.publishes }),
      operations: of?.operations.length === 0 || of === undefined ? ['createCase'] : of.operations,
      seed: job.seed,
      budget: job.budget,
      ...(keep === undefined ? {} : { keep }),
      ...(job.early && of !== undefined && 'breaks' in of ? { until: of.breaks } : {}),
    },
    never,
  ).catch((error: unknown) => nothing(`no report: ${messageOf(error)}`));
}

parentPort?.on('message', async (job: Job) => {
  const result = await tried(job, isWritten(job) ? job.keep : undefined);
  const isMissing = job.keep !== undefined && !isWritten(job) && isWorthKeeping(job, lineOf(job, result));
  parentPort?.postMessage({ job, result: isMissing ? await tried(job, job.keep) : result });
});
