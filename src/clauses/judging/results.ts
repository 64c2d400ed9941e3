import type { Context } from '../../model/clause.ts';
import { isDeclared, type Operation } from '../../model/contract.ts';
import { membersAt } from '../../model/described-places.ts';
import type { HttpResponse, Trace } from '../../model/exchange.ts';
import { type JsonSchema, pointerOf } from '../../model/json.ts';
import { idPointer } from '../../model/result-id.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { type Answered, faultsOf, find, headerValues, isAccepted, isFailed, only, seen } from './reading.ts';

/** Accepted responses to valid requests; IDM-25 judges replays. A parameter may ask for another result. */
export function isResult(one: Answered): boolean {
  return (
    isAccepted(one.answer) && faultsOf(one.step).length === 0 && find(one.step, 'parameter') === undefined
  );
}

/** The first accepted response of a command that failed before, or whose response was lost: whatever it replays was done. */
export function isLateResult(context: Context, trace: Trace, one: Answered): boolean {
  const reuse = only(one.step, 'key-reuse');
  const first = seen(context, trace).find(({ step }) => step.id === reuse?.of)?.exchange;
  const undone = first !== undefined && (first.answer === undefined || isFailed(first.answer));
  return reuse?.difference === 'none' && isAccepted(one.answer) && undone;
}

/** Whether a result has only counts and flags, as `{"deleted": 2}` has. */
function hasOnlyCounts(schema: JsonSchema | undefined): boolean {
  const members = membersAt(schema, '');
  return (
    members.length > 0 &&
    members.every((name) => {
      const types = schemasAt(schema, pointerOf([name])).flatMap(({ type }) => type ?? []);
      return types.length > 0 && types.every((type) => type === 'integer' || type === 'boolean');
    })
  );
}

/** Why it is unknown which record a result is about, and what to do. */
export function noIdIn(operation: Operation): string {
  const { effect, id, idHeader, success } = operation;
  if (idHeader === undefined && operation.idAt === undefined && hasOnlyCounts(success.schema))
    return `The result of ${id} names no record. If a list ${effect === undefined ? 'or a read ' : ''}shows what it does, name it in x-governed.effect.`;
  const place = idHeader?.use === 'only' ? `in the header ${idHeader.name}` : `at ${idPointer(operation)}`;
  return `The result of ${id} has no ID ${place}. If it has one elsewhere, name the place in x-governed.effect.id.`;
}

/** Members that the schema does not name change nothing of the values that the contract fixes. */
export function hasMoreMembers({ answer, step }: Answered): boolean {
  const faults = faultsOf(step);
  return isAccepted(answer) && faults.length > 0 && faults.every(({ kind }) => kind === 'unknown-member');
}

/** Whether another sending may be the one that was accepted, so that this status is open (G1). */
export function mayBeReplay(context: Context, trace: Trace, one: Answered): boolean {
  const accepted = (answer: HttpResponse | undefined): boolean =>
    answer === undefined || isDeclared(one.operation, answer.status) || isFailed(answer);
  const key = headerValues(one.exchange.request.headers, 'idempotency-key').join();
  return (
    one.exchange.earlier.some(({ answer }) => accepted(answer)) ||
    seen(context, trace).some(
      ({ operation, exchange }) =>
        exchange !== one.exchange &&
        operation === one.operation &&
        exchange.startedAt < one.exchange.endedAt &&
        headerValues(exchange.request.headers, 'idempotency-key').join() === key &&
        accepted(exchange.answer),
    )
  );
}
