import type { Context, Ruling } from '../../model/clause.ts';
import { idText, isCount } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, parentOf, valueAt } from '../../model/json.ts';
import { plainName } from '../../model/listed.ts';
import { isWeak } from '../../model/marker.ts';
import { writtenName } from '../../model/path.ts';
import { jsonOf } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import { itemIds, itemsOf } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  markerOf,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { noIdIn } from '../judging/results.ts';

const expected = 'no record that was made within another one';

/** A record is made within one record and read in the list of another; its own list shows that there was one. */
export function* listedElsewhere(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  const looks = all.filter(({ step }) => step.observes === 'elsewhere');
  const [look] = looks;
  if (look === undefined) return;
  const makers = all.filter(
    ({ answer, operation, step }) =>
      operation.effect?.list === look.operation.id &&
      isAccepted(answer) &&
      // Some are made in the very list that is looked at.
      !isWithin(step, look.step),
  );
  const signs = makers.flatMap((one) => signsOf(trace, one));
  const counted = makers.flatMap((one) => countedOf(context, one, look));
  const shown = (one: Answered): string | undefined => {
    if (!isAccepted(one.answer)) return undefined;
    const text = JSON.stringify(jsonOf(one.answer) ?? null);
    return (
      signs.find((sign) => text.includes(sign)) ?? counted.find(({ isIn }) => itemsOf(one).some(isIn))?.name
    );
  };
  const shows = (one: Answered): boolean => shown(one) !== undefined;
  const before = all.find(({ step }) => step.observes === 'elsewhere-before');
  const control = all.find(({ step }) => step.controls !== undefined);
  const unread = looks.find(({ answer }) => !isAccepted(answer));
  const leak = looks.find(shows);
  if (leak !== undefined)
    yield before !== undefined && isAccepted(before.answer) && !before.answer.truncated && !shows(before)
      ? violated([before, leak], {
          expected,
          actual: `${shown(leak)} in the list`,
          because: 'The list within one record shows an item that was made within another.',
        })
      : inconclusive([leak], 'The list may have shown the item before the run created it.');
  else if (unread !== undefined) yield inconclusive([unread], 'The list could not be read.');
  else if (control !== undefined && shows(control)) {
    // Where the list has filters too, this does not show that they are applied.
    if (look.operation.queryFields.every(({ filters }) => filters === undefined))
      yield holds([look, control], {
        expected,
        because: 'The item is in the list of its own record, and in no other list that was read.',
      });
  } else {
    const [made] = signs.length + counted.length === 0 ? makers : [];
    yield inconclusive(
      [look],
      made === undefined
        ? 'The list of its own record does not show the item either.'
        : noIdIn(made.operation),
    );
  }
}

/** Whether a command made its record within the one whose list is read. */
function isWithin({ target: made = {} }: Step, { target: listed = {} }: Step): boolean {
  const names = Object.keys(listed);
  return (
    names.length > 0 && names.every((name) => JSON.stringify(made[name]) === JSON.stringify(listed[name]))
  );
}

/** A record with a number of its own within another one is known by both, where it shows in which record it is. */
function countedOf(
  context: Context,
  { answer, exchange, operation }: Answered,
  look: Answered,
): readonly { readonly name: string; readonly isIn: (item: Json) => boolean }[] {
  const id = idOf(operation, answer);
  const parent = operation.pathFields.at(-1);
  const within = pathValues(operation, exchange).at(-1);
  if (id === undefined || !isCount(id) || parent === undefined || within === undefined) return [];
  if (pathValues(look.operation, look.exchange).at(-1) === within) return [];
  const listedId = itemIds(context, look.operation.id);
  const named = [plainName(parent.name), plainName(writtenName(parent))];
  const isWithin = (item: Json | undefined): boolean =>
    isObject(item) &&
    Object.entries(item).some(([name, value]) => named.includes(plainName(name)) && idText(value) === within);
  const holder = operation.effect === undefined ? undefined : parentOf(operation.effect.id);
  if (!isWithin(valueAt(jsonOf(answer) ?? null, holder ?? ''))) return [];
  return [{ name: `${id} of ${within}`, isIn: (item) => listedId(item) === id && isWithin(item) }];
}

/** What identifies a record that a command made. A number may count the records within each record. */
function signsOf(trace: Trace, one: Answered): readonly string[] {
  const id = idOf(one.operation, one.answer);
  const marker = markerOf(trace, one);
  const isSent = marker !== undefined && one.exchange.request.body?.includes(marker) === true;
  return [
    ...(id === undefined || isCount(id) ? [] : [JSON.stringify(id)]),
    ...(isSent && !isWeak(marker) ? [marker] : []),
  ];
}
