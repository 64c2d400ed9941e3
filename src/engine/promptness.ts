import type { OperationId } from '../model/contract.ts';

/**
 * How soon reads of shared records show what was accepted, as far as the run has seen it. A scenario has such a record
 * alone, so its waits do not overlap with those of others: they last no longer than this shows to be needed.
 */
export type Promptness = {
  /** How often the first read, made at once, showed it. */
  atOnce: number;
  /** The longest that it took, in milliseconds. */
  longestMs: number;
  /** Markers that a read showed. */
  readonly shown: Set<string>;
  /** How often no read of an operation showed a marker within the settling time, until one does; then 0 for good. */
  readonly vain: Map<OperationId, number>;
};

export function makePromptness(): Promptness {
  return { atOnce: 0, longestMs: 0, shown: new Set(), vain: new Map() };
}

/** Behind a command whose change was seen, this part of the settling time is waited: one copy may be later than another. */
const seenPart = 0.1;

/** What is waited at least before a shared record is read, in milliseconds. */
export function leastSettling(settleMs: number): number {
  return settleMs * seenPart;
}
