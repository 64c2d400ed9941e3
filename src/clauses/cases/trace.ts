import { type Operation, operationOf } from '../../model/contract.ts';
import type { Declaration } from '../../model/declaration.ts';
import type { Effects, Exchange, HttpResponse, Trace } from '../../model/exchange.ts';
import type { Json } from '../../model/json.ts';
import type {
  BodyEdit,
  Deviation,
  KeyReuse,
  KeySpec,
  Name,
  Step,
  StepId,
  Wave,
} from '../../model/scenario.ts';
import { contract } from './contract.ts';

/** One request and its response, as a literal; what is left out is what a conforming service and a plain client do. */
export type Line = {
  readonly id: StepId;
  /** Undefined where there was no response. */
  readonly status: number | undefined;
  /** `createCase` where none is named. */
  readonly operation?: string;
  readonly as?: string;
  readonly role?: Step['role'];
  readonly controls?: string;
  readonly observes?: Step['observes'];
  readonly deviations?: readonly Deviation[];
  /** Name of the key, or how it was made; the step's own ID where none is named. */
  readonly key?: string | KeySpec;
  readonly name?: Name; // Of the body.
  readonly edit?: BodyEdit; // The same.
  readonly on?: StepId; // The step that made the target.
  readonly given?: string; // The ID of a target that the vendor gave.
  readonly target?: Step['target']; // Of a path with several fields.
  readonly query?: string; // As it stood on the wire, without `?`.
  readonly asks?: Step['query']; // As the step has it.
  readonly path?: Step['path'];
  readonly token?: Step['token'];
  /** Request body, where another than `{"subject": <marker>}` was sent. */
  readonly sent?: string;
  readonly media?: string; // Media type of the request, where another one was sent.
  readonly version?: Step['version'];
  readonly verification?: Step['verification'];
  /** Of the response: JSON, or text as it stands. */
  readonly body?: Json;
  /** Id in the declared result: the short form of a body. */
  readonly result?: string;
  readonly type?: string | null; // Media type of the response; null where it had none.
  readonly headers?: readonly (readonly [string, string])[];
  /** Values of X-Request-Id, one for each field line. */
  readonly requestId?: string | readonly string[];
  readonly truncated?: true;
  readonly miscoded?: true;
  readonly ordinal?: number; // Of the requests of a repeated step.
  /** Milliseconds since the start of the run; ten after the line before where it is not given. */
  readonly at?: number;
  readonly took?: number;
  /** Statuses of earlier tries of the same request; undefined where there was no response. */
  readonly earlier?: readonly (number | undefined)[];
  /** X-Request-Id of the responses to earlier tries. */
  readonly earlierIds?: readonly string[];
};

/** Lines of one list were sent at once; a wave that sends nothing stands as it is. */
export type Part = Line | readonly Line[] | Wave;

/** Records that an independent read showed, by the name of the body that they came from; `#1` for its second sending. */
export type Shown = Readonly<Record<Name, readonly string[]>>;

/** What one clause says to one literal trace. */
export type Case = {
  readonly clause: string;
  /** `silent`: neither a ruling that holds nor one that is violated. */
  readonly kind: 'holds' | 'violates' | 'silent';
  /** What the service does, in a few words. */
  readonly when: string;
  readonly trace: readonly Part[];
  /** Earlier traces of the same run. */
  readonly after?: readonly (readonly Part[])[];
  readonly shows?: Shown;
  /** The independent read did not reach its end. */
  readonly partly?: true;
  readonly declares?: Declaration;
  /** Principals whose tokens were accepted in preflight, in addition to `full`. */
  readonly proven?: readonly string[];
  /** The ruling notes something that is no violation. */
  readonly advisory?: true;
  /**
   * Every ruling in turn, where it matters: its verdict, the steps that it names (the one in question first), and what
   * is known as well: `violated again first (conclusive)`.
   */
  readonly rulings?: readonly string[];
};

const isLine = (part: Part): part is Line => 'status' in part;
const isAtOnce = (part: Part): part is readonly Line[] => Array.isArray(part);

type Placed = { readonly line: Line; readonly at: number };

/** Lines with the times at which they were sent: one wave after the other, the lines of one wave at once. */
function placed(parts: readonly Part[]): readonly Placed[] {
  return parts.flatMap((part, index): readonly Placed[] => {
    const at = (index + 1) * 10;
    if (isLine(part)) return [{ line: part, at: part.at ?? at }];
    return isAtOnce(part) ? part.map((line) => ({ line, at: line.at ?? at })) : [];
  });
}

