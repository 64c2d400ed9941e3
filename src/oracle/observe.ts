import type { Answered, Context } from '../model/clause.ts';
import type { Declaration, PointCode } from '../model/declaration.ts';
import type { ExchangeId, Trace } from '../model/exchange.ts';
import { isObject, type Json, parseJson, valueAt } from '../model/json.ts';
import type { OpenPoint } from '../model/open-point.ts';
import type { Deviation, DeviationKind } from '../model/scenario.ts';
import { openPoints } from './open-points.ts';

/** One kind of answer at an open point, and what a vendor who answers so would declare. */
type Sight = { readonly point: PointCode; readonly text: string; readonly declares?: Json };

/** Gathers over a run what the target does at the open points; memory does not grow with the run. */
export type Observing = {
  readonly see: (trace: Trace) => void;
  readonly finish: () => readonly OpenPoint[];
};

type Count = { count: number; readonly exchanges: ExchangeId[]; readonly declares: Json | undefined };

const mostTexts = 12;
const mostExchanges = 3;

/** Watches traces for what the target does at the open points of the contract. */
export function makeObserving(context: Context): Observing {
  const seen = new Map<PointCode, Map<string, Count>>();
  const note = ({ point, text, declares }: Sight, exchange: ExchangeId): void => {
    const counts = seen.get(point) ?? new Map<string, Count>();
    seen.set(point, counts);
    const known = counts.get(text);
    if (known === undefined && counts.size >= mostTexts) return;
    const count = known ?? { count: 0, exchanges: [], declares };
    count.count += 1;
    if (count.exchanges.length < mostExchanges) count.exchanges.push(exchange);
    counts.set(text, count);
  };
  return {
    see: (trace) => {
      const all = context.reading(trace).answered;
      for (const one of all)
        if (one.answer.status !== 429 || one.step.deviations.some(({ kind }) => kind === 'pace'))
          for (const sight of sights(one, all)) note(sight, one.exchange.id);
    },
    finish: () =>
      openPoints.map((entry): OpenPoint => {
        const counts = [...(seen.get(entry.point) ?? [])];
        const { clauses: _, ...described } = entry;
        return {
          ...described,
          declared: context.declaration[entry.point],
          observed: counts
            .sort(([, one], [, other]) => other.count - one.count)
            .map(([text, { count, exchanges }]) => ({ text, count, exchanges })),
          state: stateOf(
            context.declaration,
            entry.point,
            counts.map(([, count]) => count.declares),
          ),
        };
      }),
  };
}

function stateOf(
  declaration: Declaration,
  point: PointCode,
  seen: readonly (Json | undefined)[],
): OpenPoint['state'] {
  if (seen.length === 0) return 'not observed';
  const declared = declaration[point];
  if (declared === undefined) return 'observed';
  const telling = seen.filter((each) => each !== undefined);
  if (telling.some((each) => each !== declared && !(declared === 'lenient' && point === 'G11')))
    return typeof declared === 'string' || typeof declared === 'number'
      ? 'contradicts the declaration'
      : 'observed';
  return telling.length > 0 ? 'as declared' : 'observed';
}

const accepted = ({ answer }: Answered): boolean => answer.status >= 200 && answer.status < 300;

function only<Kind extends DeviationKind>(
  { step }: Answered,
  kind: Kind,
): Extract<Deviation, { kind: Kind }> | undefined {
  const [first] = step.deviations;
  return step.deviations.length === 1 && first?.kind === kind
    ? step.deviations.find((each): each is Extract<Deviation, { kind: Kind }> => each.kind === kind)
    : undefined;
}

function* sights(one: Answered, all: readonly Answered[]): Iterable<Sight> {
  const { status } = one.answer;
  const reuse = only(one, 'key-reuse');
  if (reuse !== undefined) yield* ofReuse(one, all, reuse);
  const key = only(one, 'key');
  if (key?.how === 'absent' && status < 500) yield { point: 'G2', text: String(status), declares: status };
  if (key?.how === 'odd')
    yield {
      point: 'G17',
      text: `${accepted(one) ? 'accepted' : `refused with ${status}`}: ${lengthOf(one)}`,
    };
  if (key === undefined && one.operation.kind === 'command' && one.step.key.use === 'named' && accepted(one))
    yield { point: 'G17', text: 'accepted: UUID' };
  const verification = only(one, 'verification');
  if (verification?.how === 'absent') yield { point: 'G4', text: String(status), declares: status };
  if (only(one, 'scope') !== undefined && !accepted(one))
    yield { point: 'G9', text: String(status), declares: status };
  if (only(one, 'body-syntax') !== undefined && !accepted(one))
    yield { point: 'G14', text: String(status), declares: status };
  if (only(one, 'version') !== undefined && one.operation.version !== undefined) {
    const { carrier } = one.operation.version;
    yield {
      point: 'G6',
      text: `${carrier.in === 'header' ? carrier.name : `body ${carrier.at}`}: ${status} (${only(one, 'version')?.how})`,
    };
  }
  const unknown = only(one, 'query')?.keyword === 'unknown' || only(one, 'body')?.keyword === 'unknown';
  if (unknown)
    yield {
      point: 'G7',
      text: accepted(one) ? 'ignored' : `refused with ${status}`,
      declares: accepted(one) ? 'ignore' : 'refuse',
    };
  const kinds = new Set(one.step.deviations.map(({ kind }) => kind));
  if (kinds.size === 2 && kinds.has('permission') && kinds.has('body') && !accepted(one))
    yield { point: 'G11', text: String(status), declares: status === 403 ? 403 : 'lenient' };
  const permission = one.step.deviations.find((each) => each.kind === 'permission');
  if (permission?.kind === 'permission' && permission.how === 'withdrawn')
    yield {
      point: 'G10',
      text: accepted(one) ? 'replayed' : String(status),
      declares: accepted(one) ? 'replay' : status,
    };
  if (status === 429 && one.step.role === 'probe')
    yield { point: 'G8', text: `429 after ${roughly(all, one)}` };
  if (status >= 400) yield { point: 'G16', text: shapeOf(one) };
  if (one.step.role === 'readback' && accepted(one) && one.step.id.startsWith('poll'))
    yield { point: 'G15', text: 'visible at the first reads' };
}

