import type { ClauseCode, Level } from '../model/clause.ts';
import type { OperationId } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import type { ExchangeId, HeaderList, Purpose } from '../model/exchange.ts';
import type { OpenPoint } from '../model/open-point.ts';
import type { Role } from '../model/scenario.ts';
import type { StopSuspect } from '../model/stop.ts';
import type { Cell, Outcome, RunVerdict, Verdict } from '../model/verdict.ts';
import type { Waiver } from '../model/waiver.ts';

/** Format of report.json; its JSON Schema is docs/report.schema.json. */
export const reportFormat = 'assay-report/4';

/**
 * The report of a run: a pure projection of judge(replay(evidence)). It holds all that the other formats show,
 * and nothing that a reader with the evidence could not compute again.
 */
export type Report = {
  readonly format: typeof reportFormat;
  /** The decision: outcome, exit code, certifiable or not, and why not. */
  readonly verdict: RunVerdict;
  readonly run: RunRecord;
  readonly subject: Subject;
  readonly baseline: Baseline;
  readonly scope: Scope;
  /** Cells of stated and derived clauses, by verdict. */
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Declared and observed, G1 to G19. */
  readonly openPoints: readonly OpenPoint[];
  /** Stated and derived clauses that were violated. */
  readonly violations: readonly Finding[];
  /** Advisory clauses that were violated; they never fail a run. */
  readonly advisories: readonly Finding[];
  readonly cells: readonly CellReport[];
  /** What each clause of the catalogue demands, for readers of the matrix. */
  readonly clauses: readonly ClauseReport[];
  /** Each sentence of the specification with its verdict; undefined in reports of older versions. */
  readonly specification?: readonly SentenceReport[] | undefined;
  readonly waivers: readonly WaiverReport[];
  readonly limits: RunLimits;
  /** Latencies and statuses of each operation, in the order of the contract. */
  readonly operations: readonly OperationFigures[];
  readonly throttling: ThrottlingReport;
  readonly redaction: RedactionReport;
  readonly evidence: EvidenceReport;
};

export type RunRecord = {
  readonly id: string;
  /** Who ran it, as the configuration asserts. */
  readonly ranBy?: string;
  /** Wall clock, ISO 8601. */
  readonly startedAt: string;
  /** Undefined where the log has no footer. */
  readonly endedAt: string | undefined;
  readonly elapsedMs: number;
  readonly ended: 'complete' | 'interrupted' | 'budget';
  /** Why it ended early, and the last requests before the target stopped responding. */
  readonly cause?: { readonly what: string; readonly before?: readonly string[] };
  /** What was there when the target stopped responding, and how often it stops after that. No part of the verdict. */
  readonly stops?: readonly StopSuspect[] | undefined;
  readonly exchanges: number;
  readonly traces: number;
  /** Parts of the plan that several processes ran: the run that they make together, those in this log, and the others. */
  readonly shards?:
    | { readonly run: string; readonly present: readonly string[]; readonly missing: readonly string[] }
    | undefined;
};

export type Subject = {
  /** As the configuration asserts it. */
  readonly asserted: {
    readonly vendor: string | undefined;
    readonly product: string | undefined;
    readonly version: string | undefined;
    readonly approvedScope?: string;
    readonly baseUrl: string;
    readonly environment: string;
  };
  /** As its answers showed it: values of headers such as Server, with how often each was seen. */
  readonly observed: readonly { readonly header: string; readonly value: string; readonly count: number }[];
  /** Whole seconds by which its clock is ahead of the harness's, by the first Date; undefined where it sent none. */
  readonly clockSkewSeconds?: number;
  /** SHA-256 of its TLS certificate, hexadecimal; undefined where it presented none. */
  readonly certificate?: string;
};

