import type { Context, Ruling } from '../../model/clause.ts';
import { isSingleton, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, isObject, type Json, parseJson } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { differences } from '../../oracle/record-state.ts';
import { anothersRecord, isOneCaller } from './readers.ts';
import { holds, inconclusive, isAccepted, type Seen, seen, summary, violated } from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** A command on a record, or on what there is but one of, whose declared read shows what it does. */
export function changes({ effect, kind, method, pathFields, ...rest }: Operation): boolean {
  return (
    kind === 'command' &&
    method !== 'DELETE' &&
    effect?.read !== undefined &&
    (pathFields.length > 0 || isSingleton({ effect, kind, method, pathFields, ...rest }))
  );
}

const expected = 'the record as the result shows it';

/** What an accepted command says that it did to a record, the declared read shows as well (CMD-6). */
export function* changed(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const [at, one] of all.entries()) {
    const { answer } = one.exchange;
    if (one.step.role !== 'test' || one.step.deviations.length > 0) continue;
    if (!changes(one.operation) || answer === undefined || !isAccepted(answer)) continue;
    const read = (when: 'before' | 'after') => (other: Seen) =>
      other.step.observes === when && other.operation.id === one.operation.effect?.read;
    const before = all.slice(0, at).findLast(read('before'));
    const after = all.slice(at).find(read('after'));
    if (before === undefined || after === undefined) continue;
    const on = [one, before, after];
    const actual = summary(after.exchange);
    const was = before.exchange.answer?.status ?? 0;
    if ([404, 410].includes(was)) yield made(context, on, [one, after], actual);
    else if (!isAccepted(before.exchange.answer) || !isAccepted(after.exchange.answer)) continue;
    else if (!differences(before, after).every(isBookkeeping))
      yield holds(on, { expected, actual, because: 'The record no longer reads as before.' });
    else {
      const lost = claimed(one, before);
      // What is only taken in (202) may be done later.
      yield lost === undefined || answer.status === 202
        ? inconclusive(
            on,
            'Apart from versions and dates, the record reads as before. The result does not show what should have changed.',
          )
        : violated(on, {
            expected,
            actual,
            because: `The result shows a new value at ${lost}, but the record reads as before.`,
          });
    }
  }
}

/** A record that was not there, and that the command puts under an id of the caller's choice. */
function made(
  context: Context,
  on: readonly Seen[],
  [command, read]: readonly [Seen, Seen],
  actual: string,
): Ruling {
  const { answer } = read.exchange;
  if (isAccepted(answer)) return holds(on, { expected, actual, because: 'The record is there now.' });
  if (![404, 410].includes(answer?.status ?? 0) || command.exchange.answer?.status === 202)
    return inconclusive(on, 'The record could not be read, or is not there yet.');
  if (!isOneCaller(context, command.step.as, read.step.as)) return inconclusive(on, anothersRecord);
  return violated(on, {
    expected,
    actual,
    because: 'The command was accepted, but there is no record where it put one.',
  });
}

/**
 * A member that the result shows otherwise than the record was. The result has all members of the record, or its id and
 * what was asked for: another document may say what is to be done later, for an accepted result is no completion.
 */
function claimed({ exchange }: Seen, before: Seen): string | undefined {
  const record = membersOf(exactJsonOf(before.exchange.answer));
  const result = membersOf(exactJsonOf(exchange.answer));
  const sent = membersOf(parseJson(exchange.request.body ?? ''));
  const plain = [...record].filter(([name, value]) => !isObject(value) && !isBookkeeping(`/${name}`));
  // Another document than the record may have members of the same names.
  const isRecord = plain.length > 1 && plain.every(([name]) => result.has(name));
  const ids = plain.filter(([name]) => isId(name) && result.has(name));
  if (!ids.every(([name, value]) => isSame(result.get(name) ?? null, value))) return undefined;
  if (!isRecord && ids.length === 0) return undefined;
  return plain.find(([name, value]) => {
    const shown = result.get(name);
    if (shown === undefined || isSame(shown, value)) return false;
    const asked = sent.get(name);
    return isRecord || (asked !== undefined && isSame(asked, shown));
  })?.[0];
}

function isId(name: string): boolean {
  return /^(id|uuid|key|number|no|code)$|[a-z](Id|ID|Uuid|Key|Number|No|Code)$|_(id|uuid|key|number|no|code)$/.test(
    name,
  );
}

function isSame(one: Json, other: Json): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The members of a document, or of the only object in it that it wraps. */
function membersOf(value: Json | undefined): ReadonlyMap<string, Json> {
  if (!isObject(value)) return new Map();
  const inner = ['data', 'result', 'record', 'resource', 'item', 'payload']
    .map((name) => (Object.hasOwn(value, name) ? value[name] : undefined))
    .find((each) => isObject(each));
  return new Map(Object.entries(isObject(inner) ? inner : value));
}
