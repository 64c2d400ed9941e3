import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, type Json, type JsonPointer } from '../../model/json.ts';
import { hasMarker, isUsual, shownMarkers } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
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
import { isWord, plainMembers } from '../judging/record-changes.ts';
import { isBookkeeping, isStanding } from '../judging/removal.ts';
import { isAlone, names, type Scalar, type Shown, scalarsIn } from './neighbours.ts';

const asked = ({ exchange, operation }: Answered): string | undefined =>
  pathValues(operation, exchange).at(-1);

const expected = 'the older record as it was';

/**
 * A command that makes a record leaves an older one as it was (CMD-6). All records of a caller may share a value, and follow the
 * newest one, but not one in which two of them differed before, nor a text of the older one.
 */
export function* elderHit(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    if (one.step.role !== 'test' || one.step.deviations.length > 0 || !isAccepted(one.answer)) continue;
    const id = idOf(one.operation, one.answer);
    const looks = all.filter(
      ({ answer, operation }) =>
        operation.id === one.operation.effect?.read && isAccepted(answer) && !answer.truncated,
    );
    const before = looks.filter(({ step }) => step.observes === 'neighbour-before');
    const after = looks.filter(({ step }) => step.observes === 'neighbour');
    if (id === undefined || !isAlone(context, trace, one)) continue;
    for (const is of after) {
      const other = asked(is);
      const was = before.find((each) => asked(each) === other);
      const third = before.find((each) => asked(each) !== other);
      // The command may return the older one, and make none.
      if (other === undefined || was === undefined || other === id) continue;
      const ruling = compared(trace, one, { id, other, was, is, third });
      if (ruling !== undefined) yield ruling;
    }
  }
}

type Looks = {
  readonly id: string;
  readonly other: string;
  readonly was: Answered;
  readonly is: Answered;
  readonly third: Answered | undefined;
};

function compared(trace: Trace, one: Answered, { id, is, other, third, was }: Looks): Ruling | undefined {
  const on = [one, was, is];
  const [earlier, later, apart] = [was, is, third].map((each) => exactJsonOf(each?.answer));
  const request = `${one.exchange.request.path} ${one.exchange.request.body ?? ''}`;
  if (earlier === undefined || later === undefined || request.includes(other)) return undefined;
  if (names(earlier, id) || names(later, id)) return undefined;
  const shown = (record: Json | undefined): Shown => scalarsIn(Object.fromEntries(plainMembers(record)));
  const found = taken(markerOf(trace, one), {
    apart: shown(apart),
    earlier: shown(earlier),
    later: shown(later),
    sent: shown(sentJson(one.exchange.request)),
  });
  const [at] = found.places;
  if (at === undefined)
    return holds(on, { expected, because: 'The older record shows nothing of what was sent.' });
  const because = `The command made ${id}, but ${other}, an older record, now shows what was sent at ${found.places.join(', ')}.`;
  return found.isCertain
    ? violated(on, {
        expected,
        actual: `${at}: ${canonicalJson(shown(later).get(at) ?? null)}`.slice(0, 160),
        because,
      })
    : inconclusive(on, because, because);
}

/** Where the older record moved to what was sent for the new one. */
function taken(
  marker: string | undefined,
  { apart, earlier, later, sent }: Readonly<Record<'apart' | 'earlier' | 'later' | 'sent', Shown>>,
): { readonly places: readonly JsonPointer[]; readonly isCertain: boolean } {
  const isMarked = (value: Scalar | undefined): boolean =>
    typeof value === 'string' && marker !== undefined && isUsual(marker) && hasMarker(value, marker);
  const differing = [...sent].flatMap(([at, value]) => {
    const had = earlier.get(at);
    return had === undefined ||
      had === value ||
      typeof value === 'boolean' ||
      isBookkeeping(at) ||
      isStanding(at)
      ? []
      : [at];
  });
  const places = differing.filter((at) => {
    const shown = later.get(at);
    return shown !== earlier.get(at) && (shown === sent.get(at) || isMarked(shown));
  });
  // Records of one customer, say, may all show what was last said of that: one more of it that differs shows that they do not.
  const keys = [...sent].flatMap(([at, value]) =>
    typeof value !== 'boolean' && !isWord(value) && earlier.get(at) === value ? [at] : [],
  );
  const isApart = (at: JsonPointer): boolean =>
    apart.has(at) &&
    apart.get(at) !== earlier.get(at) &&
    keys.every((key) => apart.get(key) === earlier.get(key));
  const isOwn = (text: Scalar | undefined): boolean =>
    typeof text === 'string' && shownMarkers(text).length > 0 && !isMarked(text);
  return {
    places,
    isCertain: places.some(
      (at) => isApart(at) || (keys.length === 0 && isMarked(later.get(at)) && isOwn(earlier.get(at))),
    ),
  };
}
