import { describedAt } from '../contract/described-id.ts';
import { type Contract, declaresHeader, type Operation } from '../model/contract.ts';
import { isList, itemsAt, lastOf, membersAt, placesIn, plain } from '../model/described-places.ts';
import type { JsonPointer } from '../model/json.ts';
import { bare, writtenName } from '../model/path.ts';
import { describes } from '../model/schema-places.ts';
import { flowText } from './flow-text.ts';
import { filtersOf, paginationOf } from './proposed-lists.ts';

/** An `x-governed` that the document suggests, and that is for its author to confirm. */
export type Suggested = {
  /** An operation, or a query field of one: `listCases, query field status`. */
  readonly where: string;
  readonly text: string;
};

const usualVersions = [
  'version',
  'etag',
  'odataetag',
  'revision',
  'lockversion',
  'resourceversion',
  'rowversion',
  'versionid',
];
/** What a command says of the version that it expects: `expectedRevision`. */
const expecting = /^(?:expected|current|if)/;
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
      ...paginationOf(operation, operations),
    ];
    return [
      ...(parts.length === 0 ? [] : [{ where: operation.id, text: `x-governed: { ${parts.join(', ')} }` }]),
      ...filtersOf(operation),
    ];
  });
}

/**
 * The commands that do not say which reads show what they do, though the document suggests it: their effects are counted by the
 * IDs of results alone, and CMD-6 is not applicable. Undefined where there are none.
 */
export function unsaidEffects({ operations }: Pick<Contract, 'operations'>): string | undefined {
  const [first, ...others] = operations.filter((one) => effectOf(one, operations).length > 0);
  if (first === undefined) return undefined;
  const [words, verb] =
    others.length === 0
      ? [first.id, 'does']
      : [`${first.id} and ${others.length} other ${others.length === 1 ? 'command' : 'commands'}`, 'do'];
  return `${words} ${verb} not say in x-governed.effect which reads show what they do, so effects are counted by the IDs of results alone; assay doctor suggests it`;
}

/**
 * The record that a command acts on: `/cases/{caseId}` of `/cases/{caseId}/close` and of `/cases/{caseId}:close`, but what is
 * put to `/cases/{caseId}/settings` is what a read of that path shows. `/cases/{caseId}/notes:import` acts on no one record.
 */
function recordOf(
  { method, path, pathFields }: Operation,
  operations: readonly Operation[],
): Operation | undefined {
  const gets = operations.filter((one) => one.method === 'GET');
  const isAt = (at: string | undefined) => gets.find((one) => bare(one.path) === at);
  const record = /^(.*\/\{[^/{}]+\})(?:\/[^/{}:]+|:[^/{}]+)?$/.exec(bare(path))?.[1];
  const own = method === 'POST' ? undefined : isAt(bare(path));
  const isOne = own !== undefined && itemsAt(own.success.schema) === undefined;
  const found = isOne ? own : isAt(record);
  if (found !== undefined || method === 'POST') return found;
  // A record that there is once, such as settings, or the record that a tag is put on.
  const above = /^(.*\/\{[^/{}]+\})\/[^/{}]+\/\{[^/{}]+\}$/.exec(bare(path))?.[1];
  return pathFields.length === 0 ? isAt(bare(path)) : isAt(above);
}

/**
 * The read of one record: a GET one segment below the path of a command that creates, or elsewhere of a collection with that
 * name and the same record, or the only other one of what the result is; else of the record that a command acts on.
 */
function readOf(operation: Operation, operations: readonly Operation[]): Operation | undefined {
  const { method, path, success } = operation;
  const record = recordOf(operation, operations);
  if (method !== 'POST') return record;
  const reads = operations.filter((one) => one.method === 'GET' && bare(one.path).endsWith('}'));
  const at = (pattern: string): readonly Operation[] =>
    reads.filter((one) => new RegExp(`^${pattern}$`).test(bare(one.path)));
  const [own] = at(`${escaped(bare(path))}/\\{[^/{}]+\\}`);
  if (own !== undefined) return own;
  const collection = bare(path).split('/').at(-1) ?? '';
  const isSame = (one: Operation | undefined): boolean =>
    success.schema !== undefined &&
    membersAt(success.schema, '').length > 0 &&
    JSON.stringify(one?.success.schema) === JSON.stringify(success.schema);
  const elsewhere = at(`/${escaped(collection)}/\\{[^/{}]+\\}`).find(isSame);
  if (elsewhere !== undefined || isSame(record)) return elsewhere ?? record;
  const others = reads.filter((one) => one.pathFields.length === 1 && isSame(one));
  return others.length === 1 ? others[0] : record;
}

/** The list that shows what a command adds, or what it puts into a record that has no read of its own, or takes out. */
function listOf(
  { method, path }: Operation,
  operations: readonly Operation[],
  own: Operation | undefined,
): Operation | undefined {
  // `/cases:batchCreate` adds to the collection, and `/cases:purge` may take out what it likes.
  const whole = bare(path).replace(/(?<=\/[^/{}:]+):(?:batch|bulk)?[-_]?(?:create|add|insert|import)$/i, '');
  const [, above, record] = /^(.*?(\/\{[^/{}]+\})?\/[^/{}]+)\/\{[^/{}]+\}$/.exec(whole) ?? [];
  const isPosted = operations.some((one) => one.method === 'POST' && bare(one.path) === above);
  // What nothing is posted to is added to by PUT.
  const isAdded = own === undefined ? record !== undefined : method === 'PUT' && !isPosted;
  const at = method === 'POST' ? whole : isAdded ? above : undefined;
  return operations.find(
    (one) => one.method === 'GET' && bare(one.path) === at && itemsAt(one.success.schema) !== undefined,
  );
}

