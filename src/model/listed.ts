import {
  type Contract,
  creates,
  type EffectRule,
  idText,
  isReadById,
  type Operation,
  type OperationId,
  onceForEach,
  operationNamed,
} from './contract.ts';
import { itemPlace } from './described-places.ts';
import {
  canonicalJson,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  parentOf,
  pointerOf,
  valueAt,
} from './json.ts';
import { narrowingField } from './narrowing-field.ts';
import { bare, writtenName } from './path.ts';
import { idAt, idInAddress } from './result-id.ts';
import { schemasAt } from './schema-places.ts';
import { wrappersOf } from './wrapped-items.ts';

export function showsIn(effect: EffectRule | undefined, list: OperationId): boolean {
  return effect?.list === list || effect?.otherLists?.includes(list) === true;
}

/**
 * The ID of an item of a list: where the results of the commands that the list shows have it (`/metadata/name`), under its
 * name there, as `id`, or under the name that the path of a read of one item has for it; else under one of these names in
 * another spelling (`Id`, `case_id`); else in the one member that holds the record; else in its address (`_links.self.href`).
 */
export function itemId(contract: Contract, list: OperationId): (item: Json) => string | undefined {
  const known =
    itemIds.get(contract.operations) ?? new Map<OperationId, (item: Json) => string | undefined>();
  itemIds.set(contract.operations, known);
  const made = known.get(list) ?? itemIdOf(contract, list);
  known.set(list, made);
  return made;
}

const itemIds = new WeakMap<Contract['operations'], Map<OperationId, (item: Json) => string | undefined>>();

/** Where representations usually have their own address. */
const links = [
  '/_links/self/href',
  '/links/self/href',
  '/links/self',
  '/self',
  '/href',
  '/url',
  '/@odata.id',
];

function itemIdOf(contract: Contract, list: OperationId): (item: Json) => string | undefined {
  const shown = contract.operations.filter(({ effect }) => showsIn(effect, list));
  const best = shown.find(({ kind, method }) => kind === 'command' && method === 'POST') ?? shown[0];
  const name = best?.effect?.id.split('/').at(-1);
  const path = bare(operationNamed(contract, list)?.path ?? '');
  const within = contract.operations.filter(
    (one) => bare(one.path) === `${path}/{${one.pathFields.at(-1)?.name}}`,
  );
  const reads = within.filter(({ kind }) => kind === 'read');
  // No read may show a part alone, such as a tag: what puts and deletes it names it.
  const naming = reads.length > 0 ? reads : within;
  const fields = naming.flatMap(({ pathFields }) =>
    pathFields.slice(-1).map((field) => `/${writtenName(field)}`),
  );
  const read = operationNamed(contract, best?.effect?.read);
  const records = [...reads, ...(read === undefined ? [] : [read])].map((one) => one.path);
  const leaf = name === undefined || name === '' ? '/id' : `/${name}`;
  const places = [leaf, '/id', ...fields];
  const spelled = places.map(plainName);
  // An item is as a result is, or what the envelope of a result holds: its own `id` comes before that of what is in it.
  const nested = best?.effect?.id;
  if (nested !== undefined) places.splice(name === 'id' ? places.length : 0, 0, nested);
  const listed = operationNamed(contract, list);
  if (best !== undefined && listed !== undefined)
    places.push(...wrappersOf(listed, best).map((wrapper) => wrapper + leaf));
  const isListOfIds = reads.length === 0 && within.length > 0;
  return (item) => {
    if (isListOfIds && !isObject(item)) return idText(item);
    const found = places.find((place) => (valueAt(item, place) ?? null) !== null);
    if (found !== undefined || !isObject(item)) return found === undefined ? undefined : idAt(item, found);
    const other = Object.keys(item).find((name) => spelled.includes(plainName(name)));
    if (other !== undefined) return idAt(item, pointerOf([other]));
    return links.map((at) => idInAddress(valueAt(item, at), records)).find((id) => id !== undefined);
  };
}

