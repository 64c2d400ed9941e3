import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reachedLimit } from '../engine/bursts.ts';
import { limitedBy, type Plan, type PlannedProbe } from '../engine/plan.ts';
import { bodiesIn, preparedIn } from '../engine/preparing.ts';
import type { EarlierWork, Observed } from '../engine/pursue.ts';
import { type AcceptedBodies, acceptedIn } from '../engine/rehearsal.ts';
import { hindrances, isSpoiled } from '../engine/spoiled.ts';
import type { HeaderLine, PlanLine, SegmentLine } from '../evidence/log.ts';
import { logLineOf } from '../evidence/log-line.ts';
import { isRegularFile } from '../evidence/regular-file.ts';
import { type LogEntry, replay } from '../evidence/replay.ts';
import { evidenceFormat } from '../evidence/schema.ts';
import type { Earlier } from '../evidence/write.ts';
import type { Violation } from '../judge.ts';
import type { Trace, TraceId } from '../model/exchange.ts';
import { type InputError, trouble } from '../model/input-error.ts';
import type { Preparations } from '../suite-kit/preparation.ts';
import { evidenceFile } from './bundle.ts';
import { harness } from './package.ts';
import type { Session } from './session.ts';

/** The evidence of an unfinished run, as far as it goes. */
export type Resumable = {
  readonly folder: string;
  readonly header: HeaderLine;
  readonly plan: PlanLine;
  readonly segments: readonly SegmentLine[];
  /** All entries after the header, in their order. */
  readonly entries: readonly Exclude<LogEntry, { readonly kind: 'header' | 'shard' | 'footer' }>[];
  readonly earlier: Earlier;
  readonly exchanges: number;
  readonly traces: number;
  /** The highest number of a trace, including those in flight. */
  readonly lastTrace: number;
  /** Milliseconds since the start of the run, at the end of the last exchange. */
  readonly endedAt: number;
  /** Milliseconds that it was running. */
  readonly activeMs: number;
};

/** Reads a log without a footer, or whose footer says that the run was cut short. @throws InputError */
export async function readResumable(folder: string): Promise<Resumable> {
  const file = join(folder, evidenceFile);
  const refuse = (problem: string, remedy: string): InputError => trouble(file, problem, remedy);
  const bytes = (await isRegularFile(file)) ? await readFile(file).catch(() => undefined) : undefined;
  if (bytes === undefined)
    throw refuse('there is no such log', 'name the folder of a run, such as reports/<run>');
  const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  const entries: Resumable['entries'][number][] = [];
  const segments: SegmentLine[] = [];
  let header: HeaderLine | undefined;
  let ended: 'complete' | 'interrupted' | 'budget' | undefined;
  let exchanges = 0;
  let traces = 0;
  let lastTrace = 0;
  let endedAt = 0;
  let from = 0;
  let activeMs = 0;
  const numberOf = (id: TraceId): number => Number(/^t(?:(?:\d+|last)-)?(\d+)$/.exec(id)?.[1] ?? 0);
  const log = replay(file);
  for await (const each of log.entries) {
    if (each.kind === 'header') {
      header = each.header;
      continue;
    }
    if (each.kind === 'shard')
      throw refuse('it is merged from shards', 'resume the shard that was cut short, then merge again');
    if (each.kind === 'footer') {
      ended = each.footer.end;
      continue;
    }
    entries.push(each);
    if (each.kind === 'segment') {
      segments.push(each.segment);
      ended = undefined;
      activeMs += endedAt - from;
      from = each.segment.at;
      endedAt = Math.max(endedAt, from);
    } else if (each.kind === 'exchange') {
      exchanges += 1;
      endedAt = Math.max(endedAt, each.exchange.endedAt);
      lastTrace = Math.max(lastTrace, numberOf(each.exchange.trace));
    } else if (each.kind === 'trace') {
      traces += 1;
      lastTrace = Math.max(lastTrace, numberOf(each.trace.id));
    }
  }
  const plan = header === undefined ? undefined : planIn(whole, header.format);
  if (header === undefined || plan === undefined)
    throw refuse('it ends before its plan, so there is nothing to resume', 'run again');
  if (ended === 'complete') throw refuse('the run came to its end', 'run again');
  // A writer that is killed leaves a torn line at the end, and no footer; nothing else.
  const torn = bytes.length > whole.length;
  const damage = log.problems.filter(
    ({ problem }) =>
      problem !== 'there is no footer: the run did not end' &&
      !(torn && problem === 'the line is torn: the writer was killed'),
  );
  const [first] = damage;
  if (first !== undefined)
    throw refuse(`line ${first.line}: ${first.problem}`, 'an altered log cannot be resumed; run again');
  return {
    folder,
    header,
    plan,
    segments,
    entries,
    earlier: {
      bytes: whole.length,
      lines: whole.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0),
      hash: createHash('sha256').update(whole),
    },
    exchanges,
    traces,
    lastTrace,
    endedAt,
    activeMs: activeMs + endedAt - from,
  };
}

/** The plan of a log: it follows the header and the exchanges of preflight. */
function planIn(whole: Buffer, format: HeaderLine['format']): PlanLine | undefined {
  const from = whole.indexOf('{"line":"plan"');
  if (from < 0) return undefined;
  const line = logLineOf(whole.subarray(from, whole.indexOf(10, from)).toString('utf8'), format);
  return line?.line === 'plan' ? line : undefined;
}

