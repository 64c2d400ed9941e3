import type { EffectRule, Operation } from '../model/contract.ts';
import { itemsAt, membersAt } from '../model/described-places.ts';
import { isArray, type JsonPointer, pointerOf } from '../model/json.ts';
import { bare, writtenName } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';
import { showsNoRecord } from './collections.ts';
import { describedAt } from './described-id.ts';
import type { Place } from './library.ts';
import {
  type All,
  governedPlace,
  type Linked,
  linkedFields,
  linkedMembers,
  linkTarget,
  named,
  requireHeader,
  requireMember,
} from './links.ts';
import { idInList } from './listed-id.ts';
import { linkedTo, namesOne } from './named-records.ts';
import type { Draft } from './operation.ts';
import { child, errorAt } from './place.ts';

/** The reads that the contract names for an effect. */
type Shown = {
  readonly read: Operation | undefined;
  readonly list: Operation | undefined;
  readonly otherLists: readonly Operation[];
};

/** Where `effect.id` says, else where a link to the record does, else by the schema, or a Location that leads to a read. */
export function resultOf(draft: Draft, all: All): Pick<Operation, 'effect' | 'idAt' | 'idHeader'> {
  const shown = shownBy(draft, all);
  const effect = (id: JsonPointer): EffectRule | undefined =>
    shown.read === undefined && shown.list === undefined
      ? undefined
      : {
          read: shown.read?.id,
          list: shown.list?.id,
          ...(shown.otherLists.length === 0 ? {} : { otherLists: shown.otherLists.map((one) => one.id) }),
          id,
        };
  const given = draft.governed.effect?.id ?? (draft.operation.kind === 'read' ? '/id' : undefined);
  const place = governedPlace(draft, 'effect', 'id');
  if (typeof given === 'string') {
    if (draft.governed.effect?.id !== undefined) requireId(draft, given);
    return { effect: effect(given), ...(given === '/id' ? {} : { idAt: given }) };
  }
  if (given !== undefined) {
    requireHeader(child(place, 'name'), draft, given.name);
    return { effect: effect('/id'), idHeader: { name: given.name, use: 'only' } };
  }
  const linked = linkedId(draft, shown, all);
  if (linked !== undefined && 'header' in linked)
    return { effect: effect('/id'), idHeader: { name: linked.header, use: 'only' } };
  const found =
    linked !== undefined && 'at' in linked
      ? linked.at
      : (describedId(draft, shown, all) ?? listedId(draft, shown, all));
  const at = found ?? '/id';
  const paths = recordPaths(draft, shown, all).map(({ path }) => path);
  const { operation, successHeaders } = draft;
  const located =
    paths.length > 0 &&
    (operation.success.schema === undefined || successHeaders.some((name) => /^location$/i.test(name)));
  // A read of the very record that the command is of needs no ID.
  const lists = shown.list !== undefined && !isNamedIn(operation, shown.list);
  const isNeeded =
    (!isNamedBy(draft, shown.read, all) && needsId(operation, shown.read)) ||
    (lists && !showsNoRecord(operation.success.schema));
  if (!located && effect(at) !== undefined && isNeeded)
    requireId(
      draft,
      at,
      '; name the member with the ID in x-governed.effect.id, or leave out x-governed.effect',
    );
  return {
    effect: effect(at),
    ...(at === '/id' ? {} : { idAt: at }),
    ...(paths.length === 0
      ? {}
      : { idHeader: { name: 'Location', use: found === undefined ? 'first' : 'last', paths } }),
  };
}

/**
 * Where the result of a command has the ID of the record that a read shows, or any read of what it makes; undefined if the
 * document does not say.
 */
