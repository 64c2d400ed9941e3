import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf, type Pagination } from '../model/contract.ts';
import type { HttpResponse } from '../model/exchange.ts';
import type { Json, JsonSchema } from '../model/json.ts';
import { itemsIn, type NextPage, nextPage } from './paging.ts';

function next(
  rule: Partial<Pagination> | undefined,
  body: Json,
  ...links: readonly string[]
): NextPage | string {
  const pagination =
    rule === undefined
      ? undefined
      : ({
          limit: 'limit',
          cursor: 'after',
          style: 'cursor',
          items: '/items',
          next: undefined,
          ...rule,
        } as const);
  const answer: HttpResponse = {
    status: 200,
    headers: links.map((value) => ['Link', value] as const),
    body: JSON.stringify(body),
    bodyBytes: 2,
    truncated: false,
  };
  const page = nextPage({ ...operationOf(contract, 'listCases'), pagination }, answer);
  return page.kind === 'at' ? page.cursor : page.kind;
}

test.each<[string, Json, string]>([
  ['text', { next: 'abc' }, 'abc'],
  ['a number', { next: 7 }, '7'],
  ['null', { next: null }, 'none'],
  ['empty', { next: '' }, 'none'],
  ['absent', {}, 'none'],
  ['something else', { next: true }, 'none'],
  ['an address', { next: 'https://a.example/cases?limit=2&after=c%2F1' }, 'c/1'],
  ['a relative address', { next: '/cases?after=7#top' }, '7'],
  ['a query', { next: '?after=8' }, '8'],
  ['an address without the query field', { next: '/cases?page=2' }, '/cases?page=2'],
  ['text like a path', { next: '/9j/4AAQ' }, '/9j/4AAQ'],
])('a cursor in the body: %s', (_, body, expected) => expect(next({ next: '/next' }, body)).toBe(expected));

test.each<[string, Json, string]>([
  ['the last item', { data: [{ id: 'a' }, { id: 'b' }] }, 'b'],
  ['that more follow', { data: [{ id: 'a' }], has_more: true }, 'a'],
  ['that none follow', { data: [{ id: 'a' }], has_more: false }, 'none'],
  ['that none follow, in an object', { data: [{ id: 'a' }], page: { hasNextPage: false } }, 'none'],
  ['no item', { data: [] }, 'none'],
])('a cursor that is an ID: %s', (_, body, expected) =>
  expect(next({ next: '/data/-1/id' }, body)).toBe(expected),
);

const page2 = '/cases?after=7';
test.each<[string, string, Json, string]>([
  [
    'FHIR',
    '/link',
    {
      link: [
        { relation: 'self', url: '/cases' },
        { relation: 'next', url: page2 },
      ],
    },
    '7',
  ],
  ['FHIR, the last page', '/link', { link: [{ relation: 'self', url: '/cases?after=5' }] }, 'none'],
  ['of one place', '/link/0/url', { link: [{ relation: 'next', url: page2 }] }, '7'],
  ['of one place, which another has', '/link/0/url', { link: [{ relation: 'self', url: page2 }] }, 'none'],
  ['with rel', '/links', { links: [{ rel: 'Next', href: page2 }] }, '7'],
  ['empty', '/links', { links: [] }, 'none'],
  ['without relations', '/pages/1', { pages: ['/cases?after=5', page2] }, '7'],
])('a list of links: %s', (_, at, body, expected) => expect(next({ next: at }, body)).toBe(expected));

const link = { style: 'link' } as const;

test.each<[string, readonly string[], string]>([
  ['relative', ['</cases?limit=2&after=c%2F1>; rel="next"'], 'c/1'],
  [
    'absolute, among others',
    ['<https://a.example/cases>; rel="first", <https://a.example/cases?after=7>; rel=next'],
    '7',
  ],
  ['in a field line of its own', ['</cases>; rel="first"', '</cases?after=8>; rel="next"'], '8'],
  ['with a fragment', ['</cases?after=9#top>; rel="next"'], '9'],
  ['several relations', ['</cases?after=5>; rel="last next"'], '5'],
  ['no next', ['</cases?after=1>; rel="prev"'], 'none'],
  ['none at all', [], 'none'],
  ['not what it should be', ['next: /cases?after=1'], 'none'],
  ['without the query field', ['</cases?page=2>; rel="next"'], 'unknown'],
  ['without a query', ['</cases/next>; rel="next"'], 'unknown'],
])('a Link: %s', (_, links, expected) => expect(next(link, {}, ...links)).toBe(expected));

test('counted pages say nothing about the next, and a list without a rule may have pages all the same', () => {
  expect(next({ style: 'offset' }, {})).toBe('unknown');
  expect(next({ style: 'page' }, {})).toBe('unknown');
  expect(next(undefined, {})).toBe('none');
  expect(next(undefined, {}, '</cases?page=2>; rel="next"')).toBe('unknown');
});

test.each<[string, Json, string]>([
  ['a cursor', { items: [], nextCursor: 'abc' }, 'unknown'],
  ['a flag', { items: [], has_more: true }, 'unknown'],
  ['among other things about the list', { data: [], meta: { 'next-page': 2 } }, 'unknown'],
  ['a cursor that is null', { items: [], nextCursor: null }, 'none'],
  ['an empty cursor', { items: [], next: '' }, 'none'],
  ['a flag that is off', { items: [], hasMore: false, links: { next: null } }, 'none'],
  ['a record that speaks of what is next', { items: [{ next: 'abc' }] }, 'none'],
  ['another word', { items: [], nextReview: '2027-01-01' }, 'none'],
  ['a plain array', [{ next: 'abc' }], 'none'],
])('a list without a rule hints at more: %s', (_, body, expected) =>
  expect(next(undefined, body)).toBe(expected),
);

const links = { type: 'array', items: {} };
const embedded = { type: 'object', properties: { items: { type: 'array' } } };
const bundle = { type: 'object', properties: { link: links, _embedded: embedded } };
const always = { ...embedded, required: ['items'] };
test.each<[string, JsonSchema | undefined, Json, Json | undefined]>([
  ['as declared', bundle, { _embedded: { items: [1] } }, [1]],
  ['an empty list is null', bundle, { _embedded: { items: null } }, []],
  ['an empty list is left out', bundle, { link: [{ rel: 'self' }], total: 0 }, []],
  ['an empty list is left out of what is around it', bundle, { _embedded: {} }, []],
  ['another list has the items', bundle, { _embedded: { cases: [1] } }, undefined],
  ['another list may have the items', bundle, { data: { result: { items: [1] } } }, undefined],
  ['one item is no list', bundle, { _embedded: { items: { id: 'a' } } }, undefined],
  [
    'the list is required',
    { ...bundle, properties: { _embedded: always }, required: ['_embedded'] },
    {},
    undefined,
  ],
  ['nothing is described', undefined, {}, undefined],
  ['no object', bundle, 'none', undefined],
])('the items of a page: %s', (_, schema, body, items) => {
  const pagination = {
    limit: 'limit',
    cursor: 'page',
    style: 'page',
    items: '/_embedded/items',
    next: undefined,
  } as const;
  const success = { status: 200, mediaType: 'application/json', schema };
  expect(itemsIn({ ...operationOf(contract, 'listCases'), pagination, success }, body)).toEqual(items);
});
