import type { ClauseCode } from './clause.ts';
import type { PointCode } from './declaration.ts';
import type { ExchangeId } from './exchange.ts';
import type { Json } from './json.ts';

/** A point that the specification leaves open ("not shown"), with what was declared and what was observed. */
export type OpenPoint = {
  readonly point: PointCode;
  /** In a few words: `Response to a finished duplicate`. */
  readonly title: string;
  /** The specification's words, or that it has none. */
  readonly quote: string;
  readonly readings: readonly string[];
  /** What must hold under every reading; it is always tested. */
  readonly always: string;
  readonly byDefault: string;
  readonly clauses: readonly ClauseCode[];
  readonly declared?: Json | undefined;
  readonly observed: readonly Observation[];
  /** `mixed`: nothing is declared, and the responses show more than one reading. */
  readonly state: 'not observed' | 'observed' | 'mixed' | 'as declared' | 'contradicts the declaration';
  /** What else is worth knowing about what was seen, a sentence each. They fail nothing. */
  readonly notes: readonly string[];
};

/** One kind of response seen at an open point. */
export type Observation = {
  readonly text: string;
  readonly count: number;
  readonly exchanges: readonly ExchangeId[];
  /** Their request IDs, where they had any. */
  readonly requestIds: readonly string[];
};
