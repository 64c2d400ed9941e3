import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  parseJson,
} from '../../model/json.ts';
import { sentJson } from '../../model/response.ts';
import { type Answered, answered, isAccepted, markerOf, only, type Seen } from '../judging/reading.ts';
import { bodyFields, memberFault } from './body-faults.ts';

/** Members of a faulty body that an accepted control has too: others may name a record that is not there. */
export function shownFine(context: Context, trace: Trace, test: Answered): (field: JsonPointer) => boolean {
  return fineAmong(trace, test, controlsOf(context, trace, test));
}

/** Members of a faulty body that an accepted request has too, whatever it is the control of. */
export function acceptedToo(context: Context, trace: Trace, test: Answered): (field: JsonPointer) => boolean {
  return fineAmong(
    trace,
    test,
    answered(context, trace).filter(
      ({ answer, operation }) => operation.id === test.operation.id && isAccepted(answer),
    ),
  );
}

function fineAmong(
  trace: Trace,
  test: Answered,
  accepted: readonly Answered[],
): (field: JsonPointer) => boolean {
  const sent = contentOf(trace, test);
  const contents = accepted.map((one) => contentOf(trace, one));
  return (field) => {
    const path = pathOf(field);
    const mine = valuesAt(sent, path);
    return contents.some((content) => {
      const fine = valuesAt(content, path);
      return mine.size === 0 ? fine.size === 0 : [...mine].every((value) => fine.has(value));
    });
  };
}

/** Why a faulty body may be refused for something else: it has members with values that no control had. */
export function otherDoubts(context: Context, trace: Trace, test: Answered): string | undefined {
  const sent = contentOf(trace, test);
  const whole = only(test.step, 'body');
  // An object that is wrong as a whole may have members that no accepted one has.
  const fault = memberFault(test.step) ?? (isObject(sent) ? whole : undefined);
  if (fault === undefined) return undefined;
  // To a service that checks no formats the body is valid, and the value may exist once (G19).
  if (fault.keyword === 'format' && test.answer.status === 409)
    return 'A service need not check formats: another record may have this value, and that is a conflict.';
  const isFine = shownFine(context, trace, test);
  const controls = controlsOf(context, trace, test);
  const other = bodyFields(test.operation).find((field) => {
    const path = pathOf(field);
    return (
      (fault.at === '' || !areNested(field, fault.at)) &&
      valuesAt(sent, path).size > 0 &&
      !isFine(field) &&
      !controls.some((control) => isMarked(trace, control, path))
    );
  });
  return other === undefined
    ? undefined
    : `No accepted request has the value of ${other}, which may be refused for another reason.`;
}

/** Whether one place is the other or within it: what is wrong with an object may well be said of its members. */
export function areNested(one: JsonPointer, other: JsonPointer): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function controlsOf(context: Context, trace: Trace, test: Answered): readonly Answered[] {
  return answered(context, trace).filter(
    ({ answer, step }) => (step.controls === test.step.id || step.controls === '*') && isAccepted(answer),
  );
}

function pathOf(field: JsonPointer): readonly string[] {
  return field.split('/').filter((token) => token !== '' && !/^\d+$/.test(token));
}

/** Whether the marker of a request stands at a place: whatever is there otherwise was accepted elsewhere. */
function isMarked(trace: Trace, one: Answered, path: readonly string[]): boolean {
  const marker = markerOf(trace, one);
  const sent = valuesAt(sentJson(one.exchange.request), path);
  return marker !== undefined && [...sent].some((value) => value.includes(marker));
}

/** What a request says, whatever its marker is. A text has its marker behind a blank; a marker alone is no empty text. */
function contentOf(trace: Trace, one: Seen): Json | undefined {
  const marker = markerOf(trace, one);
  const body = one.exchange.request.body ?? '';
  if (marker === undefined) return parseJson(body);
  return parseJson(
    /^\d+$/.test(marker)
      ? body.replaceAll(marker, '0')
      : body.replaceAll(` ${marker}`, '').replaceAll(marker, 'marker'),
  );
}

/** The values that a body has at a place, in whichever items of its lists. */
function valuesAt(value: Json | undefined, path: readonly string[]): ReadonlySet<string> {
  if (value === undefined) return new Set();
  if (isArray(value)) return new Set(value.flatMap((item) => [...valuesAt(item, path)]));
  const [name, ...rest] = path;
  if (name === undefined) return new Set([canonicalJson(value)]);
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : new Set();
}
