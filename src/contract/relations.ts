import { suggestion } from '../document/nearest.ts';
import {
  type Carrier,
  type Operation,
  type OperationId,
  type Pagination,
  type QueryField,
  successesOf,
  type VersionRule,
} from '../model/contract.ts';
import { pointerOf, pointerTokens } from '../model/json.ts';
import { bare } from '../model/path.ts';
import { essence } from '../model/returned-form.ts';
import { describes, requires, schemasAt } from '../model/schema-places.ts';
import { isOnCollection } from './collections.ts';
import type { Place } from './library.ts';
import { type All, governedPlace, named, requireHeader, requireMember } from './links.ts';
import { namedRecords } from './named-records.ts';
import type { Draft } from './operation.ts';
import { child, errorAt, untestableAt } from './place.ts';
import { idShownBy, isSearch, resultOf } from './result-ids.ts';
import { isChosen, isOptional, sourceOf } from './sources.ts';

/** An operation with what it says of others looked up; what was left out is dropped. @throws InputError */
export function completed(draft: Draft, drafts: readonly Draft[], away: ReadonlySet<OperationId>): Operation {
  const all: All = { drafts, away };
  const pagination = paginationOf(draft);
  checkFilters(draft, pagination);
  return {
    ...draft.operation,
    ...(isOnCollection(draft, drafts) ? { onCollection: true } : {}),
    queryFields: [...draft.operation.queryFields, ...pagingMembers(draft)],
    pathFields: draft.operation.pathFields.map((field) => ({
      ...field,
      source: sourceOf(field, draft, all),
      ...(isChosen(field, draft, all) ? { chosen: true } : {}),
    })),
    version: versionOf(draft, all),
    verification: verificationOf(draft),
    conflict: conflictOf(draft, all),
    pagination,
    ...resultOf(draft, all),
    ...ownIdOf(draft, all),
    ...namedOf(draft, all),
    ...acceptOf(draft.operation, drafts),
  };
}

/** A service may return 406 to a client that accepts none of its media types. One without a result fails in those of others. */
function acceptOf(operation: Operation, drafts: readonly Draft[]): Pick<Operation, 'accept'> {
  const typesOf = (one: Operation): readonly string[] =>
    successesOf(one).flatMap(({ mediaType, otherMediaTypes = [] }) =>
      [mediaType ?? [], otherMediaTypes].flat().map(essence),
    );
  const own = typesOf(operation);
  const all = own.length > 0 ? own : drafts.flatMap((draft) => typesOf(draft.operation));
  const types = [...new Set(all)].filter((type) => type.endsWith('+json'));
  // What is read in a result is where the schema of its own media type has it.
  const [first] = successesOf(operation).flatMap(({ mediaType, otherSchemas = {} }) =>
    mediaType !== undefined && Object.hasOwn(otherSchemas, 'application/json') ? [essence(mediaType)] : [],
  );
  if (first !== undefined) return { accept: `${first}, application/json;q=0.9` };
  return types.length === 0 || own.includes('application/json')
    ? {}
    : { accept: [...types, 'application/json'].join(', ') };
}

/**
 * A body may repeat the ID of the record in its path: as JSON:API requires (Updating Resources), or under the name that it
 * has there. An ID of another record makes no valid request.
 */
function ownIdOf(draft: Draft, all: All): Pick<Operation, 'ownId'> {
  const { body, kind, method, path, pathFields } = draft.operation;
  const last = pathFields.find(({ name }) => bare(path).endsWith(`/{${name}}`));
  if (kind !== 'command' || body === undefined) return {};
  if (last === undefined) return idOfPartOf(draft, all);
  const field = last.name;
  const isResource = describes(body.schema, '/data/type');
  const isWhole = /^(PUT|PATCH)$/.test(method);
  const names = [field, ...(isWhole ? ['id'] : [])].map((name) => pointerOf([name]));
  const at = [...(isResource ? ['/data/id'] : []), ...names].find((one) => describes(body.schema, one));
  if (at !== undefined) return { ownId: { at, field } };
  // What replaces a record has the ID where the result of its creation has it, as Kubernetes has `metadata.name`.
  const source = isWhole ? sourceOf(last, draft, all) : undefined;
  const shown = source !== undefined && 'at' in source ? source.at : undefined;
  return shown !== undefined && requires(body.schema, shown) ? { ownId: { at: shown, field } } : {};
}

/**
 * A part of a record may be sent within the record, as Kubernetes sends `status`: the body then has the ID where the result of
 * its creation has it. Elsewhere a plain `id` may be that of another record, as in a PUT of the owner of a case.
 */
function idOfPartOf(draft: Draft, all: All): Pick<Operation, 'ownId'> {
  const { body, method, path, pathFields } = draft.operation;
  const record = /^.*\/\{([^{}]+)\}(?=\/[^{}]+$)/.exec(bare(path));
  const field = pathFields.find(({ name }) => name === record?.[1]);
  if (!/^(PUT|PATCH)$/.test(method) || record === null || field === undefined) return {};
  const source = sourceOf(field, draft, all);
  const at = source !== undefined && 'at' in source ? source.at : undefined;
  if (at === undefined || !requires(body?.schema, at)) return {};
  const { carrier, source: shows } = draft.governed.version ?? {};
  const read = all.drafts.find(({ operation }) => operation.id === shows?.operation)?.operation;
  const hasVersion = carrier?.in === 'body' && read !== undefined && bare(read.path) === record[0];
  const isWithin = pointerTokens(at).length > 1 && !at.startsWith('/data/');
  return hasVersion || isWithin ? { ownId: { at, field: field.name } } : {};
}

