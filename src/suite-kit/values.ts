import fc from 'fast-check';
import type { Mutation, Unsupported, ValidValues } from '../generate/index.ts';
import { validator } from '../generate/index.ts';
import { listAt } from '../model/alternatives.ts';
import { creates, type Operation } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { bulkOf } from '../model/listed.ts';
import type { Mark } from '../model/marker.ts';
import { asksForRecords, isPutIn } from '../model/named-records.ts';
import { remembered } from '../model/remembered.ts';
import { chosenIdAt } from '../model/result-id.ts';
import type { BodyValue } from '../model/scenario.ts';
import { messageOf } from '../model/thrown.ts';
import { withCapacity } from './capacity.ts';
import { usualCode } from './codes.ts';
import { withMarkerRoom } from './marker-room.ts';
import { fits, marksOf } from './marks.ts';
import { besides } from './other-values.ts';
import { standInsFor } from './stand-ins.ts';
import { studiedOf, type Without } from './studied.ts';
import { branchesWithText, isIdName, isIdText, markedText, type TextMember, textMembers } from './texts.ts';

/** Suites ask for the same of one body, most of them of the plain one. */
function once<Result extends object>(make: (base: Json) => Result): (base: Json) => Result {
  const made = remembered<readonly Json[] | JsonObject, Result>(make);
  return (base) => (typeof base === 'object' && base !== null ? made(base) : make(base));
}

/** What can be sent as the body of an operation. */
export type OperationValues = {
  /** A plain valid body: the first example of the configuration, or the smallest value of the schema. */
  readonly plain: Json | undefined;
  /** Another valid body, where markers cannot make two plain ones differ; undefined where there is none, or no need. */
  readonly different: Json | undefined;
  readonly valid: fc.Arbitrary<Json> | undefined;
  /** Where those are of one alternative: of all alternatives. They need not show the text that carries the marker. */
  readonly others: fc.Arbitrary<Json> | undefined;
  /** Invalid bodies, each with one fault; without those at places, and of keywords, that are to be left out. */
  readonly mutations: (base: Json, without?: Without) => readonly Mutation[];
  readonly invalid: fc.Arbitrary<Mutation> | undefined;
  /** Where the engine appends the marker: a free text with room for it. */
  readonly marker: JsonPointer | undefined;
  /** Where no text has that room: what a body can carry as a marker instead, best first. */
  readonly marks: (body: Json) => readonly Mark[];
  /** Texts of a body, other than that of the marker, whose values the target may let exist once (G19). */
  readonly own: (body: Json) => readonly Mark[];
  /** The body with room for the marker in its text. */
  readonly roomy: (body: Json) => Json;
  readonly texts: readonly JsonPointer[];
  /** Valid bodies to try where a service refuses the plain one. `now`: milliseconds since 1970. */
  readonly standIns: (now: number) => readonly Json[];
  readonly notes: readonly Unsupported[];
};

/** A body, the plain one if no other is given, with what can mark it. */
export function markable(values: OperationValues, value: Json = values.plain ?? null): BodyValue {
  const marks = values.marks(value);
  const own = values.own(value);
  const { marker, others } = values;
  // In a body of another alternative the member may be unknown.
  const isUnknown = others !== undefined && marker !== undefined && valueAt(value, marker) === undefined;
  return {
    value: isUnknown ? value : values.roomy(value),
    marker: isUnknown ? undefined : marker,
    ...(marks.length === 0 ? {} : { marks }),
    ...(own.length === 0 ? {} : { own }),
  };
}

/** The same for an operation: what a read is asked for leaves no record that a mark could find. */
export function markedIn({ kind }: Operation, values: OperationValues, value?: Json): BodyValue {
  return kind === 'read'
    ? { value: value ?? values.plain ?? null, marker: undefined }
    : markable(values, value);
}

const nothing: OperationValues = {
  plain: undefined,
  different: undefined,
  valid: undefined,
  others: undefined,
  mutations: () => [],
  invalid: undefined,
  marker: undefined,
  marks: () => [],
  own: () => [],
  roomy: (body) => body,
  texts: [],
  standIns: () => [],
  notes: [],
};