type Reuse = Extract<Deviation, { kind: 'key-reuse' }>;

function* ofReuse(one: Answered, all: readonly Answered[], reuse: Reuse): Iterable<Sight> {
  const first = all.find(({ step }) => step.id === reuse.of);
  if (first === undefined) return;
  const { status } = one.answer;
  const id = idOf(first);
  if (reuse.difference === 'none' && accepted(first) && first.exchange.endedAt <= one.exchange.startedAt) {
    if (status === 409) yield { point: 'G1', text: '409', declares: 'conflict' };
    else if (accepted(one))
      yield idOf(one) === id
        ? { point: 'G1', text: '2xx with the same id', declares: 'replay' }
        : { point: 'G1', text: '2xx with another id' };
    else yield { point: 'G1', text: String(status) };
    const ids = [first, one].map(({ exchange }) => exchange.requestIds.join());
    if (accepted(one))
      yield ids[0] === ids[1]
        ? { point: 'G3', text: 'the stored request id', declares: 'stored' }
        : { point: 'G3', text: 'a new request id', declares: 'new' };
  }
  if (reuse.difference === 'none' && first.answer.status >= 500)
    yield {
      point: 'G12',
      text: `${status} to the retry`,
      declares: status >= 500 ? 'stored' : 'released',
    };
  if (reuse.difference === 'correction')
    yield {
      point: 'G5',
      text: String(status),
      ...(accepted(one) ? { declares: 'accept' } : status === 409 ? { declares: 'conflict' } : {}),
    };
  if (reuse.difference === 'late' && accepted(first)) {
    const seconds = Math.floor((one.exchange.startedAt - first.exchange.endedAt) / 1000);
    yield {
      point: 'G13',
      text: `${accepted(one) && idOf(one) === id ? 'honoured' : status === 409 ? 'honoured (409)' : 'not honoured'} after ${seconds} s`,
    };
  }
  if (['caller', 'scope', 'operation'].includes(reuse.difference))
    yield {
      point: 'G18',
      text: `${reuse.difference === 'caller' ? 'another caller' : reuse.difference === 'scope' ? 'another scope' : 'another operation'}: ${
        accepted(one) ? (idOf(one) === id ? 'the stored result' : 'a result of its own') : String(status)
      }`,
    };
}

function idOf({ answer, operation }: Answered): Json | undefined {
  return valueAt(parseJson(answer.body), operation.effect?.id ?? '/id');
}

function lengthOf({ exchange }: Answered): string {
  const key = exchange.request.headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1] ?? '';
  return key.length === 1 ? '1 character' : `${key.length} characters`;
}

/** `60 requests in 0.3 s`, rounded so that runs can be compared. */
function roughly(all: readonly Answered[], throttled: Answered): string {
  const before = all.filter(
    (one) =>
      accepted(one) &&
      one.step.as === throttled.step.as &&
      one.exchange.endedAt <= throttled.exchange.endedAt,
  );
  const start = Math.min(...before.map((one) => one.exchange.startedAt), throttled.exchange.startedAt);
  const tens = Math.max(1, Math.round(before.length / 10)) * 10;
  const seconds = Math.ceil((throttled.exchange.endedAt - start) / 1000);
  return `about ${tens} requests within ${seconds} s`;
}

function shapeOf({ answer }: Answered): string {
  const type = (
    answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no media type'
  )
    .split(';')[0]
    ?.trim();
  const body = parseJson(answer.body);
  return isObject(body)
    ? `${type} { ${Object.keys(body).sort().slice(0, 8).join(', ')} }`
    : `${type}${answer.body === '' ? ', empty' : ''}`;
}