function namedOf(draft: Draft, all: All): Pick<Operation, 'named'> {
  const named = namedRecords(draft, all, sourceOf, idShownBy);
  return named.length === 0 ? {} : { named };
}

function checkCarrier(draft: Draft, carrier: Carrier, place: Place): void {
  if (carrier.in === 'header') return;
  const { id, body } = draft.operation;
  if (body === undefined) {
    throw errorAt(place, `'${id}' has no request body to carry this`, 'use { in: header, name: ... }');
  }
  requireMember(child(place, 'at'), body.schema, carrier.at, `the request body of '${id}'`);
}

function versionOf(draft: Draft, all: All): VersionRule | undefined {
  const rule = draft.governed.version;
  if (rule === undefined) return undefined;
  checkCarrier(draft, rule.carrier, governedPlace(draft, 'version', 'carrier'));
  const place = governedPlace(draft, 'version', 'source');
  const source = named(child(place, 'operation'), rule.source.operation, all);
  if (source === undefined)
    throw untestableAt(
      child(place, 'operation'),
      `'${rule.source.operation}', which shows the version, cannot be tested`,
      'name another operation that shows it',
    );
  if (isSearch(source.operation))
    throw errorAt(
      child(place, 'operation'),
      `'${rule.source.operation}' is a POST that names no record, which shows no version`,
      'name a read by ID, or the command that makes the record',
    );
  if (rule.source.in === 'body') {
    const of = `the success body of '${source.operation.id}'`;
    requireMember(child(place, 'at'), source.operation.success.schema, rule.source.at, of);
  } else {
    requireHeader(child(place, 'name'), source, rule.source.name);
  }
  const { carrier, neutral = false } = rule;
  return {
    carrier,
    source: rule.source,
    neutral,
    ...(isOptional(draft, carrier) ? { optional: true } : {}),
  };
}

function verificationOf(draft: Draft): Operation['verification'] {
  const rule = draft.governed.verification;
  if (rule === undefined) return undefined;
  checkCarrier(draft, rule.carrier, governedPlace(draft, 'verification', 'carrier'));
  const { boundToTarget = false, carrier, hook, singleUse = false } = rule;
  return { carrier, hook, singleUse, boundToTarget };
}

function conflictOf(draft: Draft, all: All): Operation['conflict'] {
  const rule = draft.governed.conflict;
  if (rule === undefined) return undefined;
  const place = governedPlace(draft, 'conflict', 'after');
  const after = named(place, rule.after, all);
  if (after === undefined) return undefined;
  if (after.operation.kind !== 'command') {
    throw errorAt(place, `'${rule.after}' is a read, which changes no state`, 'name a command');
  }
  return { after: rule.after, body: draft.conflictBody };
}

/** The limit and the cursor of a list by POST may be members of its body: fields of the query, but for where they are. */
function pagingMembers({ governed, operation }: Draft): readonly QueryField[] {
  const { body, kind, method, queryFields } = operation;
  const rule = governed.pagination;
  if (rule === undefined || kind !== 'read' || method !== 'POST') return [];
  return [rule.limit, rule.cursor].flatMap((name) => {
    const at = pointerOf([name]);
    if (queryFields.some((field) => field.name === name) || !describes(body?.schema, at)) return [];
    const schema = schemasAt(body?.schema, at).find(({ type }) => type !== undefined) ?? {};
    return [{ name, required: false, schema, filters: undefined, at }];
  });
}

function paginationOf(draft: Draft): Pagination | undefined {
  const rule = draft.governed.pagination;
  if (rule === undefined) return undefined;
  const { id, queryFields, success } = draft.operation;
  const place = governedPlace(draft, 'pagination');
  const names = [...queryFields.map(({ name }) => name), ...pagingMembers(draft).map(({ name }) => name)];
  for (const role of ['limit', 'cursor'] as const) {
    if (names.includes(rule[role])) continue;
    throw errorAt(
      child(place, role),
      `'${id}' has no query field '${rule[role]}'`,
      suggestion(rule[role], names),
    );
  }
  const of = `the success body of '${id}'`;
  requireMember(child(place, 'items'), success.schema, rule.items, of);
  if (rule.next !== undefined) requireMember(child(place, 'next'), success.schema, rule.next, of);
  const style = rule.style ?? 'cursor';
  if (style === 'cursor' && rule.next === undefined) {
    throw errorAt(
      place,
      "'next' is missing in 'pagination'",
      'say where the response body has the next cursor',
    );
  }
  return { limit: rule.limit, cursor: rule.cursor, style, items: rule.items, next: rule.next };
}

function checkFilters(draft: Draft, pagination: Pagination | undefined): void {
  if (pagination === undefined) return;
  for (const { name, filters, style } of draft.operation.queryFields) {
    // A member of such a filter may select otherwise, as a word to search for does.
    if (filters === undefined || style === 'deepObject') continue;
    const at = `${pagination.items}/0${filters}`;
    requireMember(
      draft.place,
      draft.operation.success.schema,
      at,
      `an item that the query field '${name}' filters`,
    );
  }
}
