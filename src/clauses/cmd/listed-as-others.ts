import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { recordOf } from '../../model/listed.ts';
import { hasMarker, shownMarkers } from '../../model/marker.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import { isOneCaller } from '../judging/readers.ts';
import { answered, isAccepted, violated } from '../judging/reading.ts';
import { isNamed, type Made, madeWithText, textAt } from './made-with-text.ts';

/**
 * An item of a list has the text of another record (CMD-6), which was made before it. The result showed the record with a text of
 * its own, and no command has named it since. The text is of the record itself: a name may be that of a customer whom several
 * records have in common.
 */
export function* listedAsOthers(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  const made = madeWithText(trace, all, (_, at) => ofRecord.test(at));
  if (made.length < 2) return;
  for (const list of all) {
    const items = list.operation.kind === 'read' && isAccepted(list.answer) ? listIn(list) : undefined;
    if (items === undefined || list.answer.truncated) continue;
    const idOfItem = itemIds(context, list.operation.id);
    for (const each of made) {
      const { id, one } = each;
      const own = items.filter((item) => idOfItem(item) === id);
      const [item] = own;
      if (item === undefined || own.length > 1 || one.exchange.endedAt > list.exchange.startedAt) continue;
      if (!isOneCaller(context, one.step.as, list.step.as)) continue;
      const shown = recordOf(context.contract, list.operation, item);
      const found = each.places.find((at) => isOfElder(made, each, textAt(shown, at)));
      if (found === undefined || isNamed(context, trace, each)) continue;
      yield violated([one, list], {
        expected: `the text that ${id} was made with at ${found}`,
        actual: textAt(shown, found).slice(0, 160),
        because: `The list shows ${id} with a text at ${found} that an earlier command sent for another record. The result of its own command showed its own text, and no command has named it since.`,
      });
    }
  }
}

/** What is said of one record alone. */
const ofRecord =
  /^\/(body|comments?|contents?|description|details|message|notes?|reference|remarks?|subject|summary|text|title)$/i;

/** Whether all markers of a text are those of records that were there before this one was asked for. */
function isOfElder(made: readonly Made[], { marker, one }: Made, text: string): boolean {
  const markers = shownMarkers(text);
  return (
    markers.length > 0 &&
    !hasMarker(text, marker) &&
    markers.every((each) => {
      const others = made.filter((other) => other.marker === each);
      return (
        others.length > 0 && others.every((other) => other.one.exchange.endedAt <= one.exchange.startedAt)
      );
    })
  );
}
