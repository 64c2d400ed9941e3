import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, textsIn } from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import { find, isAccepted, seen } from './reading.ts';

/**
 * Texts that differ only in case and blanks may be made equal before they are compared, and so may accents, widths, fractions, times
 * of a day, and types of one value, unless a response shows that they are kept.
 */
export function mayBeAlike(context: Context, trace: Trace, step: Step): boolean {
  const reuse = find(step, 'key-reuse');
  const all = seen(context, trace);
  const again = all.find((one) => one.step.id === step.id);
  const first = all.find((one) => one.step.id === reuse?.of);
  if (first === undefined || again === undefined) return false;
  if (first.exchange.request.path !== again.exchange.request.path) return false;
  const [one, other] = [first, again].map(({ exchange }) => exchange.request.body ?? '');
  if (one === undefined || other === undefined || one === other) return false;
  const responses = all.flatMap(({ exchange: { answer } }) =>
    isAccepted(answer) ? [exactJsonOf(answer) ?? null] : [],
  );
  if (folded(one) !== folded(other))
    return areNear(sentJson(first.exchange.request), sentJson(again.exchange.request), responses);
  const controls = all.filter((each) => each.step.controls === step.id);
  const shown = new Set(responses.flatMap(textsIn));
  const texts = [again, ...controls].flatMap((each) => textsIn(sentJson(each.exchange.request)));
  return !texts.some((text) => isOfNoForm(text) && shown.has(text));
}

function folded(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').replaceAll(/ ?" ?/g, '"');
}

/** No service that makes case or blanks equal shows such a text. */
function isOfNoForm(text: string): boolean {
  return /\s\s|^\s|\s$/.test(text) || /\p{Lu}\p{Lu}\p{Ll}|\p{Ll}\p{Lu}/u.test(text);
}

/** Whether two bodies differ only in what a service may round or fold, and no response shows any of it as it was sent. */
function areNear(one: Json | undefined, other: Json | undefined, responses: readonly Json[]): boolean {
  const pairs = differing(one ?? null, other ?? null);
  const witnesses = pairs?.map(([first, second]) => witnessesOf(first, second)) ?? [undefined];
  const shown = responses.flatMap(scalarsIn);
  return witnesses.every(
    (each) => each !== undefined && !each.some((isShown) => shown.some((it) => isShown(it))),
  );
}

type Pair = readonly [Json, Json];

/** The scalars in which two values differ; undefined where they have another form. */
function differing(one: Json, other: Json): readonly Pair[] | undefined {
  const [names, others] = [one, other].map((value) =>
    isArray(value) || isObject(value) ? Object.keys(value) : undefined,
  );
  if (names === undefined || others === undefined)
    return names !== others ? undefined : one === other ? [] : [[one, other]];
  if (isArray(one) !== isArray(other) || names.toSorted().join() !== others.toSorted().join())
    return undefined;
  const found: Pair[] = [];
  for (const name of names) {
    const within = differing(Object(one)[name], Object(other)[name]);
    if (within === undefined) return undefined;
    found.push(...within);
  }
  return found;
}

/** Of two values that a service may round or fold to one: what it shows only if it does not. */
function witnessesOf(one: Json, other: Json): readonly Witness[] | undefined {
  if (typeof one === 'number' && typeof other === 'number') {
    if (Math.abs(one - other) >= 1) return undefined;
    const most = Math.max(decimalsOf(one), decimalsOf(other));
    return [one, other].filter((each) => decimalsOf(each) === most).map(shownAs);
  }
  if (typeof one !== 'string' || typeof other !== 'string') return ofOtherTypes(one, other);
  if ([one, other].every((text) => dateTime.test(text)))
    return one.slice(0, 10) === other.slice(0, 10) ? [one, other].map(shownAs) : undefined;
  const [first, second] = [one, other].map((text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
  return first === second ? [one, other].filter((text) => text !== first).map(shownAs) : undefined;
}

/** Whether what a response shows is one of two values as it was sent. */
type Witness = (shown: Json) => boolean;

/** A column of texts makes `1` and `true` texts, and one of numbers makes `true` the number 1. */
function ofOtherTypes(one: Json, other: Json): readonly Witness[] | undefined {
  const types = ['string', 'number', 'boolean'];
  const [lower, higher] = [one, other].toSorted(
    (first, second) => types.indexOf(typeof first) - types.indexOf(typeof second),
  );
  if (higher === null || !['number', 'boolean'].includes(typeof higher)) return undefined;
  const isFolded = typeof lower === 'string' ? lower === String(higher) : lower === Number(higher);
  return isFolded ? [(shown) => shown === higher] : undefined;
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function decimalsOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}

function shownAs(value: string | number): Witness {
  if (typeof value === 'number')
    return (shown) => shown === value || (typeof shown === 'string' && Number(shown) === value);
  return (shown) =>
    typeof shown === 'string' &&
    (dateTime.test(value) ? Date.parse(shown) === Date.parse(value) : shown === value);
}

function scalarsIn(value: Json): readonly Json[] {
  if (isArray(value)) return value.flatMap(scalarsIn);
  return isObject(value) ? Object.values(value).flatMap(scalarsIn) : [value];
}
