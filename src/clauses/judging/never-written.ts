import type { Context, Ruling } from '../../model/clause.ts';
import { idText } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Json, pointerOf } from '../../model/json.ts';
import { bare } from '../../model/path.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { describes } from '../../model/schema-places.ts';
import { sameState } from '../../oracle/record-state.ts';
import { isSame, membersOf, secret } from './changes.ts';
import { isOneCaller } from './readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  isAccepted,
  isQueued,
  pathValues,
  sameTarget,
  seen,
  summary,
  violated,
} from './reading.ts';
import { isBookkeeping } from './removal.ts';

/**
 * Two accepted commands that set every member of a record to other values, and the read of the same path, which shows neither
 * (CMD-6). A service may refuse to change one member, or change it later, but then the result or another member would show it.
 */
export function* neverWritten(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  const one = all.find(({ step }) => step.role === 'test' && step.deviations.length === 0);
  if (one === undefined || !['PUT', 'PATCH'].includes(one.operation.method)) return;
  const first = all.find(
    (other) => other !== one && other.operation === one.operation && sameTarget(other.step, one.step),
  );
  const read = (when: 'before' | 'after'): Answered | undefined =>
    all.findLast(
      ({ answer, operation, step }) =>
        step.observes === when &&
        isAccepted(answer) &&
        operation.id === one.operation.effect?.read &&
        bare(operation.path) === bare(one.operation.path),
    );
  const [before, after] = [read('before'), read('after')];
  if (first === undefined || before === undefined || after === undefined) return;
  const order = [first, before, one, after];
  const isInTurn = order.every(
    ({ exchange }, at) => at === 0 || exchange.startedAt >= (order[at - 1]?.exchange.endedAt ?? 0),
  );
  const isAlone = seen(context, trace).every(
    ({ exchange, operation, step }) =>
      [first, one].some((own) => own.exchange === exchange) ||
      operation.kind === 'read' ||
      step.role === 'setup',
  );
  const isDone = [first, one].every(
    ({ answer, step }) => isAccepted(answer) && !isQueued(answer) && faultsOf(step).length === 0,
  );
  if (!isInTurn || !isAlone || !isDone || !isOneCaller(context, one.step.as, after.step.as)) return;
  const [was, is] = [before, after].map(({ answer }) => membersOf(exactJsonOf(answer)));
  const ids = pathValues(one.operation, one.exchange);
  const members = [...(was ?? [])].filter(
    ([name, value]) =>
      describes(one.operation.body?.schema, pointerOf([name])) && !ids.includes(idText(value) ?? ''),
  );
  const [set, other] = [first, one].map(({ exchange }) => membersOf(sentJson(exchange.request)));
  const isKept = members.every(([name, value]) => {
    const [asked, then, shown] = [set, other, is].map((each) => each?.get(name));
    return (
      isPlain(value) &&
      [asked, then, shown].every((each) => typeof each === typeof value) &&
      isSame(value, shown ?? null) &&
      !isSame(asked ?? null, then ?? null) &&
      !secret.test(name) &&
      !isBookkeeping(pointerOf([name]))
    );
  });
  const isOther = (sent: typeof set): boolean =>
    members.some(([name, value]) => !isSame(sent?.get(name) ?? null, value));
  // A result of its own may say why nothing was written.
  const isSilent = [first, one].every(
    ({ answer }) => answer.body === '' || showsOnly(membersOf(exactJsonOf(answer)), members),
  );
  if (members.length === 0 || !isKept || !isOther(set) || !isOther(other) || !isSilent) return;
  if (!sameState(before, after)) return;
  yield violated([one, first, before, after], {
    expected: 'the record as one of the two commands set it',
    actual: summary(after.exchange),
    because: `Two accepted commands set ${members.map(([name]) => name).join(', ')} to other values, but the record shows neither.`,
  });
}

function isPlain(value: Json): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Whether a result shows these members as they are, and so is one of the record. */
function showsOnly(
  result: ReadonlyMap<string, Json>,
  members: readonly (readonly [string, Json])[],
): boolean {
  return members.every(([name, value]) => isSame(result.get(name) ?? null, value));
}
