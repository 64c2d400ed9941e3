import { type Contract, isSingleton, type Operation, operationNamed } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonSchema } from '../model/json.ts';

type Needs = (operation: Operation, contract: Contract) => boolean;

const isSeen: Needs = ({ effect }) => effect?.read !== undefined || effect?.list !== undefined;
/** A second record of a command that creates one is seen in a list. */
const isCounted: Needs = ({ effect, method }) => effect?.list !== undefined && method === 'POST';
/** Whether a read shows what a command came to whose response was lost: not if only the response names the record. */
const isSeenUnanswered: Needs = ({ effect, pathFields }, contract) => {
  const read = operationNamed(contract, effect?.read);
  const known = new Set(pathFields.map(({ name }) => name));
  return effect?.list !== undefined || (read?.pathFields.every(({ name }) => known.has(name)) ?? false);
};
const makesIds: Needs = ({ effect, idHeader, method }) =>
  method === 'POST' && effect !== undefined && idHeader === undefined;
const deletes: Needs = ({ method }) => method === 'DELETE';
const updates: Needs = ({ method, version }) =>
  version !== undefined && !version.neutral && (method === 'PATCH' || method === 'PUT');
const hasTarget: Needs = ({ pathFields }) => pathFields.some(({ source }) => source !== undefined);
const isPaged: Needs = ({ pagination }) => pagination !== undefined;
const filters: Needs = ({ queryFields }) => queryFields.some((field) => field.filters !== undefined);
const readsOne: Needs = ({ kind, pathFields }) => kind === 'read' && pathFields.length > 0;
const verifies: Needs = ({ verification }) => verification !== undefined;
/** A command on a record, whose effects a read shows. */
const changes: Needs = (operation, contract) => hasTarget(operation, contract) && isSeen(operation, contract);
/** A second record has another ID, or is in a list. */
const isDistinct: Needs = (operation, contract) =>
  makesIds(operation, contract) || isCounted(operation, contract);
const isTellable: Needs = (operation, contract) =>
  isDistinct(operation, contract) || changes(operation, contract);
const all =
  (...some: readonly Needs[]): Needs =>
  (operation, contract) =>
    some.every((one) => one(operation, contract));
const hasLists: Needs = ({ body }) => textsOf(body?.schema ?? true).some(({ listed }) => listed);
const texts =
  (is: (text: Text) => boolean): Needs =>
  ({ body }) =>
    textsOf(body?.schema ?? true).some(is);

/** What an operation must have for a seeded fault to show there, beyond the clauses that the fault breaks. */
const needs: Readonly<Record<string, Needs>> = {
  I07: isCounted,
  I08: makesIds,
  I21: makesIds,
  I33: isCounted,
  I35: isCounted,
  // On a singleton the reads of its version show that nothing was done.
  I36: (operation, contract) =>
    isCounted(operation, contract) || (isSingleton(operation) && updates(operation, contract)),
  I47: deletes,
  I28: isTellable,
  // A verification that was used up refuses the duplicate as a conflict.
  I40: (operation, contract) => isDistinct(operation, contract) && operation.verification === undefined,
  I61: isDistinct,
  // Of two commands with one version the second is refused, whatever its key.
  I60: ({ version }) => version === undefined,
  I62: isCounted,
  // Without a read nothing shows which record was deleted.
  I63: all(hasTarget, (operation, contract) => !deletes(operation, contract) || isSeen(operation, contract)),
  I65: all(
    texts(() => true),
    isSeen,
  ),
  I66: hasTarget,
  // A shorter body is compared as a whole.
  I71: ({ body }) => body !== undefined && longestOf(body.schema) > 120,
  // A service may make blanks equal before it compares: only what is stored shows that it does not.
  // Requests that differ in a detail would each take a verification of their own.
  I70: all(
    ({ verification }) => verification === undefined,
    texts(({ longest }) => longest > 40),
    isSeen,
  ),
  I73: updates,
  I75: hasLists,
  I76: hasLists,
  I74: texts(({ depth }) => depth > 1),
  // A command that conflicts once it was carried out is refused again whatever version it names.
  C12: ({ conflict, id }) => conflict?.after !== id,
  C60: updates,
  C61: all(updates, hasTarget),
  C62: updates,
  C06: isSeen,
  // A version that the body schema requires is refused before anything asks for it.
  C07: ({ version }) => version?.carrier.in === 'header',
  C09: ({ version }) => version?.carrier.in === 'header',
  C70: ({ version }) => version?.carrier.in === 'header',
  E02: makesIds,
  // Each JSON value is a valid body.
  E04: ({ body }) => isObject(body?.schema) && Object.keys(body.schema).length > 0,
  E61: texts(() => true),
  I80: verifies,
  I81: verifies,
  // With a version the duplicate is refused, whatever its key.
  I82: all(isTellable, ({ version }) => version === undefined),
  // Only the ID at this place is replaced.
  M60: ({ effect, idAt, idHeader, method }) =>
    method === 'POST' && idHeader === undefined && (idAt ?? effect?.id ?? '/id') === '/id',
  M08: all(deletes, isSeen),
  M09: all(deletes, ({ effect }) => effect?.list !== undefined),
  P12: ({ id, path, permissions = [] }, { operations }) =>
    operations.some((other) => {
      const others = other.permissions ?? [];
      return other.path === path && other.id !== id && others.some((name) => !permissions.includes(name));
    }),
  P15: isSeenUnanswered,
  P64: isPaged,
  P66: hasTarget,
  T13: isSeenUnanswered,
  V05: texts(() => true),
  V62: ({ body }) => depthOf(body?.schema ?? true) > 1,
  V66: texts(({ listed }) => listed),
  V71: texts(({ longest }) => longest > 250),
  V73: texts(({ depth }) => depth > 1),
  G02: filters,
  G03: isPaged,
  G05: isPaged,
  // What is within one record is of one scope.
  G81: ({ pagination, pathFields }) => pagination !== undefined && pathFields.length === 0,
  G82: isPaged,
  G86: isPaged,
  // A singleton is read without a path field as well, and is no list.
  G10: ({ id, pathFields }, { operations }) =>
    pathFields.length === 0 && operations.some(({ effect }) => effect?.list === id),
  // A version that nothing shows is none.
  G12: all(
    readsOne,
    ({ id, success }, { operations }) =>
      /"(?:version|etag)"/i.test(JSON.stringify([success.schema, success.requiredHeaders])) ||
      operations.some(({ version }) => version?.source.operation === id),
  ),
  G13: ({ queryFields }) =>
    queryFields.some(({ name, schema }) => name === 'limit' && isObject(schema) && schema['maximum'] === 100),
  // What a list finds by its value is read by its ID as well.
  G14: all(filters, ({ id, pathFields }, { operations }) =>
    operations.some(
      ({ effect, method, pathFields: within }) =>
        method === 'POST' &&
        effect?.list === id &&
        effect.read !== undefined &&
        pathFields.length + within.length === 0,
    ),
  ),
  G84: all(filters, isPaged),
  G87: readsOne,
  // Numbers of pages and records have no other characters.
  G89: ({ pagination }) => pagination?.style === 'cursor' || pagination?.style === 'link',
  G90: readsOne,
  // The members of an object are fields of their own.
  G91: ({ kind, queryFields }) =>
    kind === 'read' && queryFields.some(({ schema }) => !isObject(schema) || schema['type'] !== 'object'),
};

