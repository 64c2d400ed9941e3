import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, textsIn } from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import { find, isAccepted, seen } from './reading.ts';

/**
 * Texts that differ only in case and blanks may be made equal before they are compared, and so may accents, fractions and times
 * of a day, unless a response shows that they are kept.
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
  const tellers = pairs?.map(([first, second]) => tellersOf(first, second)) ?? [undefined];
  const shown = responses.flatMap(scalarsIn);
  return tellers.every(
    (each) => each !== undefined && !each.some((value) => shown.some((it) => isShownAs(it, value))),
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

/** Of two values that a service may round or fold to one: those that it shows only if it does not. */
function tellersOf(one: Json, other: Json): readonly (string | number)[] | undefined {
  if (typeof one === 'number' && typeof other === 'number') {
    if (Math.abs(one - other) >= 1) return undefined;
    const most = Math.max(decimalsOf(one), decimalsOf(other));
    return [one, other].filter((each) => decimalsOf(each) === most);
  }
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  if ([one, other].every((text) => dateTime.test(text)))
    return one.slice(0, 10) === other.slice(0, 10) ? [one, other] : undefined;
  const [first, second] = [one, other].map((text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  return first === second ? [one, other].filter((text) => text !== first) : undefined;
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function decimalsOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}

function isShownAs(shown: Json, value: string | number): boolean {
  if (typeof value === 'number')
    return shown === value || (typeof shown === 'string' && Number(shown) === value);
  if (typeof shown !== 'string') return false;
  return dateTime.test(value) ? Date.parse(shown) === Date.parse(value) : shown === value;
}

function scalarsIn(value: Json): readonly Json[] {
  if (isArray(value)) return value.flatMap(scalarsIn);
  return isObject(value) ? Object.values(value).flatMap(scalarsIn) : [value];
}
