import { expect, test } from 'vitest';
import { createCase } from '../clauses/cases/contract.ts';
import type { Operation } from './contract.ts';
import { chosenIdAt, idInAddress, idPointer, isIdInHeader, namesResult, resultId } from './result-id.ts';

type Headers = readonly (readonly [string, string])[];
const answer = (status: number, body: string, headers: Headers = []) => ({ status, headers, body });
const location = (value: string): Headers => [['location', value]];
const paths = ['/teams/{teamId}/cases/{caseId}'];
const located = { ...createCase, idHeader: { name: 'Location', use: 'first', paths } } as const;

test.each<[address: string, id: string | undefined]>([
  ['/teams/7/cases/case_1', 'case_1'],
  ['/api/v1/teams/7/cases/case_1', 'case_1'],
  ['https://cases.example/api/teams/7/cases/n%201/?a=b#c', 'n 1'],
  ['teams/7/cases/9007199254740993', '9007199254740993'],
  ['/teams/7/jobs/job_1', undefined],
  ['/cases/case_1', undefined],
  ['https://teams/cases/case_1', undefined],
  ['/teams/7/cases/', undefined],
  ['/teams/7/cases/case_1/status', undefined],
  ['', undefined],
])('the ID at the end of a Location that leads to a read: %s', (address, id) => {
  expect(resultId(located, answer(201, '', location(address)))).toBe(id);
});

test.each([
  ["https://x.example/odata/Cases('n%201')", 'n 1'],
  ['/odata/Cases(17)', '17'],
  ['/odata/Cases(caseId=17)', '17'],
  ['/Cases(00000001-0000-4000-8000-00000000000a)', '00000001-0000-4000-8000-00000000000a'],
  ['/cases/draft(copy)', 'draft(copy)'],
])('the ID at the end of an address of OData: %s', (address, id) => {
  const only = { ...createCase, idHeader: { name: 'Location', use: 'only' } } as const;
  expect(resultId(only, answer(201, '', location(address)))).toBe(id);
});

test.each<[path: string, address: string, id: string | undefined]>([
  ['/cases.json', 'https://x.example/api/cases/17.json', '17'],
  ['/cases.json', '/cases/17', '17'],
  ['/cases', '/cases/17.json', '17.json'],
])('an address ends in .json as the paths do: %s %s', (path, address, id) => {
  const only = { ...createCase, path, idHeader: { name: 'Location', use: 'only' } } as const;
  expect(resultId(only, answer(201, '', location(address)))).toBe(id);
  const body = { ...createCase, path, idAt: '/url' };
  expect(resultId(body, answer(201, JSON.stringify({ url: address })))).toBe(id);
  const suffix = path.slice('/cases'.length);
  expect(idInAddress(address, [`/cases/{caseId}${suffix}`])).toBe(id);
});

test.each([
  ['vaults/kitchen/secrets/s-1', 's-1'],
  ['s-1', 's-1'],
  ['Salt / pepper', 'Salt / pepper'],
])('the ID at the end of a resource name: %s', (name, id) => {
  const named = { ...createCase, idAt: '/name' };
  expect(resultId(named, answer(200, JSON.stringify({ name })))).toBe(id);
});

test('the header comes before the body or after it, and alone where it is declared', () => {
  const both = answer(202, '{"id":"job_1"}', location('/teams/7/cases/case_1'));
  const body = answer(202, '{"id":"job_1"}', location('/jobs/1'));
  expect([resultId(located, both), resultId(located, body)]).toEqual(['case_1', 'job_1']);
  const last = { ...located, idHeader: { ...located.idHeader, use: 'last' } } as const;
  expect([resultId(last, both), resultId(last, { ...both, body: '' })]).toEqual(['job_1', 'case_1']);
  const only = { ...createCase, idHeader: { name: 'X-Case', use: 'only' } } as const;
  expect(resultId(only, answer(201, '{"id":"a"}', [['x-case', 'case/1']]))).toBe('case/1');
  expect(resultId(only, answer(201, '{"id":"a"}'))).toBeUndefined();
});

test('a failure names no result in a header', () => {
  expect(resultId(located, answer(409, '', location('/teams/7/cases/case_1')))).toBeUndefined();
});

test('only a header has the ID where the body does not', () => {
  expect(isIdInHeader(located, answer(201, '', location('/teams/7/cases/1')))).toBe(true);
  expect(isIdInHeader(located, answer(201, '{"id":1}', location('/teams/7/cases/1')))).toBe(false);
  expect(isIdInHeader(located, answer(201, ''))).toBe(false);
});

test('the place in the body is the one of the document', () => {
  expect(idPointer({ ...createCase, idAt: '/data/id' })).toBe('/data/id');
  expect(idPointer(createCase)).toBe('/id');
  expect(resultId({ ...createCase, idAt: '/data/id' }, answer(201, '{"id":1,"data":{"id":"a"}}'))).toBe('a');
});

test.each([
  ['https://x.example/api/cases/case%201?view=all', 'case 1'],
  ['/cases/7', '7'],
  ['case_1', 'case_1'],
])('the place in the body may have the address of the record: %s', (href, id) => {
  const body = JSON.stringify({ id: 'x', _links: { self: { href } } });
  expect(resultId({ ...createCase, idAt: '/_links/self/href' }, answer(201, body))).toBe(id);
});

test('a body names the ID of its result as any text, and as a number under the name of the ID', () => {
  const names = (body: string | undefined, id: string) => namesResult(createCase, { body }, id);
  expect(names('{"ids":["case_1"]}', 'case_1')).toBe(true);
  expect(names('{"case":{"id":17}}', '17')).toBe(true);
  expect(names('{"quantity":17}', '17')).toBe(false);
  expect(names('{"subject":"about case_1"}', 'case_1')).toBe(false);
  expect(names(undefined, 'case_1')).toBe(false);
});

const product = {
  mediaType: 'application/json',
  required: true,
  schema: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } },
};
const skuField = { name: 'sku', schema: {}, source: undefined };

test.each<[string, Partial<Operation>, string | undefined]>([
  ['a member that it requires', {}, '/sku'],
  ['one that it does not require', { body: { ...product, schema: { properties: { sku: {} } } } }, undefined],
  ['another member', { idAt: '/id' }, undefined],
  ['the member in an envelope', { idAt: '/data/sku' }, '/sku'],
  ['a header', { idHeader: { name: 'Location', use: 'only' } }, undefined],
  ['a record that is there', { named: [{ at: '/sku', read: 'get', field: skuField }] }, undefined],
  ['the record in its path', { pathFields: [skuField] }, undefined],
])('the ID of what a command makes is in its body: %s', (_, more, at) => {
  expect(chosenIdAt({ ...createCase, body: product, idAt: '/sku', ...more })).toBe(at);
});
