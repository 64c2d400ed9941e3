import type { Contract, Operation, QueryField } from '../model/contract.ts';
import { isObject, type JsonPointer, type JsonSchema, pointerOf } from '../model/json.ts';
import { bare } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';

/** An `x-governed` that the document suggests, and that is for its author to confirm. */
export type Suggested = {
  /** An operation, or a query field of one: `listCases, query field status`. */
  readonly where: string;
  readonly text: string;
};

/** Names without signs between their words: `page[size]` is `pagesize`. */
const usualLimits = /^(?:limit|pagesize|perpage|maxresults|maxpagesize|size|take|top)$/;
const usualCursors =
  /^(?:cursor|after|before|pagetoken|nexttoken|skiptoken|startingafter|continuationtoken|page(?:cursor|after))$/;
const usualOffsets = /^(?:offset|skip|pageoffset)$/;
const usualPages = /^(?:page|pageno|pagenumber|pageindex)$/;
const usualVersions = ['version', 'etag', 'revision', '_version', 'lock_version', 'lockVersion'];
/** Not the version of the API, or of the client. */
const versionHeader = /^(?!.*(?:api|accept|client|contract)).*(?:version|revision|etag)$/i;
const verifying = /verif|otp|mfa|2fa|step-?up|challenge/i;

/** What a document says without `x-governed` in paths, names and schemas, for operations that do not say it themselves. */
export function suggestionsOf({ operations }: Pick<Contract, 'operations'>): readonly Suggested[] {
  return operations.flatMap((operation) => {
    const parts = [
      ...effectOf(operation, operations),
      ...versionOf(operation, operations),
      ...verificationOf(operation),
      ...paginationOf(operation),
    ];
    return [
      ...(parts.length === 0 ? [] : [{ where: operation.id, text: `x-governed: { ${parts.join(', ')} }` }]),
      ...filtersOf(operation),
    ];
  });
}

/**
 * The read of one record: a GET one segment below the path of a command that creates, or elsewhere of a collection with that
 * name and the same record; else at the path of the record that a command acts on.
 */
function readOf(
  { method, path, success }: Operation,
  operations: readonly Operation[],
): Operation | undefined {
  const gets = operations.filter((one) => one.method === 'GET');
  const at = (pattern: RegExp): Operation | undefined => gets.find((one) => pattern.test(bare(one.path)));
  const own = at(new RegExp(`^${escaped(bare(path))}/\\{[^/{}]+\\}$`));
  if (method === 'POST' && own !== undefined) return own;
  // `/cases/{caseId}/close` and `/cases/{caseId}:close` act on the record at `/cases/{caseId}`.
  const record = /^(.*\/\{[^/{}]+\})(?:[/:][^/{}]+)?$/.exec(bare(path))?.[1];
  const collection = bare(path).split('/').at(-1) ?? '';
  const made = new RegExp(`^/${escaped(collection)}/\\{[^/{}]+\\}$`);
  const elsewhere = gets.find(
    (one) =>
      made.test(bare(one.path)) &&
      success.schema !== undefined &&
      JSON.stringify(one.success.schema) === JSON.stringify(success.schema),
  );
  return (method === 'POST' ? elsewhere : undefined) ?? gets.find((one) => bare(one.path) === record);
}

function effectOf(operation: Operation, operations: readonly Operation[]): readonly string[] {
  if (operation.kind !== 'command' || operation.effect !== undefined) return [];
  const read = readOf(operation, operations);
  const list = operations.find(
    (one) =>
      one.method === 'GET' &&
      operation.method === 'POST' &&
      bare(one.path) === bare(operation.path) &&
      itemsAt(one.success.schema) !== undefined,
  );
  const isFound = showsId(operation);
  const parts = [
    ...(read !== undefined && (isFound || isOf(operation, read)) ? [`read: ${read.id}`] : []),
    ...(list !== undefined && isFound ? [`list: ${list.id}`] : []),
  ];
  return parts.length === 0 ? [] : [`effect: { ${parts.join(', ')} }`];
}

/** Whether a result gives the ID of what a command makes. The contract refuses an effect that needs an ID and has none. */
function showsId({ idAt = '/id', idHeader, success: { requiredHeaders = [], schema } }: Operation): boolean {
  return (
    schema === undefined ||
    schemasAt(schema, idAt).length > 0 ||
    idHeader?.use === 'only' ||
    requiredHeaders.some((name) => /^location$/i.test(name))
  );
}

/** Whether a command acts on the record that a read shows. */
function isOf({ path }: Operation, read: Operation): boolean {
  return bare(path).startsWith(bare(read.path));
}

function versionOf(operation: Operation, operations: readonly Operation[]): readonly string[] {
  const { body, headerFields = [], kind, version } = operation;
  if (kind !== 'command' || version !== undefined) return [];
  const read = readOf(operation, operations);
  // What a command makes has no version yet: a version that it sends is a member like any other.
  if (read === undefined || !isOf(operation, read)) return [];
  const members = membersAt(read.success.schema, '');
  const member = usualVersions.find((name) => members.includes(name));
  const header = headerFields.find(
    (field) =>
      field.in === 'header' &&
      (/^if-match$/i.test(field.name) || (member !== undefined && versionHeader.test(field.name))),
  );
  const isInBody = member !== undefined && membersAt(body?.schema, '').includes(member);
  if (header === undefined && !isInBody) return [];
  const carrier = header === undefined ? `in: body, at: /${member}` : `in: header, name: ${header.name}`;
  const seen = member === undefined ? 'in: header, name: ETag' : `in: body, at: /${member}`;
  return [`version: { carrier: { ${carrier} }, source: { operation: ${read.id}, ${seen} } }`];
}

