import type { PointCode } from './declaration.ts';
import type { ExchangeId } from './exchange.ts';
import type { Json } from './json.ts';

/** A point that the specification leaves open ("not shown"), with what was declared beside what was seen. */
export type OpenPoint = {
  readonly point: PointCode;
  /** In a few words: `Answer to a finished duplicate`. */
  readonly title: string;
  /** The specification's words, or that it has none. */
  readonly quote: string;
  readonly readings: readonly string[];
  /** What must hold under every reading; it is always tested. */
  readonly always: string;
  readonly byDefault: string;
  /** What the vendor declared; undefined where nothing. */
  readonly declared: Json | undefined;
  readonly observed: readonly Observation[];
  readonly state: 'not observed' | 'observed' | 'as declared' | 'contradicts the declaration';
};

/** One kind of answer seen at an open point. */
export type Observation = {
  readonly text: string;
  readonly count: number;
  /** A few exchanges that show it. */
  readonly exchanges: readonly ExchangeId[];
};
