import { type Contract, operationOf } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Scenario, type Step, stepsOfWave } from '../model/scenario.ts';
import { sharedRecords } from './turns.ts';

/** When a command of the run last ended on each shared record; who has such a record alone need not wait longer for its reads. */
export type LastWrites = Map<string, number>;

/** Notes the commands of an attempt. One without a response may act until `now`. */
export function noteWrites(
  writes: LastWrites,
  contract: Contract,
  scenario: Scenario,
  exchanges: readonly Exchange[],
  now: number,
): void {
  const ends = exchanges
    .filter(({ operation }) => operationOf(contract, operation).kind === 'command')
    .map(({ answer, endedAt }) => (answer === undefined ? now : endedAt));
  if (ends.length === 0) return;
  for (const { record } of sharedRecords(contract, scenario))
    writes.set(record, Math.max(writes.get(record) ?? 0, ...ends));
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
  const ends = records?.map((record) => writes.get(record)) ?? [];
  return ends.length === 0 || ends.includes(undefined)
    ? undefined
    : Math.max(...ends.flatMap((end) => end ?? []));
}

/** Shared records that alone are read before any command, each of which the scenario has alone; undefined where others are too. */
export function recordsReadFirst(contract: Contract, scenario: Scenario): readonly string[] | undefined {
  const firstReads = readsFirst(contract, scenario);
  if (firstReads.length === 0) return undefined;
  const alone = new Set(
    sharedRecords(contract, scenario).flatMap(({ alone, record }) => (alone ? [record] : [])),
  );
  const records = firstReads.map((step) => recordRead(contract, step));
  return records.every((record) => record !== undefined && alone.has(record))
    ? [...new Set(records.flatMap((record) => record ?? []))]
    : undefined;
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
