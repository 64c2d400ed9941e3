import type { Context, Ruling } from '../../model/clause.ts';
import { isCount } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isWeak } from '../../model/marker.ts';
import { jsonOf } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import {
  type Answered,
  answered,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  markerOf,
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
  const shown = ({ answer }: Answered): string | undefined => {
    const text = JSON.stringify(jsonOf(answer) ?? null);
    return isAccepted(answer) ? signs.find((sign) => text.includes(sign)) : undefined;
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
    const [made] = signs.length === 0 ? makers : [];
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