/** Whether all of several examples have one value at a place: it may be a code, or never change. */
function isCommon(at: JsonPointer, examples: readonly Json[]): boolean {
  const [first, ...others] = examples.map((example) => valueAt(example, at));
  return typeof first === 'string' && others.length > 0 && others.every((other) => other === first);
}

/** Which values the target may let exist once: all texts (G19), or an ID that the body chooses. */
export type Once = 'all' | 'id';

export function operationValues(
  operation: Operation,
  examples: readonly Json[],
  single?: Once,
): OperationValues {
  const { body } = operation;
  if (body === undefined) return nothing;
  const { chosenSchema, ...plainly } = body;
  const { schema } = body;
  try {
    const made = valuesOf(operation, schema, examples, single);
    if (made.plain === null && examples.length === 0) return withoutNull(operation, single) ?? made;
    // Where nothing is of a kind that a discriminator chooses, it binds nobody.
    return made.plain === undefined && chosenSchema !== undefined
      ? valuesOf({ ...operation, body: plainly }, schema, examples, single)
      : made;
  } catch (error) {
    // A schema that the generators cannot take costs its own operation, not the run.
    const why = messageOf(error);
    return { ...nothing, plain: examples[0], notes: [{ at: '', keyword: '$schema', why }] };
  }
}

/** Null is the least that a body may be where the schema allows it, and few services take it: an object, or else a list. */
function withoutNull(operation: Operation, single: Once | undefined): OperationValues | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  const { chosenSchema = body.schema, schema } = body;
  for (const type of ['object', 'array']) {
    const allOf = [...listAt(chosenSchema, 'allOf'), { type }];
    const narrowed: JsonSchema = isObject(chosenSchema) ? { ...chosenSchema, allOf } : { type };
    const made = valuesOf({ ...operation, body: { ...body, chosenSchema: narrowed } }, schema, [], single);
    if (made.plain !== undefined) return made;
  }
  return undefined;
}

