import type { Context } from '../../model/clause.ts';
import { isCount } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { makesRecords } from '../../model/makes-records.ts';
import { hasMarker } from '../../model/marker.ts';
import { namesResult } from '../../model/result-id.ts';
import { sameState } from '../../oracle/record-state.ts';
import { idOf, isAccepted, markerOf, pathValues, type Seen, sameTarget, seen } from './reading.ts';

/** Whether two commands have one result; undefined where ids are counted within each target, such as line 1 of an order. */
export function isOneResult(context: Context, trace: Trace, first: Seen, again: Seen): boolean | undefined {
  const [one, other] = [resultOf(first), resultOf(again)];
  if (one === undefined || one !== other) return false;
  if (!isLocal(first, again, one) && !isOneTarget(context, first, again, one)) return true;
  if (namesOwn(first, again, one)) return true;
  if (!sameState(first, again)) return false;
  const [mine, its] = [markerOf(trace, first), markerOf(trace, again)];
  const body = again.exchange.answer?.body ?? '';
  if (mine !== undefined && its !== undefined && mine !== its) {
    if (hasMarker(body, its)) return false;
    if (hasMarker(body, mine)) return true;
  }
  const controls = seen(context, trace).filter(
    ({ exchange: { answer, request }, step }) =>
      step.controls === again.step.id && request.path === again.exchange.request.path && isAccepted(answer),
  );
  if (controls.some((control) => isRepeated(first, again, control))) return true;
  // A control that made the record with this number on the same target shows that nothing else had made it.
  const made = controls.some((control) => resultOf(control) === one);
  return made && isCount(one) && !isOneTarget(context, first, again, one) ? true : undefined;
}

/** Whether the second response has a moment or the request ID of the first, and the control has not. */
function isRepeated(first: Seen, again: Seen, control: Seen): boolean {
  const own = ({ exchange: { answer, requestIds } }: Seen): readonly string[] => [
    ...requestIds,
    ...(answer?.body.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?!0+\D)\d{3,}/g) ?? []),
  ];
  if (control.exchange.answer?.truncated === true) return false;
  const [its, others] = [own(again), own(control)];
  return own(first).some((each) => its.includes(each) && !others.includes(each));
}

function resultOf({ exchange: { answer }, operation }: Seen): string | undefined {
  return answer === undefined || !isAccepted(answer) ? undefined : idOf(operation, answer);
}

/** Whether both commands ran on one record: the body names it, or there is only one. Then both results name it. */
function isOneTarget({ contract }: Context, first: Seen, again: Seen, id: string): boolean {
  return (
    first.exchange.request.path === again.exchange.request.path &&
    (!makesRecords(contract, again.operation) ||
      [first, again].every(({ exchange, operation }) => namesResult(operation, exchange.request, id)))
  );
}

/** Whether two targets may each have a record with this ID: a number, a word, or a word with a short number. */
function isLocal(first: Seen, again: Seen, id: string): boolean {
  const { named = [], pathFields } = again.operation;
  const areTwo =
    (pathFields.length > 0 && first.exchange.request.path !== again.exchange.request.path) ||
    // The body may name the order of a line.
    (named.length > 0 && !sameTarget(first.step, again.step));
  return areTwo && /^(\d+|\D*\d{0,6})$/.test(id);
}

/** Whether the ID is that of the first target, and no part of the path of the second. */
function namesOwn(first: Seen, again: Seen, id: string): boolean {
  return (
    (id.length >= 4 || !isCount(id)) &&
    pathValues(first.operation, first.exchange).includes(id) &&
    !pathValues(again.operation, again.exchange).includes(id)
  );
}
