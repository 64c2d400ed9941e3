import type { Overrides } from '../config/config.ts';
import type { RunEvent } from '../engine/run.ts';
import type { OperationId } from '../model/contract.ts';
import { formats } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { writeBundle } from './bundle.ts';
import { conduct } from './conduct.ts';
import { selfTestDigest } from './package.ts';
import { checkSelection, openSession } from './session.ts';

/** What to assess. All but the configuration is optional; what is given goes before what the file says. */
export type Assessment = Overrides & {
  /** Path of a configuration, such as `harness.config.yaml`. */
  readonly config: string;
  readonly suites?: readonly string[] | undefined;
  readonly operations?: readonly OperationId[] | undefined;
  /** Ends the run: what was not reached is `not-tested`, and the report is still made. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what happens, with the number of requests sent so far. */
  readonly onEvent?: ((event: RunEvent, requests: number) => void) | undefined;
};

export type Assessed = {
  readonly report: Report;
  /** Folder with the evidence and every report of the run. */
  readonly folder: string;
};

/** The run could not say anything about the target: the harness, a hook or the target itself failed too early. */
export class VoidRun extends Error {
  override readonly name = 'VoidRun';
}

/**
 * Runs the suites against a target, as `assay run` does, and resolves to the report. Nothing is printed.
 * @throws InputError where the configuration or the contract is wrong
 * @throws VoidRun where the run could not begin or its evidence could not be kept
 */
export async function assess(of: Assessment): Promise<Assessed> {
  const { config, suites, operations, signal, onEvent, ...overrides } = of;
  const session = await openSession(config, overrides);
  checkSelection(session, { suites, operations });
  const conducted = await conduct(
    session,
    {
      suites,
      operations,
      selfTest: await selfTestDigest(),
      ...(onEvent === undefined ? {} : { tell: onEvent }),
    },
    signal ?? new AbortController().signal,
  );
  if (conducted.kind === 'void') throw new VoidRun(conducted.because);
  const { folder, clean } = conducted;
  const { report } = conducted.judged();
  await writeBundle(folder, report, formats, clean);
  return { report, folder };
}
