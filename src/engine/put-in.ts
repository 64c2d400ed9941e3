import { idText, type NamedRecord, type Operation } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  parentOf,
  parseJson,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { inOtherItems } from '../model/named-records.ts';
import type { Ref } from '../model/ref.ts';
import type { Step } from '../model/scenario.ts';
import { schemasAt } from '../model/schema-places.ts';

type PuttingIn = {
  readonly operation: Operation;
  readonly plain: Json | undefined;
  readonly resolve: (ref: Ref) => string | undefined;
  /** Whether the scenario compares bodies: two of them may differ in the records that they name alone. */
  readonly compares?: boolean;
};

/** The body with the ID of the record in the path, where it repeats that. */
export function withOwnId(body: Json, step: Step, { operation, resolve }: PuttingIn): Json {
  const { ownId } = operation;
  const target = ownId === undefined ? undefined : step.target?.[ownId.field];
  const id = target === undefined ? undefined : resolve(target);
  return ownId === undefined || id === undefined || valueAt(body, ownId.at) === undefined
    ? body
    : withValueAt(body, ownId.at, likeBefore(body, ownId.at, id, operation.body?.schema));
}

/** Whether a body has the ID that it repeats as the plain one has it. */
export function hasPlainId(body: Json, { operation: { ownId }, plain }: PuttingIn): boolean {
  return ownId !== undefined && valueAt(body, ownId.at) === valueAt(plain ?? null, ownId.at);
}

/** The body with the IDs of the records that were made for it, except where its edit is about one. */
export function withRecords(body: Json, step: Step, around: PuttingIn): Json {
  const { compares = true, operation, plain = null, resolve } = around;
  const { body: spec, deviations, target } = step;
  const { named = [], pathFields } = operation;
  const fields = pathFields.flatMap((field) => (field.at === undefined ? [] : [{ at: field.at, field }]));
  if (named.length + fields.length === 0 || target === undefined || spec.use === 'text') return body;
  if (spec.use === 'none') return body;
  const edit = spec.use === 'named' ? spec.edit : undefined;
  // Only a fault elsewhere in the body says that another value here means nothing.
  const isWhole =
    edit !== undefined && 'at' in edit && edit.at === '' && deviations.some((one) => 'at' in one);
  const isMeant = (place: JsonPointer): boolean =>
    deviations.some(
      (one) => 'at' in one && (`${place}/`.startsWith(`${one.at}/`) || one.at.startsWith(`${place}/`)),
    );
  // A drawn value names no record, and an edit that is about another one names it, or is of the whole body.
  const edits = edit === undefined ? [] : 'all' in edit ? edit.all : [edit];
  const isEdited = (place: JsonPointer): boolean =>
    edits.some((one) => 'at' in one && (one.at === place || (one.at === '' && !isWhole)));
  const isFree = (place: JsonPointer): boolean =>
    (isWhole || !compares) && !isEdited(place) && !isMeant(place);
  const all: readonly Pick<NamedRecord, 'at' | 'field' | 'acts'>[] = [...fields, ...named];
  return all.reduce((value, { acts, at, field }) => {
    const ref = target[field.name];
    // Of a read, it may also be the ID of a record that the configuration gives, or of none.
    const isGiven = ref !== undefined && 'literal' in ref && field.at === undefined;
    const before = valueAt(value, at);
    const isOther = before !== valueAt(plain, at) && !isFree(at);
    // A command that has no path field for its record says in its body which one it is, required or not.
    const isLeftOut =
      acts === true && before === undefined && !isMeant(at) && isObject(valueAt(value, parentOf(at)));
    if (ref === undefined || isGiven) return value;
    const isPut = isLeftOut || (idText(before) !== undefined && !isOther);
    // Items that were copied, or made up, name no other record: all of them name the one that was made.
    const alike = inOtherItems(value, at).filter(
      (other) =>
        (isFree(other) || (isPut && valueAt(value, other) === valueAt(plain, at))) &&
        idText(valueAt(value, other)) !== undefined &&
        target[other.slice(1)] === undefined &&
        !isMeant(other),
    );
    const places = [...(isPut ? [at] : []), ...alike];
    const id = places.length === 0 ? undefined : resolve(ref);
    if (id === undefined) return value;
    const put = places.reduce<Json>(
      (made, place) => withValueAt(made, place, likeBefore(value, place, id, operation.body?.schema)),
      value,
    );
    return deviations.reduce(
      (made, one) =>
        one.kind === 'body' && one.keyword === 'uniqueItems' ? stillAlike(value, made, one.at, at) : made,
      put,
    );
  }, body);
}

/** Items of a list that were the same as the one in which an ID was put: they are to stay the same. */
function stillAlike(before: Json, after: Json, list: JsonPointer, at: JsonPointer): Json {
  const items = valueAt(before, list);
  const [index] = at.startsWith(`${list}/`) ? pointerTokens(at.slice(list.length)) : [];
  if (!isArray(items) || index === undefined) return after;
  const changed = valueAt(after, list + pointerOf([index]));
  const was = canonicalJson(items[Number(index)] ?? null);
  return items.reduce<Json>(
    (made, item, other) =>
      changed === undefined || canonicalJson(item) !== was
        ? made
        : withValueAt(made, list + pointerOf([String(other)]), changed),
    after,
  );
}

/** A number if the plain body has one: versions may be numbers or texts. */
export function likeBefore(body: Json, at: string, given: string, schema: JsonSchema | undefined): Json {
  const isCount = /^\d+$/.test(given) && Number.isSafeInteger(Number(given));
  return isCount && takesNumber(body, at, schema) ? Number(given) : given;
}

/** Whether a number is there; where nothing is, whether the schema allows a number and no text. */
export function takesNumber(body: Json, at: string, schema: JsonSchema | undefined): boolean {
  const before = valueAt(body, at) ?? undefined;
  if (before !== undefined) return typeof before === 'number';
  const types = schemasAt(schema, at).flatMap<Json>(({ type = [] }) => type);
  return types.some((type) => type === 'integer' || type === 'number') && !types.includes('string');
}

/** The value of a query field as JSON: a number or true where its schema takes no text. */
export function typed(text: string, schema: JsonSchema): Json {
  const types = schemasAt(schema, '').flatMap<Json>(({ type = [] }) => type);
  const parsed = types.length === 0 || types.includes('string') ? undefined : parseJson(text);
  return typeof parsed === 'number' || typeof parsed === 'boolean' ? parsed : text;
}
