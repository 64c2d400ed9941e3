import type { Overrides } from '../config/config.ts';
import { boundText } from '../engine/estimate.ts';
import { shardName } from '../evidence/shards.ts';
import type { Report } from '../report/report.ts';
import { conduct } from '../run/conduct.ts';
import { signingKeys } from '../run/keys.ts';
import { type Means, usualMeans } from '../run/means.ts';
import { selfTestDigest } from '../run/package.ts';
import { checkSame, type Resumable } from '../run/resume.ts';
import { type Narrowing, narrowed } from '../run/selection.ts';
import { openSession, type ReferenceChange } from '../run/session.ts';
import { type Shard, seedOfRun } from '../run/shard.ts';
import type { Conduct } from '../run/work.ts';
import type { Ending } from './conclude.ts';
import { type Output, warnOfContract } from './terminal/output.ts';
import { makeProgress, type Progress } from './terminal/progress.ts';

export type RunFlags = Omit<Narrowing, 'lastFailed'> &
  Ending & {
    readonly overrides: Overrides;
    /** Only what the newest run in the folder of the runs violated. */
    readonly lastFailed?: boolean | undefined;
    /** A run that did not come to its end, to go on with. */
    readonly resume?: Resumable | undefined;
    readonly shard?: Shard | undefined;
    readonly bail?: number | undefined;
    readonly quiet: boolean;
    readonly keys?: readonly string[] | undefined;
    /** What an auditor gave, so that the run cannot be an older one. */
    readonly challenge?: string | undefined;
    /** Name of the run's folder; by default it is made from the start time. */
    readonly runName?: string | undefined;
    readonly reference?: ReferenceChange;
    /** Called at each event, with the number of requests sent by then. */
    readonly onEvent?: NonNullable<Conduct['onEvent']>;
    /** What the run works with, in place of the usual. */
    readonly means?: Means;
  };

/** After so many milliseconds a run says that it still makes its plan: that of most contracts is made by then. */
const plannedMs = 2000;

/**
 * A conformance run from its configuration to its exit code.
 * @throws InputError where it cannot begin, StoppedPlanning where the signal ends the reading of the contract (both exit 2)
 */
export async function run(
  file: string,
  flags: RunFlags,
  output: Output,
  signal: AbortSignal,
): Promise<{ readonly exitCode: number; readonly report: Report | undefined }> {
  const opened = await openSession(file, flags.overrides, flags.reference?.declares, undefined, signal);
  const session =
    flags.shard === undefined || opened.config.seed !== undefined
      ? opened
      : { ...opened, seed: seedOfRun(flags.shard.run) };
  const { config, contract } = session;
  if (flags.resume !== undefined) checkSame(flags.resume, session);
  const selection = await narrowed(session, {
    ...flags,
    lastFailed: flags.lastFailed === true ? config.output : undefined,
  });
  // What renders reports is loaded when there is something to report: the first request need not wait for it.
  const conclusion = (): Promise<typeof import('./conclude.ts')> => import('./conclude.ts');
  const earlier =
    flags.against === undefined && flags.gate === undefined
      ? undefined
      : await (await conclusion()).earlierReport(flags);
  const keys = await signingKeys(flags.keys ?? [], process.env);
  const means = flags.means ?? usualMeans;
  let progress: Progress | undefined;
  let slow: NodeJS.Timeout | undefined;
  const { length } = contract.operations;
  const operationCount = `${length} ${length === 1 ? 'operation' : 'operations'}`;
  const conducted = await conduct(
    session,
    {
      ...selection,
      bail: flags.bail,
      resume: flags.resume,
      shard: flags.shard,
      reference: flags.reference,
      selfTest: await selfTestDigest(),
      challenge: flags.resume?.header.challenge ?? flags.challenge,
      runName: flags.runName,
      planning: () => {
        if (flags.quiet) return;
        const said = `assay: still making the plan: the contract has ${operationCount}\n`;
        slow = setTimeout(() => output.err(said), plannedMs);
      },
      begin: ({ probes, prepared, rehearsed, target, now, spent }) => {
        clearTimeout(slow);
        if (flags.quiet) return;
        progress = makeProgress(output, now, spent);
        warnOfContract(contract, output);
        output.err(
          `assay: ${flags.shard === undefined ? '' : `shard ${shardName(flags.shard)} of run ${flags.shard.run}: `}${probes} probes on ${operationCount} of ${target}, seed ${session.seed}, budget ${config.budget}\n`,
        );
        for (const id of rehearsed.accepted.keys())
          output.err(
            `assay: ${id} refused its smallest valid body and accepted another one, which is used instead; operations.${id}.examples can name a better one\n`,
          );
        for (const [id, { first }] of prepared)
          output.err(
            `assay: ${id} refused new records and accepted those ${first.length === 0 ? 'that were made with more in them' : `on which ${first.join(' and ')} came first`}; operations.${id}.targets can name better ones\n`,
          );
        for (const id of rehearsed.refused)
          output.err(
            `assay: ${id} refused every valid body that was tried; give one that it accepts under operations.${id}.examples\n`,
          );
      },
      onEvent: (event, requests) => {
        flags.onEvent?.(event, requests);
        progress?.show(event);
      },
    },
    signal,
    means,
  );
  clearTimeout(slow);
  progress?.end();
  if (conducted.kind === 'void') {
    output.err(`assay: ${conducted.because}\n`);
    return { exitCode: 2, report: undefined };
  }
  if (!flags.quiet && conducted.ended === 'complete')
    output.err(
      `assay: took ${conducted.seconds.toFixed(1)} s; this plan takes at least ${boundText(conducted.bound)}\n`,
    );
  const unsaid = flags.quiet ? undefined : (await import('./proposals.ts')).unsaidEffects(contract);
  if (unsaid !== undefined) output.err(`assay: ${unsaid}\n`);
  const { folder, clean } = conducted;
  const { report, failures, created } = conducted.judged();
  progress?.settle(new Set([...report.violations, ...report.advisories].map(({ id }) => id)));
  for (const failure of failures)
    output.err(`assay: the harness itself failed, which says nothing about the target: ${clean(failure)}\n`);
  const { conclude } = await conclusion();
  const exitCode = await conclude({ folder, report, clean, created }, { ...flags, keys, earlier }, output);
  return { exitCode, report };
}
