import { suggestion } from '../document/nearest.ts';
import {
  type Carrier,
  type Operation,
  type OperationId,
  type Pagination,
  type PathField,
  type PathSource,
  type QueryField,
  successesOf,
  type VersionRule,
} from '../model/contract.ts';
import { canonicalJson, pointerOf } from '../model/json.ts';
import { plainName } from '../model/listed.ts';
import { bare, singular, writtenName } from '../model/path.ts';
import { describes, requires, schemasAt } from '../model/schema-places.ts';
import { bodySource } from './body-fields.ts';
import type { Place } from './library.ts';
import {
  type All,
  governedPlace,
  type Linked,
  linkedFields,
  linkTarget,
  named,
  requireHeader,
  requireMember,
} from './links.ts';
import { listedSource } from './listed-records.ts';
import { namedRecords, namesOne } from './named-records.ts';
import type { Draft } from './operation.ts';
import { child, errorAt, untestableAt } from './place.ts';
import { idShownBy, isSearch, resultOf } from './result-ids.ts';

/** An operation with what it says of others looked up; what was left out is dropped. @throws InputError */
export function completed(draft: Draft, drafts: readonly Draft[], away: ReadonlySet<OperationId>): Operation {
  const all: All = { drafts, away };
  const pagination = paginationOf(draft);
  checkFilters(draft, pagination);
  return {
    ...draft.operation,
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
      [mediaType ?? [], otherMediaTypes].flat().map((type) => type.replace(/\s*;.*$/, '').toLowerCase()),
    );
  const own = typesOf(operation);
  const all = own.length > 0 ? own : drafts.flatMap((draft) => typesOf(draft.operation));
  const types = [...new Set(all)].filter((type) => type.endsWith('+json'));
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
  if (kind !== 'command' || body === undefined || last === undefined) return {};
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

function namedOf(draft: Draft, all: All): Pick<Operation, 'named'> {
  const named = namedRecords(draft, all, sourceOf);
  return named.length === 0 ? {} : { named };
}

function sourceOf(field: PathField, target: Draft, all: All): PathSource | undefined {
  if (field.at !== undefined) return bodySource(field.at, target, all);
  const sources = all.drafts.flatMap((draft) =>
    draft.links
      .filter((link) => linkTarget(link, all) === target)
      .flatMap((link) => linkedFields(link))
      .filter(({ name }) => name === writtenName(field))
      .map(({ from }) => ({ draft, from: inPath(draft, from) })),
  );
  // The command that makes a target names one that nobody else uses; a list names anybody's.
  const best = sources.find(({ draft }) => draft.operation.kind === 'command') ?? sources[0];
  if (best !== undefined) return { operation: best.draft.operation.id, ...best.from };
  const putter = putterOf(target, all);
  if (putter !== undefined) return { operation: putter.operation.id, path: field.name };
  const shown = shownBy(field, target, all);
  if (shown !== undefined) return shown;
  const maker = chooserOf(field, target, all);
  if (maker === undefined)
    return addedTo(field, target, all) ?? addedWithin(field, target, all) ?? listedSource(field, target, all);
  return maker === target
    ? memberOf(field, target, all)
    : { operation: maker.operation.id, path: field.name };
}

/** A link says of a field of the path how the document names it. */
function inPath({ operation }: Draft, from: Linked['from']): Linked['from'] {
  if (!('path' in from)) return from;
  const field = operation.pathFields.find((one) => writtenName(one) === from.path);
  return { path: field?.name ?? from.path };
}

/** Names that say nothing of the kind of a record. */
const vague = /^(id|uuid|key|name|code|slug|number)$/i;

/**
 * Where a PUT within another record names one that is made elsewhere, as `PUT /groups/{groupId}/devices/{deviceId}` names
 * that of `/devices/{deviceId}`: it is put into the group, not made.
 */
function memberOf(field: PathField, { operation }: Draft, all: All): PathSource | undefined {
  if (operation.pathFields.length < 2) return undefined;
  const own = collectionOf(bare(operation.path));
  for (const draft of all.drafts) {
    const path = bare(draft.operation.path);
    const elsewhere = collectionOf(path);
    if (
      !path.endsWith(`/{${field.name}}`) ||
      draft.operation.pathFields.length >= operation.pathFields.length
    )
      continue;
    if (vague.test(field.name) && lastName(elsewhere) !== lastName(own)) continue;
    const chooser = chooserOf(field, draft, all);
    const source =
      chooser === undefined
        ? addedTo(field, draft, all)
        : { operation: chooser.operation.id, path: field.name };
    if (source !== undefined) return source;
  }
  return namedAfter(field, { operation }, all);
}

/** The command that makes what a field is named after, though no path of this contract leads to one: `POST /users` for `{userId}`. */
function namedAfter(
  field: PathField,
  { operation }: Pick<Draft, 'operation'>,
  all: All,
): PathSource | undefined {
  const noun = /^(.+?)_?id$/i.exec(field.name)?.[1];
  if (noun === undefined || operation.pathFields.length < 2) return undefined;
  const makers = all.drafts.filter(
    (one) =>
      one.operation.kind === 'command' &&
      one.operation.method === 'POST' &&
      one.operation.pathFields.length === 0 &&
      plainName(singular(lastName(bare(one.operation.path)))) === plainName(noun),
  );
  const [maker] = makers;
  const id = maker === undefined || makers.length > 1 ? undefined : idShownBy(maker, undefined, all);
  return maker === undefined || id === undefined ? undefined : { operation: maker.operation.id, ...id };
}

function collectionOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function lastName(collection: string): string {
  return collection.slice(collection.lastIndexOf('/') + 1);
}

/** Where the result of a command has the ID of the record, if the declared read of that record has this field last. */
function shownBy(field: PathField, target: Draft, all: All): PathSource | undefined {
  for (const draft of all.drafts) {
    const { operation } = draft;
    const shown = draft.governed.effect?.read;
    // Most documents name no such read, and looking for it takes the longest.
    if (shown === undefined || operation.method !== 'POST' || operation.path.includes(`{${field.name}}`))
      continue;
    const read = all.drafts.find((one) => one.operation.id === shown)?.operation;
    if (read === undefined) continue;
    const path = bare(read.path);
    if (!path.endsWith(`/{${field.name}}`) || !`${bare(target.operation.path)}/`.startsWith(`${path}/`))
      continue;
    // What acts on a record that its body names makes none.
    if (namesOne(operation, read)) continue;
    const id = idShownBy(draft, read, all);
    if (id !== undefined) return { operation: operation.id, ...id };
  }
  return undefined;
}

/** The result of the command that adds to the collection of the field: `POST /cases`, for the field of `/cases/{caseId}`. */
function addedTo(field: PathField, { operation }: Draft, all: All): PathSource | undefined {
  const [collection] = bare(operation.path).split(`/{${field.name}}`);
  const adder = all.drafts.find(
    (one) =>
      one.operation.kind === 'command' &&
      one.operation.method === 'POST' &&
      bare(one.operation.path) === collection &&
      one.operation !== operation,
  );
  const id = adder === undefined ? undefined : idShownBy(adder, undefined, all);
  return adder === undefined || id === undefined ? undefined : { operation: adder.operation.id, ...id };
}

/**
 * The result of the command that adds such records within others, as `POST /projects/{projectId}/tasks` makes those of
 * `/tasks/{taskId}`: one that returns what the read shows.
 */
function addedWithin(field: PathField, target: Draft, all: All): PathSource | undefined {
  const adder = innerAdder(field, target, all);
  const id = adder === undefined ? undefined : idShownBy(adder, undefined, all);
  return adder === undefined || id === undefined ? undefined : { operation: adder.operation.id, ...id };
}

function innerAdder(
  field: PathField,
  { operation }: Draft,
  { drafts }: Pick<All, 'drafts'>,
): Draft | undefined {
  const path = bare(operation.path);
  const upTo = path.slice(0, path.indexOf(`{${field.name}}`) + field.name.length + 2);
  const collection = lastName(collectionOf(upTo));
  if (collectionOf(upTo).includes('{')) return undefined;
  const adders = drafts.filter(
    (one) =>
      one.operation.method === 'POST' &&
      one.operation.kind === 'command' &&
      bare(one.operation.path).endsWith(`}/${collection}`),
  );
  const [adder] = adders;
  if (adder === undefined || adders.length > 1) return undefined;
  const read = drafts.find((one) => one.operation.method === 'GET' && bare(one.operation.path) === upTo);
  const [made, shown] = [adder, read].map((one) => one?.operation.success.schema);
  return made !== undefined && shown !== undefined && canonicalJson(made) === canonicalJson(shown)
    ? adder
    : undefined;
}

/** The PUT at the very path of a read: nothing is there before, unless a POST makes the record that the path ends in. */
function putterOf(target: Draft, all: All): Draft | undefined {
  const { id, kind, path, pathFields } = target.operation;
  const last = pathFields.find(({ name }) => bare(path).endsWith(`{${name}}`));
  if (kind !== 'read' || (last !== undefined && shownBy(last, target, all) !== undefined)) return undefined;
  const putter = all.drafts.find(
    (one) =>
      one.operation.method === 'PUT' &&
      one.operation.path === path &&
      (one.governed.effect?.read ?? id) === id &&
      [one.governed.conflict, one.governed.verification].every((rule) => rule === undefined) &&
      !needsVersion(one),
  );
  return last === undefined || chooserOf(last, target, all) === putter ? putter : undefined;
}

/** The command that makes records under IDs that its callers choose, where a field of a path names such a record. */
function chooserOf(field: PathField, target: Draft, { drafts }: All): Draft | undefined {
  const { operation } = target;
  const path = bare(operation.path);
  const upTo = path.slice(0, path.indexOf(`{${field.name}}`) + field.name.length + 2);
  const collection = collectionOf(upTo);
  // Where POST makes the records, PUT replaces those that there are.
  if (drafts.some((one) => one.operation.method === 'POST' && bare(one.operation.path) === collection))
    return undefined;
  const putter = drafts.find(
    (one) => one.operation.method === 'PUT' && bare(one.operation.path) === upTo && !needsVersion(one),
  );
  return putter === undefined || innerAdder(field, target, { drafts }) !== undefined ? undefined : putter;
}

/** Without a version, a command may make a record that is not there yet. */
function needsVersion(draft: Draft): boolean {
  const carrier = draft.governed.version?.carrier;
  return carrier !== undefined && !isOptional(draft, carrier);
}

function isOptional({ operation, optionalHeaders }: Draft, carrier: Carrier): boolean {
  return carrier.in === 'body'
    ? !requires(operation.body?.schema, carrier.at)
    : optionalHeaders.includes(carrier.name.toLowerCase());
}

function isChosen(field: PathField, draft: Draft, all: All): boolean {
  return sourceOf(field, draft, all) === undefined && chooserOf(field, draft, all) === draft;
}

// x-governed

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
