import type { Operation } from '../model/contract.ts';
import type { HeaderList } from '../model/exchange.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { ownedMembers } from '../model/owned-members.ts';
import { singular } from '../model/path.ts';
import { remembered } from '../model/remembered.ts';
import type { Call, Service } from './behaviour.ts';
import { fitted } from './fitting.ts';
import type { Result } from './message.ts';
import type { Snapshot, StoredRecord } from './records.ts';
import type { Handling } from './resource.ts';
import type { Members } from './schemas.ts';

export type View = Pick<Snapshot, 'fields' | 'version'>;

export function handlingFor(call: Call): Handling {
  const handling = call.service.handling.get(call.operation.id);
  if (handling === undefined) throw new Error(`the contract has no operation '${call.operation.id}'`);
  return handling;
}

/** The record's own fields where they fit, else what the schema fixes or requires; all where it names no members. */
export function shapeRecord(
  service: Service,
  handling: Handling,
  schema: JsonSchema,
  record: Pick<StoredRecord, 'id'>,
  view: View,
): Json {
  const shape = (one: JsonSchema): Json => shapedBy(service, handling, one, record, view);
  const { schemas } = service;
  return fitted({ schemas, shape, id: record.id, idAt: handling.idAt }, schema, shape(schema));
}

/** By the members that the schema names alone. */
function shapedBy(
  service: Service,
  handling: Handling,
  schema: JsonSchema,
  record: Pick<StoredRecord, 'id'>,
  view: View,
): Json {
  const members = service.schemas.membersOf(schema);
  const fields: JsonObject = { ...view.fields, id: record.id, version: view.version };
  if (members.size === 0) return fields;
  let shaped: Json = fill(service, members, fields);
  shaped = place(shaped, members, handling.idAt, record.id);
  for (const at of handling.versionAt) shaped = place(shaped, members, at, view.version);
  return shaped;
}

function fill(service: Service, members: Members, fields: JsonObject): JsonObject {
  const now = new Date(service.clock.wall()).toISOString();
  return Object.fromEntries(
    [...members].flatMap(([name, member]) => {
      const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (member.writeOnly) return [];
      if (own !== undefined && member.accepts(own)) return [[name, own]];
      return member.required || member.fixed ? [[name, member.initial(now)]] : [];
    }),
  );
}

/** Sets a text where the shape has room for it, as a number where it must be one. */
function place(shaped: Json, members: Members, at: string, text: string): Json {
  const [name, ...rest] = pointerTokens(at);
  const member = name === undefined ? undefined : members.get(name);
  if (member === undefined) return shaped;
  if (rest.length > 0) {
    return valueAt(shaped, at) === undefined ? shaped : withValueAt(shaped, at, text);
  }
  const fitting = [text, Number(text)].find((value) => member.accepts(value));
  return fitting === undefined ? shaped : withValueAt(shaped, at, fitting);
}

/** The result of an operation on a record; no body where the contract shows none. */
export function resultOf(call: Call, record: Pick<StoredRecord, 'id'>, view: View): Result {
  const handling = handlingFor(call);
  const { mediaType, schema, status } = call.operation.success;
  const headers: HeaderList = [
    ...handling.idHeaders.map((name) => [name, record.id] as const),
    ...(handling.versionHeader === undefined
      ? []
      : [[handling.versionHeader, quoted(handling.versionHeader, view.version)] as const]),
  ];
  // A link may read the ID from a result that nothing else is said of.
  const described = schema ?? (mediaType !== undefined || handling.linked ? true : undefined);
  if (described === undefined || [204, 205].includes(status)) return { value: undefined, headers };
  return { value: shapeRecord(call.service, handling, described, record, view), headers };
}

function quoted(header: string, version: string): string {
  return header.toLowerCase() === 'etag' ? `"${version}"` : version;
}

/** What a command on a part sends is named after it where the record has that: `reason` of `/closure`: `closureReason`. */
export function fieldsOf(call: Call, sent: Json | undefined): JsonObject {
  const body = sent === undefined ? undefined : withoutOwned(call.operation, sent);
  if (!isObject(body)) return {};
  const { recordSchema, tail } = handlingFor(call);
  const { verification, version } = call.operation;
  const members: Members =
    recordSchema === undefined ? new Map() : call.service.schemas.membersOf(recordSchema);
  const carriers = [version?.carrier, verification?.carrier].flatMap((carrier) =>
    carrier?.in === 'body' ? [carrier.at] : [],
  );
  const part = tail === undefined ? '' : singular(tail);
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !carriers.some((at) => pointerTokens(at)[0] === name))
      .map(([name, value]) => {
        const ofPart = `${part}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
        return [!members.has(name) && members.has(ofPart) ? ofPart : name, value];
      }),
  );
}

const owned = remembered(ownedMembers);

/** A body without what only the service sets: it ignores that (JSON Schema 2020-12, validation, 9.4). */
function withoutOwned(operation: Operation, body: Json): Json {
  return owned(operation).reduce(
    (rest, { at }) => (valueAt(rest, at) === undefined ? rest : withValueAt(rest, at, undefined)),
    body,
  );
}
