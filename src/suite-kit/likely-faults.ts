import { affordable, inOtherCase, type Mutation, validator } from '../generate/index.ts';
import { isCarried, type Operation } from '../model/contract.ts';
import type { JsonSchema } from '../model/json.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import { schemasAt } from '../model/schema-places.ts';
import { grafted, ofOtherBranch } from './grafted.ts';
import { isOpenToNull } from './open-to-null.ts';
import { sampled } from './samples.ts';
import { errorsSince } from './since-valid.ts';

import type { OperationValues } from './values.ts';

/** What services let pass though the schema does not: a value of a member, and the keyword that it breaks. */
export type LikelyFault = Pick<Mutation, 'pointer' | 'keyword' | 'value'>;

const basesAtMost = 3;
/** No integer of 64 bits: where a number has a bound, it breaks that first. */
const beyondAll = 1e20;
/** Of the values of an enumeration so many are looked at for one with letters. */
const mostChoices = 20;

const roots: readonly Json[] = [[], 'text', 5, true, null];

/** Whether the engine puts nothing into the body. */
export function carriesNothing({ verification, version }: Operation): boolean {
  return version?.carrier.in !== 'body' && verification?.carrier.in !== 'body';
}

/** Bodies of another kind than a schema asks for. */
export function wrongRoots(schema: JsonSchema): readonly LikelyFault[] {
  const check = validator(schema);
  return roots.flatMap((value) => (check(value).length > 0 ? [{ pointer: '', keyword: 'type', value }] : []));
}

/** A valid body with one member missing or of another type; where no member is, a body of another kind. */
export function wrongBody(operation: Operation, values: OperationValues): LikelyFault | undefined {
  if (operation.body === undefined) return undefined;
  const wrong = values.mutations(values.plain ?? null).find(
    ({ keyword, pointer }) =>
      // What the engine puts in would make a wrong member valid again.
      pointer !== '' && !isCarried(operation, pointer) && (keyword === 'required' || keyword === 'type'),
  );
  return wrong ?? (carriesNothing(operation) ? wrongRoots(operation.body.schema)[0] : undefined);
}

/** What parsers, languages and loose checks take for valid: "1" for a number, an enum in another case, or null. */
export function likelyFaults(
  schema: JsonSchema,
  plain: Json,
  valid: OperationValues['valid'],
): readonly LikelyFault[] {
  const check = validator(schema, { formats: 'assert' });
  const found: LikelyFault[] = [];
  const known = new Set<JsonPointer>();
  for (const base of basesOf(plain, valid, { schema }))
    for (const { at, value } of affordable(scalarsOf(base, []))) {
      if (known.has(at)) continue;
      known.add(at);
      const errorsOf = (wrong: Json) => errorsSince(schema, check, base, at, wrong);
      const isValid = (other: Json): boolean => check(withValueAt(base, at, other)).length === 0;
      const coerced = typeof value === 'string' ? numberLike(value, isValid) : undefined;
      const isChoice = check(withValueAt(base, at, `x ${value}`)).some(
        (error) => error.pointer === at && error.keyword === 'enum',
      );
      const choices = isChoice
        ? schemasAt(schema, at)
            .flatMap(({ enum: listed }) => texts(listed))
            .slice(0, mostChoices)
        : [];
      const others = likeIt(value, isChoice ? choices : undefined);
      for (const alternatives of coerced === undefined ? others : [[coerced], ...others]) {
        const departures = alternatives.flatMap((wrong) => {
          const body = withValueAt(base, at, wrong);
          const errors = errorsOf(wrong);
          // What breaks a pattern as well must be refused.
          const own = errors.find(({ keyword }) => keyword !== 'format') ?? errors[0];
          // A beginning alone is like a whole word to what looks up words.
          if (own === undefined || (own.keyword !== 'enum' && isBeginning(wrong, value))) return [];
          if (wrong === null && isOpenToNull(errorsOf)) return [];
          // JSON Schema (6.4) leaves the dialect open, and in many `$` stands before a line break as well.
          if (own.keyword === 'pattern' && wrong === `${value}\n`) return [];
          // In many dialects `\d` is any digit.
          if (typeof value === 'string' && wrong === inOtherDigits(value))
            if (own.keyword !== 'pattern' || /\\[dw]/i.test(own.message)) return [];
          return [{ body, keyword: own.keyword, alone: errors.length === 1 }];
        });
        // What is too large as well is refused for that.
        const departure = departures.find(({ alone }) => alone) ?? departures[0];
        if (departure !== undefined)
          found.push({ pointer: at, keyword: departure.keyword, value: departure.body });
      }
    }
  return spread(found);
}

