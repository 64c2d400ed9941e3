import type { Effects, Exchange, ExchangeId, Trace, TraceId } from '../model/exchange.ts';
import type { Described } from '../model/schema.ts';
import type { lines } from './schema.ts';

type Lines = typeof lines;

export type HeaderLine = Described<Lines['header']>;
export type PlanLine = Described<Lines['plan']>;
export type SkipLine = Described<Lines['skip']>;
/** A run goes on after it was interrupted. What was in flight has no trace; the digest chains the segments. */
export type SegmentLine = Described<Lines['segment']>;
/** A request that was there when the target stopped responding, and what sending it again showed. */
export type StopLine = Described<Lines['stop']>;
export type FooterLine = Described<Lines['footer']>;

/** Which part of a plan a run is, where several processes share one. */
export type ShardOf = NonNullable<HeaderLine['shard']>;
/** Why a run ended early, and the last requests before. */
export type EndCause = NonNullable<FooterLine['cause']>;
export type ExchangeLine = { readonly line: 'exchange'; readonly exchange: Exchange };
export type TraceLine = {
  readonly line: 'trace';
  readonly trace: Omit<Trace, 'exchanges' | 'effects'>;
  readonly exchanges: readonly ExchangeId[];
};
export type EffectsLine = {
  readonly line: 'effects';
  readonly trace: TraceId;
  readonly effects: Effects | 'none';
};
export type LogLine =
  | HeaderLine
  | PlanLine
  | SegmentLine
  | SkipLine
  | ExchangeLine
  | TraceLine
  | EffectsLine
  | StopLine
  | FooterLine;
