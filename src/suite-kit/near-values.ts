import { affordable } from '../generate/index.ts';
import { isCarried, type Operation } from '../model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { bodySchema } from './body-schema.ts';
import { namesRecord } from './full-body.ts';
import { addedMembers, type BodyValues, leavesOf } from './other-values.ts';
import { sampled } from './samples.ts';
import { isIdName, sendable } from './texts.ts';

/** A valid body, and values that one of its members may have as well; a careless comparison takes each for its own. */
export type NearValues = {
  readonly base: Json;
  readonly others: readonly { readonly at: JsonPointer; readonly other: Json }[];
};

/** So many drawn bodies are looked through for a number within an object or a list. */
const mostDrawn = 12;

/** So many members that may be left out are added where no other one is a number. */
const mostAdded = 6;

/**
 * Numbers that differ in their fraction, their sign or their hundreds, a moment at another time of the day, texts that differ
 * in an accent, a digit or the width of one alone, and values that differ in their type alone.
 * @param marking what stands for the marker in a text
 */
export function nearValues(operation: Operation, values: BodyValues, marking: string): readonly NearValues[] {
  const { marker, plain } = values;
  const schema = bodySchema(operation, plain);
  if (schema === undefined || !isObject(plain)) return [];
  const isValid = sendable(schema, marker);
  const others: { at: JsonPointer; other: Json }[] = [];
  const isFree = ({ at }: { readonly at: JsonPointer }): boolean =>
    at !== marker && !isCarried(operation, at) && !isIdName(at);
  const fits = (body: Json, at: JsonPointer, other: Json): boolean => isValid(withValueAt(body, at, other));
  const nearIn = (body: Json): Near | undefined =>
    affordable(leavesOf(body, []).filter(isFree)).flatMap(({ at, value }) =>
      // At an end of its range a number has no room for a fraction.
      (typeof value === 'number' ? [value, 1, value / 2] : []).flatMap((start) => {
        const [own, ...rest] = numbersNear(start);
        const valid = rest.filter((other) => fits(body, at, other));
        return own !== undefined && fits(body, at, own) && valid.length > 0 ? [{ at, own, valid }] : [];
      }),
    )[0];
  let base: Json = plain;
  const added = addedMembers(operation, values, mostAdded, 'others')[0]?.base;
  for (const body of [plain, ...(added === undefined ? [] : [added])]) {
    const near = nearIn(body);
    if (near === undefined) continue;
    base = withValueAt(body, near.at, near.own);
    others.push(...near.valid.map((other) => ({ at: near.at, other })));
    break;
  }
  for (const { at, value } of leavesOf(base, []).filter(isFree).slice(0, mostAdded)) {
    const later = typeof value === 'string' ? laterThatDay(value) : undefined;
    if (later !== undefined && fits(base, at, later)) others.push({ at, other: later });
  }
  const [own, ...texts] = ['Café 1', 'Cafè 1', 'Café 2', 'Café \uff11'];
  if (marker !== undefined && typeof valueAt(base, marker) === 'string' && own !== undefined) {
    const marked = (text: string): Json => withValueAt(base, marker, text);
    if ([own, ...texts].every((text) => isValid(marked(text)))) {
      base = marked(own);
      others.push(...texts.map((text) => ({ at: marker, other: `${text} ${marking}` })));
    }
  }
  const usual = [
    ...(others.length === 0 ? [] : [{ base, others }]),
    ...otherTypes(added ?? plain, values, fits, isFree),
  ];
  if (others.some(({ other }) => typeof other === 'number')) return usual;
  // A body of its own: for what a drawn object says besides, the service may refuse it.
  const within = grownObjects(plain, values).find((body) => isValid(body) && nearIn(body) !== undefined);
  const near = within === undefined ? undefined : nearIn(within);
  if (within === undefined || near === undefined) return usual;
  const { at, own: first, valid } = near;
  return [...usual, { base: withValueAt(within, at, first), others: valid.map((other) => ({ at, other })) }];
}

/**
 * A member that may be a number or a text, or an object that may hold any value: a body with a number there, and with the same
 * as a text. What compares values loosely, or as texts, takes them for one.
 */
function otherTypes(
  body: Json,
  { marker, valid }: BodyValues,
  fits: (body: Json, at: JsonPointer, other: Json) => boolean,
  isFree: (place: { readonly at: JsonPointer }) => boolean,
): readonly NearValues[] {
  const within = marker === undefined ? undefined : (at: JsonPointer): boolean => marker.startsWith(`${at}/`);
  const names = new Set(
    [body, ...sampled(valid).slice(0, mostDrawn)].flatMap((one) => Object.keys(isObject(one) ? one : {})),
  );
  for (const at of [...names].map((name) => pointerOf([name]))) {
    if (!isFree({ at }) || within?.(at) === true) continue;
    for (const { known, wrap } of wrappings) {
      // A branch of the schema may not know the member: there, any value of it may be ignored (G7).
      if (!fits(body, at, wrap(1)) || fits(body, at, known)) continue;
      const others = ['1', true].map(wrap).filter((value) => fits(body, at, value));
      if (others.length === 0) continue;
      return [{ base: withValueAt(body, at, wrap(1)), others: others.map((other) => ({ at, other })) }];
    }
  }
  return [];
}

/** The value itself, or as a member of an object that may have any; and what a member of the schema then cannot be. */
const wrappings: readonly { readonly known: Json; readonly wrap: (value: Json) => Json }[] = [
  { known: {}, wrap: (value) => value },
  { known: 1, wrap: (value) => ({ probe: value }) },
];

/** A number of a body, and others that the body may have in its place. */
type Near = { readonly at: JsonPointer; readonly own: number; readonly valid: readonly number[] };

/** The plain body with an object or a list that a drawn one has: numbers may be in these alone. */
function grownObjects(plain: Json, { marker, valid }: BodyValues): readonly Json[] {
  return sampled(valid)
    .slice(0, mostDrawn)
    .flatMap((sample) =>
      Object.entries(isObject(sample) ? sample : {}).flatMap(([name, value]) => {
        const at = pointerOf([name]);
        if (!(isObject(value) || isArray(value)) || marker?.startsWith(`${at}/`) === true) return [];
        return namesRecord(at, name, value) ? [] : [withValueAt(plain, at, value)];
      }),
    );
}

/** The first one is that of the body. */
function numbersNear(value: number): readonly number[] {
  const whole = Math.abs(Math.trunc(value));
  return [0.25, 0.75, 0.26, 100.25, -2 * whole - 0.25].map((more) => Math.round((whole + more) * 100) / 100);
}

/** Another time of the same day, whatever the zone. */
function laterThatDay(value: string): string | undefined {
  const [, day, hour, rest] = /^(\d{4}-\d\d-\d\dT)(\d\d)(:\d\d:\d\d.*)$/.exec(value) ?? [];
  if (day === undefined || hour === undefined || rest === undefined) return undefined;
  return `${day}${String((Number(hour) + 7) % 24).padStart(2, '0')}${rest}`;
}
