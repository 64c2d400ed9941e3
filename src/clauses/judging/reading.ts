import type { Answered, Context, Seen } from '../../model/clause.ts';
import { idText, isCount, type Operation } from '../../model/contract.ts';
import type { Exchange, HeaderList, HttpResponse, Trace } from '../../model/exchange.ts';
import { parseJson, valueAt } from '../../model/json.ts';
import { namedTarget } from '../../model/named-records.ts';
import { type PathValues, pathTexts, pathValuesIn } from '../../model/path.ts';
import { rememberedWith } from '../../model/remembered.ts';
import { isAccepted, responseClass } from '../../model/response.ts';
import { resultId } from '../../model/result-id.ts';
import {
  bodyNameOf,
  type Deviation,
  type DeviationKind,
  type KeyReuse,
  type Name,
  type Step,
  type StepId,
} from '../../model/scenario.ts';

import { Undecided, unkept } from '../../model/undecided.ts';

export { summary } from '../../model/exchange.ts';
export {
  isAccepted,
  isDecided,
  isFailed,
  isQueued,
  isThrottled,
  jsonOf,
  responseClass,
} from '../../model/response.ts';
export {
  doubted,
  holds,
  inconclusive,
  inDoubt,
  notApplicable,
  notTested,
  violated,
} from '../../model/ruling.ts';
export type { Answered, Seen };

/** Every exchange of a trace, in the order of the log. */
export function seen(context: Context, trace: Trace): readonly Seen[] {
  return context.reading(trace).seen;
}

export function answered(context: Context, trace: Trace): readonly Answered[] {
  return context.reading(trace).answered;
}

/** Deviations that provoke no failure class: a request that has only these is valid. */
const harmless: ReadonlySet<DeviationKind> = new Set([
  'header-noise',
  'parameter',
  'text-noise',
  'lost-response',
  'pace',
  'scheme-case',
  'fault',
]);

export function faultsOf(step: Step): readonly Deviation[] {
  if (step.deviations.length === 0) return step.deviations;
  return step.deviations.filter((deviation) => !harmless.has(deviation.kind));
}

/** The only fault of a step, where it has exactly one and it is of this kind. */
export function only<Kind extends DeviationKind>(
  step: Step,
  kind: Kind,
): Extract<Deviation, { kind: Kind }> | undefined {
  const faults = faultsOf(step);
  return faults.length === 1 ? find(step, kind) : undefined;
}

export function find<Kind extends DeviationKind>(
  step: Step,
  kind: Kind,
): Extract<Deviation, { kind: Kind }> | undefined {
  return step.deviations.find(
    (deviation): deviation is Extract<Deviation, { kind: Kind }> => deviation.kind === kind,
  );
}

/** Whether a request that differs from the test request in one factor only was accepted in the same trace. */
export function controlOf(context: Context, trace: Trace, test: StepId): 'accepted' | 'refused' | 'none' {
  const controls = seen(context, trace).filter(
    (one) => one.step.controls === test || one.step.controls === '*',
  );
  if (controls.length === 0) return 'none';
  return controls.some((one) => isAccepted(one.exchange.answer)) ? 'accepted' : 'refused';
}

/** In these ways a duplicate is the request that its key was first used with. */
const sameRequest: ReadonlySet<KeyReuse['difference']> = new Set(['none', 'form', 'token', 'late', 'query']);

/** Whether the valid request was accepted: without it a refusal proves nothing, as the service may refuse everything. */
export function isControlled(context: Context, trace: Trace, { step }: Seen): boolean {
  if (controlOf(context, trace, step.id) === 'accepted') return true;
  const reuse = find(step, 'key-reuse');
  return seen(context, trace).some((one) => {
    if (!isAccepted(one.exchange.answer)) return false;
    const correction = find(one.step, 'key-reuse');
    return (
      (reuse !== undefined && sameRequest.has(reuse.difference) && one.step.id === reuse.of) ||
      (correction?.difference === 'correction' && correction.of === step.id)
    );
  });
}

/** Why nothing follows from a response whose control shows nothing. */
export const unattributed =
  'No control (the same request, but valid) was accepted, so nothing shows that the deviation caused this response.';

export function headerValues(headers: HeaderList, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  const found: string[] = [];
  for (const [field, value] of headers)
    if (field.length === wanted.length && field.toLowerCase() === wanted) found.push(value);
  return found;
}

/** Of what has no path field, a read may name an empty target and a command none. */
export function sameTarget({ target = {} }: Step, other: Step): boolean {
  return JSON.stringify(target) === JSON.stringify(other.target ?? {});
}

/** Many clauses ask for the ID of one result. */
const idIn = rememberedWith((answer: HttpResponse, operation: Operation) => resultId(operation, answer));

/** @throws Undecided where the result was cut, and what is left has no ID */
export function idOf(operation: Operation, answer: HttpResponse): string | undefined {
  const id = idIn(answer, operation);
  if (id === undefined && answer.truncated && operation.kind === 'command') throw new Undecided(unkept);
  return id;
}

/** Whether another scope may have this ID: a number, which each may count, or what the request itself chose. */
export function isShared(id: string, { request }: Exchange): boolean {
  return isCount(id) || request.body?.includes(JSON.stringify(id)) === true;
}

/** Whether a response has a whole ID that its request does not name; a short one, or a number, may be chance. */
export function discloses({ answer, request }: Exchange, id: string): boolean {
  if (id.length < 4 || isCount(id)) return false;
  const whole = new RegExp(`(?<![\\w-])${id.replaceAll(/\W/g, '\\$&')}(?![\\w-])`);
  return whole.test(answer?.body ?? '') && !whole.test(pathTexts(request)) && !whole.test(request.body ?? '');
}

const valuesIn = rememberedWith((exchange: Exchange, operation: Operation) =>
  pathValuesIn(operation, exchange.request),
);

/** What the path of a request has in the fields of its operation; undefined where it is not of that form. */
export function pathValues(operation: Operation, exchange: Exchange): PathValues {
  return operation.pathFields.length === 0 ? none : valuesIn(exchange, operation);
}

const none: PathValues = [];

/** What a request names its target by: its path, or where that has no fields the member of its body. */
export function targetValues(operation: Operation, exchange: Exchange): PathValues {
  const record = namedTarget(operation);
  if (record === undefined) return pathValues(operation, exchange);
  return [idText(valueAt(parseJson(exchange.request.body ?? ''), record.at))];
}

export function bodyName(step: Step): Name | undefined {
  return bodyNameOf(step.body);
}

/** The key that a step sent, where it is one well-defined value. */
export function keyName(step: Step): Name | undefined {
  return step.key.use === 'named' ? step.key.name : undefined;
}

/** The marker that the body of an exchange carried; requests of a repeated step have one each. */
export function markerOf(trace: Trace, one: Seen): string | undefined {
  const name = bodyName(one.step);
  if (name === undefined) return undefined;
  return trace.bound.markers[one.exchange.ordinal === 0 ? name : `${name}#${one.exchange.ordinal}`];
}

/** Why nothing follows from a request on which the service did not decide; undefined where it did, or failed. */
export function undecided({ exchange }: Seen): string | undefined {
  switch (responseClass(exchange.answer)) {
    case 'no-response':
      if (exchange.noAnswer?.reason === 'harness') return `The request was ${exchange.noAnswer.detail}.`;
      return 'There was no response, which says nothing about what the service would have returned.';
    case 'throttled':
      return 'The request was throttled, and so was every retry within the budget.';
    default:
      return undefined;
  }
}