function effectOf(operation: Operation, operations: readonly Operation[]): readonly string[] {
  if (operation.kind !== 'command' || operation.effect !== undefined) return [];
  const own = operations.find((one) => one.method === 'GET' && bare(one.path) === bare(operation.path));
  const list = listOf(operation, operations, own);
  const isShownInList = operation.method !== 'POST' && own === undefined && list !== undefined;
  const read = isShownInList ? undefined : readOf(operation, operations);
  const id = idOf(operation, read, list);
  // Without an ID, a document with this would be refused.
  if (id === 'missing') return [];
  const parts = [
    ...(read === undefined ? [] : [`read: ${flowText(read.id)}`]),
    ...(list === undefined ? [] : [`list: ${flowText(list.id)}`]),
    ...(id === undefined ? [] : [`id: ${flowText(id)}`]),
  ];
  return parts.length === 0 ? [] : [`effect: { ${parts.join(', ')} }`];
}

/** Where the ID is, if it must be said; undefined if not, and `missing` if the schema has no place for it. */
function idOf(
  { body, idAt, idHeader, method, path, pathFields, success: { requiredHeaders = [], schema } }: Operation,
  read: Operation | undefined,
  list: Operation | undefined,
): JsonPointer | 'missing' | undefined {
  const fields = (read?.pathFields ?? []).filter(
    ({ name }) => !pathFields.some((field) => field.name === name),
  );
  const isNew = method === 'POST' && (fields.length > 0 || list !== undefined);
  const isLocated = idHeader?.use === 'only' || requiredHeaders.some((name) => /^location$/i.test(name));
  if (!isNew || schema === undefined || idAt !== undefined || isLocated) return undefined;
  const collection = /[^/{}:]*$/.exec(bare(path))?.[0] ?? '';
  const names = fields.slice(-1).map(writtenName);
  if (describedAt({ result: schema, body: body?.schema, fields: names, collection }) !== undefined)
    return undefined;
  const members = membersAt(schema, '');
  if (describes(schema, '/id') || members.every((name) => isList(schema, `/${name}`))) return undefined;
  const known = ['/name', '/metadata/name', '/_links/self/href', '/links/self', '/self', '/href', '/url'];
  const found = known.find((at) => describes(schema, at));
  if (found !== undefined) return found;
  // What was added is a list within the result.
  const added = members.filter((name) => isList(schema, `/${name}`)).map((name) => `/${name}/0`);
  const inAdded = added.flatMap((at) =>
    membersAt(schema, at).flatMap((name) => (/^(?:id|.*(?:Id|ID|_id))$/.test(name) ? [`${at}/${name}`] : [])),
  );
  return list !== undefined && inAdded.length === 1 ? inAdded[0] : 'missing';
}

function versionOf(operation: Operation, operations: readonly Operation[]): readonly string[] {
  const { body, headerFields = [], kind, version } = operation;
  if (kind !== 'command' || version !== undefined) return [];
  // What a command makes has no version yet: a version that it sends is a member like any other.
  const read = recordOf(operation, operations);
  if (read === undefined) return [];
  const nameOf = (at: JsonPointer): string => plain(lastOf(at));
  const isMatch = headerFields.some((field) => field.in === 'header' && /^if-match$/i.test(field.name));
  const shown = placesIn(read.success.schema).filter(
    // The entity tag of a version in the body need not be that version: FHIR has `W/"3"` for `meta.versionId`.
    (at) => !isMatch || at.lastIndexOf('/') === 0 || nameOf(at).endsWith('etag'),
  );
  const seen = usualVersions.flatMap((name) => shown.find((at) => nameOf(at) === name) ?? [])[0];
  const header = headerFields.find(
    (field) =>
      field.in === 'header' &&
      (/^if-match$/i.test(field.name) || (seen !== undefined && versionHeader.test(field.name))),
  );
  const sent =
    seen === undefined
      ? undefined
      : placesIn(body?.schema).find((at) => nameOf(at).replace(expecting, '') === nameOf(seen));
  if (header === undefined && sent === undefined) return [];
  const carrier =
    header === undefined
      ? `in: body, at: ${flowText(sent ?? '')}`
      : `in: header, name: ${flowText(header.name)}`;
  // The entity tag of a version that is also in the body need not be written as it is there.
  const isTagged = isMatch && declaresHeader(read.success, 'etag');
  const from = seen === undefined || isTagged ? 'in: header, name: ETag' : `in: body, at: ${flowText(seen)}`;
  return [`version: { carrier: { ${carrier} }, source: { operation: ${flowText(read.id)}, ${from} } }`];
}

function verificationOf({ headerFields = [], kind, verification }: Operation): readonly string[] {
  if (kind !== 'command' || verification !== undefined) return [];
  const header = headerFields.find((field) => field.in === 'header' && verifying.test(field.name));
  return header === undefined
    ? []
    : [`verification: { carrier: { in: header, name: ${flowText(header.name)} }, hook: verify }`];
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