/** The record that an item of a list is, or wraps. */
export function recordOf({ operations }: Contract, list: Operation, item: Json): Json {
  const makers = operations.filter(({ effect }) => showsIn(effect, list.id));
  const within = makers.flatMap((maker) => wrappersOf(list, maker)).map((at) => valueAt(item, at));
  return within.find(isObject) ?? item;
}

/** A name without what spellings differ in: `case_id`, `caseId` and `Case-ID` are one. */
export function plainName(name: string): string {
  return name.replaceAll(/[$/_-]/g, '').toLowerCase();
}

/**
 * The list that shows each record which a command makes: of a command on a target one that is within no record, if it is
 * of the same collection, as GET /items is of POST /orders/{orderId}/items, or of that of the read of what is made: GET
 * /jobs shows the jobs of POST /devices/{deviceId}/commands, since GET /jobs/{jobId} reads each of them. Where no read is
 * declared, its items have the schema of the result: GET /entries shows the entries of POST /accounts/{accountId}/deposits.
 */
export const listOfMade = onceForEach((contract: Contract, operation: Operation): Operation | undefined => {
  const { effect, kind, method, path, pathFields } = operation;
  const list = operationNamed(contract, effect?.list);
  // One value of a query field that the list requires leaves out the records that have another one.
  if (list !== undefined && narrowingField(list) !== undefined) return undefined;
  // Nothing says which record a list within one is to be read for, where the path of the command names none.
  if (list !== undefined && creates(operation)) return list.pathFields.length === 0 ? list : undefined;
  if (list === undefined) return undefined;
  const name = (of: string): string | undefined => bare(of).split('/').at(-1);
  const read = operationNamed(contract, effect?.read);
  const isOfRead =
    read?.pathFields.length === 1 &&
    bare(read.path) === `${bare(list.path)}/{${read.pathFields[0]?.name}}` &&
    isReadById(contract, operation);
  const isFlat =
    list.pathFields.length === 0 &&
    (name(list.path) === name(path) ||
      isOfRead ||
      (read === undefined && isOfResult(contract, operation, list)));
  return kind === 'command' && method === 'POST' && pathFields.length > 0 && isFlat ? list : undefined;
});

/** Whether the items of a list have the schema of the result of a command, which is not that of its target. */
export function isOfResult(contract: Contract, operation: Operation, list: Operation): boolean {
  const { pagination } = list;
  const target = operation.pathFields.at(-1)?.source;
  if (pagination === undefined || target === undefined) return false;
  const schemasOf = (of: Operation, at: JsonPointer): readonly string[] =>
    schemasAt(of.success.schema, at)
      .filter((schema) => isObject(schema) && isObject(schema['properties']))
      .map((schema) => canonicalJson(schema));
  const result = schemasOf(operation, parentOf(operation.effect?.id ?? '/id'));
  const items = schemasOf(list, `${pagination.items}/0`);
  const maker = operationNamed(contract, target.operation);
  const targets = maker === undefined ? [] : schemasOf(maker, parentOf(maker.effect?.id ?? '/id'));
  return result.some((one) => items.includes(one)) && result.every((one) => !targets.includes(one));
}

/**
 * Whether a POST adds a record to the collection of its path, within another record: a list or a read there shows it, or a
 * read in the collection of the same name that stands alone: POST /orders/{id}/invoices and GET /invoices/{invoiceId}.
 */
export const addsWithin = onceForEach((contract: Contract, operation: Operation): boolean => {
  const { effect, kind, method, path, pathFields, version } = operation;
  const [list, read] = [effect?.list, effect?.read].map((id) => operationNamed(contract, id));
  const [, name] = /([^/{}]+)$/.exec(bare(path)) ?? [];
  const isOne = [bare(path), `/${name}`].some(
    (above) => bare(read?.path ?? '') === `${above}/{${read?.pathFields.at(-1)?.name}}`,
  );
  return (
    kind === 'command' &&
    method === 'POST' &&
    pathFields.length > 0 &&
    version === undefined &&
    (bare(list?.path ?? '') === bare(path) || (isOne && isReadById(contract, operation)))
  );
});

