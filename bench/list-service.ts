import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson } from '../src/model/json.ts';
import { bodyOf, option, respond, subjectIn } from './service.ts';

/**
 * A conforming service of one resource whose list holds `--records` older records of each scope. `--style` says how the
 * list is read: `cursor` (oldest first), `newest` (cursor, newest first), `page` (numbers, oldest first), `filter`
 * (cursor, oldest first, with a filter by the whole subject) or `search` (the same by a part of the subject).
 *
 * Prints its port. node list-service.js --style newest --records 1000000 --tokens '{"token": {"scope": "a", ...}}'
 */
type Caller = { readonly scope: string; readonly permissions: readonly string[] };
type Item = { readonly id: string; readonly subject: string };
type Stored = { readonly subject: string; readonly item: Item };
type Answer = readonly [status: number, body: unknown];

const style = option('style');
const older = Number(option('records'));
const callers = new Map<string, Caller>(Object.entries(JSON.parse(option('tokens'))));
const made = new Map<string, Item[]>();
const byId = new Map<string, { readonly scope: string; readonly item: Item }>();
const byKey = new Map<string, Stored>();
const most = 100;

const server = createServer((request, response) => {
  // A client that breaks off is no failure of the service.
  serve(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});
process.stdin.on('end', () => process.exit(0)).resume();

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, value] = answer(request, await bodyOf(request));
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  respond(response, status, value);
}

function answer({ method, url = '', headers }: IncomingMessage, body: string): Answer {
  const caller = callers.get(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
  if (caller === undefined) return [401, { error: 'unauthorized' }];
  const { pathname, searchParams } = new URL(url, 'http://service');
  const id = /^\/items\/([^/]+)$/.exec(pathname)?.[1];
  const may = (permission: string): boolean => caller.permissions.includes(permission);
  if (method === 'POST' && pathname === '/items')
    return may('item.create') ? create(caller, headers['idempotency-key'], body) : forbidden;
  if (method === 'GET' && pathname === '/items')
    return may('item.read') ? list(caller.scope, searchParams) : forbidden;
  if (method === 'GET' && id !== undefined)
    return may('item.read') ? read(caller.scope, decodeURIComponent(id)) : forbidden;
  return [404, { error: 'not found' }];
}

const forbidden: Answer = [403, { error: 'forbidden' }];

function create({ scope }: Caller, key: string | string[] | undefined, body: string): Answer {
  if (typeof key !== 'string' || key === '') return [422, { error: 'Idempotency-Key is required' }];
  if (parseJson(body) === undefined) return [400, { error: 'malformed JSON' }];
  const subject = subjectIn(body);
  if (subject === undefined) return [422, { error: '"subject" must be a string', field: 'subject' }];
  if (subject === '') return [422, { error: '"subject" must not be empty', field: 'subject' }];
  const known = byKey.get(`${scope} ${key}`);
  if (known !== undefined)
    return known.subject === subject ? [201, known.item] : [409, { error: 'the key was used before' }];
  const item = { id: `item_${randomBytes(9).toString('hex')}`, subject };
  byKey.set(`${scope} ${key}`, { subject, item });
  byId.set(item.id, { scope, item });
  made.set(scope, [...(made.get(scope) ?? []), item]);
  return [201, item];
}

function read(scope: string, id: string): Answer {
  const found = byId.get(id);
  return found?.scope === scope ? [200, found.item] : [404, { error: 'not found' }];
}

function list(scope: string, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    return [422, { error: '"limit" must be 1 to 100', field: 'limit' }];
  const rows = rowsOf(scope, query.get('subject'));
  const field = style === 'page' ? 'page' : 'cursor';
  const position = query.get(field);
  const nowhere: Answer = [422, { error: 'no such position', field }];
  if (position !== null && !/^\d{1,9}$/.test(position)) return nowhere;
  const start =
    style === 'page'
      ? (Number(position ?? 1) - 1) * limit
      : style === 'newest'
        ? rows.length - Number(position ?? rows.length)
        : Number(position ?? 0);
  if (start < 0) return nowhere;
  const end = Math.min(start + limit, rows.length);
  const items = Array.from({ length: Math.max(0, end - start) }, (_, index) =>
    rows.at(style === 'newest' ? rows.length - 1 - start - index : start + index),
  );
  if (style === 'page' || end >= rows.length) return [200, { items }];
  return [200, { items, nextCursor: String(style === 'newest' ? rows.length - end : end) }];
}

/** The older records are made as they are read. */
function rowsOf(scope: string, subject: string | null): Pick<Item[], 'length' | 'at'> {
  const own = made.get(scope) ?? [];
  if (style === 'filter' && subject !== null) return own.filter((item) => item.subject === subject);
  if (style === 'search' && subject !== null) return own.filter((item) => item.subject.includes(subject));
  return {
    length: older + own.length,
    at: (index) =>
      index < older ? { id: `old_${scope}_${index}`, subject: `Older record ${index}` } : own[index - older],
  };
}