/** What the verdict was reached with. Digests are SHA-256, hexadecimal. */
export type Baseline = {
  /** What sent the requests, and what judged the evidence (another version after `assay judge`). */
  readonly harness: { readonly name: string; readonly version: string };
  readonly judgedBy: { readonly name: string; readonly version: string };
  readonly contract: {
    readonly file: string;
    readonly title: string;
    readonly version: string;
    readonly digest: string;
  };
  readonly configuration: { readonly file: string; readonly digest: string };
  readonly suites: { readonly digest: string; readonly names: readonly string[] };
  readonly declaration: Declaration;
  readonly seed: number;
  readonly budget: string;
  /** What an auditor gave before the run; undefined where nobody did. */
  readonly challenge?: string;
  /** Where the harness ran. */
  readonly environment: { readonly node: string; readonly platform: string; readonly program?: string };
  /** Digest of the self-test of the build that made the run; undefined where there was none. */
  readonly selfTest: string | undefined;
};

export type Scope = {
  readonly operations: readonly {
    readonly id: OperationId;
    readonly method: string;
    readonly path: string;
    readonly kind: 'command' | 'read';
    /** SHA-256 of what the contract says of it: two runs can be compared where it is the same. */
    readonly digest: string;
    /** Where the contract document has it, one-based; undefined where another file does. */
    readonly position?: { readonly line: number; readonly column: number };
  }[];
  /** How many operations the full contract governs; undefined where the document does not say. */
  readonly governedOperations: number | undefined;
};

export type CellReport = Omit<Cell, 'example'>;

export type ClauseReport = {
  readonly code: ClauseCode;
  readonly level: Level;
  readonly text: string;
  readonly source: { readonly where: string; readonly quote: string };
};

/** One exchange as a report shows it, redacted and cut. */
export type Excerpt = {
  readonly id: ExchangeId;
  readonly step: string;
  readonly operation: OperationId;
  readonly role: Role;
  readonly principal: string;
  /** Wall clock at the start, ISO 8601. */
  readonly time: string;
  /** Milliseconds since the start of the run, on a clock that never goes back. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Method, path and query. */
  readonly request: string;
  readonly status: number | undefined;
  readonly noAnswer: string | undefined;
  readonly requestIds: readonly string[];
  readonly requestHeaders: HeaderList;
  readonly requestBody: string | undefined;
  readonly responseHeaders: HeaderList;
  readonly responseBody: string | undefined;
  /** Earlier requests of it that got 429 or no response. */
  readonly earlierTries: number;
};

/** A violated clause on an operation. */
export type Finding = {
  /** Stable over runs: `IDM-6/createCase`. */
  readonly id: string;
  readonly clause: ClauseCode;
  readonly level: Level;
  readonly operation: OperationId;
  readonly verdict: 'fail' | 'unstable';
  readonly text: string;
  readonly source: { readonly where: string; readonly quote: string };
  readonly expected: string;
  readonly actual: string;
  readonly because: string;
  readonly fix: string;
  readonly requestIds: readonly string[];
  readonly repeats: { readonly violated: number; readonly of: number };
  readonly scenario: string;
  readonly suite: string;
  readonly probe: string;
  readonly purpose: Purpose;
  readonly seed: number;
  /** The minimal history, in the order in which it was sent. */
  readonly exchanges: readonly Excerpt[];
  /** The request without the fault, which succeeded; undefined where the clause needs none. */
  readonly control: Excerpt | undefined;
  /** Shell commands that show it; tokens stand as environment variables. */
  readonly curl: readonly string[];
  /** Runs the same plan again. */
  readonly reproduce: string;
  /** The waiver in effect; undefined where there is none. */
  readonly waiver: Waiver | undefined;
};

export type SentenceReport = {
  /** `Errors, rule 2` */
  readonly where: string;
  readonly quote: string;
  readonly clauses: readonly ClauseCode[];
  /** The worst of its clauses on all operations; undefined where no clause tests it. */
  readonly verdict?: Verdict;
  /** Why no clause tests it. */
  readonly because?: string;
};

export type WaiverReport = Waiver & {
  /**
   * `expired` ones have no effect; `unused` ones are of cells that pass, `unmatched` ones of none that applies. Of those
   * `not tested` nothing is known.
   */
  readonly state: 'in effect' | 'expired' | 'unused' | 'unmatched' | 'not tested';
  /** Findings that it covers, or would cover had it not expired. */
  readonly findings: readonly string[];
};

