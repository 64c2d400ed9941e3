import type { Mutation } from '../../src/generate/index.ts';
import { affordable, knownNames, validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  valueAt,
  withValueAt,
} from '../../src/model/json.ts';
import type { BodySpec, Deviation, Step } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import type { LikelyFault } from '../../src/suite-kit/likely-faults.ts';
import { appended } from '../../src/suite-kit/marker-room.ts';
import { sampled } from '../../src/suite-kit/samples.ts';
import type { Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

export type Faulty = { readonly body: BodySpec; readonly deviation: Deviation } & Pick<Step, 'headers'>;

export const faultOf = (mutation: LikelyFault): Deviation => ({
  kind: 'body',
  at: mutation.pointer,
  keyword: mutation.keyword,
});

/**
 * A record that a service makes of a wrong body is known by the marker, though another member is wrong. Where the marker would
 * be, an empty object or array carries it.
 */
export function faulty(scene: Scene, mutation: LikelyFault, name: string): BodySpec {
  const wrong = valueAt(mutation.value, mutation.pointer);
  const marked =
    isArray(wrong) && wrong.length === 0
      ? ['$' + '{marker}']
      : isObject(wrong) && Object.keys(wrong).length === 0
        ? { assay: '$' + '{marker}' }
        : undefined;
  const isEmpty = marked !== undefined && mutation.keyword === 'type';
  const value = isEmpty ? withValueAt(mutation.value, mutation.pointer, marked) : mutation.value;
  return { use: 'named', name, edit: { at: '', set: markedElsewhere(scene, mutation, value) } };
}

/** The marker makes no other member wrong, and none right: a text of another length may be both. */
function markedElsewhere({ body, operation }: Scene, { pointer }: LikelyFault, value: Json): Json {
  const { form, marker } = body();
  const text = marker === undefined ? undefined : valueAt(value, marker);
  if (marker === undefined || form !== undefined || typeof text !== 'string') return value;
  const isAround = pointer !== '' && marker.startsWith(`${pointer}/`);
  if (pointer === marker || isAround || pointer.startsWith(`${marker}/`)) return value;
  const check = validator(operation.body?.schema ?? true);
  const places = (one: Json): string =>
    check(one)
      .map((error) => `${error.pointer} ${error.keyword}`)
      .join();
  const lead = text === '' ? '' : `${text} `;
  const other = withValueAt(value, marker, `${lead}${appended.trim()}`);
  return places(other) === places(value) ? withValueAt(value, marker, `${lead}\${marker}`) : value;
}

/** Some of the mutations, so that every pointer and keyword has its turn before any has a second one. */
export function spread(mutations: readonly Mutation[], most: number): readonly Mutation[] {
  const turns = new Map<string, number>();
  const ranked = mutations.map((mutation, index) => {
    const place = `${mutation.pointer} ${mutation.keyword}`;
    const turn = turns.get(place) ?? 0;
    turns.set(place, turn + 1);
    return { mutation, turn, index };
  });
  return ranked
    .sort((one, other) => one.turn - other.turn || one.index - other.index)
    .slice(0, most)
    .sort((one, other) => one.index - other.index)
    .map(({ mutation }) => mutation);
}

/** What was not chosen: other types, then each place and keyword, then null for each member, under one control. */
export function further(
  mutations: readonly Mutation[],
  chosen: readonly Mutation[],
  base: Json,
  [ofTexts, most]: readonly [number, number],
): readonly Mutation[] {
  const left = mutations.filter((mutation) => !chosen.includes(mutation));
  const placeOf = ({ keyword, pointer }: Mutation): string => `${pointer} ${keyword}`;
  const had = new Set(chosen.map(placeOf));
  const texts = spread(
    left.filter((mutation) => isOfRequiredText(mutation, mutations, base)),
    ofTexts,
  );
  const places = left.filter((mutation) => {
    const place = placeOf(mutation);
    return had.has(place) ? false : had.add(place);
  });
  // Of a choice, what sets two alternatives is as likely to be accepted as what sets none; so are too many items of a kind.
  const choices = left.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'contains');
  // Languages take true for 1 and cut 1.5 to it, parsers take "1" for it, 0 for a text, and one item for a list of it.
  const likely = left.filter(({ base: right, keyword, pointer, value }) => {
    const wrong = valueAt(value, pointer);
    const isItem = wrong === 'text' && isArray(valueAt(right, pointer));
    return (
      keyword === 'type' &&
      (wrong === null ||
        wrong === true ||
        wrong === 1.5 ||
        (wrong === 0 && typeof valueAt(right, pointer) === 'string') ||
        (typeof wrong === 'string' && wrong !== 'text') ||
        isItem)
    );
  });
  return [...new Set([...texts, ...choices, ...places, ...likely])].slice(0, most);
}

