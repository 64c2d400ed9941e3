import { isObject, type JsonObject, parseJson } from '../../model/json.ts';
import { problem } from '../answer.ts';
import type { Call } from '../behaviour.ts';
import { callerOf } from '../call.ts';
import { conforming } from '../conforming.ts';
import type { StoredRecord } from '../records.ts';
import { at, type SeededFault } from './fault.ts';

function isAmongNewest(
  { service }: Call,
  { createdBy, scope, sequence }: StoredRecord,
  most: number,
): boolean {
  const newer = service.records
    .createdBy(createdBy)
    .filter((other) => other.scope === scope && other.sequence > sequence);
  return newer.length < most;
}

/** What a cursor that is not signed says. */
function madeFor(cursor: string): JsonObject | undefined {
  const said = parseJson(Buffer.from(cursor, 'base64url').toString());
  return isObject(said) ? said : undefined;
}

const atTheList: readonly SeededFault[] = [
  {
    id: 'G01',
    describes: 'Reads need no permission.',
    breaks: 'RDS-2',
    also: 'PRM-1 PRM-3 PRM-4 PRM-7 PRM-9 PRM-10 PRE-2 PRE-4 ERR-1',
    change: {
      requiredPermissions: (call) =>
        call.operation.kind === 'read' ? [] : conforming.requiredPermissions(call),
    },
  },
  {
    id: 'G02',
    describes: 'A filter is ignored.',
    breaks: 'RDS-3',
    also: 'RDS-4 RDS-5',
    change: { passes: () => true },
  },
  {
    id: 'G03',
    describes: 'Pages overlap by one record.',
    breaks: 'RDS-4',
    change: {
      takePage: (_, rows, start, size) => rows.slice(Math.max(0, start - 1), Math.max(0, start - 1) + size),
    },
  },
  {
    id: 'G05',
    describes: 'The last page leads back to the first.',
    breaks: 'RDS-4',
    change: { encodeCursor: (call) => conforming.encodeCursor(call, 0) },
  },
  {
    id: 'G07',
    describes: 'The page size that a client asks for is ignored.',
    breaks: 'RDS-5',
    also: 'RDS-4',
    change: { pageSize: ({ service }) => service.settings.pageSizeMax },
  },
  {
    id: 'G08',
    describes: 'A made-up cursor makes the service fail.',
    breaks: 'RDS-6',
    also: 'ERR-1',
    change: { refuseCursor: () => problem(500, 'Unexpected token in JSON') },
  },
  {
    id: 'G89',
    describes: 'A cursor that is not Base64 makes the service fail.',
    breaks: 'RDS-6',
    also: 'ERR-1',
    change: {
      refuseCursor: (call) =>
        /^[\w=-]+$/.test(call.request.query.get(call.operation.pagination?.cursor ?? '') ?? '')
          ? conforming.refuseCursor(call)
          : problem(500, 'Invalid character in Base64'),
    },
  },
  {
    id: 'G10',
    describes: 'Lists show the records of all scopes.',
    breaks: 'RDS-7',
    also: 'RDS-4 RDS-6',
    change: { lists: () => true },
  },
  {
    id: 'G81',
    describes: 'After the first page, lists show the records of all scopes.',
    breaks: 'RDS-7',
    also: 'RDS-4 RDS-6',
    change: {
      lists: (call, record) =>
        call.request.query.has(call.operation.pagination?.cursor ?? 'cursor') ||
        conforming.lists(call, record),
    },
  },
  {
    id: 'G82',
    describes: 'From the third page on, the first record of a page replaces its last one.',
    breaks: 'RDS-4',
    change: {
      takePage: (call, rows, start, size) => {
        const page = conforming.takePage(call, rows, start, size);
        const [first] = page;
        return start < 2 * size || first === undefined || page.length < 2
          ? page
          : [...page.slice(0, -1), first];
      },
    },
  },
  {
    id: 'G83',
    describes: 'A filter is ignored for one of its values.',
    breaks: 'RDS-3',
    change: {
      passes: (call, row, field, wanted) =>
        wanted.includes('closed') || conforming.passes(call, row, field, wanted),
    },
  },
  {
    id: 'G84',
    describes: 'A filter applies to the first page only.',
    breaks: 'RDS-3',
    also: 'RDS-4 RDS-5',
    change: {
      passes: (call, row, field, wanted) =>
        call.request.query.has(call.operation.pagination?.cursor ?? 'cursor') ||
        conforming.passes(call, row, field, wanted),
    },
  },
  {
    id: 'G85',
    describes: 'A list filtered by status shows the records of all scopes.',
    breaks: 'RDS-7',
    also: 'RDS-3 RDS-4 RDS-6',
    change: {
      lists: (call, record) => call.request.query.has('status') || conforming.lists(call, record),
    },
  },
  {
    id: 'G86',
    describes: 'A cursor of another scope opens the records of that scope.',
    breaks: 'RDS-6',
    also: 'RDS-7 RDS-4',
    change: {
      encodeCursor: (call, after) =>
        Buffer.from(JSON.stringify({ after, scope: callerOf(call).scope ?? '' })).toString('base64url'),
      decodeCursor: (_, cursor) => {
        const after = madeFor(cursor)?.['after'];
        return typeof after === 'number' ? after : undefined;
      },
      lists: (call, record) => {
        const cursor = call.request.query.get(call.operation.pagination?.cursor ?? 'cursor');
        const scope = madeFor(cursor ?? '')?.['scope'];
        return scope === undefined ? conforming.lists(call, record) : record.scope === scope;
      },
    },
  },
];

export const listFaults: readonly SeededFault[] = [
  ...at('listCases', atTheList),
  {
    id: 'G14',
    describes: 'A filter finds only records among the newest 50.',
    breaks: 'RDS-3',
    also: 'RDS-4',
    change: {
      passes: (call, row, field, wanted) =>
        conforming.passes(call, row, field, wanted) &&
        (field.filters === undefined || isAmongNewest(call, row.record, 50)),
    },
    operations: ['createCase', 'listCases', 'getCase'],
  },
];
