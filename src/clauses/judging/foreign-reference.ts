import type { Context, Ruling } from '../../model/clause.ts';
import { idText } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { valueAt } from '../../model/json.ts';
import { drawnOf, referencesOf } from '../../model/named-records.ts';
import { sentJson } from '../../model/response.ts';
import { differences, movedBetween } from '../../oracle/record-state.ts';
import { changesOf, movedTo } from './amounts-moved.ts';
import { ofAttempts } from './counted-effects.ts';
import { shownOf } from './own-record.ts';
import {
  type Answered,
  answered,
  controlOf,
  find,
  holds,
  isAccepted,
  isQueued,
  only,
  pathValues,
  responseClass,
  violated,
} from './reading.ts';
import { isBookkeeping } from './removal.ts';

const expected = 'a refusal, or no more than a reference to the record of the other scope';

/**
 * The body of a command refers to a record of another scope, which its caller cannot read. The command neither changes that record
 * nor shows it. Where a reference to no record is refused, the service looks for the record, and has to look in the scope of its
 * caller; where it looks for none, that it accepts the reference is open.
 */
export function* foreignReference(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const [at, one] of all.entries()) {
    if (one.step.role !== 'test' || only(one.step, 'reference') === undefined) continue;
    const afar = all.slice(0, at).findLast(({ step }) => find(step, 'scope') !== undefined);
    if (afar === undefined || ![403, 404, 410].includes(afar.answer.status)) continue;
    if (!context.proven.has(one.step.as) || controlOf(context, trace, one.step.id) !== 'accepted') continue;
    if (responseClass(one.answer) === 'refused')
      yield holds([one, afar], { expected, because: 'The reference was refused.' });
    else if (isAccepted(one.answer))
      yield isDrawn(context, one, afar)
        ? drawnReference(all, one, afar)
        : acceptedReference(context, trace, one, afar);
  }
}

function acceptedReference(context: Context, trace: Trace, one: Answered, afar: Answered): Ruling {
  const shown = shownOf(context, trace, one);
  if (shown?.verdict === 'violated') return shown;
  const all = answered(context, trace);
  const at = all.indexOf(one);
  const before = all.slice(0, at).findLast(({ step }) => step.observes === 'before');
  const after = all.slice(at).find(({ step }) => step.observes === 'after');
  if (before !== undefined && after !== undefined && isAccepted(before.answer)) {
    const isGone = [404, 410].includes(after.answer.status);
    const moved = isAccepted(after.answer)
      ? differences(before, after).filter((place) => !isBookkeeping(place) && !ofAttempts.test(place))
      : [];
    if (isGone || moved.length > 0)
      return violated([one, afar, before, after], {
        expected,
        because: `The command was accepted, and the record of another scope ${isGone ? 'is gone' : 'does not read as before'}. Its caller cannot read that record.`,
        moved: movedBetween(before, after),
      });
  }
  const unknown = all.slice(at).find((each) => refersToNone(each, one));
  if (unknown !== undefined && !isQueued(one.answer) && notThere.includes(unknown.answer.status))
    return violated([one, afar, unknown], {
      expected: 'a refusal, as of a reference to no record',
      because: `The command was accepted. Its caller cannot read the record of another scope, and the same command with a reference to no record got ${unknown.answer.status}.`,
    });
  return holds([one, afar], {
    expected,
    because: 'The record of the other scope was neither shown nor changed.',
    advisory: 'accepted a body that refers to a record of another scope, which its caller cannot read',
  });
}

/** Whether it refers to a record that the command takes something out of: its name alone may be that of another side. */
function isDrawn({ contract }: Context, { exchange, operation }: Answered, afar: Answered): boolean {
  const drawn = drawnOf(contract, operation);
  if (drawn === undefined || referencesOf(contract, operation).includes(drawn.from)) return false;
  const sent = idText(valueAt(sentJson(exchange.request), drawn.from.at));
  return sent !== undefined && pathValues(afar.operation, afar.exchange).includes(sent);
}

/**
 * What such a command takes out of the record of another scope, the caller's own record gains: the same amount at the same place.
 * Less is no sign, for a service may let anybody ask for a payment. Nobody has allowed it to be drawn on the new record.
 */
function drawnReference(all: readonly Answered[], one: Answered, afar: Answered): Ruling {
  const named = (id: string): Answered | undefined =>
    all.find(({ answer, step }) => step.id === id && isAccepted(answer));
  const [before, after] = ['before-again', 'after'].map(named);
  const [had, has] = ['gains-before', 'gains-after'].map(named);
  const moved = [before, after, had, has].every((each) => each !== undefined)
    ? movedTo(changesOf(before, after), changesOf(had, has))
    : undefined;
  return moved !== undefined && before !== undefined && after !== undefined && has !== undefined
    ? violated([one, afar, before, after, has], {
        expected: 'a refusal',
        because: `The command was accepted. The record of another scope, which its caller cannot read, lost at ${moved} what the caller's own record gained.`,
        moved: movedBetween(before, after),
      })
    : holds([one, afar], {
        expected,
        because: 'Nothing moved from the record of the other scope to that of the caller.',
        advisory: 'accepted a body that takes from a record of another scope, which its caller cannot read',
      });
}

/** What a service may say of a reference to no record; a 409 may speak of a state. */
const notThere: readonly number[] = [400, 403, 404, 410, 422];

/** Whether a step is another one with a reference to no record in its place. */
function refersToNone({ operation, step }: Answered, one: Answered): boolean {
  return (
    step.id === 'unknown' &&
    only(step, 'target') !== undefined &&
    operation.id === one.operation.id &&
    step.as === one.step.as
  );
}
