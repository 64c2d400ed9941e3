import type { Operation } from '../model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { type CharacterSet, formedMarker, type Mark, type MarkerForm, markedValue } from '../model/marker.ts';
import { isPutIn } from '../model/named-records.ts';
import { schemasAt } from '../model/schema-places.ts';
import { boundsIn, type SureMember, sureMembers } from './texts.ts';

const mostMarks = 5;
/** A text that says less is no marker: about eight letters and digits, or twelve digits. */
const leastBits = 39;
/** A thousand texts that say as much are hardly ever equal. */
const fewBits = 27;
/** Values of a number that says less are no markers. */
const leastCount = 500_000_000;
/** The first number of nine digits. */
const leastNumber = 100_000_000;
/** A number of twelve digits; most columns of databases hold it. */
const mostNumber = 999_999_999_999;
/** Below the seconds since 1970 of any record. */
const mostOfInt32 = 1_399_999_999;
/** Characters of a text beyond which a longer one says no more. */
const enoughLength = 20;

const digits = '0123456789';
const hexDigits = '0123456789abcdef';
const uuid: MarkerForm = {
  kind: 'characters',
  sets: [
    [hexDigits, 8],
    ['-', 1],
    [hexDigits, 4],
    ['-', 1],
    ['4', 1],
    [hexDigits, 3],
    ['-', 1],
    ['89ab', 1],
    [hexDigits, 3],
    ['-', 1],
    [hexDigits, 12],
  ],
};
const texts: readonly MarkerForm[] = [
  { kind: 'text', before: '', after: '' },
  { kind: 'text', before: '', after: '@example.com' },
  { kind: 'text', before: 'https://example.com/', after: '' },
];
/** Formats whose texts may be of any choice. Dates and times are none: another record may have the same one. */
const openFormats = new Set([
  'uuid',
  'email',
  'idn-email',
  'uri',
  'url',
  'uri-reference',
  'iri',
  'iri-reference',
]);

/** Values that a form can take, for trying them on a schema. */
export function samplesOf(form: MarkerForm): readonly Json[] {
  return ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'].map((digit) => {
    const spread = `${digit}9c${digit}3f${digit}e5`.repeat(7) + digit;
    return markedValue(form, formedMarker(form, spread) ?? 'asy-0123456789abcdef');
  });
}

type BodyToMark = {
  readonly operation: Operation;
  readonly schema: JsonSchema;
  readonly valid: (value: Json) => boolean;
  /** A valid body, and others. */
  readonly plain: Json;
  readonly others: readonly Json[];
  /** Whether the vendor gave the plain body: its references may name records that must exist. */
  readonly given: boolean;
  /** Also in the first item of lists that are never empty. */
  readonly items?: boolean;
  /** Only here, where it is enough that a run hardly has a value twice. */
  readonly only?: JsonPointer;
};

/** Where bodies without a roomy text carry a marker: best in what the result shows, and in a text. */
export function marksOf(of: BodyToMark): readonly Mark[] {
  const { operation, others, plain, schema, valid } = of;
  const shown = operation.success.schema ?? true;
  const ranked = sureMembers(schema, { items: of.items === true }).flatMap((member) => {
    const { at, required } = member;
    if (isPutIn(operation, at) || fixed(member) || (of.only ?? at) !== at) return [];
    const leaf = at.slice(at.lastIndexOf('/'));
    const isShown = schemasAt(shown, at).length + schemasAt(shown, leaf).length > 0;
    return formsFor(of, member)
      .filter((form) => [plain, ...others].every((value) => fits(valid, value, { at, form })))
      .map((form) => ({ mark: { at, form }, rank: [isShown ? 0 : 1, kindOf(form), required ? 0 : 1] }));
  });
  return ranked
    .sort((one, other) => {
      const differs = one.rank.findIndex((part, index) => part !== other.rank[index]);
      return (one.rank[differs] ?? 0) - (other.rank[differs] ?? 0);
    })
    .slice(0, mostMarks)
    .map(({ mark }) => mark);
}

/** Whether a body is valid with so many markers of a form in it. */
export function fits(
  valid: (value: Json) => boolean,
  value: Json,
  { at, form }: Mark,
  most?: number,
): boolean {
  return samplesOf(form)
    .slice(0, most)
    .every((sample) => valid(withValueAt(value, at, sample)));
}

function kindOf(form: MarkerForm): number {
  if (form.kind === 'text') return 0;
  if (form === uuid) return 1;
  return form.kind === 'characters' ? 2 : 3;
}

function fixed({ schemas }: SureMember): boolean {
  return schemas.some(
    (member) => isObject(member) && (Object.hasOwn(member, 'enum') || Object.hasOwn(member, 'const')),
  );
}