/** The trace that an engine would have recorded. Names are bound to values that hold the ID of the trace. */
export function trace(parts: readonly Part[], more: Partial<Trace> = {}): Trace {
  const id = more.id ?? 't';
  const all = placed(parts);
  const waves = parts.flatMap((part, index): readonly Wave[] => {
    if (isLine(part)) {
      const repeated = parts.findIndex((other) => isLine(other) && other.id === part.id) !== index;
      if (repeated && part.ordinal === undefined) throw new Error(`two steps are named ${part.id}`);
      return repeated ? [] : [{ steps: [stepOf(part)] }];
    }
    return [isAtOnce(part) ? { steps: part.map(stepOf) } : part];
  });
  const names = [...new Set(all.map(({ line }) => nameOf(line)))];
  return {
    id,
    suite: 's',
    probe: 'p',
    scenarioIndex: 0,
    attempt: 0,
    seed: 1,
    path: undefined,
    purpose: 'first',
    repeats: undefined,
    scenario: { title: 't', bodies: {}, waves },
    bound: { keys: {}, markers: Object.fromEntries(names.map((name) => [name, marker(id, name)])) },
    exchanges: all.map((one, index) => exchangeOf(id, all, one, index)),
    hooks: {},
    effects: undefined,
    ended: 'complete',
    ...more,
  };
}

/** What an independent read showed. */
export function shown(id: string, records: Shown, complete = true): Effects {
  return {
    byMarker: Object.fromEntries(Object.entries(records).map(([name, ids]) => [marker(id, name), ids])),
    byTarget: {},
    seenIn: ['read-1', 'read-2', 'read-3', 'read-4'],
    complete,
  };
}

function marker(id: string, name: Name): string {
  return `asy-${id}-${name}`;
}

function nameOf(line: Line): Name {
  const name = line.name ?? 'body';
  return line.ordinal === undefined || line.ordinal === 0 ? name : `${name}#${line.ordinal}`;
}

function stepOf(line: Line): Step {
  const operation = operationOf(contract, line.operation ?? 'createCase');
  return {
    id: line.id,
    operation: operation.id,
    as: line.as ?? 'full',
    role: line.role ?? 'control',
    key: keyOf(line, operation),
    body:
      operation.body === undefined
        ? { use: 'none' }
        : {
            use: 'named',
            name: line.name ?? 'body',
            ...(line.edit === undefined ? {} : { edit: line.edit }),
          },
    deviations: line.deviations ?? [],
    ...(line.controls === undefined ? {} : { controls: line.controls }),
    ...(line.observes === undefined ? {} : { observes: line.observes }),
    ...(line.on === undefined ? {} : { target: { caseId: { step: line.on, at: '/id' } } }),
    ...(line.given === undefined ? {} : { target: { caseId: { literal: line.given } } }),
    ...(line.target === undefined ? {} : { target: line.target }),
    ...(line.asks === undefined ? {} : { query: line.asks }),
    ...(line.token === undefined ? {} : { token: line.token }),
    ...(line.path === undefined ? {} : { path: line.path }),
    ...(line.version === undefined ? {} : { version: line.version }),
    ...(line.verification === undefined ? {} : { verification: line.verification }),
  };
}

function keyOf({ id, key }: Line, { kind }: Operation): KeySpec {
  if (typeof key === 'object') return key;
  if (key === 'none' || (key === undefined && kind === 'read')) return { use: 'none' };
  return { use: 'named', name: key ?? id };
}

/** The field lines of a key as they stood on the wire. */
function keyLines(id: string, key: KeySpec): readonly (readonly [string, string])[] {
  if (key.use === 'none') return [];
  if (key.use === 'literal') return [['Idempotency-Key', key.value]];
  if (key.use === 'near') return [['Idempotency-Key', `${id} ${key.name} ${JSON.stringify(key.edit)}`]];
  if (key.use === 'named') return [['Idempotency-Key', `${id} ${key.name}`]];
  const values = [`${id} ${key.name}`, `${id} ${key.second}`];
  return key.form === 'folded'
    ? [['Idempotency-Key', values.join(', ')]]
    : values.map((value) => ['Idempotency-Key', value]);
}

