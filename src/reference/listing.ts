import { createHmac } from 'node:crypto';
import type { HeaderList } from '../model/exchange.ts';
import {
  asText,
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { firstPage } from '../model/pages.ts';
import { problem } from './answer.ts';
import type { Call, ListDecisions, StoredRow } from './behaviour.ts';
import { callerOf, concretePath } from './call.ts';
import { fitted } from './fitting.ts';
import type { Refusal, Result } from './message.ts';
import { readBefore } from './permission.ts';
import { handlingFor, shapeRecord } from './present.ts';

export const listDecisions: ListDecisions = {
  readLag: ({ settings }) => settings.readLagMs,
  passes: (call, { record, snapshot }, field, wanted) => {
    if (field.filters === undefined) return true;
    const value =
      valueAt(snapshot.fields, field.filters) ??
      valueAt(shapeItem(call, { record, snapshot }), field.filters);
    return value !== undefined && wanted.includes(asText(value));
  },
  pageSize: (call) => {
    const { settings } = call.service;
    const { pagination, queryFields } = call.operation;
    if (pagination === undefined) return Number.POSITIVE_INFINITY;
    const sent = Number(call.request.query.get(pagination.limit) ?? Number.NaN);
    const schema = queryFields.find(({ name }) => name === pagination.limit)?.schema;
    const usual = isObject(schema) ? schema['default'] : undefined;
    const size =
      Number.isInteger(sent) && sent > 0 ? sent : typeof usual === 'number' ? usual : settings.pageSize;
    return Math.min(size, settings.pageSizeMax);
  },
  pageStart: (call, rows, size) => {
    const { pagination } = call.operation;
    const cursor = pagination === undefined ? null : call.request.query.get(pagination.cursor);
    if (pagination === undefined || cursor === null) return 0;
    if (pagination.style === 'offset' || pagination.style === 'page') {
      const by = pagination.style === 'page' ? { size, first: 1 } : { size: 1, first: 0 };
      const passed = Number(cursor) - (firstPage(call.operation) ?? by.first);
      return /^\d{1,9}$/.test(cursor) && passed >= 0 ? passed * by.size : undefined;
    }
    const after = call.service.behaviour.decodeCursor(call, cursor);
    if (after === undefined) return undefined;
    const index = rows.findIndex(({ record }) => record.sequence > after);
    return index < 0 ? rows.length : index;
  },
  takePage: (_call, rows, start, size) => rows.slice(start, start + size),
  encodeCursor: (call, after) => {
    const text = JSON.stringify({ after });
    return `${Buffer.from(text).toString('base64url')}.${signature(call, text)}`;
  },
  decodeCursor: (call, cursor) => {
    const [encoded = '', signed] = cursor.split('.');
    const text = Buffer.from(encoded, 'base64url').toString();
    const content = signed === signature(call, text) ? parseJson(text) : undefined;
    const after = isObject(content) ? content['after'] : undefined;
    return typeof after === 'number' ? after : undefined;
  },
  refuseCursor: (call) => {
    const name = call.operation.pagination?.cursor ?? 'cursor';
    const message = 'is not a cursor of this list';
    return problem(422, `The query field ${name} ${message}.`, {
      findings: [{ in: 'query', at: name, keyword: 'cursor', message }],
    });
  },
  readEffect: () => {},
};

/** A cursor serves the list and the scope for which it was made. */
function signature(call: Call, text: string): string {
  return createHmac('sha256', call.service.secret)
    .update(JSON.stringify([call.operation.id, concretePath(call), callerOf(call).scope, text]))
    .digest('base64url')
    .slice(0, 22);
}

export function list(call: Call): Refusal | Result {
  const { behaviour } = call.service;
  const rows = visibleRows(call);
  const size = behaviour.pageSize(call);
  const start = behaviour.pageStart(call, rows, size);
  if (start === undefined) return behaviour.refuseCursor(call);
  const page = behaviour.takePage(call, rows, start, size);
  const last = page.at(-1);
  const more = last !== undefined && rows.at(-1) !== last;
  return inPage(call, page, more ? last : undefined);
}

function visibleRows(call: Call): readonly StoredRow[] {
  const { behaviour, records } = call.service;
  const { recordFields, shows } = handlingFor(call);
  const at = readBefore(call);
  const within = recordFields.map(({ name }) => call.pathValues[name] ?? '');
  const filters = call.operation.queryFields.flatMap((field) => {
    const wanted = call.request.query.getAll(field.name);
    return field.filters === undefined || wanted.length === 0 ? [] : [{ field, wanted }];
  });
  const found: StoredRow[] = [];
  // One pass: lists are read again and again, and grow with the run.
  for (const creator of shows)
    for (const record of records.createdBy(creator)) {
      if (!within.every((id) => record.parents.includes(id)) || !behaviour.lists(call, record)) continue;
      const snapshot = records.seen(record, at);
      if (snapshot === undefined) continue;
      const row = { record, snapshot };
      if (filters.every(({ field, wanted }) => behaviour.passes(call, row, field, wanted))) found.push(row);
    }
  return shows.length > 1 ? found.sort((one, other) => one.record.sequence - other.record.sequence) : found;
}

function shapeItem(call: Call, { record, snapshot }: StoredRow): Json {
  const { service } = call;
  const { success } = call.operation;
  const schema = service.schemas.itemsOf(success.schema ?? true, handlingFor(call).itemsAt);
  return shapeRecord(service, handlingFor(call), schema, record, snapshot);
}

/** The page in the form of the contract; `before` is the row before the next page, where there is one. */
function inPage(call: Call, page: readonly StoredRow[], before: StoredRow | undefined): Result {
  const { behaviour, clock, schemas } = call.service;
  const { pagination, success } = call.operation;
  const items = page.map((row) => shapeItem(call, row));
  const { itemsAt } = handlingFor(call);
  const shown = (value: Json): Json =>
    fitted({ schemas, shape: () => value, id: '', idAt: '' }, success.schema ?? true, value);
  if (itemsAt === '') return { value: shown(items), headers: linkTo(call, before) };
  const now = new Date(clock.wall()).toISOString();
  const members = schemas.membersOf(success.schema ?? true);
  const rest: JsonObject = Object.fromEntries(
    [...members].flatMap(([name, member]) => (member.required ? [[name, member.initial(now)]] : [])),
  );
  let value = withValueAt(rest, itemsAt, items);
  if (pagination?.next !== undefined && before !== undefined) {
    value = withValueAt(value, pagination.next, behaviour.encodeCursor(call, before.record.sequence));
  } else if (pagination?.next !== undefined && valueAt(value, pagination.next) !== null) {
    value = withValueAt(value, pagination.next, undefined);
  }
  return { value: shown(value), headers: linkTo(call, before) };
}

/** `Link: <...>; rel="next"` (RFC 8288), where the contract pages so. */
function linkTo(call: Call, before: StoredRow | undefined): HeaderList {
  const { pagination } = call.operation;
  if (pagination?.style !== 'link' || before === undefined) return [];
  const query = new URLSearchParams(call.request.query);
  query.set(pagination.cursor, call.service.behaviour.encodeCursor(call, before.record.sequence));
  return [['Link', `<${concretePath(call)}?${query}>; rel="next"`]];
}