function formsFor(of: BodyToMark, member: SureMember): readonly MarkerForm[] {
  const { at, required, schemas } = member;
  if (schemas.some((each) => hasType(each, 'string'))) {
    const formats = schemas.flatMap((each) => (isObject(each) ? (each['format'] ?? []) : []));
    if (!formats.every((format) => typeof format === 'string' && openFormats.has(format))) return [];
    const takes = (value: Json): boolean => of.valid(withValueAt(of.plain, at, value));
    const works = (form: MarkerForm): boolean => samplesOf(form).every(takes);
    const text = texts.find(works);
    if (text !== undefined) return [text];
    if (works(uuid)) return of.given && /ids?$/i.test(at) ? [] : [uuid];
    const sample = [of.plain, ...of.others]
      .map((value) => valueAt(value, at))
      .find((value): value is string => typeof value === 'string' && value !== '' && takes(value));
    const form =
      sample === undefined
        ? undefined
        : charactersLike(sample, takes, of.only === undefined ? leastBits : fewBits);
    return form === undefined ? [] : [form];
  }
  // A number that may be left out may have its meaning in being there.
  if (!required || !schemas.some((each) => hasType(each, 'integer') || hasType(each, 'number'))) return [];
  const form = numbersOf(schemas, mostNumber);
  // A column of 32 bits holds no more.
  const smaller = numbersOf(schemas, mostOfInt32);
  return JSON.stringify(form) === JSON.stringify(smaller)
    ? [form].filter((each) => each !== undefined)
    : [form, smaller].filter((each) => each !== undefined);
}

function hasType(schema: Json, type: string): boolean {
  if (!isObject(schema)) return false;
  const types = isArray(schema['type']) ? schema['type'] : [schema['type']];
  return types.every((one) => one === type || one === 'null') && types.includes(type);
}

/** Sets of which any choice is tried; a service may fold the case of letters, so there is only one of each. */
const classes: readonly (readonly [characters: string, tried: string])[] = [
  [digits, '019'],
  ['abcdef', 'acf'],
  ['ghijklmnopqrstuvwxyz', 'gmz'],
];

/** A text of the length of another, or longer, whose characters are free wherever others are taken in their place. */
function charactersLike(
  sample: string,
  takes: (text: string) => boolean,
  least: number,
): MarkerForm | undefined {
  const text = longer([...sample], takes);
  const put = (at: number, character: string): string =>
    text.map((one, index) => (index === at ? character : one)).join('');
  const sets = text.map((own, at): string => {
    const set = classes
      .map(([characters, tried]) => {
        const cased = [characters, characters.toUpperCase()].filter(
          (_, index) => index === 0 || characters !== digits,
        );
        return (
          cased.find((_, index) =>
            [...tried].every((one) => takes(put(at, index === 0 ? one : one.toUpperCase()))),
          ) ?? ''
        );
      })
      .join('');
    return set === '' ? own : set;
  });
  const first = sets.findIndex((set) => set.length > 1);
  // What reads it as a number drops a zero at its beginning.
  const sure = sets.map((set, at) => (at === first && set === digits ? digits.slice(1) : set));
  const bits = sure.reduce((sum, set) => sum + Math.log2(set.length), 0);
  if (bits < least) return undefined;
  return { kind: 'characters', sets: sure.reduce<readonly CharacterSet[]>(joined, []) };
}

function joined(sets: readonly CharacterSet[], set: string): readonly CharacterSet[] {
  const last = sets.at(-1);
  return last?.[0] === set ? [...sets.slice(0, -1), [set, last[1] + 1]] : [...sets, [set, 1]];
}

/** A text that repeats its characters as far as that is taken. */
function longer(text: readonly string[], takes: (text: string) => boolean): readonly string[] {
  let result = text;
  for (let at = text.length - 1; at >= 0 && result.length < enoughLength; at -= 1)
    for (;;) {
      const more = result.toSpliced(at, 0, result[at] ?? '');
      if (result.length >= enoughLength || !takes(more.join(''))) break;
      result = more;
    }
  return result;
}

function numbersOf(schemas: readonly Json[], highest: number): MarkerForm | undefined {
  const bound = (keyword: string): readonly number[] => boundsIn(schemas, keyword);
  const isInt32 = schemas.some((each) => isObject(each) && each['format'] === 'int32');
  const most = Math.floor(
    Math.min(
      isInt32 ? mostOfInt32 : highest,
      ...bound('maximum'),
      ...bound('exclusiveMaximum').map((limit) => Math.ceil(limit) - 1),
    ),
  );
  const steps = bound('multipleOf').map((step) => (Number.isInteger(step) ? step : 1));
  const step = steps.reduce((least, each) => (least % each === 0 ? least : least * each), 1);
  const lowest = Math.max(
    Math.ceil(most / 10),
    leastNumber,
    ...bound('minimum').map(Math.ceil),
    ...bound('exclusiveMinimum').map((limit) => Math.floor(limit) + 1),
  );
  const least = Math.ceil(lowest / step) * step;
  const count = Math.floor((most - least) / step) + 1;
  return most > 0 && count >= leastCount ? { kind: 'number', least, step, count } : undefined;
}
