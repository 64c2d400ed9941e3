import type { Carrier, PathField, PathSource } from '../model/contract.ts';
import { canonicalJson, isObject, type Json, type JsonObject } from '../model/json.ts';
import { plainName } from '../model/listed.ts';
import { bare, singular, writtenName } from '../model/path.ts';
import { requires, schemasAt } from '../model/schema-places.ts';
import { bodySource } from './body-fields.ts';
import { type All, type Linked, linkedFields, linkTarget } from './links.ts';
import { listedSource } from './listed-records.ts';
import { namesOne } from './named-records.ts';
import type { Draft } from './operation.ts';
import { idShownBy } from './result-ids.ts';

/** Where the ID in a field of a path comes from: a link, or the command that makes, puts or adds such a record. */
export function sourceOf(field: PathField, target: Draft, all: All): PathSource | undefined {
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
    return (
      addedTo(field, target, all) ??
      addedWithin(field, target, all) ??
      listedSource(field, target, all) ??
      returnedBy(field, target, all)
    );
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
 * `/tasks/{taskId}`: one that returns what the read shows. Without a read, one that returns what the commands there do.
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
  const made = adder.operation.success.schema;
  const isMade = (schema: Json): boolean =>
    made !== undefined && canonicalJson(made) === canonicalJson(schema);
  const inPlace = drafts.filter((one) => bare(one.operation.path) === upTo);
  const read = inPlace.find((one) => one.operation.method === 'GET');
  if (read !== undefined) return isMade(read.operation.success.schema ?? true) ? adder : undefined;
  // A PUT may make it under an ID that its caller chooses.
  if (inPlace.some((one) => one.operation.method === 'PUT')) return undefined;
  const results = drafts
    .filter((one) => `${bare(one.operation.path)}/`.startsWith(`${upTo}/`))
    .flatMap((one) => one.operation.success.schema ?? []);
  return results.length === 0 || results.some(isMade) ? adder : undefined;
}

/**
 * The result of a command elsewhere that returns just what the read of such a record shows, as `POST /orders/{orderId}/submit`
 * returns the job of `GET /jobs/{jobId}`. What acts on a record returns it as well, but makes none.
 */
function returnedBy(field: PathField, { operation }: Draft, all: All): PathSource | undefined {
  const path = bare(operation.path);
  const upTo = path.slice(0, path.indexOf(`{${field.name}}`) + field.name.length + 2);
  if (collectionOf(upTo).includes('{')) return undefined;
  const schemaOf = ({ operation: { success } }: Draft): string => canonicalJson(success.schema ?? null);
  const isLike = (one: Draft, other: Draft): boolean => schemaOf(one) === schemaOf(other);
  const reads = all.drafts.filter(
    (one) => one.operation.kind === 'read' && bare(one.operation.path) === upTo,
  );
  const [read] = reads;
  if (read === undefined || !schemasAt(read.operation.success.schema, '').some(hasMembers)) return undefined;
  for (const draft of all.drafts) {
    const { governed, operation: command } = draft;
    const { effect } = governed;
    // The ID that the document names may be that of another record.
    if (command.kind !== 'command' || command.method !== 'POST' || effect?.id !== undefined) continue;
    if (`${bare(command.path)}/`.startsWith(`${upTo}/`) || !isLike(draft, read)) continue;
    if (namesOne(command, read.operation)) continue;
    // What several reads show may be a record of either.
    if (all.drafts.some((one) => one.operation.kind === 'read' && one !== read && isLike(one, read)))
      return undefined;
    const id = idShownBy(draft, read.operation, all);
    if (id !== undefined) return { operation: command.id, ...id };
  }
  return undefined;
}

const hasMembers = ({ properties }: JsonObject): boolean =>
  isObject(properties) && Object.keys(properties).length > 0;

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

export function isOptional({ operation, optionalHeaders }: Draft, carrier: Carrier): boolean {
  return carrier.in === 'body'
    ? !requires(operation.body?.schema, carrier.at)
    : optionalHeaders.includes(carrier.name.toLowerCase());
}

/** Whether the caller chooses the ID in a field of a path. */
export function isChosen(field: PathField, draft: Draft, all: All): boolean {
  return sourceOf(field, draft, all) === undefined && chooserOf(field, draft, all) === draft;
}

// x-governed