/**
 * What is wrong in the first item of a list, in the item after a valid one: of each list one that a parser finds, and some
 * that are found later, when the valid item may be stored already. Its marker shows that.
 */
export function laterItems(
  planning: Planning,
  operation: Operation,
  mutations: readonly Mutation[],
): readonly Faulty[] {
  const schema = operation.body?.schema ?? true;
  const { marker, plain, valid } = planning.values(operation);
  const lists = new Map<string, { readonly list: string; readonly mutation: Mutation }>();
  for (const mutation of mutations) {
    const list = /^(.*?)\/0(?:\/|$)/.exec(mutation.pointer)?.[1];
    const of = itemFaults.findIndex((keywords) => keywords.includes(mutation.keyword));
    const kind = `${of} ${list}`;
    if (list !== undefined && of >= 0 && !lists.has(kind)) lists.set(kind, { list, mutation });
  }
  if (valid === undefined || lists.size === 0) return [];
  const check = validator(schema);
  const drawn = sampled(valid);
  return [...lists.values()].flatMap(({ list, mutation }, index): readonly Faulty[] => {
    const { keyword, pointer, value } = mutation;
    const [wrong] = itemsAt(value, list);
    const at = `${list}/1${pointer.slice(list.length + 2)}`;
    // Best the item that is known to be accepted: a drawn one may name a record that is not there. An enumerated one
    // names none, and shows in a record that has the known one already.
    const known = itemsAt(plain ?? null, list);
    const others = schemasAt(schema, `${list}/0`).some((one) => isArray(one['enum']))
      ? drawn.flatMap((one) => itemsAt(one, list)).filter((item) => !known.includes(item))
      : [];
    const fine = [plain ?? null, ...drawn, mutation.base].flatMap((one) => itemsAt(one, list).slice(0, 1));
    const body = [...others, ...fine]
      .map((item) => withValueAt(value, list, [item, wrong ?? null]))
      .flatMap((one) => [...markedAt(one, marker, list), one])
      .find((one) => {
        // What is wrong within leaves all around it unevaluated.
        const errors = check(one).filter((error) => !error.keyword.startsWith('unevaluated'));
        const ofItem = errors.filter((error) => error.pointer.startsWith(`${list}/1`));
        if (ofItem.length === errors.length) return errors.length > 0;
        // Alternatives all say what they miss: a valid item in its place shows that nothing else is wrong.
        return (
          ofItem.length > 0 &&
          itemsAt(mutation.base, list).some(
            (right) => check(withValueAt(one, `${list}/1`, right)).length === 0,
          )
        );
      });
    if (body === undefined) return [];
    return [
      {
        body: { use: 'named', name: `later-${index}`, edit: { at: '', set: body } },
        deviation: { kind: 'body', at, keyword },
      },
    ];
  });
}

/** Code of its own may check each of these, and the first item alone. */
const itemFaults: readonly (readonly string[])[] = [
  ['type'],
  ['required'],
  ['enum', 'const'],
  [
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ],
];

/** With the marker in the first item of a list, where it belongs there. */
function markedAt(body: Json, marker: JsonPointer | undefined, list: string): readonly Json[] {
  if (marker?.startsWith(`${list}/0`) !== true) return [];
  const text = valueAt(body, marker);
  const words = typeof text === 'string' && text !== '' ? `${text} ` : '';
  return [withValueAt(body, marker, `${words}\${marker}`)];
}

function itemsAt(value: Json, list: string): readonly Json[] {
  const items = valueAt(value, list);
  return isArray(items) ? items : [];
}

/** `Subject` in place of `subject`: names of members are compared exactly (RFC 8259, 8.3). */
export function renamedMembers(
  { body }: Operation,
  mutations: readonly Mutation[],
  base: Json,
): readonly Faulty[] {
  const schema = body?.schema ?? false;
  const required = mutations.find(
    ({ keyword, pointer }) => keyword === 'required' && /^\/[a-z]\w*$/.test(pointer),
  );
  const value = required === undefined ? undefined : valueAt(base, required.pointer);
  const isClosed = refusesStrangers(schema, base);
  if (required === undefined || value === undefined || !(isClosed || takesStrangers(schema, base))) return [];
  // The name alone is to be wrong: the marker stands only where the member takes it.
  const isMarked =
    typeof value === 'string' &&
    validator(schema)(withValueAt(base, required.pointer, `${value}${appended}`)).length === 0;
  const renamed = `/${required.pointer.slice(1, 2).toUpperCase()}${required.pointer.slice(2)}`;
  const without = withValueAt(base, required.pointer, undefined);
  if (validator(schema)(withValueAt(without, renamed, value)).length === 0) return [];
  return [
    {
      body: {
        use: 'named',
        name: 'renamed',
        edit: {
          all: [
            { at: required.pointer, remove: true },
            { at: renamed, set: isMarked ? [value, '$' + '{marker}'].join(' ') : value },
          ],
        },
      },
      // Where nothing else may stand, it is one member too many and one too few: either may be named.
      deviation: isClosed ? { kind: 'body', at: '', keyword: 'additionalProperties' } : faultOf(required),
    },
  ];
}