function verificationOf({ headerFields = [], kind, verification }: Operation): readonly string[] {
  if (kind !== 'command' || verification !== undefined) return [];
  const header = headerFields.find((field) => field.in === 'header' && verifying.test(field.name));
  return header === undefined
    ? []
    : [`verification: { carrier: { in: header, name: ${header.name} }, hook: verify }`];
}

function paginationOf({ kind, pagination, queryFields, success }: Operation): readonly string[] {
  if (kind !== 'read' || pagination !== undefined) return [];
  const fields = queryFields.flatMap(sentNames);
  const named = (pattern: RegExp): string | undefined => fields.find((name) => pattern.test(plain(name)));
  const limit = named(usualLimits);
  const items = itemsAt(success.schema);
  const found = [
    { field: named(usualCursors), style: 'cursor' },
    { field: named(usualOffsets), style: 'offset' },
    { field: named(usualPages), style: 'page' },
  ].find(({ field }) => field !== undefined);
  if (limit === undefined || found?.field === undefined || items === undefined) return [];
  const { field, style } = found;
  const next = style === 'cursor' ? nextAt(success.schema, items, field) : undefined;
  if (style === 'cursor' && next === undefined) return [];
  const quoted = (text: string): string => (/[[\]{}$,:#]/.test(text) ? `'${text}'` : text);
  const parts = [
    `limit: ${quoted(limit)}`,
    `cursor: ${quoted(field)}`,
    ...(style === 'cursor' ? [] : [`style: ${style}`]),
    `items: ${items === '' ? '""' : items}`,
    ...(next === undefined ? [] : [`next: ${next}`]),
  ];
  return [`pagination: { ${parts.join(', ')} }`];
}

/** The names under which a query field is sent: one for each member in the style `deepObject`. */
function sentNames({ name, schema, style }: QueryField): readonly string[] {
  return style === 'deepObject' && !name.includes('[')
    ? membersAt(schema, '').map((member) => `${name}[${member}]`)
    : [name];
}

/** Where a page says where the next one is: in a member called `next`, or as the query field is. */
function nextAt(schema: JsonSchema | undefined, items: JsonPointer, field: string): JsonPointer | undefined {
  const places = placesIn(schema).filter((at) => at !== items && !isOnly(schema, at, 'boolean'));
  const nameOf = (at: JsonPointer): string => plain(at.slice(at.lastIndexOf('/') + 1));
  const found =
    places.find((at) => nameOf(at).startsWith('next')) ?? places.find((at) => nameOf(at) === plain(field));
  return found !== undefined && membersAt(schema, found).includes('href') ? `${found}/href` : found;
}

function filtersOf({ id, kind, queryFields, success }: Operation): readonly Suggested[] {
  const items = kind === 'read' ? itemsAt(success.schema) : undefined;
  if (items === undefined) return [];
  const members = membersAt(success.schema, `${items}/0`);
  return queryFields
    .filter(({ filters }) => filters === undefined)
    .flatMap(({ name }) => {
      const member = members.find((one) => plain(one) === plain(name));
      const text = `x-governed: { filters: ${pointerOf([member ?? ''])} }`;
      return member === undefined ? [] : [{ where: `${id}, query field ${name}`, text }];
    });
}

/** The list in a page: the body itself, or its one member that is an array of objects, else the one member of a member. */
function itemsAt(schema: JsonSchema | undefined): JsonPointer | undefined {
  const isList = (at: JsonPointer): boolean =>
    schemasAt(schema, at).some(({ items }) => items !== undefined) && membersAt(schema, `${at}/0`).length > 0;
  if (isList('')) return '';
  const lists = placesIn(schema).filter(isList);
  const outer = lists.filter((at) => at.lastIndexOf('/') === 0);
  const found = outer.length > 0 ? outer : lists;
  return found.length === 1 ? found[0] : undefined;
}

/** The members of a body, and theirs. */
function placesIn(schema: JsonSchema | undefined): readonly JsonPointer[] {
  const within = (at: JsonPointer): readonly JsonPointer[] =>
    membersAt(schema, at).map((name) => at + pointerOf([name]));
  const outer = within('');
  return [...outer, ...outer.flatMap(within)];
}

function membersAt(schema: JsonSchema | undefined, at: JsonPointer): readonly string[] {
  return [
    ...new Set(
      schemasAt(schema, at).flatMap(({ properties }) =>
        isObject(properties) ? Object.keys(properties) : [],
      ),
    ),
  ];
}

function isOnly(schema: JsonSchema | undefined, at: JsonPointer, type: string): boolean {
  return schemasAt(schema, at).some((one) => one['type'] === type);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