/** Faults of members that only the other branches of a choice have. */
export function faultsOfBranches(
  plain: Json,
  values: Pick<OperationValues, 'mutations' | 'others' | 'valid'>,
  had: readonly Mutation[],
  schema?: JsonSchema,
): readonly Mutation[] {
  const names = isObject(schema) ? namesIn(schema) : undefined;
  const placed = (pointer: JsonPointer, keyword: string): string => `${keyed(pointer, names)} ${keyword}`;
  const plainly = had.filter(({ ofBranch }) => ofBranch !== true);
  const known = new Set(plainly.map(({ keyword, pointer }) => placed(pointer, keyword)));
  const places = new Set(plainly.map(({ pointer }) => generic(pointer)));
  const isNew = ({ keyword, pointer }: Mutation): boolean => {
    const place = placed(pointer, keyword);
    return !known.has(place) && known.add(place).has(place);
  };
  // Two branches each say what they require, and which members they may have.
  const said = new Set(plainly.map(({ pointer, schemaPointer }) => placed(pointer, schemaPointer)));
  const isSaid = ({ pointer, schemaPointer }: Mutation): boolean => {
    const place = placed(pointer, schemaPointer);
    return said.has(place) || !said.add(place).has(place);
  };
  const ofOthers = spread(
    values
      .mutations(plain)
      .filter((one) => one.ofBranch === true && (one.keyword === 'type' ? isNew(one) : !isSaid(one))),
  );
  for (const { keyword, pointer } of ofOthers) known.add(placed(pointer, keyword));
  const ofDrawn = basesOf(plain, values.others ?? values.valid, { known: places, schema })
    .slice(1)
    .map((base) =>
      spread(
        values
          .mutations(base, {
            skip: (pointer, keyword) => known.has(placed(pointer, keyword)),
            text: [...known].join('\n'),
          })
          .filter(isNew),
      ),
    );
  const ofBases = [ofOthers, ...ofDrawn];
  // Few are sent: no alternative is to take the place of all others.
  const most = Math.max(0, ...ofBases.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) => ofBases.flatMap((faults) => faults[turn] ?? [])).flat();
}

type Bases = {
  readonly known?: ReadonlySet<string>;
  /** With it, members that the plain body lacks are put into that body where they fit. */
  readonly schema?: JsonSchema | undefined;
};

/** The plain body, then drawn ones that have members which none before has: the same ones for operations that share a schema. */
export function basesOf(plain: Json, valid: OperationValues['valid'], among: Bases = {}): readonly Json[] {
  if (valid === undefined) return [plain];
  const { known = [], schema } = among;
  const bySchema = foundBases(valid);
  const found = bySchema.get(schema) ?? new Map<string, readonly Json[]>();
  bySchema.set(schema, found);
  const key = JSON.stringify([plain, [...known]]);
  const bases = found.get(key) ?? newBases(plain, valid, among);
  found.set(key, bases);
  return bases;
}

const foundBases = remembered((_: object) => new Map<JsonSchema | undefined, Map<string, readonly Json[]>>());

function newBases(
  plain: Json,
  valid: OperationValues['valid'],
  { known = new Set(), schema }: Bases,
): readonly Json[] {
  const check = schema === undefined ? undefined : validator(schema, { formats: 'assert' });
  const places = (value: Json): readonly string[] => scalarsOf(value, []).map(({ at }) => generic(at));
  const seen = new Set([...known, ...places(plain)]);
  const bases: Json[] = [plain];
  const samples = sampled(valid);
  const fresh = (value: Json): number => new Set(places(value).filter((place) => !seen.has(place))).size;
  for (let turn = 0; turn < basesAtMost; turn += 1) {
    const best = samples.reduce<Json | undefined>(
      (one, other) => (fresh(other) > (one === undefined ? 0 : fresh(one)) ? other : one),
      undefined,
    );
    if (best === undefined) break;
    const graft = check === undefined ? best : grafted(plain, best, check);
    // A member of the plain body may be of another alternative than that of the drawn one.
    const base = fresh(graft) === 0 ? best : graft;
    const keep = (one: Json): void => {
      bases.push(one);
      for (const place of places(one)) seen.add(place);
    };
    keep(base);
    const other = check === undefined || fresh(best) === 0 ? undefined : ofOtherBranch(plain, best, check);
    if (other !== undefined && fresh(other) > 0) keep(other);
  }
  return bases;
}

/** The names that `properties` have, wherever they are. */
const namesIn = remembered((schema: JsonObject): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (one: Json): void => {
    if (isArray(one)) one.forEach(visit);
    if (!isObject(one)) return;
    const { properties } = one;
    if (isObject(properties)) for (const name of Object.keys(properties)) found.add(name);
    Object.values(one).forEach(visit);
  };
  visit(schema);
  return found;
});