/** What this run does not say. */
export type RunLimits = {
  readonly partial: boolean;
  readonly budget: {
    readonly name: string;
    readonly maxRequests: number;
    readonly maxSeconds: number;
    readonly requests: number;
    readonly seconds: number;
  };
  /** Stated and derived cells without a verdict, grouped by what they lack. */
  readonly open: readonly OpenGroup[];
};

export type OpenGroup = {
  readonly verdict: 'not-tested' | 'inconclusive';
  /** What would test them, or why there is no conclusion. */
  readonly because: string;
  readonly clauses: readonly ClauseCode[];
  readonly operations: readonly OperationId[];
  readonly cells: number;
};

export type OperationFigures = {
  readonly operation: OperationId;
  readonly requests: number;
  /** How often each status was returned, by its code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How often there was no response, by its reason. */
  readonly noAnswers: Readonly<Record<string, number>>;
  readonly latency: Latency;
};

/** Milliseconds from sending a request to the end of its answer. Quantiles are exact to 5 %. */
export type Latency = {
  readonly count: number;
  readonly min: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** Counts between bounds that grow by equal factors; only bounds that hold something. */
  readonly buckets: readonly { readonly from: number; readonly to: number; readonly count: number }[];
};

/** Requests over the time of the run, and what was said about the pace. */
export type ThrottlingReport = {
  /** Width of a bucket of the timeline, in milliseconds. */
  readonly bucketMs: number;
  /** Buckets that hold requests; `at` is milliseconds since the start of the run. */
  readonly timeline: readonly {
    readonly at: number;
    readonly requests: number;
    readonly succeeded: number;
    readonly throttled: number;
    readonly otherFailures: number;
    readonly noAnswer: number;
  }[];
  /** All 429 responses, those to earlier requests of a step among them. */
  readonly throttled: number;
  /** The first of them, with their guidance, and what followed. */
  readonly episodes: readonly ThrottledAnswer[];
};

export type ThrottledAnswer = {
  readonly exchange: ExchangeId;
  readonly operation: OperationId;
  readonly principal: string;
  /** Milliseconds since the start of the run. */
  readonly at: number;
  /** Where guidance stood and what it said: `Retry-After: 2 s`. */
  readonly guidance: readonly string[];
  /** Seconds; undefined where no guidance was usable. */
  readonly guidedSeconds: number | undefined;
  /** How long the harness then waited until its next request of the same trace, in seconds; undefined where none came. */
  readonly waitedSeconds: number | undefined;
  /** True where it waited at least as long as guided. */
  readonly honoured: boolean;
  /** Status of that next request. */
  readonly nextStatus: number | undefined;
};

/** What was removed on the way to the disk, by which rule. */
export type RedactionReport = {
  readonly removals: readonly { readonly secret: string; readonly form: string; readonly count: number }[];
  /** Salted digests of the principals' tokens: equal digests in one run mean equal tokens. */
  readonly digests: readonly { readonly principal: string; readonly digest: string }[];
};

export type EvidenceReport = {
  readonly file: string;
  readonly bytes: number;
  readonly lines: number;
  /** SHA-256 of the whole file, hexadecimal. */
  readonly sha256: string;
  /** What the footer says of all bytes before it; undefined where there is none. */
  readonly footer: string | undefined;
  /** What is wrong with the log; empty where nothing is. */
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
};

/** What changed from one run to another. Items are cells, as `IDM-6/createCase`. */
export type Comparison = {
  readonly before: RunSummary;
  readonly after: RunSummary;
  /** Why cells, or the runs as a whole, cannot be compared; empty where they can. */
  readonly obstacles: readonly string[];
  readonly changes: readonly CellChange[];
  /** Cells with the same verdict in both. */
  readonly unchanged: number;
};

export type RunSummary = {
  readonly id: string;
  readonly startedAt: string;
  readonly outcome: Outcome;
  readonly evidence: string;
};

export type CellChange = {
  readonly cell: string;
  readonly clause: ClauseCode;
  readonly level: Level;
  readonly operation: OperationId;
  readonly kind: 'regression' | 'fixed' | 'newly covered' | 'coverage lost' | 'not comparable' | 'other';
  /** Undefined where the run has no such cell. */
  readonly before: Verdict | undefined;
  readonly after: Verdict | undefined;
  readonly because: string;
};
