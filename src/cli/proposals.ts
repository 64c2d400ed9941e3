import type { Contract, Operation, QueryField } from '../model/contract.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from '../model/json.ts';
import { bare } from '../model/path.ts';

/** An `x-governed` that the document suggests, and that is for its author to confirm. */
export type Suggested = {
  /** An operation, or a query field of one: `listCases, query field status`. */
  readonly where: string;
  readonly text: string;
};

const usualLimits = /^(?:limit|page_?size|per_?page|max_?results|size)$/i;
const usualCursors = /^(?:cursor|after|page_?token|starting_?after|continuation_?token)$/i;
const usualOffsets = /^(?:offset|skip)$/i;
const usualPages = /^(?:page|page_?number)$/i;
const usualVersions = ['version', 'etag', 'revision', '_version', 'lock_version', 'lockVersion'];
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

/** The read of one record: a GET at the path of the command, or one segment below that of a command that creates. */
function readOf({ method, path }: Operation, operations: readonly Operation[]): Operation | undefined {
  const own = new RegExp(`^${escaped(bare(path))}/\\{[^/{}]+\\}$`);
  // `/cases/{caseId}/close` acts on the record at `/cases/{caseId}`.
  const record = /^(.*\/\{[^/{}]+\})(?:\/[^/{}]+)?$/.exec(bare(path))?.[1];
  return operations.find(
    (one) =>
      one.method === 'GET' && (bare(one.path) === record || (method === 'POST' && own.test(bare(one.path)))),
  );
}

function effectOf(operation: Operation, operations: readonly Operation[]): readonly string[] {
  if (operation.kind !== 'command' || operation.effect !== undefined) return [];
  const read = readOf(operation, operations);
  const list = operations.find(
    (one) =>
      one.method === 'GET' &&
      operation.method === 'POST' &&
      bare(one.path) === bare(operation.path) &&
      itemsIn(one.success.schema) !== undefined,
  );
  const parts = [
    ...(read === undefined ? [] : [`read: ${read.id}`]),
    ...(list === undefined ? [] : [`list: ${list.id}`]),
  ];
  return parts.length === 0 ? [] : [`effect: { ${parts.join(', ')} }`];
}

function versionOf(operation: Operation, operations: readonly Operation[]): readonly string[] {
  if (operation.kind !== 'command' || operation.version !== undefined) return [];
  const header = operation.headerFields?.find(
    (field) => field.in === 'header' && /^if-match$/i.test(field.name),
  );
  const read = readOf(operation, operations);
  if (header === undefined || read === undefined) return [];
  const members = membersOf(resolved(read.success.schema));
  const member = usualVersions.find((name) => name in members);
  const seen = member === undefined ? 'in: header, name: ETag' : `in: body, at: /${member}`;
  return [
    `version: { carrier: { in: header, name: ${header.name} }, source: { operation: ${read.id}, ${seen} } }`,
  ];
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
  const named = (pattern: RegExp): QueryField | undefined =>
    queryFields.find(({ name }) => pattern.test(name));
  const limit = named(usualLimits);
  const found = [
    { field: named(usualCursors), style: 'cursor' },
    { field: named(usualOffsets), style: 'offset' },
    { field: named(usualPages), style: 'page' },
  ].find(({ field }) => field !== undefined);
  const items = itemsIn(success.schema);
  if (limit === undefined || found?.field === undefined || items === undefined) return [];
  const { field, style } = found;
  const next = Object.keys(membersOf(resolved(success.schema))).find((name) => /next/i.test(name));
  if (style === 'cursor' && next === undefined) return [];
  const parts = [
    `limit: ${limit.name}`,
    `cursor: ${field.name}`,
    ...(style === 'cursor' ? [] : [`style: ${style}`]),
    `items: ${items.at === '' ? '""' : items.at}`,
    ...(style === 'cursor' ? [`next: /${next}`] : []),
  ];
  return [`pagination: { ${parts.join(', ')} }`];
}

function filtersOf({ id, kind, queryFields, success }: Operation): readonly Suggested[] {
  const items = kind === 'read' ? itemsIn(success.schema) : undefined;
  if (items === undefined) return [];
  const members = membersOf(items.schema);
  return queryFields
    .filter(({ filters, name }) => filters === undefined && name in members)
    .map(({ name }) => ({
      where: `${id}, query field ${name}`,
      text: `x-governed: { filters: /${name} }`,
    }));
}

type Schema = { readonly schema: JsonObject; readonly root: JsonObject };

/** The list in a page: the body itself, or its one member that is an array of objects. */
function itemsIn(
  schema: JsonSchema | undefined,
): { readonly at: string; readonly schema: Schema } | undefined {
  const page = resolved(schema);
  if (page === undefined) return undefined;
  const listed = (one: Json | undefined): Schema | undefined => {
    const array = resolved(one, page.root);
    if (array?.schema['type'] !== 'array') return undefined;
    const item = resolved(array.schema['items'], page.root);
    return item !== undefined && Object.keys(membersOf(item)).length > 0 ? item : undefined;
  };
  const itself = listed(page.schema);
  if (itself !== undefined) return { at: '', schema: itself };
  const found = Object.entries(membersOf(page)).flatMap(([name, one]) => {
    const item = listed(one);
    return item === undefined ? [] : [{ at: `/${name}`, schema: item }];
  });
  return found.length === 1 ? found[0] : undefined;
}

function membersOf(one: Schema | undefined): JsonObject {
  const properties = one?.schema['properties'];
  return isObject(properties) ? properties : {};
}

/** A schema, or what its reference within the document leads to. */
function resolved(given: Json | undefined, root = given): Schema | undefined {
  let schema = given;
  for (let hops = 0; hops < 8; hops += 1) {
    if (!isObject(schema) || !isObject(root)) return undefined;
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return { schema, root };
    const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
    const { $defs: definitions } = root;
    if (name === undefined || !isObject(definitions)) return undefined;
    schema = definitions[name];
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
