import type { Context, Ruling } from '../../model/clause.ts';
import { isCarried, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, type Json, pointerOf } from '../../model/json.ts';
import { sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame } from '../judging/changes.ts';
import { answered, holds, pathValues, violated } from '../judging/reading.ts';
import {
  newlyShown,
  plainMembers,
  type RecordChange,
  recordChanges,
  saysNothing,
} from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';

/**
 * A PUT replaces all of a record (RFC 9110, 9.3.4), so what an earlier one set and this one leaves out takes its declared default
 * (CMD-6). Where none is declared, or one schema stands for other commands as well, a service may keep it: that is worth a note.
 */
export function* keptByPut(context: Context, trace: Trace): Iterable<Ruling> {
  for (const change of recordChanges(context, trace, () => true)) {
    const { is, one, read, was } = change;
    if (one.operation.method !== 'PUT' || newlyShown(change).length === 0) continue;
    const left = leftOut(context, trace, change);
    const kept = left.filter((name) => isSame(is.get(name) ?? null, was.get(name) ?? null));
    if (left.length === 0) continue;
    const expected = 'nothing of what the PUT leaves out, but its default';
    const contrary = isShared(context, one.operation)
      ? undefined
      : kept.find((name) => defaultsOf(one.operation, name, was.get(name)).length > 0);
    if (contrary !== undefined) {
      const at = pointerOf([contrary]);
      const [due = null] = defaultsOf(one.operation, contrary, was.get(contrary));
      yield violated([one, read], {
        expected: `${JSON.stringify(due)} at ${at}, its default`,
        actual: `${JSON.stringify(was.get(contrary) ?? null).slice(0, 80)} at ${at}, as before`,
        because: `The record shows the PUT, which leaves out ${contrary}. It keeps what an earlier PUT set there, and the contract declares a default.`,
        moved: { read: read.operation.id, at: [at] },
      });
    } else if (kept.length > 0)
      yield holds([one, read], {
        expected,
        because:
          'The record shows the PUT. The contract does not declare what becomes of what the PUT leaves out.',
        advisory: `a PUT that leaves out ${kept.join(', ')} keeps what was there`,
      });
    else yield holds([one, read], { expected, because: 'Nothing is kept of what the PUT leaves out.' });
  }
}

/** Members that an earlier PUT of the record set to what it then showed, and that this one does not send. */
function leftOut(context: Context, trace: Trace, { one, sent, was }: RecordChange): readonly string[] {
  const { operation } = one;
  const path = pathValues(operation, one.exchange).join('/');
  const earlier = answered(context, trace)
    .filter(
      (other) =>
        other.operation === operation &&
        other.exchange.endedAt <= one.exchange.startedAt &&
        pathValues(operation, other.exchange).join('/') === path,
    )
    .map(({ exchange }) => plainMembers(sentJson(exchange.request)));
  return [...was].flatMap(([name, value]) => {
    const at = pointerOf([name]);
    const own = schemasAt(operation.body?.schema, at);
    const isSet = earlier.at(-1)?.has(name) === true && isSame(earlier.at(-1)?.get(name) ?? null, value);
    const isOwn = own.length > 0 && !own.some((schema) => fixed.some((keyword) => keyword in schema));
    const isDefault = own.some(
      (schema) => schema['default'] !== undefined && isSame(schema['default'], value),
    );
    const isPlain = !sent.has(name) && !isBookkeeping(at) && !isCarried(operation, at) && !isDefault;
    return isSet && isOwn && isPlain && !saysNothing(value) ? [name] : [];
  });
}

const fixed = ['const', 'readOnly', 'writeOnly', 'deprecated'];

/** The declared defaults of a member that are other values than the one that it had. */
function defaultsOf({ body }: Operation, name: string, was: Json = null): readonly Json[] {
  return schemasAt(body?.schema, pointerOf([name])).flatMap((schema) => {
    const due = schema['default'];
    return due === undefined || isSame(due, was) ? [] : [due];
  });
}

/** Whether another command has a body of the same schema: then a default may be meant for that one. */
function isShared({ contract }: Context, { body, id }: Operation): boolean {
  return contract.operations.some(
    (other) =>
      other.id !== id &&
      other.body !== undefined &&
      canonicalJson(other.body.schema) === canonicalJson(body?.schema ?? null),
  );
}