export function idShownBy(draft: Draft, read: Operation | undefined, all: All): Linked['from'] | undefined {
  const { effect } = draft.governed;
  if (effect?.id !== undefined)
    return typeof effect.id === 'string' ? { at: effect.id } : { header: effect.id.name };
  const shown: Shown = { read, list: undefined, otherLists: [] };
  const linked = linkedId(draft, shown, all);
  if (linked !== undefined) return linked;
  const at = describedId(draft, shown, all);
  if (at !== undefined) return { at };
  const location = draft.successHeaders.find((name) => /^location$/i.test(name));
  return location === undefined ? undefined : { header: location };
}

function requireId(draft: Draft, at: JsonPointer, also?: string): void {
  const { id, success } = draft.operation;
  const place = governedPlace(draft, 'effect', 'id');
  requireMember(place, success.schema, at, `the success body of '${id}'`, also);
}

/** @throws InputError where `effect` names no read */
function shownBy(draft: Draft, all: All): Shown {
  const rule = draft.governed.effect;
  const place = governedPlace(draft, 'effect');
  const shown = (at: Place, id: string | undefined): Operation | undefined => {
    if (id === undefined) return undefined;
    const operation = named(at, id, all)?.operation;
    if (operation === undefined || operation.kind === 'read') return operation;
    throw errorAt(at, `'${id}' is a command, which shows no effect`, 'name a read');
  };
  const listed = (at: Place, id: string): readonly Operation[] => {
    const operation = shown(at, id);
    if (operation !== undefined && asksForMore(operation))
      throw errorAt(
        at,
        `'${id}' is a POST whose body must say what to look for, so it lists no effect`,
        'name a list that needs no such member',
      );
    return operation === undefined ? [] : [operation];
  };
  const at = child(place, 'list');
  const lists =
    typeof rule?.list === 'object'
      ? rule.list.flatMap((id, index) => listed(child(at, index), id))
      : rule?.list === undefined
        ? []
        : listed(at, rule.list);
  const read = shown(child(place, 'read'), rule?.read);
  if (read !== undefined && isSearch(read))
    throw errorAt(
      child(place, 'read'),
      `'${read.id}' is a POST that names no record, so it shows no effect`,
      'let an OpenAPI link fill the member of its body that names the record, or name another read',
    );
  // The list within the record that a command works within shows best what it made.
  const list = lists.find(({ path }) => bare(path) === bare(draft.operation.path)) ?? lists[0];
  return {
    read,
    list,
    otherLists: lists.filter((one) => one !== list),
  };
}

/** A read by POST whose body names no record. */
export function isSearch({ kind, method, pathFields }: Operation): boolean {
  return kind === 'read' && method === 'POST' && pathFields.length === 0;
}

/** Whether the body of a read requires members that name no record. */
function asksForMore({ body, kind, method, pathFields }: Operation): boolean {
  if (kind !== 'read' || method !== 'POST') return false;
  return schemasAt(body?.schema, '').some(({ required }) =>
    (isArray(required) ? required : []).some(
      (name) => !pathFields.some(({ at }) => at?.startsWith(pointerOf([String(name)])) === true),
    ),
  );
}

/** Whether the body of a command names the record that a read by POST shows: both have a member for it. */
function isNamedBy(draft: Draft, read: Operation | undefined, all: All): boolean {
  if (read?.pathFields.some(({ at }) => at !== undefined) !== true) return false;
  return namesOne(draft.operation, read) || linkedTo(draft, all).length > 0;
}

function needsId(command: Operation, read: Operation | undefined): boolean {
  return (
    read?.pathFields.some(({ name }) => !command.pathFields.some((field) => field.name === name)) === true
  );
}

/** Whether the path of a command names the record that a list shows: `DELETE /notes/{noteId}`. */
function isNamedIn({ path }: Operation, list: Operation): boolean {
  return bare(path).startsWith(`${bare(list.path)}/{`);
}

