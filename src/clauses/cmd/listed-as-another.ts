import type { Context, Fold, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import type { JsonPointer } from '../../model/json.ts';
import { recordOf, showsIn } from '../../model/listed.ts';
import { hasMarker, shownMarkers } from '../../model/marker.ts';
import { exactJsonOf } from '../../model/response.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import { isOneCaller } from '../judging/readers.ts';
import { type Answered, answered, isAccepted, pathValues, violated } from '../judging/reading.ts';
import { isNamed, type Made, madeWithText, textAt } from './made-with-text.ts';

type Doubt = Made & {
  readonly at: JsonPointer;
  readonly list: Answered;
  readonly ruling: Ruling;
  readonly trace: Trace;
};

/** So many records are in doubt at a time. */
const mostDoubts = 5;

/**
 * An item of a list shows the text of another record (CMD-6), and later that record shows its own text again, in a list or by itself.
 * No command has named it, and none sends its text twice: what it shows came neither from a command, nor from somebody whom several
 * records have in common.
 */
export function listedAsAnother(): Fold {
  const doubts = new Map<string, Doubt>();
  return {
    *see(context, trace) {
      const all = answered(context, trace);
      for (const doubt of doubtsIn(context, trace, all))
        if (doubts.size < mostDoubts || doubts.has(doubt.id)) doubts.set(doubt.id, doubt);
      for (const [id, doubt] of doubts)
        if (all.some((read) => showsOwn(context, read, doubt))) {
          doubts.delete(id);
          yield doubt.trace === trace
            ? doubt.ruling
            : { ...doubt.ruling, conclusive: true, within: doubt.trace };
        }
    },
  };
}

function* doubtsIn(context: Context, trace: Trace, all: readonly Answered[]): Iterable<Doubt> {
  // Within another record, an ID may be that of several.
  const alone = madeWithText(trace, all, ({ operation }) => operation.pathFields.length === 0);
  const made = alone.filter((each) => !isNamed(context, trace, each));
  for (const list of made.length === 0 ? [] : all)
    for (const each of made) {
      const at = each.places.find((place) => {
        const markers = shownMarkers(textIn(context, list, each, place) ?? '');
        return markers.length > 0 && !markers.includes(each.marker);
      });
      if (at === undefined) continue;
      const ruling = violated([each.one, list], {
        expected: `the text that ${each.id} was made with at ${at}`,
        actual: (textIn(context, list, each, at) ?? '').slice(0, 160),
        because: `The list shows ${each.id} with a text at ${at} that was sent for another record. Later, ${each.id} shows its own text there. No command has named it.`,
      });
      yield { ...each, at, list, ruling, trace };
    }
}

/** The text that a list shows in a place of a record, behind the command that made it. */
function textIn(
  context: Context,
  { answer, exchange, operation, step }: Answered,
  { id, one }: Pick<Made, 'id' | 'one'>,
  at: JsonPointer,
): string | undefined {
  if (operation.kind !== 'read' || operation.pathFields.length > 0 || answer.truncated) return undefined;
  if (!isAccepted(answer) || !showsIn(one.operation.effect, operation.id)) return undefined;
  if (one.exchange.endedAt > exchange.startedAt || !isOneCaller(context, one.step.as, step.as))
    return undefined;
  const idOfItem = itemIds(context, operation.id);
  const own = (listIn({ answer, exchange, operation, step }) ?? []).filter((item) => idOfItem(item) === id);
  const [item] = own;
  if (item === undefined || own.length > 1) return undefined;
  return textAt(recordOf(context.contract, operation, item), at);
}

/** Whether a later list, or a later read of the record, shows its own text. */
function showsOwn(context: Context, read: Answered, { at, id, list, marker, one }: Doubt): boolean {
  const { answer, exchange, operation } = read;
  if (exchange.startedAt < list.exchange.endedAt || !isAccepted(answer)) return false;
  if (operation.id === one.operation.effect?.read && pathValues(operation, exchange).at(-1) === id) {
    return hasMarker(textAt(exactJsonOf(answer), at), marker);
  }
  return hasMarker(textIn(context, read, { id, one }, at) ?? '', marker);
}