/** Without some members, where that breaks a keyword of the whole alone, such as minProperties. */
export function faultsOfWhole(schema: JsonSchema, base: Json): readonly LikelyFault[] {
  if (!isObject(base)) return [];
  const names = Object.keys(base);
  const check = validator(schema);
  const without = (left: readonly string[]): Json =>
    left === names ? {} : Object.fromEntries(Object.entries(base).filter(([name]) => !left.includes(name)));
  const several = names.length > 1 ? [names] : [];
  return [...affordable(names).map((name) => [name]), ...several].flatMap((left) => {
    const value = without(left);
    const [fault, ...others] = check(value);
    // Where a member is missing as well, that is tried elsewhere.
    return fault?.pointer === '' && fault.keyword !== 'type' && others.length === 0
      ? [{ pointer: '', keyword: fault.keyword, value }]
      : [];
  });
}

/** Keywords that are about the members of an object together. */
const together = 'not anyOf oneOf minProperties maxProperties'.split(' ');

/** An object that is wrong as a whole, with all that the engine puts in where the valid one has it: once for each way. */
export function faultsOfObject(
  { verification, version }: Operation,
  mutations: readonly Mutation[],
): readonly Mutation[] {
  const carried = [version?.carrier, verification?.carrier].flatMap((carrier) =>
    carrier?.in === 'body' ? [carrier.at] : [],
  );
  const ways = new Map<string, Mutation>();
  for (const one of mutations) {
    const { base, describes, keyword, ofBranch, pointer, schemaPointer, value } = one;
    if (pointer !== '' || ofBranch === true || !together.includes(keyword)) continue;
    const isPutIn = carried.every((at) => valueAt(value, at) !== undefined);
    // Of a choice, no alternative is one way, and two of them another one.
    const way = keyword.endsWith('Of') ? `${schemaPointer} ${describes}` : schemaPointer;
    if (isObject(base) && isObject(value) && isPutIn && !ways.has(way)) ways.set(way, one);
  }
  return [...ways.values()];
}

export const strangeName = 'assayUnknown';

/** Whether a valid body may hold a member that its schema neither names nor expressly lets be. */
export function takesStrangers(schema: JsonSchema, base: Json): boolean {
  return (
    isObject(base) &&
    !knownNames(schema).free &&
    validator(schema)({ ...base, [strangeName]: 1 }).length === 0
  );
}

/** Whether a valid body may hold no member but those that its schema names. */
function refusesStrangers(schema: JsonSchema, base: Json): boolean {
  return (
    isObject(base) &&
    !knownNames(schema).free &&
    validator(schema)({ ...base, [strangeName]: 1 }).some(({ pointer }) => pointer === `/${strangeName}`)
  );
}

/** Whether another type stands where the schema requires a text. */
function isOfRequiredText({ keyword, pointer }: Mutation, all: readonly Mutation[], base: Json): boolean {
  return (
    keyword === 'type' &&
    typeof valueAt(base, pointer) === 'string' &&
    all.some((other) => other.keyword === 'required' && other.pointer === pointer)
  );
}

const memberOf = ({ pointer }: Mutation): string => pointer.split('/')[1] ?? '';

/** Two mutations of different members, the second of which may have any other type. */
export function pairOf(mutations: readonly Mutation[]): readonly (Mutation | undefined)[] {
  const [first] = mutations.filter(({ keyword }) => keyword !== 'format');
  return [
    first,
    first === undefined
      ? undefined
      : mutations.find((other) => other.keyword === 'type' && memberOf(other) !== memberOf(first)),
  ];
}

/** Whether a member may say which branch of the schema the others are to match. */
export function isChooser({ body }: Operation, mutation: Mutation): boolean {
  const schema = body?.schema ?? true;
  return (
    /"(?:oneOf|anyOf|if)":/.test(JSON.stringify(schema)) &&
    schemasAt(schema, `/${memberOf(mutation)}`).some(
      (member) => isObject(member) && (Object.hasOwn(member, 'const') || Object.hasOwn(member, 'enum')),
    )
  );
}
