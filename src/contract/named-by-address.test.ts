import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';

const text = { type: 'string' };
const iri = { type: 'string', format: 'iri-reference' };
const author = { type: 'object', required: ['id', '@id'], properties: { id: text, '@id': text, name: text } };

/** What the body of a book with these members names, and where it takes that from. */
async function named(
  members: JsonObject,
  {
    draft = { type: 'object', properties: { name: text } },
    links = {},
    path = '/books',
    result = author,
  }: {
    readonly draft?: JsonObject;
    readonly links?: JsonObject;
    readonly path?: string;
    readonly result?: JsonObject;
  } = {},
) {
  const contract = await contractOf(
    operation('POST /authors', 'addAuthor', { body: draft, result, links }),
    operation('GET /authors/{id}', 'getAuthor', { result }),
    operation(`POST ${path}`, 'addBook', { body: { type: 'object', properties: members }, result: author }),
  );
  return (operationOf(contract, 'addBook').named ?? []).map(({ at, field, read }) => [
    at,
    read,
    field.source,
  ]);
}

const source = { operation: 'addAuthor', at: '/@id', whole: true };

test.each(['iri-reference', 'uri-reference', 'iri', 'uri'])(
  'a member with the format %s and the name of a record has the address of one',
  async (format) => {
    expect(await named({ author: { ...text, format } })).toEqual([['/author', 'getAuthor', source]]);
  },
);

test('in a list, with a word that says which, and as null', async () => {
  expect(await named({ authors: { type: 'array', items: iri, maxItems: 1 } })).toEqual([
    ['/authors/0', 'getAuthor', source],
  ]);
  expect(await named({ primaryAuthor: { anyOf: [iri, { type: 'null' }] } })).toEqual([
    ['/primaryAuthor', 'getAuthor', source],
  ]);
});

test.each<[string, JsonObject]>([
  ['/_links/self/href', { _links: { type: 'object', properties: { self: { properties: { href: text } } } } }],
  ['/self', { self: text }],
  ['/url', { url: { ...text, readOnly: true } }],
])('where the result shows its address at %s', async (at, members) => {
  const result = { type: 'object', required: ['id'], properties: { id: text, ...members } };
  expect(await named({ author: iri }, { result })).toEqual([['/author', 'getAuthor', { ...source, at }]]);
});

test.each<[string, JsonObject]>([
  ['another name', { homepage: iri }],
  ['more than the name', { authorHomepage: iri }],
  ['another record', { externalAuthor: iri }],
  ['a text without that format', { author: text }],
])('but not %s', async (_, members) => {
  expect(await named(members)).toEqual([]);
});

test('nor where nothing shows an address, or the caller sets it', async () => {
  const bare = { type: 'object', required: ['id'], properties: { id: text } };
  expect(await named({ author: iri }, { result: bare })).toEqual([]);
  const url = { type: 'object', required: ['id'], properties: { id: text, url: text } };
  const draft = { type: 'object', properties: { url: text } };
  expect(await named({ author: iri }, { result: url, draft })).toEqual([]);
});

test('nor where the path names the record', async () => {
  expect(await named({ author: iri }, { path: '/authors/{id}/books' })).toEqual([]);
});

test.each<[string, string, boolean]>([
  ['by', '$response.body#/@id', true],
  ['authorId', '$response.body#/@id', false],
  ['by', '$response.body#/name', true],
  ['by', '$response.body#/id', false],
])('a link fills the member %s with %s as it is: %s', async (name, from, whole) => {
  const links = { book: { operationId: 'addBook', requestBody: { [name]: from } } };
  const at = from.slice(from.indexOf('#') + 1);
  expect(await named({ [name]: text }, { links })).toEqual([
    [`/${name}`, 'getAuthor', { operation: 'addAuthor', at, ...(whole ? { whole: true } : {}) }],
  ]);
});