/** A run must be resumed with the inputs that it began with. @throws InputError where it is not */
export function checkSame({ folder, header }: Resumable, session: Session): void {
  const { config, contract, seed, suitesDigest } = session;
  const changed = [
    ...(config.target.baseUrl === undefined
      ? ['the embedded reference service ended with the run, and its records with it']
      : []),
    ...(config.digest === header.configuration.digest ? [] : ['the configuration was changed']),
    ...(contract.digest === header.contract.digest ? [] : ['the contract was changed']),
    ...(suitesDigest === header.suites.digest ? [] : ['the suites were changed']),
    ...(seed === header.seed ? [] : ['the seed was changed']),
    ...(harness().version === header.harness.version && header.format === evidenceFormat
      ? []
      : [`it began with version ${header.harness.version}`]),
  ];
  if (changed.length > 0)
    throw trouble(folder, `the run cannot be resumed: ${changed.join('; ')}`, 'run again');
}

/** The bodies that the target accepted in place of plain ones, as far as a run came. */
export function acceptedBefore(resume: Resumable | undefined): AcceptedBodies {
  return new Map([...acceptedIn(tracesOf(resume)), ...bodiesIn(tracesOf(resume))]);
}

/** What target records needed, as far as a run came. */
export function preparedBefore(resume: Resumable | undefined): Preparations {
  return preparedIn(tracesOf(resume));
}

function tracesOf(resume: Resumable | undefined): readonly Trace[] {
  return (resume?.entries ?? []).flatMap((entry) => (entry.kind === 'trace' ? [entry.trace] : []));
}

const probeKey = (suite: string, probe: string, seed: number): string => `${suite} ${probe} ${seed}`;

/** The part of a plan that the log names. @throws InputError where the log names more */
export function plannedBefore({ folder, plan }: Resumable, now: Plan): Plan {
  const known = new Map(
    now.probes.map((planned) => [probeKey(planned.suite, planned.probe.id, planned.seed), planned]),
  );
  const probes = plan.probes.flatMap(({ scenarios, probe, random, seed, suite }) => {
    const planned = known.get(probeKey(suite, probe, seed));
    const same =
      planned?.probe.scenarios.length === scenarios && (planned.probe.random?.runs ?? 0) === random;
    return planned !== undefined && same ? [planned] : [];
  });
  if (probes.length < plan.probes.length)
    throw trouble(folder, 'the run cannot be resumed: its plan has changed', 'run again');
  return { probes, skips: [] };
}

export type Restored = {
  readonly trace: Trace;
  readonly violations: readonly Violation[];
  readonly read: boolean;
};

/** The work that the engine need not repeat. */
export function earlierWork(plan: Plan, restored: readonly Restored[]): EarlierWork {
  const known = new Map(
    plan.probes.map((planned) => [probeKey(planned.suite, planned.probe.id, planned.seed), planned]),
  );
  const plannedOf = ({ probe, seed, suite }: Trace): PlannedProbe | undefined =>
    known.get(probeKey(suite, probe, seed));
  const tries = new Map<string, Restored[]>();
  const violated = new Map<TraceId, ReadonlySet<string>>();
  const cellsOf = (violations: readonly Violation[]): readonly string[] =>
    violations.map(({ clause, ruling }) => `${clause.code} ${ruling.operation}`);
  for (const each of restored) {
    const { trace, violations } = each;
    violated.set(trace.id, new Set(cellsOf(violations)));
    if (trace.purpose !== 'first' || plannedOf(trace) === undefined) continue;
    const key = `${probeKey(trace.suite, trace.probe, trace.seed)} ${trace.scenarioIndex}`;
    tries.set(key, [...(tries.get(key) ?? []), each]);
  }
  return {
    isDone: ({ probe, seed, suite }, scenarioIndex) =>
      isFinished(probe, tries.get(`${probeKey(suite, probe.id, seed)} ${scenarioIndex}`) ?? []),
    pending: restored.flatMap(({ read, trace }) => {
      const planned = plannedOf(trace);
      return read || planned === undefined ? [] : [{ trace, planned }];
    }),
    doubts: restored.flatMap(
      ({ trace, violations }): readonly (Observed & { readonly planned: PlannedProbe })[] => {
        const planned = plannedOf(trace);
        return trace.purpose !== 'first' || violations.length === 0 || planned === undefined
          ? []
          : [{ trace, violations, planned }];
      },
    ),
    confirmed: restored.flatMap(({ trace: { repeats }, violations }) =>
      repeats === undefined ? [] : cellsOf(violations).filter((cell) => violated.get(repeats)?.has(cell)),
    ),
    markers: restored.flatMap(({ trace }) => Object.values(trace.bound.markers)),
  };
}

/** Whether the attempts at a scenario are complete; one that was disturbed is tried again. */
function isFinished(probe: PlannedProbe['probe'], attempts: readonly Restored[]): boolean {
  const whole = attempts.filter(({ trace }) => trace.ended === 'complete');
  const last = whole.at(-1);
  if (last === undefined) return false;
  if (limitedBy({ probe }) !== undefined)
    return reachedLimit(last.trace) && last.trace.hooks['quiet'] === undefined;
  if (!isSpoiled(last)) return true;
  const before = whole.at(-2);
  const met = hindrances(last.trace);
  return (
    last.trace.attempt >= mostAgain ||
    (before !== undefined && met !== '' && hindrances(before.trace) === met)
  );
}

/** As in the engine: how often a disturbed scenario is tried again. */
const mostAgain = 2;