function exchangeOf(id: string, all: readonly Placed[], { line, at }: Placed, index: number): Exchange {
  const operation = operationOf(contract, line.operation ?? 'createCase');
  const step = stepOf(line);
  const key =
    step.key.use === 'named' && line.ordinal
      ? { ...step.key, name: `${step.key.name}#${line.ordinal}` }
      : step.key;
  const target = targetOf(all, line);
  const path = operation.path.replace('{caseId}', target ?? 'case_0').replace('{stepId}', 'step_1');
  const ids = line.requestId ?? `req_${id}_${index}`;
  const requestIds = line.status === undefined ? [] : typeof ids === 'string' ? [ids] : ids;
  return {
    id: `${id}-x${index}`,
    trace: id,
    step: line.id,
    ordinal: line.ordinal ?? 0,
    operation: operation.id,
    principal: step.as,
    request: {
      method: operation.method,
      path: line.query === undefined ? path : `${path}?${line.query}`,
      headers: [
        ...keyLines(id, key),
        ...(line.media === undefined ? [] : ([['Content-Type', line.media]] as const)),
      ],
      body:
        operation.body === undefined
          ? undefined
          : (line.sent ?? JSON.stringify({ subject: marker(id, nameOf(line)) })),
    },
    answer:
      line.status === undefined
        ? undefined
        : answerOf(operation, line, line.status, requestIds, index, target),
    noAnswer: line.status === undefined ? { reason: 'reset', detail: '', partial: undefined } : undefined,
    requestIds,
    connection: 0,
    earlier: (line.earlier ?? []).map((status, tried) => ({
      answer:
        status === undefined
          ? undefined
          : answerOf(
              operation,
              { id: line.id, status },
              status,
              (line.earlierIds ?? []).slice(tried, tried + 1),
              index,
              target,
            ),
      noAnswer: status === undefined ? { reason: 'reset', detail: '', partial: undefined } : undefined,
      startedAt: at,
      endedAt: at,
      waited: 0,
    })),
    startedAt: at,
    sentAt: at,
    endedAt: at + (line.took ?? 5),
    time: '2026-01-01T00:00:00.000Z',
  };
}

function targetOf(all: readonly Placed[], { given, on }: Line): string | undefined {
  if (given !== undefined) return given;
  const index = all.findIndex(({ line }) => line.id === on);
  return all[index]?.line.result ?? (index < 0 ? undefined : `case_${index}`);
}

function answerOf(
  operation: Operation,
  line: Line,
  status: number,
  requestIds: readonly string[],
  index: number,
  target: string | undefined,
): HttpResponse {
  const body = line.body ?? (status < 300 ? resultOf(operation, line, index, target) : {});
  return {
    status,
    headers: [
      ...(line.type === null ? [] : [['Content-Type', line.type ?? 'application/json'] as const]),
      ...(line.headers ?? []),
      ...requestIds.map((value) => ['X-Request-Id', value] as const),
    ],
    body: typeof body === 'string' ? body : JSON.stringify(body),
    bodyBytes: 1,
    truncated: line.truncated ?? false,
    ...(line.miscoded === undefined ? {} : { miscoded: line.miscoded }),
  };
}

/** The declared result of an operation. */
function resultOf(operation: Operation, line: Line, index: number, target = 'case_0'): Json {
  if (operation.pagination !== undefined) return page();
  const id = line.result ?? (operation.id === 'createCase' ? `case_${index}` : target);
  return operation.id === 'createCase' ? { id, status: 'open' } : record(id);
}

export function record(id: string, more: Readonly<Record<string, Json>> = {}): Json {
  return { id, status: 'open', subject: 'a subject', version: '1', ...more };
}

/** A page with records of these IDs, the last one unless a cursor is given. */
export function page(ids: readonly string[] = [], nextCursor: string | null = null): Json {
  return { items: ids.map((id) => record(id)), nextCursor };
}

export const absent: Deviation = { kind: 'credential', how: 'absent' };
export const lacking: Deviation = { kind: 'permission', how: 'none' };
/** The required member of a case is left out. */
export const missing: Deviation = { kind: 'body', at: '/subject', keyword: 'required' };

/** The key was used before, by `of`. */
export function reuse(of: StepId, difference: KeyReuse['difference'] = 'none'): Deviation {
  return { kind: 'key-reuse', of, difference };
}

/** A probe and its control, which is the same request made valid; the probe gets the given response. */
export function negative(
  deviations: Deviation | readonly Deviation[],
  status: number | undefined,
  more: Partial<Line> = {},
  control: Partial<Line> = {},
): readonly Line[] {
  const { operation, on } = more;
  const same = { ...(operation === undefined ? {} : { operation }), ...(on === undefined ? {} : { on }) };
  return [
    {
      id: 'probe',
      role: 'test',
      status,
      key: 'key',
      deviations: 'kind' in deviations ? [deviations] : deviations,
      ...more,
    },
    {
      id: 'control',
      controls: 'probe',
      status: operationOf(contract, operation ?? 'createCase').success.status,
      key: 'key',
      ...same,
      ...control,
    },
  ];
}