/** Commands that make records within the very record that a list is read within: POST and GET /cases/{id}/comments. */
export function makersWithin({ operations }: Contract, list: Operation): readonly Operation[] {
  return operations.filter(
    ({ effect, kind, pathFields }) =>
      kind === 'command' &&
      effect?.list === list.id &&
      list.pathFields.length > 0 &&
      list.pathFields.every(({ name }) => pathFields.some((field) => field.name === name)),
  );
}

/** Where the result of a command that makes several records at once has them: its ID is that of the first. */
export function bulkOf(effect: EffectRule | undefined): JsonPointer | undefined {
  return /^(.*)\/0(?:\/|$)/.exec(effect?.id ?? '')?.[1];
}

/** Whether the result of a command is what a list within the same record shows as an item, by their schemas. */
function isItem(operation: Operation, list: Operation): boolean {
  const fields = ({ pathFields }: Operation): string => pathFields.map(({ name }) => name).join('/');
  if (fields(operation) !== fields(list)) return false;
  const recordsAt = ({ success }: Operation, at: JsonPointer): readonly string[] =>
    schemasAt(success.schema, at).flatMap((schema) =>
      isObject(schema['properties']) ? [JSON.stringify(schema)] : [],
    );
  const items = new Set(recordsAt(list, itemPlace(list)));
  return recordsAt(operation, parentOf(operation.effect?.id ?? '')).some((record) => items.has(record));
}

/**
 * The list at the very collection that a command puts its record into: POST and GET /ports/{id}/berths; of several at once
 * also POST /ports/{id}/berths/batch or berths:batch. Under another path (POST /ports/{id}/commands/add-berth) the result
 * must be such an item.
 */
export const listWithin = onceForEach(
  ({ operations }: Contract, operation: Operation): Operation | undefined => {
    const { effect, kind, method, path, pathFields } = operation;
    const last = pathFields.at(-1);
    return operations.find(
      (list) =>
        kind === 'command' &&
        list.id === effect?.list &&
        list.pathFields.length > 0 &&
        ((method === 'POST' &&
          (bare(path) === bare(list.path) ||
            isItem(operation, list) ||
            (bulkOf(effect) !== undefined && bare(path).startsWith(bare(list.path))))) ||
          (method === 'PUT' && last?.chosen === true && bare(path) === `${bare(list.path)}/{${last.name}}`)),
    );
  },
);

/** Whether a command on a target makes a record there: the read of it names one, or its list is of what is there. */
export function makesWithin(contract: Contract, operation: Operation): boolean {
  const list = listWithin(contract, operation) ?? listOfMade(contract, operation);
  return operation.method === 'POST' && (isReadById(contract, operation) || list !== undefined);
}

/** The list that alone shows what a command makes or puts within a record: no read shows it by its ID. */
export function listShowing(contract: Contract, operation: Operation): Operation | undefined {
  const { effect, method, path, pathFields } = operation;
  if (effect?.read !== undefined) return undefined;
  const list = operationNamed(contract, effect?.list);
  const last = pathFields.at(-1);
  const isPutIn =
    method === 'PUT' &&
    pathFields.length > 1 &&
    list !== undefined &&
    bare(path) === `${bare(list.path)}/{${last?.name}}`;
  return isPutIn ? list : method === 'POST' ? listWithin(contract, operation) : undefined;
}

/** The schema of the items of a list. */
export function itemSchema(list: Operation): JsonSchema {
  const { schema } = list.success;
  return {
    allOf: [...schemasAt(schema, itemPlace(list))],
    ...(isObject(schema) && schema['$defs'] !== undefined ? { $defs: schema['$defs'] } : {}),
  };
}
