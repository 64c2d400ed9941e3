import { Worker } from 'node:worker_threads';

/** How many trials run side by side in one worker: they wait most of the time. */
const perWorker = 9;

/** Spreads jobs over worker threads. A worker that dies fails its jobs, not the self-test. */
export async function inWorkers<Job, Result>(
  script: 'selftest-worker' | 'contract-worker',
  jobs: readonly Job[],
  count: number,
  signal: AbortSignal,
  onResult: (result: { readonly job: Job; readonly result: Result }) => void,
): Promise<void> {
  const todo = [...jobs];
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  await Promise.all(
    Array.from({ length: Math.min(count, Math.ceil(jobs.length / perWorker)) }, async () => {
      const worker = new Worker(new URL(`./${script}.${extension}`, import.meta.url));
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