/** A place, in which all keys of a map are one: each is bound by the same schema. */
function keyed(pointer: JsonPointer, names: ReadonlySet<string> | undefined): string {
  const place = generic(pointer);
  if (names === undefined) return place;
  return pointerTokens(place)
    .map((token) => (token === '0' || names.has(token) ? `/${token}` : '/*'))
    .join('');
}

function generic(pointer: JsonPointer): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, '/0');
}

type PlacedScalar = { readonly at: JsonPointer; readonly value: string | number | boolean };

export function scalarsOf(value: Json, path: readonly string[]): readonly PlacedScalar[] {
  // One item stands for all: the others are looked at elsewhere.
  if (isArray(value)) return value.slice(0, 1).flatMap((item) => scalarsOf(item, [...path, '0']));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => scalarsOf(member, [...path, name]));
  return value === null || path.length === 0 ? [] : [{ at: pointerOf(path), value }];
}

/** Values like a valid one; of each list the first that the schema refuses is enough. */
function likeIt(
  value: PlacedScalar['value'],
  choices: readonly string[] | undefined,
): readonly (readonly Json[])[] {
  if (typeof value === 'boolean') return [[String(value)], [Number(value)], [null]];
  if (typeof value === 'number')
    return [[true], [value + 0.5, value - 0.5], [String(value)], [beyondAll], [null]];
  const turned = inOtherCase(value);
  // Where blanks are cut off first.
  const beginning = [...value].slice(0, -1).join('');
  const blanks = [`${value}\n`, ` ${value}`];
  // Jackson and System.Text.Json take a number for the value of an enumeration at that place.
  // A choice such as "0" has no letters: another one may have.
  if (choices !== undefined)
    return [[turned, ...choices.map(inOtherCase)], [''], [0], blanks, [beginning], [null]];
  // Only encrypted addresses may be allowed.
  const plainly = value.startsWith('https://') ? [[value.replace('https', 'http')]] : [];
  // Codes such as EUR are often compared in whichever case.
  const isCode = /^(?:[A-Z]{2,8}|[a-z]{2,8})$/.test(value);
  const [first, last] = isCode ? [[[turned]], []] : [[], [[turned]]];
  // One digit or letter more than a pattern counts.
  const grown = /[\p{L}\p{N}]$/u.test(value) ? [[`${value}${[...value].at(-1) ?? ''}`]] : [];
  // Some look for a match at the beginning alone, or in each line.
  const longer = [...grown, [`${value}\nx`], [`x ${value}`, `${value} x`], blanks];
  return [...plainly, ...first, ...longer, ...last, [beginning], [null], [inOtherDigits(value)]];
}

/** The last digit of a text as one of another script, which is a digit for many languages, and not for `[0-9]`. */
function inOtherDigits(value: string): string {
  return value.replace(/\d(?=\D*$)/u, (digit) => String.fromCharCode(0x660 + Number(digit)));
}

const texts = (listed: Json | undefined): readonly string[] =>
  isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];

function isBeginning(text: Json, of: Json): boolean {
  return typeof text === 'string' && typeof of === 'string' && of.startsWith(text);
}

/** A number that is a valid text once it is written as one; 0, which is sent for every text, may be none. */
function numberLike(value: string, isValid: (value: Json) => boolean): number | undefined {
  if (isValid('0')) return undefined;
  const written = '123456789012345';
  return [value, written.slice(0, [...value].length)]
    .filter((text) => /^[1-9]\d{0,14}$/.test(text) && isValid(text))
    .map(Number)[0];
}

/** One of each member before a second one of any; what breaks a format alone, and may be accepted, is last. */
function spread<Fault extends LikelyFault>(faults: readonly Fault[]): readonly Fault[] {
  const turns = new Map<JsonPointer, number>();
  return faults
    .map((fault) => {
      const turn = turns.get(fault.pointer) ?? 0;
      turns.set(fault.pointer, turn + 1);
      return { fault, turn };
    })
    .sort((one, other) => {
      const [first, second] = [one, other].map(({ fault }) => Number(fault.keyword === 'format'));
      return (first ?? 0) - (second ?? 0) || one.turn - other.turn;
    })
    .map(({ fault }) => fault);
}

export function isSame(one: LikelyFault, other: LikelyFault): boolean {
  return (
    one.pointer === other.pointer &&
    JSON.stringify(valueAt(one.value, one.pointer)) === JSON.stringify(valueAt(other.value, other.pointer))
  );
}
