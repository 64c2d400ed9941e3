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
import { type Answered, answered, isAccepted, markerOf, type Seen } from '../judging/reading.ts';

/**
 * Which members of a faulty body an accepted control has as well, with the same values. Of another member nothing shows
 * that it was fine: it may be valid by the schema, and name a record that is not there.
 */
export function shownFine(context: Context, trace: Trace, probe: Answered): (field: JsonPointer) => boolean {
  const sent = contentOf(trace, probe);
  const controls = answered(context, trace)
    .filter(
      ({ answer, step }) => (step.controls === probe.step.id || step.controls === '*') && isAccepted(answer),
    )
    .map((control) => contentOf(trace, control));
  return (field) => {
    const path = field.split('/').filter((token) => token !== '' && !/^\d+$/.test(token));
    const mine = valuesAt(sent, path);
    return controls.some((control) => {
      const fine = valuesAt(control, path);
      return mine.size === 0 ? fine.size === 0 : [...mine].every((value) => fine.has(value));
    });
  };
}

/** What a request says, without its marker. */
function contentOf(trace: Trace, one: Seen): Json | undefined {
  const marker = markerOf(trace, one);
  const body = one.exchange.request.body ?? '';
  return parseJson(marker === undefined ? body : body.replaceAll(marker, /^\d+$/.test(marker) ? '0' : ''));
}

/** The values that a body has at a place, in whichever items of its lists. */
function valuesAt(value: Json | undefined, path: readonly string[]): ReadonlySet<string> {
  if (value === undefined) return new Set();
  if (isArray(value)) return new Set(value.flatMap((item) => [...valuesAt(item, path)]));
  const [name, ...rest] = path;
  if (name === undefined) return new Set([canonicalJson(value)]);
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : new Set();
}
