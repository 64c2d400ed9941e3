import { problem } from '../answer.ts';
import type { Call } from '../behaviour.ts';
import { bodyValue } from '../body.ts';
import { conforming } from '../conforming.ts';
import { fieldsOf } from '../present.ts';
import { sentVerification } from '../verification.ts';
import { replacing, type SeededVariant } from './variant.ts';

function missingVersion(status: number): SeededVariant['change'] {
  return {
    refuseVersion: (call, record, fault) => {
      const usual = conforming.refuseVersion(call, record, fault);
      return fault === 'absent' && usual.kind === 'problem' ? { ...usual, status } : usual;
    },
  };
}

function useUp(call: Call): void {
  const verification = call.service.verifications.get(sentVerification(call) ?? '');
  if (verification !== undefined) verification.spent = true;
}

function setsNothing(call: Call): boolean {
  return (
    ['PUT', 'PATCH'].includes(call.operation.method) &&
    Object.entries(fieldsOf(call, bodyValue(call))).every(
      ([name, value]) => JSON.stringify(value) === JSON.stringify(call.target?.fields[name]),
    )
  );
}

const paged = 'pagination: { limit: limit, cursor: cursor, style: cursor, items: /items, next: /nextCursor }';
const nextCursor = `        nextCursor: { type: [string, "null"], description: Null on the last page. }\n`;

/** Lists of cases in another style of paging, by a query field of its own, without a cursor in the body. */
function pagedBy(style: string, field: string, schema: string): (document: string) => string {
  return replacing(
    [paged, `pagination: { limit: limit, cursor: ${field}, style: ${style}, items: /items }`],
    ['- name: cursor\n', `- name: ${field}\n`],
    ['The nextCursor of the page before.', 'Where the page begins.'],
    [
      'schema: { type: string, minLength: 1 }\n        - name: status',
      `schema: ${schema}\n        - name: status`,
    ],
    ['required: [items, nextCursor]', 'required: [items]'],
    [nextCursor, ''],
  );
}

export const targetVariants: readonly SeededVariant[] = [
  {
    id: 'W31b',
    group: 'foreign',
    describes: 'A record of another scope returns 403, like an absent one.',
    change: { refuseTarget: () => problem(403, 'The record is out of reach.') },
    declares: { G9: 403 },
    operations: ['getCase', 'updateCase'],
  },
  {
    id: 'W32c',
    group: 'version carrier',
    describes: 'The version of a case is sent in a custom header.',
    change: {},
    publishes: replacing(
      ['carrier: { in: header, name: If-Match }', 'carrier: { in: header, name: X-Case-Version }'],
      ['- name: If-Match\n', '- name: X-Case-Version\n'],
    ),
    operations: ['updateCase'],
  },
  {
    id: 'W43',
    group: 'one-time verification',
    describes: 'A single-use verification is used up even if the command is refused.',
    change: {
      refuseInvalid: (call, findings) => {
        useUp(call);
        return conforming.refuseInvalid(call, findings);
      },
      checkVerification: (call, sent) => {
        const fault = conforming.checkVerification(call, sent);
        useUp(call);
        return fault;
      },
    },
    operations: ['approveCase'],
  },
  {
    id: 'W33b',
    group: 'missing version',
    describes: 'A missing version returns 409.',
    change: missingVersion(409),
    operations: ['updateCase'],
  },
  {
    id: 'W33c',
    group: 'missing version',
    describes: 'A missing version returns 428.',
    change: missingVersion(428),
    operations: ['updateCase'],
  },
  {
    id: 'W32d',
    group: 'nothing changed',
    describes: 'A PUT or PATCH that changes no value leaves the version of its record as it is.',
    change: {
      advanceVersion: (call, version) =>
        setsNothing(call) ? version : conforming.advanceVersion(call, version),
    },
    operations: ['updateCase'],
  },
  {
    id: 'W35b',
    group: 'paging',
    describes: 'Lists are paged by offset.',
    change: {},
    publishes: pagedBy('offset', 'offset', '{ type: integer, minimum: 0 }'),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W35c',
    group: 'paging',
    describes: 'Lists are paged by page number.',
    change: {},
    publishes: pagedBy('page', 'page', '{ type: integer, minimum: 1 }'),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W35g',
    group: 'paging',
    describes: 'Lists are paged by page number, and a page after the last one returns 404.',
    change: {
      pageStart: (call, rows, size) => {
        const start = conforming.pageStart(call, rows, size) ?? 0;
        return start > 0 && start >= rows.length ? undefined : start;
      },
      refuseCursor: () => problem(404, 'There is no such page.'),
    },
    publishes: pagedBy('page', 'page', '{ type: integer, minimum: 1 }'),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W35h',
    group: 'paging',
    describes: 'Lists are paged by page number; the contract does not say that the first page is number 1.',
    change: {},
    publishes: pagedBy('page', 'page', '{ type: integer }'),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W35i',
    group: 'paging',
    describes: 'Lists are paged by page number; the contract does not say that the first page is number 0.',
    change: {
      pageStart: (call, _, size) => {
        const page = call.request.query.get('page') ?? '0';
        return /^\d{1,9}$/.test(page) ? Number(page) * size : undefined;
      },
    },
    publishes: pagedBy('page', 'page', '{ type: integer }'),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W35d',
    group: 'paging',
    describes: 'Lists are paged by the Link header.',
    change: {},
    publishes: pagedBy('link', 'cursor', '{ type: string, minLength: 1 }'),
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W35e',
    group: 'page size',
    describes: 'A page has at most twenty records, whatever size is asked for.',
    change: {},
    settings: { pageSizeMax: 20 },
    operations: ['createCase', 'listCases'],
  },
  {
    id: 'W36',
    group: 'lag',
    describes: 'Reads show a write 0.7 seconds later.',
    change: {},
    settings: { readLagMs: 700 },
    declares: { G15: { seconds: 1 } },
    operations: ['createCase', 'getCase', 'listCases'],
  },
];
