import type { ClauseCode, Need } from '../model/clause.ts';
import type { OperationId } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Effects, Exchange, ExchangeId, Trace, TraceId } from '../model/exchange.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Principal, SignerOrigin, TokenOrigin } from '../model/principal.ts';
import type { StopSuspect } from '../model/stop.ts';
import type { Waiver } from '../model/waiver.ts';
import type { Removal } from './gate.ts';

/** Format of evidence.jsonl. */
export const evidenceFormat = 'assay-evidence/3';
/** The format before it, which is still read. */
export const earlierFormat = 'assay-evidence/2';

export type HeaderLine = {
  readonly line: 'header';
  readonly format: typeof evidenceFormat | typeof earlierFormat;
  readonly harness: { readonly name: string; readonly version: string };
  readonly contract: {
    readonly title: string;
    readonly version: string;
    readonly digest: string;
    readonly file: string;
    readonly text: string;
    /** The files that the document refers to, where it refers to any. */
    readonly beside?: readonly { readonly file: string; readonly text: string }[];
  };
  readonly configuration: { readonly file: string; readonly digest: string };
  /** The suites of the run, and the SHA-256 over their files. */
  readonly suites: { readonly digest: string; readonly names: readonly string[] };
  readonly declaration: Declaration;
  readonly principals: readonly (Principal & {
    readonly token: string;
    /** Undefined where the configuration holds the token itself. */
    readonly from?: TokenOrigin;
  })[];
  readonly seed: number;
  readonly nonce: string;
  /** The auditor's challenge, given before the run, so that its keys cannot be older. */
  readonly challenge?: string;
  /** Only where this is a part of another log, made for one finding: the SHA-256 of that log. */
  readonly excerpt?: { readonly of: string; readonly finding: string };
  readonly shard?: ShardOf;
  readonly budget: 'quick' | 'standard' | 'thorough';
  /** Most requests and seconds of the run. */
  readonly limits: { readonly maxRequests: number; readonly maxSeconds: number };
  readonly partial: boolean;
  /** How the run was narrowed: `--suite missing-keys`. */
  readonly narrowing?: readonly string[];
  /** The operations that were left by its filters; undefined where none was left out. */
  readonly operations?: readonly OperationId[];
  /** The clauses that it was narrowed to. */
  readonly clauses?: readonly ClauseCode[];
  readonly target: {
    readonly baseUrl: string;
    readonly environment: string;
    readonly product: string | undefined;
    readonly vendor: string | undefined;
    readonly version: string | undefined;
    /** As asserted. */
    readonly approvedScope?: string;
    /** SHA-256 of its TLS certificate, hexadecimal. */
    readonly certificate?: string;
    /** What signed each request. */
    readonly signedBy?: SignerOrigin;
  };
  /** Who ran it, as asserted. */
  readonly ranBy?: string;
  readonly startedAt: string;
  readonly throttling: JsonObject;
  readonly hooks: readonly string[];
  /** Operations that cannot be tested, and that the configuration excludes by name. */
  readonly excluded?: readonly string[];
  /** Values of parameters that the configuration gives, by operation. */
  readonly parameters?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly waivers: readonly Waiver[];
  readonly environment: {
    readonly node: string;
    readonly platform: string;
    /** How the harness was called, where that is not `assay`. */
    readonly program?: string;
  };
  /** Digest of the self-test of the build; undefined where there was none. */
  readonly selfTest: string | undefined;
};

/** Which part of a plan a run is, where several processes share one. */
export type ShardOf = {
  /** Names the run that they make together. */
  readonly run: string;
  /** 1 to `of`; `last` is what follows when all others have ended. */
  readonly number: number | 'last';
  /** How many shards there are before the last; undefined in the last. */
  readonly of?: number;
  /** How many probes are left to the last. */
  readonly quiet: number;
  /** SHA-256 over the probes of all parts. */
  readonly plan: string;
  /** Random: with the nonce that all shards share it gives the keys and markers of this one. */
  readonly salt: string;
};

/** A probe of the plan, and a clause that could not be planned. */
export type PlanLine = {
  readonly line: 'plan';
  readonly probes: readonly {
    readonly suite: string;
    readonly probe: string;
    readonly operation: OperationId;
    readonly seed: number;
    readonly scenarios: number;
    readonly random: number;
  }[];
};
export type SkipLine = {
  readonly line: 'skip';
  readonly suite: string;
  readonly operation: OperationId;
  readonly clauses: readonly ClauseCode[];
  readonly need: Need;
};
export type ExchangeLine = { readonly line: 'exchange'; readonly exchange: Exchange };
export type TraceLine = {
  readonly line: 'trace';
  readonly trace: Omit<Trace, 'exchanges' | 'effects'>;
  readonly exchanges: readonly ExchangeId[];
};
/** What an independent read showed of a trace. */
export type EffectsLine = {
  readonly line: 'effects';
  readonly trace: TraceId;
  readonly effects: Effects | 'none';
};
/**
 * A run goes on after it was interrupted. What was in flight then has no trace. Everything before stays as it is: the
 * digest chains the segments.
 */
export type SegmentLine = {
  readonly line: 'segment';
  /** 2 for the first that was resumed. */
  readonly number: number;
  readonly startedAt: string;
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** Random: with the nonce of the header it gives the keys and markers of the segment. */
  readonly salt: string;
  readonly harness: { readonly name: string; readonly version: string };
  /** SHA-256 of all bytes before this line, hexadecimal. */
  readonly sha256: string;
};
/** A request that was there when the target stopped responding, and what sending it again showed. */
export type StopLine = { readonly line: 'stop'; readonly stop: StopSuspect };
/** Why a run ended early, and the last requests before. */
export type EndCause = {
  readonly what: 'target stopped responding' | 'enough violations (--bail)';
  readonly before?: readonly string[];
};
export type FooterLine = {
  readonly line: 'footer';
  readonly end: 'complete' | 'interrupted' | 'budget';
  /** Why a run ended early. */
  readonly cause?: EndCause;
  readonly counts: { readonly exchanges: number; readonly traces: number };
  readonly endedAt: string;
  readonly elapsedMs: number;
  readonly redaction: readonly Removal[];
  /** SHA-256 of all bytes before this line, hexadecimal. */
  readonly sha256: string;
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