function valuesOf(
  operation: Operation,
  schema: JsonSchema,
  examples: readonly Json[],
  single: Once | undefined,
): OperationValues {
  const chosen = operation.body?.chosenSchema;
  const studied = studiedOf(chosen ?? schema);
  if ('failure' in studied) return { ...nothing, plain: examples[0], notes: [studied.failure] };
  const { values: whole } = studied;
  const likely = examples.length > 0 || whole.kind !== 'supported' ? examples : [whole.smallest];
  const branch = operation.effect === undefined ? undefined : branchOf(chosen ?? schema, likely, examples);
  const { valid: isValid } = branch ?? studied;
  const { values } = branch ?? studied;
  // What the engine puts in would overwrite them.
  // Several records at once are made of the items of a list: a text next to it is in none of them.
  const isBulk = bulkOf(operation.effect) !== undefined;
  // A text of a JSON Patch may be a path: an example is left as it is.
  const isList = isObject(schema) && schema['type'] === 'array' && examples.length === 0;
  const textsWithin = (optional: boolean): readonly TextMember[] =>
    textMembers(branch?.schema ?? chosen ?? schema, { items: isBulk || isList, optional }).filter(
      ({ at }) => !isPutIn(operation, at),
    );
  // Words in an optional member would leave records out of a list by POST, or be no cursor.
  const sure = asksForRecords(operation) ? [] : textsWithin(false);
  // The smallest PATCH changes nothing, as one of JSON:API without attributes.
  const isIdle = operation.method === 'PATCH' && examples.length === 0 && !sure.some(({ room }) => room);
  const all = isIdle ? textsWithin(true) : sure;
  // An example is given where a member must name a record that is there, or be a code: it is left as it is.
  const isOwn = ({ at }: TextMember): boolean =>
    !isIdName(at) && usualCode(at) === undefined && !isIdText(valueAt(examples[0] ?? null, at));
  const texts = examples[0] === undefined ? all : all.filter(isOwn);
  const smallest = examples[0] ?? (values.kind === 'supported' ? values.smallest : undefined);
  const worded = (at: JsonPointer | undefined): Json | undefined =>
    smallest === undefined || examples[0] !== undefined ? smallest : readable(smallest, texts, at);
  // A member that may be left out may need another one: the marker goes where the body stays valid.
  const rank = ({ at, required }: TextMember): number =>
    (required ? 0 : 1) +
    (isBulk && !at.includes('/0/') ? 2 : 0) +
    (usualCode(at) === undefined ? 0 : 4) +
    (isCommon(at, examples) ? 8 : 0);
  const ranked = texts.filter(({ room }) => room).sort((one, other) => rank(one) - rank(other));
  const best = ranked.find(({ at }) => {
    const value = worded(at);
    return value !== undefined && isValid(withValueAt(value, at, markedText));
  });
  const words = worded(best?.at);
  const least = words === undefined || examples[0] !== undefined || isValid(words) ? words : smallest;
  const likeliest = examples[0] === undefined ? (withCapacity(operation, least, isValid) ?? least) : least;
  // A change of nothing shows nothing, and need not move a version on.
  const isEmpty = isIdle && best === undefined && saying(likeliest ?? null, schema) === undefined;
  const plain =
    (isEmpty ? differentFrom(operation, likeliest, undefined, examples, values, isValid) : undefined) ??
    likeliest;
  // A text that only some of the values may have cannot carry the marker in all of them.
  const marker =
    best !== undefined && (plain === undefined || isValid(withValueAt(plain, best.at, markedText)))
      ? best
      : undefined;
  const different = differentFrom(operation, plain, marker?.at, examples, values, isValid);
  const marking = marker === undefined && operation.effect?.list !== undefined && creates(operation);
  // A change of a record, or one made within another, needs values of its own as well.
  const unique = single === 'all';
  const marksIn = (more: { readonly only?: JsonPointer; readonly items?: boolean } = {}): readonly Mark[] =>
    plain === undefined
      ? []
      : marksOf({
          operation,
          schema,
          valid: isValid,
          plain,
          others: different === undefined ? [] : [different],
          given: examples[0] !== undefined,
          ...more,
        });
  const places = marking || unique ? marksIn() : [];
  const isMeaningless = (text: TextMember): boolean =>
    isOwn(text) &&
    values.kind === 'supported' &&
    valueAt(values.typical, text.at) === valueAt(values.smallest, text.at);
  const marks = marking ? places : [];
  // Each record of several has values of its own, such as a code.
  const within = unique
    ? marksIn({ items: true }).filter(({ at }) => places.every((one) => one.at !== at))
    : [];
  const ownTexts = unique
    ? [...places, ...within].filter(({ at, form }) => form.kind !== 'number' && at !== marker?.at)
    : [];
  const only = single === undefined ? undefined : chosenIdAt(operation);
  const ids = only === undefined || only === marker?.at ? [] : marksIn({ only }).slice(0, 1);
  const own = [...ownTexts, ...ids.filter(({ at }) => [...ownTexts, ...marks].every((one) => one.at !== at))];
  // What only a discriminator forbids, or fits several branches without one, need not be refused.
  const refuses = chosen === undefined ? undefined : validator(schema, { formats: 'assert' });
  const isRefused = ({ value }: Mutation): boolean =>
    refuses === undefined || refuses(value).some(({ keyword }) => keyword !== 'oneOf');
  const mutated = (base: Json, without?: Without): readonly Mutation[] =>
    studied.mutations(base, without).filter(isRefused);
  const mutationsOf = once((base) => mutated(base));
  const [first] = plain === undefined ? [] : mutationsOf(plain);
  return {
    plain,
    different,
    valid: drawnFrom(values),
    others: branch === undefined ? undefined : drawnFrom(whole),
    mutations: (base, without) => (without === undefined ? mutationsOf(base) : mutated(base, without)),
    invalid:
      refuses === undefined
        ? studied.invalid()
        : first && studied.invalid()?.map((one) => (isRefused(one) ? one : first)),
    marker: marker?.at,
    // Both are tried when the marks are chosen, and most bodies are one of them.
    marks: (body) =>
      body === plain || body === different ? marks : marks.filter((mark) => fits(isValid, body, mark, 2)),
    own: (body) => own.filter((mark) => valueAt(body, mark.at) !== undefined && fits(isValid, body, mark, 2)),
    roomy: (body) =>
      marker === undefined || body === plain || body === different
        ? body
        : withMarkerRoom(body, marker.at, isValid),
    texts: texts.map((text) => text.at),
    standIns: (now) =>
      examples.length > 0 || values.kind !== 'supported'
        ? []
        : standInsFor({
            examples: operation.body?.examples ?? [],
            typical: readable(values.typical, texts.filter(isMeaningless), undefined),
            valid: isValid,
            now,
          }).filter((body) => canonicalJson(body) !== canonicalJson(plain ?? null)),
    notes: values.notes,
  };
}

