import { expect, test } from 'vitest';
import { contract, principals } from '../clauses/cases/contract.ts';
import { trace } from '../clauses/cases/trace.ts';
import { operationOf } from '../model/contract.ts';
import { refOf } from '../suite-kit/issued.ts';
import { verificationInput } from '../suite-kit/scene.ts';
import { resolve, resolvedInput } from './resolve.ts';

/** What leads on from a page that was asked for with this query, and showed so many items. */
function behind(by: 'page' | 'items', query: string, items: number, status = 200): string | undefined {
  const body = { items: Array.from({ length: items }, (_, index) => ({ id: `case_${index}` })) };
  const seen = trace([{ id: 'page-1', operation: 'listCases', status, query, body }]);
  return resolve(seen, { step: 'page-1', behind: by, field: 'at', items: '/items', first: 1 });
}

test('pages are counted on from what was served, not from what was asked for', () => {
  expect(behind('items', 'limit=100', 20)).toBe('21');
  expect(behind('items', 'limit=100&at=20', 20)).toBe('40');
  expect(behind('items', 'limit=100&at=40', 3)).toBe('43');
  expect(behind('page', 'limit=100', 20)).toBe('2');
  expect(behind('page', 'limit=100&at=7', 1)).toBe('8');
});

test('nothing is behind an empty page, or one that was not served', () => {
  expect(behind('items', 'limit=100&at=43', 0)).toBeUndefined();
  expect(behind('page', 'at=8', 0)).toBeUndefined();
  expect(behind('items', 'limit=100', 2, 422)).toBeUndefined();
});

/** The query field `status` of the page behind one that says this of it. */
function followed(address: string, next: string | null, ...links: readonly string[]): string | undefined {
  const headers = links.map((value) => ['Link', value] as const);
  const page = { id: 'page-0', operation: 'listCases', status: 200, headers, body: { items: [], next } };
  const ref = { step: 'page-0', followed: 'status', address, otherwise: 'open' } as const;
  return resolve(trace([page]), ref);
}

test('a client that follows an address sends the query fields that it has', () => {
  expect(followed('/next', 'https://a.example/cases?status=open&after=7')).toBe('open');
  expect(followed('/next', '/cases?after=7')).toBeUndefined();
  expect(followed('link', null, '</cases?status=open&after=7>; rel="next"')).toBe('open');
  expect(followed('link', null, '</cases?after=7>; rel="next"')).toBeUndefined();
});

test('where the next page is named by a cursor, its query is the one before', () => {
  expect(followed('/next', 'c7')).toBe('open');
});

test('a cursor is read out of the address that a body names', () => {
  const page = { id: 'page-0', operation: 'listCases', status: 200, body: { next: '/cases?after=c%207' } };
  expect(resolve(trace([page]), { step: 'page-0', at: '/next', cursor: 'after' })).toBe('c 7');
});

test('a hook is given the ID of a record whose address alone is returned', () => {
  const headers = [['Location', 'https://a.example/v2/cases/case%207?x=1']] as const;
  const seen = trace([{ id: 'make', status: 201, headers }]);
  const [lead] = principals;
  const target = { caseId: { step: 'make', header: 'Location', part: 'last-segment' } } as const;
  const input =
    lead === undefined ? {} : verificationInput(operationOf(contract, 'approveCase'), lead, target, 'valid');
  expect(resolvedInput(seen, {}, input)).toMatchObject({ target: 'case 7', kind: 'valid' });
});

test('a hook is given the ID at the end of an address in the body', () => {
  const body = { _links: { self: { href: 'https://a.example/v2/cases/case%207' } } };
  const seen = trace([{ id: 'make', status: 201, body }]);
  const [lead] = principals;
  const ref = refOf({ operation: 'createCase', at: '/_links/self/href' }, 'make', undefined);
  if (lead === undefined || ref === undefined) throw new Error('there is a principal and a place');
  expect(resolve(seen, ref)).toBe('case 7');
  const input = verificationInput(operationOf(contract, 'approveCase'), lead, { caseId: ref }, 'valid');
  expect(resolvedInput(seen, {}, input)).toMatchObject({ target: 'case 7' });
});

test.each([
  ['/v2/cases', 'case_7.json'],
  ['/v2/cases.json?a=b', 'case_7'],
])('the address of a record ends as the path of the command that made it does: %s', (path, id) => {
  const [made] = trace([
    { id: 'make', status: 201, headers: [['Location', '/v2/cases/case_7.json']] },
  ]).exchanges;
  if (made === undefined) throw new Error('there is an exchange');
  const seen = { exchanges: [{ ...made, request: { ...made.request, path } }], hooks: {} };
  expect(resolve(seen, { step: 'make', header: 'Location', part: 'last-segment' })).toBe(id);
});

test('what names a record by its address is given the whole of it', () => {
  const body = { name: 'shops/s1/cases/c1', url: 'https://a.example/v2/cases/7/' };
  const seen = trace([{ id: 'make', status: 201, headers: [['Location', '/v2/cases/7']], body }]);
  const source = { operation: 'createCase', whole: true } as const;
  const whole = [{ at: '/url' }, { at: '/name' }, { header: 'Location' }].map((place) =>
    refOf({ ...source, ...place }, 'make', undefined),
  );
  expect(whole.map((ref) => ref && resolve(seen, ref))).toEqual([body.url, body.name, '/v2/cases/7']);
  const unlike = { step: 'make', at: '/url', part: 'whole', unlike: true } as const;
  expect(resolve(seen, unlike)).toBe('https://a.example/v2/cases/2147483646/');
});

test('a number with more digits than JSON.parse keeps names the record all the same', () => {
  const body = '{"id":9007199254740993,"version":1}';
  const seen = trace([{ id: 'made', status: 201, body }]);
  expect(resolve(seen, { step: 'made', at: '/id' })).toBe('9007199254740993');
  expect(resolve(seen, { step: 'made', at: '/version' })).toBe('1');
});

test('an ID that names no record has the form of one that was returned', () => {
  const seen = trace([{ id: 'made', status: 201, body: { id: 'case_7f3a', name: 'x' } }]);
  const ref = { step: 'made', at: '/id' } as const;
  expect(resolve(seen, { ...ref, unlike: true })).toBe('case_0c6d');
  expect(resolve(seen, { ...ref, at: '/none', unlike: true })).toBeUndefined();
});