/** Reads of what the command makes: their path ends in a field that its own path does not have. */
function recordPaths({ operation }: Draft, { list, read }: Shown, { drafts }: All): readonly Operation[] {
  if (operation.method !== 'POST') return [];
  const collections = [operation, ...(list === undefined ? [] : [list])].map(({ path }) => bare(path));
  const reads = read === undefined ? drafts.map((draft) => draft.operation) : [read];
  return reads.filter((one) => {
    if (one.kind !== 'read' || one.method !== 'GET' || one.pathFields.length === 0) return false;
    const path = bare(one.path);
    const end = path.lastIndexOf('/');
    const field = /^\{([^}]+)\}$/.exec(path.slice(end + 1))?.[1];
    return (
      field !== undefined &&
      operation.pathFields.every(({ name }) => name !== field) &&
      (read !== undefined || collections.includes(path.slice(0, end)))
    );
  });
}

/** Operations on what the command makes: their path names it below that of the command. */
function operationsOn({ operation }: Draft, { drafts }: All): readonly Operation[] {
  if (operation.method !== 'POST') return [];
  return drafts
    .map((draft) => draft.operation)
    .filter(
      ({ path, pathFields }) =>
        bare(path).startsWith(`${bare(operation.path)}/{`) &&
        pathFields.length === operation.pathFields.length + 1,
    );
}

/** The place that links to the record name; undefined where they name none, or several. */
function linkedId(draft: Draft, shown: Shown, all: All): Linked['from'] | undefined {
  const reads = recordPaths(draft, shown, all);
  const records = reads.length > 0 ? reads : operationsOn(draft, all);
  // A body may take the ID as well, where no path does.
  const inBodies = records.length > 0 ? [] : draft.links.flatMap(linkedMembers).map(({ from }) => from);
  const places = draft.links.flatMap((link) => {
    const target = linkTarget(link, all)?.operation;
    if (target === undefined || !records.includes(target)) return [];
    const last = target.pathFields.slice(-1).map(writtenName);
    return linkedFields(link).flatMap(({ from, name }) =>
      last.includes(name) && !('path' in from) ? [from] : [],
    );
  });
  const different = new Map((places.length > 0 ? places : inBodies).map((one) => [JSON.stringify(one), one]));
  return different.size === 1 ? [...different.values()][0] : undefined;
}

/** Where the schema of the result has the ID. */
function describedId(draft: Draft, shown: Shown, all: All): JsonPointer | undefined {
  const { body, success } = draft.operation;
  return describedAt({
    result: success.schema,
    body: body?.schema,
    fields: fieldsOf(draft, shown, all),
    collection: collectionOf(draft),
  });
}

/** The same of several records at once, which a read or a list shows. What a link or a read names is there already. */
function listedId(draft: Draft, shown: Shown, all: All): JsonPointer | undefined {
  const { operation } = draft;
  const isShown = shown.read !== undefined || shown.list !== undefined;
  return isShown && operation.method === 'POST' && linkedTo(draft, all).length === 0
    ? idInList(operation, {
        collection: collectionOf(draft),
        fields: fieldsOf(draft, shown, all),
        record: recordMembers(shown),
      })
    : undefined;
}

/** The members of a record as its read and its list describe it. */
function recordMembers({ list, read }: Shown): readonly string[] {
  const items = itemsAt(list?.success.schema);
  return [
    ...(items === undefined ? [] : membersAt(list?.success.schema, `${items}/0`)),
    ...membersAt(read?.success.schema, ''),
  ];
}

function fieldsOf(draft: Draft, shown: Shown, all: All): readonly string[] {
  const inBody = shown.read?.pathFields.some(({ at }) => at !== undefined) === true ? [shown.read] : [];
  return [...recordPaths(draft, shown, all), ...inBody].flatMap(({ pathFields }) =>
    pathFields.slice(-1).map(writtenName),
  );
}

/** `cases` of `/cases`, and of `/cases.create`. */
function collectionOf({ operation }: Draft): string {
  const last = /[^/{}:]*$/.exec(bare(operation.path))?.[0] ?? '';
  return last.split('.').at(-2) ?? last;
}