function drawnFrom(values: ValidValues): fc.Arbitrary<Json> | undefined {
  return values.kind === 'supported' ? values.arbitrary : undefined;
}

const branchesOf = remembered((schema: JsonObject) => branchesWithText(schema));

/** The alternative that all bodies are to be of, where no others could have a marker at the same place: best the likely one. */
function branchOf(schema: JsonSchema, likely: readonly Json[], examples: readonly Json[]) {
  const alternatives = isObject(schema) ? branchesOf(schema) : [];
  const branches = alternatives.flatMap((branch) => {
    const studied = studiedOf(branch);
    return 'failure' in studied ? [] : [{ ...studied, schema: branch }];
  });
  const best = branches.find(({ valid }) => likely.every((one) => valid(one)));
  return best ?? branches.find(({ valid }) => examples.every((one) => valid(one)));
}

/** A second example, or one value changed, or a generated body: never with a member like null, empty or its default. */
function differentFrom(
  operation: Operation,
  plain: Json | undefined,
  marker: JsonPointer | undefined,
  examples: readonly Json[],
  values: ValidValues,
  isValid: (value: Json) => boolean,
): Json | undefined {
  if (plain === undefined || marker !== undefined) return undefined;
  const carriers = [operation.version?.carrier, operation.verification?.carrier].flatMap((carrier) =>
    carrier?.in === 'body' ? [carrier.at] : [],
  );
  const records = (operation.named ?? []).flatMap(({ at, field }) =>
    examples.length === 0 && field.source !== undefined ? [at] : [],
  );
  const own = (value: Json): Json =>
    [...carriers, ...records].reduce<Json>(
      (rest, at) => (valueAt(rest, at) === undefined ? rest : withValueAt(rest, at, undefined)),
      value,
    );
  const known = canonicalJson(own(plain));
  const second = examples.find((value) => canonicalJson(own(value)) !== known);
  const says = (value: Json): string => canonicalJson(saying(own(value), operation.body?.schema) ?? null);
  const said = says(plain);
  if (second !== undefined) return second;
  // Where an example is given, the schema alone may not say what is accepted.
  const like = examples.length === 0 ? undefined : besides(operation, plain, isValid);
  if (like !== undefined && says(like) !== said) return like;
  if (values.kind !== 'supported') return undefined;
  // What a service would take most likely: no amount of 0.
  if (says(values.typical) !== said) return values.typical;
  const drawn = fc.sample(values.arbitrary, { seed: 1, numRuns: 40 }).filter((value) => says(value) !== said);
  // A high amount may be more than there is.
  const length = (value: Json): number => canonicalJson(value).length;
  return drawn.toSorted((one, other) => length(one) - length(other))[0];
}

/** A value without the members that say no more than their absence would. */
function saying(value: Json, schema: Json | undefined): Json | undefined {
  if (value === null || value === false || value === '' || value === 0) return undefined;
  const declared = isObject(schema) ? schema['default'] : undefined;
  if (declared !== undefined && canonicalJson(declared) === canonicalJson(value)) return undefined;
  if (isArray(value)) return value.length === 0 ? undefined : value;
  if (!isObject(value)) return value;
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const kept = saying(member, isObject(properties) ? properties[name] : undefined);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Gives free texts a word instead of the smallest text that the schema lets pass. */
function readable(value: Json, texts: readonly TextMember[], marker: JsonPointer | undefined): Json {
  let result = value;
  for (const text of texts) {
    const present = valueAt(result, text.at) !== undefined;
    if ((present || text.at === marker) && text.room && text.least <= 'Conformance probe'.length)
      result = withValueAt(result, text.at, 'Conformance probe');
  }
  return result;
}