/** Whether a seeded fault can show on an operation: some bind members, parameters or relations that few have. */
export function canShow(fault: string, operation: Operation, contract: Contract): boolean {
  return needs[fault]?.(operation, contract) ?? true;
}

/** At most so many characters a body has that does not say more than its schema names; endless where nothing bounds it. */
function longestOf(schema: JsonSchema | Json): number {
  if (!isObject(schema) || schema['$ref'] !== undefined || schema['if'] !== undefined)
    return Number.POSITIVE_INFINITY;
  const { additionalProperties, allOf, anyOf, format, items, maxLength, oneOf, pattern, properties, type } =
    schema;
  const branches = [anyOf, oneOf].flatMap((one) => (isArray(one) ? one : []));
  const whole = isArray(allOf) ? allOf : [];
  if (isArray(schema['enum'])) return JSON.stringify(schema['enum']).length;
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']).length;
  if (branches.length + whole.length > 0 && type === undefined)
    return (
      Math.max(0, ...branches.map(longestOf)) + whole.reduce<number>((sum, one) => sum + longestOf(one), 0)
    );
  if (type === 'integer' || type === 'number' || type === 'boolean') return 25;
  if (type === 'string') {
    if (typeof maxLength === 'number') return maxLength + 2;
    if (typeof format === 'string') return 40;
    return typeof pattern === 'string' && !/[*+]|,\}/.test(pattern) ? 60 : Number.POSITIVE_INFINITY;
  }
  if (type === 'object' && items === undefined) {
    if (additionalProperties !== undefined && additionalProperties !== false) return Number.POSITIVE_INFINITY;
    const members = isObject(properties) ? Object.entries(properties) : [];
    if (members.length === 0 && additionalProperties === undefined) return Number.POSITIVE_INFINITY;
    return members.reduce((sum, [name, member]) => sum + name.length + 4 + longestOf(member), 2);
  }
  return Number.POSITIVE_INFINITY;
}

/** How deep members are named: 1 for those of the body itself, and for items of a body that is a list. */
function depthOf(schema: JsonSchema | Json): number {
  if (!isObject(schema)) return 0;
  const { items, properties } = schema;
  const members = [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(items === undefined ? [] : [items]),
  ];
  return members.length === 0 ? 0 : 1 + Math.max(...members.map(depthOf));
}

type Text = {
  /** 1 for a member of the body itself. */
  readonly depth: number;
  readonly longest: number;
  readonly listed: boolean;
};

function textsOf(schema: JsonSchema | Json, depth = 0, listed = false): readonly Text[] {
  if (!isObject(schema)) return [];
  const { items, properties, type, maxLength, pattern, format } = schema;
  const free =
    type === 'string' && schema['enum'] === undefined && pattern === undefined && format === undefined;
  const longest = free ? (typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY) : 0;
  return [
    ...(free ? [{ depth, longest, listed }] : []),
    ...(isObject(properties)
      ? Object.values(properties).flatMap((member) => textsOf(member, depth + 1))
      : []),
    ...(items !== undefined && !isArray(items) ? textsOf(items, depth + 1, true) : []),
  ];
}
