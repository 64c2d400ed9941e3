import type { Overrides } from '../config/config.ts';
import type { RunEvent } from '../engine/run.ts';
import { formats } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { writeBundle } from './bundle.ts';
import { conduct } from './conduct.ts';
import { writeCreated } from './created.ts';
import { selfTestDigest } from './package.ts';
import { type Narrowing, narrowed } from './selection.ts';
import { openSession } from './session.ts';
import { VoidRun } from './void-run.ts';

/** What to assess. Only the configuration is required; the other members override it. */
export type Assessment = Overrides &
  Omit<Narrowing, 'lastFailed'> & {
    /** Path of a configuration, such as `harness.config.yaml`. */
    readonly config: string;
    readonly bail?: number | undefined;
    /** Ends the run: what was not reached is `not-tested`, and the report is still made. */
    readonly signal?: AbortSignal | undefined;
    /** Called at each event, with the number of requests sent so far. */
    readonly onEvent?: ((event: RunEvent, requests: number) => void) | undefined;
  };

export type Assessed = {
  readonly report: Report;
  readonly folder: string;
};

/**
 * Runs the suites against a target, as `assay run` does, and resolves to the report. Nothing is printed.
 * @throws InputError where the configuration or the contract is wrong
 * @throws VoidRun where the run could not begin or its evidence could not be kept
 */
export async function assess(of: Assessment): Promise<Assessed> {
  const { bail, clauses, config, onEvent, operations, paths, signal, suites, tags, ...overrides } = of;
  const session = await openSession(config, overrides);
  const selection = await narrowed(session, { suites, operations, clauses, tags, paths });
  const conducted = await conduct(
    session,
    {
      ...selection,
      bail,
      selfTest: await selfTestDigest(),
      ...(onEvent === undefined ? {} : { onEvent }),
    },
    signal ?? new AbortController().signal,
  );
  if (conducted.kind === 'void') throw new VoidRun(conducted.because);
  const { folder, clean } = conducted;
  const { created, report } = conducted.judged();
  await writeBundle(folder, report, formats, clean);
  await writeCreated(folder, clean, created);
  return { report, folder };
}
