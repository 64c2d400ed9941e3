import type { Context, Ruling } from '../../model/clause.ts';
import { isCount } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, type JsonPointer, pointerOf, valueAt } from '../../model/json.ts';
import { jsonOf } from '../../model/response.ts';
import { duplicates } from '../judging/duplicates.ts';
import { isOneResult } from '../judging/one-result.ts';
import {
  controlOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  pathValues,
  type Seen,
  undecided,
  violated,
} from '../judging/reading.ts';
import { isChanged, undone, undoneUntil } from '../judging/undone.ts';

/** Key spaces that hold all targets of an operation (G18); the others may be read as one for each target. */
const wide: readonly unknown[] = ['caller', 'tenant', 'global'];

export function isWide({ declared }: Context): boolean {
  return wide.includes(declared.G18);
}

/** The stored result would leave the second target undone; a key space for each target allows to carry it out (G18). */
export function* onOtherTargets(context: Context, trace: Trace): Iterable<Ruling> {
  for (const { again, first } of duplicates(context, trace, 'target')) {
    const original = first.exchange.answer;
    const { answer } = again.exchange;
    if (original === undefined || !isAccepted(original)) continue;
    // What the vendor gives as a target may be one record each time.
    if (first.exchange.request.path === again.exchange.request.path) continue;
    const expected = '409 (the key is bound to the command on another target record)';
    const on = [again, first];
    const doubt = undecided(again);
    const isOne = isOneResult(context, trace, first, again);
    if (answer === undefined || doubt !== undefined) yield inconclusive(on, doubt ?? '');
    else if (!isAccepted(answer))
      yield controlOf(context, trace, again.step.id) === 'accepted'
        ? answer.status === 409
          ? holds(on, { expected, because: 'Refused as a conflict.' })
          : violated(on, {
              expected,
              because: `A valid command under a used key returned ${answer.status}, but is accepted under a new key.`,
            })
        : inconclusive(on, 'The command was not accepted under another key either.');
    else if (isOne === true || namesTargetOf(first, again))
      yield violated(on, {
        expected,
        because:
          'The command on another target record got the result of the first command. It was reported as done, but was not done.',
        conclusive: true,
      });
    else if (undone(context, trace, first, again))
      yield violated(on, { expected, ...undoneUntil(context, trace) });
    else if (isWide(context))
      yield violated(on, {
        expected,
        because: `A second command ran under one key, but the declared key space (${context.declared.G18}, G18) covers both records.`,
        conclusive: true,
      });
    else if (
      (isOne === undefined || idOf(again.operation, answer) === undefined) &&
      !isChanged(context, trace)
    )
      yield inconclusive(on, 'Neither the response nor the target record shows whether the command ran.');
    else
      yield holds(on, {
        expected,
        because: 'The command ran on its own record: each target record may have its own key space (G18).',
        advisory: 'each target record has its own key space; other services return 409 here',
      });
  }
}

/** Whether the second response names the first target where the first response names it: the results need not have an ID. */
function namesTargetOf(first: Seen, again: Seen): boolean {
  const [one, other] = [jsonOf(first.exchange.answer), jsonOf(again.exchange.answer)];
  if (one === undefined || other === undefined) return false;
  const own = pathValues(again.operation, again.exchange);
  return pathValues(first.operation, first.exchange).some(
    (value, index) =>
      // A short number may mean something else in the same place.
      value !== undefined &&
      value.length >= 4 &&
      !isCount(value) &&
      value !== own[index] &&
      placesOf(one, value).some((at) => valueAt(other, at) === value),
  );
}

function placesOf(value: Json, text: string, path: readonly string[] = []): readonly JsonPointer[] {
  if (value === text) return [pointerOf(path)];
  if (isArray(value)) return value.flatMap((item, index) => placesOf(item, text, [...path, String(index)]));
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => placesOf(member, text, [...path, name]))
    : [];
}
