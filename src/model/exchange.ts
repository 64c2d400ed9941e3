import type { OperationId } from './contract.ts';
import type { Json } from './json.ts';
import type { PrincipalName } from './principal.ts';
import { remembered } from './remembered.ts';
import { type Name, type Scenario, type StepId, stepsOf } from './scenario.ts';

/** Ordinal of an exchange in its log, in the order in which exchanges ended: `x17`. */
export type ExchangeId = string;
export type TraceId = string;

/** Field lines in the order and casing of the wire. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The first value of a header. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([field]) => field.toLowerCase() === wanted)?.[1];
}

/** A request as sent, redacted: tokens stand as `$ASSAY_TOKEN_NAME`. */
export type SentRequest = {
  readonly method: string;
  /** Path and query, without the base URL. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: string | undefined;
};

export type HttpResponse = {
  readonly status: number;
  readonly headers: HeaderList;
  /** Body as text, cut at a limit where `truncated` is true. */
  readonly body: string;
  readonly bodyBytes: number;
  readonly truncated: boolean;
  /** True where the body is not what its Content-Encoding says; it is kept as it came. */
  readonly miscoded?: boolean;
  /** What of the body is not kept and why, where the redaction gate left more out than secrets. */
  readonly withheld?: string;
};

export const noResponseReasons = [
  'refused',
  'reset',
  'closed',
  'timeout',
  'tls',
  'dns',
  'protocol',
  'too-large',
  'cut',
  'interrupted',
  'harness',
] as const;

/** Why there is no (whole) response. It says nothing about what the service did. */
export type NoResponse = {
  readonly reason: (typeof noResponseReasons)[number];
  /** In plain words, redacted. */
  readonly detail: string;
  /** Status line and headers, where they came before the failure. */
  readonly partial: { readonly status: number; readonly headers: HeaderList } | undefined;
};

/** Whether a connection ended before a whole response came: that says neither that the target took the request nor that it did not. */
export function isDropped(none: NoResponse | undefined): boolean {
  return none?.reason === 'reset' || none?.reason === 'closed';
}

/** A request that got 429 or no response, before it was sent again with the same key. */
export type EarlierRequest = {
  readonly answer: HttpResponse | undefined;
  readonly noAnswer: NoResponse | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly waited: number;
};

/** One step as it went over the wire: what happened, never what we think of it. */
export type Exchange = {
  readonly id: ExchangeId;
  readonly trace: TraceId;
  readonly step: StepId;
  /** 0, 1, ... for the requests of a repeated step. */
  readonly ordinal: number;
  readonly operation: OperationId;
  readonly principal: PrincipalName;
  readonly request: SentRequest;
  readonly answer: HttpResponse | undefined;
  readonly noAnswer: NoResponse | undefined;
  /** Values of X-Request-Id, one for each field line. */
  readonly requestIds: readonly string[];
  /** Which connection carried it: connections are numbered in the order in which they were opened; -1 where none was. */
  readonly connection: number;
  readonly earlier: readonly EarlierRequest[];
  /** Milliseconds on the monotonic clock, since the start of the run. */
  readonly startedAt: number;
  readonly sentAt: number | undefined;
  readonly endedAt: number;
  /** Wall clock at the start, ISO 8601. */
  readonly time: string;
};

export type Purpose = 'first' | 'shrink' | 'repeat';

export type Trace = {
  readonly id: TraceId;
  readonly suite: string;
  readonly probe: string;
  /** Which case of the probe: enumerated ones first, then random ones. */
  readonly scenarioIndex: number;
  readonly attempt: number;
  readonly seed: number;
  /** fast-check's path of a random case; undefined for an enumerated one. */
  readonly path: string | undefined;
  readonly purpose: Purpose;
  readonly repeats: TraceId | undefined;
  readonly scenario: Scenario;
  readonly bound: Bindings;
  readonly exchanges: readonly Exchange[];
  readonly hooks: Readonly<Record<StepId, HookResult>>;
  /** Records that an independent read showed, by the marker that they carry; undefined until one was made. */
  readonly effects: Effects | undefined;
  readonly ended: 'complete' | 'interrupted' | 'budget';
};

/** The request that a scenario of preflight tries; what comes before it makes its target. */
export function triedIn({ exchanges, scenario }: Trace): Exchange | undefined {
  const tried = stepsOf(scenario.waves).filter(({ role }) => role === 'control');
  return exchanges.findLast(({ step }) => tried.some(({ id }) => id === step));
}

export type Bindings = {
  readonly keys: Readonly<Record<Name, string>>;
  readonly markers: Readonly<Record<Name, string>>;
  readonly chosen?: Readonly<Record<Name, string>>;
};

export type Effects = {
  readonly byMarker: Readonly<Record<string, readonly string[]>>;
  /** Ids of records that accepted commands of the trace made, and that the read shows without a marker. */
  readonly listed?: readonly string[];
  /** Ids in accepted results of the trace under which the read shows records that have markers of other traces alone. */
  readonly foreign?: readonly string[];
  /** State of each target of the trace as last read, by the ID of the step that made it. */
  readonly byTarget: Readonly<Record<StepId, Json>>;
  readonly seenIn: readonly ExchangeId[];
  /** False where the read failed or did not reach its end. */
  readonly complete: boolean;
};

export type HookResult = { readonly ok: boolean; readonly output: Json; readonly detail: string };

const mostShown = 160;
const mostRead = 1000;

/** A response in one line: `201 {"id":"case_1","status":"open"}`. */
export const summary = remembered(({ answer, noAnswer }: Exchange): string => {
  if (answer === undefined)
    return noAnswer === undefined ? 'no response' : `no response (${noAnswer.reason}: ${noAnswer.detail})`;
  // Blanks that go on for so long would hide nothing but themselves.
  const text = answer.body.slice(0, mostRead).replaceAll(/\s+/g, ' ').trim();
  const more = text.length > mostShown || answer.body.length > mostRead;
  return `${answer.status}${text === '' ? ' (empty body)' : ` ${text.slice(0, mostShown)}${more ? '...' : ''}`}`;
});

/** Why nothing follows from a trace: what a hook was to bring about did not happen, or not surely. */
export function failedHook({ hooks }: Trace): string | undefined {
  for (const [id, { detail, ok }] of Object.entries(hooks))
    if (!ok) return `The hook of '${id}' failed (${detail}), so nothing follows from what was seen.`;
  return undefined;
}
