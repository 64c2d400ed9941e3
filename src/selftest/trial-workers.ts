import { Worker } from 'node:worker_threads';
import { inProcess } from '../run/in-process.ts';
import { type Means, usualMeans } from '../run/means.ts';

export type Way = {
  readonly workers: number;
  /** Over HTTP and in real time; else without sockets and in virtual time. */
  readonly http: boolean;
};

/** How many trials run side by side in one worker: in real time they wait most of the time, else only for files. */
const sideBySide = { real: 9, virtual: 2 };

/** Megabytes for what does not last: a trial leaves little else. */
const youngMb = 64;

export function meansOf(data: unknown): Means {
  return data === 'http' ? usualMeans : inProcess();
}

/** Spreads jobs over worker threads. A worker that dies fails its jobs, not the self-test. */
export async function inWorkers<Job, Result>(
  script: 'selftest-worker' | 'contract-worker',
  jobs: readonly Job[],
  { http, workers }: Way,
  signal: AbortSignal,
  onResult: (result: { readonly job: Job; readonly result: Result }) => void,
): Promise<void> {
  const todo = [...jobs];
  const perWorker = http ? sideBySide.real : sideBySide.virtual;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  await Promise.all(
    Array.from({ length: Math.min(workers, Math.ceil(jobs.length / perWorker)) }, async () => {
      const worker = new Worker(new URL(`../selftest/${script}.${extension}`, import.meta.url), {
        workerData: http ? 'http' : undefined,
        resourceLimits: { maxYoungGenerationSizeMb: youngMb },
      });
      const stop = (): void => void worker.terminate();
      signal.addEventListener('abort', stop);
      await new Promise<void>((resolve) => {
        const pending = new Set<Job>();
        const feed = (): void => {
          while (pending.size < perWorker) {
            const job = todo.shift();
            if (job === undefined) break;
            pending.add(job);
            worker.postMessage(job);
          }
          if (pending.size === 0) resolve();
        };
        worker.on('message', ({ job, result }: { readonly job: Job; readonly result: Result }) => {
          for (const one of pending) if (JSON.stringify(one) === JSON.stringify(job)) pending.delete(one);
          onResult({ job, result });
          feed();
        });
        worker.on('error', () => resolve());
        worker.on('exit', () => resolve());
        feed();
      });
      signal.removeEventListener('abort', stop);
      await worker.terminate();
    }),
  );
}
