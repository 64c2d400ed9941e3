import { type Contract, operationOf } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { PrincipalName } from '../model/principal.ts';
import { isAccepted, isQueued, sentJson } from '../model/response.ts';
import { type Scenario, type Step, stepsOf, stepsOfWave } from '../model/scenario.ts';
import { sharedRecords } from './turns.ts';

/** What is known of the last commands on a shared record. Times are those of the clock of the run, in milliseconds. */
export type LastWrite = {
  /** When the last one ended; one without a response may have acted until its attempt ended. */
  readonly endedAt: number;
  /** One was queued, and may still act. */
  readonly queued: boolean;
  /** When the last one ended that was accepted, and changed something. */
  readonly acceptedAt?: number | undefined;
  /** The markers one of which shows it: of several that overlapped any can be last, and each caller may have its own record. */
  readonly markers: readonly Written[];
};

type Written = { readonly marker: string | undefined; readonly by: PrincipalName; readonly endedAt: number };

/** By the record. Who has one alone need not wait longer for its reads than these tell. */
export type LastWrites = Map<string, LastWrite>;

/** What an attempt has sent so far. */
export type Sent = {
  readonly scenario: Scenario;
  readonly exchanges: readonly Exchange[];
  readonly markers: Readonly<Record<string, string>>;
};

/** The present time, and the settling time of reads, in milliseconds. */
export type Settling = { readonly now: number; readonly settleMs: number };

/** Notes the commands of an attempt that has ended. */
export function noteWrites(writes: LastWrites, contract: Contract, sent: Sent, settling: Settling): void {
  for (const { record } of sharedRecords(contract, sent.scenario)) {
    const last = lastWrite(writes, contract, { ...sent, record }, settling);
    if (last !== undefined) writes.set(record, last);
  }
}

/** What is known of a record, with what an attempt has sent to it so far. */
export function lastWrite(
  writes: LastWrites,
  contract: Contract,
  { exchanges, markers, record, scenario }: Sent & { readonly record: string },
  { now, settleMs }: Settling,
): LastWrite | undefined {
  const steps = stepsOf(scenario.waves).filter((step) =>
    sharedRecords(contract, { ...scenario, waves: [{ steps: [step] }] }).some((use) => use.record === record),
  );
  const ids = new Set(steps.map(({ id }) => id));
  const done = new Set<string>();
  let last = writes.get(record);
  for (const { answer, endedAt, principal, request, startedAt } of exchanges
    .filter(({ step }) => ids.has(step))
    .toSorted((one, other) => one.endedAt - other.endedAt)) {
    const marker = markerIn(request, markers);
    // An equal one changes nothing more.
    const changes = answer !== undefined && isAccepted(answer) && !(marker !== undefined && done.has(marker));
    if (changes && marker !== undefined) done.add(marker);
    const settled = last !== undefined && startedAt >= last.endedAt + settleMs;
    const before = last?.markers ?? [];
    const kept = before.filter((one) => one.by !== principal || startedAt < one.endedAt);
    last = {
      endedAt: Math.max(last?.endedAt ?? 0, answer === undefined ? now : endedAt),
      queued: isQueued(answer) || (last?.queued === true && !settled),
      acceptedAt: changes ? Math.max(last?.acceptedAt ?? 0, endedAt) : last?.acceptedAt,
      // One without a response may have changed something.
      markers: changes || answer === undefined ? [...kept, { marker, by: principal, endedAt }] : before,
    };
  }
  return last;
}

/** A body may be written in escapes. */
function markerIn(request: Exchange['request'], markers: Sent['markers']): string | undefined {
  const sent = sentJson(request);
  const body = sent === undefined ? request.body : JSON.stringify(sent);
  return Object.values(markers).find((marker) => body?.includes(marker) === true);
}

/**
 * When the last command ended that the first reads of a scenario may still not show; undefined where that is not known, as for
 * lists, which other scenarios make longer.
 */
export function lastWriteBefore(
  writes: LastWrites,
  contract: Contract,
  scenario: Scenario,
): number | undefined {
  const records = recordsReadFirst(contract, scenario);
  const ends = records?.map((record) => writes.get(record)?.endedAt) ?? [];
  return ends.length === 0 || ends.includes(undefined)
    ? undefined
    : Math.max(...ends.flatMap((end) => end ?? []));
}

/** Shared records that alone are read before any command, each of which the scenario has alone; undefined where others are too. */
export function recordsReadFirst(contract: Contract, scenario: Scenario): readonly string[] | undefined {
  const firstReads = readsFirst(contract, scenario);
  if (firstReads.length === 0) return undefined;
  const alone = recordsAlone(contract, scenario);
  const records = firstReads.map((step) => recordRead(contract, step));
  return records.every((record) => record !== undefined && alone.has(record))
    ? [...new Set(records.flatMap((record) => record ?? []))]
    : undefined;
}

/** The shared record that a step reads, where its scenario has that record alone. */
export function aloneRecordRead(contract: Contract, scenario: Scenario, step: Step): string | undefined {
  const record = recordRead(contract, step);
  return record !== undefined && recordsAlone(contract, scenario).has(record) ? record : undefined;
}

function recordsAlone(contract: Contract, scenario: Scenario): ReadonlySet<string> {
  return new Set(sharedRecords(contract, scenario).flatMap(({ alone, record }) => (alone ? [record] : [])));
}

function readsFirst(contract: Contract, { waves }: Scenario): readonly Step[] {
  const isCommand = ({ operation }: Step): boolean => operationOf(contract, operation).kind === 'command';
  const upTo = waves.findIndex(
    (wave) => 'when' in wave || 'hook' in wave || stepsOfWave(wave).some(isCommand),
  );
  return waves.slice(0, upTo < 0 ? waves.length : upTo).flatMap(stepsOfWave);
}

/** A singleton by its path, or what the last field of the path names. */
function recordRead(contract: Contract, { operation, target }: Step): string | undefined {
  const { path, pathFields } = operationOf(contract, operation);
  const last = pathFields.at(-1);
  if (last === undefined) return path;
  const ref = target?.[last.name];
  return ref !== undefined && 'literal' in ref && path.endsWith('}') ? `record ${ref.literal}` : undefined;
}
