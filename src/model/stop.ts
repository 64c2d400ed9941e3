import type { OperationId } from './contract.ts';
import type { ExchangeId } from './exchange.ts';
import { timesWords } from './text.ts';

/** A request that was in flight, or had its response last, when the target stopped responding. */
export type StopSuspect = {
  readonly exchange: ExchangeId;
  readonly operation: OperationId;
  /** Method, path and body, in short. */
  readonly request: string;
  readonly scenario: string;
  readonly suite: string;
  readonly probe: string;
  /** How often the target stopped responding in the run, and at how many of these stops the request was there. */
  readonly stops: number;
  readonly there: number;
  /** How often it was sent again with nothing else in flight. */
  readonly again: number;
  /** How often the target stopped responding after that. */
  readonly stopped: number;
};

/** Whether a stop prevents a green result: a request causes it, or nobody could find out. */
export function isUnsettled({ again, stopped }: StopSuspect): boolean {
  return stopped > 0 || again === 0;
}

export function stopWords({ again, stopped, stops, there }: StopSuspect): string {
  return again === 0
    ? `in flight or just ended at ${there} of ${stops} ${stops === 1 ? 'stop' : 'stops'}; not sent again`
    : `sent again alone ${timesWords(again)}; the target stopped ${timesWords(stopped)}`;
}
